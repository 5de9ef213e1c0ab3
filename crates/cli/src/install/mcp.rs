//! The entry of our MCP server in a host's file.

use super::Program;
use super::command::is_ours;
use super::hooks_json::{OBJECT, input, odd, once, parse, remove_property};
use mnemic_engine::{Error, ErrorKind, Result};
use serde_json::{Value, json};
use std::path::Path;
use toml_edit::{Array, DocumentMut, Item, Table, value};

/// Under which our server goes by in every host.
pub(super) const NAME: &str = "mnemic";
const SERVERS: &str = "mcp_servers";

/// How a host writes a server that it starts itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `{command, args}`
    Plain,
    /// The same with `type: stdio`.
    Typed,
    /// One list with the program first.
    Listed,
}

pub(super) fn server(shape: Shape, program: &Program) -> Value {
    match shape {
        Shape::Plain => json!({ "command": program.path(), "args": ["mcp"] }),
        Shape::Typed => json!({ "type": "stdio", "command": program.path(), "args": ["mcp"] }),
        Shape::Listed => {
            json!({ "type": "local", "command": [program.path(), "mcp"], "enabled": true })
        }
    }
}

pub(super) fn add_json(
    text: &str,
    under: &str,
    shape: Shape,
    program: &Program,
    path: &Path,
) -> Result<String> {
    let root = parse(text, path)?;
    let top = root.object_value_or_create().ok_or_else(|| odd(path, "the top level", OBJECT))?;
    once(&top, under, path)?;
    let servers = top.object_value_or_create(under);
    let servers = servers.ok_or_else(|| odd(path, &format!("`{under}`"), OBJECT))?;
    once(&servers, NAME, path)?;
    let wanted = server(shape, program);
    match servers.get(NAME) {
        None => drop(servers.append(NAME, input(&wanted))),
        Some(there) => {
            let value = there.value().and_then(|value| value.to_serde_value());
            let value = value.unwrap_or(Value::Null);
            if value != wanted {
                if program_in(&value).is_none() {
                    return Err(taken(path, under));
                }
                there.set_value(input(&wanted));
            }
        }
    }
    Ok(root.to_string())
}

pub(super) fn remove_json(text: &str, under: &str, path: &Path) -> Result<String> {
    if program_json(text, under).is_none() {
        return Ok(text.to_owned());
    }
    let root = parse(text, path)?;
    if let Some(top) = root.object_value()
        && let Some(servers) = top.object_value(under)
    {
        remove_property(&servers, NAME);
        if servers.properties().is_empty() {
            remove_property(&top, under);
        }
    }
    Ok(root.to_string())
}

pub(super) fn program_json(text: &str, under: &str) -> Option<String> {
    let root = parse(text, Path::new("")).ok()?.to_serde_value()?;
    program_in(root.get(under)?.get(NAME)?)
}

/// The program of an entry that is ours.
fn program_in(entry: &Value) -> Option<String> {
    let command = entry.get("command")?;
    let first = command.as_array().and_then(|list| list.first());
    let program = first.unwrap_or(command).as_str()?;
    is_ours(program).then(|| program.to_owned())
}

fn taken(path: &Path, under: &str) -> Error {
    let message = format!("`{under}.{NAME}` in `{}` is a server of yours", path.display());
    Error::new(ErrorKind::Conflict, message).hint("give it another name, then install again")
}

fn document(text: &str, path: &Path) -> Result<DocumentMut> {
    text.parse::<DocumentMut>().map_err(|cause| {
        Error::new(ErrorKind::Invalid, format!("`{}` is not TOML that can be read", path.display()))
            .because(cause.to_string())
            .hint("correct that file first; it was left as it is")
    })
}

pub(super) fn add_toml(text: &str, program: &Program, path: &Path) -> Result<String> {
    match program_toml(text) {
        Some(there) if there == program.path() => return Ok(text.to_owned()),
        None if document(text, path)?.get(SERVERS).and_then(|all| all.get(NAME)).is_some() => {
            return Err(taken(path, SERVERS));
        }
        _ => {}
    }
    let text = remove_toml(text, path)?;
    let mut args = Array::new();
    args.push("mcp");
    let mut entry = Table::new();
    entry.insert("command", value(program.path()));
    entry.insert("args", value(args));
    // At the end, so that nothing of what is there moves.
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let mut added = text.clone();
    if !added.is_empty() {
        let gap = if added.ends_with('\n') { 1 } else { 2 };
        added.push_str(&end.repeat(gap));
    }
    added.push_str(&format!("[{SERVERS}.{NAME}]\n{entry}").replace('\n', end));
    if document(&added, path).is_ok() {
        return Ok(added);
    }
    // The servers stand in one inline table: ours goes in there.
    let mut whole = document(&text, path)?;
    let servers = whole.get_mut(SERVERS).and_then(Item::as_table_like_mut);
    let servers = servers.ok_or_else(|| odd(path, &format!("`{SERVERS}`"), "a table"))?;
    servers.insert(NAME, value(entry.into_inline_table()));
    Ok(whole.to_string())
}

pub(super) fn remove_toml(text: &str, path: &Path) -> Result<String> {
    if program_toml(text).is_none() {
        return Ok(text.to_owned());
    }
    let mut whole = document(text, path)?;
    let servers = whole.get_mut(SERVERS).and_then(Item::as_table_like_mut);
    let is_empty = servers.is_some_and(|servers| {
        servers.remove(NAME);
        servers.is_empty()
    });
    if is_empty {
        whole.remove(SERVERS);
    }
    Ok(whole.to_string())
}

pub(super) fn program_toml(text: &str) -> Option<String> {
    let whole = text.parse::<DocumentMut>().ok()?;
    let program = whole.get(SERVERS)?.get(NAME)?.get("command")?.as_str()?.to_owned();
    is_ours(&program).then_some(program)
}
