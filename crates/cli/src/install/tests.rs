//! In and out again: every file of every host becomes what it was, whatever it looked like.

use super::places::Homes;
use super::*;
use crate::hooks::Host;
use proptest::prelude::*;
use std::fs;
use std::path::PathBuf;

/// JSON as people keep it: comments, tabs, odd ends, other people's hooks and servers.
const JSON: &[&str] = &[
    "",
    "\n",
    "{}",
    "{}\n",
    "{ }",
    "{\n}\n",
    "{\n  // nothing yet\n}\n",
    "// mine\n{\n\t\"model\": \"opus\", // the best\n\t\"env\": { \"A\": \"1\" },\n}\n",
    "{\"hooks\":{},\"mcpServers\":{}}",
    "{\"hooks\": {\"Stop\": []}, \"mcp\": {}}\n",
    "{\r\n  \"theme\": \"dark\",\r\n  \"hooks\": {\r\n    \"Stop\": []\r\n  }\r\n}\r\n",
    "{\n    \"hooks\": {\n        \"SessionStart\": [\n            {\n                \"matcher\": \"startup\",\n                \"hooks\": [ { \"type\": \"command\", \"command\": \"echo hi\" } ]\n            }\n        ]\n    }\n}",
    "{\n  \"version\": 1,\n  \"hooks\": {\n    \"stop\": [\n      { \"command\": \"./after.sh\" }, // mine\n    ],\n  },\n}\n",
    "\u{feff}{\n  \"mcpServers\": {\n    \"files\": { \"command\": \"npx\", \"args\": [\"-y\", \"files\"] }\n  }\n}\n",
    "{\"a\":1,\"mcpServers\":{\"b\":{\"command\":\"b\"}},\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"x\"}]}]}}",
    "{\n\t\"$schema\": \"https://opencode.ai/config.json\",\n\t\"mcp\": {\n\t\t/* off for now */\n\t\t\"x\": { \"type\": \"remote\", \"url\": \"https://example.org\", \"enabled\": false, },\n\t},\n}",
    "{\n  \"ünïcödé\": \"日本\", 'single': 0x1F,\n  trailing: [1, 2, 3,],\n}\n\n\n",
];

const TOML: &[&str] = &[
    "",
    "\n",
    "model = \"gpt-5\"",
    "model = \"gpt-5\"\n",
    "# mine\nmodel = 'gpt-5' # the best\n\n[mcp_servers.files]\ncommand = \"npx\"\nargs = [\n  \"-y\", # yes\n  \"files\",\n]\n",
    "model = \"gpt-5\"\r\n\r\n[features]\r\nhooks = true\r\n",
    "\u{feff}[projects.\"/p\"]\ntrust_level = \"trusted\"\n\n\n",
    "mcp_servers = { files = { command = \"npx\" } }\n",
    "[mcp_servers]\n\n[[profiles]]\nname = \"a\"",
];

struct Desk {
    dir: tempfile::TempDir,
}

impl Desk {
    fn new() -> Desk {
        Desk { dir: tempfile::tempdir().expect("a temporary directory") }
    }

    fn homes(&self) -> Homes {
        let at = |name: &str| self.dir.path().join(name);
        Homes {
            home: at("home"),
            config: at("home/.config"),
            claude: None,
            codex: None,
            project: at("project"),
        }
    }

    fn records(&self) -> Records {
        Records::at(&self.dir.path().join("data"))
    }
}

fn program() -> Program {
    Program::new("/opt/my tools/mnemic")
}

/// Every file of every host, with texts that it may have held.
fn targets(desk: &Desk) -> Vec<(Target, &'static [&'static str])> {
    let mut all = Vec::new();
    for host in Host::ALL {
        for scope in [Scope::User, Scope::Project] {
            for target in desk.homes().targets(*host, scope) {
                let texts = match target.parts[0] {
                    Part::McpToml => TOML,
                    Part::Plugin => &["// an older one of ours\n"][..],
                    _ => JSON,
                };
                all.push((target, texts));
            }
        }
    }
    all
}

fn put(path: &PathBuf, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

#[test]
fn every_file_becomes_what_it_was_to_the_byte() {
    let desk = Desk::new();
    let records = desk.records();
    for (target, texts) in targets(&desk) {
        for text in texts {
            put(&target.path, text);
            let change = connect(&target, &program(), &records, false).unwrap();
            assert_eq!(change.deed, Deed::Changed, "{text:?} {}", target.path.display());
            let after = fs::read_to_string(&target.path).unwrap();
            assert_eq!(target.programs(), [program().path()], "{after}");
            let again = connect(&target, &program(), &records, false).unwrap();
            assert_eq!(again.deed, Deed::Unchanged, "{after}\n{:?}", again.diff);
            disconnect(&target, &records, false).unwrap();
            let back = fs::read_to_string(&target.path).unwrap();
            assert_eq!(back, *text, "{}", target.path.display());
        }
    }
}

#[test]
fn what_was_not_there_is_gone_again() {
    let desk = Desk::new();
    fs::create_dir_all(desk.dir.path().join("home")).unwrap();
    for (target, _) in targets(&desk) {
        let made = connect(&target, &program(), &desk.records(), false).unwrap();
        assert_eq!(made.deed, Deed::Made);
        assert!(target.path.exists());
        let gone = disconnect(&target, &desk.records(), false).unwrap();
        assert_eq!(gone.deed, Deed::Removed);
        assert!(!target.path.exists());
    }
    let left: Vec<_> = fs::read_dir(desk.dir.path().join("home")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_moved_program_is_named_anew_and_the_file_still_becomes_what_it_was() {
    let desk = Desk::new();
    let records = desk.records();
    for (target, texts) in targets(&desk) {
        for text in texts {
            put(&target.path, text);
            connect(&target, &Program::new("/old/mnemic"), &records, false).unwrap();
            connect(&target, &program(), &records, false).unwrap();
            assert_eq!(target.programs(), [program().path()]);
            disconnect(&target, &records, false).unwrap();
            assert_eq!(fs::read_to_string(&target.path).unwrap(), *text);
        }
    }
}

#[test]
fn what_cannot_be_edited_is_left_as_it_is() {
    let desk = Desk::new();
    for (target, _) in targets(&desk) {
        if target.parts == [Part::Plugin] {
            continue;
        }
        for broken in ["[1, 2", "{\"hooks\": [], \"mcp\": 3, \"mcpServers\": \"no\"}", "= ="] {
            put(&target.path, broken);
            connect(&target, &program(), &desk.records(), false).unwrap_err();
            assert_eq!(fs::read_to_string(&target.path).unwrap(), broken);
        }
    }
}

#[test]
fn a_server_of_somebody_else_under_our_name_stays() {
    let desk = Desk::new();
    let target = &desk.homes().targets(Host::Cursor, Scope::User)[1];
    let text = "{\"mcpServers\": {\"mnemic\": {\"url\": \"https://example.org\"}}}";
    put(&target.path, text);
    connect(target, &program(), &desk.records(), false).unwrap_err();
    disconnect(target, &desk.records(), false).unwrap();
    assert_eq!(fs::read_to_string(&target.path).unwrap(), text);
}

#[test]
fn a_dry_run_writes_nothing() {
    let desk = Desk::new();
    for (target, _) in targets(&desk) {
        let change = connect(&target, &program(), &desk.records(), true).unwrap();
        assert!(!change.diff.is_empty());
        assert!(!target.path.exists());
    }
    assert!(!desk.dir.path().join("data").exists());
}

/// The value of a JSON text as its host reads it.
fn value(text: &str) -> serde_json::Value {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let root = hooks_json::parse(text, Path::new("")).unwrap();
    root.to_serde_value().unwrap_or(serde_json::Value::Null)
}

#[test]
fn of_a_file_that_was_edited_meanwhile_only_our_entries_go() {
    let desk = Desk::new();
    let records = desk.records();
    for (target, texts) in targets(&desk) {
        for text in texts.iter().filter(|text| text.starts_with("{\n") && text.ends_with("}\n")) {
            put(&target.path, text);
            connect(&target, &program(), &records, false).unwrap();
            let after = fs::read_to_string(&target.path).unwrap();
            fs::write(&target.path, format!("// edited\n{after}")).unwrap();
            disconnect(&target, &records, false).unwrap();
            let back = fs::read_to_string(&target.path).unwrap();
            assert_eq!(back, format!("// edited\n{text}"));
        }
    }
}

#[test]
fn what_was_added_after_us_is_read_as_before() {
    let desk = Desk::new();
    let records = desk.records();
    let toml = |(target, _): &(Target, _)| target.parts.contains(&Part::McpToml);
    let (target, _) = targets(&desk).into_iter().find(toml).unwrap();
    for text in ["model = \"gpt-5\"", "[a]\nb = 1", "[a]\r\nb = 1", ""] {
        for more in ["[projects.\"/w\"]\ntrust_level = \"trusted\"\n", "\n[c]\nd = 2"] {
            put(&target.path, text);
            connect(&target, &program(), &records, false).unwrap();
            let after = fs::read_to_string(&target.path).unwrap();
            fs::write(&target.path, format!("{after}{more}")).unwrap();
            disconnect(&target, &records, false).unwrap();
            let back = fs::read_to_string(&target.path).unwrap();
            let read = |text: &str| text.parse::<toml_edit::DocumentMut>().unwrap().to_string();
            let lines = |text: String| text.lines().map(str::to_owned).collect::<Vec<_>>();
            let words = |text: &str| lines(read(text)).concat();
            assert_eq!(words(&back), words(&format!("{text}\n{more}")), "{back:?}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_what_is_not_there_yet_stays_a_link() {
    let desk = Desk::new();
    for (target, _) in targets(&desk) {
        let dir = target.path.parent().unwrap();
        fs::create_dir_all(dir).unwrap();
        let name = target.path.file_name().unwrap();
        for elsewhere in ["later", "../beside/it", "../beside/below/it"] {
            let (link, later) = (dir.join(name), dir.join(elsewhere));
            std::os::unix::fs::symlink(elsewhere, &link).unwrap();
            let moved = Program::new("/elsewhere/mnemic");
            for program in [moved, program()] {
                connect(&target, &program, &desk.records(), false).unwrap();
                assert!(later.exists() && link.is_symlink(), "{elsewhere}");
            }
            disconnect(&target, &desk.records(), false).unwrap();
            assert!(!later.exists() && link.is_symlink(), "{elsewhere}");
            fs::remove_file(&link).unwrap();
        }
        assert!(!dir.join("../beside").exists(), "made for it, and gone with it");
    }
}

#[test]
fn without_a_record_our_entries_still_go() {
    let desk = Desk::new();
    for (target, texts) in targets(&desk) {
        for text in texts.iter().filter(|_| target.parts != [Part::Plugin]) {
            put(&target.path, text);
            connect(&target, &program(), &desk.records(), false).unwrap();
            fs::remove_dir_all(desk.dir.path().join("data")).unwrap();
            disconnect(&target, &desk.records(), false).unwrap();
            let back = fs::read_to_string(&target.path).unwrap();
            assert!(!back.contains("mnemic"), "{back}");
            if !target.parts.contains(&Part::McpToml) && !text.trim().is_empty() {
                let kept = |text: &str| lean(value(text));
                assert_eq!(kept(&back), kept(text), "{text:?} became {back:?}");
            }
        }
    }
}

/// Without what says nothing: empty lists of hooks and servers, and Cursor's version.
fn lean(value: serde_json::Value) -> serde_json::Value {
    let serde_json::Value::Object(fields) = value else { return value };
    let lean = fields.into_iter().map(|(name, value)| (name, lean(value)));
    let says = |(name, value): &(String, serde_json::Value)| {
        let is_empty = value.as_object().is_some_and(serde_json::Map::is_empty)
            || value.as_array().is_some_and(Vec::is_empty);
        !is_empty && name != "version"
    };
    lean.filter(says).collect::<serde_json::Map<String, serde_json::Value>>().into()
}

/// JSON with the white space, comments and commas that people use.
fn json_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("1".to_owned()),
        Just("true".to_owned()),
        Just("null".to_owned()),
        "\"[a-z /]{0,6}\"",
    ];
    let inner = leaf.prop_recursive(3, 20, 4, |inner| {
        let gap = prop_oneof![
            Just(String::new()),
            Just("\n  ".to_owned()),
            Just("\r\n\t".to_owned()),
            Just(" /* c */ ".to_owned()),
            Just(" // c\n".to_owned()),
        ];
        let name = prop_oneof![
            Just("\"hooks\"".to_owned()),
            Just("\"mcpServers\"".to_owned()),
            Just("\"mcp\"".to_owned()),
            "\"[a-z]{1,4}\"",
        ];
        let field = (name, gap.clone(), inner.clone())
            .prop_map(|(name, gap, value)| format!("{gap}{name}:{value}"));
        let object = (prop::collection::vec(field, 0..4), gap.clone(), any::<bool>()).prop_map(
            |(fields, gap, trailing)| {
                let comma = if trailing && !fields.is_empty() { "," } else { "" };
                format!("{{{}{comma}{gap}}}", fields.join(","))
            },
        );
        let array = (prop::collection::vec(inner, 0..3), gap)
            .prop_map(|(items, gap)| format!("[{gap}{}]", items.join(", ")));
        prop_oneof![3 => object, 1 => array]
    });
    ("(\u{feff})?", inner, "[\n\r ]{0,2}").prop_map(|(bom, text, end)| format!("{bom}{text}{end}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_json_becomes_what_it_was(text in json_text()) {
        let desk = Desk::new();
        for host in [Host::Gemini, Host::Cursor] {
            for target in desk.homes().targets(host, Scope::User) {
                put(&target.path, &text);
                // What the host could not read either is refused, and left as it is.
                let done = connect(&target, &program(), &desk.records(), false);
                if done.is_ok() {
                    prop_assert_eq!(target.programs(), vec![program().path().to_owned()]);
                    let again = connect(&target, &program(), &desk.records(), false).unwrap();
                    prop_assert_eq!(again.deed, Deed::Unchanged);
                    disconnect(&target, &desk.records(), false).unwrap();
                }
                let back = fs::read_to_string(&target.path).unwrap();
                prop_assert_eq!(&back, &text);
            }
        }
    }
}
