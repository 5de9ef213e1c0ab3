//! The four levels of a memory's text, with what an agent pays to read each.

use mnemic_model::{Body, Content};
use mnemic_text::levels;
use mnemic_text::tokens::{Counter, Encoding};

/// One text, and what it costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    pub text: String,
}

impl Level {
    /// Tokens of the widest used public encoding. Counted when asked for: most lists never are.
    pub fn tokens(&self) -> u64 {
        Counter::exact(Encoding::O200k).count(&self.text) as u64
    }
}

/// From everything to one to three words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Levels {
    pub full: Level,
    pub summary: Level,
    pub compressed: Level,
    pub index: Level,
}

impl Levels {
    /// What an author wrote is kept; the rest is extracted from the full text.
    pub fn of(content: &Content) -> Levels {
        let full = content.body.full_text();
        let title = content.body.title();
        // A text that begins with its title needs no title in front.
        let subject = (title.len() <= 60 && !full.starts_with(title)).then_some(title);
        let mut derived = levels::levels(&full, subject);
        // The first line says what it is about; ten words have no room for the reasons. A name alone
        // takes the line after it along, and of a fact the value must be seen.
        let lines: Vec<&str> = full.lines().take(2).collect();
        derived.compressed = match (&content.body, lines.as_slice()) {
            (Body::Fact(_), [lead, ..]) => levels::shortened(lead, 80),
            (Body::Skill(_) | Body::Resource(_), [name, next]) => {
                levels::shortened(&format!("{name}: {next}"), 80)
            }
            (_, [lead, ..]) => levels::levels(lead, subject).compressed,
            (_, []) => derived.compressed,
        };
        if title.len() <= 30 {
            derived.index = title.to_owned();
        }
        let given = &content.levels;
        let pick = |given: &Option<String>, derived: String| Level {
            text: given.clone().unwrap_or(derived),
        };
        Levels {
            summary: pick(&given.summary, derived.summary),
            compressed: pick(&given.compressed, derived.compressed),
            index: pick(&given.index, derived.index),
            full: Level { text: full },
        }
    }
}
