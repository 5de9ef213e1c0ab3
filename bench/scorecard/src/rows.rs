//! The rows of the scorecard, and what tries each of them.

use std::fmt;

/// Something that is run in a checkout and tells figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trial {
    Test { package: &'static str, file: &'static str },
    Script { name: &'static str, short: &'static [&'static str], long: &'static [&'static str] },
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trial::Test { package, file } => write!(f, "cargo test -p {package} --test {file}"),
            Trial::Script { name, .. } => f.write_str(name),
        }
    }
}

#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) what: &'static str,
    pub(super) trials: &'static [Trial],
}

const fn cli(file: &'static str) -> Trial {
    Trial::Test { package: "mnemic-cli", file }
}

const fn engine(file: &'static str) -> Trial {
    Trial::Test { package: "mnemic-engine", file }
}

const fn row(name: &'static str, what: &'static str, trials: &'static [Trial]) -> Row {
    Row { name, what, trials }
}

/// Every target for a second in short form: CI runs `scripts/fuzz` by itself, a minute each.
const FUZZ: Trial = Trial::Script { name: "scripts/fuzz", short: &["1"], long: &["600"] };

/// Through the built binary; ten minutes at 100,000 memories in full.
const LOAD: Trial = Trial::Script {
    name: "scripts/bench",
    short: &["serve", "--memories", "2000", "--seconds", "5", "--meaning", "off"],
    long: &["serve", "--memories", "100000", "--seconds", "600"],
};

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    row("R1", "killed while ten processes write", &[cli("crash")]),
    row("R2", "power lost: unsynced writes dropped, pages torn", &[cli("power_loss")]),
    row("R3", "the k-th call to the disk fails", &[cli("io_errors"), cli("crash_points")]),
    row("R4", "a full disk", &[cli("full_disk")]),
    row("R5", "a read-only disk, no home", &[cli("read_only")]),
    row("R6", "ten processes write", &[cli("many_writers")]),
    row("R7", "ten processes open an old file", &[cli("upgrade")]),
    row("R8", "flipped bytes, cut and zeroed files", &[engine("byte_flips")]),
    row("R9", "damaged derived data, a restore drill", &[engine("damaged_index"), cli("restore_while_writing")]),
    row("R10", "old schemas, killed at each step of the upgrade", &[cli("upgrade")]),
    row("R11", "the embedding model changes, killed in between", &[cli("model_change")]),
    row("R12", "clocks that jump", &[engine("odd_clocks"), cli("odd_clocks")]),
    row("R13", "large input", &[engine("large_input")]),
    row("R14", "odd text", &[engine("hostile_input")]),
    row("R15", "hostile queries", &[engine("hostile_input")]),
    row("R16", "fuzzing", &[FUZZ]),
    row("R17", "random lives against a model", &[engine("against_a_model")]),
    row("R18", "a seeded simulation of days", &[engine("simulation")]),
    row("R19", "killed between commit and reply", &[cli("lost_reply")]),
    row("R20", "hosts start and stop", &[cli("hook_orphans")]),
    row("R21", "hooks while the store is locked, full, damaged", &[cli("hook_trouble")]),
    row("R22", "ten agents for long", &[engine("soak")]),
    row("R23", "a server under load", &[cli("serve"), LOAD]),
    row("R24", "injected text captured again", &[engine("echo")]),
    row("R25", "a language model that hangs, refuses, costs", &[engine("language")]),
    row("R26", "tenants never see each other", &[cli("serve")]),
    row("R27", "planted secrets", &[engine("vault_leaks"), cli("planted_secrets")]),
    row("R28", "poisoned documents", &[engine("poisoned"), cli("serve")]),
    row("R29", "a forgotten memory", &[engine("traces_after_forgetting"), cli("moved_project")]),
    row("R30", "attacks on the local server", &[cli("serve")]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_there_once_and_every_test_exists() {
        for (n, row) in ROWS.iter().enumerate() {
            assert_eq!(row.name, format!("R{}", n + 1));
            for trial in row.trials {
                let path = match trial {
                    Trial::Test { package, file } => {
                        let folder = package.trim_start_matches("mnemic-");
                        format!("../../crates/{folder}/tests/{file}")
                    }
                    Trial::Script { name, .. } => format!("../../{name}"),
                };
                let is_there = |path: &str| std::path::Path::new(path).exists();
                let found = is_there(&path) || is_there(&format!("{path}.rs"));
                assert!(found, "{} names {path}", row.name);
            }
        }
        assert_eq!(ROWS.len(), 30);
    }
}
