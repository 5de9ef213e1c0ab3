//! Serena's memories: a Markdown file each, named by what it is about.

use super::arrival::{Arrival, Broken, Sink};
use super::origin::Origin;
use super::{front_matter, pages};
use mnemic_model::draft::About;
use std::path::Path;

pub(super) fn read(path: &Path, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let text = super::text_of(path)?;
    let (front, text) = front_matter::split(&text)?;
    if text.trim().is_empty() {
        return Ok(());
    }
    let about = About { extra: front, ..origin.by_agent("serena") };
    let title = super::stem(path).replace(['_', '-'], " ");
    sink(Arrival::Memory(Box::new(pages::whole(origin, &title, text, about))))
}
