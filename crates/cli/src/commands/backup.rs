//! `mnemic backup`: a complete copy of a store, made while others write.

use crate::args::StoreArgs;
use crate::invocation::Invocation;
use crate::output::{FAINT, counted, size};
use crate::report::Done;
use crate::times::age;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Make a complete copy of a store
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic backup
  mnemic backup --to /media/stick/memory.db
  mnemic backup --list")]
pub(crate) struct Args {
    /// Where to, the same as --to
    #[arg(value_name = "FILE", conflicts_with_all = ["to", "list"])]
    file: Option<PathBuf>,
    /// Where to; beside the store if no place is named
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    to: Option<PathBuf>,
    /// List the backups beside the store
    #[arg(long, conflicts_with = "to")]
    list: bool,
    #[command(flatten)]
    store: StoreArgs,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let store = args.store.one(&engine)?;
    if args.list {
        let backups = engine.backups(store)?;
        let items = || -> Vec<Value> {
            backups.iter().map(|(path, at)| json!({ "path": path, "at": at })).collect()
        };
        return call.out.answer(
            || json!({ "store": store.as_str(), "items": items() }),
            || {
                for (path, at) in &backups {
                    let when = call.out.paint(FAINT, &age(*at, call.now));
                    call.out.line(&format!("{}  {when}", path.display()))?;
                }
                if backups.is_empty() {
                    call.out.note("there are none; `mnemic backup` makes one");
                }
                Ok(())
            },
        );
    }
    let made = engine.backup(store, args.to.or(args.file).as_deref())?;
    call.out.answer(
        || {
            json!({
                "store": store.as_str(),
                "path": made.path,
                "bytes": made.bytes,
                "records": made.records,
            })
        },
        || {
            call.out.line(&made.path.display().to_string())?;
            let records = counted(made.records, "record", "records");
            call.out.note(&format!("{records}, {}, of the {store} store", size(made.bytes)));
            Ok(())
        },
    )
}
