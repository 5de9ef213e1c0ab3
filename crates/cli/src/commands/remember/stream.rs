//! Stores memories as they come in: whatever has been read while the last batch was written is the
//! next batch, so that a slow source is answered at once and a fast one is written in large pieces.

use super::tell;
use crate::commands::embed;
use crate::invocation::Invocation;
use crate::progress::Progress;
use crate::report::{self, Done, Failure};
use crate::{source, view};
use mnemic_engine::model::Draft;
use mnemic_engine::{Engine, Error, ErrorKind, Note, Outcome, Remembered, Result};
use serde_json::{Value, json};
use std::io::BufRead;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// One commit holds at most so many: a second of work at worst, and little to repeat.
const BATCH: usize = 500;

/// Nobody reads more refusals than this: whoever pipes in another format would get three lines for each
/// of theirs.
const MOST_TOLD: u64 = 20;

/// One memory of the input, parsed.
struct Parsed {
    line: u64,
    draft: Result<Draft>,
}

#[derive(Default)]
struct Tally {
    created: u64,
    known: u64,
    refused: u64,
    last: Option<Remembered>,
}

impl Tally {
    fn acknowledged(&self) -> u64 {
        self.created + self.known
    }
}

pub(super) fn run(
    input: impl BufRead + Send + 'static,
    mut note: Note,
    embed_later: bool,
    call: &Invocation,
) -> Done {
    let engine = call.engine_for_many(embed_later)?;
    // All batches are one change: what came in together is undone together.
    note.change = Some(engine.new_change_id());
    let (sender, receiver) = sync_channel(2 * BATCH);
    let reader = thread::spawn(move || read(input, &sender));
    let mut tally = Tally::default();
    if let Err(failure) = write(&receiver, &engine, &note, call, &mut tally) {
        // The reader may be waiting for input that never comes; it ends with the process.
        call.out.note(&format!("{} were stored before this", tally.acknowledged()));
        return Err(failure);
    }
    let stopped = || Error::new(ErrorKind::Internal, "the reader of the input stopped");
    reader.join().unwrap_or_else(|_| Err(stopped()))?;
    let done = summarise(&tally, call);
    embed::after_many(&engine, embed_later, call);
    done
}

fn read(input: impl BufRead, sender: &SyncSender<Parsed>) -> Result<()> {
    source::each(input, |item| {
        let line = item.line;
        sender.send(Parsed { line, draft: item.draft() }).is_ok()
    })
}

fn write(
    receiver: &Receiver<Parsed>,
    engine: &Engine,
    note: &Note,
    call: &Invocation,
    tally: &mut Tally,
) -> Done {
    let progress = Progress::of_memories();
    while let Ok(first) = receiver.recv() {
        let mut lines = Vec::new();
        let mut drafts = Vec::new();
        for parsed in std::iter::once(first).chain(receiver.try_iter().take(BATCH - 1)) {
            match parsed.draft {
                Ok(draft) => {
                    lines.push(parsed.line);
                    drafts.push(draft);
                }
                Err(error) => progress.aside(|| refuse(parsed.line, &error, call, tally)),
            }
        }
        if drafts.is_empty() {
            continue;
        }
        let results = engine.remember_each(drafts, note)?;
        progress.advance(results.len() as u64);
        progress.aside(|| acknowledge(lines.into_iter().zip(results), call, tally))?;
    }
    Ok(())
}

/// Tells what is on the disk now, and only that.
fn acknowledge(
    results: impl Iterator<Item = (u64, Result<Remembered>)>,
    call: &Invocation,
    tally: &mut Tally,
) -> Done {
    for (line, result) in results {
        match result {
            Ok(remembered) => {
                match remembered.outcome {
                    Outcome::Created => tally.created += 1,
                    Outcome::Known | Outcome::Replayed => tally.known += 1,
                }
                if call.out.json {
                    call.out.record(&numbered(line, view::remembered(&remembered)))?;
                } else {
                    call.out.line(remembered.id.as_str())?;
                }
                tally.last = Some(remembered);
            }
            Err(error) => refuse(line, &error, call, tally),
        }
    }
    call.out.flush()
}

fn refuse(line: u64, error: &Error, call: &Invocation, tally: &mut Tally) {
    tally.refused += 1;
    if call.out.json {
        report::to_stderr(&format!("{}\n", numbered(line, report::error_view(error))));
    } else if tally.refused <= MOST_TOLD {
        report::to_stderr(&format!("line {line}: {}", report::told(error)));
    }
}

fn numbered(line: u64, view: Value) -> Value {
    let mut fields = json!({ "line": line });
    if let (Value::Object(fields), Value::Object(view)) = (&mut fields, view) {
        fields.extend(view);
    }
    fields
}

fn summarise(tally: &Tally, call: &Invocation) -> Done {
    match (&tally.last, tally.acknowledged(), tally.refused) {
        (Some(only), 1, 0) => tell(only, call),
        _ => call.out.note(&format!(
            "{} stored, {} already known, {} refused",
            tally.created, tally.known, tally.refused
        )),
    }
    if tally.refused > MOST_TOLD && !call.out.json {
        call.out.note(&format!(
            "of those refused the first {MOST_TOLD} are told; a text that is no JSON is kept with \
             `mnemic remember resource TITLE --from FILE`"
        ));
    }
    if tally.refused > 0 {
        return Err(Failure::Reported(ErrorKind::Invalid.exit_code()));
    }
    Ok(())
}
