//! The pieces of a file that may recur: statements, runs of them, heads of items, chains of calls.

use crate::grammar::{Grammar, Part};
use crate::key::File;
use crate::tree::Tree;

/// One or several neighbouring nodes, perhaps with one node in them that does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) first: u32,
    /// Siblings, from the first on.
    pub(crate) count: u8,
    pub(crate) cut: Option<u32>,
}

impl Piece {
    pub(crate) fn nodes<'t>(self, tree: &'t Tree<'_>) -> impl Iterator<Item = usize> + 't {
        let mut next = self.first as usize;
        (0..self.count).map(move |_| {
            let this = next;
            next += tree.nodes[this].size as usize;
            this
        })
    }

    /// Where it begins and ends in the text.
    pub(crate) fn span(self, tree: &Tree<'_>) -> (u32, u32) {
        let last = self.nodes(tree).last().unwrap_or(self.first as usize);
        (tree.nodes[self.first as usize].start, tree.nodes[last].end)
    }
}

/// Below this there is nothing to learn, above it nothing recurs.
const SMALLEST: u32 = 6;
const LARGEST: u32 = 250;

/// Statements that are looked at together.
const LONGEST_RUN: usize = 4;

/// Calls of one chain that are looked at without what they begin with.
const LONGEST_CHAIN: usize = 5;

/// Calls `each` with every piece of a file.
pub(crate) fn pieces(grammar: &Grammar, file: &File<'_>, each: &mut dyn FnMut(Piece)) {
    for at in 0..file.tree.nodes.len() {
        let node = &file.tree.nodes[at];
        let part = grammar.part(node.kind);
        if part == Part::Container {
            runs(grammar, file, at, each);
            continue;
        }
        let is_callee = matches!(grammar.field(node.field), "function" | "macro");
        if !node.named
            || is_callee
            || part == Part::Import
            || part == Part::Mark
            || node.size < SMALLEST
        {
            continue;
        }
        let body = (part == Part::Item).then(|| file.tree.child(grammar, at, "body")).flatten();
        let first = at as u32;
        if node.size <= LARGEST && file.names_in(at) >= 2 && is_whole(grammar, file, at) {
            each(Piece { first, count: 1, cut: None });
        }
        if let Some(body) = body
            && file.names_in(at) - file.names_in(body) >= 2
        {
            each(Piece { first, count: 1, cut: Some(body as u32) });
        }
        chains(grammar, file, at, each);
    }
}

/// Lists and clauses belong to what they stand in.
fn is_whole(grammar: &Grammar, file: &File<'_>, at: usize) -> bool {
    let kind = grammar.kind(file.tree.nodes[at].kind);
    const PARTS: &[&str] = &["arguments", "argument_list", "parameters", "parameter_list", "type"];
    let is_type = kind.ends_with("_type") || kind.ends_with("type_identifier");
    let is_list = kind.ends_with("_list") || kind.ends_with("_clause") || kind.ends_with("_path");
    !(PARTS.contains(&kind) || is_type || is_list || kind.ends_with("scoped_identifier"))
}

fn runs(grammar: &Grammar, file: &File<'_>, at: usize, each: &mut dyn FnMut(Piece)) {
    let inner: Vec<usize> = file.tree.children(at).collect();
    for (number, &first) in inner.iter().enumerate() {
        if !fits_run(grammar, file, first) || file.names_in(first) == 0 {
            continue;
        }
        for count in 2..=LONGEST_RUN {
            let Some(run) = inner.get(number..number + count) else { break };
            let last = run[count - 1];
            if !fits_run(grammar, file, last) {
                break;
            }
            let is_item = |at: usize| grammar.part(file.tree.nodes[at].kind) == Part::Item;
            // Marks before an item belong to its head; items among themselves do not.
            let cut = match is_item(last) {
                true => file.tree.child(grammar, last, "body"),
                false => None,
            };
            let size: u32 = run.iter().map(|at| file.tree.nodes[*at].size).sum();
            let cut_size = cut.map_or(0, |cut| file.tree.nodes[cut].size);
            if file.names_in(last) > 0 && size - cut_size <= LARGEST {
                let cut = cut.map(|cut| cut as u32);
                each(Piece { first: first as u32, count: count as u8, cut });
            }
            if is_item(last) {
                break;
            }
        }
    }
}

fn fits_run(grammar: &Grammar, file: &File<'_>, at: usize) -> bool {
    let node = &file.tree.nodes[at];
    // Separators between statements, as the semicolons of Go, are nodes of their own.
    node.named && !matches!(grammar.part(node.kind), Part::Import | Part::Broken)
}

/// `.b(…).c(…)` whatever it is called on.
fn chains(grammar: &Grammar, file: &File<'_>, at: usize, each: &mut dyn FnMut(Piece)) {
    let mut receiver = at;
    for calls in 1..=LONGEST_CHAIN {
        let Some(inner) = called_on(grammar, &file.tree, receiver) else { return };
        receiver = inner;
        let names = file.names_in(at) - file.names_in(receiver);
        let size = file.tree.nodes[at].size - file.tree.nodes[receiver].size;
        if size > LARGEST {
            return;
        }
        // Without names of its own the receiver is a hole already.
        let is_named = file.names_in(receiver) > 0;
        if is_named && names >= 2 && (calls > 1 || names >= 3) {
            each(Piece { first: at as u32, count: 1, cut: Some(receiver as u32) });
        }
    }
}

/// What a call, or the question mark after it, is made on.
fn called_on(grammar: &Grammar, tree: &Tree<'_>, at: usize) -> Option<usize> {
    match grammar.kind(tree.nodes[at].kind) {
        "try_expression" | "await_expression" | "expression_statement" => {
            let inner = tree.children(at).find(|child| tree.nodes[*child].named)?;
            called_on(grammar, tree, inner)
        }
        "call_expression" | "call" => {
            let function = tree.child(grammar, at, "function")?;
            ["value", "object", "operand"]
                .iter()
                .find_map(|field| tree.child(grammar, function, field))
        }
        "method_invocation" => tree.child(grammar, at, "object"),
        _ => None,
    }
}
