//! JSON for programs: the same, as one object on one line.

use super::{Frame, Item, Section, Sort, Warning};
use crate::context::fence;
use crate::context::profile::TierRule;
use serde_json::{Map, Value};

pub(super) fn piece(item: Item<'_>) -> String {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            fields.insert(name.to_owned(), Value::String(value));
        }
    };
    put("cite", Some(item.citation()));
    put("id", item.id().map(str::to_owned));
    match item.warning() {
        None => put("text", Some(item.text())),
        Some(Warning { sort, context, what, why, instead, .. }) => {
            put("in", Some(context));
            put(if sort == Sort::Mind { "mind" } else { "avoid" }, Some(what));
            put("why", why);
            put("instead", instead);
        }
    }
    put("by", (!item.is_pointer()).then(|| item.by()));
    put("level", Some(item.level.as_str().to_owned()));
    Value::Object(fields).to_string()
}

pub(super) fn heading(tier: &TierRule) -> String {
    format!("{{\"tier\":{},\"memories\":[]}},", Value::from(tier.name.as_str()))
}

pub(super) fn whole(frame: &Frame, sections: &[Section<'_>], example: Option<&str>) -> String {
    let tiers: Vec<String> = sections.iter().map(section).collect();
    let mut body = format!("\"notice\":{}", Value::from(fence::NOTICE));
    for (label, value) in frame.above.iter().chain(&frame.head) {
        let name = label.to_lowercase().replace(' ', "_");
        body.push_str(&format!(",{}:{}", Value::from(name), Value::from(value.as_str())));
    }
    body.push_str(&format!(",\"tiers\":[{}]", tiers.join(",")));
    if let Some(example) = example {
        body.push_str(&format!(",\"cite\":{}", Value::from(format!("Applied: [{example}]"))));
    }
    format!("{{\"recalled_by_mnemic\":\"{}\",{body}}}", fence::key(&body))
}

fn section(section: &Section<'_>) -> String {
    let name = Value::from(section.tier.name.as_str());
    let memories: Vec<&str> = section.pieces.iter().map(|(_, piece)| *piece).collect();
    format!("{{\"tier\":{name},\"memories\":[{}]}}", memories.join(","))
}
