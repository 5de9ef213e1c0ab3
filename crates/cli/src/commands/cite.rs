//! `mnemic cite`: notes which memories an agent says it applied.

use crate::invocation::Invocation;
use crate::output::{KEY, counted, plain};
use crate::report::{Done, file};
use mnemic_engine::CitedMemories;
use serde_json::json;
use std::io::Read;
use std::path::PathBuf;

/// Note what an agent cites
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  echo 'Applied: [M:1a2b3c4d]' | mnemic cite --session ses-8f3k
  mnemic cite answer.md --session ses-8f3k --json

They count as referenced when the session ends, and the others it was shown as ignored.")]
pub(crate) struct Args {
    /// What the agent wrote; standard input without one
    #[arg(value_hint = clap::ValueHint::FilePath)]
    path: Option<PathBuf>,
    /// The session that was shown the memories
    #[arg(long, value_name = "ID")]
    session: String,
}

/// More than any agent writes at once.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let session = engine.session_named(&args.session)?;
    let mut bytes = Vec::new();
    let read = match &args.path {
        Some(path) => {
            std::fs::File::open(path).and_then(|open| open.take(MOST_BYTES).read_to_end(&mut bytes))
        }
        None => std::io::stdin().take(MOST_BYTES).read_to_end(&mut bytes),
    };
    read.map_err(|cause| match &args.path {
        Some(path) => file("read", path.display(), cause),
        None => file("read", "standard input", cause),
    })?;
    let CitedMemories { memories, unknown } =
        engine.cite(&session, &String::from_utf8_lossy(&bytes))?;
    call.out.answer(
        || json!({ "session": session.as_str(), "cited": memories, "unknown": unknown }),
        || {
            for id in &memories {
                call.out.line(&call.out.paint(KEY, &plain(id.as_str())))?;
            }
            let count = counted(memories.len() as u64, "memory", "memories");
            call.out.note(&format!("{count} cited"));
            if !unknown.is_empty() {
                let unknown = unknown.join(", ");
                call.out.warn(&format!("cited, but not shown to this session: {unknown}"));
            }
            Ok(())
        },
    )
}
