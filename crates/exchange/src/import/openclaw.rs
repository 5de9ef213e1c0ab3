//! OpenClaw's memory: `MEMORY.md` for what lasts, and a file a day.

use super::arrival::{Broken, Sink};
use super::origin::Origin;
use super::times::written;
use super::{front_matter, pages};
use mnemic_model::draft::About;
use std::path::Path;

pub(super) fn read(path: &Path, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let text = super::text_of(path)?;
    let (front, text) = front_matter::split(&text)?;
    let about = About { extra: front, ..origin.by_agent("openclaw") };
    match day(path) {
        None => pages::each_line(origin, text, &about, sink, &|_| true),
        Some(day) => {
            let about =
                About { category: Some("daily note".to_owned()), valid_at: written(&day), ..about };
            pages::each_section(origin, text, &about, sink, &|_| None)
        }
    }
}

/// The day that a file is called after: `2026-01-05.md`, or with words behind it.
pub(super) fn day(path: &Path) -> Option<String> {
    let stem = super::stem(path);
    let day = stem.get(..10)?;
    let shape =
        |(at, c): (usize, char)| if at == 4 || at == 7 { c == '-' } else { c.is_ascii_digit() };
    (day.char_indices().all(shape) && written(day).is_some()).then(|| day.to_owned())
}
