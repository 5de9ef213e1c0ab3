//! The hosts' own validators look at the plugins that we ship.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Claude Code's program: one that is installed, or, in the long form, one from the registry.
fn claude(dir: &Path) -> Result<PathBuf, String> {
    let runs = |program: &Path| {
        let mut command = Command::new(program);
        let status = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    };
    let installed = PathBuf::from("claude");
    if runs(&installed) {
        return Ok(installed);
    }
    if !mnemic_testkit::is_long() {
        return Err("`claude` is not installed, and MNEMIC_LONG=1 is not set to fetch it".into());
    }
    let done = Command::new("npm")
        .args(["install", "--no-fund", "--no-audit", "--silent", "@anthropic-ai/claude-code"])
        .current_dir(dir)
        .output()
        .map_err(|cause| format!("npm: {cause}"))?;
    let fetched = dir.join("node_modules/.bin/claude");
    match done.status.success() && runs(&fetched) {
        true => Ok(fetched),
        false => Err(format!("npm: {}", String::from_utf8_lossy(&done.stderr))),
    }
}

#[test]
fn claude_code_finds_nothing_wrong_with_its_plugin() {
    let dir = tempfile::tempdir().unwrap();
    let program = match claude(dir.path()) {
        Ok(program) => program,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/claude-code");
    for path in [ours.clone(), ours.join("mnemic")] {
        let checked = Command::new(&program)
            .args(["plugin", "validate", "--strict"])
            .arg(&path)
            .env("HOME", dir.path())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&checked.stdout);
        let wrong = String::from_utf8_lossy(&checked.stderr);
        assert!(checked.status.success(), "{}: {said}{wrong}", path.display());
        eprintln!("{}", said.trim());
    }
}

#[test]
fn the_plugin_of_opencode_does_what_it_says() {
    let script = r#"
        import { readFileSync, writeFileSync } from "node:fs";
        const [plugin, directory, mnemic] = process.argv.slice(2);
        const text = readFileSync(plugin, "utf8").replace('"mnemic";', JSON.stringify(mnemic) + ";");
        writeFileSync(directory + "/plugin.mjs", text);
        const { Mnemic } = await import(directory + "/plugin.mjs");
        const client = { session: { messages: async () => ({ data: [
            { info: { role: "assistant" }, parts: [{ type: "text", text: "Done." }] },
        ] }) } };
        const hooks = await Mnemic({ client, directory });
        const sessionID = "oc-1";
        const say = (type) => hooks.event({ event: { type, properties: { sessionID } } });
        await say("session.created");
        await hooks["chat.message"]({ sessionID }, { parts: [{ type: "text", text: "which port?" }] });
        const output = { system: ["You are an agent."] };
        await hooks["experimental.chat.system.transform"]({ sessionID }, output);
        const call = { sessionID, tool: "edit", callID: "c" };
        await hooks["tool.execute.before"](call, { args: { filePath: "/src/a.rs" } });
        await hooks["tool.execute.after"](call, { output: "ok", metadata: {} });
        await hooks["experimental.session.compacting"]({ sessionID }, { context: [] });
        await say("session.idle");
        await say("session.deleted");
        console.log(output.system.join("\n"));
    "#;
    let mnemic = mnemic_testkit::Mnemic::new(env!("CARGO_BIN_EXE_mnemic"));
    for key in ["hook.deadline", "hook.session_deadline"] {
        mnemic.ok(["config", "set", key, "2500"]);
    }
    mnemic.ok(["remember", "fact", "db.port", "5432"]);
    let file = mnemic.root().join("play.mjs");
    std::fs::write(&file, script).unwrap();
    let plugin =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/opencode/mnemic.js");
    let mut node = Command::new("node");
    node.arg(file).arg(plugin).arg(mnemic.project()).arg(env!("CARGO_BIN_EXE_mnemic"));
    for (name, value) in mnemic.command(["--version"]).get_envs() {
        if let Some(value) = value {
            node.env(name, value);
        }
    }
    let played = match node.output() {
        Ok(played) => played,
        Err(why) => return eprintln!("skipped: node: {why}"),
    };
    let wrong = String::from_utf8_lossy(&played.stderr);
    assert!(played.status.success(), "{wrong}");
    let said = String::from_utf8_lossy(&played.stdout);
    assert!(said.contains("You are an agent.") && said.contains("db.port = 5432"), "{said}{wrong}");
    let session = mnemic.ok(["session", "show", "oc-1", "--json"]).json();
    assert_eq!(session["host"], serde_json::json!("opencode"), "{session}");
}
