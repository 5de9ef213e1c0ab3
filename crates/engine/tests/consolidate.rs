//! Consolidation over real stores: once is enough, undo takes all of it back, a person's word stays.

use mnemic_engine::consolidate::{Step, What};
use mnemic_engine::inference::fake;
use mnemic_engine::model::body::{
    Action, Body, Contradiction, Episode, Fact, Failure, Outcome, Pattern, Resolution, Status,
};
use mnemic_engine::model::{
    Actor, At, Author, ChangeId, Clock, Content, Draft, Filter, Kind, Patch, RecordId, Relation,
    Tier, Trust, Truth, Unit, Use,
};
use mnemic_engine::{Consolidated, Engine, Meaning, Note, StoreName};
use mnemic_testkit::Home;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

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
fn what_gave_way_holds_again_when_the_newer_is_taken_back() {
    let home = Home::new();
    let engine = engine(&home, Author::Agent);
    let old = remember(&engine, fact("staging database port", "5432"));
    home.clock.tick(3600);
    let newer = Draft::new(fact("the staging database port", "5433"));
    let newer = engine.remember(newer, &Note::default()).expect("remembered");
    consolidate(&engine);
    assert!(content(&engine, &old).valid.to().is_some(), "it gave way");
    let settled = believed(&engine);

    home.clock.tick(60);
    let undone = engine.undo(newer.change.as_ref(), &Note::default()).expect("undone");
    assert_eq!(undone.restored, std::slice::from_ref(&old));
    assert_eq!(content(&engine, &old).valid.to(), None, "nothing stands against it");
    assert!(of_kind(&engine, Kind::Contradiction).is_empty());
    let report = consolidate(&engine);
    assert_eq!(count(&report, What::Settled) + count(&report, What::Opened), 0, "{report:?}");

    home.clock.tick(60);
    engine.undo(Some(&undone.change), &Note::default()).expect("done again");
    assert_eq!(believed(&engine), settled);
}

#[test]
fn a_question_ends_with_the_side_that_it_was_about() {
    let home = Home::new();
    let engine = engine(&home, Author::Agent);
    let ended = remember(&engine, pattern("The nightly export always waits for the scheduler"));
    let stays = remember(&engine, pattern("The nightly export never waits for the scheduler"));
    let mended = remember(&engine, pattern("The parser always trims the last line"));
    remember(&engine, pattern("The parser never trims the last line"));
    assert_eq!(count(&consolidate(&engine), What::Opened), 2);
    home.clock.tick(3600);
    let over = Patch { invalid_at: Some(Some(home.clock.now())), ..Patch::default() };
    engine.edit(ended.as_str(), &over, &Note::default()).expect("ended");
    let mut says = Patch::default();
    says.body.insert("statement".into(), "The parser never trims the last line of a file".into());
    engine.edit(mended.as_str(), &says, &Note::default()).expect("mended");
    home.clock.tick(60);
    let report = consolidate(&engine);
    assert_eq!(count(&report, What::Settled), 2, "{report:?}");
    for (_, content) in of_kind(&engine, Kind::Contradiction) {
        let Body::Contradiction(pair) = content.body else { panic!("a contradiction") };
        let expected = match (pair.a == stays, pair.b == stays) {
            (true, _) => Resolution::AWins,
            (_, true) => Resolution::BWins,
            _ => Resolution::BothValid,
        };
        assert_eq!(pair.resolution, Some(expected), "{pair:?}");
    }
    assert_eq!(consolidate(&engine).counts, BTreeMap::new());
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

#[test]
fn what_was_undone_is_not_done_again_unasked() {
    let home = Home::new();
    let engine = engine(&home, Author::Agent);
    remember(&engine, pattern(DEPLOY));
    let copy = remember(&engine, pattern(DEPLOY_AGAIN));
    remember(&engine, fact("staging database port", "5432"));
    home.clock.tick(3600);
    remember(&engine, fact("the staging database port", "5433"));
    remember(&engine, flaky("a", "Fix the flaky login test"));
    remember(&engine, flaky("b", "Fix flaky login test again"));
    let first = consolidate(&engine);
    for what in [What::Merged, What::Settled, What::Generalised, What::Warned] {
        assert_eq!(count(&first, what), 1, "{first:?}");
    }
    let undo = |change: Option<ChangeId>| {
        let change = change.expect("something was done");
        home.clock.tick(60);
        engine.undo(Some(&change), &Note::default()).expect("undone").change
    };
    let undoing = undo(first.change.clone());

    let would = run(&engine, true);
    let second = consolidate(&engine);
    assert_eq!(would.counts, second.counts, "a dry run tells what a run does");
    // The two that were one are near each other now; nothing else is new but the question.
    let only = BTreeMap::from([(What::Opened, 1), (What::Linked, 1)]);
    assert_eq!(second.counts, only, "{second:?}");
    let [question] = of_kind(&engine, Kind::Contradiction).try_into().expect("one question");
    let Body::Contradiction(question) = question.1.body else { panic!("a contradiction") };
    assert_eq!(question.status, Status::Open);

    // What is new is tended as ever, and what was parted stays so.
    home.clock.tick(60);
    let third = remember(&engine, pattern(&DEPLOY.replace("We deploy the", "We deploy")));
    let report = consolidate(&engine);
    assert_eq!(count(&report, What::Merged), 1, "{report:?}");
    assert_eq!(content(&engine, &third).tier, Tier::Archive);
    assert_eq!(content(&engine, &copy).tier, Tier::Reference);
    undo(report.change);

    undo(second.change);
    let again = consolidate(&engine);
    for what in [What::Opened, What::Settled, What::Merged, What::Generalised, What::Warned] {
        assert_eq!(count(&again, what), 0, "a question taken back is not asked again: {again:?}");
    }
    undo(Some(undoing));
    assert_eq!(content(&engine, &copy).tier, Tier::Archive, "an undo can be undone");
}

fn flaky(task: &str, goal: &str) -> Body {
    Body::Episode(Episode {
        goal: goal.to_owned(),
        task_id: Some(task.to_owned()),
        files: vec!["tests/login.rs".to_owned()],
        actions: vec![Action { action: "run cargo test".to_owned(), ..Action::default() }],
        outcome: Some(Outcome::Success),
        errors: vec![Failure {
            error_type: "Timeout".to_owned(),
            message: "the login page did not answer in 5 s".to_owned(),
            resolution: Some("wait for the server's ready line".to_owned()),
        }],
        ..Episode::default()
    })
}

fn of_kind(engine: &Engine, kind: Kind) -> Vec<(RecordId, Content)> {
    believed(engine).into_iter().filter(|(_, content)| content.kind() == kind).collect()
}

#[test]
fn episodes_that_are_alike_become_a_pattern_in_their_own_words() {
    let home = Home::new();
    let engine = engine(&home, Author::Agent);
    let first = remember(&engine, flaky("a", "Fix the flaky login test"));
    home.clock.tick(3600);
    let second = remember(&engine, flaky("b", "Fix flaky login test again"));
    remember(&engine, flaky("c", "Write the release notes for March"));
    let report = consolidate(&engine);
    assert_eq!(count(&report, What::Generalised), 1, "{report:?}");
    assert_eq!(count(&report, What::Warned), 1, "{report:?}");
    let patterns = of_kind(&engine, Kind::Pattern);
    let [(id, content)] = patterns.as_slice() else { panic!("one pattern: {patterns:?}") };
    let Body::Pattern(pattern) = &content.body else { panic!("a pattern") };
    let said = "To fix the flaky login test: wait for the server's ready line";
    assert_eq!((pattern.statement.as_str(), &pattern.correct_approach), (said, &None));
    assert_eq!(pattern.conditions, ["tests/login.rs"]);
    assert_eq!(pattern.source_episodes, [first, second]);
    assert_eq!(content.trust(), Trust::Unreviewed, "no more trusted than its sources");
    assert!(content.confidence.get() >= 0.8);
    let warnings = of_kind(&engine, Kind::AntiPattern);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(warnings[0].1.provenance.episodes.len(), 3);
    assert!(consolidate(&engine).counts.is_empty());

    home.clock.tick(86_400);
    let third = remember(&engine, flaky("d", "Fix the flaky login test on CI"));
    let report = consolidate(&engine);
    assert_eq!(count(&report, What::Generalised), 0, "{report:?}");
    assert_eq!(count(&report, What::Strengthened), 2, "the pattern and the warning: {report:?}");
    let stronger = engine.show(id.as_str(), At::LATEST).expect("shown").version.content;
    assert!(stronger.provenance.episodes.contains(&third));
    assert!(stronger.confidence > content.confidence);
    assert!(consolidate(&engine).counts.is_empty());
}

#[test]
fn nothing_is_drawn_from_quarantine_or_from_failure() {
    let home = Home::new();
    let engine = engine(&home, Author::Agent);
    for task in ["a", "b"] {
        let mut draft = Draft::new(flaky(task, "Fix the flaky login test"));
        draft.about.trust = Some(Trust::Quarantined);
        engine.remember(draft, &Note::default()).expect("remembered");
        let Body::Episode(mut episode) = flaky(task, "Upgrade the compiler to nightly") else {
            panic!("an episode")
        };
        episode.outcome = Some(Outcome::Failure);
        episode.errors.clear();
        remember(&engine, Body::Episode(episode));
    }
    let report = consolidate(&engine);
    assert_eq!(count(&report, What::Generalised) + count(&report, What::Warned), 0, "{report:?}");
}

fn cite(engine: &Engine, id: &RecordId, times: usize, event: Use) {
    for _ in 0..times {
        engine.record_use(&[id.as_str()], event, Some(Unit::ONE)).expect("used");
    }
}

#[test]
fn what_is_cited_rises_if_a_person_vouches_and_what_is_not_used_sinks() {
    let home = Home::new();
    let (person, agent) = (engine(&home, Author::Human), engine(&home, Author::Agent));
    let said = remember(&person, pattern("Deploy from the main branch alone"));
    let quiet = remember(&person, pattern("Never push to the release branch"));
    let guessed = remember(&agent, pattern("The parser wants front matter first"));
    let unused = remember(&agent, pattern("Integration tests need a broker"));
    let episode = remember(&agent, flaky("a", "Look at the dashboards"));
    cite(&person, &said, 25, Use::Referenced);
    cite(&person, &said, 20, Use::Succeeded);
    cite(&person, &guessed, 25, Use::Referenced);
    consolidate(&agent);
    assert_eq!(content(&agent, &said).tier, Tier::Mandate);
    assert_eq!(content(&agent, &guessed).tier, Tier::Reference, "no person vouches for it");

    home.clock.tick(100 * 86_400);
    cite(&person, &guessed, 1, Use::Referenced);
    let report = consolidate(&agent);
    assert!(count(&report, What::Archived) >= 2, "{report:?}");
    for (id, tier) in [
        (&said, Tier::Mandate),
        (&quiet, Tier::Reference),
        (&guessed, Tier::Reference),
        (&unused, Tier::Archive),
    ] {
        assert_eq!(content(&agent, id).tier, tier, "{id}");
    }
    let warning = of_kind(&agent, Kind::AntiPattern);
    let expected = match warning.as_slice() {
        [(_, content)] if content.tier != Tier::Archive => Tier::Reference,
        _ => Tier::Archive,
    };
    assert_eq!(content(&agent, &episode).tier, expected, "kept while something rests on it");
    assert!(consolidate(&agent).counts.is_empty());
}

/// A name and a value read as a sentence together: `web.ci use runner large for CI`.
#[test]
fn facts_of_different_names_do_not_end_each_other() {
    let home = Home::new();
    let engine = engine(&home, Author::Agent);
    let values =
        ["use runner large for CI", "use runner large for CI", "use runner large for CI now"];
    let ids: Vec<RecordId> = ["web.ci", "api.ci", "job.ci"]
        .into_iter()
        .zip(values)
        .map(|(key, value)| remember(&engine, fact(key, value)))
        .collect();
    let report = consolidate(&engine);
    assert_eq!(count(&report, What::Settled) + count(&report, What::Opened), 0, "{report:?}");
    for id in &ids {
        assert!(content(&engine, id).valid.is_open(), "{id}");
    }
}

#[test]
fn a_fact_meets_the_sentence_that_says_otherwise() {
    for (key, value, sentence, contradicts) in [
        ("staging.port", "5544", "The staging port is 6000", true),
        ("DB_PORT", "5432", "The database port is 6000", true),
        ("deployRegion", "eu-west-1", "The deploy region is us-east-1", true),
        ("db.port", "5432", "`db.port` must be 6000", true),
        ("staging.port", "5544", "The production port is 6000", false),
        ("staging.port", "5544", "The staging port is 5544", false),
    ] {
        let home = Home::new();
        let engine = engine(&home, Author::Human);
        remember(&engine, fact(key, value));
        remember(&engine, pattern(sentence));
        let report = consolidate(&engine);
        let found = count(&report, What::Opened) + count(&report, What::Settled) > 0
            || !of_kind(&engine, Kind::Contradiction).is_empty();
        assert_eq!(found, contradicts, "{key} = {value} and {sentence}");
    }
}

#[test]
fn what_is_near_is_linked_and_episodes_lead_on() {
    let home = Home::new();
    let engine = engine(&home, Author::Agent);
    let one = remember(&engine, pattern("The nightly backup copies all tables to cold storage"));
    let two = remember(&engine, pattern("The nightly backup copies some tables to cold storage"));
    let first = remember(&engine, flaky("task-1", "Look into the slow start"));
    home.clock.tick(60);
    let next = remember(&engine, flaky("task-1", "Measure how long opening takes"));
    consolidate(&engine);
    let has = |from: &RecordId, relation: Relation, to: &RecordId| {
        let links = engine.show(from.as_str(), At::LATEST).expect("shown").links;
        links.iter().any(|link| {
            link.relation == relation
                && [&link.from, &link.to].into_iter().all(|end| end == from || end == to)
        })
    };
    assert!(has(&one, Relation::RelatedTo, &two));
    assert!(has(&first, Relation::FollowedBy, &next));
    assert!(consolidate(&engine).counts.is_empty());
}

/// What is said, by whom it may be trusted and how binding it is; not the very tick.
fn gist(engine: &Engine) -> Vec<(RecordId, Body, Tier, Trust, bool)> {
    let all = believed(engine).into_iter();
    all.map(|(id, it)| (id, it.body.clone(), it.tier, it.trust(), it.valid.is_open())).collect()
}

fn busy_home() -> Home {
    let home = Home::new();
    let agent = engine(&home, Author::Agent);
    for (number, (text, key)) in
        [(DEPLOY, "staging database port"), (DEPLOY_AGAIN, "the staging database port")]
            .into_iter()
            .enumerate()
    {
        remember(&agent, pattern(text));
        remember(&agent, fact(key, &format!("543{number}")));
        remember(&agent, flaky(key, "Fix the flaky login test"));
        home.clock.tick(3600);
    }
    home
}

#[test]
fn stopped_after_any_step_and_begun_again_it_comes_to_the_same() {
    let whole = {
        let home = busy_home();
        let engine = engine(&home, Author::Agent);
        consolidate(&engine);
        gist(&engine)
    };
    for fatal in Step::ALL {
        let home = busy_home();
        let stopped = engine(&home, Author::Agent);
        let died = catch_unwind(AssertUnwindSafe(|| {
            stopped.consolidate(false, &Note::default(), &mut |_, step| {
                assert_ne!(step, fatal, "stopped here on purpose");
            })
        }));
        assert!(died.is_err());
        drop(stopped);
        let again = engine(&home, Author::Agent);
        consolidate(&again);
        assert_eq!(gist(&again), whole, "stopped before {fatal:?}");
        assert!(consolidate(&again).counts.is_empty());
    }
}

#[test]
fn another_tier_or_pin_needs_no_new_vectors() {
    let home = Home::new();
    let agent = engine(&home, Author::Agent);
    let id = remember(&agent, pattern(DEPLOY));
    drop(agent);
    // Without an embedder nobody could make vectors now.
    let bare = home.engine();
    bare.pin(id.as_str(), true, &Note::default()).expect("pinned");
    let waiting: u64 = bare.vectors().expect("counted").iter().map(|(_, it)| it.waiting).sum();
    assert_eq!(waiting, 0);
    drop(bare);
    let agent = engine(&home, Author::Agent);
    let mut question = agent.question(DEPLOY);
    question.switches.words = false;
    question.switches.bounds = false;
    let found = agent.recall(&question).expect("recalled").found;
    assert_eq!(found.first().map(|one| &one.version.id), Some(&id));
    let checked = agent.verify(StoreName::Project).expect("verified");
    assert!(checked.findings.is_empty(), "{:?}", checked.findings);
}
