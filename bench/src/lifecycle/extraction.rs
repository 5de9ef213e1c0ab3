//! How well memories are drawn from what people and agents write, without a language model:
//! labelled messages go through `capture --extract`, and what was stored is held against the labels.

use super::labelled::{Half, Label, Line, lines};
use crate::report::Figure;
use mnemic_engine::model::body::Body;
use mnemic_engine::model::{Actor, At, Author, Content, Filter, Kind};
use mnemic_engine::place::Place;
use mnemic_engine::{CaptureAsk, Engine, Format, Note, Settings};
use serde_json::json;
use std::error::Error;
use std::path::Path;

/// What extraction may store; all else of a session is the episode itself.
const DRAWN: [Kind; 4] = [Kind::Pattern, Kind::Decision, Kind::Fact, Kind::AntiPattern];

/// A memory as it was stored.
#[derive(Debug)]
struct Drawn {
    label: Label,
    text: String,
}

/// One labelled message and what came of it.
#[derive(Debug)]
struct Case {
    line: Line,
    drawn: Vec<Drawn>,
}

impl Case {
    fn says_expected(&self, drawn: &Drawn) -> bool {
        self.line.expect.iter().any(|expected| expected.is_in(&drawn.text))
    }
}

/// The figures of both halves; with `wrong`, every mistake in the dev half is told. Those of the
/// test half never are: who reads them makes it a dev half.
pub(super) fn measure(wrong: bool) -> Result<Vec<Figure>, Box<dyn Error>> {
    let dir = tempfile::tempdir()?;
    let cases = cases(dir.path())?;
    let mut figures = Vec::new();
    for half in [Half::Dev, Half::Test] {
        let cases: Vec<&Case> = cases.iter().filter(|case| case.line.half == half).collect();
        if wrong && half == Half::Dev {
            cases.iter().for_each(|case| tell(case));
        }
        figures.extend(figures_of(half, &cases));
    }
    Ok(figures)
}

fn cases(dir: &Path) -> Result<Vec<Case>, Box<dyn Error>> {
    let mut cases: Vec<Case> =
        lines()?.into_iter().map(|line| Case { line, drawn: Vec::new() }).collect();
    let transcript: String =
        cases.iter().map(|case| format!("{}\n", session(&case.line))).collect();
    let engine = engine(dir)?;
    let ask = CaptureAsk {
        name: "lines".to_owned(),
        format: Some(Format::Sessions),
        extract: true,
        dry_run: false,
    };
    let captured =
        engine.capture(&mut transcript.as_bytes(), &ask, &Note::default(), &mut |_| {})?;
    // Then messages would take from one another, and the figures would say nothing about each.
    let lost = captured.contested + captured.known_findings + captured.forgotten;
    if lost > 0 || !captured.refused.is_empty() {
        let refused = captured.refused.join("; ");
        return Err(format!("{lost} memories met others, and refused were: [{refused}]").into());
    }
    let filter = Filter { kinds: DRAWN.to_vec(), limit: 10_000, ..Filter::new(At::LATEST) };
    for item in engine.list(&filter)?.items {
        let content = item.version.content;
        let number = line_number(&content).ok_or("a memory does not name its line")?;
        let drawn = Drawn { label: label_of(&content), text: content.body.full_text() };
        cases.get_mut(number - 1).ok_or("a memory names no line")?.drawn.push(drawn);
    }
    Ok(cases)
}

/// A session with this message alone; an agent only speaks where somebody has asked it to.
fn session(line: &Line) -> String {
    let mut turns = Vec::new();
    if line.role == "agent" {
        turns.push(json!({"role": "user", "kind": "text", "text": "go on"}));
    }
    let role = if line.role == "agent" { "agent" } else { "user" };
    turns.push(json!({"role": role, "kind": "text", "text": line.text}));
    json!({"session": format!("line {}", line.number), "agent": "bench",
           "start": "2026-01-01 10:00:00Z", "turns": turns})
    .to_string()
}

fn engine(dir: &Path) -> Result<Engine, Box<dyn Error>> {
    let place = Place { dir: dir.join(".mnemic"), exists: false };
    let mut settings = Settings::new(Some(place), None, Actor::new(Author::Human, "bench"));
    Engine::init_project(&mut settings)?;
    Ok(Engine::open(settings)?)
}

/// Sources read `lines#L12.1`.
fn line_number(content: &Content) -> Option<usize> {
    let spot = content.provenance.source.as_deref()?.rsplit_once("#L")?.1;
    spot.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok().filter(|number| *number > 0)
}

/// The label that a stored memory comes nearest to.
fn label_of(content: &Content) -> Label {
    match (&content.body, content.category.as_deref()) {
        (Body::Decision(_), _) => Label::Decision,
        (Body::AntiPattern(_), _) => Label::Pitfall,
        (Body::Fact(_), _) => Label::Fact,
        (_, Some("preference")) => Label::Preference,
        (_, Some("convention" | "circumstance")) => Label::Fact,
        _ => Label::Constraint,
    }
}

fn figures_of(half: Half, cases: &[&Case]) -> Vec<Figure> {
    let mut figures = Vec::from(rates(half, "all kinds", cases, |_| true));
    for label in Label::ALL {
        figures.extend(rates(half, label.as_str(), cases, |of| of == label));
    }
    let found = cases.iter().flat_map(|case| {
        case.line.expect.iter().filter_map(|expected| {
            let drawn: Vec<&Drawn> =
                case.drawn.iter().filter(|drawn| expected.is_in(&drawn.text)).collect();
            (!drawn.is_empty()).then(|| drawn.iter().any(|drawn| drawn.label == expected.kind))
        })
    });
    let found: Vec<bool> = found.collect();
    let same = found.iter().filter(|same| **same).count();
    figures.push(share(format!("{half}: found under its own kind"), same, found.len()));
    let quiet: Vec<&&Case> = cases.iter().filter(|case| case.line.expect.is_empty()).collect();
    let silent = quiet.iter().filter(|case| case.drawn.is_empty()).count();
    figures.push(share(format!("{half}: silent where nothing is to be kept"), silent, quiet.len()));
    figures
}

/// Precision over the memories of some labels, recall over what is expected of them. Which kind a
/// memory was stored as does not decide whether it is right: a rule kept as a preference is kept.
fn rates(half: Half, of: &str, cases: &[&Case], counts: impl Fn(Label) -> bool) -> [Figure; 2] {
    let (mut drawn, mut right, mut expected, mut found) = (0, 0, 0, 0);
    for case in cases {
        for memory in case.drawn.iter().filter(|memory| counts(memory.label)) {
            drawn += 1;
            right += usize::from(case.says_expected(memory));
        }
        for wanted in case.line.expect.iter().filter(|wanted| counts(wanted.kind)) {
            expected += 1;
            found += usize::from(case.drawn.iter().any(|memory| wanted.is_in(&memory.text)));
        }
    }
    [
        share(format!("{half}: precision, {of}"), right, drawn),
        share(format!("{half}: recall, {of}"), found, expected),
    ]
}

fn share(name: String, part: usize, whole: usize) -> Figure {
    Figure::new(name, part as f64 / whole.max(1) as f64, "share", whole as u64)
}

fn tell(case: &Case) {
    let Line { number, role, text, expect, .. } = &case.line;
    for drawn in case.drawn.iter().filter(|drawn| !case.says_expected(drawn)) {
        let label = drawn.label.as_str();
        eprintln!("wrong, line {number}, {role}, as {label}: {}", drawn.text.replace('\n', " | "));
    }
    for wanted in expect {
        let hit = case.drawn.iter().find(|drawn| wanted.is_in(&drawn.text));
        match hit {
            None => eprintln!("missed, line {number}, {role}, {}: {text}", wanted.kind.as_str()),
            Some(drawn) if drawn.label != wanted.kind => {
                let (kept, meant) = (drawn.label.as_str(), wanted.kind.as_str());
                eprintln!("kept as {kept}, line {number}, {role}, {meant}: {text}");
            }
            Some(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Well below what is reached (docs/benchmarks.md), so that only a real loss fails.
    #[test]
    fn extraction_is_mostly_right_and_finds_something() {
        let figures = measure(false).expect("the lines are compiled in");
        let of = |name: &str| {
            let figure = figures.iter().find(|figure| figure.name == name);
            figure.unwrap_or_else(|| panic!("no figure `{name}`")).value
        };
        for half in ["dev", "test"] {
            let precision = of(&format!("{half}: precision, all kinds"));
            let recall = of(&format!("{half}: recall, all kinds"));
            assert!(precision >= 0.85, "precision on the {half} half is {precision:.3}");
            assert!(recall >= 0.4, "recall on the {half} half is {recall:.3}");
        }
    }
}
