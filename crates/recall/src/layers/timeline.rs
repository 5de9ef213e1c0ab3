//! Layer 2: what happened lately under some topics, what was decided and why, what is in progress.

use super::{Heading, Telling, words};
use crate::Source;
use mnemic_model::body::Outcome;
use mnemic_model::{At, Body, Filter, Kind, RecordId, Timestamp, Truth, Version};
use mnemic_store::{Result, TopicOrder};

/// Words of an action.
const ACTION_WORDS: usize = 10;
const REASON_WORDS: usize = 14;

/// Memories of a topic that are scanned, and of one whose timeline is cut.
const SCANNED: usize = 12;
const SCANNED_IF_CUT: usize = 3;

/// One thing that happened.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    pub id: RecordId,
    pub at: Timestamp,
    pub topic: String,
    pub action: String,
    pub outcome: Option<Outcome>,
    /// Of a decision.
    pub reason: Option<String>,
    /// Whether the line says all that the memory says.
    pub is_whole: bool,
}

/// What is in progress, as the last ledger and handoff tell.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Active {
    pub focus: Option<String>,
    pub blocked_by: Vec<String>,
    pub next_up: Vec<String>,
}

/// The second layer.
#[derive(Debug, Clone, PartialEq)]
pub struct Timeline {
    /// Newest first.
    pub recent: Vec<Line>,
    pub decisions: Vec<Line>,
    pub active: Active,
    /// Lines that had no room, or lie in the older part of a cut timeline.
    pub left_out: usize,
    pub text: String,
    pub cost: usize,
}

impl Timeline {
    pub fn lines(&self) -> impl Iterator<Item = &Line> {
        self.recent.iter().chain(&self.decisions)
    }
}

/// The timeline of these topics within a budget, the newest first.
pub fn timeline(
    sources: &[Source<'_>],
    headings: &[Heading],
    telling: &Telling<'_>,
    now: Timestamp,
    budget: usize,
) -> Result<Timeline> {
    let lines = scan(sources, headings, telling, now)?;
    let active = active(sources, now)?;
    let mut timeline = Timeline {
        text: render(&[], &[], &active),
        recent: Vec::new(),
        decisions: Vec::new(),
        active,
        left_out: 0,
        cost: 0,
    };
    for (kind, line) in lines {
        let mut with = timeline.clone();
        let place = if kind == Kind::Decision { &mut with.decisions } else { &mut with.recent };
        place.push(line);
        with.text = render(&with.recent, &with.decisions, &with.active);
        if (telling.tokens)(&with.text) > budget {
            break;
        }
        timeline = with;
    }
    let behind: u64 = headings.iter().map(|heading| heading.memories).sum();
    timeline.left_out = (behind as usize).saturating_sub(timeline.lines().count());
    timeline.cost = (telling.tokens)(&timeline.text);
    Ok(timeline)
}

/// The latest of every topic, the newest first.
fn scan(
    sources: &[Source<'_>],
    headings: &[Heading],
    telling: &Telling<'_>,
    now: Timestamp,
) -> Result<Vec<(Kind, Line)>> {
    let mut lines = Vec::new();
    for heading in headings {
        let most = if heading.is_cut { SCANNED_IF_CUT } else { SCANNED };
        for (place, namespace) in &heading.places {
            let order = TopicOrder::Latest;
            let read = sources[*place].read;
            for version in read.filed_under(namespace, &heading.name, order, most)? {
                if version.content.valid.contains(now) {
                    lines.push((version.kind(), line(&version, &heading.name, telling)));
                }
            }
        }
    }
    lines.sort_by(|(_, a), (_, b)| b.at.cmp(&a.at).then_with(|| a.id.cmp(&b.id)));
    Ok(lines)
}

fn line(version: &Version, topic: &str, telling: &Telling<'_>) -> Line {
    let texts = (telling.texts)(&version.content);
    let action = words(&texts.compressed, ACTION_WORDS);
    let (outcome, reason) = match &version.content.body {
        Body::Episode(episode) => (episode.outcome, None),
        Body::Decision(decision) => (None, decision.rationale.as_deref()),
        _ => (None, None),
    };
    let reason = reason.map(|reason| words(reason, REASON_WORDS));
    // Headings and punctuation may add a little to a text that is told whole.
    let told = (telling.tokens)(&action) + reason.as_deref().map_or(0, telling.tokens);
    let is_whole = !action.ends_with('…') && (telling.tokens)(&texts.full) * 4 <= told * 5 + 8;
    Line {
        id: version.id.clone(),
        at: version.content.valid.from(),
        topic: topic.to_owned(),
        action,
        outcome,
        reason,
        is_whole,
    }
}

/// What the last ledger and the last handoff say of the work in hand.
fn active(sources: &[Source<'_>], now: Timestamp) -> Result<Active> {
    let mut active = Active::default();
    for kind in [Kind::Ledger, Kind::Handoff] {
        let at = At { truth: Truth::At(now), known: None };
        let filter = Filter { kinds: vec![kind], limit: 1, ..Filter::new(at) };
        let mut latest: Option<Version> = None;
        for source in sources {
            let here = source.read.list(&filter)?.pop();
            let recorded = |one: &Option<Version>| one.as_ref().map(|v| v.recorded.from());
            if recorded(&here) > recorded(&latest) {
                latest = here;
            }
        }
        match latest.map(|version| version.content.body) {
            Some(Body::Ledger(ledger)) => {
                active.focus = ledger.context.current_goal.or(ledger.current_task);
            }
            Some(Body::Handoff(handoff)) => {
                active.blocked_by = handoff.blockers;
                active.next_up = handoff.needs_testing;
                active.next_up.extend(handoff.open_questions);
            }
            _ => {}
        }
    }
    let short = |text: &String| words(text, ACTION_WORDS);
    active.focus = active.focus.as_ref().map(short);
    active.blocked_by = active.blocked_by.iter().take(3).map(short).collect();
    active.next_up = active.next_up.iter().take(3).map(short).collect();
    Ok(active)
}

fn render(recent: &[Line], decisions: &[Line], active: &Active) -> String {
    let mut text = String::new();
    for line in recent {
        let outcome = line.outcome.map_or(String::new(), |outcome| format!(" [{outcome}]"));
        let day = line.at.to_jiff().strftime("%Y-%m-%d %H:%M");
        text.push_str(&format!("{day} {}: {}{outcome}\n", line.topic, line.action));
    }
    for line in decisions {
        let why = line.reason.as_ref().map_or(String::new(), |why| format!(", because {why}"));
        text.push_str(&format!("decided in {}: {}{why}\n", line.topic, line.action));
    }
    let parts = [
        ("focus", active.focus.iter().cloned().collect::<Vec<_>>()),
        ("blocked by", active.blocked_by.clone()),
        ("next up", active.next_up.clone()),
    ];
    for (name, values) in parts.into_iter().filter(|(_, values)| !values.is_empty()) {
        text.push_str(&format!("{name}: {}\n", values.join("; ")));
    }
    text
}
