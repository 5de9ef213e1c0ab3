//! `mnemic files`: memories as plain files that people edit and git versions.

mod follow;
pub(crate) mod layout;
mod tell;

pub(crate) use follow::around;

use crate::args::{StoreArgs, choice};
use crate::install::quoted;
use crate::invocation::Invocation;
use crate::output::counted;
use crate::prompt;
use crate::report::{self, Done};
use crate::settings::Key;
use mnemic_engine::{Engine, FilesAsk, FilesRead, Hands, Keep, Note, StoreName};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// Write memories as plain files, and read back what people edited in them
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic files write
  mnemic files write docs/memory
  mnemic files read --dry-run
  mnemic config set files.on_change on

Each memory has a file of its own, so that two branches merge without a conflict. The lists beside
them are made from the files and ignored by git. What is in `.mnemic` stays out of the repository:
to have git version the files, name a directory outside of it.")]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Debug, clap::Subcommand)]
enum Verb {
    Write(WriteArgs),
    Read(ReadArgs),
}

/// Bring the files to what the store believes; unread edits stay
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  mnemic files write\n  mnemic files write docs/memory")]
struct WriteArgs {
    /// The directory; `.mnemic/files` or the setting `files.dir` if none is named
    #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    files: Option<PathBuf>,
    #[command(flatten)]
    store: StoreArgs,
}

/// Take over what people edited, as versions of theirs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic files read
  mnemic files read docs/memory --dry-run
  mnemic files read --archive-deleted
  mnemic files read --keep file --only semantic/patterns/sem-1.json

Where a file and the store both changed, nothing is taken until you say which of them holds.")]
struct ReadArgs {
    /// The directory; `.mnemic/files` or the setting `files.dir` if none is named
    #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    files: Option<PathBuf>,
    /// Tell what would happen, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Archive memories whose file was deleted, without asking
    #[arg(long)]
    archive_deleted: bool,
    /// Where both changed, keep what the file says or what the store says
    #[arg(long, value_name = "SIDE", value_parser = choice(Keep::ALL, Keep::as_str))]
    keep: Option<Keep>,
    /// This file alone, by its path below the directory; may be repeated
    #[arg(long, value_name = "FILE")]
    only: Vec<String>,
    #[command(flatten)]
    store: StoreArgs,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    match args.verb {
        Verb::Write(args) => write(args, call),
        Verb::Read(args) => read(args, call),
    }
}

/// The directory that is meant, as an absolute path.
fn directory(
    named: Option<&Path>,
    engine: &Engine,
    store: StoreName,
    call: &Invocation,
) -> Done<PathBuf> {
    let said = &call.resolved()?.files_dir;
    let dir = match named {
        Some(dir) => call.dir.join(dir),
        None if said.as_os_str().is_empty() => engine.files_dir(store)?,
        None => {
            let store = call.project().dir;
            let project = store.parent().unwrap_or(&call.dir);
            let dir = project.join(said);
            if call.resolved()?.is_said_by_project(Key::FilesDir) && !lies_within(&dir, project) {
                return Err(stranger(said).into());
            }
            dir
        }
    };
    // Named differently, it is the same directory; it may not exist yet.
    Ok(dir.canonicalize().unwrap_or(dir))
}

fn write(args: WriteArgs, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let store = args.store.one(&engine)?;
    let dir = directory(args.files.as_deref(), &engine, store, call)?;
    made(&dir, is_named(args.files.as_deref(), call)?)?;
    let dir = dir.canonicalize().unwrap_or(dir);
    let written = engine.files_write(store, &dir)?;
    let again = Again::new(args.files.as_deref(), &args.store);
    tell::written(&written, &dir, &again, call)
}

/// A project's file comes with the project, perhaps from a stranger: it must not make us write
/// elsewhere.
fn stranger(said: &Path) -> mnemic_engine::Error {
    let said = said.display();
    report::invalid(
        format!("a project's file may not send files to `{said}`, which is outside the project"),
        format!("say so in your own file: `mnemic config set files.dir {said} --user`"),
    )
}

/// Also where a link leads; what does not exist yet lies where its nearest parent does.
fn lies_within(dir: &Path, project: &Path) -> bool {
    let climbs = dir.components().any(|part| part == std::path::Component::ParentDir);
    let there = dir.ancestors().find_map(|parent| parent.canonicalize().ok());
    !climbs && there.zip(project.canonicalize().ok()).is_some_and(|(a, b)| a.starts_with(b))
}

/// Whether somebody chose the place, by a word or by a setting.
fn is_named(named: Option<&Path>, call: &Invocation) -> mnemic_engine::Result<bool> {
    Ok(named.is_some() || !call.resolved()?.files_dir.as_os_str().is_empty())
}

/// Makes the directory: for the owner alone, unless somebody named the place.
fn made(dir: &Path, is_named: bool) -> mnemic_engine::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    if !is_named {
        builder.mode(0o700);
    }
    builder.create(dir).map_err(|cause| report::file("create", dir.display(), cause))
}

/// The command line that means the same directory again.
struct Again(String);

impl Again {
    fn new(dir: Option<&Path>, store: &StoreArgs) -> Again {
        let dir = dir.map(|dir| format!(" {}", quoted(&dir.to_string_lossy())));
        let store = store.store.map(|store| format!(" --store {}", store.as_str()));
        Again(format!("{}{}", dir.unwrap_or_default(), store.unwrap_or_default()))
    }

    fn read(&self) -> String {
        format!("mnemic files read{}", self.0)
    }

    fn write(&self) -> String {
        format!("mnemic files write{}", self.0)
    }
}

fn read(args: ReadArgs, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let store = args.store.one(&engine)?;
    let dir = directory(args.files.as_deref(), &engine, store, call)?;
    let again = Again::new(args.files.as_deref(), &args.store);
    let ask =
        FilesAsk { hands: Hands::Git, dry_run: args.dry_run, keep: args.keep, only: args.only };
    let read = engine.files_read(store, &dir, &ask, &Note::default())?;
    tell::read(&read, &dir, &again, call)?;
    if !args.dry_run {
        archive(&read, args.archive_deleted, &engine, &again, call)?;
    }
    let open = read.conflicts.len() + read.broken.len();
    match open {
        0 => Ok(()),
        open => Err(report::invalid(
            format!("{} not taken", counted(open as u64, "file was", "files were")),
            format!(
                "mend what is named above; `mnemic show ID` shows what the store says, and a \
                 deleted file is written anew by `{}`",
                again.write()
            ),
        )
        .into()),
    }
}

/// A deleted file is a question: the memory is archived when somebody says so, and never forgotten.
fn archive(
    read: &FilesRead,
    agreed: bool,
    engine: &Engine,
    again: &Again,
    call: &Invocation,
) -> Done {
    if read.deleted.is_empty() {
        return Ok(());
    }
    let count = counted(read.deleted.len() as u64, "memory", "memories");
    if !agreed {
        if !prompt::is_possible() {
            call.out.note(&format!(
                "to archive them: {} --archive-deleted; to have the files back: {}",
                again.read(),
                again.write()
            ));
            return Ok(());
        }
        let question = format!("archive {count} whose file was deleted?");
        if prompt::agree(&question, false, "files read").is_err() {
            let write = again.write();
            call.out.note(&format!("they stay as they are; `{write}` brings the files back"));
            return Ok(());
        }
    }
    let ids: Vec<_> = read.deleted.iter().map(|(id, _)| id.clone()).collect();
    engine.files_archive(&ids, &Note::because("its file was deleted"))?;
    call.out.note(&format!("archived {count}; `mnemic undo` takes that back"));
    Ok(())
}
