//! Transcripts come in once, go on where they stopped, can be taken back, and keep private what is.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

#[path = "../../lifecycle/tests/given/texts.rs"]
mod texts;

use mnemic_engine::model::body::{Body, Episode, Fact};
use mnemic_engine::model::policy::Door;
use mnemic_engine::model::{Actor, At, Author, Draft, Filter, Kind, Trust};
use mnemic_engine::{CaptureAsk, Captured, Engine, ErrorKind, Note, StoreName};
use mnemic_testkit::{Home, at, files_with};
use serde_json::json;
use std::io::Cursor;
use texts::{claude, claude_line, codex, messages, sessions};

/// A home in which the transcripts are of the past.
fn later() -> Home {
    let home = Home::new();
    home.clock.set(at("2026-06-01T00:00:00Z"));
    home
}

fn ask(extract: bool) -> CaptureAsk {
    CaptureAsk { name: "log.jsonl".into(), extract, ..CaptureAsk::default() }
}

fn capture(engine: &Engine, text: &str, extract: bool) -> Captured {
    let file = Cursor::new(text.as_bytes());
    engine.capture_file(file, &ask(extract), &Note::default(), &mut |_| {}).unwrap()
}

fn listed(engine: &Engine, kinds: &[Kind]) -> Vec<(String, u32, Body)> {
    let filter = Filter { kinds: kinds.to_vec(), ..Filter::new(At::LATEST) };
    let items = engine.list(&filter).unwrap().items.into_iter();
    let mut all: Vec<_> =
        items.map(|i| (i.version.id.to_string(), i.version.n, i.version.content.body)).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

/// What is believed, without how often it was written.
fn believed(engine: &Engine) -> Vec<(String, Body)> {
    listed(engine, &[]).into_iter().map(|(id, _, body)| (id, body)).collect()
}

#[test]
fn the_same_again_changes_nothing() {
    for text in [claude(), codex(), sessions(), messages().to_string()] {
        let home = later();
        let engine = home.engine();
        let first = capture(&engine, &text, true);
        assert!(first.new > 0, "{first:?}");
        let before = (listed(&engine, &[]), engine.changes(100).unwrap().len());
        let again = capture(&engine, &text, true);
        assert_eq!((again.new, again.grown, &again.change), (0, 0, &None), "{again:?}");
        // An array has an end that nobody reads; everything else is known at a glance.
        assert!(again.unchanged || text.starts_with('['), "{again:?}");
        // From a pipe there is no bookmark; the ids know everything again.
        let ask = CaptureAsk { name: "stdin".into(), ..ask(true) };
        let piped =
            engine.capture(&mut text.as_bytes(), &ask, &Note::default(), &mut |_| {}).unwrap();
        assert_eq!((piped.new, piped.grown, piped.findings.len()), (0, 0, 0), "{piped:?}");
        assert_eq!(piped.same, first.new);
        assert_eq!(before, (listed(&engine, &[]), engine.changes(100).unwrap().len()));
        assert!(engine.verify(StoreName::Project).unwrap().findings.is_empty());
    }
}

#[test]
fn what_episodes_name_is_linked_by_a_job() {
    let home = later();
    let engine = home.engine();
    capture(&engine, &claude(), false);
    assert!(engine.work(&mut || true).unwrap().failed.is_empty());
    assert!(listed(&engine, &[Kind::Entity]).is_empty(), "nobody asked for it");
    let other = later();
    let engine = other.engine();
    let text = claude();
    capture(&engine, &text, true);
    assert!(engine.work(&mut || true).unwrap().failed.is_empty());
    let entities = listed(&engine, &[Kind::Entity]);
    let episodes = listed(&engine, &[Kind::Episode]);
    let touches = |body: &Body| matches!(body, Body::Episode(it) if !it.files.is_empty());
    assert!(episodes.iter().any(|(_, _, body)| touches(body)), "{episodes:?}");
    assert!(!entities.is_empty());
    let before = engine.changes(100).unwrap().len();
    engine.retry_jobs(&|_| true).unwrap();
    engine.work(&mut || true).unwrap();
    assert_eq!(engine.changes(100).unwrap().len(), before, "once is enough");
}

/// A session of slash commands, the second of which takes more steps than one episode holds.
fn commands() -> String {
    let mut lines = Vec::new();
    for command in ["/plan", "/build"] {
        let n = lines.len();
        let given = format!(
            "<command-name>{command}</command-name>\n<command-args>everything</command-args>"
        );
        lines.push(claude_line(n, "user", json!(given)));
        for step in 0..if command == "/plan" { 3 } else { 310 } {
            let (n, id) = (n + 2 * step, format!("{command}{step}"));
            let edit = json!({"file_path": "a.rs", "old_string": "a", "new_string": "b"});
            lines.push(claude_line(n + 1, "assistant", texts::call(&id, "Edit", edit)));
            lines.push(claude_line(n + 2, "user", texts::result(&id, "updated", false)));
        }
    }
    lines.push(claude_line(lines.len() + 1, "user", json!("Now write the docs")));
    lines.join("\n") + "\n"
}

#[test]
fn a_grown_file_gives_what_the_whole_file_gives() {
    for (text, stride) in [(claude(), 1), (codex(), 1), (sessions(), 1), (commands(), 97)] {
        let whole = {
            let home = later();
            let engine = home.engine();
            capture(&engine, &text, false);
            believed(&engine)
        };
        assert!(whole.len() > 1 || stride == 1, "{whole:?}");
        let ends = text.match_indices('\n').map(|(at, _)| at + 1).step_by(stride);
        for cut in ends.flat_map(|end| [end, end.saturating_sub(9)]) {
            let home = later();
            let engine = home.engine();
            let file = Cursor::new(&text.as_bytes()[..cut]);
            // Half a first line is no transcript yet; that must not spoil the next time.
            if let Err(refused) =
                engine.capture_file(file, &ask(false), &Note::default(), &mut |_| {})
            {
                assert_eq!(refused.kind, ErrorKind::Invalid);
            }
            capture(&engine, &text, false);
            assert_eq!(believed(&engine), whole, "cut at {cut}");
        }
    }
}

#[test]
fn line_by_line_is_the_same_as_at_once_and_only_the_last_task_is_written_again() {
    let text = claude();
    let home = later();
    let engine = home.engine();
    let mut read_from = Vec::new();
    for (end, _) in text.match_indices('\n') {
        let mut least = u64::MAX;
        let file = Cursor::new(&text.as_bytes()[..=end]);
        let _ = engine.capture_file(file, &ask(false), &Note::default(), &mut |at| {
            least = least.min(at);
        });
        read_from.push(least);
    }
    let whole = later();
    let other = whole.engine();
    capture(&other, &text, false);
    assert_eq!(believed(&engine), believed(&other));
    assert!(read_from.last().unwrap() > &0, "the end was read from {read_from:?}");
}

#[test]
fn a_shorter_copy_takes_nothing_back() {
    let text = claude();
    let home = later();
    let engine = home.engine();
    capture(&engine, &text, false);
    let before = listed(&engine, &[]);
    let half: String = text.lines().take(6).map(|line| format!("{line}\n")).collect();
    let captured =
        engine.capture(&mut half.as_bytes(), &ask(false), &Note::default(), &mut |_| {}).unwrap();
    assert_eq!((captured.new, captured.grown), (0, 0));
    assert_eq!(listed(&engine, &[]), before);
}

#[test]
fn a_capture_is_undone_as_one_and_comes_back_when_asked_for() {
    let home = later();
    let engine = home.engine();
    let captured = capture(&engine, &claude(), true);
    assert!(!captured.findings.is_empty(), "{captured:?}");
    let all = believed(&engine);
    let undone = engine.undo(captured.change.as_ref(), &Note::default()).unwrap();
    assert_eq!(undone.retracted.len(), all.len());
    assert!(believed(&engine).is_empty());
    let hook = home.engine().through(Door::Hook);
    let told = capture(&hook, &claude(), true);
    assert_eq!((told.new, believed(&engine).len()), (0, 0), "a hook only repeats itself");
    let again = capture(&engine, &claude(), true);
    assert_eq!(again.new, captured.new);
    assert_eq!(believed(&engine), all);
}

#[test]
fn a_dry_run_counts_and_leaves_everything_as_it_was() {
    let home = later();
    let engine = home.engine();
    let dry = CaptureAsk { dry_run: true, ..ask(true) };
    let file = || Cursor::new(claude().into_bytes());
    let told = engine.capture_file(file(), &dry, &Note::default(), &mut |_| {}).unwrap();
    assert!(believed(&engine).is_empty() && told.change.is_none());
    let real = capture(&engine, &claude(), true);
    assert_eq!((told.new, &told.findings), (real.new, &real.findings));
}

#[test]
fn findings_wait_for_a_person_and_name_where_they_come_from() {
    let home = later();
    let engine = home.engine();
    capture(&engine, &claude(), true);
    let waiting = engine.review(100).unwrap();
    assert!(!waiting.is_empty());
    for one in &waiting {
        let provenance = &one.version.content.provenance;
        assert_eq!(provenance.trust, Trust::Unreviewed);
        assert!(provenance.source.as_deref().unwrap().starts_with("log.jsonl#L"));
        let [episode] = provenance.episodes.as_slice() else { panic!("{provenance:?}") };
        assert_eq!(engine.show(episode.as_str(), At::LATEST).unwrap().version.id, *episode);
    }
    let ids: Vec<&str> = waiting.iter().map(|one| one.version.id.as_str()).collect();
    let agent = {
        let mut settings = home.settings();
        settings.actor = Actor::new(Author::Agent, "codex");
        Engine::open(settings).unwrap()
    };
    for refused in [agent.accept(&ids, &Note::default()), agent.reject(&ids, &Note::default())] {
        assert_eq!(refused.unwrap_err().kind, ErrorKind::Denied);
    }
    let accepted = engine.accept(&ids[..1], &Note::default()).unwrap();
    assert_eq!(accepted[0].version.content.trust(), Trust::Trusted);
    engine.reject(&ids[1..], &Note::because("a guess")).unwrap();
    assert!(engine.review(100).unwrap().is_empty());
    // What a person said to it stays said.
    let before = listed(&engine, &[]);
    let ask = CaptureAsk { name: "again".into(), ..ask(true) };
    engine.capture(&mut claude().as_bytes(), &ask, &Note::default(), &mut |_| {}).unwrap();
    assert_eq!(listed(&engine, &[]), before);
}

#[test]
fn a_finding_never_ends_what_a_person_wrote() {
    let home = later();
    let engine = home.engine();
    let said = |n, text: &str| claude_line(n, "user", json!(text));
    let text = format!("{}\n", said(1, "The staging port is 8081."));
    let found = capture(&engine, &text, true);
    let Some((id, _, Body::Fact(fact))) = listed(&engine, &[Kind::Fact]).pop() else {
        panic!("{found:?}: the sentence states a fact")
    };
    let other = later();
    let engine = other.engine();
    let fact = Fact { value: "9999".into(), ..fact };
    let draft = Draft::new(Body::Fact(fact.clone()));
    let mine = engine.remember(draft, &Note::default()).unwrap();
    let found = capture(&engine, &text, true);
    assert_eq!(found.contested, 1, "{found:?}");
    assert!(engine.show(&id, At::LATEST).is_err());
    let held = engine.show(mine.id.as_str(), At::LATEST).unwrap();
    assert!(held.version.content.valid.is_open() && held.version.content.body == Body::Fact(fact));
}

#[test]
fn of_two_findings_the_later_holds() {
    let home = later();
    let engine = home.engine();
    let said = |n, text: &str| claude_line(n, "user", json!(text)) + "\n";
    let text = said(1, "The staging port is 8081.") + &said(2, "The staging port is 9090.");
    let found = capture(&engine, &text, true);
    assert_eq!(found.contested, 0, "{found:?}");
    let waiting = engine.review(10).unwrap();
    let [now] = waiting.as_slice() else { panic!("{waiting:?}") };
    let value = |version: &mnemic_engine::model::Version| match &version.content.body {
        Body::Fact(fact) => fact.value.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(value(&now.version), "9090");
    assert_eq!(now.replaced.iter().map(value).collect::<Vec<_>>(), ["8081"]);
}

#[test]
fn what_was_forgotten_stays_out() {
    let home = later();
    let engine = home.engine();
    let text = claude();
    let whole = capture(&engine, &text, false);
    let (id, ..) = listed(&engine, &[Kind::Episode]).remove(0);
    let gone = engine.forget(&[&id], &Note::default()).unwrap();
    // What the other episode says as well is not a trace of this one.
    let left: Vec<_> = gone.proof.traces.iter().filter(|t| !t.contains("says too")).collect();
    assert!(left.is_empty(), "{left:?}");
    let again =
        engine.capture(&mut text.as_bytes(), &ask(true), &Note::default(), &mut |_| {}).unwrap();
    assert_eq!((again.new, again.same), (0, whole.new - 1), "{again:?}");
    assert!(again.forgotten >= 1, "{again:?}");
    for one in engine.review(100).unwrap() {
        let episodes = &one.version.content.provenance.episodes;
        assert!(episodes.iter().all(|episode| episode.as_str() != id), "{one:?}");
    }
    assert_eq!(engine.show(&id, At::LATEST).unwrap_err().kind, ErrorKind::Forgotten);
}

#[test]
fn what_is_private_is_in_no_byte_of_any_file() {
    let home = later();
    let engine = home.engine();
    let secret = "correct-horse-battery";
    let text = [
        claude_line(1, "user", json!(format!("Never use <private>{secret}</private> port 80."))),
        claude_line(
            2,
            "assistant",
            json!([{"type": "text", "text": format!("<private>{secret}")}]),
        ),
        claude_line(
            3,
            "user",
            texts::result("c9", &format!("a<PRIVATE>{secret}</PRIVATE>b"), true),
        ),
        claude_line(4, "user", json!("Use tabs instead of spaces.")),
    ]
    .map(|line| format!("{line}\n"))
    .concat();
    // In pieces, so that bookmarks are kept in the middle of it.
    for (end, _) in text.match_indices('\n') {
        let part = &text[..=end];
        let _ = engine.capture_file(Cursor::new(part), &ask(true), &Note::default(), &mut |_| {});
    }
    let hidden = || format!("a <private>{secret}</private> b");
    let goal = Episode { goal: hidden(), constraints: vec![hidden()], ..Episode::default() };
    let open = engine.episode_start(goal).unwrap();
    let refused = engine.episode_log(
        open.id.as_str(),
        vec![mnemic_engine::Entry::Message(mnemic_engine::model::body::Message {
            role: "agent".into(),
            text: format!("<private>{secret}"),
            at: None,
        })],
    );
    assert_eq!(refused.unwrap_err().kind, ErrorKind::Invalid);
    let finish = |episode: &mut Episode| episode.artifacts.push(hidden());
    engine.episode_end(open.id.as_str(), finish, &Note::default()).unwrap();
    assert!(!believed(&engine).is_empty());
    drop(engine);
    assert_eq!(files_with(home.dir.path(), secret), Vec::<std::path::PathBuf>::new());
}

#[test]
fn what_is_no_transcript_is_refused_with_a_hint_and_loses_nothing() {
    let home = later();
    let engine = home.engine();
    capture(&engine, &claude(), false);
    let before = listed(&engine, &[]);
    for text in [
        "{\"type\": \"use",
        "not json\nat all\n",
        "{\"a\":1}\n{\"b\":[2]}\n",
        "\u{0}\u{1}\n",
        "[1,2",
    ] {
        let mut bytes = text.as_bytes();
        let refused = engine
            .capture(
                &mut bytes,
                &CaptureAsk { name: "odd".into(), ..ask(true) },
                &Note::default(),
                &mut |_| {},
            )
            .unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Invalid, "{text:?}");
        assert!(refused.hint.is_some() && refused.to_string().contains("`odd`"), "{refused}");
    }
    assert_eq!(listed(&engine, &[]), before);
    // Wrong types in the midst of it cost their own line alone.
    let broken = claude().replacen('\n', "\n{\"type\":7,\"message\":[]}\n{oops\n", 3);
    let other = later();
    let engine = other.engine();
    let captured = capture(&engine, &broken, false);
    assert_eq!(captured.report.broken_lines, 3);
    assert_eq!(captured.report.problems[0].line, 3);
    assert_eq!(listed(&engine, &[Kind::Episode]).len(), before.len());
}

#[test]
fn an_episode_is_recorded_step_by_step_and_outlives_its_process() {
    use mnemic_engine::Entry;
    use mnemic_engine::model::body::{Action, Outcome};
    let home = later();
    let id = {
        let engine = home.engine();
        let goal = Episode { goal: "make it green".into(), ..Episode::default() };
        engine.episode_start(goal).unwrap().id
    };
    home.clock.tick(90);
    let run = Action { action: "run".into(), target: Some("make".into()), ..Action::default() };
    let engine = home.engine();
    let open = engine.episode_log(id.as_str(), vec![Entry::Action(run)]).unwrap();
    assert_eq!(open.episode.actions[0].t, 90.0);
    assert_eq!(engine.episodes_open().unwrap().len(), 1);
    assert!(believed(&engine).is_empty(), "it is no memory before it ends");
    let finish = |episode: &mut Episode| episode.outcome = Some(Outcome::Success);
    let ended = engine.episode_end(id.as_str(), finish, &Note::default()).unwrap();
    assert_eq!((&ended.id, engine.episodes_open().unwrap().len()), (&id, 0));
    let again = engine.episode_end(id.as_str(), |_| {}, &Note::default()).unwrap();
    assert_eq!((again.id, again.outcome.as_str()), (id.clone(), "replayed"));
    let replay = engine.replay(id.as_str()).unwrap();
    assert_eq!(replay.moments.len(), 1);
    assert!(replay.ended.unwrap() > replay.began);
    engine.undo(None, &Note::default()).unwrap();
    assert!(believed(&engine).is_empty());
    let dropped = engine.episode_start(Episode { goal: "b".into(), ..Episode::default() }).unwrap();
    engine.episode_abandon(dropped.id.as_str()).unwrap();
    let late = engine.episode_log(dropped.id.as_str(), Vec::new()).unwrap_err();
    assert_eq!(late.kind, ErrorKind::NotFound);
    assert!(engine.verify(StoreName::Project).unwrap().findings.is_empty());
}

#[test]
fn what_recurs_is_found_once_and_names_an_episode() {
    let home = later();
    let engine = home.engine();
    assert!(engine.capture_habits(false, &Note::default()).unwrap().findings.is_empty());
    capture(&engine, &sessions(), false);
    let found = engine.capture_habits(false, &Note::default()).unwrap();
    assert_eq!(found.findings.get(&Kind::Fact), Some(&1), "{found:?}");
    let waiting = engine.review(10).unwrap();
    let content = &waiting[0].version.content;
    let Body::Fact(fact) = &content.body else { panic!("{content:?}") };
    assert_eq!((fact.key.as_str(), fact.value.as_str()), ("lint command", "golangci-lint run"));
    assert_eq!(content.provenance.episodes.len(), 1);
    let again = engine.capture_habits(false, &Note::default()).unwrap();
    assert_eq!((again.known_findings, again.change), (1, None));
}
