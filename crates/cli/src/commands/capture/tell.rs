//! What a capture tells: per file for programs, as a whole for people.

use super::Read;
use crate::commands::import::set_apart;
use crate::invocation::Invocation;
use crate::output::{counted, kind_name, plain};
use crate::report::{self, Done};
use mnemic_engine::model::Kind;
use mnemic_engine::{Captured, Distilled};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Lines of one file that are named; the others are counted.
const MOST_LINES: usize = 10;

pub(super) fn told(
    reads: &[Read],
    habits: Option<&Captured>,
    distilled: Option<&Distilled>,
    dry_run: bool,
    call: &Invocation,
) -> Done {
    if !call.out.json {
        // An only file's error, or the store's, is the error of the whole and told at the end.
        let is_whole = |read: &Read| reads.len() == 1 || read.is_the_end();
        for read in reads.iter().filter(|read| read.outcome.is_ok() || !is_whole(read)) {
            warn(read, call);
        }
    }
    let captured: Vec<&Captured> =
        reads.iter().filter_map(|read| read.outcome.as_ref().ok()).collect();
    let all: Vec<&Captured> = captured.iter().copied().chain(habits).collect();
    let change = all.iter().find_map(|one| one.change.clone());
    call.out.answer(
        || {
            json!({
                "files": reads.iter().map(file).collect::<Vec<Value>>(),
                "sessions": sum(&captured, |one| one.sessions),
                "episodes": episodes(&all),
                "findings": findings(&all),
                "quarantined": sum(&all, |one| one.quarantined),
                "language": distilled.map(model),
                "dry_run": dry_run,
                "change": change,
            })
        },
        || {
            page(&captured, &all, dry_run, call)?;
            if let Some(distilled) = distilled {
                by_model(distilled, dry_run, call)?;
            }
            if let Some(change) = &change {
                call.out.note(&format!("to take it back: mnemic undo {change}"));
            }
            Ok(())
        },
    )
}

fn model(distilled: &Distilled) -> Value {
    json!({
        "episodes": distilled.episodes,
        "new": distilled.new,
        "same": distilled.known,
        "stopped": distilled.stopped,
    })
}

/// What a language model made of it; nothing is said where none is named.
fn by_model(distilled: &Distilled, dry_run: bool, call: &Invocation) -> Done {
    if distilled.episodes > 0 {
        let episodes = counted(distilled.episodes, "episode", "episodes");
        let told = match dry_run {
            true => format!("the language model would read {episodes}"),
            false => {
                let found = counted(distilled.new, "finding", "findings");
                format!("the language model read {episodes}: {found}")
            }
        };
        call.out.line(&told)?;
    }
    if let Some(why) = &distilled.stopped {
        call.out.warn(&plain(&format!("the language model was not asked further: {why}")));
    }
    Ok(())
}

fn sum(all: &[&Captured], of: fn(&Captured) -> u64) -> u64 {
    all.iter().map(|one| of(one)).sum()
}

fn episodes(all: &[&Captured]) -> Value {
    json!({
        "new": sum(all, |one| one.new),
        "grown": sum(all, |one| one.grown),
        "same": sum(all, |one| one.same),
    })
}

fn by_kind(all: &[&Captured]) -> BTreeMap<Kind, u64> {
    let mut kinds = BTreeMap::new();
    for (kind, count) in all.iter().flat_map(|one| &one.findings) {
        *kinds.entry(*kind).or_default() += count;
    }
    kinds
}

fn findings(all: &[&Captured]) -> Value {
    let new: Map<String, Value> =
        by_kind(all).into_iter().map(|(kind, n)| (kind.as_str().to_owned(), json!(n))).collect();
    json!({
        "new": new,
        "same": sum(all, |one| one.known_findings),
        "contested": sum(all, |one| one.contested),
        "forgotten": sum(all, |one| one.forgotten),
    })
}

fn file(read: &Read) -> Value {
    let captured = match &read.outcome {
        Err(error) => {
            let mut view = report::error_view(error);
            view["file"] = json!(read.name);
            return view;
        }
        Ok(captured) => captured,
    };
    let lines = captured.report.problems.iter();
    let lines = lines.map(|problem| json!({ "line": problem.line, "what": problem.what }));
    json!({
        "file": read.name,
        "unchanged": captured.unchanged,
        "sessions": captured.sessions,
        "episodes": episodes(&[captured]),
        "findings": findings(&[captured]),
        "broken_lines": captured.report.broken_lines,
        "problems": lines.collect::<Vec<Value>>(),
        "unfinished": captured.report.unfinished,
        "passed_over": captured.report.skipped,
        "refused": captured.refused,
    })
}

fn warn(read: &Read, call: &Invocation) {
    match &read.outcome {
        Err(error) => {
            report::to_stderr(&report::told(error));
        }
        Ok(captured) => {
            let report = &captured.report;
            for problem in report.problems.iter().take(MOST_LINES) {
                let (line, what) = (problem.line, &problem.what);
                call.out.warn(&format!("{} line {line} {what}", read.name));
            }
            let unnamed = report.broken_lines.saturating_sub(MOST_LINES as u64);
            if unnamed > 0 {
                call.out.warn(&format!("{} and {unnamed} more lines", read.name));
            }
            for refused in &captured.refused {
                call.out.warn(&format!("not stored: {refused}"));
            }
            if report.unfinished {
                let name = &read.name;
                call.out.note(&format!("{name}: the last line is cut off; it is left for later"));
            }
        }
    }
}

fn page(captured: &[&Captured], all: &[&Captured], dry_run: bool, call: &Invocation) -> Done {
    let unchanged = captured.iter().filter(|one| one.unchanged).count();
    let read = captured.len() - unchanged;
    if unchanged > 0 {
        let files = counted(unchanged as u64, "file is", "files are");
        call.out.line(&format!("{files} as before"))?;
    }
    if read > 0 {
        episodes_line(captured, all, dry_run, call)?;
    }
    found(all, dry_run, call)?;
    set_apart(sum(all, |one| one.quarantined), call);
    passed_over(captured, call)
}

fn episodes_line(
    captured: &[&Captured],
    all: &[&Captured],
    dry_run: bool,
    call: &Invocation,
) -> Done {
    let would = if dry_run { "would be " } else { "" };
    let (new, grown, same) =
        (sum(all, |one| one.new), sum(all, |one| one.grown), sum(all, |one| one.same));
    let mut parts = vec![format!("{new} {would}new")];
    if grown > 0 {
        parts.push(format!("{grown} went on"));
    }
    if same > 0 {
        parts.push(format!("{same} here already"));
    }
    let sessions = counted(sum(captured, |one| one.sessions), "session", "sessions");
    let episodes = counted(new + grown + same, "episode", "episodes");
    call.out.line(&format!("{sessions}, {episodes}: {}", parts.join(", ")))
}

fn found(all: &[&Captured], dry_run: bool, call: &Invocation) -> Done {
    let kinds = by_kind(all);
    let named = |(kind, count): (&Kind, &u64)| {
        let name = kind_name(*kind);
        counted(*count, &name, &format!("{name}s"))
    };
    if !kinds.is_empty() {
        let kinds: Vec<String> = kinds.iter().map(named).collect();
        call.out.line(&format!("found {}", kinds.join(", ")))?;
    }
    for (count, what) in [
        (sum(all, |one| one.known_findings), "found before"),
        (sum(all, |one| one.contested), "left out: a person says otherwise"),
        (sum(all, |one| one.forgotten), "left out: forgotten on request"),
    ] {
        if count > 0 {
            call.out.line(&format!("{count} {what}"))?;
        }
    }
    if !kinds.is_empty() && !dry_run {
        call.out.note("no person has looked at it yet: mnemic review");
    }
    Ok(())
}

/// Types of lines that say nothing about what happened, for whoever wonders what is missing.
fn passed_over(captured: &[&Captured], call: &Invocation) -> Done {
    let mut types: BTreeMap<&str, u64> = BTreeMap::new();
    for (name, count) in captured.iter().flat_map(|one| &one.report.skipped) {
        *types.entry(name).or_default() += count;
    }
    if !types.is_empty() {
        let types: Vec<String> = types.iter().map(|(name, n)| format!("{n} {name}")).collect();
        call.out.note(&plain(&format!("passed over: {}", types.join(", "))));
    }
    Ok(())
}
