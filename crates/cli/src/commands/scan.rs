//! `mnemic scan`: looks for secrets in what is stored, and takes them out on request.

use super::redact;
use crate::invocation::Invocation;
use crate::output::{counted, plain};
use crate::prompt;
use crate::report::Done;
use mnemic_engine::{Scanned, Target};
use serde_json::{Value, json};

/// Look for secrets in what is stored
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic scan
  mnemic scan --fix --yes

Finds what would not be let in today: secrets, personal data and your own rules, as the settings
`secrets.*` say. `--fix` replaces all of it by placeholders, everywhere; this cannot be undone.")]
pub(crate) struct Args {
    /// Replace what is found
    #[arg(long)]
    fix: bool,
    /// Do not ask
    #[arg(long, short, requires = "fix")]
    yes: bool,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    if !args.fix {
        let scanned = engine.scan()?;
        return call.out.answer(|| view(&scanned), || tell(&scanned, call));
    }
    if !args.yes {
        let found = engine.scan()?.found.len() as u64;
        let memories = counted(found, "memory", "memories");
        let question = format!("Replace secrets in {memories} for good? This cannot be undone.");
        prompt::agree(&question, false, "scan --fix")?;
    }
    redact::answer(&engine.redact(&Target::Everything, false)?, false, call)
}

fn view(scanned: &Scanned) -> Value {
    let found: Vec<Value> = scanned
        .found
        .iter()
        .map(|(store, id, tally)| json!({ "store": store.as_str(), "id": id, "found": tally }))
        .collect();
    json!({ "memories": scanned.memories, "found": found })
}

fn tell(scanned: &Scanned, call: &Invocation) -> Done {
    for (_, id, tally) in &scanned.found {
        let told: Vec<String> = tally.iter().map(|(rule, n)| format!("{n} × {rule}")).collect();
        call.out.line(&format!("{}  {}", plain(id.as_str()), told.join(", ")))?;
    }
    let looked = counted(scanned.memories, "memory", "memories");
    match scanned.found.len() as u64 {
        0 => call.out.note(&format!("{looked}: nothing that should not be there")),
        n => {
            let some = counted(n, "memory holds", "memories hold");
            call.out.note(&format!("{some} what should not be there; `mnemic scan --fix`"));
        }
    }
    Ok(())
}
