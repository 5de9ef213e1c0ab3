//! How much of a memory's text is shown, from everything to a few words.

use mnemic_model::Invalid;

/// From the least to the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// A pointer: one to three words and the id to ask for the rest.
    Index,
    Compressed,
    Summary,
    Full,
}

impl Level {
    pub const ALL: [Level; 4] = [Level::Index, Level::Compressed, Level::Summary, Level::Full];

    pub fn as_str(self) -> &'static str {
        match self {
            Level::Index => "index",
            Level::Compressed => "compressed",
            Level::Summary => "summary",
            Level::Full => "full",
        }
    }

    pub fn parse(text: &str) -> Result<Level, Invalid> {
        Level::ALL.into_iter().find(|level| level.as_str() == text).ok_or_else(|| {
            Invalid::new(
                "level",
                format!("`{text}` is not a level"),
                "use one of: index, compressed, summary, full",
            )
        })
    }

    /// The next shorter one; a pointer has none.
    pub fn shorter(self) -> Option<Level> {
        Level::ALL.into_iter().rev().find(|level| *level < self)
    }
}

/// What a part of a text is worth, of what the whole is worth, by their lengths.
///
/// Measured on four public sets of questions with the texts that answer them: of the words of a
/// question that its text holds, summaries of 15 to 36 % of the length kept 30 to 67 %, compressed
/// texts of 3 to 14 % kept 13 to 30 %. The power of 0.6 runs through the middle of both.
pub(super) fn kept(part: usize, whole: usize) -> f64 {
    (part as f64 / whole.max(1) as f64).min(1.0).powf(0.6)
}

/// One memory's text at every level.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Texts {
    pub full: String,
    pub summary: String,
    pub compressed: String,
    pub index: String,
}

impl Texts {
    pub fn at(&self, level: Level) -> &str {
        match level {
            Level::Full => &self.full,
            Level::Summary => &self.summary,
            Level::Compressed => &self.compressed,
            Level::Index => &self.index,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_shrink_down_to_the_pointer() {
        assert_eq!(Level::Full.shorter(), Some(Level::Summary));
        assert_eq!(Level::Summary.shorter(), Some(Level::Compressed));
        assert_eq!(Level::Compressed.shorter(), Some(Level::Index));
        assert_eq!(Level::Index.shorter(), None);
        assert!(Level::parse("whole").unwrap_err().hint.contains("summary"));
    }

    #[test]
    fn a_part_is_worth_more_than_its_length_and_less_than_the_whole() {
        assert_eq!(kept(7, 7), 1.0);
        assert_eq!(kept(9, 7), 1.0);
        assert_eq!(kept(0, 0), 0.0);
        for part in 1..100 {
            let value = kept(part, 100);
            assert!(value > part as f64 / 100.0 && value < 1.0);
        }
    }
}
