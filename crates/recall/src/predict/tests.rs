//! What prediction promises, by example and for whatever past.

use super::*;
use mnemic_model::Timestamp;
use proptest::prelude::*;

fn day(day: i64) -> Timestamp {
    Timestamp::from_micros(day * 86_400_000_000).expect("a small time")
}

/// The day of each session, and what it used.
type Sessions<'a> = &'a [(i64, &'a [&'a str])];

fn past(sessions: Sessions<'_>) -> Recorded {
    let mut recorded = Recorded::new();
    for (at, names) in sessions {
        for name in *names {
            let session = format!("day {at}").into();
            recorded.add(Trace { session, thing: thing(name), at: day(*at) });
        }
    }
    recorded
}

/// `m:…` is a memory, `p:…` a person, `e:…` an error, everything else a file.
fn thing(name: &str) -> Thing {
    match name.split_once(':') {
        Some(("m", id)) => Thing::new(ThingKind::Memory, id),
        Some(("p", who)) => Thing::new(ThingKind::Person, who),
        Some(("e", code)) => Thing::new(ThingKind::Error, code),
        _ => Thing::file(name),
    }
}

fn signals(names: &[&str]) -> Vec<Signal> {
    names.iter().map(|name| Signal::new(thing(name), day(100))).collect()
}

fn ask(recorded: &Recorded, names: &[&str], wanted: &[ThingKind]) -> Vec<Prediction> {
    let signals = signals(names);
    let situation = Situation { session: None, signals: &signals, now: day(100) };
    predict(recorded, &situation, wanted, 5).expect("in memory")
}

fn names(predictions: &[Prediction]) -> Vec<&str> {
    predictions.iter().map(|prediction| &*prediction.thing.name).collect()
}

/// What comes first, given what.
#[test]
fn the_likeliest_comes_first() {
    let cases: &[(&str, Sessions<'_>, &[&str], &str)] = &[
        ("used together", &[(90, &["a", "b"]), (95, &["c", "d"])], &["a"], "b"),
        ("together twice", &[(90, &["a", "b"]), (91, &["a", "b"]), (92, &["a", "c"])], &["a"], "b"),
        ("together lately", &[(10, &["a", "b"]), (99, &["a", "c"])], &["a"], "c"),
        (
            "a small session tells more than a large one",
            &[(90, &["a", "b"]), (90, &["q"]), (91, &["a", "c", "d", "e", "f", "g", "h", "i"])],
            &["a"],
            "b",
        ),
        (
            "two signals outvote one",
            &[(90, &["a", "x"]), (90, &["b", "x"]), (91, &["b", "y"]), (92, &["z"])],
            &["a", "b"],
            "x",
        ),
        (
            "a new file: its test",
            &[(90, &["lib/x.rs", "tests/parser_test.rs", "lib/y.rs"])],
            &["src/parser.rs"],
            "tests/parser_test.rs",
        ),
        ("a new file: beside it", &[(90, &["b/x.rs", "a/y.rs"])], &["b/new.rs"], "b/x.rs"),
        ("no signal: the last used", &[(90, &["a"]), (99, &["b"])], &[], "b"),
    ];
    for (why, sessions, given, first) in cases {
        let found = ask(&past(sessions), given, &[ThingKind::File]);
        assert_eq!(names(&found)[0], *first, "{why}: {found:#?}");
    }
}

#[test]
fn any_kind_leads_to_any_kind() {
    let recorded = past(&[
        (90, &["a.rs", "e:E0308", "m:borrow", "p:ann"]),
        (91, &["b.rs", "m:style", "p:ann"]),
        (92, &["c.rs", "m:style", "p:ann"]),
    ]);
    let memories = |given: &[&str]| ask(&recorded, given, &[ThingKind::Memory]);
    assert_eq!(names(&memories(&["e:E0308"])), ["borrow", "style"]);
    assert_eq!(names(&memories(&["b.rs"])), ["style", "borrow"]);
    assert_eq!(names(&ask(&recorded, &["m:borrow"], &[ThingKind::File]))[0], "a.rs");
    assert_eq!(ask(&recorded, &["b.rs"], &[]), []);
}

#[test]
fn an_error_that_nobody_met_predicts_nothing() {
    let recorded = past(&[
        (90, &["src/a.rs", "docs/b.md", "m:1", "e:E0308"]),
        (91, &["src/a.rs", "docs/b.md"]),
    ]);
    let all = |given: &[&str]| ask(&recorded, given, &[ThingKind::File, ThingKind::Memory]);
    assert_eq!(all(&["e:E9999"]), []);
    assert_eq!(names(&all(&["src/new.rs"]))[0], "src/a.rs", "beside a new file work goes on");
    let (beside, alone) = (all(&["e:E0308", "e:E9999"]), all(&["e:E0308"]));
    assert_eq!(names(&beside), names(&alone), "it adds nothing to the others");
}

/// Whoever is always there says nothing about what is rare.
#[test]
fn a_common_signal_hardly_weakens_a_rare_one() {
    let mut sessions: Vec<(i64, &[&str])> = vec![(50, &["a", "b", "p:ann"])];
    let others: &[&str] = &["c", "d", "p:ann"];
    sessions.extend((60..90).map(|day| (day, others)));
    let recorded = past(&sessions);
    let together = |given: &[&str]| {
        let found = ask(&recorded, given, &[ThingKind::File]);
        assert_eq!(names(&found)[0], "b");
        found[0].confidence
    };
    assert!(together(&["p:ann", "a"]) > 0.9 * together(&["a"]));
}

#[test]
fn the_session_that_goes_on_is_no_past() {
    let recorded = past(&[(90, &["a", "b"]), (100, &["a", "c"])]);
    let signals = signals(&["a"]);
    let situation = Situation { session: Some("day 100"), signals: &signals, now: day(100) };
    let found = predict(&recorded, &situation, &[ThingKind::File], 5).expect("in memory");
    assert_eq!(names(&found), ["b"]);
}

#[test]
fn an_empty_past_predicts_nothing() {
    assert_eq!(ask(&Recorded::new(), &["a"], ThingKind::ALL), []);
    assert_eq!(ask(&Recorded::new(), &[], ThingKind::ALL), []);
}

fn any_trace() -> impl Strategy<Value = Trace> {
    let names = prop::sample::select(vec![
        "a.rs",
        "x/a.rs",
        "x/b_test.rs",
        "x/mod.rs",
        "",
        "/",
        "ü/É.rs",
        "m:1",
        "m:2",
        "p:ann",
    ]);
    (0..6_u8, names, -200..300_i64).prop_map(|(session, name, at)| Trace {
        session: format!("s{session}").into(),
        thing: thing(name),
        at: day(at),
    })
}

proptest! {
    #[test]
    fn predictions_are_sane_and_do_not_depend_on_the_order_of_traces(
        traces in prop::collection::vec(any_trace(), 0..40),
        given in prop::collection::vec(any_trace(), 0..12),
        want in 0..8_usize,
        turn in 0..40_usize,
    ) {
        let signals: Vec<Signal> =
            given.iter().map(|trace| Signal::new(trace.thing.clone(), trace.at)).collect();
        let situation = Situation { session: Some("s0"), signals: &signals, now: day(100) };
        let wanted = [ThingKind::File, ThingKind::Memory];
        let of = |traces: &[Trace]| {
            let mut recorded = Recorded::new();
            traces.iter().cloned().for_each(|trace| recorded.add(trace));
            predict(&recorded, &situation, &wanted, want).expect("in memory")
        };
        let found = of(&traces);
        prop_assert!(found.len() <= want);
        for prediction in &found {
            prop_assert!((0.0..=1.0).contains(&prediction.confidence));
            let sum: f64 = prediction.because.iter().map(|reason| reason.part.product()).sum();
            prop_assert!((sum - prediction.score).abs() < 1e-9);
            for reason in &prediction.because {
                prop_assert!((0.0..=1.0 + 1e-9).contains(&reason.part.value), "{:?}", reason);
            }
            prop_assert!(wanted.contains(&prediction.thing.kind));
            prop_assert!(signals.iter().all(|signal| signal.thing != prediction.thing));
        }
        prop_assert!(found.is_sorted_by(|a, b| a.confidence >= b.confidence));
        let mut turned = traces.clone();
        turned.rotate_left(turn.min(traces.len()));
        turned.reverse();
        prop_assert_eq!(&of(&turned), &found);
    }

    #[test]
    fn another_session_together_never_makes_it_less_likely(times in 1..30_usize) {
        let confidence = |times: usize| {
            let mut recorded = past(&[(40, &["c", "d"]), (41, &["a", "e"])]);
            for n in 0..times {
                for name in ["a", "b"] {
                    let session = format!("more {n}").into();
                    recorded.add(Trace { session, thing: thing(name), at: day(90) });
                }
            }
            let found = ask(&recorded, &["a"], &[ThingKind::File]);
            found.iter().find(|one| &*one.thing.name == "b").map(|one| one.confidence)
        };
        prop_assert!(confidence(times + 1) >= confidence(times));
    }
}
