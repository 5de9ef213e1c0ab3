//! Of episodes that answer alike, the one nearer to the time of the question comes first; what is
//! known does not age, and nothing old is lost.

use mnemic_engine::inference::fake;
use mnemic_engine::model::body::{Body, Episode, Fact};
use mnemic_engine::model::{Draft, RecordId, Timestamp};
use mnemic_engine::recall::{Found, Question, Recall};
use mnemic_engine::{Engine, Meaning, Note};
use mnemic_testkit::Home;

const DAY: i64 = 86_400;

fn engine(home: &Home) -> Engine {
    drop(home.engine());
    let mut settings = home.settings();
    settings.meaning = Meaning::by(fake(64));
    Engine::open(settings).expect("an engine")
}

/// Came in now, as all that is imported does, and was lived through then.
fn lived(engine: &Engine, then: &str, text: &str) -> RecordId {
    let mut draft = Draft::new(Body::Episode(Episode {
        goal: text.to_owned(),
        // Another conversation each time, so that it is another episode.
        task_id: Some(then.to_owned()),
        ..Episode::default()
    }));
    draft.about.valid_at = Some(time(then));
    engine.remember(draft, &Note::default()).expect("remembered").id
}

fn time(text: &str) -> Timestamp {
    Timestamp::parse(text).expect("a time")
}

fn asked(engine: &Engine, text: &str, now: &str, change: impl Fn(&mut Question)) -> Recall {
    let mut question = engine.question(text);
    question.now = time(now);
    // The same words at two times: what orders them is their age alone.
    question.switches.twins = false;
    change(&mut question);
    engine.recall(&question).expect("recalled")
}

fn ids(recall: &Recall) -> Vec<&RecordId> {
    recall.found.iter().map(|one| &one.version.id).collect()
}

/// What its age takes from the score.
fn lost(found: &Found) -> f64 {
    let parts = found.explanation.parts.iter().filter(|part| part.name == "age");
    -parts.map(|part| part.product()).sum::<f64>()
}

#[test]
fn the_nearer_of_two_that_answer_alike_comes_first() {
    let home = Home::new();
    let engine = engine(&home);
    let spring = lived(&engine, "2024-03-02T10:00:00Z", "We moved the broker to another rack");
    let autumn = lived(&engine, "2024-09-02T10:00:00Z", "We moved the broker to another rack");
    for (now, order) in [
        ("2024-03-12T10:00:00Z", [&spring, &autumn]),
        ("2024-09-12T10:00:00Z", [&autumn, &spring]),
        // What was lived through since counts by its distance too.
        ("2024-08-30T10:00:00Z", [&autumn, &spring]),
    ] {
        let recall = asked(&engine, "moving the broker to another rack", now, |_| {});
        assert_eq!(ids(&recall), order, "{now}");
    }
    let mut untold = Vec::new();
    for now in ["2024-03-12T10:00:00Z", "2024-09-12T10:00:00Z"] {
        let recall = asked(&engine, "moving the broker to another rack", now, |question| {
            question.switches.age = false;
        });
        assert!(recall.found.iter().all(|one| lost(one) == 0.0));
        untold.push(ids(&recall).into_iter().cloned().collect::<Vec<_>>());
    }
    assert_eq!(untold[0], untold[1], "without it only words and meaning decide");
}

#[test]
fn a_question_that_names_a_time_is_about_that_time_and_about_now() {
    let home = Home::new();
    let engine = engine(&home);
    let rack = "We moved the broker to another rack";
    let march = lived(&engine, "2024-03-02T10:00:00Z", rack);
    let june = lived(&engine, "2024-06-02T10:00:00Z", rack);
    // What happened in March may be spoken of today.
    let today = lived(&engine, "2024-09-11T10:00:00Z", rack);
    let question = "why did we move the broker to another rack in March";
    let recall = asked(&engine, question, "2024-09-12T10:00:00Z", |_| {});
    assert_eq!(ids(&recall), [&march, &today, &june]);
    assert_eq!(lost(&recall.found[0]), 0.0);
    assert!(lost(&recall.found[1]) < 0.02);
    assert!(lost(&recall.found[2]) > 0.1);
}

/// What an episode loses so many days later beside one of the same day.
fn lost_after(days: i64) -> f64 {
    let home = Home::new();
    let engine = engine(&home);
    let then = "1999-09-01T00:00:00Z";
    let now = time(then).plus_seconds(days * DAY).to_string();
    let old = lived(&engine, then, "We moved the broker to another rack");
    lived(&engine, &now, "The broker stands in another rack now");
    let recall = asked(&engine, "the broker's rack", &now, |question| {
        // Passed by the score that it had without its age.
        question.weights.least_score = 0.5;
    });
    lost(recall.found.iter().find(|one| one.version.id == old).expect("old, and shown"))
}

#[test]
fn a_week_costs_less_than_a_fortnight_and_years_cost_no_more_than_there_is() {
    assert_eq!(lost_after(0), 0.0);
    let fortnight = lost_after(14);
    assert!((fortnight - 0.1).abs() < 1e-9, "{fortnight}");
    assert!(lost_after(7) < 0.06);
    assert!(lost_after(40) > 0.16);
    assert!((lost_after(3_600) - 0.2).abs() < 1e-6);
}

#[test]
fn where_what_is_found_is_spread_over_a_year_a_month_says_nothing() {
    let home = Home::new();
    let engine = engine(&home);
    for month in 1..=9 {
        let then = format!("2024-{month:02}-01T00:00:00Z");
        lived(&engine, &then, &format!("We moved the broker to rack {month}"));
    }
    let recall = asked(&engine, "the broker's rack", "2024-10-01T00:00:00Z", |question| {
        question.limit = 9;
    });
    assert_eq!(recall.found.len(), 9);
    let mut losses: Vec<f64> = recall.found.iter().map(lost).collect();
    losses.sort_by(f64::total_cmp);
    assert!(losses[0] < 0.01 && losses[8] < 0.06, "{losses:?}");
}

#[test]
fn what_is_known_does_not_age() {
    let home = Home::new();
    let engine = engine(&home);
    let mut draft = Draft::new(Body::Fact(Fact {
        key: "broker.rack".to_owned(),
        value: "seven".to_owned(),
        ..Fact::default()
    }));
    draft.about.valid_at = Some(time("2019-01-01T00:00:00Z"));
    engine.remember(draft, &Note::default()).expect("remembered");
    let recall = asked(&engine, "which rack is the broker in", "2024-09-12T10:00:00Z", |_| {});
    assert_eq!(lost(&recall.found[0]), 0.0);
}
