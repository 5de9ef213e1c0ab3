//! `mnemic restore`: puts a backup in the place of a store, also of one that does not open.

use crate::args::StoreArgs;
use crate::invocation::Invocation;
use crate::output::counted;
use crate::prompt;
use crate::report::{self, Done};
use mnemic_engine::{Engine, Restored, StoreName};
use serde_json::json;
use std::path::PathBuf;

/// Put a backup in the place of a store
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic restore --latest
  mnemic restore /media/stick/memory.db --store user --yes

A store that is whole is backed up first and then is what the backup says. Of a damaged one,
everything that is still as it was written is kept over the backup, and the file is set aside.")]
pub(crate) struct Args {
    /// The backup
    #[arg(value_name = "FILE", required_unless_present = "latest", value_hint = clap::ValueHint::FilePath)]
    file: Option<PathBuf>,
    /// The latest good backup beside the store
    #[arg(long, conflicts_with = "file")]
    latest: bool,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
    #[command(flatten)]
    store: StoreArgs,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let settings = call.engine_settings()?;
    let store = args.store.store.unwrap_or(StoreName::Project);
    if let Some(file) = &args.file {
        let failed = |cause| report::file("restore from", file.display(), cause);
        std::fs::metadata(file).map_err(failed)?;
    }
    prompt::agree(
        &format!("Put a backup in the place of the {store} store?"),
        args.yes,
        "restore",
    )?;
    let restored = Engine::restore(&settings, store, args.file.as_deref())?;
    call.out.answer(
        || {
            json!({
                "store": store.as_str(),
                "from": restored.from,
                "kept_aside": restored.kept_aside,
                "records": restored.records,
                "salvaged": restored.salvaged,
                "lost": restored.lost,
                "more_lost": restored.more_lost,
            })
        },
        || tell(&restored, call),
    )
}

fn tell(restored: &Restored, call: &Invocation) -> Done {
    let records = counted(restored.records, "record", "records");
    match &restored.from {
        Some(backup) => call.out.line(&format!("restored {records} from {}", backup.display()))?,
        None => {
            call.out.line(&format!("there was no backup; saved {records} from what was there"))?
        }
    }
    if restored.salvaged > 0 {
        let salvaged = counted(restored.salvaged, "version", "versions");
        call.out.line(&format!("{salvaged} of them came from what was there"))?;
    }
    if restored.lost > 0 {
        let lost = counted(restored.lost, "row", "rows");
        let more = if restored.more_lost { " or more" } else { "" };
        call.out.warn(&format!("{lost}{more} could not be saved"));
    }
    if let Some(aside) = &restored.kept_aside {
        call.out.line(&format!("what was there is kept in {}", aside.display()))?;
    }
    call.out.note("next: mnemic verify");
    Ok(())
}
