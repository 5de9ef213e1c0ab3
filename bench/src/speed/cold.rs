//! `mnemic recall` from process start to exit, with `mnemic --version` beside it in the same run.

use super::{Figures, timed};
use crate::report::{Figure, percentile};
use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};

pub(super) fn measure(dir: &Path, mnemic: &Path, questions: &[String]) -> Figures {
    let home = tempfile::tempdir()?;
    let run = |arguments: &[&str]| -> Result<f64, Box<dyn Error>> {
        let mut command = Command::new(mnemic);
        command.args(arguments).current_dir(dir).env("HOME", home.path());
        command.env_remove("XDG_DATA_HOME").stdout(Stdio::null()).stderr(Stdio::inherit());
        timed(|| match command.status()?.success() {
            true => Ok(()),
            false => Err(format!("{arguments:?} failed").into()),
        })
    };
    let (mut counted, mut uncounted, mut versions) = (Vec::new(), Vec::new(), Vec::new());
    for question in questions {
        versions.push(run(&["--version"])?);
        uncounted.push(run(&["--quiet", "recall", "--no-usage", "--", question])?);
        // With bounds, a store of stand-in vectors often has no answer whose use could be counted.
        counted.push(run(&["--quiet", "recall", "--all", "--", question])?);
    }
    let n = questions.len() as u64;
    let median =
        |name: &str, samples: &mut [f64]| Figure::new(name, percentile(samples, 0.5), "ms", n);
    Ok(vec![
        median("cold `mnemic recall --no-usage`, median", &mut uncounted),
        Figure::new("  p99", percentile(&mut uncounted, 0.99), "ms", n),
        median("cold `mnemic recall --all`, use counted, median", &mut counted),
        Figure::new("  p99", percentile(&mut counted, 0.99), "ms", n),
        median("`mnemic --version`, median, same run", &mut versions),
    ])
}
