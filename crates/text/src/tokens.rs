//! How many tokens of a language model a text costs: exact where the encoding is public.
//!
//! Why a counter of our own: a hook has 40 ms in all, and both crates that know these encodings
//! first build their vocabulary in memory. Stripped, five fresh processes each, files in the page
//! cache, on one busy machine:
//!
//! | | first count, o200k | cl100k | added to the program | 1,000,000 spaces, o200k |
//! | --- | --- | --- | --- | --- |
//! | bpe-openai 0.3.2 | 100 to 108 ms | 38 to 48 ms | 49.4 MB | counts |
//! | tiktoken-rs 0.12.1 | 332 to 368 ms | 139 to 159 ms | 7.5 MB | panics |
//! | this | 23 to 28 µs | 23 to 30 µs | 4.9 MB | counts |
//!
//! So tiktoken-rs serves the build script alone, which lays its vocabularies out as tables that are
//! used where they lie. Text that looks like a special token counts as the text it is.

mod estimate;
mod layout;
mod merge;
mod models;
mod pieces;
mod table;
mod truncate;

use std::fmt;
use std::str::FromStr;

pub use estimate::estimate;
use merge::Merger;
pub use models::Margin;
use table::Table;

/// A public way to cut text into tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// GPT-4o, GPT-4.1, GPT-5 and the o models.
    O200k,
    /// GPT-4, GPT-3.5 and OpenAI's embedding models.
    Cl100k,
}

impl Encoding {
    pub const ALL: [Encoding; 2] = [Encoding::O200k, Encoding::Cl100k];

    /// What counts for the model of this name; an unknown one is counted cautiously.
    pub fn for_model(name: &str) -> Counter {
        models::counter(name)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Encoding::O200k => "o200k",
            Encoding::Cl100k => "cl100k",
        }
    }

    fn table(self) -> &'static Table {
        match self {
            Encoding::O200k => &table::O200K,
            Encoding::Cl100k => &table::CL100K,
        }
    }

    fn count(self, text: &str) -> usize {
        let mut merger = Merger::default();
        pieces::pieces(self, text).map(|piece| merger.count(self.table(), piece.as_bytes())).sum()
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// No encoding has this name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownEncoding(pub String);

impl fmt::Display for UnknownEncoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no encoding; there are `o200k` and `cl100k`", self.0)
    }
}

impl std::error::Error for UnknownEncoding {}

impl FromStr for Encoding {
    type Err = UnknownEncoding;

    fn from_str(name: &str) -> Result<Encoding, UnknownEncoding> {
        let short = name.strip_suffix("_base").unwrap_or(name);
        let found = Encoding::ALL.into_iter().find(|encoding| encoding.as_str() == short);
        found.ok_or_else(|| UnknownEncoding(name.to_owned()))
    }
}

/// Counts the tokens of one model: an encoding, and how much to add where it is not the model's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counter {
    pub encoding: Encoding,
    pub margin: Margin,
}

impl Default for Counter {
    /// For a reader that nobody named.
    fn default() -> Counter {
        Counter { encoding: Encoding::O200k, margin: Margin::UNKNOWN }
    }
}

impl Counter {
    /// Exactly what the encoding counts.
    pub fn exact(encoding: Encoding) -> Counter {
        Counter { encoding, margin: Margin::NONE }
    }

    pub fn count(&self, text: &str) -> usize {
        self.margin.add_to(self.encoding.count(text))
    }

    /// A beginning of `text`, nearly as long as possible, that this counter counts as at most
    /// `tokens`, cut at the end of a sentence or word if one is near, and never inside a grapheme.
    pub fn truncate<'t>(&self, text: &'t str, tokens: usize) -> &'t str {
        truncate::truncate(self.encoding, text, self.margin.room_in(tokens))
    }
}
