//! The files in `integrations` that say what the installers say: made here, and compared.

use super::{Program, hooks_json, mcp};
use crate::hooks::Host;
use serde_json::{Map, Value, json};
use std::fs;
use std::path::PathBuf;

const ABOUT: &str = "Remembers what your coding agent learned, and reminds it in time.";
const VERSION: &str = env!("CARGO_PKG_VERSION");

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../integrations")
}

/// The program is found by its name: plugins are the same on every machine.
fn program() -> Program {
    Program::new("mnemic")
}

fn hooks(host: Host) -> Value {
    let entry = |wired: &crate::hooks::Wired| {
        (wired.name.to_owned(), json!([hooks_json::group(host, *wired, &program())]))
    };
    let events: Map<String, Value> = host.events().iter().map(entry).collect();
    json!({ "hooks": events })
}

fn servers() -> Value {
    json!({ "mcpServers": { mcp::NAME: mcp::server(mcp::Shape::Plain, &program()) } })
}

fn plugin() -> Value {
    json!({
        "name": "mnemic",
        "version": VERSION,
        "description": ABOUT,
        "author": { "name": "mnemic" },
        "license": env!("CARGO_PKG_LICENSE"),
        "keywords": ["memory", "recall", "context", "hooks", "mcp"],
    })
}

/// Every file that is made, below `integrations`.
fn made() -> Vec<(&'static str, Value)> {
    let mut for_codex = plugin();
    for_codex["skills"] = json!("./skills/");
    for_codex["hooks"] = json!("./hooks/hooks.json");
    for_codex["mcpServers"] = json!("./.mcp.json");
    let market = json!({
        "name": "mnemic",
        "owner": { "name": "mnemic" },
        "description": ABOUT,
        "plugins": [{ "name": "mnemic", "source": "./mnemic", "description": ABOUT }],
    });
    let codex_market = json!({
        "name": "mnemic",
        "plugins": [{
            "name": "mnemic",
            "source": { "source": "local", "path": "./mnemic" },
            "policy": { "installation": "AVAILABLE", "authentication": "ON_INSTALL" },
            "category": "Productivity",
        }],
    });
    let registry = json!({
        "$schema":
            "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": "io.github.mnemic/mnemic",
        "title": "mnemic",
        "description": ABOUT,
        "version": VERSION,
        "_meta": { "io.modelcontextprotocol.registry/publisher-provided": {
            "transport": "stdio",
            "command": ["mnemic", "mcp"],
        }},
    });
    vec![
        ("claude-code/.claude-plugin/marketplace.json", market),
        ("claude-code/mnemic/.claude-plugin/plugin.json", plugin()),
        ("claude-code/mnemic/hooks/hooks.json", hooks(Host::ClaudeCode)),
        ("claude-code/mnemic/.mcp.json", servers()),
        ("codex/.agents/plugins/marketplace.json", codex_market),
        ("codex/mnemic/.codex-plugin/plugin.json", for_codex),
        ("codex/mnemic/hooks/hooks.json", hooks(Host::Codex)),
        ("codex/mnemic/.mcp.json", servers()),
        ("mcp/server.json", registry),
    ]
}

#[test]
fn the_files_in_integrations_say_what_the_installers_say() {
    let write = std::env::var_os("MNEMIC_BLESS").is_some();
    for (name, value) in made() {
        let path = root().join(name);
        let text = format!("{value:#}\n");
        if write {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, &text).unwrap();
        }
        let there = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(there, text, "`{name}` differs: run this test with MNEMIC_BLESS=1");
    }
}

#[test]
fn both_plugins_carry_the_same_skill() {
    let skill = |host: &str| {
        let path = root().join(host).join("mnemic/skills/project-memory/SKILL.md");
        fs::read_to_string(path).unwrap()
    };
    assert_eq!(skill("claude-code"), skill("codex"));
    let text = skill("codex");
    let (_, rest) = text.split_once("name: ").unwrap();
    assert!(rest.starts_with("project-memory\n"), "a skill is named as its directory");
    let (_, rest) = rest.split_once("description: ").unwrap();
    assert!((1..=1_024).contains(&rest.lines().next().unwrap().len()));
}

#[test]
fn the_plugin_of_opencode_sends_exactly_the_events_that_are_read() {
    let text = super::PLUGIN;
    let mut sent: Vec<&str> =
        text.split("tell(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let mut read: Vec<&str> = Host::OpenCode.events().iter().map(|wired| wired.name).collect();
    sent.sort_unstable();
    read.sort_unstable();
    assert_eq!(sent, read);
    assert_eq!(super::plugin_program(text).as_deref(), Some("mnemic"));
    let moved = super::plugin(&Program::new("/my \"own\"/mnemic"));
    assert_eq!(super::plugin_program(&moved).as_deref(), Some("/my \"own\"/mnemic"));
}
