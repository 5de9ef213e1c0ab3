//! Finds what recurs: pieces of one shape in enough files, the most telling first, each place once.

use crate::candidates::{Piece, pieces};
use crate::grammar::Grammar;
use crate::key::{File, key};
use crate::names::{Counts, Word, words};
use crate::tree::Tree;
use crate::{CodePattern, Language, Source, found, quality};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// How much is looked at and how much comes out.
#[derive(Debug, Clone)]
pub struct Limits {
    /// A pattern stands in at least so many files.
    pub files: usize,
    pub patterns: usize,
    /// Larger files are data or were written by a program.
    pub file_bytes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { files: 3, patterns: 40, file_bytes: 256 * 1024 }
    }
}

/// Patterns are chosen from so many times more: how much one tells is known when it is made.
const SPARE: usize = 3;

/// Shapes that are looked at more closely than by their number.
const MOST_SHAPES: usize = 4_000;

/// The patterns of these files, the most telling first. `goes_on` is asked now and then; when it
/// says no, what was read until then must do.
pub fn recurring(
    sources: &[Source],
    limits: &Limits,
    goes_on: &mut dyn FnMut() -> bool,
) -> Vec<CodePattern> {
    let mut by_language: BTreeMap<Language, Vec<&Source>> = BTreeMap::new();
    for source in sources.iter().filter(|source| is_written_by_hand(source, limits)) {
        if let Some(language) = Language::of(&source.path) {
            by_language.entry(language).or_default().push(source);
        }
    }
    let mut found = Vec::new();
    for (language, sources) in by_language {
        if sources.len() >= limits.files {
            found.extend(of_language(language, &sources, limits, goes_on));
        }
    }
    found.sort_by(|one, other| {
        other.score.total_cmp(&one.score).then_with(|| one.places.cmp(&other.places))
    });
    found.truncate(limits.patterns);
    found
}

fn is_written_by_hand(source: &Source, limits: &Limits) -> bool {
    let head: String = source.text.chars().take(1_000).collect();
    let says_so = head.contains("@generated") || head.contains("DO NOT EDIT");
    let lines = source.text.lines().count().max(1);
    // Code squeezed for transport has few and endless lines.
    !says_so && source.text.len() <= limits.file_bytes && source.text.len() / lines < 300
}

fn of_language(
    language: Language,
    sources: &[&Source],
    limits: &Limits,
    goes_on: &mut dyn FnMut() -> bool,
) -> Vec<CodePattern> {
    let grammar = Grammar::of(language);
    let mut counts = Counts::default();
    let files = read(&grammar, sources, limits, &mut counts, goes_on);
    let shapes = shapes(&grammar, &files, &counts, limits, goes_on);
    let mut covered: Vec<Vec<(u32, u32)>> = vec![Vec::new(); files.len()];
    let mut found = Vec::new();
    for shape in shapes {
        if found.len() >= limits.patterns.saturating_mul(SPARE) || !goes_on() {
            break;
        }
        let free = free(&files, &shape, &covered);
        let pattern = found::pattern(&grammar, &files, &counts, &shape, &free, limits);
        if let Some(pattern) = pattern {
            for (number, piece) in free {
                covered[number].push(piece.span(&files[number].tree));
            }
            found.push(pattern);
        }
    }
    found
}

fn read<'s>(
    grammar: &Grammar,
    sources: &[&'s Source],
    limits: &Limits,
    counts: &mut Counts<'s>,
    goes_on: &mut dyn FnMut() -> bool,
) -> Vec<File<'s>> {
    let mut parser = tree_sitter::Parser::new();
    if parser.set_language(&grammar.parser).is_err() {
        return Vec::new();
    }
    let mut trees = Vec::new();
    for source in sources {
        if !goes_on() {
            break;
        }
        let Some(tree) = Tree::read(&mut parser, grammar, &source.text) else { continue };
        counts.see(grammar, &tree);
        let words = words(grammar, &tree);
        trees.push((source.path.as_str(), tree, words));
    }
    let share = |(path, tree, words): (&'s str, Tree<'s>, Vec<Word>)| {
        let is_shared = |(at, word): (usize, &Word)| {
            word.is_shape && counts.of(tree.text_of(at)) >= limits.files
        };
        let shared = words.iter().enumerate().map(is_shared).collect();
        File::new(path, tree, words, shared)
    };
    trees.into_iter().map(share).collect()
}

/// Pieces of one shape, by the numbers of their files.
pub(crate) struct Shape {
    pub(crate) key: u64,
    score: f64,
    pieces: Vec<(usize, Piece)>,
}

/// The shapes that stand in enough files, those that promise most first.
fn shapes(
    grammar: &Grammar,
    files: &[File<'_>],
    counts: &Counts<'_>,
    limits: &Limits,
    goes_on: &mut dyn FnMut() -> bool,
) -> Vec<Shape> {
    let mut by_key: HashMap<u64, Vec<(usize, Piece)>> = HashMap::new();
    for (number, file) in files.iter().enumerate() {
        if !goes_on() {
            break;
        }
        pieces(grammar, file, &mut |piece| {
            if let Some(key) = key(grammar, file, piece) {
                by_key.entry(key).or_default().push((number, piece));
            }
        });
    }
    let promise = |(key, pieces): (u64, Vec<(usize, Piece)>)| {
        let in_files = distinct(&pieces);
        if in_files < limits.files {
            return None;
        }
        let (number, piece) = pieces[0];
        let names = names_of(&files[number], piece);
        let own = names.into_iter().filter(|at| files[number].words[*at].is_own);
        let names = own.map(|at| files[number].tree.text_of(at));
        let worth = quality::worth(counts, files.len(), names);
        let score = worth * (in_files as f64).sqrt();
        (score > 0.0).then_some(Shape { key, score, pieces })
    };
    let mut shapes: Vec<Shape> = by_key.into_iter().filter_map(promise).collect();
    shapes.sort_by(|one, other| {
        other.score.total_cmp(&one.score).then_with(|| one.key.cmp(&other.key))
    });
    shapes.truncate(MOST_SHAPES);
    shapes
}

pub(crate) fn distinct(pieces: &[(usize, Piece)]) -> usize {
    pieces.iter().map(|(number, _)| number).collect::<BTreeSet<_>>().len()
}

/// The shared names of a piece, without those in its cut.
fn names_of(file: &File<'_>, piece: Piece) -> Vec<usize> {
    let mut names = Vec::new();
    for top in piece.nodes(&file.tree) {
        let mut at = top;
        while at < top + file.tree.nodes[top].size as usize {
            if piece.cut == Some(at as u32) {
                at += file.tree.nodes[at].size as usize;
                continue;
            }
            if file.shared[at] {
                names.push(at);
            }
            at += 1;
        }
    }
    names
}

/// The pieces that no better pattern covers, each place once.
fn free(files: &[File<'_>], shape: &Shape, covered: &[Vec<(u32, u32)>]) -> Vec<(usize, Piece)> {
    let mut free: Vec<(usize, Piece)> = Vec::new();
    let mut last: Option<(usize, u32)> = None;
    for (number, piece) in &shape.pieces {
        let (start, end) = piece.span(&files[*number].tree);
        let meets = |(from, to): &(u32, u32)| *from < end && start < *to;
        let overlaps = last.is_some_and(|(file, to)| file == *number && start < to);
        if !overlaps && !covered[*number].iter().any(meets) {
            free.push((*number, *piece));
            last = Some((*number, end));
        }
    }
    free
}
