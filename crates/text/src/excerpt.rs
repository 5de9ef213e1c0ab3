//! The part of a text that a question is about: what is shown of a long memory.

use crate::sentences::sentences;
use crate::stems::recall_terms;
use std::collections::HashSet;

/// Longer texts are looked at as far as this.
const MOST: usize = 64 * 1024;

/// The first sentence of a text that says most of what was asked, where it says more of that than
/// what would be shown without it. One that asks the same is shown with its answer.
pub fn excerpt<'t>(text: &'t str, shown: &str, question: &str) -> Option<&'t str> {
    let asked: HashSet<String> = recall_terms(question).into_iter().map(|(term, _)| term).collect();
    let met =
        |said: &str| recall_terms(said).iter().filter(|(term, _)| asked.contains(term)).count();
    let mut most = met(shown);
    let mut best = None;
    let cut = text.floor_char_boundary(MOST.min(text.len()));
    let said: Vec<&str> = text[..cut].lines().flat_map(sentences).collect();
    for (at, sentence) in said.iter().enumerate() {
        let here = met(sentence);
        // Names of files say where something was done, and not what.
        if here > most && !sentence.starts_with("Files: ") {
            (most, best) = (here, Some(at));
        }
    }
    let best = best?;
    let answer = said[best + 1..].iter().find(|_| asks(said[best])).filter(|next| !asks(next));
    Some(match answer {
        Some(answer) => bare(from_to(text, said[best], answer)),
        None => bare(said[best]),
    })
}

fn asks(sentence: &str) -> bool {
    sentence.trim_end().ends_with('?')
}

/// Everything from one part of a text to the end of a later one.
fn from_to<'t>(text: &'t str, first: &str, last: &str) -> &'t str {
    let place = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    &text[place(first)..place(last) + last.len()]
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
        assert_eq!(excerpt("Clean up\nFiles: src/login.rs", "Clean up", "src/login.rs"), None);
    }

    #[test]
    fn a_question_is_shown_with_its_answer() {
        let talk = "person: Which port does staging use?\nagent: It is 5544. Anything else?";
        let found = "person: Which port does staging use?\nagent: It is 5544.";
        assert_eq!(excerpt(talk, "", "the port of staging"), Some(found));
        let open = "Which port does staging use?\nIs it 5544?";
        let asked = Some("Which port does staging use?");
        assert_eq!(excerpt(open, "", "the port of staging"), asked);
    }
}
