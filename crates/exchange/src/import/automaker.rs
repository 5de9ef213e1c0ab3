//! Automaker's memory: a Markdown file a subject, a memory a section.

use super::arrival::{Broken, Sink};
use super::fields::{Taken, category, tags};
use super::markdown::Section;
use super::origin::{Origin, clipped, unit};
use super::{front_matter, pages};
use mnemic_model::body::{AntiPattern, Body};
use mnemic_model::draft::About;
use std::path::Path;

pub(super) fn read(path: &Path, origin: &Origin, sink: &mut Sink<'_>) -> Result<(), Broken> {
    let text = super::text_of(path)?;
    let (front, text) = front_matter::split(&text)?;
    let mut front = Taken::new(front, "its front matter");
    let subject = super::stem(path);
    let about = About {
        summary: front.text("summary").map(|text| clipped(&text, 10_000)),
        importance: unit(front.number("importance")),
        tags: tags(front.texts("tags")),
        category: category(Some(subject.clone())),
        extra: front.rest(),
        ..origin.by_agent("automaker")
    };
    let is_warning = subject.eq_ignore_ascii_case("gotchas");
    let warning = |section: &Section| is_warning.then(|| gotcha(section));
    pages::each_section(origin, text, &about, sink, &warning)
}

fn gotcha(section: &Section) -> Body {
    let heading = section.heading();
    let (what, why) = match heading.is_empty() {
        false => (heading.to_owned(), Some(section.text.clone())),
        true => (section.text.clone(), None),
    };
    Body::AntiPattern(AntiPattern { what_fails: what, why, ..AntiPattern::default() })
}
