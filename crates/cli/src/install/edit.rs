//! Editing a host's file: in and out again, to the byte where nobody else wrote in between.

use super::record::{Record, Records};
use super::{Program, Target, diff};
use crate::report;
use mnemic_engine::{Error, Result};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

const BOM: &str = "\u{feff}";

/// What becomes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    Made,
    Changed,
    Removed,
    Unchanged,
}

impl Deed {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Deed::Made => "made",
            Deed::Changed => "changed",
            Deed::Removed => "removed",
            Deed::Unchanged => "unchanged",
        }
    }
}

/// What was or would be done to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) path: PathBuf,
    pub(crate) deed: Deed,
    pub(crate) diff: Vec<String>,
    /// What the file was, kept until we are out of it again.
    pub(crate) backup: Option<PathBuf>,
}

/// Puts our parts into a file.
pub(crate) fn connect(
    target: &Target,
    program: &Program,
    records: &Records,
    dry_run: bool,
) -> Result<Change> {
    let path = real(&target.path);
    let now = read(&path)?;
    let text = text_of(&path, now.as_deref())?;
    let (bom, plain) = split_bom(&text);
    let added = add(target, plain, program)?;
    let after = format!("{bom}{added}");
    let mut change = change(&path, now.as_deref().map(|_| text.as_str()), Some(&after));
    if dry_run || change.deed == Deed::Unchanged {
        return Ok(change);
    }
    let known = records.find(&path);
    let made = missing_dirs(&path);
    let record = match known {
        // Ours alone: what was there before us is still what it was.
        Some(known) if now.as_ref() == Some(&known.after) => {
            Record { after: after.clone().into_bytes(), ..known }
        }
        // Somebody wrote in between: what was there before us is all but our parts.
        Some(known) => {
            let before = format!("{bom}{}", without(target, plain)?).into_bytes();
            let before = now.map(|_| before).filter(|_| known.before.is_some() || !is_blank(plain));
            Record { before, after: after.clone().into_bytes(), ..known }
        }
        None => Record { before: now, after: after.clone().into_bytes(), made },
    };
    // The backup comes first: a crash in between leaves one too many, not one too few.
    records.keep(&path, &record)?;
    change.backup = record.before.as_ref().map(|_| records.backup(&path));
    write(&path, after.as_bytes())?;
    Ok(change)
}

/// Takes our parts out of a file.
pub(crate) fn disconnect(target: &Target, records: &Records, dry_run: bool) -> Result<Change> {
    let path = real(&target.path);
    let Some(now) = read(&path)? else {
        if !dry_run {
            records.drop(&path);
        }
        return Ok(change(&path, None, None));
    };
    let record = records.find(&path);
    let text = text_of(&path, Some(&now))?;
    let after = restored(target, &text, &now, record.as_ref())?;
    let change = change(&path, Some(&text), after.as_deref());
    if dry_run {
        return Ok(change);
    }
    match (&after, change.deed) {
        (_, Deed::Unchanged) => {}
        (Some(after), _) => write(&path, after.as_bytes())?,
        (None, _) => {
            let failed = |cause| report::file("remove", path.display(), cause);
            fs::remove_file(&path).map_err(failed)?;
            let made = record.map(|record| record.made).unwrap_or_default();
            for dir in made.iter().rev() {
                // Somebody else may have put something there.
                let _ = fs::remove_dir(dir);
            }
        }
    }
    records.drop(&path);
    Ok(change)
}

/// The text without us; none when the file was ours alone.
fn restored(
    target: &Target,
    text: &str,
    now: &[u8],
    record: Option<&Record>,
) -> Result<Option<String>> {
    let utf8 = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
    let known = record.and_then(|record| {
        let before = record.before.as_deref().map(utf8);
        Some((before.unwrap_or_else(|| Some(String::new()))?, utf8(&record.after)?))
    });
    let existed = record.is_none_or(|record| record.before.is_some());
    let whole = match &known {
        Some((before, after)) if after.as_bytes() == now => before.clone(),
        Some((before, after)) => match diff::taken_back(before, after, text) {
            Some(back) if is_free(target, &back) => back,
            _ => removed(target, text)?,
        },
        None => removed(target, text)?,
    };
    let is_ours_alone = (!existed && is_blank(&whole))
        || (whole.is_empty() && target.parts.contains(&super::Part::Plugin));
    Ok((!is_ours_alone).then_some(whole))
}

fn removed(target: &Target, text: &str) -> Result<String> {
    let (bom, plain) = split_bom(text);
    Ok(format!("{bom}{}", without(target, plain)?))
}

/// Whether nothing of ours is left, and what is left can be read.
fn is_free(target: &Target, text: &str) -> bool {
    let (_, plain) = split_bom(text);
    without(target, plain).is_ok_and(|without| without == plain)
}

/// Whether nobody would miss it.
fn is_blank(text: &str) -> bool {
    let squeezed: String =
        text.chars().filter(|c| !c.is_whitespace() && *c != '\u{feff}').collect();
    matches!(squeezed.as_str(), "" | "{}" | "{\"version\":1}")
}

fn add(target: &Target, text: &str, program: &Program) -> Result<String> {
    let one = |text: String, part: &super::Part| part.add(&text, program, &target.path);
    target.parts.iter().try_fold(text.to_owned(), one)
}

fn without(target: &Target, text: &str) -> Result<String> {
    let one = |text: String, part: &super::Part| part.remove(&text, &target.path);
    target.parts.iter().try_fold(text.to_owned(), one)
}

fn change(path: &Path, before: Option<&str>, after: Option<&str>) -> Change {
    let deed = match (before, after) {
        (None, Some(_)) => Deed::Made,
        (Some(_), None) => Deed::Removed,
        (before, after) if before == after => Deed::Unchanged,
        _ => Deed::Changed,
    };
    let diff = diff::shown(before.unwrap_or_default(), after.unwrap_or_default());
    Change { path: path.to_owned(), deed, diff, backup: None }
}

fn split_bom(text: &str) -> (&str, &str) {
    match text.strip_prefix(BOM) {
        Some(rest) => (BOM, rest),
        None => ("", text),
    }
}

/// Links that lead on to links. More are a circle.
const LINKS: usize = 16;

/// Where a link leads, also to what is not there yet: whoever keeps such files elsewhere keeps
/// their link. One file has one such path, whether it is there or not.
pub(crate) fn real(path: &Path) -> PathBuf {
    let mut real = path.to_owned();
    for _ in 0..LINKS {
        let Ok(next) = fs::read_link(&real) else { break };
        real = real.parent().map_or_else(|| next.clone(), |dir| dir.join(&next));
    }
    let whole = real.ancestors().find_map(|there| {
        let rest = real.strip_prefix(there).ok()?;
        let there = there.canonicalize().ok()?;
        Some(if rest.as_os_str().is_empty() { there } else { there.join(rest) })
    });
    whole.unwrap_or(real)
}

fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(cause) => Err(report::file("read", path.display(), cause)),
    }
}

fn text_of(path: &Path, bytes: Option<&[u8]>) -> Result<String> {
    String::from_utf8(bytes.unwrap_or_default().to_vec()).map_err(|_| -> Error {
        let message = format!("`{}` is not UTF-8 and was left as it is", path.display());
        report::invalid(message, "save it as UTF-8 first")
    })
}

/// The directories above a file that are not there yet, the outermost first.
fn missing_dirs(path: &Path) -> Vec<PathBuf> {
    let above = path.ancestors().skip(1).take_while(|dir| !dir.exists());
    let mut missing: Vec<PathBuf> = above.map(Path::to_owned).collect();
    missing.reverse();
    missing
}

/// Written beside and renamed, with the permissions that the file had.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let failed = |cause| report::file("write", path.display(), cause);
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).map_err(failed)?;
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.mnemic-{}", std::process::id()));
    let permissions = fs::metadata(path).map(|file| file.permissions());
    let written = fs::File::create(&beside).and_then(|mut file| {
        if let Ok(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&beside, path)).map_err(|cause| {
        let _ = fs::remove_file(&beside);
        failed(cause)
    })
}
