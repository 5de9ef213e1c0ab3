//! `mnemic index`: the topics of what is remembered, and loading for a question layer by layer.

use crate::args::whole;
use crate::invocation::Invocation;
use crate::output::{FAINT, KEY, STRONG, counted, gap, one_line, plain, width};
use crate::report::Done;
use crate::times::age;
use mnemic_engine::recall::layers::{Depth, Heading, Index, IndexEntry, Line, Loaded, Loading};
use serde_json::{Value, json};

/// Show the topics of what is remembered, or load for a question no more than it needs
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic index
  mnemic index \"how are sessions stored\"
  mnemic index \"how are sessions stored\" --load --session ses-8f3k

Beside a question stands how well a topic fits it, else how useful its memories were when they were
loaded; both from 0 to 1. Where not all topics have room, those of one memory stand as `other`.")]
pub(crate) struct Args {
    /// What to look for
    #[arg(value_name = "QUERY")]
    query: Vec<String>,
    /// Go on to the timeline and to whole memories, as far as the question needs
    #[arg(long, requires = "query")]
    load: bool,
    /// The session that this is shown to and counted in
    #[arg(long, value_name = "ID", requires = "load")]
    session: Option<String>,
    /// Tokens that the index may take
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = whole::<usize>("400"))]
    budget: usize,
}

/// Characters of a summary or of a line.
const TEXT_WIDTH: usize = 90;

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.finding_engine()?;
    let query = args.query.join(" ");
    if !args.load {
        let query = Some(query.as_str()).filter(|query| !query.is_empty());
        let index = engine.layers_index(query, args.budget)?;
        return call.out.answer(
            || index_view(&index),
            || {
                tell_index(&index, call)?;
                if query.is_some() && !index.is_asked && !index.entries.is_empty() {
                    call.out.note("no topic fits the question; these are the most useful ones");
                }
                Ok(())
            },
        );
    }
    let session = args.session.map(|name| engine.session_named(&name)).transpose()?;
    let loading = Loading { index_budget: args.budget, ..Loading::new(query, call.now) };
    let loaded = engine.layers_load(&loading, session.as_ref())?;
    call.out.answer(|| view(&loaded), || tell(&loaded, call))
}

fn entry_view(entry: &IndexEntry) -> Value {
    let Heading { name, memories, tokens, relevance, last_used, similarity, .. } = &entry.heading;
    json!({
        "id": name,
        "summary": entry.summary,
        "memories": memories,
        "tokens": tokens,
        "relevance": relevance,
        "similarity": similarity,
        "last_used": last_used,
        "compressed": entry.heading.is_compressed,
        "gathers": entry.gathers,
    })
}

fn index_view(index: &Index) -> Value {
    json!({
        "topics": index.entries.iter().map(entry_view).collect::<Vec<Value>>(),
        "left_out": index.left_out,
        "memories": index.memories,
        "tokens": index.tokens,
        "cost": index.cost,
    })
}

fn line_view(line: &Line) -> Value {
    json!({
        "id": line.id,
        "at": line.at,
        "topic": line.topic,
        "action": line.action,
        "outcome": line.outcome,
        "reason": line.reason,
    })
}

fn view(loaded: &Loaded) -> Value {
    let timeline = loaded.timeline.as_ref().map(|timeline| {
        json!({
            "recent": timeline.recent.iter().map(line_view).collect::<Vec<Value>>(),
            "decisions": timeline.decisions.iter().map(line_view).collect::<Vec<Value>>(),
            "active": {
                "focus": timeline.active.focus,
                "blocked_by": timeline.active.blocked_by,
                "next_up": timeline.active.next_up,
            },
            "left_out": timeline.left_out,
            "cost": timeline.cost,
        })
    });
    let full = loaded.full.iter().map(|one| {
        json!({
            "id": one.version.id,
            "topic": one.topic,
            "level": one.level,
            "text": one.text,
            "cost": one.cost,
        })
    });
    json!({
        "depth": loaded.depth.as_str(),
        "because": loaded.because,
        "topics": loaded.topics,
        "coverage": loaded.coverage,
        "index": index_view(&loaded.index),
        "timeline": timeline,
        "full": full.collect::<Vec<Value>>(),
        "read_tokens": loaded.read_tokens(),
    })
}

fn tell_index(index: &Index, call: &Invocation) -> Done {
    let names = index.entries.iter().map(|entry| width(&plain(&entry.heading.name)));
    let names = names.max().unwrap_or(0);
    for entry in &index.entries {
        let heading = &entry.heading;
        let name = plain(&heading.name);
        let gap = gap(&name, names);
        let used = heading.last_used.map(|at| format!(", used {}", age(at, call.now)));
        let worth = match index.is_asked {
            true => format!("fits {:.2}", heading.similarity),
            false => format!("usefulness {:.2}", heading.relevance),
        };
        let counts = format!(
            "{} in {} tokens, {worth}{}",
            counted(heading.memories, "memory", "memories"),
            heading.tokens,
            used.unwrap_or_default()
        );
        let summary = one_line(&entry.summary, call.out.room(names + 2, TEXT_WIDTH));
        call.out.line(&format!("{}{gap}  {summary}", call.out.paint(KEY, &name)))?;
        call.out.line(&format!("{:names$}  {}", "", call.out.paint(FAINT, &counts)))?;
    }
    if index.left_out > 0 {
        let more = counted(index.left_out as u64, "topic", "topics");
        call.out.note(&format!("{more} more; ask with --budget N"));
    }
    let all = counted(index.memories, "memory", "memories");
    let Index { tokens, cost, .. } = index;
    call.out.note(&format!("{all} of {tokens} tokens; this index costs {cost}"));
    Ok(())
}

fn tell(loaded: &Loaded, call: &Invocation) -> Done {
    tell_index(&loaded.index, call)?;
    if let Some(timeline) = &loaded.timeline {
        call.out.line(&call.out.paint(STRONG, "timeline"))?;
        for line in timeline.text.lines() {
            call.out.line(&format!("  {}", plain(line)))?;
        }
    }
    for one in &loaded.full {
        let title = format!("{} ({}, {})", one.version.id, one.topic, one.level);
        call.out.line(&call.out.paint(STRONG, &plain(&title)))?;
        for line in one.text.lines() {
            call.out.line(&format!("  {}", plain(line)))?;
        }
    }
    let stopped = match loaded.depth {
        Depth::Index => "stopped at the index",
        Depth::Timeline => "stopped at the timeline",
        Depth::Full => "loaded in full",
    };
    call.out.note(&format!("{stopped}: {}", loaded.because));
    Ok(())
}
