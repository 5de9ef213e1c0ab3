//! `mnemic reindex`: makes the words index anew from the versions.

use crate::args::StoreArgs;
use crate::invocation::Invocation;
use crate::output::counted;
use crate::report::Done;
use serde_json::{Value, json};

/// Make the words index anew
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  mnemic reindex")]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreArgs,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let mut done = Vec::new();
    for store in args.store.all(&engine)? {
        done.push((store, engine.reindex(store)?));
    }
    let of = |(store, records): &(mnemic_engine::StoreName, u64)| -> Value {
        json!({ "store": store.as_str(), "records": records })
    };
    call.out.answer(
        || json!({ "stores": done.iter().map(of).collect::<Vec<Value>>() }),
        || {
            done.iter().try_for_each(|(store, n)| {
                let records = counted(*n, "record", "records");
                call.out.line(&format!("{store} store: {records} indexed"))
            })
        },
    )
}
