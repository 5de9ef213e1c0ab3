//! `mnemic explain`: why a memory is among the answers, or which step dropped it, with the numbers.

use super::recall::{ask, finish, tell};
use crate::args::AskArgs;
use crate::invocation::Invocation;
use crate::output::{FAINT, STRONG, plain};
use crate::report::Done;
use crate::view;
use mnemic_engine::Engine;
use mnemic_engine::model::{At, RecordId};
use mnemic_engine::recall::{Bound, Explanation, Fate, Grounds, Question};
use serde_json::json;

/// Show how a recall was scored, or why a memory is not in it
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic explain which port does the database use
  mnemic explain database port --id fact-8f3k
  mnemic explain database port --why-not dec-2m9q

Each part adds value × weight; the sum times the factors is the score. Looking counts as no use.")]
pub(crate) struct Args {
    #[command(flatten)]
    ask: AskArgs,
    /// Only this memory
    #[arg(long, value_name = "ID", conflicts_with = "why_not")]
    id: Option<String>,
    /// Which step dropped this memory
    #[arg(long, value_name = "ID")]
    why_not: Option<String>,
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.answering_engine(&args.ask.text())?;
    let question = args.ask.question(&engine, call)?;
    if let Some(id) = &args.why_not {
        return why_not(&engine, &question, id, call);
    }
    let mut recall = ask(&engine, question.clone(), call)?;
    if let Some(id) = &args.id {
        let id = engine.show(id, At::LATEST)?.version.id;
        recall.found.retain(|found| found.version.id == id);
        if recall.found.is_empty() {
            return why_not(&engine, &question, id.as_str(), call);
        }
    }
    call.out.answer(
        || view::recall::answer(&recall, &question),
        || {
            for found in &recall.found {
                tell(found, &question.text, call)?;
                table(&found.explanation, call)?;
            }
            if args.id.is_none() {
                let counts = recall.gathered.iter().map(|(channel, n)| format!("{channel} {n}"));
                let counts: Vec<String> = counts.collect();
                call.out.note(&format!(
                    "considered: {}; evidence {:.2}",
                    counts.join(", "),
                    recall.evidence
                ));
            }
            finish(&recall, true, &engine, call)
        },
    )
}

fn why_not(engine: &Engine, question: &Question, id: &str, call: &Invocation) -> Done {
    let id: RecordId = engine.show(id, At::LATEST)?.version.id;
    let fate = engine.why_not(question, id.as_str())?;
    call.out.answer(
        || {
            let mut view = json!({ "query": question.text, "id": id });
            if let (Some(view), Some(fate)) =
                (view.as_object_mut(), view::recall::fate(&fate).as_object())
            {
                view.extend(fate.clone());
            }
            view
        },
        || tell_fate(&id, &fate, call),
    )
}

fn tell_fate(id: &RecordId, fate: &Fate, call: &Invocation) -> Done {
    let id = plain(id.as_str());
    let reason = plain(&fate.reason);
    call.out.line(&match fate.step {
        "shown" => format!("{id} is shown: {reason}"),
        step => format!("{id} was dropped by `{step}`: {reason}"),
    })?;
    if let Some(rank) = fate.rank {
        call.out.line(&format!("  place {rank} of what was considered"))?;
    }
    match &fate.explanation {
        Some(explanation) => table(explanation, call),
        None => Ok(()),
    }
}

/// The parts of a score in columns that add up.
pub(super) fn table(explanation: &Explanation, call: &Invocation) -> Done {
    let head =
        format!("    {:<12}{:>10}{:>9}{:>9}{:>10}", "part", "raw", "value", "weight", "adds");
    call.out.line(&call.out.paint(FAINT, &head))?;
    for part in &explanation.parts {
        let numbers = format!(
            "    {:<12}{:>10.3}{:>9.3}{:>9.3}{:>10.4}",
            part.name,
            part.raw,
            part.value,
            part.weight,
            part.product()
        );
        let says = call.out.paint(FAINT, says(part.name));
        call.out.line(format!("{numbers}  {says}").trim_end())?;
    }
    let sum: f64 = explanation.parts.iter().map(|part| part.product()).sum();
    call.out.line(&format!("    {:<40}{sum:>10.4}", "sum"))?;
    for factor in &explanation.factors {
        call.out.line(&format!(
            "    {:<40}{:>10.4}",
            format!("× {}", factor.name),
            factor.value
        ))?;
    }
    let score = format!("    {:<40}{:>10.4}", "= score", explanation.score);
    call.out.line(&call.out.paint(STRONG, &score))?;
    let ranks =
        explanation.ranks.iter().map(|one| format!("{} {}", one.channel.as_str(), one.rank));
    beside("ranks", ranks.collect(), call)?;
    beside("evidence from", grounds(&explanation.grounds), call)?;
    let passed = explanation.passed.iter().map(|bound| held_against(bound, explanation.score));
    beside("passed", passed.collect(), call)
}

/// What a part measures, in a few words.
fn says(part: &str) -> &'static str {
    match part {
        "meaning" => "how near in meaning",
        "words" => "shared words, the rarer the more",
        "graph" => "steps to what is named, in the graph",
        "conversation" => "how well its conversation answers",
        "thread" => "how well the turns around it answer",
        "person" => "said by whom the question names",
        "stated" => "asks or greets more than it states",
        "time" => "happened in the time asked about",
        "told" => "tells of the time asked about",
        "kind" => "is of the kind asked for",
        "name" => "is called by its name",
        "recency" => "days since it came in or was used",
        "usage" => "how often it was of use",
        "age" => "days from the time of the question",
        "gist" => "how near in meaning, word by word",
        "kin" => "how like one of the best answers",
        _ => "",
    }
}

fn grounds(grounds: &Grounds) -> Vec<String> {
    let meaning = grounds.cosine.map(|cosine| format!("meaning {cosine:.2} (from 0.60 on)"));
    let words = format!("{:.0} % of the words asked for", 100.0 * grounds.coverage);
    let kind = grounds.is_called.then(|| "its kind is asked for".to_owned());
    meaning.into_iter().chain([words]).chain(kind).collect()
}

/// Age, gist and kin order what is found, and decide nothing.
fn held_against(bound: &Bound, score: f64) -> String {
    match bound {
        Bound::Score { is, .. } if (is - score).abs() > 0.005 => {
            format!("{bound}, but for age, gist and kin")
        }
        _ => bound.to_string(),
    }
}

fn beside(name: &str, items: Vec<String>, call: &Invocation) -> Done {
    if items.is_empty() {
        return Ok(());
    }
    call.out.line(&call.out.paint(FAINT, &format!("    {name}: {}", items.join(", "))))
}
