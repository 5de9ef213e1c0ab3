//! Whether a project wants no hooks, or must not have any. In doubt it wants none.

use super::tracked::{WHY, is_tracked};
use crate::invocation::Invocation;
use crate::settings::HookSettings;
use mnemic_engine::Error;
use std::io;
use std::path::Path;

/// An empty file of this name turns hooks off in its directory and below.
pub(crate) const FILE: &str = ".mnemic-off";

/// Why nothing may be captured or said.
#[derive(Debug)]
pub(crate) enum Refusal {
    /// Somebody said so.
    Wanted,
    /// It cannot be told whether somebody said so.
    Unclear(String),
}

/// The settings of hooks, unless the project wants none.
pub(crate) fn check(call: &Invocation) -> Result<HookSettings, Refusal> {
    let top = call.project().dir.parent().map(Path::to_owned);
    for dir in call.dir.ancestors() {
        look_for(&dir.join(FILE))?;
        if top.as_deref() == Some(dir) {
            break;
        }
    }
    if let Some(top) = top {
        look_for(&top.join(FILE))?;
    }
    let unclear = |error: Error| Refusal::Unclear(error.chain().join(": "));
    let settings = call.resolved().map_err(unclear)?.hook;
    match settings.is_on {
        false => Err(Refusal::Wanted),
        true if is_tracked(&call.project().file()) => Err(Refusal::Unclear(WHY.to_owned())),
        true => Ok(settings),
    }
}

fn look_for(path: &Path) -> Result<(), Refusal> {
    match path.symlink_metadata() {
        Ok(_) => Err(Refusal::Wanted),
        Err(cause)
            if matches!(cause.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) =>
        {
            Ok(())
        }
        Err(cause) => Err(Refusal::Unclear(format!("`{}`: {cause}", path.display()))),
    }
}
