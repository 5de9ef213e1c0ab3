//! `mnemic show`: everything about a memory on one page.

use crate::args::{Depth, TimeArgs, choice};
use crate::invocation::Invocation;
use crate::output::{ALARM, FAINT, STRONG, kind_name, plain};
use crate::report::Done;
use crate::times::{LocalClock, age};
use crate::view;
use mnemic_engine::model::{Interval, Link, RecordId, Trust};
use mnemic_engine::{Shown, doubts_about};
use serde_json::{Value, json};

/// Show memories whole: text, both time lines, provenance, links, usage
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic show fact-8f3k
  mnemic show fact-8f3k --known-at yesterday
  mnemic show ep-2026-01-05-012 --level summary")]
pub(crate) struct Args {
    /// An id, enough of its beginning, or the key of a fact
    #[arg(required = true, value_name = "ID")]
    ids: Vec<String>,
    /// Only the text, at this level
    #[arg(long, value_parser = choice(Depth::ALL, Depth::as_str))]
    level: Option<Depth>,
    /// Also the text at every level, with its tokens
    #[arg(long, conflicts_with = "level")]
    levels: bool,
    #[command(flatten)]
    times: TimeArgs,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let at = args.times.at();
    let mut all = Vec::new();
    for id in &args.ids {
        all.push(engine.show(id, at)?);
    }
    call.out.answer(
        || one_or_many(all.iter().map(|shown| json_of(shown, args.level)).collect()),
        || {
            for (i, shown) in all.iter().enumerate() {
                if i > 0 {
                    call.out.line("")?;
                }
                match args.level {
                    Some(depth) => call.out.line(&plain(&depth.of(&shown.levels).text))?,
                    None => page(shown, args.levels, call)?,
                }
            }
            Ok(())
        },
    )
}

fn json_of(shown: &Shown, level: Option<Depth>) -> Value {
    match level {
        None => view::shown(shown),
        Some(depth) => {
            let level = depth.of(&shown.levels);
            json!({ "id": shown.version.id, "level": depth.as_str(), "text": level.text, "tokens": level.tokens() })
        }
    }
}

/// One id gives one object; several give an array.
fn one_or_many(mut values: Vec<Value>) -> Value {
    if values.len() == 1 { values.remove(0) } else { Value::Array(values) }
}

/// The readable page.
pub(crate) fn page(shown: &Shown, levels: bool, call: &Invocation) -> Done {
    let out = &call.out;
    let content = &shown.version.content;
    let kind = kind_name(content.kind());
    let title = [kind.as_str(), content.tier.as_str(), content.trust().as_str()];
    let id = out.paint(STRONG, &plain(shown.version.id.as_str()));
    out.line(&format!("{id}  {}", title.join("  ")))?;
    if !shown.valid {
        let state = if content.valid.to().is_some_and(|end| end <= call.now) {
            "no longer valid"
        } else {
            "not valid at this time"
        };
        out.line(&out.paint(ALARM, state))?;
    }
    if !shown.version.is_current() {
        out.line(&out.paint(ALARM, "an older version: the store believes something else now"))?;
    }
    out.line("")?;
    out.line(&plain(&shown.levels.full.text))?;
    out.line("")?;
    out.table(rows(shown, call))?;
    if levels {
        out.line("")?;
        let levels = Depth::ALL.iter().skip(1).map(|depth| {
            let level = depth.of(&shown.levels);
            (depth.as_str(), format!("{} ({} tokens)", level.text, level.tokens()))
        });
        out.table(levels)?;
    }
    if !shown.links.is_empty() {
        out.line("")?;
        for link in &shown.links {
            out.line(&link_line(link, &shown.version.id, call))?;
        }
    }
    Ok(())
}

fn rows(shown: &Shown, call: &Invocation) -> Vec<(&'static str, String)> {
    let (version, content) = (&shown.version, &shown.version.content);
    let clock = LocalClock::new();
    let interval = |interval: &Interval| match interval.to() {
        None => format!("{} …", clock.second(interval.from())),
        Some(end) => format!("{} … {}", clock.second(interval.from()), clock.second(end)),
    };
    let mut rows = vec![
        ("valid", interval(&content.valid)),
        ("recorded", interval(&version.recorded)),
        ("version", format!("{} of {}", version.n, shown.versions)),
        ("written by", content.provenance.writer.to_string()),
    ];
    if content.trust() == Trust::Quarantined {
        let doubts = doubts_about(content).reasons.join(", ");
        rows.push(("set apart", if doubts.is_empty() { "by hand".to_owned() } else { doubts }));
    }
    let episodes = view::ids(&content.provenance.episodes);
    let tags: Vec<&str> = content.tags.iter().map(String::as_str).collect();
    let change = &shown.change;
    let optional = [
        ("source", content.provenance.source.clone()),
        ("episodes", (!episodes.is_empty()).then_some(episodes)),
        ("confirmed by", content.confirmed_by.clone()),
        ("tags", (!tags.is_empty()).then(|| tags.join(", "))),
        ("category", content.category.clone()),
        ("pinned", content.pinned.then(|| "yes".to_owned())),
        ("reason", change.reason.clone()),
        (
            "extra",
            (!content.extra.is_empty()).then(|| Value::Object(content.extra.clone()).to_string()),
        ),
    ];
    rows.extend(optional.into_iter().filter_map(|(name, value)| Some((name, value?))));
    let scope = &content.scope;
    rows.push(("scope", format!("{}, {}, {}", scope.level, scope.namespace, scope.visibility)));
    rows.push(("importance", content.importance.get().to_string()));
    rows.push(("confidence", content.confidence.get().to_string()));
    rows.push(("changed", format!("{} by {} in {}", change.verb, change.actor, change.id)));
    rows.push(("store", shown.store.to_string()));
    rows.push(("tokens", shown.levels.full.tokens().to_string()));
    rows.push(("used", used(shown, call)));
    rows
}

fn used(shown: &Shown, call: &Invocation) -> String {
    let usage = &shown.usage;
    let Some(last) = usage.last_used else { return "never".into() };
    format!(
        "loaded {}, referenced {}, ignored {}, succeeded {}, last {}",
        usage.loaded,
        usage.referenced,
        usage.ignored,
        usage.succeeded,
        age(last, call.now)
    )
}

fn link_line(link: &Link, here: &RecordId, call: &Invocation) -> String {
    let relation = call.out.paint(FAINT, link.relation.as_str());
    if link.from == *here {
        format!("→ {relation} {}", plain(link.to.as_str()))
    } else {
        format!("← {relation} {}", plain(link.from.as_str()))
    }
}
