//! What pieces of one shape have in common: where all say the same it stays, elsewhere is a hole.

use crate::candidates::Piece;
use crate::grammar::{Grammar, Part};
use crate::key::File;

/// A stretch of the first piece that the others fill differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hole {
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// The grammar's name for what stands here.
    pub(crate) field: String,
    pub(crate) fill: Fill,
    /// What each piece has here.
    pub(crate) texts: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fill {
    One,
    /// Any number of things, or a whole body.
    Several,
}

/// The first piece with its holes.
#[derive(Debug, Default)]
pub(crate) struct Common {
    pub(crate) holes: Vec<Hole>,
    /// Words of the first piece that all have, as node numbers.
    pub(crate) kept: Vec<usize>,
}

/// Longer texts are not compared to the end.
const LONGEST_TEXT: usize = 80;

pub(crate) struct Unifier<'g, 'f, 's> {
    grammar: &'g Grammar,
    pieces: Vec<(&'f File<'s>, Piece)>,
    common: Common,
}

impl<'g, 'f, 's> Unifier<'g, 'f, 's> {
    pub(crate) fn unify(grammar: &'g Grammar, pieces: Vec<(&'f File<'s>, Piece)>) -> Common {
        let runs: Vec<Vec<usize>> =
            pieces.iter().map(|(file, piece)| piece.nodes(&file.tree).collect()).collect();
        let count = runs.iter().map(Vec::len).min().unwrap_or_default();
        let mut unifier = Unifier { grammar, pieces, common: Common::default() };
        for number in 0..count {
            let ats: Vec<usize> = runs.iter().map(|run| run[number]).collect();
            unifier.meet(&ats);
        }
        unifier.common
    }

    fn meet(&mut self, ats: &[usize]) {
        let is_cut = self.pieces.iter().zip(ats).any(|((_, p), at)| p.cut == Some(*at as u32));
        if is_cut {
            return self.hole(ats, Fill::Several);
        }
        let kind = self.kind(0, ats[0]);
        if ats.iter().enumerate().any(|(number, at)| self.kind(number, *at) != kind) {
            return self.hole(ats, Fill::One);
        }
        let trees = self.pieces.iter().map(|(file, _)| &file.tree);
        if trees.clone().zip(ats).any(|(tree, at)| tree.is_leaf(*at)) {
            let texts: Vec<&str> = trees.zip(ats).map(|(tree, at)| tree.text_of(*at)).collect();
            match texts.iter().all(|text| *text == texts[0]) {
                true => self.keep(ats[0]),
                false => self.hole(ats, Fill::One),
            }
            return;
        }
        self.meet_inside(ats);
    }

    fn meet_inside(&mut self, ats: &[usize]) {
        let rows: Vec<Vec<usize>> = self
            .pieces
            .iter()
            .zip(ats)
            .map(|((file, _), at)| file.tree.children(*at).collect())
            .collect();
        let (holes, kept) = (self.common.holes.len(), self.common.kept.len());
        let shortest = rows.iter().map(Vec::len).min().unwrap_or_default();
        if rows.iter().all(|row| row.len() == shortest) {
            for number in 0..shortest {
                let ats: Vec<usize> = rows.iter().map(|row| row[number]).collect();
                self.meet(&ats);
            }
        } else {
            self.meet_ends(&rows, shortest);
        }
        // What has holes alone is one hole, unless its brackets tell something.
        let is_empty = self.common.kept.len() == kept && self.common.holes.len() > holes;
        if is_empty && !self.is_bracketed(rows[0].first().copied()) {
            self.common.holes.truncate(holes);
            self.hole(ats, Fill::One);
        }
    }

    /// Rows of different lengths agree at their beginnings and ends; between is a gap.
    fn meet_ends(&mut self, rows: &[Vec<usize>], shortest: usize) {
        let alike = |pick: &dyn Fn(&Vec<usize>) -> usize| {
            let kind = self.kind(0, pick(&rows[0]));
            rows.iter().enumerate().all(|(number, row)| self.kind(number, pick(row)) == kind)
        };
        let head = (0..shortest).take_while(|n| alike(&|row| row[*n])).count();
        let tail =
            (0..shortest - head).take_while(|n| alike(&|row| row[row.len() - 1 - n])).count();
        for number in 0..head {
            let ats: Vec<usize> = rows.iter().map(|row| row[number]).collect();
            self.meet(&ats);
        }
        self.gap(rows, head, tail);
        for number in (0..tail).rev() {
            let ats: Vec<usize> = rows.iter().map(|row| row[row.len() - 1 - number]).collect();
            self.meet(&ats);
        }
    }

    fn gap(&mut self, rows: &[Vec<usize>], head: usize, tail: usize) {
        let tree = &self.pieces[0].0.tree;
        let between = &rows[0][head..rows[0].len() - tail];
        let (start, end) = match (between.first(), between.last()) {
            (Some(first), Some(last)) => (tree.nodes[*first].start, tree.nodes[*last].end),
            // Nothing in this one; a mark stands where the others have something.
            _ => {
                let at = match rows[0].get(head) {
                    Some(next) => tree.nodes[*next].start,
                    None => rows[0].last().map_or(0, |last| tree.nodes[*last].end),
                };
                (at, at)
            }
        };
        let hole =
            Hole { start, end, field: String::new(), fill: Fill::Several, texts: Vec::new() };
        self.common.holes.push(hole);
    }

    fn kind(&self, number: usize, at: usize) -> u16 {
        self.pieces[number].0.tree.nodes[at].kind
    }

    fn is_bracketed(&self, first: Option<usize>) -> bool {
        let text = first.map(|at| self.pieces[0].0.tree.text_of(at)).unwrap_or_default();
        matches!(text, "(" | "[" | "{" | "|")
    }

    fn keep(&mut self, at: usize) {
        let node = &self.pieces[0].0.tree.nodes[at];
        let is_word = node.named && self.grammar.part(node.kind) != Part::Other;
        if is_word {
            self.common.kept.push(at);
        }
    }

    fn hole(&mut self, ats: &[usize], fill: Fill) {
        let tree = &self.pieces[0].0.tree;
        let node = &tree.nodes[ats[0]];
        // The arguments of a macro or of a type are one node, brackets and all.
        let kind = self.grammar.kind(node.kind);
        let is_tokens = kind == "token_tree" || kind == "type_arguments";
        let fill = if is_tokens { Fill::Several } else { fill };
        let text = |((file, _), at): (&(&File<'_>, Piece), &usize)| {
            file.tree.text_of(*at).chars().take(LONGEST_TEXT).collect()
        };
        let field = self.grammar.field(node.field).to_owned();
        let texts = self.pieces.iter().zip(ats).map(text).collect();
        self.common.holes.push(Hole { start: node.start, end: node.end, field, fill, texts });
    }
}
