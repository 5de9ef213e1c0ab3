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

    /// What a memory is worth at this level, of what it is worth in full. A summary carries most of
    /// a text in a fraction of its tokens; a pointer only tells that there is something.
    pub fn gain(self) -> f64 {
        match self {
            Level::Full => 1.0,
            Level::Summary => 0.8,
            Level::Compressed => 0.55,
            Level::Index => 0.25,
        }
    }
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
        assert!(Level::ALL.windows(2).all(|pair| pair[0].gain() < pair[1].gain()));
        assert!(Level::parse("whole").unwrap_err().hint.contains("summary"));
    }
}
