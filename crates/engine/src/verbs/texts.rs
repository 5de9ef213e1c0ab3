//! What a context says of a memory, at every level of detail.

use crate::Levels;
use mnemic_model::Version;
use mnemic_model::body::{Body, Episode, Message};
use mnemic_recall::context::Texts;
use mnemic_text::excerpt::excerpt;
use mnemic_text::levels::shortened;

/// Characters of what is quoted.
const LONGEST_QUOTE: usize = 240;

/// Texts that lead with what was asked for, where that stands further down in what happened.
pub(super) fn quoting(mut texts: Texts, asked: &str) -> Texts {
    if let Some(said) = excerpt(&texts.full, &texts.summary, asked) {
        let said = shortened(said, LONGEST_QUOTE);
        texts.summary = format!("{said} ({})", shortened(&texts.summary, LONGEST_QUOTE));
        texts.compressed = said;
    }
    texts
}

/// What a person began it with, where that is what an episode goes by.
fn opening(body: &Body) -> Option<&Message> {
    let Body::Episode(episode) = body else { return None };
    let first = episode.messages.first().filter(|first| first.is_of_person())?;
    let goal = episode.goal.split(" […").next().unwrap_or_default().trim_end_matches('…').trim();
    (!goal.is_empty() && first.text.trim_start().starts_with(goal)).then_some(first)
}

/// Whether the first words are the same.
fn begin_alike(one: &str, other: &str) -> bool {
    const WORDS: usize = 3;
    one.split_whitespace().take(WORDS).eq(other.split_whitespace().take(WORDS))
}

/// All that it says, once: what a person began it with stands first, under their name.
fn read_out(body: &Body) -> String {
    match (body, opening(body)) {
        (Body::Episode(episode), Some(first)) => {
            let goal = format!("{}: {}", first.role, first.text);
            let messages = episode.messages[1..].to_vec();
            Body::Episode(Episode { goal, messages, ..episode.clone() }).substance()
        }
        _ => body.substance(),
    }
}

pub(super) fn quick_texts(version: &Version) -> Texts {
    let full = read_out(&version.content.body);
    let lead = full.lines().next().unwrap_or_default();
    Texts {
        summary: shortened(&full, 280),
        compressed: shortened(lead, 80),
        index: shortened(version.content.body.title(), 30),
        full,
    }
}

pub(super) fn texts(version: &Version) -> Texts {
    let Levels { summary, compressed, index, .. } = Levels::of(&version.content);
    let body = &version.content.body;
    // The attribution names who kept it, which is not who asked for it.
    let said = |text: String| match opening(body) {
        Some(first) if begin_alike(&first.text, &text) => format!("asked: {text}"),
        _ => text,
    };
    // Who worked on which task stands in the attribution.
    Texts {
        full: read_out(body),
        summary: said(summary.text),
        compressed: said(compressed.text),
        index: index.text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemic_model::body::Action;

    fn episode(goal: &str, said: &str) -> Body {
        let message = |role: &str, text: &str| Message {
            role: role.to_owned(),
            text: text.to_owned(),
            at: None,
        };
        let action = Action { action: "edit".to_owned(), ..Action::default() };
        Body::Episode(Episode {
            goal: goal.to_owned(),
            files: vec!["a.rs".to_owned()],
            actions: vec![action],
            messages: vec![message("person", said), message("agent", "Done.")],
            ..Episode::default()
        })
    }

    #[test]
    fn what_a_person_began_with_stands_first_and_once() {
        let said = "Make the tests pass, please";
        for goal in [said, "Make the tests…", "Make the tests […10 bytes left out…]"] {
            let text = read_out(&episode(goal, said));
            assert!(text.starts_with(&format!("person: {said}\nFiles: a.rs")), "{text}");
            assert_eq!(text.matches("Make the tests").count(), 1, "{text}");
            assert!(text.ends_with("agent: Done."), "{text}");
        }
    }

    #[test]
    fn what_goes_by_another_name_is_told_as_it_is() {
        for goal in ["Green tests", ""] {
            let body = episode(goal, "Make the tests pass");
            assert_eq!(read_out(&body), body.substance());
        }
    }
}
