//! `export` and `import` of our own lossless format.

use crate::entry::Way;
use crate::{Engine, Error, ErrorKind, Note, Result, StoreName};
use mnemic_exchange::jsonl::{self, Importer};
use mnemic_model::job::JobKind;
use mnemic_model::policy::Deed;
use mnemic_model::{ChangeId, Content, Trust, Verb};
use std::borrow::Cow;
use std::cell::Cell;
use std::io::{BufRead, Read as _, Write};

pub use mnemic_exchange::jsonl::Exported;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    pub records: u64,
    pub versions: u64,
    pub links: u64,
    /// Records that were here already.
    pub known: u64,
    /// Versions that were trusted where they come from, and wait for a review here.
    pub doubted: u64,
    /// What did not come in, and why.
    pub skipped: Vec<String>,
    /// Undo this to take it all back.
    pub change: ChangeId,
}

/// Lines in one transaction: enough to be fast, few enough that other writers get their turn.
const BATCH: usize = 1_000;

/// A version at its largest, escaped; what is longer was not written by us.
const LONGEST_LINE: u64 = 64 * 1024 * 1024;

impl Engine {
    pub fn export(&self, store: StoreName, out: &mut dyn Write) -> Result<Exported> {
        let read = self.store(store)?.read()?;
        Ok(jsonl::export(read.as_ref(), out)?)
    }

    /// Takes an export in. Importing twice changes nothing; what is here already stays as it is.
    pub fn import(
        &self,
        store: StoreName,
        input: &mut dyn BufRead,
        note: &Note,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Imported> {
        let sqlite = self.store(store)?;
        let change = note.change.clone().unwrap_or_else(|| self.new_change_id());
        let note = Note { change: Some(change.clone()), ..note.clone() };
        let vouched = note.vouched && self.require(Deed::Import, Trust::Trusted).is_ok();
        let doubted = Cell::new(0);
        let admit = |content: Content| {
            let was_trusted = content.trust() == Trust::Trusted;
            let admitted = match vouched {
                true => {
                    self.settings.screen.content(&content).map(Cow::into_owned).map_err(Into::into)
                }
                false => self.admitted(self.vouched(content), Way::Found),
            };
            if was_trusted && admitted.as_ref().is_ok_and(|it| it.trust() != Trust::Trusted) {
                doubted.set(doubted.get() + 1);
            }
            admitted.map_err(|cause| mnemic_store::Error::Secret(cause.message().to_owned()))
        };
        let mut importer = Importer::new(change.clone(), self.settings.actor.clone(), &admit);
        let mut lines = Lines { input, bytes: 0 };
        loop {
            let mut tx = sqlite.write()?;
            self.begin(tx.as_mut(), Verb::Import, &note)?;
            let mut taken = 0;
            while taken < BATCH {
                match lines.next()? {
                    Next::End => break,
                    Next::Broken(why) => importer.unreadable_line(why),
                    Next::Line(text) => {
                        if let Err(jsonl::Unreadable(why)) = importer.line(tx.as_mut(), &text)? {
                            return Err(not_ours(&why));
                        }
                    }
                }
                taken += 1;
            }
            let at_end = taken < BATCH;
            if at_end {
                if !importer.seen_header() {
                    return Err(not_ours("it is empty"));
                }
                importer.finish(tx.as_mut())?;
                // What came in may deny what was here.
                if importer.landed.versions > 0 {
                    tx.enqueue(JobKind::Consolidate, "import")?;
                }
            }
            tx.commit()?;
            progress(lines.bytes);
            if at_end {
                break;
            }
        }
        let landed = importer.landed;
        Ok(Imported {
            records: landed.records,
            versions: landed.versions,
            links: landed.links,
            known: landed.known,
            doubted: doubted.get(),
            skipped: landed.skipped,
            change,
        })
    }
}

fn not_ours(why: &str) -> Error {
    Error::new(ErrorKind::Invalid, format!("this is not an export of mnemic: {why}")).hint(
        "make one with `mnemic export FILE`; single memories come in with `mnemic remember -`",
    )
}

enum Next {
    Line(String),
    /// Passed over, with the reason.
    Broken(&'static str),
    End,
}

/// Lines of bounded length.
struct Lines<'i> {
    input: &'i mut dyn BufRead,
    bytes: u64,
}

impl Lines<'_> {
    fn next(&mut self) -> Result<Next> {
        let failed = |cause: std::io::Error| {
            Error::new(ErrorKind::Io, "the input cannot be read").because(cause)
        };
        let mut line = Vec::new();
        let read =
            (&mut *self.input).take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(failed)?;
        self.bytes += read as u64;
        if read == 0 {
            return Ok(Next::End);
        }
        if read as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
            self.bytes += self.input.skip_until(b'\n').map_err(failed)? as u64;
            return Ok(Next::Broken("the line is longer than any that mnemic writes"));
        }
        match String::from_utf8(line) {
            Ok(line) => Ok(Next::Line(line)),
            Err(_) => Ok(Next::Broken("the line is not UTF-8")),
        }
    }
}
