//! Recall in a process that has asked before: words alone, meaning alone, and everything.

use super::{Figures, shares, timed};
use crate::report::Figure;
use mnemic_engine::Engine;
use mnemic_engine::inference::{Embedder, Role};
use mnemic_engine::recall::{QueryVector, Question, Switches};
use std::error::Error;
use std::sync::Arc;

/// Questions asked before the clock runs: segments are mapped, pages and statements are cached.
const UNCOUNTED: usize = 20;

/// Whole prompts are pasted as questions too; most of their time goes into embedding them.
const SHORT: usize = 64;

/// One channel and nothing that serves another.
fn bare() -> Switches {
    Switches {
        meaning: false,
        words: false,
        graph: false,
        time: false,
        skills: false,
        neighbours: false,
        gist: false,
        ..Switches::default()
    }
}

pub(super) fn words(engine: &Engine, queries: &[String]) -> Figures {
    let switches = Switches { words: true, ..bare() };
    let whole = asked(engine, queries, switches);
    let mut figures = figures("words alone", engine, &whole)?;
    // What judging the answers costs is not the channel's.
    let switches = Switches { settle: false, ..switches };
    figures.extend(self::figures(
        "words alone, nothing settled",
        engine,
        &asked(engine, queries, switches),
    )?);
    Ok(figures)
}

fn asked(engine: &Engine, queries: &[String], switches: Switches) -> Vec<Question> {
    let question = |text: &String| {
        let mut question = engine.question(text.as_str());
        question.limit = 10;
        question.switches = switches;
        question
    };
    queries.iter().map(question).collect()
}

/// The vectors are made before: only the search is counted.
pub(super) fn meaning(engine: &Engine, queries: &[String], local: &Arc<dyn Embedder>) -> Figures {
    let model = engine.settings().meaning.model().ok_or("the engine has no embedder")?;
    let texts: Vec<&str> = queries.iter().map(String::as_str).collect();
    let vectors = local.embed(&texts, Role::Query)?;
    let with = |switches: Switches| {
        let mut questions = asked(engine, queries, switches);
        for (question, vector) in questions.iter_mut().zip(&vectors) {
            question.vectors = vec![QueryVector::new(model.clone(), vector.clone())];
        }
        questions
    };
    let switches = Switches { meaning: true, ..bare() };
    let mut figures = figures("meaning alone, vector given", engine, &with(switches))?;
    let settled = with(Switches { settle: false, ..switches });
    figures.extend(self::figures("meaning alone, nothing settled", engine, &settled)?);
    Ok(figures)
}

fn figures(name: &str, engine: &Engine, questions: &[Question]) -> Figures {
    let mut samples = samples(engine, questions)?;
    Ok(shares(name, &mut samples, &[0.5, 0.99]))
}

/// All channels, the question embedded anew each time; and once more with all places filled,
/// because stand-in vectors leave many questions without an answer that is good enough.
pub(super) fn whole(engine: &Engine, queries: &[String], rounds: usize) -> Figures {
    let mut questions: Vec<Question> =
        queries.iter().map(|text| engine.question(text.as_str())).collect();
    let mut times = Vec::new();
    for _ in 0..rounds {
        times.extend(samples(engine, &questions)?);
    }
    let is_short = |question: &Question| question.text.split_whitespace().count() <= SHORT;
    let short = times.iter().zip(questions.iter().cycle());
    let mut short: Vec<f64> =
        short.filter(|(_, question)| is_short(question)).map(|(time, _)| *time).collect();
    let mut figures = shares("warm recall", &mut times, &[0.5, 0.95, 0.99]);
    let name = format!("warm recall, questions of up to {SHORT} words");
    figures.extend(shares(&name, &mut short, &[0.5, 0.95, 0.99]));
    let mut answered = 0;
    for question in &mut questions {
        answered += usize::from(!engine.recall(question)?.found.is_empty());
        question.switches.bounds = false;
    }
    let share = answered as f64 / questions.len() as f64;
    figures.push(Figure::new("  answered with anything", share, "share", questions.len() as u64));
    let mut filled = samples(engine, &questions)?;
    figures.extend(shares("warm recall, always answered", &mut filled, &[0.5, 0.99]));
    Ok(figures)
}

fn samples(engine: &Engine, questions: &[Question]) -> Result<Vec<f64>, Box<dyn Error>> {
    for question in questions.iter().take(UNCOUNTED) {
        engine.recall(question)?;
    }
    Ok(questions
        .iter()
        .map(|question| timed(|| engine.recall(question)))
        .collect::<Result<_, _>>()?)
}
