//! Three layers from cheap to complete: what there is, what happened, what was said; and how deep a
//! question has to go.

mod index;
mod load;
mod timeline;

pub use index::{Heading, Index, IndexEntry, headings, index};
pub use load::{Depth, Hit, Loaded, Loading, Whole, load};
pub use timeline::{Active, Line, Timeline, timeline};

use mnemic_model::Content;

/// A memory's text at each level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texts {
    pub full: String,
    pub summary: String,
    pub compressed: String,
}

/// How memories are put into words, and what words cost.
#[derive(Clone, Copy)]
pub struct Telling<'a> {
    pub texts: &'a dyn Fn(&Content) -> Texts,
    pub tokens: &'a dyn Fn(&str) -> usize,
}

impl std::fmt::Debug for Telling<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Telling")
    }
}

/// The first words of a text, on one line.
fn words(text: &str, most: usize) -> String {
    let mut all = text.split_whitespace();
    let first: Vec<&str> = all.by_ref().take(most).collect();
    let more = if all.next().is_some() { "…" } else { "" };
    format!("{}{more}", first.join(" "))
}
