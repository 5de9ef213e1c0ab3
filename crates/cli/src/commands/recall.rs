//! `mnemic recall`: the best memories for a question, or the plain word that there are none.

use super::explain;
use crate::args::AskArgs;
use crate::invocation::Invocation;
use crate::output::{ALARM, FAINT, KEY, STRONG, kind_name, one_line, plain};
use crate::report::Done;
use crate::times::{LocalClock, age, known_since};
use crate::view;
use mnemic_engine::model::{At, Body, Tier, Timestamp, Trust};
use mnemic_engine::recall::{
    Correction, Dispute, Found, Past, Question, Recall, Twin, Understanding,
};
use mnemic_engine::{Engine, ErrorKind, Level, excerpt};

/// Enough for one or two sentences.
const TEXT_WIDTH: usize = 200;

/// Enough for the steps of most skills.
const SKILL_WIDTH: usize = 600;

/// Of what says the same so many are named.
const TWINS_NAMED: usize = 3;

/// Evidence from which a rejected memory is worth a line.
const NEAR: f64 = 0.04;

/// Find memories that answer a question
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic recall which port does the database use
  mnemic recall \"why did the release fail\" --task debugging --explain
  mnemic recall deployment --kind skill -n 3 --json

Four questions about time:
  mnemic recall \"what happened last week\"                    what happened then
  mnemic recall database port --known-at 2026-01-15          what we knew on that day
  mnemic recall database port --as-of 2026-01-15             what was true then, as we believe now
  mnemic diff 2026-01-01 2026-02-01                          what changed between two dates

The per cent tell how sure it is that a result speaks of what was asked; `--explain` shows the score
that it is ranked by.")]
pub(crate) struct Args {
    #[command(flatten)]
    ask: AskArgs,
    /// Say below each result why it is there
    #[arg(long)]
    explain: bool,
    /// Do not count the results as used
    #[arg(long)]
    no_usage: bool,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.answering_engine(&args.ask.text())?;
    let question = args.ask.question(&engine, call)?;
    let recall = ask(&engine, question.clone(), call)?;
    call.out.answer(
        || view::recall::answer(&recall, &question),
        || {
            for found in &recall.found {
                tell(found, &question.text, call)?;
                if args.explain {
                    explain::table(&found.explanation, call)?;
                }
            }
            finish(&recall, args.explain, &engine, call)
        },
    )?;
    // The answer leaves first: what is counted must have been handed over.
    call.out.flush()?;
    if !args.no_usage && !recall.found.is_empty() {
        match engine.note_recalled(&recall.found) {
            Err(error) if error.kind != ErrorKind::ReadOnly => {
                call.out.warn(&format!("that these were used is not counted: {}", error.message()));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Asks; when a model far away does not answer, the words must do.
pub(super) fn ask(engine: &Engine, mut question: Question, call: &Invocation) -> Done<Recall> {
    let recall = match engine.recall(&question) {
        Err(error) if error.kind == ErrorKind::Io && question.switches.meaning => {
            question.switches.meaning = false;
            let recall = engine.recall(&question)?;
            let hint = error.hint.as_deref().unwrap_or("see `mnemic config`");
            call.out.warn(&format!("found by words alone: {}; {hint}", error.message()));
            recall
        }
        answer => answer?,
    };
    if let Some(why) = &recall.unread {
        call.out.warn(&format!("in the order they were found in: {why}"));
    }
    Ok(recall)
}

/// A result: what it is, what it says of what was asked, and what was said before it.
pub(super) fn tell(found: &Found, asked: &str, call: &Invocation) -> Done {
    let version = &found.version;
    let id = call.out.paint(KEY, &plain(version.id.as_str()));
    let sure = call.out.paint(STRONG, &format!("{:.0} %", 100.0 * found.evidence));
    let age = call.out.paint(FAINT, &age(known_since(version), call.now));
    let mut head = format!("{id}  {}  {sure}  {age}", kind_name(version.kind()));
    if version.content.tier == Tier::Archive {
        head.push_str(&format!("  {}", call.out.paint(FAINT, "archived")));
    }
    if let Some(end) = version.content.valid.to().filter(|end| *end <= call.now) {
        let ended = format!("no longer holds since {}", LocalClock::new().short(end));
        head.push_str(&format!("  {}", call.out.paint(FAINT, &ended)));
    }
    let begins = version.content.valid.from();
    if begins > call.now {
        let ahead = format!("holds from {}, not yet", LocalClock::new().short(begins));
        head.push_str(&format!("  {}", call.out.paint(FAINT, &ahead)));
    }
    if version.content.trust() == Trust::Quarantined {
        head.push_str(&format!("  {}", call.out.paint(ALARM, "quarantined: do not act on it")));
    }
    call.out.line(&head)?;
    let summary = Level::summary(&version.content).text;
    let whole = version.content.body.full_text();
    let text = match &found.version.content.body {
        // One step out of several would be taken for all there is to do.
        Body::Skill(_) => one_line(&whole.trim().replace('\n', "; "), SKILL_WIDTH),
        _ => match excerpt(&whole, &summary, asked) {
            Some(said) => one_line(said, TEXT_WIDTH),
            None => one_line(&Level::summary_line(&version.content), TEXT_WIDTH),
        },
    };
    call.out.line(&format!("  {text}"))?;
    found.history.iter().try_for_each(|past| tell_past(past, call))?;
    tell_twins(&found.twins, call)?;
    found.disputes.iter().try_for_each(|dispute| tell_dispute(dispute, call))
}

/// That another memory says otherwise, and how to settle it.
fn tell_dispute(dispute: &Dispute, call: &Invocation) -> Done {
    let (id, said) = (plain(dispute.id.as_str()), one_line(&dispute.text, TEXT_WIDTH));
    let line = format!("  but: {said} ({id}; nobody has settled which holds)");
    call.out.line(&call.out.paint(ALARM, &line))?;
    let settle = format!("mnemic contradictions show {}", plain(dispute.contradiction.as_str()));
    call.out.line(&call.out.paint(FAINT, &format!("  to settle it: `{settle}`")))
}

/// Where else the same was said, to the letter.
fn tell_twins(twins: &[Twin], call: &Invocation) -> Done {
    if twins.is_empty() {
        return Ok(());
    }
    let named = twins
        .iter()
        .take(TWINS_NAMED)
        .map(|twin| format!("{} ({})", plain(twin.id.as_str()), age(twin.valid.from(), call.now)));
    let named: Vec<String> = named.collect();
    let more = match twins.len() - named.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let line = format!("  also: {}{more}", named.join(", "));
    call.out.line(&call.out.paint(FAINT, &line))
}

/// What was said before; until what follows it holds, that is what holds now.
fn tell_past(past: &Past, call: &Invocation) -> Done {
    // What holds until a known time stands beside what comes then; all else is over.
    let holds = past.valid.contains(call.now) && past.valid.to().is_some();
    let label = if holds { "now" } else { "was" };
    let mut line = format!("  {label}: {}", one_line(&past.text, TEXT_WIDTH));
    if let Some(end) = past.valid.to() {
        let until = match holds {
            true => LocalClock::new().short(end),
            false => age(end, call.now),
        };
        line.push_str(&format!(" (until {until})"));
    }
    call.out.line(&call.out.paint(FAINT, &line))
}

/// What stands below the results: that there are none, and how the question was taken.
pub(super) fn finish(recall: &Recall, explain: bool, engine: &Engine, call: &Invocation) -> Done {
    if recall.found.is_empty() {
        tell_nothing(recall, engine, call)?;
    }
    if let Some(read) = read_as(&recall.understanding.corrected) {
        call.out.note(&read);
    }
    if let Some(understood) = understood(&recall.understanding, explain) {
        call.out.note(&understood);
    }
    Ok(())
}

/// That there is nothing, and what came nearest where it came near: whoever asks may know better.
fn tell_nothing(recall: &Recall, engine: &Engine, call: &Invocation) -> Done {
    let Some(refusal) = &recall.refusal else {
        call.out.line("Nothing was found.")?;
        if engine.settings().project.is_none() {
            call.out.note("no project here has a memory; `mnemic init` makes one");
        }
        return Ok(());
    };
    let (id, reason) = (plain(refusal.best_id.as_str()), plain(&refusal.reason));
    call.out.line(&format!(
        "Nothing is good enough. The best that was rejected is {id}: {reason}. `--all` shows it."
    ))?;
    match engine.show(refusal.best_id.as_str(), At::LATEST) {
        Ok(near)
            if recall.evidence >= NEAR && near.version.content.trust() != Trust::Quarantined =>
        {
            let text = Level::summary_line(&near.version.content);
            call.out.line(&format!("  {}", one_line(&text, TEXT_WIDTH)))
        }
        _ => Ok(()),
    }
}

/// `read "databse" as "database"`, where words were taken for slips.
fn read_as(corrected: &[Correction]) -> Option<String> {
    let mut words: Vec<&str> = corrected.iter().map(|one| one.from.as_str()).collect();
    words.dedup();
    let readings = words.into_iter().map(|word| {
        let of_word = corrected.iter().filter(|one| one.from == word);
        let meant: Vec<String> = of_word.map(|one| format!("\"{}\"", plain(&one.to))).collect();
        format!("\"{}\" as {}", plain(word), meant.join(" or "))
    });
    let readings: Vec<String> = readings.collect();
    (!readings.is_empty()).then(|| format!("read {}", readings.join(", ")))
}

/// `understood: kind decision, time 2026-11-02 to 2026-11-08`, where there is anything to tell: what
/// was left out if it was read wrongly. The task only orders what is found; it is told with the
/// reasons.
fn understood(understanding: &Understanding, explain: bool) -> Option<String> {
    let clock = LocalClock::new();
    let task = understanding.task.filter(|_| explain).map(|task| format!("task {}", task.as_str()));
    let kinds = understanding.kinds.iter().map(|kind| format!("kind {}", kind_name(*kind)));
    let times =
        understanding.times.iter().map(|time| format!("time {}", days(time.from, time.to, &clock)));
    let parts: Vec<String> = task.into_iter().chain(kinds).chain(times).collect();
    (!parts.is_empty()).then(|| format!("understood: {}", parts.join(", ")))
}

/// The days of a time that a question names.
fn days(from: Timestamp, to: Timestamp, clock: &LocalClock) -> String {
    let (first, end) = (clock.day(from), to.micros().saturating_sub(1));
    // It ends before its end begins: yesterday is one day.
    let last = Timestamp::from_micros(end).map_or_else(|_| first.clone(), |end| clock.day(end));
    if last <= first { first } else { format!("{first} to {last}") }
}
