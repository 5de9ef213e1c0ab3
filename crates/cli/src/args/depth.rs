//! `--level`: how much of a memory's text is wanted.

use mnemic_engine::{Level, Levels};

/// From everything to one to three words.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Depth {
    Full,
    Summary,
    Compressed,
    Index,
}

impl Depth {
    pub(crate) const ALL: &'static [Depth] =
        &[Depth::Full, Depth::Summary, Depth::Compressed, Depth::Index];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Depth::Full => "full",
            Depth::Summary => "summary",
            Depth::Compressed => "compressed",
            Depth::Index => "index",
        }
    }

    pub(crate) fn of(self, levels: &Levels) -> &Level {
        match self {
            Depth::Full => &levels.full,
            Depth::Summary => &levels.summary,
            Depth::Compressed => &levels.compressed,
            Depth::Index => &levels.index,
        }
    }
}
