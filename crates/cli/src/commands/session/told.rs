//! Sessions and their price in words and in JSON.

use crate::invocation::Invocation;
use crate::output::{KEY, kind_name, one_line, plain};
use crate::report::Done;
use crate::times::{LocalClock, age};
use mnemic_engine::model::session::{Economics, Injection, Session, SessionEvent};
use mnemic_engine::recall::economics::Finding;
use mnemic_engine::{KnownAnswer, SessionView};
use serde_json::{Value, json};

/// Enough for what fails and what to do instead.
const TEXT_WIDTH: usize = 200;

pub(crate) fn session(session: &Session) -> Value {
    json!({
        "id": session.id.as_str(),
        "host": session.host,
        "agent": session.agent,
        "started_at": session.started_at,
        "ended_at": session.ended_at,
        "window": session.window,
        "filled": session.filled,
        "quality": session.fill().map(|fill| fill.quality()),
        "outcome": session.outcome,
    })
}

pub(crate) fn economics(e: &Economics) -> Value {
    json!({
        "discovery_tokens": e.discovery_tokens,
        "timeline_tokens": e.timeline_tokens,
        "read_tokens": e.read_tokens,
        "index_loads": e.index_loads,
        "timeline_loads": e.timeline_loads,
        "full_loads": e.full_loads,
        "all_tokens": e.all_tokens,
        "ratio": e.ratio(),
        "saved_tokens": e.saved(),
        "savings": e.savings(),
        "doubted": e.doubted,
    })
}

pub(crate) fn findings(findings: &[Finding]) -> Value {
    let view = |finding: &Finding| {
        json!({
            "action": finding.action.job(),
            "priority": finding.priority,
            "because": finding.because,
        })
    };
    findings.iter().map(view).collect()
}

fn event(event: &SessionEvent) -> Value {
    json!({ "at": event.at, "event": event.kind, "amount": event.amount })
}

fn injection(one: &Injection) -> Value {
    json!({
        "id": one.record,
        "at": one.at,
        "level": one.level,
        "tier": one.tier,
        "tokens": one.tokens,
        "cited": one.cited,
        "outcome": one.outcome,
    })
}

pub(super) fn known(known: &KnownAnswer) -> Value {
    json!({ "id": known.id, "kind": known.kind, "text": known.text })
}

/// Of an error that memory knows: what speaks of it, by the id that opens it.
pub(super) fn tell_known(known: &KnownAnswer, call: &Invocation) -> Done {
    let id = call.out.paint(KEY, &plain(known.id.as_str()));
    let text = one_line(&known.text, TEXT_WIDTH);
    call.out.line(&format!("  {id}  {}  {text}", kind_name(known.kind)))
}

pub(super) fn view(view: &SessionView) -> Value {
    let mut all = session(&view.session);
    all["events"] = view.events.iter().map(event).collect();
    all["shown"] = view.shown.iter().map(injection).collect();
    all["economics"] = economics(&view.economics);
    all
}

pub(super) fn tell(view: &SessionView, call: &Invocation) -> Done {
    let session = &view.session;
    let since = |at| age(at, call.now);
    let window = match (session.fill(), session.window) {
        (Some(fill), Some(window)) => {
            format!("{} of {window} tokens, {}", session.filled, fill.quality())
        }
        _ => "unknown".to_owned(),
    };
    let mut rows = vec![
        ("session", session.id.to_string()),
        ("host", session.host.clone().unwrap_or_default()),
        ("agent", session.agent.clone().unwrap_or_default()),
        ("started", since(session.started_at)),
        ("ended", session.ended_at.map_or("not yet".to_owned(), since)),
        ("window", window),
    ];
    rows.extend(session.outcome.map(|outcome| ("outcome", outcome.to_string())));
    rows.retain(|(_, value)| !value.is_empty());
    call.out.table(rows)?;
    let clock = LocalClock::new();
    for event in &view.events {
        call.out.line(&format!("{}  {} {}", clock.second(event.at), event.kind, event.amount))?;
    }
    for one in &view.shown {
        let cited = if one.cited { ", cited" } else { "" };
        let id = plain(one.record.as_str());
        let (tier, level, tokens) = (plain(&one.tier), one.level, one.tokens);
        let at = clock.second(one.at);
        call.out.line(&format!("{at}  shown {id} ({tier}, {level}, {tokens} tokens{cited})"))?;
    }
    Ok(())
}

pub(super) fn tell_findings(findings: &[Finding], call: &Invocation) -> Done {
    for finding in findings {
        call.out.note(&format!(
            "{}: {} ({})",
            finding.priority,
            finding.action.job().as_str().replace('_', " "),
            finding.because
        ));
    }
    Ok(())
}
