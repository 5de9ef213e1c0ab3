//! Links, communities and sagas: made once, taken back by undo, exported in the same bytes.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_engine::consolidate::What;
use mnemic_engine::model::body::{Body, Episode, Outcome, Pattern};
use mnemic_engine::model::{
    Actor, At, Author, Content, Draft, Filter, Kind, Patch, RecordId, Relation, Truth,
};
use mnemic_engine::{Consolidated, Engine, Graph, Note, StoreName};
use mnemic_testkit::Home;

fn engine(home: &Home) -> Engine {
    drop(home.engine());
    let mut settings = home.settings();
    settings.actor = Actor::new(Author::Agent, "tester");
    Engine::open(settings).unwrap()
}

fn remember(engine: &Engine, statement: &str, tags: &[&str]) -> RecordId {
    let pattern = Pattern { statement: statement.to_owned(), ..Pattern::default() };
    let mut draft = Draft::new(Body::Pattern(pattern));
    draft.about.tags = tags.iter().map(|tag| (*tag).to_owned()).collect();
    engine.remember(draft, &Note::default()).unwrap().id
}

fn live(engine: &Engine, task: &str, goal: &str) -> RecordId {
    let episode = Episode {
        goal: goal.to_owned(),
        task_id: Some(task.to_owned()),
        outcome: Some(Outcome::Success),
        ..Episode::default()
    };
    engine.remember(Draft::new(Body::Episode(episode)), &Note::default()).unwrap().id
}

fn consolidate(engine: &Engine) -> Consolidated {
    let reports = engine.consolidate(false, &Note::default(), &mut |_, _| {}).unwrap();
    reports.into_iter().find(|report| report.store == StoreName::Project).unwrap()
}

fn of_kind(engine: &Engine, kind: Kind) -> Vec<(RecordId, Content)> {
    let at = At { truth: Truth::Now, known: None };
    let filter = Filter { kinds: vec![kind], ..Filter::new(at) };
    let items = engine.list(&filter).unwrap().items;
    items.into_iter().map(|item| (item.version.id, item.version.content)).collect()
}

fn members(engine: &Engine, node: &RecordId) -> Vec<RecordId> {
    let shown = engine.show(node.as_str(), At::LATEST).unwrap();
    let links = shown.links.into_iter();
    let mut members: Vec<RecordId> = links
        .filter(|link| link.relation == Relation::HasMember && link.recorded.is_open())
        .map(|link| link.to)
        .collect();
    members.sort();
    members
}

/// Two topics of three notes each.
fn two_topics(engine: &Engine) -> (Vec<RecordId>, Vec<RecordId>) {
    let billing = [
        "deploy the billing service from main with the release script",
        "deploy the billing service from main after the release script",
        "deploy the billing service from main only by the release script",
    ];
    let parser = [
        "grammar tests of the query parser live beside their fixtures",
        "grammar tests of the query parser read their fixtures once",
        "grammar tests of the query parser name their fixtures plainly",
    ];
    let all = |texts: [&str; 3], tag: &str| {
        texts.iter().map(|text| remember(engine, text, &[tag])).collect()
    };
    (all(billing, "release"), all(parser, "grammar"))
}

#[test]
fn topics_become_communities_with_a_summary() {
    let home = Home::new();
    let engine = engine(&home);
    let (billing, parser) = two_topics(&engine);
    remember(&engine, "coffee is in the cupboard on the left", &[]);
    consolidate(&engine);
    let communities = of_kind(&engine, Kind::Community);
    assert_eq!(communities.len(), 2, "{communities:?}");
    for (id, content) in &communities {
        let mut held = members(&engine, id);
        held.sort();
        let mut expected = if held.contains(&billing[0]) { &billing } else { &parser }.clone();
        expected.sort();
        assert_eq!(held, expected);
        let Body::Community(community) = &content.body else { unreachable!() };
        let about = community.description.as_deref().unwrap();
        assert!(about.starts_with("3 memories. "), "{about}");
        let word = if held.contains(&billing[0]) { "billing" } else { "parser" };
        assert!(about.contains(word), "{about}");
    }
}

#[test]
fn a_second_run_changes_nothing_and_undo_takes_all_back() {
    let home = Home::new();
    let engine = engine(&home);
    two_topics(&engine);
    for day in 0..3 {
        live(&engine, "login", &format!("mend the login, part {day}"));
        home.clock.tick(86_400);
    }
    let before = engine.graph(None, 0).unwrap();
    let did = consolidate(&engine);
    assert!(did.counts.get(&What::Grouped).copied().unwrap_or_default() >= 3, "{did:?}");
    let after = engine.graph(None, 0).unwrap();
    assert_ne!(before, after);
    for _ in 0..2 {
        let again = consolidate(&engine);
        assert!(again.counts.is_empty(), "{again:?}");
    }
    assert_eq!(engine.graph(None, 0).unwrap(), after);
    engine.undo(None, &Note::default()).unwrap();
    assert_eq!(engine.graph(None, 0).unwrap(), before);
    assert!(of_kind(&engine, Kind::Community).is_empty());
    assert!(of_kind(&engine, Kind::Saga).is_empty());
}

#[test]
fn episodes_of_one_piece_of_work_are_a_saga() {
    let home = Home::new();
    let engine = engine(&home);
    let mut chain = Vec::new();
    for (task, goal) in [
        ("a", "move the scheduler to the new queue"),
        ("b", "move the scheduler to the new queue: tests"),
        ("b", "answer mails"),
        ("c", "move the scheduler to the new queue: rollout"),
    ] {
        chain.push(live(&engine, task, goal));
        home.clock.tick(3_600);
    }
    let lone = live(&engine, "z", "paint the fence");
    consolidate(&engine);
    let sagas = of_kind(&engine, Kind::Saga);
    assert_eq!(sagas.len(), 1, "{sagas:?}");
    let mut expected = chain.clone();
    expected.sort();
    assert_eq!(members(&engine, &sagas[0].0), expected);
    let Body::Saga(saga) = &sagas[0].1.body else { unreachable!() };
    assert!(saga.description.as_deref().unwrap().contains("4 episodes"));
    let links = engine.graph(Some(chain[0].as_str()), 1).unwrap().links;
    let follows = |link: &&mnemic_engine::model::Link| {
        link.relation == Relation::FollowedBy && link.from == chain[0] && link.to == chain[1]
    };
    assert_eq!(links.iter().filter(follows).count(), 1);

    // It goes on: the same saga grows.
    let more = live(&engine, "c", "move the scheduler to the new queue: clean up");
    consolidate(&engine);
    let grown = of_kind(&engine, Kind::Saga);
    assert_eq!(grown.len(), 1);
    assert_eq!(grown[0].0, sagas[0].0);
    let held = members(&engine, &grown[0].0);
    assert!(held.contains(&more) && !held.contains(&lone));
}

#[test]
fn a_community_that_falls_apart_ends() {
    let home = Home::new();
    let engine = engine(&home);
    let (billing, _) = two_topics(&engine);
    consolidate(&engine);
    assert_eq!(of_kind(&engine, Kind::Community).len(), 2);
    for id in &billing[1..] {
        engine.forget(&[id.as_str()], &Note::default()).unwrap();
    }
    remember(&engine, "something else entirely, so that there is news", &[]);
    consolidate(&engine);
    assert_eq!(of_kind(&engine, Kind::Community).len(), 1);
    assert!(consolidate(&engine).counts.is_empty());
}

#[test]
fn what_is_forgotten_is_in_no_summary() {
    let home = Home::new();
    let engine = engine(&home);
    let text = "the nightly export of Zanzibar goes to the archive bucket";
    let ids: Vec<RecordId> = ["first", "second", "third", "fourth"]
        .iter()
        .map(|word| remember(&engine, &format!("{text} {word}"), &[]))
        .collect();
    consolidate(&engine);
    assert_eq!(of_kind(&engine, Kind::Community).len(), 1);
    engine.forget(&[ids[0].as_str()], &Note::default()).unwrap();
    assert!(of_kind(&engine, Kind::Community).is_empty());
    remember(&engine, "news, so that there is something to do", &[]);
    consolidate(&engine);
    let again = of_kind(&engine, Kind::Community);
    assert_eq!(again.len(), 1, "the others still belong together");
    assert!(!again[0].1.body.full_text().contains("first"));
}

#[test]
fn notes_learn_the_tags_of_their_neighbours_and_a_person_can_take_them_off() {
    let home = Home::new();
    let engine = engine(&home);
    let text = "deploy the billing service from main with the release script";
    remember(&engine, &format!("{text} at night"), &["release"]);
    remember(&engine, &format!("{text} by hand"), &["release"]);
    let plain = remember(&engine, &format!("{text} again"), &[]);
    let report = consolidate(&engine);
    assert!(report.counts.contains_key(&What::Refined), "{report:?}");
    let tags = |id: &RecordId| engine.show(id.as_str(), At::LATEST).unwrap().version.content.tags;
    assert!(tags(&plain).contains("release"));
    let patch = Patch { remove_tags: vec!["release".to_owned()], ..Patch::default() };
    engine.edit(plain.as_str(), &patch, &Note::default()).unwrap();
    consolidate(&engine);
    assert!(!tags(&plain).contains("release"), "what somebody took off stays off");
}

#[test]
fn who_says_more_elaborates() {
    let home = Home::new();
    let engine = engine(&home);
    let short =
        remember(&engine, "deploy the billing service from main with the release script", &[]);
    let long = remember(
        &engine,
        "deploy the billing service from main with the release script, which asks for a ticket \
         number and waits for the on-call engineer",
        &[],
    );
    consolidate(&engine);
    let Graph { links, .. } = engine.graph(Some(short.as_str()), 1).unwrap();
    let found = links.iter().map(|link| (&link.from, link.relation, &link.to));
    assert!(found.clone().any(|it| it == (&long, Relation::Elaborates, &short)), "{links:?}");
}

#[test]
fn the_neighbourhood_grows_with_depth() {
    let home = Home::new();
    let engine = engine(&home);
    let ids: Vec<RecordId> =
        (0..5).map(|n| remember(&engine, &"abcdefgh".repeat(n + 1), &[])).collect();
    for pair in ids.windows(2) {
        let one = mnemic_engine::model::Unit::ONE;
        let (from, to) = (pair[0].as_str(), pair[1].as_str());
        engine.link(from, Relation::Supports, to, one, &Note::default()).unwrap();
    }
    for depth in 0..6 {
        let graph = engine.graph(Some(ids[0].as_str()), depth).unwrap();
        assert_eq!(graph.nodes.len(), (depth + 1).min(5));
        assert_eq!(graph.links.len(), depth.min(4));
        assert_eq!(graph, engine.graph(Some(ids[0].as_str()), depth).unwrap());
    }
}
