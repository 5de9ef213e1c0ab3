//! A `/memories` tree: a plain text a memory, in directories by kind.

use super::believed::believed;
use super::names::Names;
use super::{ExportFile, Files};
use mnemic_model::Kind;
use mnemic_store::{Read, Result};
use std::collections::BTreeMap;

pub(super) fn write(read: &dyn Read, files: &mut Files<'_>) -> Result<u64> {
    let mut names: BTreeMap<Kind, Names> = BTreeMap::new();
    let mut written = 0;
    for (id, version) in believed(read)? {
        let kind = version.kind();
        if !kind.is_memory() {
            continue;
        }
        let name = names.entry(kind).or_default().take(version.content.body.title(), id.as_str());
        let mut text = version.content.body.full_text();
        if !version.content.tags.is_empty() {
            let tags: Vec<&str> = version.content.tags.iter().map(String::as_str).collect();
            text.push_str(&format!("\nTags: {}", tags.join(", ")));
        }
        let path = format!("{}/{name}.md", kind.as_str().replace('_', "-"));
        written += 1;
        if files(ExportFile { path, text: format!("{}\n", text.trim_end()) }).is_break() {
            break;
        }
    }
    Ok(written)
}
