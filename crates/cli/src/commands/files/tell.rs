//! Tells what became of files.

use super::Again;
use crate::install::quoted;
use crate::invocation::Invocation;
use crate::output::counted;
use crate::report::Done;
use mnemic_engine::{FilesRead, FilesWritten};
use serde_json::{Value, json};
use std::path::Path;

pub(super) fn written(done: &FilesWritten, dir: &Path, again: &Again, call: &Invocation) -> Done {
    for place in &done.held {
        call.out.warn(&format!("`{place}` holds an edit that was not read yet; it stays as it is"));
    }
    if !done.held.is_empty() {
        call.out.note(&format!("take it over with: {}", again.read()));
    }
    for place in &done.theirs {
        call.out.warn(&format!("`{place}` is not of mnemic's making; it stays as it is"));
    }
    if !done.theirs.is_empty() {
        call.out.note("memories are better kept in a directory of their own");
    }
    call.out.answer(
        || {
            json!({
                "dir": dir,
                "memories": done.memories,
                "written": done.written,
                "removed": done.removed,
                "held": done.held,
                "theirs": done.theirs,
            })
        },
        || {
            call.out.line(&format!(
                "{}: {}, {} written, {} removed",
                dir.display(),
                counted(done.memories as u64, "memory", "memories"),
                counted(done.written as u64, "file", "files"),
                done.removed,
            ))
        },
    )
}

pub(super) fn read(done: &FilesRead, dir: &Path, again: &Again, call: &Invocation) -> Done {
    warn(done, again, call);
    call.out.answer(|| view(done), || plain(done, dir, call))
}

/// What needs a person's eye, whoever asked.
pub(super) fn warn(done: &FilesRead, again: &Again, call: &Invocation) {
    for (place, why) in &done.broken {
        call.out.warn(&format!("`{place}` was not taken: {why}"));
    }
    for conflict in &done.conflicts {
        call.out.warn(&format!("`{}` was not taken: {}", conflict.place, conflict.why));
        call.out.note(&format!("compare it with: mnemic show {}", conflict.id));
        let (read, only) = (again.read(), quoted(&conflict.place));
        call.out.note(&format!("to keep what the file says: {read} --keep file --only {only}"));
        call.out.note(&format!("to keep what the store says: {read} --keep store --only {only}"));
    }
    for (place, id, fields) in &done.set_back {
        let named: Vec<String> = fields.iter().map(|field| format!("`{field}`")).collect();
        let named = named.join(", ");
        call.out.warn(&format!("`{place}`: {named} cannot be edited in a file and was set back"));
        if fields.contains(&"trust") {
            call.out.note(&format!("a person vouches for it with: mnemic confirm {id}"));
        }
    }
}

fn view(done: &FilesRead) -> Value {
    let edited: Vec<Value> =
        done.edited.iter().map(|(id, by)| json!({ "id": id, "author": by })).collect();
    let conflicts: Vec<Value> = done
        .conflicts
        .iter()
        .map(|one| json!({ "file": one.place, "id": one.id, "why": one.why }))
        .collect();
    let broken: Vec<Value> =
        done.broken.iter().map(|(place, why)| json!({ "file": place, "why": why })).collect();
    let deleted: Vec<Value> =
        done.deleted.iter().map(|(id, place)| json!({ "id": id, "file": place })).collect();
    let set_back: Vec<Value> = done
        .set_back
        .iter()
        .map(|(place, id, fields)| json!({ "file": place, "id": id, "fields": fields }))
        .collect();
    let overruled: Vec<Value> =
        done.overruled.iter().map(|(place, id)| json!({ "id": id, "file": place })).collect();
    json!({
        "edited": edited,
        "new": done.new,
        "set_back": set_back,
        "overruled": overruled,
        "conflicts": conflicts,
        "broken": broken,
        "deleted": deleted,
    })
}

fn plain(done: &FilesRead, dir: &Path, call: &Invocation) -> Done {
    for (id, by) in &done.edited {
        call.out.line(&format!("edited {id} by {by}"))?;
    }
    for id in &done.new {
        call.out.line(&format!("new {id}"))?;
    }
    for (place, _) in &done.overruled {
        call.out.line(&format!("wrote {place} anew: the store holds"))?;
    }
    for (id, place) in &done.deleted {
        call.out.line(&format!("deleted {place} ({id} is still here)"))?;
    }
    if done.is_quiet() {
        call.out.line(&format!("nothing was edited in {}", dir.display()))?;
    }
    Ok(())
}
