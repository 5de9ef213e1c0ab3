//! `mnemic verify`: checks that every row is what was written, and names each that is not.

use crate::args::StoreArgs;
use crate::invocation::Invocation;
use crate::output::{ALARM, counted, one_line};
use crate::report::{Done, Failure};
use crate::view;
use mnemic_engine::{ErrorKind, Finding, StoreName, Verification};
use serde_json::{Value, json};

/// Check every row of a store; exit code 11 when one is damaged
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  mnemic verify\n  mnemic verify --store user --json")]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreArgs,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let mut checked = Vec::new();
    for store in args.store.all(&engine)? {
        checked.push((store, engine.verify(store)?));
    }
    call.out.answer(
        || json!({ "stores": checked.iter().map(|(store, found)| of(*store, found)).collect::<Vec<Value>>() }),
        || checked.iter().try_for_each(|(store, found)| tell(*store, found, call)),
    )?;
    if checked.iter().all(|(_, found)| found.findings.is_empty()) {
        return Ok(());
    }
    Err(Failure::Reported(ErrorKind::Damaged.exit_code()))
}

fn of(store: StoreName, found: &Verification) -> Value {
    json!({
        "store": store.as_str(),
        "records": found.records,
        "versions": found.versions,
        "audit_entries": found.audit_entries,
        "findings": found.findings.iter().map(view::finding).collect::<Vec<Value>>(),
    })
}

fn tell(store: StoreName, found: &Verification, call: &Invocation) -> Done {
    let looked_at = format!(
        "{store} store: {}, {}, {}",
        counted(found.records, "record", "records"),
        counted(found.versions, "version", "versions"),
        counted(found.audit_entries, "audit entry", "audit entries"),
    );
    if found.findings.is_empty() {
        return call.out.line(&format!("{looked_at}: all as written"));
    }
    let damages = counted(found.findings.len() as u64, "finding", "findings");
    call.out.line(&format!("{looked_at}: {}", call.out.paint(ALARM, &damages)))?;
    for finding in &found.findings {
        call.out.line(&format!("  {}", said(finding)))?;
    }
    if found.findings.iter().any(|finding| !finding.derived) {
        call.out.note("damaged rows come back with `mnemic restore --latest`");
    } else {
        call.out.note("only derived data is damaged: `mnemic reindex` makes it anew");
    }
    Ok(())
}

fn said(finding: &Finding) -> String {
    let row = finding.row.map(|row| format!(" row {row}")).unwrap_or_default();
    let record = finding.record.as_ref().map(|id| format!(" of {id}")).unwrap_or_default();
    one_line(&format!("{}{row}{record}: {}", finding.place, finding.problem), 300)
}
