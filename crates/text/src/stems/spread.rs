//! Every chunk of a text spread into the words that rank it, in lower case and not yet stemmed.

use crate::characters::lowered;
use crate::words::{Class, LONGEST, humps, runs, sigilled, visit};

/// Calls `see` for every word of the text in order.
pub(super) fn terms(text: &str, mut see: impl FnMut(&str)) {
    let mut lower = String::new();
    visit(text, |class, chunk| match class {
        Class::Gap => {}
        Class::Spaced if is_plain(chunk) => {
            lower.clear();
            lower.push_str(chunk);
            lower.make_ascii_lowercase();
            see(&lower);
        }
        Class::Spaced => spaced(chunk, &mut see),
        Class::Dense => pairs(chunk, &mut see),
        Class::Symbols => each(chunk, &mut see),
    });
}

/// Most chunks by far: one ASCII word or number without humps.
fn is_plain(chunk: &str) -> bool {
    let bytes = chunk.as_bytes();
    let tail = bytes.get(1..).unwrap_or_default();
    bytes.len() <= LONGEST
        && (bytes.iter().all(u8::is_ascii_digit)
            || bytes.iter().all(u8::is_ascii_uppercase)
            || (bytes.first().is_some_and(u8::is_ascii_alphabetic)
                && tail.iter().all(u8::is_ascii_lowercase)))
}

fn spaced(chunk: &str, see: &mut impl FnMut(&str)) {
    let mut spread = Spread { chunk: lowered(chunk), see };
    let single = runs(chunk).nth(1).is_none();
    if !single && spread.names_a_thing() {
        spread.whole();
    }
    for (start, end) in runs(chunk) {
        spread.run(&chunk[start..end]);
    }
    spread.sigilled(single);
}

struct Spread<'a, F> {
    /// In lower case.
    chunk: String,
    see: &'a mut F,
}

impl<F: FnMut(&str)> Spread<'_, F> {
    /// A path, an address, an identifier: only their joints lie between the words. Whatever else
    /// does (commas, brackets) is punctuation without a space, and nobody asks for that as a whole.
    fn names_a_thing(&self) -> bool {
        let joint =
            |c: char| !c.is_ascii() || c.is_ascii_alphanumeric() || "_-./:@#+~\\".contains(c);
        self.chunk.len() <= LONGEST && self.chunk.chars().all(joint)
    }

    fn whole(&mut self) {
        (self.see)(&self.chunk);
    }

    fn run(&mut self, run: &str) {
        let mut rest = run;
        // Overlong runs are data: cut, as in the other index, rather than dropped.
        while let Some((at, _)) = rest.char_indices().nth(LONGEST) {
            self.word(&rest[..at]);
            rest = &rest[at..];
        }
        self.word(rest);
        if rest.len() == run.len() {
            let pieces = humps(run);
            if pieces.len() > 1 {
                pieces.into_iter().for_each(|piece| self.word(piece));
            }
        }
    }

    fn word(&mut self, word: &str) {
        let lower = lowered(word);
        (self.see)(ordinal(&lower).unwrap_or(&lower));
    }

    fn sigilled(&mut self, single: bool) {
        for term in sigilled(&self.chunk) {
            let is_whole = !single && term.len() == self.chunk.len();
            if term.len() <= LONGEST && !is_whole {
                (self.see)(term);
            }
        }
    }
}

/// The number in `3rd`: dates are asked for in both ways.
fn ordinal(word: &str) -> Option<&str> {
    let digits =
        word.strip_suffix(["st", "nd", "rd", "th"].into_iter().find(|end| word.ends_with(end))?)?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(digits)
}

fn pairs(chunk: &str, see: &mut impl FnMut(&str)) {
    let mut starts = chunk.char_indices().map(|(at, _)| at);
    let (Some(_), Some(_)) = (starts.next(), starts.next()) else {
        return see(chunk);
    };
    let ends = chunk.char_indices().skip(2).map(|(at, _)| at).chain([chunk.len()]);
    for ((start, _), end) in chunk.char_indices().zip(ends) {
        see(&chunk[start..end]);
    }
}

fn each(chunk: &str, see: &mut impl FnMut(&str)) {
    for (at, c) in chunk.char_indices() {
        see(&chunk[at..at + c.len_utf8()]);
    }
}
