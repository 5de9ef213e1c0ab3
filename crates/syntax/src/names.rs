//! Which words of a program name something shared: what is called, annotated or typed. All other
//! words are somebody's own choice and become holes.

use crate::foreign::foreign;
use crate::grammar::{Grammar, Part};
use crate::tree::Tree;
use std::collections::{BTreeMap, BTreeSet};

/// What a word is to a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Word {
    /// It is part of the shape, if enough files use it.
    pub(crate) is_shape: bool,
    /// It says something about this project rather than about the language.
    pub(crate) is_own: bool,
    pub(crate) is_called: bool,
}

/// For each node what it is as a word.
pub(crate) fn words(grammar: &Grammar, tree: &Tree<'_>) -> Vec<Word> {
    let foreign = foreign(grammar, tree);
    let mut words = vec![Word::default(); tree.nodes.len()];
    let mut waiting = vec![Visit { at: 0, called: false, marked: false, abroad: false }];
    while let Some(visit) = waiting.pop() {
        let kind = tree.nodes[visit.at].kind;
        let part = grammar.part(kind);
        if part == Part::Identifier {
            let text = tree.text_of(visit.at);
            let typed = grammar.kind(kind) == "type_identifier";
            let common = grammar.is_common(text) || foreign.contains(text);
            words[visit.at] = Word {
                is_shape: visit.called || visit.marked || typed,
                is_own: !common && !visit.abroad,
                is_called: visit.called,
            };
        }
        let abroad = visit.abroad || begins_abroad(grammar, tree, visit.at, &foreign);
        for child in tree.children(visit.at) {
            let field = grammar.field(tree.nodes[child].field);
            let called = is_called(grammar.kind(kind), field, visit.called);
            let marked = visit.marked || part == Part::Mark;
            // What is passed to a foreign thing may well be our own.
            let abroad = abroad && is_path(grammar.kind(kind));
            waiting.push(Visit { at: child, called, marked, abroad });
        }
    }
    words
}

struct Visit {
    at: usize,
    called: bool,
    marked: bool,
    /// Part of a path that begins in somebody else's library.
    abroad: bool,
}

fn is_path(kind: &str) -> bool {
    matches!(
        kind,
        "scoped_identifier"
            | "scoped_type_identifier"
            | "generic_function"
            | "generic_type"
            | "attribute"
            | "member_expression"
            | "selector_expression"
            | "qualified_type"
    )
}

fn begins_abroad(grammar: &Grammar, tree: &Tree<'_>, at: usize, foreign: &BTreeSet<&str>) -> bool {
    let mut first = at;
    while is_path(grammar.kind(tree.nodes[first].kind)) {
        let Some(child) = tree.children(first).next() else { return false };
        first = child;
    }
    let is_word = grammar.part(tree.nodes[first].kind) == Part::Identifier;
    first != at && is_word && foreign.contains(tree.text_of(first))
}

/// Whether a child says what is called, given what it stands in.
fn is_called(kind: &str, field: &str, called: bool) -> bool {
    match (kind, field) {
        (_, "function" | "macro" | "constructor") => true,
        ("method_invocation", "name") => true,
        ("tuple_struct_pattern" | "struct_pattern", "type") => true,
        ("scoped_identifier" | "generic_function" | "scoped_type_identifier", "name" | "path") => {
            called
        }
        ("field_expression", "field")
        | ("attribute", "attribute")
        | ("member_expression", "property")
        | ("selector_expression", "field") => called,
        _ => false,
    }
}

fn is_definition(kind: &str) -> bool {
    ["_item", "_declaration", "_definition", "_spec", "_declarator", "enum_variant"]
        .iter()
        .any(|ending| kind.ends_with(ending))
}

/// In how many files each word occurs, and which ones these files define.
#[derive(Debug, Default)]
pub(crate) struct Counts<'s> {
    files: BTreeMap<&'s str, usize>,
    defined: BTreeSet<&'s str>,
}

impl<'s> Counts<'s> {
    pub(crate) fn see(&mut self, grammar: &Grammar, tree: &Tree<'s>) {
        let is_word = |at: &usize| grammar.part(tree.nodes[*at].kind) == Part::Identifier;
        let numbers = (0..tree.nodes.len()).filter(is_word);
        let once: BTreeSet<&'s str> = numbers.map(|at| tree.text_of(at)).collect();
        for name in once {
            *self.files.entry(name).or_default() += 1;
        }
        for at in 0..tree.nodes.len() {
            if is_definition(grammar.kind(tree.nodes[at].kind)) {
                let name = tree.child(grammar, at, "name");
                self.defined.extend(name.map(|name| tree.text_of(name)));
            }
        }
    }

    /// Whether this name, or the last part of this path, is defined in these files.
    pub(crate) fn is_defined(&self, name: &str) -> bool {
        let last = name.rsplit([':', '.']).next().unwrap_or(name);
        self.defined.contains(last.trim_end_matches('!'))
    }

    pub(crate) fn of(&self, name: &str) -> usize {
        self.files.get(name).copied().unwrap_or_default()
    }
}
