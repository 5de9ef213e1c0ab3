//! Consolidation over real stores: once is enough, undo takes all of it back, a person's word stays.

use mnemic_engine::consolidate::What;
use mnemic_engine::inference::fake;
use mnemic_engine::model::body::{Body, Contradiction, Fact, Pattern, Resolution, Status};
use mnemic_engine::model::{
    Actor, At, Author, Content, Draft, Filter, Kind, RecordId, Tier, Truth, Use,
};
use mnemic_engine::{Consolidated, Engine, Meaning, Note, StoreName};
use mnemic_testkit::Home;

/// An engine of a person or of an agent over the same stores.
fn engine(home: &Home, author: Author) -> Engine {
    drop(home.engine());
    let mut settings = home.settings();
    settings.meaning = Meaning::by(fake(64));
    settings.actor = Actor::new(author, "tester");
    Engine::open(settings).expect("an engine")
}

fn remember(engine: &Engine, body: Body) -> RecordId {
    engine.remember(Draft::new(body), &Note::default()).expect("remembered").id
}

fn pattern(text: &str) -> Body {
    Body::Pattern(Pattern { statement: text.to_owned(), ..Pattern::default() })
}

fn fact(key: &str, value: &str) -> Body {
    Body::Fact(Fact { key: key.to_owned(), value: value.to_owned(), ..Fact::default() })
}

fn consolidate(engine: &Engine) -> Consolidated {
    run(engine, false)
}

fn run(engine: &Engine, dry_run: bool) -> Consolidated {
    let reports = engine.consolidate(dry_run, &Note::default(), &mut |_, _| {});
    let mut reports = reports.expect("consolidated").into_iter();
    reports.find(|report| report.store == StoreName::Project).expect("a project store")
}

fn count(report: &Consolidated, what: What) -> u64 {
    report.counts.get(&what).copied().unwrap_or_default()
}

/// All that is believed, in the order of ids.
fn believed(engine: &Engine) -> Vec<(RecordId, Content)> {
    let mut filter = Filter::new(At::LATEST);
    filter.kinds = Kind::ALL.to_vec();
    let items = engine.list(&filter).expect("listed").items;
    let mut all: Vec<_> =
        items.into_iter().map(|item| (item.version.id, item.version.content)).collect();
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

fn content(engine: &Engine, id: &RecordId) -> Content {
    engine.show(id.as_str(), At::LATEST).expect("shown").version.content
}

const DEPLOY: &str =
    "We deploy the billing service from the main branch to Frankfurt every single night";
const DEPLOY_AGAIN: &str =
    "We deploy billing service from the main branch, to Frankfurt, every single night.";
const DEPLOY_OTHERWISE: &str =
    "We deploy the billing service from the main branch to Frankfurt every second night";

#[test]
fn copies_become_one_and_lead_to_it() {
    let home = Home::new();
    let engine = engine(&home, Author::Agent);
    let first = remember(&engine, pattern(DEPLOY));
    let copy = remember(&engine, pattern(DEPLOY_AGAIN));
    let other = remember(&engine, pattern(DEPLOY_OTHERWISE));
    engine.record_use(&[copy.as_str()], Use::Referenced, None).expect("used");
    let report = consolidate(&engine);
    assert_eq!(count(&report, What::Merged), 1, "{report:?}");
    assert_eq!(content(&engine, &copy).tier, Tier::Archive);
    assert_eq!(content(&engine, &first).tier, Tier::Reference);
    assert_eq!(content(&engine, &other).tier, Tier::Reference);
    let shown = engine.show(first.as_str(), At::LATEST).expect("shown");
    assert_eq!(shown.usage.referenced, 1, "counts add up");
    assert!(shown.links.iter().any(|link| link.from == copy && link.to == first));
}

#[test]
fn a_second_run_changes_nothing_and_undo_restores_everything() {
    let home = Home::new();
    let engine = engine(&home, Author::Agent);
    let kept = remember(&engine, pattern(DEPLOY));
    let copy = remember(&engine, pattern(DEPLOY_AGAIN));
    engine.record_use(&[copy.as_str()], Use::Referenced, None).expect("used");
    home.clock.tick(60);
    remember(&engine, fact("staging database port", "5432"));
    home.clock.tick(60);
    remember(&engine, fact("the staging database port", "5433"));
    let before = believed(&engine);

    let would = run(&engine, true);
    assert_eq!(believed(&engine), before, "a dry run changes nothing");
    assert_eq!(would.change, None);

    let did = consolidate(&engine);
    assert_eq!(did.counts, would.counts, "a dry run tells what a run does");
    let after = believed(&engine);
    assert_ne!(after, before);
    for _ in 0..2 {
        let again = consolidate(&engine);
        assert!(again.counts.is_empty(), "{again:?}");
        assert_eq!(believed(&engine), after);
    }

    let undone = engine.undo(None, &Note::default()).expect("undone");
    assert_eq!(Some(undone.undone), did.change);
    assert_eq!(believed(&engine), before);
    let usage = engine.show(kept.as_str(), At::LATEST).expect("shown").usage;
    assert_eq!(usage.referenced, 0, "counts go back");
    engine.undo(Some(&undone.change), &Note::default()).expect("redone");
    assert_eq!(believed(&engine), after);
    let usage = engine.show(kept.as_str(), At::LATEST).expect("shown").usage;
    assert_eq!(usage.referenced, 1, "and come again");
}

#[test]
fn what_contradicts_is_never_merged_and_the_newer_value_holds() {
    let home = Home::new();
    let engine = engine(&home, Author::Agent);
    let old = remember(&engine, fact("staging database port", "5432"));
    home.clock.tick(3600);
    let new = remember(&engine, fact("the staging database port", "5433"));
    let open_a = remember(&engine, pattern("The nightly export always waits for the scheduler"));
    let open_b = remember(&engine, pattern("The nightly export never waits for the scheduler"));
    let report = consolidate(&engine);
    assert_eq!(count(&report, What::Merged), 0, "{report:?}");
    let began = content(&engine, &new).valid.from();
    assert_eq!(content(&engine, &old).valid.to(), Some(began));
    assert_eq!(content(&engine, &new).valid.to(), None);
    for id in [&open_a, &open_b] {
        assert_eq!(content(&engine, id).valid.to(), None, "what is unclear stays as it was");
    }
    let found: Vec<Contradiction> = believed(&engine)
        .into_iter()
        .filter_map(|(_, content)| match content.body {
            Body::Contradiction(found) => Some(found),
            _ => None,
        })
        .collect();
    let of = |id: &RecordId| found.iter().find(|one| one.a == *id || one.b == *id);
    let settled = of(&old).expect("the port is noticed");
    let won = if settled.a == new { Resolution::AWins } else { Resolution::BWins };
    assert_eq!(settled.resolution, Some(won));
    assert_eq!(settled.detected_by, "rule:slot");
    assert!(settled.note.as_ref().is_some_and(|note| note.contains("5433")));
    assert_eq!(of(&open_a).map(|one| one.status), Some(Status::Open));
}

#[test]
fn a_persons_word_is_neither_merged_away_nor_overruled() {
    let home = Home::new();
    let (person, agent) = (engine(&home, Author::Human), engine(&home, Author::Agent));
    let said = remember(&person, pattern(DEPLOY));
    let twice = remember(&person, pattern(DEPLOY_AGAIN));
    let port = remember(&person, fact("staging database port", "5432"));
    home.clock.tick(60);
    let heard = remember(&agent, pattern(&DEPLOY.replace("We deploy the", "We deploy")));
    let guess = remember(&agent, fact("the staging database port", "5433"));
    consolidate(&agent);
    for id in [&said, &twice, &port] {
        let content = content(&agent, id);
        assert_eq!(content.tier, Tier::Reference, "{id}");
        assert_eq!(content.valid.to(), None, "{id}");
    }
    assert_eq!(content(&agent, &heard).tier, Tier::Archive);
    assert!(content(&agent, &guess).valid.to().is_some());
    let now = Filter::new(At { truth: Truth::Now, known: None });
    let values = agent.list(&now).expect("listed").items;
    assert!(values.iter().all(|item| item.version.id != guess));
}
