//! `mnemic show ID` from process start to exit, with `mnemic --version` beside it in the same run.

use super::engine_at;
use crate::report::{Figure, percentile};
use mnemic_engine::model::{At, Filter};
use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

pub(crate) fn measure(dir: &Path, mnemic: &Path, n: usize) -> Result<Vec<Figure>, Box<dyn Error>> {
    let ids = {
        let engine = engine_at(dir)?;
        let filter = Filter { limit: n, ..Filter::new(At::LATEST) };
        let page = engine.list(&filter).map_err(|e| format!("{e:?}"))?;
        page.items.into_iter().map(|item| item.version.id.to_string()).collect::<Vec<_>>()
    };
    let home = tempfile::tempdir()?;
    let run = |arguments: &[&str]| -> Result<f64, Box<dyn Error>> {
        let mut command = Command::new(mnemic);
        command.args(arguments).current_dir(dir).env("HOME", home.path());
        command.env_remove("XDG_DATA_HOME").stdout(Stdio::null()).stderr(Stdio::inherit());
        let start = Instant::now();
        let status = command.status()?;
        let elapsed = start.elapsed().as_secs_f64() * 1e3;
        if status.success() { Ok(elapsed) } else { Err(format!("{arguments:?} failed").into()) }
    };
    let (mut shows, mut versions) = (Vec::new(), Vec::new());
    for id in &ids {
        versions.push(run(&["--version"])?);
        shows.push(run(&["show", id])?);
    }
    let n = shows.len() as u64;
    Ok(vec![
        Figure::new("cold `mnemic show ID`, median", percentile(&mut shows, 0.5), "ms", n),
        Figure::new("  p99", percentile(&mut shows, 0.99), "ms", n),
        Figure::new(
            "`mnemic --version`, median, same run",
            percentile(&mut versions, 0.5),
            "ms",
            n,
        ),
    ])
}
