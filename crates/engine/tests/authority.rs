//! What a person stands for is changed, erased and taken back by a person alone, whatever the door.

use mnemic_engine::model::body::{Body, Fact, Pattern};
use mnemic_engine::model::policy::Door;
use mnemic_engine::model::{Actor, At, Author, Draft, Filter, Patch, RecordId, Tier};
use mnemic_engine::{Engine, ErrorKind, Note};
use mnemic_testkit::{Home, at};

fn engine(home: &Home, author: Author, door: Door) -> Engine {
    drop(home.engine());
    let mut settings = home.settings();
    settings.actor = Actor::new(author, "tester");
    settings.door = door;
    Engine::open(settings).expect("an engine")
}

fn remember(engine: &Engine, text: &str) -> RecordId {
    let body = Body::Pattern(Pattern { statement: text.to_owned(), ..Pattern::default() });
    engine.remember(Draft::new(body), &Note::default()).expect("remembered").id
}

fn says(text: &str) -> Patch {
    let mut patch = Patch::default();
    patch.body.insert("statement".into(), text.into());
    patch
}

const DOORS: [Door; 3] = [Door::Terminal, Door::Http, Door::Mcp];

#[test]
fn an_agent_neither_edits_nor_erases_nor_undoes_what_a_person_stands_for() {
    let home = Home::new();
    let person = engine(&home, Author::Human, Door::Terminal);
    let written = remember(&person, "Releases need an approval");
    let agent = engine(&home, Author::Agent, Door::Terminal);
    let vouched = remember(&agent, "Staging deploys from the release branch");
    person.confirm(vouched.as_str(), &Note::default()).expect("confirmed");
    let said = person.changes(10).expect("changes");
    let pinned = remember(&agent, "The nightly export waits for the scheduler");
    person.pin(pinned.as_str(), true, &Note::default()).expect("pinned");

    for door in DOORS {
        let agent = engine(&home, Author::Agent, door);
        let denied = |what: &str, result: mnemic_engine::Result<()>| {
            let kind = result.expect_err(what).kind;
            let refused = [ErrorKind::Denied, ErrorKind::Invalid];
            assert!(refused.contains(&kind), "{what} through {door}: {kind:?}");
        };
        for id in [&written, &vouched] {
            let edits = [
                ("other words", says("Releases need no approval")),
                ("put away", Patch { tier: Some(Tier::Archive), ..Patch::default() }),
                (
                    "ended",
                    Patch {
                        invalid_at: Some(Some(at("2999-01-01T00:00:00Z"))),
                        ..Patch::default()
                    },
                ),
            ];
            for (what, patch) in edits {
                denied(what, agent.edit(id.as_str(), &patch, &Note::default()).map(drop));
            }
            let tagged = Patch { add_tags: vec![door.to_string()], ..Patch::default() };
            agent.edit(id.as_str(), &tagged, &Note::default()).expect("a tag is anybody's");
        }
        for id in [&written, &vouched, &pinned] {
            denied("erased", agent.forget(&[id.as_str()], &Note::default()).map(drop));
        }
        for (_, change) in said.iter().filter(|(_, change)| change.actor.is_human()) {
            let undone = agent.undo(Some(&change.id), &Note::default());
            assert!(undone.is_err(), "{} was undone through {door}", change.verb);
        }
    }
    let Body::Pattern(kept) =
        person.show(written.as_str(), At::LATEST).expect("there").version.content.body
    else {
        panic!("a pattern")
    };
    assert_eq!(kept.statement, "Releases need an approval");
    let own = remember(&agent, "Guesses are the agent's own");
    agent
        .edit(own.as_str(), &says("Guesses stay the agent's own"), &Note::default())
        .expect("its own");
    agent.forget(&[own.as_str()], &Note::default()).expect("its own");
    person
        .edit(vouched.as_str(), &says("Staging deploys by hand"), &Note::default())
        .expect("theirs");
    person.forget(&[written.as_str(), pinned.as_str()], &Note::default()).expect("theirs");
}

#[test]
fn a_forgotten_subject_is_silent_until_a_person_speaks_of_it_again() {
    let home = Home::new();
    let person = engine(&home, Author::Human, Door::Terminal);
    let agent = engine(&home, Author::Agent, Door::Terminal);
    let says = |engine: &Engine, value: &str| {
        let fact = Fact { key: "mail.host".into(), value: value.into(), ..Fact::default() };
        engine.remember(Draft::new(Body::Fact(fact)), &Note::default()).map(|made| made.id)
    };
    let first = says(&person, "a.example").expect("remembered");
    person.forget(&[first.as_str()], &Note::default()).expect("forgotten");
    for value in ["a.example", "b.example"] {
        assert_eq!(says(&agent, value).expect_err(value).kind, ErrorKind::Forgotten);
    }
    says(&person, "c.example").expect("a person may");
    assert_eq!(says(&agent, "a.example").expect_err("the same").kind, ErrorKind::Forgotten);
    assert_eq!(says(&agent, "d.example").expect_err("another").kind, ErrorKind::Denied);
}

fn fact(value: &str) -> Draft {
    let fact = Fact { key: "retry.max".into(), value: value.into(), ..Fact::default() };
    Draft::new(Body::Fact(fact))
}

/// A person corrects, pins or repeats what an agent said: from then on it is theirs.
#[test]
fn what_a_person_corrects_pins_or_repeats_is_theirs() {
    let takes_over: [fn(&Engine, &RecordId); 3] = [
        |person, id| {
            let mut patch = Patch::default();
            patch.body.insert("value".into(), "5".into());
            person.edit(id.as_str(), &patch, &Note::default()).expect("corrected");
        },
        |person, id| {
            person.pin(id.as_str(), true, &Note::default()).expect("pinned");
        },
        |person, _| {
            let again = person.remember(fact("3"), &Note::default()).expect("repeated");
            assert!(again.change.is_some(), "they vouch for it: {again:?}");
        },
    ];
    for take_over in takes_over {
        let home = Home::new();
        let person = engine(&home, Author::Human, Door::Terminal);
        let agent = engine(&home, Author::Agent, Door::Mcp);
        let id = agent.remember(fact("3"), &Note::default()).expect("remembered").id;
        take_over(&person, &id);
        home.clock.tick(60);
        let denied = agent.remember(fact("7"), &Note::default()).expect_err("another value");
        assert_eq!(denied.kind, ErrorKind::Denied);
        let mut patch = Patch::default();
        patch.body.insert("value".into(), "7".into());
        let denied = agent.edit(id.as_str(), &patch, &Note::default()).expect_err("an edit");
        assert_eq!(denied.kind, ErrorKind::Denied);
        assert!(agent.forget(&[id.as_str()], &Note::default()).is_err());
    }
}

#[test]
fn an_agent_may_take_its_own_slip_back_and_say_it_right() {
    let home = Home::new();
    let person = engine(&home, Author::Human, Door::Terminal);
    let agent = engine(&home, Author::Agent, Door::Terminal);
    let slip = agent.remember(fact("wrnog"), &Note::default()).expect("remembered").id;
    agent.forget(&[slip.as_str()], &Note::default()).expect("its own");
    agent.remember(fact("right"), &Note::default()).expect("another value");
    assert_eq!(
        agent.remember(fact("wrnog"), &Note::default()).expect_err("the same").kind,
        ErrorKind::Forgotten
    );
    // The last thing done is a person's; what the agent undoes is its own.
    remember(&person, "Releases need an approval");
    let undone = agent.undo(None, &Note::default()).expect("undone");
    assert_eq!(undone.retracted.len(), 1);
    assert_eq!(person.list(&Filter::new(At::LATEST)).expect("listed").items.len(), 1);
}

#[test]
fn with_a_side_its_contradictions_are_forgotten() {
    let home = Home::new();
    let person = engine(&home, Author::Human, Door::Terminal);
    let one = remember(&person, "The nightly export always waits for the purple scheduler");
    let other = remember(&person, "The nightly export never waits for the purple scheduler");
    let dispute =
        person.contradict(one.as_str(), other.as_str(), "a test", &Note::default()).expect("noted");
    let gone = person.forget(&[one.as_str()], &Note::default()).expect("forgotten");
    assert!(gone.ids.contains(&dispute), "{gone:?}");
    assert!(person.show(dispute.as_str(), At::LATEST).is_err());
}
