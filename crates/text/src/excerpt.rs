//! The part of a text that a question is about: what is shown of a long memory.

use crate::sentences::sentences;
use crate::stems::recall_terms;
use std::collections::HashSet;

/// Longer texts are looked at as far as this.
const MOST: usize = 64 * 1024;

/// The first sentence of a text that says most of what was asked, where it says more of that than
/// what would be shown without it.
pub fn excerpt<'t>(text: &'t str, shown: &str, question: &str) -> Option<&'t str> {
    let asked: HashSet<String> = recall_terms(question).into_iter().map(|(term, _)| term).collect();
    let met =
        |said: &str| recall_terms(said).iter().filter(|(term, _)| asked.contains(term)).count();
    let mut most = met(shown);
    let mut best = None;
    let cut = text.floor_char_boundary(MOST.min(text.len()));
    for sentence in text[..cut].lines().flat_map(sentences) {
        let here = met(sentence);
        if here > most {
            (most, best) = (here, Some(bare(sentence)));
        }
    }
    best
}

/// Without the mark of a list.
fn bare(sentence: &str) -> &str {
    let sentence = sentence.trim();
    ["- ", "* "].iter().find_map(|mark| sentence.strip_prefix(mark)).unwrap_or(sentence)
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    const RULES: &str = "# Rules\n- Use tabs, never spaces\n- Run the linter. Then commit.";

    #[test]
    fn what_was_asked_is_shown_unless_it_is_shown_already() {
        let shown = "Rules: run the linter";
        assert_eq!(excerpt(RULES, shown, "tabs or spaces?"), Some("Use tabs, never spaces"));
        assert_eq!(excerpt(RULES, shown, "when do I commit?"), Some("Then commit."));
        assert_eq!(excerpt(RULES, shown, "which linter?"), None);
        assert_eq!(excerpt(RULES, shown, "pizza"), None);
        assert_eq!(excerpt("", "", ""), None);
    }
}
