//! The longest beginning of a text that fits, cut where a reader would cut it.

use unicode_segmentation::UnicodeSegmentation;

use super::Encoding;
use super::merge::Merger;
use super::pieces::pieces;

/// At most `room` tokens of `text`: up to a sentence's end if that keeps three quarters of what
/// fits, else up to a word's if that keeps half, else between two graphemes.
pub(super) fn truncate(encoding: Encoding, text: &str, room: usize) -> &str {
    let Some(most) = bytes_within(encoding, text, room) else {
        return text;
    };
    let mut ends = vec![0];
    let graphemes = text.grapheme_indices(true).map(|(at, grapheme)| at + grapheme.len());
    ends.extend(graphemes.take_while(|end| *end <= most));
    let mut at = best(text, &ends);
    // A cut inside a token can cost more tokens than the whole. Each step back is twice as far, so
    // the text is counted a few times and not once for each grapheme.
    let mut step = 1;
    while at > 0 && encoding.count(&text[..ends[at]]) > room {
        at = at.saturating_sub(step);
        step *= 2;
    }
    &text[..ends[at]]
}

/// How many bytes the first `room` tokens have; nothing if the text has no more than that.
fn bytes_within(encoding: Encoding, text: &str, room: usize) -> Option<usize> {
    let mut merger = Merger::default();
    let (mut spent, mut at) = (0, 0);
    for piece in pieces(encoding, text) {
        let tokens = merger.count(encoding.table(), piece.as_bytes());
        if spent + tokens > room {
            return Some(at + merger.end_of(encoding.table(), piece.as_bytes(), room - spent));
        }
        spent += tokens;
        at += piece.len();
    }
    None
}

/// Which of the ends to cut at.
fn best(text: &str, ends: &[usize]) -> usize {
    let last = ends.len() - 1;
    let keeps = |part: usize, of: usize| {
        let least = ends[last] / of * part;
        move |at: &usize| ends[*at] >= least
    };
    let mut backwards = (1..=last).rev().take_while(keeps(3, 4));
    let sentence = backwards.find(|at| ends_sentence(text, ends[*at]));
    let mut backwards = (1..=last).rev().take_while(keeps(1, 2));
    sentence.or_else(|| backwards.find(|at| ends_word(text, ends[*at]))).unwrap_or(last)
}

fn ends_sentence(text: &str, end: usize) -> bool {
    let (before, after) = text.split_at(end);
    before.ends_with(['。', '！', '？'])
        || (before.ends_with(['.', '!', '?']) && after.starts_with(char::is_whitespace))
}

fn ends_word(text: &str, end: usize) -> bool {
    let (before, after) = text.split_at(end);
    !before.ends_with(char::is_whitespace) && after.starts_with(char::is_whitespace)
}
