//! `mnemic review`: what waits for a person, accepted or rejected.

use crate::args::whole;
use crate::invocation::Invocation;
use crate::output::{ALARM, FAINT, KEY, counted, kind_name, one_line, plain};
use crate::report::Done;
use crate::times::LocalClock;
use crate::view;
use mnemic_engine::model::body::{Body, Status};
use mnemic_engine::model::{At, Filter, Kind, Trust, Truth, Version};
use mnemic_engine::{Edited, Engine, Note, Result, Waiting, doubts_about};
use serde_json::{Value, json};

const TEXT_WIDTH: usize = 400;
const MOST_LINES: usize = 8;

/// See what waits for a person, and accept or reject it
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic review
  mnemic review accept fact-8f3k dec-2m9q
  mnemic review reject sem-4k2p --reason \"only for that one test\"

What is accepted is trusted, in your name. What is rejected is archived and quarantined: it
surfaces nowhere and no capture finds it again. Both can be undone; `mnemic forget` cannot.")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Show what waits
    #[command(after_help = "Example:\n  mnemic review list --limit 50")]
    List {
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<usize>("20"))]
        limit: usize,
    },
    /// Vouch for memories: they become trusted
    #[command(after_help = "Example:\n  mnemic review accept fact-8f3k dec-2m9q")]
    Accept {
        /// Ids, or enough of their beginnings
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,
        /// Why, for the history
        #[arg(long)]
        reason: Option<String>,
    },
    /// Archive memories: they surface nowhere
    #[command(after_help = "Example:\n  mnemic review reject sem-4k2p --reason \"a guess\"")]
    Reject {
        /// Ids, or enough of their beginnings
        #[arg(required = true, value_name = "ID")]
        ids: Vec<String>,
        /// Why, for the history
        #[arg(long)]
        reason: Option<String>,
    },
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let note = |reason: Option<String>| Note { reason, ..Note::default() };
    match args.action.unwrap_or(Action::List { limit: 20 }) {
        Action::List { limit } => {
            let mut waiting = engine.review(limit.saturating_add(1))?;
            let more = waiting.len() > limit;
            waiting.truncate(limit);
            let open = open_contradictions(&engine)?;
            list(&waiting, more, open, call)
        }
        Action::Accept { ids, reason } => {
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            answer("accepted", &engine.accept(&ids, &note(reason))?, call)
        }
        Action::Reject { ids, reason } => {
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            let reason = reason.or_else(|| Some("rejected in review".to_owned()));
            answer("rejected", &engine.reject(&ids, &note(reason))?, call)
        }
    }
}

fn answer(done: &str, edited: &[Edited], call: &Invocation) -> Done {
    call.out.answer(
        || json!({ "items": edited.iter().map(view::edited).collect::<Vec<Value>>() }),
        || {
            for one in edited {
                call.out.line(&format!("{} is {done}", one.version.id))?;
            }
            if let Some(last) = edited.last() {
                call.out.note(&format!("to take it back: mnemic undo {}", last.change));
            }
            Ok(())
        },
    )
}

/// They have a list of their own; whoever looks for what waits shall hear of it.
fn open_contradictions(engine: &Engine) -> Result<u64> {
    let now = At { truth: Truth::Now, known: None };
    let filter = Filter { kinds: vec![Kind::Contradiction], ..Filter::new(now) };
    let items = engine.list(&filter)?.items;
    let open = items.iter().filter(|item| match &item.version.content.body {
        Body::Contradiction(it) => it.status == Status::Open,
        _ => false,
    });
    Ok(open.count() as u64)
}

fn list(waiting: &[Waiting], more: bool, open: u64, call: &Invocation) -> Done {
    call.out.answer(
        || {
            json!({
                "items": waiting.iter().map(item).collect::<Vec<Value>>(),
                "more": more,
                "open_contradictions": open,
            })
        },
        || {
            let clock = LocalClock::new();
            for (index, one) in waiting.iter().enumerate() {
                if index > 0 {
                    call.out.line("")?;
                }
                tell(one, &clock, call)?;
            }
            match waiting.len() as u64 {
                0 if open > 0 => {}
                0 => call.out.note("nothing waits for a person"),
                n if more => call.out.note(&format!("the first {n}; `--limit N` shows more")),
                n => call.out.note(&format!("{} waiting", counted(n, "memory is", "memories are"))),
            }
            if open > 0 {
                let open = counted(open, "contradiction is", "contradictions are");
                call.out.note(&format!("{open} open: `mnemic contradictions` shows them"));
            }
            Ok(())
        },
    )
}

fn item(waiting: &Waiting) -> Value {
    let mut fields = view::stored(waiting.store, &waiting.version);
    let replaced: Vec<Value> =
        waiting.replaced.iter().map(|old| Value::Object(view::version(old))).collect();
    fields.insert("replaced".into(), json!(replaced));
    let doubts = doubts_about(&waiting.version.content);
    fields.insert("suspicion".into(), json!({ "score": doubts.score, "reasons": doubts.reasons }));
    Value::Object(fields)
}

/// Head, what it replaces with minus, what it says with plus, and where that was said.
fn tell(waiting: &Waiting, clock: &LocalClock, call: &Invocation) -> Done {
    let version = &waiting.version;
    let content = &version.content;
    let id = call.out.paint(KEY, &plain(version.id.as_str()));
    let category = content.category.as_deref().map(|c| format!(" / {c}")).unwrap_or_default();
    let sure = content.confidence.get() * 100.0;
    let (kind, trust) = (kind_name(content.kind()), content.trust());
    let head = plain(&format!("{kind}{category}, {trust}, {sure:.0} % sure"));
    call.out.line(&format!("{id}  {head}"))?;
    for old in &waiting.replaced {
        for line in lines(old) {
            call.out.line(&call.out.paint(ALARM, &format!("  - {line}")))?;
        }
    }
    for line in lines(version) {
        call.out.line(&call.out.paint(KEY, &format!("  + {line}")))?;
    }
    let doubts = doubts_about(content);
    if !doubts.reasons.is_empty() {
        let told = format!(
            "  talks to agents ({:.0} %): {}",
            doubts.score * 100.0,
            doubts.reasons.join(", ")
        );
        call.out.line(&call.out.paint(ALARM, &told))?;
    }
    let provenance = &content.provenance;
    if doubts.reasons.is_empty() && trust == Trust::Quarantined && !provenance.episodes.is_empty() {
        let told = "  says nothing of the kind itself; it was made from what is set apart";
        call.out.line(&call.out.paint(ALARM, told))?;
    }
    let mut from = vec![provenance.writer.to_string(), clock.minute(content.valid.from())];
    from.extend(provenance.source.clone());
    from.extend(provenance.episodes.iter().map(ToString::to_string));
    call.out.line(&call.out.paint(FAINT, &plain(&format!("  from {}", from.join(", ")))))
}

fn lines(version: &Version) -> Vec<String> {
    if version.kind() == Kind::Secret {
        return vec!["a secret".to_owned()];
    }
    let text = version.content.body.full_text();
    let said = text.lines().filter(|line| !line.trim().is_empty());
    let mut lines: Vec<String> =
        said.clone().take(MOST_LINES).map(|line| one_line(line, TEXT_WIDTH)).collect();
    if said.count() > MOST_LINES {
        lines.push("…".to_owned());
    }
    lines
}
