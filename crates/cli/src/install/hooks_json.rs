//! Our hooks in a JSON file of a host, between whatever else is there.

use super::Program;
use super::command::program_of;
use crate::hooks::{Host, Wired};
use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use mnemic_engine::{Error, ErrorKind, Result};
use serde_json::{Value, json};
use std::path::Path;

const HOOKS: &str = "hooks";

/// Seconds after which a host stops waiting for us. We are done long before.
const TIMEOUT_SECONDS: u64 = 5;

/// One entry under an event, as Claude Code, Codex and Gemini CLI arrange them.
pub(super) fn group(host: Host, wired: Wired, program: &Program) -> Value {
    // Gemini CLI counts in milliseconds.
    let timeout = if host == Host::Gemini { TIMEOUT_SECONDS * 1_000 } else { TIMEOUT_SECONDS };
    let hook = json!({
        "type": "command",
        "command": program.hook(host, wired),
        "timeout": timeout,
    });
    match wired.matcher {
        Some(matcher) => json!({ "matcher": matcher, "hooks": [hook] }),
        None => json!({ "hooks": [hook] }),
    }
}

pub(super) fn add(text: &str, host: Host, program: &Program, path: &Path) -> Result<String> {
    let wanted = |wired: Wired| group(host, wired, program);
    add_each(text, host, path, wanted, &remove)
}

/// One entry under an event, as Cursor arranges them.
pub(super) fn flat(host: Host, wired: Wired, program: &Program) -> Value {
    json!({ "command": program.hook(host, wired) })
}

pub(super) fn add_flat(text: &str, host: Host, program: &Program, path: &Path) -> Result<String> {
    let root = parse(text, path)?;
    let top = root.object_value_or_create().ok_or_else(|| odd(path, "the top level", OBJECT))?;
    if top.get("version").is_none() {
        top.insert(0, "version", input(&json!(1)));
    }
    let wanted = |wired: Wired| flat(host, wired, program);
    add_each(&root.to_string(), host, path, wanted, &remove_flat)
}

fn add_each(
    text: &str,
    host: Host,
    path: &Path,
    wanted: impl Fn(Wired) -> Value,
    remove: &dyn Fn(&str, &Path) -> Result<String>,
) -> Result<String> {
    let all: Vec<(&str, Value)> =
        host.events().iter().map(|one| (one.name, wanted(*one))).collect();
    if is_complete(text, &all, path)? {
        return Ok(text.to_owned());
    }
    let root = parse(&remove(text, path)?, path)?;
    let top = root.object_value_or_create().ok_or_else(|| odd(path, "the top level", OBJECT))?;
    once(&top, HOOKS, path)?;
    let hooks = top.object_value_or_create(HOOKS).ok_or_else(|| odd(path, "`hooks`", OBJECT))?;
    for (event, entry) in &all {
        once(&hooks, event, path)?;
        let entries = hooks.array_value_or_create(event);
        let entries = entries.ok_or_else(|| odd(path, &format!("`hooks.{event}`"), "a list"))?;
        entries.append(input(entry));
    }
    Ok(root.to_string())
}

/// Whether exactly these entries of ours are there.
fn is_complete(text: &str, all: &[(&str, Value)], path: &Path) -> Result<bool> {
    let found = programs(text).len();
    let root = parse(text, path)?.to_serde_value().unwrap_or(Value::Null);
    let has = |(event, entry): &(&str, Value)| {
        let entries = root.get(HOOKS).and_then(|hooks| hooks.get(*event)).and_then(Value::as_array);
        entries.is_some_and(|entries| entries.contains(entry))
    };
    Ok(found == all.len() && all.iter().all(has))
}

pub(super) fn remove(text: &str, path: &Path) -> Result<String> {
    let root = parse(text, path)?;
    for_each_event(&root, |entries| {
        for entry in entries.elements() {
            let Some(inner) = entry.as_object().and_then(|entry| entry.array_value(HOOKS)) else {
                continue;
            };
            let ours: Vec<CstNode> = inner.elements().into_iter().filter(is_our_hook).collect();
            match ours.len() == inner.elements().len() && !ours.is_empty() {
                true => entry.remove(),
                false => ours.into_iter().for_each(CstNode::remove),
            }
        }
    });
    Ok(root.to_string())
}

pub(super) fn remove_flat(text: &str, path: &Path) -> Result<String> {
    let root = parse(text, path)?;
    for_each_event(&root, |entries| {
        entries.elements().into_iter().filter(is_our_hook).for_each(CstNode::remove);
    });
    Ok(root.to_string())
}

/// Lets entries be taken out of every event; what has become empty by that goes, too.
fn for_each_event(root: &CstRootNode, take_out: impl Fn(&CstArray)) {
    let Some(top) = root.object_value() else { return };
    let Some(hooks) = top.object_value(HOOKS) else { return };
    let mut took = false;
    for event in hooks.properties() {
        let Some(entries) = event.array_value() else { continue };
        let before = entries.to_string();
        take_out(&entries);
        let changed = entries.to_string() != before;
        took |= changed;
        if changed && entries.elements().is_empty() {
            event.remove();
        }
    }
    if took && hooks.properties().is_empty() {
        remove_property(&top, HOOKS);
    }
}

pub(super) fn remove_property(object: &CstObject, name: &str) {
    if let Some(property) = object.get(name) {
        property.remove();
    }
}

fn is_our_hook(node: &CstNode) -> bool {
    let hook = node.to_serde_value().unwrap_or(Value::Null);
    hook.get("command").and_then(Value::as_str).and_then(program_of).is_some()
}

/// The programs of our hooks, in either arrangement.
pub(super) fn programs(text: &str) -> Vec<String> {
    let Ok(root) = parse(text, Path::new("")) else { return Vec::new() };
    let root = root.to_serde_value().unwrap_or(Value::Null);
    let events = root.get(HOOKS).and_then(Value::as_object);
    let entries = events.into_iter().flat_map(|events| events.values()).filter_map(Value::as_array);
    let mut found = Vec::new();
    for entry in entries.flatten() {
        let inner = entry.get(HOOKS).and_then(Value::as_array).into_iter().flatten();
        let commands = inner.chain([entry]).filter_map(|hook| hook.get("command")?.as_str());
        found.extend(commands.filter_map(program_of));
    }
    found
}

pub(super) fn parse(text: &str, path: &Path) -> Result<CstRootNode> {
    CstRootNode::parse(text, &ParseOptions::default()).map_err(|cause| {
        Error::new(ErrorKind::Invalid, format!("`{}` is not JSON that can be read", path.display()))
            .because(cause.to_string())
            .hint("correct that file first; it was left as it is")
    })
}

/// What JSON calls a set of names with values.
pub(super) const OBJECT: &str = "an object, `{…}`";

/// What stands there is not what the host reads there.
pub(super) fn odd(path: &Path, what: &str, expected: &str) -> Error {
    in_the_way(format!("{what} in `{}` is not {expected}", path.display()))
}

fn twice(path: &Path, name: &str) -> Error {
    in_the_way(format!("`{name}` stands twice in `{}`", path.display()))
}

fn in_the_way(message: String) -> Error {
    Error::new(ErrorKind::Conflict, message).hint("correct that file first; it was left as it is")
}

/// Refuses a name that stands there twice: readers differ on which of the two counts.
pub(super) fn once(object: &CstObject, name: &str, path: &Path) -> Result<()> {
    let properties = object.properties().into_iter();
    let named = properties.filter(|one| one.decoded_name().as_deref() == Some(name));
    match named.count() {
        0 | 1 => Ok(()),
        _ => Err(twice(path, name)),
    }
}

pub(super) fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(truth) => CstInputValue::Bool(*truth),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(fields) => CstInputValue::Object(
            fields.iter().map(|(name, value)| (name.clone(), input(value))).collect(),
        ),
    }
}
