//! `mnemic history`: every version of a memory, who made it, when and why.

use crate::args::TimeArgs;
use crate::invocation::Invocation;
use crate::output::{FAINT, STRONG, one_line};
use crate::report::Done;
use crate::times::LocalClock;
use crate::view;
use mnemic_engine::model::Content;
use mnemic_engine::{Event, Level};
use serde_json::{Value, json};

/// Show every version of a memory: who made it, when and why
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  mnemic history fact-8f3k\n  mnemic history db.port")]
pub(crate) struct Args {
    /// An id, enough of its beginning, or the key of a fact
    id: String,
    #[command(flatten)]
    times: TimeArgs,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let mut events = call.engine()?.history(&args.id, args.times.known_at)?;
    if let Some(point) = args.times.as_of {
        events.retain(|event| event.version.is_valid(point));
    }
    call.out.answer(
        || json!({ "versions": events.iter().map(view::event).collect::<Vec<Value>>() }),
        || {
            let clock = LocalClock::new();
            let before = [None].into_iter().chain(events.iter().map(Some));
            let several = events.iter().any(|event| event.version.id != events[0].version.id);
            events.iter().zip(before).try_for_each(|(event, before)| {
                let id = &event.version.id;
                if several && before.is_none_or(|before| before.version.id != *id) {
                    // A key's history goes through several memories.
                    call.out.line(&call.out.paint(FAINT, id.as_str()))?;
                }
                tell(event, before.map(|event| &event.version.content), &clock, call)
            })
        },
    )
}

fn tell(event: &Event, before: Option<&Content>, clock: &LocalClock, call: &Invocation) -> Done {
    let (version, change) = (&event.version, &event.change);
    let number = call.out.paint(STRONG, &format!("{}.", version.n));
    let at = clock.second(version.recorded.from());
    let (verb, actor) = (change.verb, &change.actor);
    call.out.line(&format!("{number} {at}  {verb} by {actor}"))?;
    let text = summary(&version.content);
    match before.filter(|before| summary(before) == text) {
        // The same line again would hide what the version is for.
        Some(before) => {
            for line in differences(before, &version.content) {
                call.out.line(&format!("   {}", one_line(&line, 160)))?;
            }
        }
        None => call.out.line(&format!("   {text}"))?,
    }
    if let Some(reason) = &change.reason {
        call.out.line(&format!("   because: {}", one_line(reason, 160)))?;
    }
    let valid = version.content.valid;
    let until = valid.to().map_or_else(|| "…".to_owned(), |end| clock.second(end));
    let mut lines = format!("   valid {} to {until}", clock.second(valid.from()));
    if let Some(end) = version.recorded.to() {
        lines.push_str(&format!(", believed until {}", clock.second(end)));
    }
    call.out.line(&call.out.paint(FAINT, &format!("{lines}, in {}", change.id)))
}

fn summary(content: &Content) -> String {
    one_line(&Level::summary_line(content), 160)
}

/// Lines of each sort that are told.
const TOLD: usize = 3;

/// What a version changed where its summary stayed.
fn differences(before: &Content, after: &Content) -> Vec<String> {
    let (old, new) = (before.body.full_text(), after.body.full_text());
    let only_in = |one: &str, other: &str| -> Vec<String> {
        let known: Vec<&str> = other.lines().collect();
        one.lines().filter(|line| !known.contains(line)).map(str::to_owned).collect()
    };
    let mut told: Vec<String> = Vec::new();
    told.extend(only_in(&new, &old).iter().take(TOLD).map(|line| format!("now: {line}")));
    told.extend(only_in(&old, &new).iter().take(TOLD).map(|line| format!("before: {line}")));
    let mut turned = |name: &str, old: String, new: String| {
        if old != new {
            told.push(format!("{name}: {old} → {new}"));
        }
    };
    turned("tier", before.tier.to_string(), after.tier.to_string());
    turned("trust", before.trust().to_string(), after.trust().to_string());
    turned("confidence", before.confidence.get().to_string(), after.confidence.get().to_string());
    turned("importance", before.importance.get().to_string(), after.importance.get().to_string());
    turned("pinned", before.pinned.to_string(), after.pinned.to_string());
    let category =
        |content: &Content| content.category.clone().unwrap_or_else(|| "none".to_owned());
    turned("category", category(before), category(after));
    let confirmed = |it: &Content| it.confirmed_by.clone().unwrap_or_else(|| "nobody".to_owned());
    turned("confirmed by", confirmed(before), confirmed(after));
    let tags = |content: &Content| content.tags.iter().cloned().collect::<Vec<_>>().join(" ");
    turned("tags", tags(before), tags(after));
    let sources = |content: &Content| content.provenance.episodes.len().to_string();
    turned("episodes it rests on", sources(before), sources(after));
    if told.is_empty() {
        told.push("the same text".to_owned());
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemic_engine::model::body::{Body, Skill, Step};
    use mnemic_engine::model::{Actor, Author, Draft, Scope, ScopeLevel, Tier, Timestamp};

    fn skill(steps: &[&str]) -> Content {
        let step = |action: &&str| Step { action: (*action).to_owned(), ..Step::default() };
        let steps = steps.iter().map(step).collect();
        let body = Body::Skill(Skill { name: "release".to_owned(), steps, ..Skill::default() });
        let scope = Scope::private(ScopeLevel::Project);
        let actor = Actor::new(Author::Agent, "a");
        Draft::new(body).resolve(&actor, Timestamp::EPOCH, &scope).expect("a sound draft")
    }

    #[test]
    fn a_version_says_what_it_changed() {
        let (old, new) = (skill(&["tag it", "push"]), skill(&["tag it", "push the tag"]));
        assert_eq!(differences(&old, &new), ["now: 2. push the tag", "before: 2. push"]);
        let archived = Content { tier: Tier::Archive, ..old.clone() };
        assert_eq!(differences(&old, &archived), ["tier: reference → archive"]);
        assert_eq!(differences(&old, &old), ["the same text"]);
    }
}
