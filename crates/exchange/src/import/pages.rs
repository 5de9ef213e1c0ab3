//! Markdown as memories: a section or an item each, named by where it stands.

use super::arrival::{Arrival, Broken, Sink};
use super::fields::category;
use super::markdown::{Section, sections};
use super::origin::{Origin, clipped, derived};
use mnemic_model::body::{Body, Pattern, Resource};
use mnemic_model::draft::About;
use mnemic_model::{Draft, Kind};
use std::collections::HashMap;

pub(super) const MEDIA_TYPE: &str = "text/markdown";

/// What is longer than a few sentences is a text to keep, not a statement.
const LONGEST_STATEMENT: usize = 600;

/// Counts how often the same place was seen in a file, so that each has a name of its own.
#[derive(Debug, Default)]
pub(super) struct Places(HashMap<String, u32>);

impl Places {
    /// A memory of this file with an id that follows from its place.
    pub(super) fn draft(
        &mut self,
        origin: &Origin,
        place: &str,
        body: Body,
        about: About,
    ) -> Draft {
        let kind = body.kind();
        let seen = self.0.entry(format!("{kind} {place}")).or_default();
        *seen += 1;
        let id = derived(kind, &[&origin.name, place, &seen.to_string()]);
        Draft { body, about: About { id: Some(id), ..about } }
    }
}

/// Every section becomes what `body` makes of it, or the text that it is.
pub(super) fn each_section(
    origin: &Origin,
    text: &str,
    about: &About,
    sink: &mut Sink<'_>,
    body: &dyn Fn(&Section) -> Option<Body>,
) -> Result<(), Broken> {
    let mut places = Places::default();
    let called = called(origin);
    for section in sections(text) {
        let body = body(&section).unwrap_or_else(|| resource(&called, &section, origin));
        let place = section.title();
        sink(Arrival::Memory(Box::new(places.draft(origin, &place, body, about.clone()))))?;
    }
    Ok(())
}

fn resource(called: &str, section: &Section, origin: &Origin) -> Body {
    let title = match section.title() {
        title if title.is_empty() => called.to_owned(),
        title => format!("{called} › {title}"),
    };
    Body::Resource(Resource {
        title,
        text: section.text.clone(),
        media_type: Some(MEDIA_TYPE.to_owned()),
        origin: Some(origin.name.clone()),
    })
}

/// The last part of the file's name.
pub(super) fn called(origin: &Origin) -> String {
    origin.name.rsplit('/').next().unwrap_or(&origin.name).to_owned()
}

/// A text of its own: short ones are statements, long ones are kept as what they are.
pub(super) fn statement(text: &str) -> Body {
    let text = text.trim();
    if text.len() <= LONGEST_STATEMENT && text.lines().count() <= 3 {
        return Body::Pattern(Pattern { statement: text.to_owned(), ..Pattern::default() });
    }
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or(text);
    let title = clipped(first.trim_start_matches('#').trim(), 200);
    let title = if title.is_empty() { clipped(text, 200) } else { title };
    Body::Resource(Resource { title, text: text.to_owned(), ..Resource::default() })
}

/// A memory for each item of lists, and one for every other stretch of text.
pub(super) fn each_line(
    origin: &Origin,
    text: &str,
    about: &About,
    sink: &mut Sink<'_>,
    is_wanted: &dyn Fn(&str) -> bool,
) -> Result<(), Broken> {
    for section in sections(text) {
        for line in lines(&section.text).into_iter().filter(|line| is_wanted(line)) {
            let body = statement(&line);
            let id = derived(body.kind(), &[&origin.name, &line]);
            let category = category(Some(section.heading().to_owned()));
            let about = About { id: Some(id), category, ..about.clone() };
            sink(Arrival::Memory(Box::new(Draft { body, about })))?;
        }
    }
    Ok(())
}

/// Items of lists and paragraphs, in their order.
fn lines(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for paragraph in text.split("\n\n").filter(|paragraph| !paragraph.trim().is_empty()) {
        let items = super::markdown::items(paragraph);
        let begins = paragraph.trim_start().lines().next().and_then(super::markdown::item);
        match (items.is_empty(), begins) {
            (false, Some(_)) => found.extend(items),
            _ => found.push(paragraph.trim().to_owned()),
        }
    }
    found
}

/// A whole file as one text.
pub(super) fn whole(origin: &Origin, title: &str, text: &str, about: About) -> Draft {
    let body = Body::Resource(Resource {
        title: title.to_owned(),
        text: text.trim().to_owned(),
        media_type: Some(MEDIA_TYPE.to_owned()),
        origin: Some(origin.name.clone()),
    });
    let id = derived(Kind::Resource, &[&origin.name]);
    Draft { body, about: About { id: Some(id), ..about } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_paragraphs_are_lines() {
        let text = "- one\n  below\n- two\n\nA paragraph\nof two lines\n\nIntro:\n- inside";
        let expected = ["one\n  below", "two", "A paragraph\nof two lines", "Intro:\n- inside"];
        assert_eq!(lines(text), expected);
    }

    #[test]
    fn long_texts_are_kept_as_texts() {
        assert_eq!(statement("Use tabs").kind(), Kind::Pattern);
        assert_eq!(statement(&"word ".repeat(200)).kind(), Kind::Resource);
        assert_eq!(statement("# T\n\na\n\nb\n\nc").title(), "T");
    }
}
