//! ARCHITECTURE.md and the code say the same: crates, arrows, paths and absences.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Files that may pass `MAX_LINES` because they are tables, as paths from the root.
const LONG_TABLES: &[&str] = &[];

/// At this length ask which noun is hiding in the file.
const MAX_LINES: usize = 500;

/// Where unsafe code may stand: mapping files into memory, and vector instructions.
const UNSAFE_FILES: &[&str] = &[
    "crates/index/src/mapped.rs",
    "crates/index/src/meaning/scan",
    "crates/inference/src/mapped.rs",
    "crates/inference/src/gist/add.rs",
    "crates/inference/src/local/kernel",
];

/// Crates that may start an async runtime: the doors. All others are synchronous.
const ASYNC_CRATES: &[&str] = &["server", "cli"];

const ASYNC_DEPENDENCIES: &[&str] = &["axum", "tokio"];

/// Reading the clock, in all the ways our dependencies offer.
const CLOCK_READS: &[&str] = &["SystemTime::now", "Instant::now", "Timestamp::now", "Zoned::now"];

/// Crates whose answers depend on their arguments alone.
const CLOCKLESS_CRATES: &[&str] = &["model", "text"];

/// One row of the table of crates.
struct Row {
    may_use: BTreeSet<String>,
    holds: String,
}

/// One crate of the workspace, by its short name (`mnemic-store` is `store`).
struct Crate {
    name: String,
    folder: PathBuf,
    manifest: toml::Table,
}

#[test]
fn every_crate_has_a_row_and_every_row_a_crate() {
    let rows = rows();
    let crates = crates();
    let real: BTreeSet<&str> = crates.iter().map(|c| c.name.as_str()).collect();
    let drawn: BTreeSet<&str> = rows.keys().map(String::as_str).collect();
    let mut wrong = Vec::new();
    for name in real.difference(&drawn) {
        wrong.push(format!("`{name}` has no row: add it to the table"));
    }
    for name in drawn.difference(&real) {
        wrong.push(format!("`{name}` has a row but no folder: remove the row"));
    }
    report("ARCHITECTURE.md's table of crates", &wrong);
}

#[test]
fn arrows_are_as_drawn() {
    let rows = rows();
    let mut wrong = Vec::new();
    for krate in crates() {
        let Some(row) = rows.get(&krate.name) else {
            continue; // reported by the test above
        };
        let used = ours(&krate.dependencies(&["dependencies", "build-dependencies"]));
        for name in used.difference(&row.may_use) {
            wrong.push(format!("`{}` uses `{name}`, which its row does not allow", krate.name));
        }
        for name in row.may_use.difference(&used) {
            wrong.push(format!(
                "`{}` may use `{name}` but does not: remove it from its row",
                krate.name
            ));
        }
        for name in ours(&krate.dependencies(&["dev-dependencies"])) {
            if name != "testkit" && !row.may_use.contains(&name) {
                wrong.push(format!(
                    "the tests of `{}` use `{name}`, which its row does not allow",
                    krate.name
                ));
            }
        }
    }
    report("arrows between crates (Cargo.toml against ARCHITECTURE.md)", &wrong);
}

#[test]
fn every_crate_describes_itself_in_one_sentence() {
    let rows = rows();
    let mut wrong = Vec::new();
    for krate in crates() {
        let description = krate.package("description");
        if !description.ends_with('.') {
            wrong.push(format!(
                "`{}`: description in Cargo.toml is missing or no sentence: `{description}`",
                krate.name
            ));
        }
        if let Some(row) = rows.get(&krate.name)
            && !row.holds.starts_with(&description)
        {
            wrong.push(format!(
                "`{}`: its row should begin with its description `{description}`",
                krate.name
            ));
        }
    }
    report("descriptions", &wrong);
}

#[test]
fn every_path_named_exists() {
    let wrong: Vec<String> = paths_in(&architecture())
        .into_iter()
        .filter(|path| !root().join(path).exists())
        .map(|path| format!("`{path}` does not exist: correct it or remove it"))
        .collect();
    report("paths named in ARCHITECTURE.md", &wrong);
}

#[test]
fn no_sqlite_outside_store() {
    let mut wrong = Vec::new();
    for krate in crates().iter().filter(|c| c.name != "store") {
        if krate.all_dependencies().contains("rusqlite") {
            wrong.push(format!("`{}` depends on `rusqlite`", krate.name));
        }
        for (path, text) in krate.sources() {
            for line in lines_with(&text, &["rusqlite"]) {
                wrong.push(format!("{path}:{line} speaks of `rusqlite`"));
            }
        }
    }
    report("all SQL lies in crates/store", &wrong);
}

#[test]
fn no_clock_in_pure_crates() {
    let mut wrong = Vec::new();
    for krate in crates() {
        if !CLOCKLESS_CRATES.contains(&krate.name.as_str()) {
            continue;
        }
        for (path, text) in krate.sources() {
            for line in lines_with(&text, CLOCK_READS) {
                wrong.push(format!("{path}:{line} reads the clock: take it as a value"));
            }
        }
    }
    report("model and text have no clock", &wrong);
}

#[test]
fn no_async_below_the_doors() {
    let mut wrong = Vec::new();
    for krate in crates() {
        if ASYNC_CRATES.contains(&krate.name.as_str()) {
            continue;
        }
        for name in ASYNC_DEPENDENCIES {
            if krate.all_dependencies().contains(*name) {
                wrong.push(format!("`{}` depends on `{name}`", krate.name));
            }
        }
    }
    report("only the doors are async", &wrong);
}

#[test]
fn no_crate_without_the_shared_lints() {
    let wrong: Vec<String> = crates()
        .iter()
        .filter(|c| {
            let lints = c.manifest.get("lints").and_then(|l| l.get("workspace"));
            lints.and_then(toml::Value::as_bool) != Some(true)
        })
        .map(|c| format!("`{}`: add `[lints] workspace = true`", c.name))
        .collect();
    report("shared lints, which deny unsafe code", &wrong);
}

#[test]
fn unsafe_code_stays_in_its_few_files() {
    let mut wrong = Vec::new();
    for krate in crates() {
        for (path, text) in krate.sources() {
            let allowed = UNSAFE_FILES.iter().any(|place| path.starts_with(place));
            for line in lines_with(&text, &["allow(unsafe_code)"]).into_iter().filter(|_| !allowed)
            {
                wrong
                    .push(format!("{path}:{line} allows unsafe code: keep it in {UNSAFE_FILES:?}"));
            }
        }
    }
    report("where unsafe code may stand", &wrong);
}

#[test]
fn every_source_file_opens_with_its_purpose_and_stays_short() {
    let mut wrong = Vec::new();
    let mut long = BTreeSet::new();
    for krate in crates() {
        for (path, text) in krate.sources() {
            if !text.starts_with("//!") {
                wrong.push(format!(
                    "{path} does not open with a `//!` sentence that says what it is for"
                ));
            }
            let lines = text.lines().count();
            if lines > MAX_LINES {
                long.insert(path.clone());
                if !LONG_TABLES.contains(&path.as_str()) {
                    wrong.push(format!(
                        "{path} has {lines} lines, more than {MAX_LINES}: which noun is hiding?"
                    ));
                }
            }
        }
    }
    for table in LONG_TABLES.iter().filter(|t| !long.contains(**t)) {
        wrong.push(format!("{table} is not long any more: take it out of LONG_TABLES"));
    }
    report("source files", &wrong);
}

/// The reader of paths is itself easy to get wrong, and would then check nothing.
#[test]
fn paths_are_told_from_other_code() {
    let text = "\
Named: `crates/store`, `README.md` and `bench/src/main.rs`.\n\
Not paths: `a b/c`, `crates/*`, `BEGIN IMMEDIATE`, `.mnemic/memory.db`, `/etc/x`, `~/x`.\n\
```\n`fenced/code`\n```\n";
    assert_eq!(paths_in(text), ["crates/store", "README.md", "bench/src/main.rs"]);
}

fn report(what: &str, wrong: &[String]) {
    assert!(wrong.is_empty(), "\n{what}: {} to mend\n  {}\n", wrong.len(), wrong.join("\n  "));
}

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).expect("testkit lies two folders below the root").to_path_buf()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("cannot read {path:?}: {error}"))
}

fn architecture() -> String {
    read(&root().join("ARCHITECTURE.md"))
}

/// The table headed `| crate | may use | holds |`, by crate.
fn rows() -> BTreeMap<String, Row> {
    let text = architecture();
    let mut lines = text.lines().map(cells);
    lines
        .by_ref()
        .find(|cells| cells == &["crate", "may use", "holds"])
        .expect("ARCHITECTURE.md has a table headed `| crate | may use | holds |`");
    lines
        .skip(1) // the dashes under the heading
        .map_while(|cells| <[String; 3]>::try_from(cells).ok())
        .map(|[name, may_use, holds]| {
            let may_use = may_use
                .split(',')
                .map(|name| name.trim().to_owned())
                .filter(|name| name != "nothing")
                .collect();
            (name, Row { may_use, holds })
        })
        .collect()
}

/// The cells of one table line without their backticks; none for any other line.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim();
    let Some(inner) = line.strip_prefix('|').and_then(|l| l.strip_suffix('|')) else {
        return Vec::new();
    };
    inner.split('|').map(|cell| cell.trim().replace('`', "")).collect()
}

fn crates() -> Vec<Crate> {
    let mut folders: Vec<PathBuf> = fs::read_dir(root().join("crates"))
        .expect("the workspace has a folder `crates`")
        .map(|entry| entry.expect("`crates` can be listed").path())
        .collect();
    folders.extend(["bench", "bench/scorecard"].map(|folder| root().join(folder)));
    folders.retain(|folder| folder.join("Cargo.toml").is_file());
    folders.sort();
    folders.into_iter().map(Crate::read).collect()
}

impl Crate {
    fn read(folder: PathBuf) -> Self {
        let path = folder.join("Cargo.toml");
        let manifest: toml::Table =
            read(&path).parse().unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let mut krate = Self { name: String::new(), folder, manifest };
        krate.name = krate.package("name").replacen("mnemic-", "", 1);
        krate
    }

    fn package(&self, field: &str) -> String {
        let value = self.manifest.get("package").and_then(|p| p.get(field));
        value.and_then(toml::Value::as_str).unwrap_or_default().to_owned()
    }

    /// Package names in the given sections, those under `[target.…]` included.
    fn dependencies(&self, sections: &[&str]) -> BTreeSet<String> {
        let targets = self.manifest.get("target").and_then(toml::Value::as_table);
        let targets = targets.into_iter().flat_map(toml::Table::values);
        targets
            .filter_map(toml::Value::as_table)
            .chain([&self.manifest])
            .flat_map(|table| sections.iter().filter_map(|section| table.get(*section)))
            .filter_map(toml::Value::as_table)
            .flatten()
            .map(|(key, value)| {
                let renamed = value.get("package").and_then(toml::Value::as_str);
                renamed.unwrap_or(key).to_owned()
            })
            .collect()
    }

    fn all_dependencies(&self) -> BTreeSet<String> {
        self.dependencies(&["dependencies", "build-dependencies", "dev-dependencies"])
    }

    /// Every Rust file under `src` as (path from the root, text).
    fn sources(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        let mut folders = vec![self.folder.join("src")];
        while let Some(folder) = folders.pop() {
            let entries = fs::read_dir(&folder)
                .unwrap_or_else(|error| panic!("cannot list {folder:?}: {error}"));
            for entry in entries {
                let path = entry.expect("a source folder can be listed").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|e| e == "rs") {
                    let short = path.strip_prefix(root()).expect("sources lie in the root");
                    found.push((short.display().to_string(), read(&path)));
                }
            }
        }
        found.sort();
        found
    }
}

/// The crates of this workspace among `packages`, by short name.
fn ours(packages: &BTreeSet<String>) -> BTreeSet<String> {
    packages.iter().filter_map(|name| name.strip_prefix("mnemic-")).map(str::to_owned).collect()
}

/// Numbers of the lines that hold one of `needles` outside a comment.
fn lines_with(text: &str, needles: &[&str]) -> Vec<usize> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim_start().starts_with("//"))
        .filter(|(_, line)| needles.iter().any(|needle| line.contains(needle)))
        .map(|(index, _)| index + 1)
        .collect()
}

/// What stands in backticks, outside fences, and looks like a path of this repository.
///
/// Left out: absolute and home paths, patterns, and `.mnemic/…`, which lies in the
/// user's project and not here.
fn paths_in(text: &str) -> Vec<String> {
    let fences = text.split("```").step_by(2);
    fences
        .flat_map(|prose| prose.split('`').skip(1).step_by(2))
        .filter(|span| {
            span.contains('/') || [".rs", ".md", ".toml"].iter().any(|e| span.ends_with(e))
        })
        .filter(|span| !span.contains(|c: char| c.is_whitespace() || "*…<>{}$:".contains(c)))
        .filter(|span| !["/", "~", ".mnemic/"].iter().any(|p| span.starts_with(p)))
        .map(str::to_owned)
        .collect()
}
