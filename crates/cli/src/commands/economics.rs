//! `mnemic economics`: what memory costs and saves, with a small chart.

use super::session::{economics, session};
use crate::args::whole;
use crate::invocation::Invocation;
use crate::output::{FAINT, KEY, STRONG, counted, gap, one_line, plain};
use crate::report::Done;
use mnemic_engine::model::session::Economics;
use mnemic_engine::recall::economics::{TARGET_RATIO, TARGET_SAVINGS};
use mnemic_engine::{MemoryReturn, Spending};
use serde_json::{Value, json};

/// Show what memory costs and saves
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  mnemic economics\n  mnemic economics --session ses-8f3k")]
pub(crate) struct Args {
    /// One session instead of the latest
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// How many sessions back
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = whole::<usize>("20"))]
    limit: usize,
    /// How many memories with their return
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = whole::<usize>("5"))]
    memories: usize,
}

/// Characters of a bar and of a memory's title.
const BAR: usize = 30;
const TITLE: usize = 60;

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let id = args.session.map(|name| engine.session_named(&name)).transpose()?;
    let spending = engine.economics(id.as_ref(), args.limit)?;
    let returns = &spending.returns[..spending.returns.len().min(args.memories)];
    call.out.answer(|| view(&spending, returns), || tell(&spending, returns, call))
}

fn view(spending: &Spending, returns: &[MemoryReturn]) -> Value {
    let sessions = spending.sessions.iter().map(|(one, price)| {
        let mut view = session(one);
        view["economics"] = economics(price);
        view
    });
    let returns = returns.iter().map(|one| {
        json!({
            "id": one.id,
            "learning_tokens": one.learning,
            "reading_tokens": one.reading,
            "read_so_far": one.read_so_far,
            "loaded": one.loaded,
            "cited": one.cited,
            "ratio": one.ratio(),
            "earned_tokens": one.earned(),
        })
    });
    json!({
        "sessions": sessions.collect::<Vec<Value>>(),
        "total": economics(&spending.total()),
        "targets": { "ratio": TARGET_RATIO, "savings": TARGET_SAVINGS },
        "doubts": spending.doubts(),
        "returns": returns.collect::<Vec<Value>>(),
    })
}

fn tell(spending: &Spending, returns: &[MemoryReturn], call: &Invocation) -> Done {
    if spending.sessions.is_empty() {
        call.out.note("no sessions yet; `mnemic session start` begins one");
        return Ok(());
    }
    chart(spending, call)?;
    call.out.line("")?;
    call.out.table(rows(&spending.total()))?;
    if !returns.is_empty() {
        call.out.line("")?;
        call.out.line(&call.out.paint(STRONG, "what memories earned, in tokens"))?;
    }
    for one in returns {
        let id = call.out.paint(KEY, &plain(one.id.as_str()));
        let title = one_line(&one.title, TITLE);
        let cost = format!("learnt for {}, read for {}", one.learning, one.reading);
        let earned = one.earned();
        call.out.line(&format!("{earned:>8}  {id}  {title}  {}", call.out.paint(FAINT, &cost)))?;
    }
    let doubts = spending.doubts();
    if doubts > 0 {
        let sessions = counted(doubts as u64, "session", "sessions");
        call.out.note(&format!("in {sessions} memory saved too little to pay"));
    }
    Ok(())
}

/// A bar a session: finding, reading and what was saved, as shares of loading everything.
fn chart(spending: &Spending, call: &Invocation) -> Done {
    let width = spending.sessions.iter().map(|(one, _)| one.id.as_str().chars().count());
    let width = width.max().unwrap_or(0);
    call.out.line(&call.out.paint(FAINT, "█ finding  ▓ reading  ░ saved"))?;
    for (one, price) in &spending.sessions {
        let id = plain(one.id.as_str());
        let gap = gap(&id, width);
        let id = call.out.paint(KEY, &id);
        let saved = price.savings().map_or("-".to_owned(), percent);
        call.out.line(&format!("{id}{gap}  {}  {saved:>5}", bar(price)))?;
    }
    Ok(())
}

fn bar(price: &Economics) -> String {
    let whole = price.all_tokens.max(price.spent());
    if whole == 0 {
        return " ".repeat(BAR);
    }
    let cells = |tokens: u64| (tokens as f64 / whole as f64 * BAR as f64).round() as usize;
    let finding = cells(price.discovery_tokens).min(BAR);
    let reading = cells(price.read_tokens).min(BAR - finding);
    let saved = BAR - finding - reading;
    format!("{}{}{}", "█".repeat(finding), "▓".repeat(reading), "░".repeat(saved))
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

fn rows(total: &Economics) -> Vec<(&'static str, String)> {
    let ratio = total.ratio().map_or("nothing read whole".to_owned(), |ratio| {
        format!("{ratio:.2} (target below {TARGET_RATIO})")
    });
    let savings = total.savings().map_or("nothing asked".to_owned(), |share| {
        let target = percent(TARGET_SAVINGS);
        format!("{} tokens, {} (target above {target})", total.saved(), percent(share))
    });
    let Economics { index_loads, timeline_loads, full_loads, .. } = total;
    vec![
        ("finding", format!("{} tokens", total.discovery_tokens)),
        ("reading", format!("{} tokens", total.read_tokens)),
        ("finding to reading", ratio),
        ("saved", savings),
        ("loads", format!("{index_loads} index, {timeline_loads} timeline, {full_loads} full")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_always_as_wide() {
        let price = |discovery_tokens, read_tokens, all_tokens| Economics {
            discovery_tokens,
            read_tokens,
            all_tokens,
            ..Economics::default()
        };
        for (one, full) in [
            (price(0, 0, 0), ' '),
            (price(100, 0, 1_000), '░'),
            (price(900, 900, 100), '▓'),
            (price(u64::MAX, u64::MAX, 1), '█'),
        ] {
            let bar = bar(&one);
            assert_eq!(bar.chars().count(), BAR, "{one:?}");
            assert!(bar.contains(full), "{bar}");
        }
    }
}
