//! Who asks how things are is not told what a later episode says was left behind. By words alone: how
//! near two texts are in meaning only adds to it.

use mnemic_engine::model::body::{Body, Episode, Pattern};
use mnemic_engine::model::{Draft, RecordId};
use mnemic_engine::recall::Recall;
use mnemic_engine::{Engine, Note};
use mnemic_testkit::Home;

/// Remembered an hour after whatever came before it.
fn later(home: &Home, engine: &Engine, body: Body) -> RecordId {
    home.clock.tick(3_600);
    engine.remember(Draft::new(body), &Note::default()).expect("remembered").id
}

fn episode(text: &str) -> Body {
    Body::Episode(Episode { goal: text.to_owned(), ..Episode::default() })
}

fn pattern(text: &str) -> Body {
    Body::Pattern(Pattern { statement: text.to_owned(), ..Pattern::default() })
}

fn asked(engine: &Engine, text: &str) -> Recall {
    let mut question = engine.question(text);
    question.switches.bounds = false;
    engine.recall(&question).expect("recalled")
}

fn found(recall: &Recall) -> Vec<RecordId> {
    recall.found.iter().map(|one| one.version.id.clone()).collect()
}

#[test]
fn an_episode_that_was_left_behind_is_history_of_the_one_that_left_it() {
    let home = Home::new();
    let engine = home.engine();
    let berlin = later(&home, &engine, episode("I live in Berlin"));
    let lisbon = later(&home, &engine, episode("I moved from Berlin to Lisbon and live there"));
    for text in ["where do I live", "do I still live in Berlin"] {
        let now = asked(&engine, text);
        assert_eq!(found(&now), std::slice::from_ref(&lisbon), "{text}");
        assert_eq!(now.found[0].history[0].id, berlin, "{text}");
    }
    for text in ["where did I live before", "when did I live in Berlin"] {
        let then = found(&asked(&engine, text));
        assert!(then.contains(&berlin) && then.contains(&lisbon), "{text}: {then:?}");
    }
}

#[test]
fn what_others_left_and_what_was_done_there_ends_nothing() {
    let home = Home::new();
    let engine = home.engine();
    let lives = later(&home, &engine, episode("I live in Hamburg"));
    later(&home, &engine, episode("My wife moved from Hamburg to Bremen and lives there"));
    later(&home, &engine, episode("The office moved from Hamburg to Kiel, we live with it"));
    assert!(found(&asked(&engine, "where do I live")).contains(&lives));
    let keys = later(&home, &engine, episode("I left my keys in Hamburg"));
    later(&home, &engine, episode("I moved from Hamburg to Kiel and left the keys there"));
    assert!(found(&asked(&engine, "where are my keys")).contains(&keys));
}

#[test]
fn who_else_left_it_and_who_asks_for_it_by_name_leave_it_standing() {
    let home = Home::new();
    let engine = home.engine();
    let berlin = later(&home, &engine, episode("Ann: I live in Berlin"));
    later(&home, &engine, episode("Bob: I moved from Berlin to Lisbon, I live there"));
    assert!(found(&asked(&engine, "where does she live")).contains(&berlin), "Bob left, not Ann");
    later(&home, &engine, episode("Ann: I moved from Berlin to Porto, I live there"));
    assert!(
        found(&asked(&engine, "who lives in Berlin")).contains(&berlin),
        "it is what was asked"
    );
    assert!(!found(&asked(&engine, "where does Ann live")).contains(&berlin));
}

#[test]
fn statements_leave_things_behind_as_well() {
    let home = Home::new();
    let engine = home.engine();
    let jenkins = later(&home, &engine, pattern("Continuous integration runs on Jenkins"));
    let buildkite =
        later(&home, &engine, pattern("We replaced Jenkins with Buildkite in continuous runs"));
    let recall = asked(&engine, "what does continuous integration run on");
    assert_eq!(found(&recall), [buildkite]);
    assert_eq!(recall.found[0].history[0].id, jenkins);
}
