//! What an agent has before it whatever it asks: its blocks, and what is labelled a gotcha. And what
//! it was shown under a mark can be opened by that mark.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::model::body::{Block, Body, Decision, Episode, Fact, Outcome, Pattern};
use mnemic_engine::model::{At, Draft, RecordId, Tier, Use};
use mnemic_engine::recall::context::Assembled;
use mnemic_engine::{Engine, Note};
use mnemic_testkit::Home;

fn keep(engine: &Engine, body: Body, tags: &[&str]) -> RecordId {
    let mut draft = Draft::new(body);
    draft.about.tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
    engine.remember(draft, &Note::default()).unwrap().id
}

fn pattern(statement: &str) -> Body {
    Body::Pattern(Pattern { statement: statement.to_owned(), ..Pattern::default() })
}

fn fact(key: &str, value: &str) -> Body {
    Body::Fact(Fact { key: key.to_owned(), value: value.to_owned(), ..Fact::default() })
}

fn context(engine: &Engine, question: &str, profile: &str) -> Assembled {
    engine.context(&engine.context_ask(question, profile)).unwrap().assembled
}

/// A block, two gotchas, and more recent memories than a brief has places for.
fn lived_in(engine: &Engine) -> [RecordId; 3] {
    let label = "persona".to_owned();
    let text = "Careful and brief. Answers in English.".to_owned();
    let block = keep(engine, Body::Block(Block { label, text, limit: 500 }), &[]);
    let flaky = keep(engine, pattern("The clock test fails before noon"), &["gotcha"]);
    let shared = keep(engine, fact("staging", "is shared with the other team"), &["Gotcha"]);
    for n in 0..30 {
        keep(engine, fact(&format!("limits.of.{n}"), &n.to_string()), &[]);
    }
    [block, flaky, shared]
}

#[test]
fn blocks_and_gotchas_are_always_there() {
    let home = Home::new();
    let engine = home.engine();
    let always = lived_in(&engine);
    for question in ["", "what is the weather like", "the colours of the website"] {
        for profile in ["brief", "working"] {
            let context = context(&engine, question, profile);
            for id in &always {
                let is_shown = context.shown.iter().any(|one| one.id == *id);
                assert!(is_shown, "`{question}` by {profile} lacks {id}:\n{}", context.text);
            }
        }
    }
}

fn bound(engine: &Engine, statement: &str) -> RecordId {
    let mut draft = Draft::new(pattern(statement));
    draft.about.tier = Some(Tier::Mandate);
    engine.remember(draft, &Note::default()).unwrap().id
}

fn shows(context: &Assembled, id: &RecordId) -> bool {
    context.shown.iter().any(|one| one.id == *id)
}

/// What binds has no share of a budget to keep to, and nothing stands before it.
#[test]
fn mandates_come_first_in_every_profile_and_in_little_room() {
    let home = Home::new();
    let engine = home.engine();
    let label = "persona".to_owned();
    let text = "I am careful, I answer briefly, and I help with everything here.".to_owned();
    keep(&engine, Body::Block(Block { label, text, limit: 500 }), &[]);
    let mandates = [
        bound(&engine, "Nobody may delete a Kafka topic without a ticket"),
        bound(&engine, "Every change to Terraform needs a plan that a second person has read"),
    ];
    for n in 0..70 {
        keep(&engine, fact(&format!("limits.of.{n}"), &n.to_string()), &[]);
    }
    for profile in ["brief", "working", "task", "fresh"] {
        for budget in [300, 400, 1_000, 4_000] {
            let question =
                if profile == "brief" { "" } else { "fix the lag of the billing service" };
            let mut ask = engine.context_ask(question, profile);
            ask.ask.budget = Some(budget);
            let context = engine.context(&ask).unwrap().assembled;
            let shown = mandates.iter().filter(|id| shows(&context, id)).count();
            assert_eq!(shown, 2, "{profile} in {budget}:\n{}", context.text);
            assert!(mandates.contains(&context.shown[0].id), "{profile}:\n{}", context.text);
        }
    }
    // Where there is no room for more than one memory it is a mandate.
    for budget in 200..300 {
        let mut ask = engine.context_ask("", "brief");
        ask.ask.budget = Some(budget);
        let context = engine.context(&ask).unwrap().assembled;
        let first = context.shown.first();
        assert!(first.is_none_or(|one| mandates.contains(&one.id)), "{budget}:\n{}", context.text);
    }
}

#[test]
fn what_is_pinned_stays_in_sight() {
    let home = Home::new();
    let engine = home.engine();
    let mut draft = Draft::new(pattern("The demo for the board is in March"));
    draft.about.pinned = true;
    let pinned = engine.remember(draft, &Note::default()).unwrap().id;
    for n in 0..70 {
        keep(&engine, fact(&format!("limits.of.{n}"), &n.to_string()), &[]);
    }
    for profile in ["brief", "working", "task", "fresh"] {
        let context = context(&engine, "fix the lag of the billing service", profile);
        assert!(shows(&context, &pinned), "{profile}:\n{}", context.text);
    }
}

/// `add a css class` is no reason to be told of a queue that somebody failed to add.
#[test]
fn a_failure_of_something_else_is_not_told() {
    let home = Home::new();
    let engine = home.engine();
    let failed = Episode {
        goal: "Add a dead letter queue to the ingestion".to_owned(),
        outcome: Some(Outcome::Failure),
        ..Episode::default()
    };
    let failed = keep(&engine, Body::Episode(failed), &[]);
    let is_critical = |question: &str| {
        let shown = context(&engine, question, "working").shown;
        shown.iter().any(|one| one.id == failed && one.tier == "critical")
    };
    assert!(!is_critical("add a css class to the login page"));
    assert!(is_critical("add a metric to the queue"));
}

#[test]
fn a_mark_opens_what_it_stands_for() {
    let home = Home::new();
    let engine = home.engine();
    lived_in(&engine);
    let context = context(&engine, "", "brief");
    assert!(!context.shown.is_empty());
    for one in &context.shown {
        let mark = &one.citation;
        for written in [mark.clone(), format!("[R:{mark}]"), format!("M:{mark}")] {
            assert_eq!(engine.show(&written, At::LATEST).unwrap().version.id, one.id);
        }
    }
    let unknown = engine.show("[M:00000000]", At::LATEST).unwrap_err();
    assert!(unknown.to_string().contains("there is no memory"), "{unknown}");
}

/// Without a question nothing tells what a session is for. Then what somebody pinned, what is
/// cited, and what was decided is worth its place before the latest small things that are so.
#[test]
fn a_brief_begins_with_what_matters_and_not_with_what_is_short() {
    let home = Home::new();
    let engine = home.engine();
    let decision = Decision {
        decision: "Money is kept as integer cents in every table of the ledger".to_owned(),
        rationale: Some("rounding errors in invoices".to_owned()),
        alternatives: Vec::new(),
        affects: Vec::new(),
        active: true,
    };
    let decided = keep(&engine, Body::Decision(decision), &[]);
    let mut draft = Draft::new(fact("test.command", "make test-all, which needs docker running"));
    draft.about.pinned = true;
    let pinned = engine.remember(draft, &Note::default()).unwrap().id;
    let cited =
        keep(&engine, fact("gateway.address", "the sandbox of the bank, by VPN alone"), &[]);
    for _ in 0..3 {
        engine.record_use(&[cited.as_str()], Use::Loaded, None).unwrap();
        engine.record_use(&[cited.as_str()], Use::Referenced, None).unwrap();
    }
    // More of them than anybody looks through, and each shorter than any of the three.
    for n in 0..30 {
        keep(&engine, fact(&format!("port.{n}"), &n.to_string()), &[]);
    }
    let brief = context(&engine, "", "brief");
    for (what, id) in [("decided", &decided), ("pinned", &pinned), ("cited", &cited)] {
        assert!(brief.shown.iter().any(|one| one.id == *id), "{what}: {}", brief.text);
    }
    assert!(brief.tokens <= 400, "{}", brief.tokens);
    assert_eq!(brief.text, context(&engine, "", "brief").text, "at rest, the same to the byte");
    // What is cited is found however much came after it.
    for n in 30..100 {
        keep(&engine, fact(&format!("port.{n}"), &n.to_string()), &[]);
    }
    let brief = context(&engine, "", "brief");
    assert!(brief.shown.iter().any(|one| one.id == cited), "{}", brief.text);
}
