//! `mnemic audit`: the chained log of all writes and of every reading of a secret.

use crate::args::{StoreArgs, whole};
use crate::invocation::Invocation;
use crate::output::{ALARM, counted, one_line};
use crate::report::{self, Done, Failure};
use crate::times::LocalClock;
use crate::view;
use mnemic_engine::{AuditSignature, Engine, ErrorKind, StoreName};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Show the audit log: who did what to what, in order
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  mnemic audit --limit 50
  mnemic audit --after 1200 --json
  mnemic audit verify
  mnemic audit sign > audit.sig

The log holds names and fingerprints, never text. Each entry carries the hash of the one before."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    show: ShowArgs,
}

#[derive(Debug, clap::Args)]
struct ShowArgs {
    /// How many at most
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<usize>("20"))]
    limit: usize,
    /// Begin after this entry
    #[arg(long, value_name = "SEQ", value_parser = whole::<u64>("1200"))]
    after: Option<u64>,
    #[command(flatten)]
    store: StoreArgs,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Show the latest entries, the same as without a word
    #[command(after_help = "Example:\n  mnemic audit show --limit 50")]
    Show(ShowArgs),
    /// Follow the chain from its beginning; exit code 11 when it breaks
    #[command(
        after_help = "Examples:\n  mnemic audit verify\n  mnemic audit verify --signature audit.sig"
    )]
    Verify {
        /// Also check that the log is the one that was signed
        #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
        signature: Option<PathBuf>,
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Sign the end of the chain with the key of your vault
    #[command(
        after_help = "Example:\n  mnemic audit sign > audit.sig\n\nKeep it elsewhere: who can \
write to this machine could sign again."
    )]
    Sign {
        #[command(flatten)]
        store: StoreArgs,
    },
    /// Print the whole log, one JSON object a line
    #[command(after_help = "Example:\n  mnemic audit export > audit.ndjson")]
    Export {
        #[command(flatten)]
        store: StoreArgs,
    },
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    match args.action {
        None => show(args.show, &engine, call),
        Some(Action::Show(args)) => show(args, &engine, call),
        Some(Action::Verify { signature, store }) => {
            verify(&engine, store.one(&engine)?, signature, call)
        }
        Some(Action::Sign { store }) => {
            let signature = engine.audit_sign(store.one(&engine)?)?;
            call.out.record(&json!(signature))
        }
        Some(Action::Export { store }) => export(&engine, store.one(&engine)?, call),
    }
}

fn show(args: ShowArgs, engine: &Engine, call: &Invocation) -> Done {
    let store = args.store.one(engine)?;
    // Without a beginning the latest entries are meant. The chain has no gaps: its length is known.
    let after = match args.after {
        Some(after) => after,
        None => {
            let entries = engine.stats(store, mnemic_engine::model::At::LATEST)?.audit_entries;
            entries.saturating_sub(args.limit as u64)
        }
    };
    let entries = engine.audit(store, after, args.limit)?;
    call.out.answer(
        || json!({ "store": store.as_str(), "items": entries.iter().map(view::audit).collect::<Vec<Value>>() }),
        || {
            let clock = LocalClock::new();
            for entry in &entries {
                let at = clock.second(entry.at);
                let actor = one_line(&entry.actor.to_string(), 40);
                let subject = one_line(&entry.subject, 80);
                call.out.line(&format!("{}  {at}  {actor}  {}  {subject}", entry.seq, entry.verb))?;
            }
            Ok(())
        },
    )
}

fn verify(
    engine: &Engine,
    store: StoreName,
    signature: Option<PathBuf>,
    call: &Invocation,
) -> Done {
    let state = engine.audit_verify(store)?;
    let signed = signature.map(|path| read(&path)).transpose()?;
    if let Some(signature) = &signed {
        engine.audit_check(store, signature)?;
    }
    let entries = counted(state.entries, "entry", "entries");
    call.out.answer(
        || {
            json!({ "store": store.as_str(), "entries": state.entries,
                    "broken_at": state.broken_at, "signed_up_to": signed.as_ref().map(|s| s.seq) })
        },
        || match state.broken_at {
            Some(seq) => {
                let told = format!("{entries}: the chain breaks at entry {seq}");
                call.out.line(&call.out.paint(ALARM, &told))
            }
            None => {
                let signed = match &signed {
                    Some(signature) => format!(", as signed up to entry {}", signature.seq),
                    None => String::new(),
                };
                call.out.line(&format!("{entries}: the chain is whole{signed}"))
            }
        },
    )?;
    match state.broken_at {
        None => Ok(()),
        Some(_) => Err(Failure::Reported(ErrorKind::Damaged.exit_code())),
    }
}

fn read(path: &Path) -> Done<AuditSignature> {
    let text = std::fs::read_to_string(path)
        .map_err(|cause| report::file("read", path.display(), cause))?;
    Ok(serde_json::from_str(&text).map_err(|cause| {
        report::invalid(
            format!("`{}` is not a signature of mnemic", path.display()),
            "make one with `mnemic audit sign`",
        )
        .because(cause)
    })?)
}

fn export(engine: &Engine, store: StoreName, call: &Invocation) -> Done {
    let mut after = 0;
    loop {
        let entries = engine.audit(store, after, 1_000)?;
        let Some(last) = entries.last() else { return Ok(()) };
        after = last.seq;
        for entry in &entries {
            call.out.record(&view::audit(entry))?;
        }
    }
}
