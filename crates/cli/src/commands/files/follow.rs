//! Files that follow every change: edits come in before a command, what it changed goes out after.

use super::{Again, directory, is_named, made, tell};
use crate::args::StoreArgs;
use crate::commands::{self, Command};
use crate::invocation::Invocation;
use crate::report::Done;
use mnemic_engine::{Engine, Hands, StoreName};
use std::path::PathBuf;

/// Runs a command between the two, where the setting `files.on_change` says so.
pub(crate) fn around(command: Command, call: &Invocation) -> Done {
    if !concerns(&command) || !is_on(call) {
        return commands::run(command, call);
    }
    // What goes wrong with files must not stop the command: it is told, and tried again next time.
    if let Err(trouble) = before(call) {
        complain("read", &trouble, call);
    }
    let done = commands::run(command, call);
    if let Err(trouble) = after(call) {
        complain("write", &trouble, call);
    }
    done
}

/// Commands that neither change memories nor show them.
fn concerns(command: &Command) -> bool {
    !matches!(
        command,
        Command::Files(_)
            | Command::Init(_)
            | Command::Config(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::Restore(_)
            | Command::Verify(_)
            | Command::Doctor(_)
    )
}

fn is_on(call: &Invocation) -> bool {
    // Broken settings are the command's to complain about.
    call.resolved().is_ok_and(|resolved| resolved.files_on_change) && !call.project_is_missing()
}

fn opened(call: &Invocation) -> mnemic_engine::Result<(Engine, PathBuf)> {
    let engine = Engine::open(call.engine_settings()?)?;
    let dir = directory(None, &engine, StoreName::Project, call).map_err(|_| {
        mnemic_engine::Error::new(mnemic_engine::ErrorKind::Io, "the directory cannot be found")
    })?;
    Ok((engine, dir))
}

fn before(call: &Invocation) -> mnemic_engine::Result<()> {
    let (engine, dir) = opened(call)?;
    if !engine.has_files(StoreName::Project, &dir)? {
        return Ok(());
    }
    let noticed = engine.files_notice(StoreName::Project, &dir, Hands::Git)?;
    tell::warn(&noticed, &Again::new(None, &StoreArgs { store: None }), call);
    for (_, place) in noticed.deleted.iter().take(3) {
        call.out.note(&format!("`{place}` was deleted; `mnemic files read` asks what that means"));
    }
    Ok(())
}

fn after(call: &Invocation) -> mnemic_engine::Result<()> {
    let (engine, dir) = opened(call)?;
    made(&dir, is_named(None, call)?)?;
    let dir = dir.canonicalize().unwrap_or(dir);
    engine.files_follow(StoreName::Project, &dir).map(drop)
}

fn complain(doing: &str, trouble: &mnemic_engine::Error, call: &Invocation) {
    let why = trouble.chain().join(": ");
    call.out.warn(&format!("cannot {doing} the files that follow every change: {why}"));
}
