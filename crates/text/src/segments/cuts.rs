//! The places where a text may be cut, one before each word, and how good each of them is.

use unicode_segmentation::UnicodeSegmentation;

use crate::characters::is_dense;
use crate::sentences::sentences;

/// Characters of a run without spaces that count as one word.
pub(super) const LONGEST_WORD: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    Word,
    Line,
    /// Also the end of a line of code.
    Sentence,
    Paragraph,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    /// The byte where the word begins.
    pub(super) at: usize,
    pub(super) strength: Strength,
}

/// A cut before each word, the first included.
pub(super) fn cuts(text: &str) -> Vec<Cut> {
    let mut reader = Reader::default();
    for (at, grapheme) in text.grapheme_indices(true) {
        reader.read(at, grapheme);
    }
    let mut cuts = reader.cuts;
    raise_sentences(text, &mut cuts);
    cuts
}

#[derive(Default)]
struct Reader {
    cuts: Vec<Cut>,
    gap: Gap,
    /// Graphemes of the word so far.
    length: usize,
    in_dense: bool,
    backticks: usize,
    in_fence: bool,
}

/// What lies between the last word and the next.
#[derive(Default)]
struct Gap {
    is_open: bool,
    breaks: usize,
    indent: usize,
    /// The last character before it.
    after: Option<char>,
}

impl Reader {
    fn read(&mut self, at: usize, grapheme: &str) {
        let Some(c) = grapheme.chars().next() else { return };
        if c.is_whitespace() {
            return self.read_space(grapheme);
        }
        let dense = is_dense(c);
        let starts = self.cuts.is_empty() || self.gap.is_open || dense || self.in_dense;
        if starts || self.length == LONGEST_WORD {
            self.cuts.push(Cut { at, strength: self.strength(c) });
            self.length = 0;
            self.backticks = 0;
        }
        self.watch_fence(c);
        self.length += 1;
        self.in_dense = dense;
        self.gap = Gap { after: Some(c), ..Gap::default() };
    }

    fn read_space(&mut self, grapheme: &str) {
        self.gap.is_open = true;
        if grapheme.contains('\n') {
            self.gap.breaks += 1;
            self.gap.indent = 0;
        } else {
            self.gap.indent += 1;
        }
    }

    fn watch_fence(&mut self, c: char) {
        if c != '`' {
            return;
        }
        self.backticks += 1;
        if self.backticks == 3 && self.length == 2 {
            self.in_fence = !self.in_fence;
        }
    }

    fn strength(&self, next: char) -> Strength {
        let ends_code = self.gap.after.is_some_and(|c| ";{},()[]".contains(c));
        match self.gap.breaks {
            0 => Strength::Word,
            1 if next == '#' && !self.in_fence => Strength::Paragraph,
            1 if self.in_fence || ends_code || self.gap.indent > 1 => Strength::Sentence,
            1 => Strength::Line,
            _ => Strength::Paragraph,
        }
    }
}

/// Sentences follow each other with only white space between them.
fn raise_sentences(text: &str, cuts: &mut [Cut]) {
    let mut at = 0;
    let mut cuts = cuts.iter_mut().peekable();
    for sentence in sentences(text) {
        at += text[at..].len() - text[at..].trim_start().len();
        while cuts.next_if(|cut| cut.at < at).is_some() {}
        if let Some(cut) = cuts.next_if(|cut| cut.at == at) {
            cut.strength = cut.strength.max(Strength::Sentence);
        }
        at += sentence.len();
    }
}
