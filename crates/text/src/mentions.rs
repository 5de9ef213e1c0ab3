//! The things that a text names: files, symbols, error codes, commands, issues, people, products.

mod errors;
mod marked;
mod names;
mod shapes;

pub use errors::error_names;

use std::ops::Range;

/// What kind of thing is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MentionKind {
    /// `src/main.rs`, without its line number.
    Path,
    /// `foo::bar`, `getUserName`, `snake_case`, or anything short in backticks.
    Symbol,
    /// `E0382`, `ECONNREFUSED`, `HTTP 404`, `exit code 137`, `CVE-2024-1234`.
    ErrorCode,
    /// `cargo test`, after a prompt or in backticks.
    Command,
    Url,
    Version,
    /// `#123`, `ABC-123`, `org/repo#123`.
    Issue,
    /// Several words in quotation marks.
    Quoted,
    /// A person, a product, a place.
    Name,
}

/// A thing as it is named in one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    pub kind: MentionKind,
    /// The form to compare by: paths with `/` and without `./` and line, calls without `()`.
    pub text: String,
    /// The bytes of the text that name it.
    pub span: Range<usize>,
}

/// Everything that a text names, in order and without overlap; each time that it is named.
pub fn mentions(text: &str) -> Vec<Mention> {
    let mut found = Found::of(text);
    for stage in [marked::prompts, marked::code, marked::quotations, shapes::read, names::read] {
        stage(&mut found);
        found.settle();
    }
    let mut mentions = found.mentions;
    mentions.sort_by_key(|mention| mention.span.start);
    mentions
}

/// What has been found so far and which parts of the text are done.
struct Found<'a> {
    text: &'a str,
    mentions: Vec<Mention>,
    /// Done by earlier stages; sorted and without overlap.
    taken: Vec<Range<usize>>,
    /// Done by this stage, which does not meet itself.
    taking: Vec<Range<usize>>,
    /// Code blocks, in order: they name things but no people.
    blocks: Vec<Range<usize>>,
}

impl<'a> Found<'a> {
    fn of(text: &'a str) -> Self {
        Self {
            text,
            mentions: Vec::new(),
            taken: Vec::new(),
            taking: Vec::new(),
            blocks: Vec::new(),
        }
    }

    fn push(&mut self, kind: MentionKind, text: impl Into<String>, span: Range<usize>) {
        let text = text.into();
        if !text.is_empty() && !span.is_empty() {
            self.mentions.push(Mention { kind, text, span });
        }
    }

    fn take(&mut self, span: Range<usize>) {
        self.taking.push(span);
    }

    fn settle(&mut self) {
        self.taken.append(&mut self.taking);
        self.taken.sort_by_key(|span| span.start);
    }

    fn is_free(&self, span: &Range<usize>) -> bool {
        !meets(&self.taken, span)
    }

    fn is_in_block(&self, span: &Range<usize>) -> bool {
        meets(&self.blocks, span)
    }
}

fn meets(spans: &[Range<usize>], span: &Range<usize>) -> bool {
    let after = spans.partition_point(|taken| taken.end <= span.start);
    spans.get(after).is_some_and(|taken| taken.start < span.end)
}

/// The stretches between white space with where they begin.
fn chunks(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive(char::is_whitespace).filter_map(move |piece| {
        let start = at;
        at += piece.len();
        let chunk = piece.trim_end();
        (!chunk.is_empty()).then_some((start, chunk))
    })
}

#[cfg(test)]
mod tests;
