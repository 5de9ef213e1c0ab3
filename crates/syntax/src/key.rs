//! The shape of a piece of code as one number: kinds and shared names count, everything else is a
//! hole. The number must not depend on the machine, so the hash is our own (FNV-1a).

use crate::candidates::Piece;
use crate::grammar::{Grammar, Part};
use crate::names::Word;
use crate::tree::Tree;

/// A file ready to be compared.
#[derive(Debug)]
pub(crate) struct File<'s> {
    pub(crate) path: &'s str,
    pub(crate) tree: Tree<'s>,
    pub(crate) words: Vec<Word>,
    /// Names of the shape that enough files use.
    pub(crate) shared: Vec<bool>,
    /// How many of them stand before each node.
    before: Vec<u32>,
}

impl<'s> File<'s> {
    pub(crate) fn new(
        path: &'s str,
        tree: Tree<'s>,
        words: Vec<Word>,
        shared: Vec<bool>,
    ) -> File<'s> {
        let mut before = Vec::with_capacity(shared.len() + 1);
        let mut count = 0;
        before.push(0);
        for is_shared in &shared {
            count += u32::from(*is_shared);
            before.push(count);
        }
        File { path, tree, words, shared, before }
    }

    /// How many shared names stand in a node.
    pub(crate) fn names_in(&self, at: usize) -> u32 {
        self.before[at + self.tree.nodes[at].size as usize] - self.before[at]
    }
}

const HOLE: u64 = 1;
const CLOSE: u64 = 2;

/// The number of this piece; none when part of it could not be read.
pub(crate) fn key(grammar: &Grammar, file: &File<'_>, piece: Piece) -> Option<u64> {
    let mut hash = Fnv::default();
    for at in piece.nodes(&file.tree) {
        feed(grammar, file, at, piece.cut, true, &mut hash)?;
    }
    Some(hash.0)
}

fn feed(
    grammar: &Grammar,
    file: &File<'_>,
    at: usize,
    cut: Option<u32>,
    is_top: bool,
    hash: &mut Fnv,
) -> Option<()> {
    let node = &file.tree.nodes[at];
    let part = grammar.part(node.kind);
    if part == Part::Broken {
        return None;
    }
    if file.shared[at] {
        hash.text(file.tree.text_of(at));
    } else if !node.named {
        hash.text(grammar.kind(node.kind));
    } else if cut == Some(at as u32) {
        hash.number(HOLE);
    } else if file.names_in(at) == 0 && !is_top {
        // What leaves is part of the shape; of the rest only that it is there.
        match part {
            Part::Leaving => hash.text(grammar.kind(node.kind)),
            _ => hash.number(HOLE),
        }
    } else {
        hash.text(grammar.kind(node.kind));
        for child in file.tree.children(at) {
            feed(grammar, file, child, cut, false, hash)?;
        }
        hash.number(CLOSE);
    }
    Some(())
}

#[derive(Debug)]
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Fnv {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }

    fn number(&mut self, number: u64) {
        self.byte(0xff);
        number.to_le_bytes().into_iter().for_each(|byte| self.byte(byte));
    }

    fn text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.byte(byte));
        self.byte(0xfe);
    }
}
