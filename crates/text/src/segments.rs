//! Cutting a long text into overlapping pieces that fit the window of an embedder.

mod cuts;

use std::ops::Range;

use cuts::{Cut, LONGEST_WORD, Strength, cuts};

/// The pieces of a text, in order, each of at most `most_words` words; together they cover all of
/// it, and each begins with about a sentence (at most a fifth) of the one before.
///
/// A word is what stands between spaces, but every 32 characters of an overlong run and every
/// character of a script without spaces count as one, because embedders count them so. Pieces end
/// between paragraphs where they can, then between sentences or lines of code, then between words,
/// and never inside a grapheme. A text that fits, also an empty one, is one piece.
pub fn segments(text: &str, most_words: usize) -> Vec<Range<usize>> {
    let cuts = cuts(text);
    in_words(&cuts, most_words).into_iter().map(|piece| place(text, &cuts, piece)).collect()
}

/// A piece of a text, and the smaller ones that it is made up of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nested {
    pub whole: Range<usize>,
    pub parts: Vec<Range<usize>>,
}

/// The [`segments`] of at most `few_words`, taken together to pieces of at most `most_words`.
pub fn nested_segments(text: &str, most_words: usize, few_words: usize) -> Vec<Nested> {
    let cuts = cuts(text);
    let mut wholes: Vec<Vec<Range<usize>>> = Vec::new();
    for part in in_words(&cuts, few_words) {
        match wholes.last_mut() {
            Some(whole) if part.end - whole[0].start <= most_words => whole.push(part),
            _ => wholes.push(vec![part]),
        }
    }
    let nested = |parts: Vec<Range<usize>>| {
        let parts: Vec<_> = parts.into_iter().map(|part| place(text, &cuts, part)).collect();
        Nested { whole: parts[0].start..parts[parts.len() - 1].end, parts }
    };
    wholes.into_iter().map(nested).collect()
}

/// The pieces of a text, from word to word.
fn in_words(cuts: &[Cut], most_words: usize) -> Vec<Range<usize>> {
    let most = most_words.max(1);
    let mut found = Vec::new();
    let mut first = 0;
    while cuts.len() - first > most {
        let end = best_end(cuts, first, most);
        found.push(first..end);
        first = next_first(cuts, end, most);
    }
    found.push(first..cuts.len());
    found
}

/// Where words lie in the text. White space before the first word belongs to it.
fn place(text: &str, cuts: &[Cut], words: Range<usize>) -> Range<usize> {
    let start = if words.start == 0 { 0 } else { cuts[words.start].at };
    start..cuts.get(words.end).map_or(text.len(), |cut| cut.at)
}

/// The end of a text: its last `most_words` words, or up to a quarter fewer so that it begins where a
/// paragraph, a sentence or a line does. A text that fits is its own end.
pub fn ending(text: &str, most_words: usize) -> &str {
    let most = most_words.max(1);
    // No word is longer, so that of a very long text only its end is looked at.
    let mut near = text.len().saturating_sub(most * (LONGEST_WORD + 1) * 4);
    while !text.is_char_boundary(near) {
        near += 1;
    }
    let cuts = cuts(&text[near..]);
    let Some(first) = cuts.len().checked_sub(most).filter(|first| *first > 0 || near > 0) else {
        return &text[near..];
    };
    let starts = (first..=first + most / 4).rev().filter(|start| *start < cuts.len());
    let start = starts.max_by_key(|start| cuts[*start].strength).unwrap_or(first);
    &text[near + cuts[start].at..]
}

/// The word before which the piece that begins with word `first` ends: the latest of the strongest
/// cuts in its second half.
fn best_end(cuts: &[Cut], first: usize, most: usize) -> usize {
    let reach = first + most;
    let half = first + most.div_ceil(2);
    (half.max(first + 1)..=reach).max_by_key(|end| (cuts[*end].strength, *end)).unwrap_or(reach)
}

/// Where the next piece begins so that it repeats the last sentence, or a tenth if that is too long.
fn next_first(cuts: &[Cut], end: usize, most: usize) -> usize {
    let furthest = end - most / 5;
    let mut starts = (furthest..end).rev();
    let sentence = starts.find(|start| cuts[*start].strength >= Strength::Sentence);
    sentence.unwrap_or(end - most / 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &str, most: usize) -> Vec<&str> {
        segments(text, most).into_iter().map(|range| &text[range]).collect()
    }

    #[test]
    fn the_end_of_a_text_begins_with_a_sentence_where_it_can() {
        assert_eq!(ending("one two three", 3), "one two three");
        assert_eq!(ending("one two three four", 2), "three four");
        let text = "It fails. See the log below. The port is taken. Move it please";
        assert_eq!(ending(text, 8), "The port is taken. Move it please");
        assert_eq!(ending("", 4), "");
        assert_eq!(ending(&"x ".repeat(100_000), 3), "x x x ");
        assert_eq!(ending(&"字".repeat(9_000), 3), "字字字");
    }

    #[test]
    fn a_text_that_fits_is_one_piece() {
        for text in ["", "  ", "one two three", "\n one\n\ntwo three \n"] {
            assert_eq!(pieces(text, 3), [text]);
        }
    }

    #[test]
    fn pieces_end_with_sentences_and_overlap_by_one() {
        let text = "One two three four. Five six. Seven eight nine ten. Eleven twelve.";
        assert_eq!(
            pieces(text, 10),
            ["One two three four. Five six. Seven eight nine ten. ", "ten. Eleven twelve."]
        );
        let text = "One two three four five six. Seven eight. Nine ten eleven twelve.";
        assert_eq!(
            pieces(text, 10),
            ["One two three four five six. Seven eight. ", "Seven eight. Nine ten eleven twelve.",]
        );
    }

    #[test]
    fn pieces_are_made_up_of_smaller_ones() {
        let text = "One two three. Four five. Six seven eight. Nine ten. Eleven twelve.";
        let found: Vec<(&str, Vec<&str>)> = nested_segments(text, 10, 5)
            .into_iter()
            .map(|nested| {
                let parts = nested.parts.into_iter().map(|part| &text[part]).collect();
                (&text[nested.whole], parts)
            })
            .collect();
        let [first, second, third] =
            ["One two three. Four five. ", "Six seven eight. Nine ten. ", "Eleven twelve."];
        let together = format!("{first}{second}");
        assert_eq!(found, [(&*together, vec![first, second]), (third, vec![third])]);
        let whole = Nested { whole: 0..5, parts: std::iter::once(0..5).collect() };
        assert_eq!(nested_segments(" one ", 9, 5), [whole]);
        let empty = Nested { whole: 0..0, parts: std::iter::once(0..0).collect() };
        assert_eq!(nested_segments("", 9, 5), [empty]);
    }

    #[test]
    fn paragraphs_are_kept_whole_where_they_can() {
        let text = "One two three. Four.\n\nFive six. Seven eight.";
        assert_eq!(
            pieces(text, 7),
            ["One two three. Four.\n\n", "Four.\n\nFive six. Seven eight."]
        );
    }

    #[test]
    fn code_is_cut_between_lines() {
        let text = "```\nlet a = 1\nlet b = 2\nlet c = 3\n```";
        assert_eq!(pieces(text, 9), ["```\nlet a = 1\nlet b = 2\n", "let c = 3\n```"]);
        let text = "if x:\n    do it. Now\n    and that\ndone";
        assert_eq!(pieces(text, 5), ["if x:\n    do it. Now\n    ", "Now\n    and that\ndone"]);
    }

    #[test]
    fn long_runs_and_dense_scripts_are_cut_too() {
        let run = "x".repeat(100);
        assert_eq!(segments(&run, 2), [0..64, 64..100]);
        assert_eq!(pieces("日本語日本語", 4), ["日本語日", "本語"]);
        assert_eq!(pieces("a b c", 0), ["a ", "b ", "c"]);
    }
}
