//! Runs the tests of the rows, each test file once, and listens to what they tell.

use super::figures::Figures;
use super::rows::{Row, Trial};
use std::collections::BTreeMap;
use std::error::Error;
use std::process::{Command, Output};

pub(super) fn all(rows: &[&Row], long: bool) -> Result<Figures, Box<dyn Error>> {
    let mut trials: BTreeMap<Trial, Vec<&str>> = BTreeMap::new();
    for row in rows {
        for trial in row.trials {
            trials.entry(*trial).or_default().push(row.name);
        }
    }
    let mut figures = Figures::default();
    for (trial, names) in trials {
        eprintln!("{}: {trial}", names.join(", "));
        let output = command(trial, long).output()?;
        let said = said(&output);
        if !output.status.success() {
            eprintln!("{said}");
            names.iter().for_each(|name| figures.failed(name));
        }
        figures.read(&said);
    }
    Ok(figures)
}

fn command(trial: Trial, long: bool) -> Command {
    let mut command = match trial {
        Trial::Test { package, file } => {
            let mut cargo = Command::new("cargo");
            cargo.args(["test", "--quiet", "--locked", "-p", package, "--test", file]);
            if long {
                cargo.arg("--release");
            }
            cargo.args(["--", "--nocapture"]);
            cargo
        }
        Trial::Script { name, short, long: in_full } => {
            let mut script = Command::new(name);
            script.args(if long { in_full } else { short });
            script
        }
    };
    command.env_remove("MNEMIC_LONG");
    if long {
        command.env("MNEMIC_LONG", "1");
    }
    command
}

fn said(output: &Output) -> String {
    let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
    text(&output.stdout) + "\n" + &text(&output.stderr)
}
