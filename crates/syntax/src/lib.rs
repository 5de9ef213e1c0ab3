//! Code as trees: what recurs across files, as templates with holes.
//!
//! Pure: sources come in as text and patterns go out as values. The trees are made by tree-sitter,
//! which reads broken code as well; what it cannot make sense of is left out.

mod candidates;
mod foreign;
mod found;
mod grammar;
mod hint;
mod key;
mod language;
mod mine;
mod names;
mod quality;
mod template;
mod tree;
mod unify;

pub use language::Language;
pub use mine::{Limits, recurring};

/// One file to look at.
#[derive(Debug, Clone)]
pub struct Source {
    /// As it shall be named in places.
    pub path: String,
    pub text: String,
}

/// Lines of a file, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub path: String,
    pub first: u32,
    pub last: u32,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}-{}", self.path, self.first, self.last)
    }
}

/// Code that recurs, with holes where its occurrences differ.
#[derive(Debug, Clone, PartialEq)]
pub struct CodePattern {
    pub language: Language,
    pub code: String,
    pub placeholders: Vec<String>,
    /// What it is, in one line.
    pub hint: String,
    /// The names that it is built around, in order.
    pub names: Vec<String>,
    /// The directory below which all of it lies; empty for the whole project.
    pub directory: String,
    /// The same shape gives the same number, whoever finds it.
    pub key: u64,
    pub files: usize,
    /// The occurrence that the template was written from comes first.
    pub places: Vec<Place>,
    /// How much it tells; more is better.
    pub score: f64,
}
