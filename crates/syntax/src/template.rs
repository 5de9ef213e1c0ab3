//! Writes the first piece down with its holes named after what usually fills them.

use crate::candidates::Piece;
use crate::key::File;
use crate::unify::{Fill, Hole};
use std::collections::{BTreeMap, BTreeSet};

/// The code and its placeholders, in the order of appearance.
pub(crate) fn written(file: &File<'_>, piece: Piece, holes: &[Hole]) -> (String, Vec<String>) {
    let (start, end) = piece.span(&file.tree);
    let named = named(holes);
    let mut edits: Vec<(u32, u32, String)> =
        holes.iter().zip(&named).map(|(hole, name)| (hole.start, hole.end, name.clone())).collect();
    let comments = file.tree.comments.iter().filter(|(from, to)| *from >= start && *to <= end);
    edits.extend(comments.map(|(from, to)| (*from, *to, String::new())));
    edits.sort_by_key(|(from, to, _)| (*from, std::cmp::Reverse(*to)));
    let mut code = String::new();
    let mut here = start;
    for (from, to, text) in edits {
        if from < here {
            continue; // a comment inside of a hole
        }
        code.push_str(file.tree.text.get(here as usize..from as usize).unwrap_or_default());
        code.push_str(&text);
        here = to;
    }
    code.push_str(file.tree.text.get(here as usize..end as usize).unwrap_or_default());
    let mut once = BTreeSet::new();
    let names = named.into_iter().filter(|name| name.starts_with('$') && once.insert(name.clone()));
    (tidy(&code, indent_at(file.tree.text, start)), names.collect())
}

/// One name a hole; holes that are always filled alike share theirs.
fn named(holes: &[Hole]) -> Vec<String> {
    let mut taken: BTreeMap<String, Vec<&[String]>> = BTreeMap::new();
    let mut names = Vec::new();
    for hole in holes {
        names.push(name(hole, &mut taken));
    }
    names
}

fn name<'h>(hole: &'h Hole, taken: &mut BTreeMap<String, Vec<&'h [String]>>) -> String {
    let texts = hole.texts.as_slice();
    if hole.fill == Fill::Several {
        let text = texts.first().map(String::as_str).unwrap_or_default();
        return bracketed(text).unwrap_or("…").to_owned();
    }
    let base = base(hole);
    let users = taken.entry(base.clone()).or_default();
    let number = users.iter().position(|user| *user == texts).unwrap_or_else(|| {
        users.push(texts);
        users.len() - 1
    });
    if number == 0 { format!("${base}") } else { format!("${base}{}", number + 1) }
}

/// Brackets stay around what they hold.
fn bracketed(text: &str) -> Option<&'static str> {
    Some(match text.chars().next()? {
        '{' => "{ … }",
        '(' => "(…)",
        '[' => "[…]",
        '<' => "<…>",
        _ => return None,
    })
}

fn base(hole: &Hole) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in &hole.texts {
        *counts.entry(text.as_str()).or_default() += 1;
    }
    let is_word = |text: &str| {
        text.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && text.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    let usual = counts.iter().max_by_key(|(text, count)| (**count, std::cmp::Reverse(**text)));
    if let Some((text, count)) = usual
        && is_word(text)
        && (*count * 2 >= hole.texts.len())
    {
        return (*text).to_owned();
    }
    let all = |fits: fn(&str) -> bool| hole.texts.iter().all(|text| fits(text));
    if all(|text| text.ends_with(['"', '\'', '`'])) {
        return "text".to_owned();
    }
    if all(|text| text.starts_with(|c: char| c.is_ascii_digit())) {
        return "number".to_owned();
    }
    match hole.field.as_str() {
        "type" | "return_type" | "trait" => "Type".to_owned(),
        "name" | "pattern" | "left" => "name".to_owned(),
        "condition" => "condition".to_owned(),
        _ => "value".to_owned(),
    }
}

/// How far the line is set in on which a piece begins.
fn indent_at(text: &str, start: u32) -> usize {
    let before = text.get(..start as usize).unwrap_or_default();
    let line = before.rfind('\n').map_or(0, |at| at + 1);
    let rest = text.get(line..).unwrap_or_default();
    rest.len() - rest.trim_start_matches([' ', '\t']).len()
}

/// Set in no further than its first line was, and without empty lines.
fn tidy(code: &str, indent: usize) -> String {
    let lines = code.lines().map(str::trim_end).filter(|line| !line.trim().is_empty());
    let cut = lines.map(|line| {
        let own = line.len() - line.trim_start_matches([' ', '\t']).len();
        &line[own.min(indent)..]
    });
    cut.collect::<Vec<&str>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_keeps_its_inner_indentation() {
        let text = "def f():\n    if a:\n        b()\n\n    else:\n        c()\n";
        let start = text.find("if").unwrap_or_default();
        assert_eq!(indent_at(text, start as u32), 4);
        assert_eq!(tidy(&text[start..], 4), "if a:\n    b()\nelse:\n    c()");
        assert_eq!(indent_at("x", 0), 0);
    }
}
