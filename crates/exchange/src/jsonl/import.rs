//! Reading a store in, line by line: what is broken is named, and the rest comes in.

use super::line::{FORMAT, Line, VersionLine};
use mnemic_model::time::CEILING;
use mnemic_model::{
    Actor, Change, ChangeId, Content, Interval, Link, RecordId, Tombstone, Verb, Version,
};
use mnemic_store::{Result, Write, fingerprint};
use std::fmt;

/// What came in so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Landed {
    pub records: u64,
    pub versions: u64,
    pub links: u64,
    /// Records that were here already, to the letter.
    pub known: u64,
    /// What did not come in, and why, by line.
    pub skipped: Vec<String>,
}

/// The input is not one of our exports at all.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable(pub String);

/// Takes lines one after the other. A record comes in whole: its versions are held back until the
/// next line is about something else.
pub struct Importer<'a> {
    /// What becomes of a content before it is compared or kept.
    admit: &'a dyn Fn(Content) -> Result<Content>,
    change: ChangeId,
    actor: Actor,
    pub landed: Landed,
    number: u64,
    seen_header: bool,
    seen_end: bool,
    pending: Vec<(Version, Option<ChangeId>)>,
    pending_line: u64,
    refused: Option<RecordId>,
}

impl fmt::Debug for Importer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Importer").field("landed", &self.landed).finish_non_exhaustive()
    }
}

impl<'a> Importer<'a> {
    /// `change` was begun in the store and is what `undo` will name.
    pub fn new(
        change: ChangeId,
        actor: Actor,
        admit: &'a dyn Fn(Content) -> Result<Content>,
    ) -> Importer<'a> {
        Importer {
            admit,
            change,
            actor,
            landed: Landed::default(),
            number: 0,
            seen_header: false,
            seen_end: false,
            pending: Vec::new(),
            pending_line: 0,
            refused: None,
        }
    }

    /// One line. The outer error is the store's; the inner one says that this is no export of ours.
    pub fn line(&mut self, tx: &mut dyn Write, text: &str) -> Result<Result<(), Unreadable>> {
        self.number += 1;
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            return Ok(Ok(()));
        }
        let line: Line = match serde_json::from_str(text) {
            Ok(line) => line,
            Err(cause) if !self.seen_header => return Ok(Err(Unreadable(cause.to_string()))),
            Err(cause) => {
                self.skip(self.number, &cause.to_string());
                return Ok(Ok(()));
            }
        };
        match line {
            Line::Header { format, .. } if format > FORMAT => {
                return Ok(Err(Unreadable(format!("it has format {format}, newer than {FORMAT}"))));
            }
            Line::Header { .. } => self.seen_header = true,
            _ if !self.seen_header => {
                return Ok(Err(Unreadable("its first line is not a header".to_owned())));
            }
            Line::Version(line) => self.version(tx, line)?,
            other => {
                self.flush(tx)?;
                self.take(tx, other)?;
            }
        }
        Ok(Ok(()))
    }

    /// A line that could not even be read, e.g. because it is not UTF-8.
    pub fn unreadable_line(&mut self, why: &str) {
        self.number += 1;
        self.skip(self.number, why);
    }

    /// Takes in what is held back; call it before each commit.
    pub fn flush(&mut self, tx: &mut dyn Write) -> Result<()> {
        let versions = std::mem::take(&mut self.pending);
        let Some((first, _)) = versions.first() else { return Ok(()) };
        let (id, line) = (first.id.clone(), self.pending_line);
        let here = tx.versions(&id)?;
        if !here.is_empty() {
            let same = here.iter().eq(versions.iter().map(|(version, _)| version));
            match same {
                true => self.landed.known += 1,
                false => self.skip(line, &format!("`{id}` is here already with another history")),
            }
            return Ok(());
        }
        if let Some(why) = refusal(tx, &id, &versions)? {
            self.skip(line, &why);
            self.refused = Some(id);
            return Ok(());
        }
        for (version, ended_by) in &versions {
            let print = tx.import_version(version, ended_by.as_ref())?;
            tx.audit(&self.actor, Verb::Import, id.as_str(), Some(print))?;
        }
        tx.note_arrival(&id, &self.change)?;
        self.landed.records += 1;
        self.landed.versions += versions.len() as u64;
        Ok(())
    }

    /// At the end of the input: complains when the file was cut off.
    pub fn finish(&mut self, tx: &mut dyn Write) -> Result<()> {
        self.flush(tx)?;
        if self.seen_header && !self.seen_end {
            self.skip(self.number, "the file ends early: its last line is missing");
        }
        Ok(())
    }

    pub fn seen_header(&self) -> bool {
        self.seen_header
    }

    fn version(&mut self, tx: &mut dyn Write, line: VersionLine) -> Result<()> {
        if self.pending.first().is_some_and(|(first, _)| first.id != line.id) {
            self.flush(tx)?;
        }
        if self.pending.is_empty() {
            self.pending_line = self.number;
        }
        let ended_by = line.ended_by.clone();
        match into_version(line) {
            Ok(mut version) if version.n as usize == self.pending.len() + 1 => {
                match (self.admit)(version.content) {
                    Ok(content) => version.content = content,
                    Err(mnemic_store::Error::Secret(why)) => {
                        self.skip(self.number, &why);
                        return Ok(());
                    }
                    Err(failed) => return Err(failed),
                }
                self.pending.push((version, ended_by));
            }
            Ok(version) => {
                let why = format!("version {} of `{}` is out of order", version.n, version.id);
                self.skip(self.number, &why);
            }
            Err(why) => self.skip(self.number, &why),
        }
        Ok(())
    }

    fn take(&mut self, tx: &mut dyn Write, line: Line) -> Result<()> {
        match line {
            Line::Change(line) => tx.import_change(&Change::from(line)),
            Line::Link(line) => {
                let ended_by = line.ended_by.clone();
                match line.into_link() {
                    Ok(link) if both_ends_here(tx, &link)? => {
                        if !tx.has_link(&link)? {
                            tx.import_link(&link, ended_by.as_ref())?;
                            let subject = format!("{} {} {}", link.from, link.relation, link.to);
                            tx.audit(&self.actor, Verb::Import, &subject, None)?;
                            self.landed.links += 1;
                        }
                        Ok(())
                    }
                    Ok(link) => {
                        let why = format!("`{}` or `{}` is not here to link", link.from, link.to);
                        self.skip(self.number, &why);
                        Ok(())
                    }
                    Err(why) => {
                        self.skip(self.number, &why.to_string());
                        Ok(())
                    }
                }
            }
            Line::Usage(line) => {
                if self.refused.as_ref() != Some(&line.id) && !tx.versions(&line.id)?.is_empty() {
                    tx.set_usage(&line.id, &line.usage())?;
                }
                Ok(())
            }
            Line::Tombstone(line) => {
                let stone = Tombstone::from(line);
                if !tx.versions(&stone.id)?.is_empty() {
                    let why =
                        format!("`{}` was forgotten elsewhere; forget it here too?", stone.id);
                    self.skip(self.number, &why);
                }
                // In the chain, so that nothing is recorded before it from now on.
                if tx.bury(&stone)? {
                    tx.audit(&self.actor, Verb::Import, stone.id.as_str(), None)?;
                }
                Ok(())
            }
            Line::End { .. } => {
                self.seen_end = true;
                Ok(())
            }
            Line::Header { .. } | Line::Version(_) => Ok(()),
        }
    }

    fn skip(&mut self, line: u64, why: &str) {
        self.landed.skipped.push(format!("line {line}: {why}"));
    }
}

/// Recorded times beyond this leave no room for later ones.
fn is_too_late(version: &Version) -> bool {
    version.recorded.to().unwrap_or(version.recorded.from()) > CEILING
}

fn into_version(line: VersionLine) -> std::result::Result<Version, String> {
    let version = (|| {
        Ok::<_, mnemic_model::Invalid>(Version {
            content: Content::from_fields(line.content, None)?,
            recorded: Interval::new(line.recorded_at, line.expired_at)?,
            id: line.id.clone(),
            n: line.n,
            change: line.change,
        })
    })();
    let version = version.map_err(|why| format!("version {} of `{}`: {why}", line.n, line.id))?;
    version.check().map_err(|why| format!("version {} of `{}`: {why}", line.n, line.id))?;
    Ok(version)
}

fn both_ends_here(tx: &dyn Write, link: &Link) -> Result<bool> {
    Ok(!tx.versions(&link.from)?.is_empty() && !tx.versions(&link.to)?.is_empty())
}

/// Why a record must not come in, if it must not.
fn refusal(
    tx: &dyn Write,
    id: &RecordId,
    versions: &[(Version, Option<ChangeId>)],
) -> Result<Option<String>> {
    for (version, ended_by) in versions {
        if is_too_late(version) {
            return Ok(Some(format!("`{id}` was recorded at the end of the calendar")));
        }
        let print = fingerprint::forgotten(&version.content.body);
        if tx.buried(Some(id), print, None)?.is_some() {
            return Ok(Some(format!("`{id}` was forgotten here on request")));
        }
        for change in std::iter::once(&version.change).chain(ended_by) {
            if tx.change(change)?.is_none() {
                return Ok(Some(format!("`{id}` names the change `{change}`, which is missing")));
            }
        }
    }
    let in_order = versions.windows(2).all(|pair| {
        let (before, after) = (&pair[0].0, &pair[1].0);
        before.recorded.to().is_some_and(|end| end <= after.recorded.from())
    });
    if !in_order {
        return Ok(Some(format!("the recorded times of `{id}` overlap")));
    }
    let last = versions.last().map(|(version, _)| version).filter(|last| last.is_current());
    let Some((last, slot)) = last.and_then(|last| Some((last, last.content.slot()?))) else {
        return Ok(None);
    };
    let holders = tx.holders(&slot, &last.content.scope, last.content.valid.from())?;
    let taken = holders.iter().find(|held| held.content.valid.overlaps(&last.content.valid));
    Ok(taken.map(|held| {
        format!(
            "`{id}` and `{}` give {} `{}` a value at the same time",
            held.id,
            last.kind(),
            last.content.body.title()
        )
    }))
}
