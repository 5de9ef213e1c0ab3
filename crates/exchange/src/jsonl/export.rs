//! Writing a store out, one consistent view of it.

use super::line::{FORMAT, Line, LinkLine, UsageLine, VersionLine};
use mnemic_model::{Usage, Version};
use mnemic_store::{Error, Read, Result};
use std::io::Write;

/// What was written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exported {
    pub records: u64,
    pub versions: u64,
    pub links: u64,
    pub tombstones: u64,
}

/// Writes everything that `read` sees, in the order in which it came in.
pub fn export(read: &dyn Read, out: &mut dyn Write) -> Result<Exported> {
    let mut done = Exported::default();
    put(out, &Line::Header { format: FORMAT, made_by: made_by() })?;
    for change in read.used_changes()? {
        put(out, &Line::Change(change.into()))?;
    }
    read.each_record(&mut |id| {
        done.records += 1;
        for version in read.versions(id)? {
            done.versions += 1;
            let ended_by = match version.is_current() {
                true => None,
                false => read.ended_by(id, version.n)?,
            };
            put(out, &Line::Version(version_line(version, ended_by)))?;
        }
        let usage = read.usage(id)?;
        if usage != Usage::default() {
            put(out, &Line::Usage(UsageLine::of(id.clone(), usage)))?;
        }
        Ok(())
    })?;
    for link in read.all_links()? {
        done.links += 1;
        let ended_by = read.link_ended_by(&link)?;
        put(out, &Line::Link(LinkLine::of(link, ended_by)))?;
    }
    for stone in read.tombstones()? {
        done.tombstones += 1;
        put(out, &Line::Tombstone(stone.into()))?;
    }
    let Exported { records, versions, links, tombstones } = done;
    put(out, &Line::End { records, versions, links, tombstones })?;
    out.flush().map_err(Error::file("write", "the export"))?;
    Ok(done)
}

fn made_by() -> String {
    format!("mnemic {}", env!("CARGO_PKG_VERSION"))
}

fn version_line(version: Version, ended_by: Option<mnemic_model::ChangeId>) -> VersionLine {
    VersionLine {
        n: version.n,
        recorded_at: version.recorded.from(),
        expired_at: version.recorded.to(),
        change: version.change,
        ended_by,
        content: version.content.to_fields(),
        id: version.id,
    }
}

fn put(out: &mut dyn Write, line: &Line) -> Result<()> {
    let failed = || Error::file("write", "the export");
    serde_json::to_writer(&mut *out, line).map_err(|cause| failed()(cause.into()))?;
    out.write_all(b"\n").map_err(failed())
}
