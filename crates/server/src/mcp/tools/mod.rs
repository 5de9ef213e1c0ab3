//! The tools, in the order in which agents read them.

mod archival;
mod blocks;
mod consolidate;
mod context;
mod contradictions;
mod conversation;
mod feedback;
mod forget;
mod get;
mod learning;
mod memory;
mod redact;
mod remember;
mod search;
mod timeline;

pub(super) use context::ask;
pub(super) use get::Whole;
pub(super) use timeline::filter;

use super::tool::Entry;
use std::sync::LazyLock;

static ALL: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    vec![
        Entry::of::<search::Search>(),
        Entry::of::<timeline::Timeline>(),
        Entry::of::<get::Get>(),
        Entry::of::<context::Context>(),
        Entry::of::<remember::Remember>(),
        Entry::of::<learning::SaveLearning>(),
        Entry::of::<feedback::Feedback>(),
        Entry::of::<contradictions::Contradictions>(),
        Entry::of::<contradictions::Resolve>(),
        Entry::of::<forget::Forget>(),
        Entry::of::<blocks::Blocks>(),
        Entry::of::<blocks::EditBlock>(),
        Entry::of::<archival::Insert>(),
        Entry::of::<archival::Search>(),
        Entry::of::<conversation::Search>(),
        Entry::of::<consolidate::Consolidate>(),
        Entry::of::<redact::Redact>(),
        Entry::of::<memory::Memory>(),
    ]
});

pub(super) fn all() -> &'static [Entry] {
    &ALL
}

pub(super) fn find(name: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.tool.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_tool_shows_its_whole_face() {
        for entry in all() {
            let tool = &entry.tool;
            let about = tool.description.as_deref().unwrap_or_default();
            assert!((80..2_048).contains(&about.len()), "{}: {}", tool.name, about.len());
            assert!(tool.title.is_some() && tool.annotations.is_some(), "{}", tool.name);
            let output = tool.output_schema.as_ref().expect("an output schema");
            assert_eq!(output["type"], "object", "{}", tool.name);
            assert_eq!(tool.input_schema["type"], "object", "{}", tool.name);
            assert_eq!(tool.input_schema["additionalProperties"], false, "{}", tool.name);
        }
        let names: BTreeSet<&str> = all().iter().map(|entry| entry.tool.name.as_ref()).collect();
        assert_eq!(names.len(), all().len(), "no name twice");
    }

    /// Every agent pays for the list in its window, in each session, whether or not it calls any.
    #[test]
    fn the_list_of_tools_stays_small() {
        const MOST_BYTES: usize = 30_000;
        let list: Vec<_> = all().iter().map(|entry| &entry.tool).collect();
        let bytes = serde_json::to_string(&list).unwrap().len();
        println!("the tools take {bytes} bytes");
        assert!(bytes < MOST_BYTES, "{bytes} bytes");
    }

    #[test]
    fn every_field_is_explained() {
        for entry in all() {
            let fields = entry.tool.input_schema["properties"].as_object().unwrap();
            for (name, field) in fields {
                let is_told = field.get("description").is_some() || field.get("$ref").is_some();
                assert!(is_told, "{}.{name}: {field}", entry.tool.name);
            }
        }
    }
}
