//! A store as lossless JSONL.

use super::Args;
use crate::invocation::Invocation;
use crate::output::counted;
use crate::report::{self, Done, Failure};
use mnemic_engine::{Engine, Exported, Result, StoreName};
use serde_json::json;
use std::fs::OpenOptions;
use std::io::{self, BufWriter, Write};
use std::ops::DerefMut;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

pub(super) fn run(file: Option<PathBuf>, args: &Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let store = args.store.one(&engine)?;
    match file.filter(|file| file != Path::new("-")) {
        None => {
            let exported = to_stdout(&engine, store, call)?;
            tell(&exported, call);
            Ok(())
        }
        Some(file) if file.exists() && !args.force => Err(report::invalid(
            format!("`{}` exists already", file.display()),
            "choose another name, or overwrite it with `--force`",
        )
        .into()),
        Some(file) => {
            let exported = to_file(&engine, store, &file)?;
            call.out.answer(
                || {
                    json!({
                        "path": file,
                        "records": exported.records,
                        "versions": exported.versions,
                        "links": exported.links,
                        "tombstones": exported.tombstones,
                    })
                },
                || {
                    tell(&exported, call);
                    call.out.line(&file.display().to_string())
                },
            )
        }
    }
}

fn to_stdout(engine: &Engine, store: StoreName, call: &Invocation) -> Done<Exported> {
    let mut writer = Watched { inner: call.out.raw(), reader_left: false };
    let exported = engine.export(store, &mut writer);
    let left = writer.reader_left;
    drop(writer);
    match exported {
        Err(_) if left => Err(Failure::ReaderLeft),
        exported => {
            let exported = exported?;
            call.out.flush()?;
            Ok(exported)
        }
    }
}

/// Notices that the reader left, which the engine can only report as any other failure.
struct Watched<W> {
    inner: W,
    reader_left: bool,
}

impl<W: DerefMut<Target: Write>> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes);
        self.reader_left |= written.as_ref().is_err_and(|e| e.kind() == io::ErrorKind::BrokenPipe);
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.inner.flush();
        self.reader_left |= flushed.as_ref().is_err_and(|e| e.kind() == io::ErrorKind::BrokenPipe);
        flushed
    }
}

fn tell(exported: &Exported, call: &Invocation) {
    call.out.note(&format!(
        "exported {}, {}, {}, {}",
        counted(exported.records, "record", "records"),
        counted(exported.versions, "version", "versions"),
        counted(exported.links, "link", "links"),
        counted(exported.tombstones, "tombstone", "tombstones"),
    ));
}

/// Written beside and renamed when whole, readable by its owner alone.
fn to_file(engine: &Engine, store: StoreName, file: &Path) -> Result<Exported> {
    whole_file(file, &mut |writer| engine.export(store, writer))
}

/// The same for whatever writes a file.
pub(super) fn whole_file<T>(
    file: &Path,
    write: &mut dyn FnMut(&mut dyn Write) -> Result<T>,
) -> Result<T> {
    let failed = |cause| report::file("write", file.display(), cause);
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}", std::process::id()));
    let beside = file.with_file_name(name);
    let open = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside);
    let mut writer = BufWriter::new(open.map_err(failed)?);
    let exported = write(&mut writer);
    let whole = exported.and_then(|exported| {
        writer.flush().map_err(failed)?;
        writer.get_ref().sync_all().map_err(failed)?;
        std::fs::rename(&beside, file).map_err(failed)?;
        Ok(exported)
    });
    if whole.is_err() {
        // Half an export would look like a whole one.
        let _ = std::fs::remove_file(&beside);
    }
    whole
}
