//! Whether a pattern tells a reader something, and how much.

use crate::candidates::Piece;
use crate::grammar::{Grammar, Part};
use crate::key::File;
use crate::names::Counts;
use crate::unify::{Common, Fill};
use std::collections::BTreeSet;

/// Longer is no template but a file.
const MOST_LINES: usize = 14;
const MOST_BYTES: usize = 1_000;

/// Names of the project that must be left when all holes are made.
const FEWEST_NAMES: usize = 2;

/// The same, where none of them is defined here.
const FEWEST_FOREIGN: usize = 3;

/// What names tell: rare ones more than those that stand everywhere.
pub(crate) fn worth<'n>(
    counts: &Counts<'_>,
    files: usize,
    names: impl Iterator<Item = &'n str>,
) -> f64 {
    let once: BTreeSet<&str> = names.collect();
    let weight = |name: &&str| (1.0 + files as f64 / counts.of(name).max(1) as f64).ln();
    once.iter().map(weight).sum()
}

/// Whether the common part is worth reading: several things come together in it, and more is said
/// than left open.
pub(crate) fn is_telling(
    grammar: &Grammar,
    file: &File<'_>,
    piece: Piece,
    common: &Common,
    counts: &Counts<'_>,
    names: &[String],
    code: &str,
) -> bool {
    let open = common.holes.iter().filter(|hole| hole.fill == Fill::One).count();
    let last = piece.nodes(&file.tree).last().unwrap_or(piece.first as usize);
    let is_item = grammar.part(file.tree.nodes[last].kind) == Part::Item;
    // A single call tells what its documentation says better.
    let comes_together = is_item || calls(file, common) >= 2;
    // How a library is used tells something when several of its parts come together.
    let is_ours = names.iter().any(|name| counts.is_defined(name));
    let fewest = if is_ours { FEWEST_NAMES } else { FEWEST_FOREIGN };
    names.len() >= fewest
        && comes_together
        && common.kept.len() >= open
        && code.lines().count() <= MOST_LINES
        && code.len() <= MOST_BYTES
}

fn calls(file: &File<'_>, common: &Common) -> usize {
    let called = common.kept.iter().filter(|at| file.shared[**at] && file.words[**at].is_called);
    let names: BTreeSet<&str> =
        called.filter(|at| file.words[**at].is_own).map(|at| file.tree.text_of(*at)).collect();
    names.len()
}
