//! From pieces of one shape to a pattern, if it tells enough.

use crate::candidates::Piece;
use crate::grammar::Grammar;
use crate::key::File;
use crate::mine::{Limits, Shape, distinct};
use crate::names::Counts;
use crate::tree::Tree;
use crate::unify::Unifier;
use crate::{CodePattern, Place, hint, quality, template};
use std::collections::BTreeMap;

/// Occurrences that a template is made from, and places that are named.
const MOST_UNIFIED: usize = 40;
const MOST_PLACES: usize = 12;

/// What these pieces have in common; none where that says too little.
pub(crate) fn pattern(
    grammar: &Grammar,
    files: &[File<'_>],
    counts: &Counts<'_>,
    shape: &Shape,
    free: &[(usize, Piece)],
    limits: &Limits,
) -> Option<CodePattern> {
    let in_files = distinct(free);
    if in_files < limits.files {
        return None;
    }
    let chosen = chosen(files, free);
    let (number, piece) = *chosen.first()?;
    let file = &files[number];
    let unified = chosen.iter().take(MOST_UNIFIED);
    let unified = unified.map(|(number, piece)| (&files[*number], *piece)).collect();
    let common = Unifier::unify(grammar, unified);
    let (code, placeholders) = template::written(file, piece, &common.holes);
    let names = told_names(grammar, file, piece, counts, limits, &common.kept);
    if !quality::is_telling(grammar, file, piece, &common, counts, &names, &code) {
        return None;
    }
    let own = common.kept.iter().filter(|at| file.words[**at].is_own);
    let worth = quality::worth(counts, files.len(), own.map(|at| file.tree.text_of(*at)));
    Some(CodePattern {
        language: grammar.language,
        hint: hint::hint(grammar, file, piece, &names),
        code,
        placeholders,
        names,
        directory: directory(free.iter().map(|(number, _)| files[*number].path)),
        key: shape.key,
        files: in_files,
        places: chosen.iter().take(MOST_PLACES).map(|one| place(files, *one)).collect(),
        score: worth * (in_files as f64).sqrt(),
    })
}

/// The shortest first, one of each file before the second of any.
fn chosen(files: &[File<'_>], free: &[(usize, Piece)]) -> Vec<(usize, Piece)> {
    let mut chosen = free.to_vec();
    let length = |(number, piece): &(usize, Piece)| {
        let (start, end) = piece.span(&files[*number].tree);
        end - start
    };
    chosen.sort_by_key(|one| (length(one), files[one.0].path, one.1.first));
    spread(chosen)
}

/// One of each file before the second of any.
fn spread(pieces: Vec<(usize, Piece)>) -> Vec<(usize, Piece)> {
    let mut seen: BTreeMap<usize, usize> = BTreeMap::new();
    let mut rounds: Vec<(usize, (usize, Piece))> = Vec::new();
    for piece in pieces {
        let round = seen.entry(piece.0).or_default();
        rounds.push((*round, piece));
        *round += 1;
    }
    rounds.sort_by_key(|(round, _)| *round);
    rounds.into_iter().map(|(_, piece)| piece).collect()
}

/// The project's own names that stayed, as they are written, each once.
fn told_names(
    grammar: &Grammar,
    file: &File<'_>,
    piece: Piece,
    counts: &Counts<'_>,
    limits: &Limits,
    kept: &[usize],
) -> Vec<String> {
    let parents = parents(&file.tree, piece);
    let is_told = |at: &&usize| {
        let text = file.tree.text_of(**at);
        let stands_out = file.words[**at].is_shape || text.starts_with(char::is_uppercase);
        stands_out && file.words[**at].is_own && counts.of(text) >= limits.files
    };
    let mut told: Vec<String> = Vec::new();
    for at in kept.iter().filter(is_told) {
        let name = hint::written(grammar, file, *at, &parents, kept);
        if !told.contains(&name) {
            told.push(name);
        }
    }
    told
}

fn parents(tree: &Tree<'_>, piece: Piece) -> BTreeMap<usize, usize> {
    let mut parents = BTreeMap::new();
    for top in piece.nodes(tree) {
        for at in top..top + tree.nodes[top].size as usize {
            parents.extend(tree.children(at).map(|child| (child, at)));
        }
    }
    parents
}

fn place(files: &[File<'_>], (number, piece): (usize, Piece)) -> Place {
    let tree = &files[number].tree;
    let last = piece.nodes(tree).last().unwrap_or(piece.first as usize);
    Place {
        path: files[number].path.to_owned(),
        first: tree.nodes[piece.first as usize].first_line,
        last: tree.nodes[last].last_line,
    }
}

/// The deepest directory that all paths share.
fn directory<'p>(mut paths: impl Iterator<Item = &'p str>) -> String {
    let parts = |path: &'p str| -> Vec<&'p str> {
        let mut parts: Vec<&str> = path.split('/').collect();
        parts.pop();
        parts
    };
    let mut shared = paths.next().map(parts).unwrap_or_default();
    for path in paths {
        let other = parts(path);
        let same = shared.iter().zip(&other).take_while(|(one, other)| one == other).count();
        shared.truncate(same);
    }
    shared.join("/")
}
