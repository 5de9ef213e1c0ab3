//! A graph for programs: JSON, or DOT for drawing. The same graph always gives the same bytes.

use mnemic_engine::model::{Kind, RecordId};
use mnemic_engine::{Graph, GraphNode, defuse};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Characters of one text that a drawing has room for; no id is longer.
const LABEL: usize = 200;

pub fn json(graph: &Graph) -> Value {
    let nodes: Vec<Value> = graph.nodes.iter().map(node).collect();
    let links: Vec<Value> = graph.links.iter().map(super::link).collect();
    json!({ "nodes": nodes, "links": links })
}

fn node(node: &GraphNode) -> Value {
    let mut view = json!({
        "id": node.id,
        "kind": node.kind.as_str(),
        "title": node.title,
        "store": node.store.as_str(),
    });
    if let Some(description) = &node.description {
        view["description"] = json!(description);
    }
    if let Some(community) = &node.community {
        view["community"] = json!(community);
    }
    view
}

/// A digraph with a box around each community.
pub fn dot(graph: &Graph) -> String {
    let mut text = String::from("digraph memories {\n  node [shape=box];\n");
    let mut homes: BTreeMap<Option<&RecordId>, Vec<&GraphNode>> = BTreeMap::new();
    for node in &graph.nodes {
        let own = (node.kind == Kind::Community).then_some(&node.id);
        homes.entry(node.community.as_ref().or(own)).or_default().push(node);
    }
    for (number, (home, nodes)) in homes.into_iter().enumerate() {
        let indent = if home.is_some() { "    " } else { "  " };
        if let Some(home) = home {
            let name = nodes.iter().find(|node| node.id == *home).map(|node| node.title.as_str());
            let name = quoted(name.unwrap_or(home.as_str()));
            let _ = writeln!(text, "  subgraph cluster_{number} {{\n    label={name};");
        }
        for node in nodes {
            let label = quoted(&format!("{}: {}", node.kind, node.title));
            let _ = writeln!(text, "{indent}{} [label={label}];", quoted(node.id.as_str()));
        }
        if home.is_some() {
            text.push_str("  }\n");
        }
    }
    for link in &graph.links {
        let [from, to] = [&link.from, &link.to].map(|id| quoted(id.as_str()));
        let _ = writeln!(text, "  {from} -> {to} [label={}];", quoted(link.relation.as_str()));
    }
    text.push_str("}\n");
    text
}

/// In quotes, on one line, with nothing that could end them.
fn quoted(text: &str) -> String {
    let line: String = defuse(text).split_whitespace().collect::<Vec<&str>>().join(" ");
    let short = match line.char_indices().nth(LABEL) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    };
    format!("\"{}\"", short.replace('\\', "\\\\").replace('"', "\\\""))
}
