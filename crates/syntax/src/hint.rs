//! One line that says what a pattern is: its sort, and the names that it is built around.

use crate::candidates::Piece;
use crate::grammar::{Grammar, Part};
use crate::key::File;
use std::collections::BTreeMap;

/// Names that a hint tells; more of them nobody reads.
const MOST_NAMES: usize = 4;

pub(crate) fn hint(grammar: &Grammar, file: &File<'_>, piece: Piece, names: &[String]) -> String {
    let shown: Vec<String> =
        names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
    let joined = match shown.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => shown.concat(),
    };
    format!("{} {joined}", sort(grammar, file, piece))
}

fn sort(grammar: &Grammar, file: &File<'_>, piece: Piece) -> &'static str {
    let nodes = piece.nodes(&file.tree);
    let last = nodes.last().unwrap_or(piece.first as usize);
    let part = grammar.part(file.tree.nodes[last].kind);
    let kind = grammar.kind(file.tree.nodes[last].kind);
    if part == Part::Item {
        return match kind {
            "impl_item" => "an implementation with",
            _ if kind.contains("function") || kind.contains("method") => "a function with",
            _ => "a type with",
        };
    }
    if piece.count > 1 {
        return "steps with";
    }
    match kind {
        _ if kind.starts_with("let") || kind.contains("assignment") => "a value from",
        "short_var_declaration" | "lexical_declaration" | "variable_declarator" => "a value from",
        _ if kind.starts_with("if_") => "a guard with",
        _ if kind.starts_with("match") || kind.contains("switch") => "a choice with",
        _ if kind.starts_with("for_") || kind.starts_with("while_") => "a loop with",
        _ if kind.contains("closure") || kind.contains("arrow") || kind == "lambda" => {
            "a closure with"
        }
        _ if part == Part::Leaving => "an answer with",
        _ => "a call of",
    }
}

/// A name as it is written where it stands: `Error::new`, `.hint`, `format!`.
pub(crate) fn written(
    grammar: &Grammar,
    file: &File<'_>,
    at: usize,
    parents: &BTreeMap<usize, usize>,
    kept: &[usize],
) -> String {
    let kind = |at: usize| grammar.kind(file.tree.nodes[at].kind);
    let tree = &file.tree;
    // A path with a hole in it is no name.
    let stays = |at: usize| {
        let mut inside = at..at + tree.nodes[at].size as usize;
        inside.all(|at| !tree.is_leaf(at) || !tree.nodes[at].named || kept.contains(&at))
    };
    let mut whole = at;
    while let Some(parent) = parents.get(&whole)
        && matches!(kind(*parent), "scoped_identifier" | "scoped_type_identifier")
        && stays(*parent)
    {
        whole = *parent;
    }
    let text = file.tree.text_of(whole);
    match grammar.field(tree.nodes[whole].field) {
        "field" | "attribute" | "property" => format!(".{text}"),
        "macro" => format!("{text}!"),
        _ => text.to_owned(),
    }
}
