//! Recall over real stores: found at once, explained to the last digit, never what must not be shown.

use mnemic_engine::inference::{self, Embedder, ModelId, Reranker, Role, Vector, fake};
use mnemic_engine::model::body::{
    Body, Decision, Entity, EntityKind, Episode, Fact, Pattern, Resolution,
};
use mnemic_engine::model::job::JobKind;
use mnemic_engine::model::{At, Draft, Kind, Patch, RecordId, Timestamp, Trust, Truth};
use mnemic_engine::recall::{Recall, Skimmer};
use mnemic_engine::{Engine, Meaning, Note};
use mnemic_testkit::Home;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

fn engine_with(home: &Home, embedder: Arc<dyn Embedder>) -> Engine {
    drop(home.engine());
    let mut settings = home.settings();
    settings.meaning = Meaning::by(embedder);
    Engine::open(settings).expect("an engine")
}

fn engine(home: &Home) -> Engine {
    engine_with(home, fake(64))
}

fn pattern(text: &str) -> Draft {
    Draft::new(Body::Pattern(Pattern { statement: text.to_owned(), ..Pattern::default() }))
}

fn fact(key: &str, value: &str) -> Draft {
    let fact = Fact { key: key.to_owned(), value: value.to_owned(), ..Fact::default() };
    Draft::new(Body::Fact(fact))
}

fn remember(engine: &Engine, draft: Draft) -> RecordId {
    engine.remember(draft, &Note::default()).expect("remembered").id
}

/// Everything that is found, without bounds.
fn all(engine: &Engine, text: &str) -> Recall {
    let mut question = engine.question(text);
    question.switches.bounds = false;
    question.limit = 50;
    engine.recall(&question).expect("recalled")
}

fn ids(recall: &Recall) -> Vec<RecordId> {
    recall.found.iter().map(|found| found.version.id.clone()).collect()
}

fn index_files(home: &Home) -> Vec<PathBuf> {
    let folder = home.project_dir().join("memory.db-index");
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.map(|file| file.path()).filter(|path| path.extension() == Some("seg".as_ref())).collect()
}

const TEXTS: &[&str] = &[
    "Deploys go through the release workflow on the main branch",
    "The staging database is reset every night",
    "Use explicit error values instead of exceptions",
    "Integration tests need a running broker on port 5672",
    "The parser reads front matter before the body",
    "Every migration is written forward and never back",
];

#[test]
fn what_is_remembered_is_found_by_words_and_by_meaning_at_once() {
    let home = Home::new();
    let writer = engine(&home);
    let reader = engine(&home);
    for (n, text) in TEXTS.iter().enumerate() {
        let id = remember(&writer, pattern(text));
        for channel in ["words", "meaning"] {
            let mut question = reader.question(*text);
            question.switches.bounds = false;
            question.switches.words = channel == "words";
            question.switches.meaning = channel == "meaning";
            let found = reader.recall(&question).expect("recalled");
            assert_eq!(ids(&found).first(), Some(&id), "{n} by {channel}");
        }
    }
}

#[test]
fn what_is_alike_is_alike_by_meaning_too() {
    let home = Home::new();
    let engine = engine(&home);
    let one = remember(&engine, pattern("Use Redis Streams for the invoice queue"));
    let other = remember(&engine, pattern("Use Kafka for the invoice queue"));
    for text in TEXTS {
        remember(&engine, pattern(text));
    }
    let alike = engine.similar(one.as_str(), 3).expect("looked for");
    assert_eq!(ids(&alike).first(), Some(&other));
    let cosine = |found: &mnemic_engine::recall::Found| {
        let meaning = found.explanation.parts.iter().find(|part| part.name == "meaning");
        meaning.map_or(0.0, |part| part.raw)
    };
    assert!(cosine(&alike.found[0]) > 0.5, "{:?}", alike.found[0].explanation);
    let next = alike.found.get(1).map_or(0.0, cosine);
    assert!(cosine(&alike.found[0]) > next);
}

#[test]
fn of_two_things_side_by_side_both_are_found() {
    let home = Home::new();
    let engine = engine(&home);
    for n in 0..9 {
        let text =
            format!("The volleyball league of the harbour club, day {n}: training in the hall");
        remember(&engine, pattern(&text));
    }
    let run = remember(&engine, pattern("Ran five miles for charity, the first time ever"));
    let place = |aspects: bool| {
        let text =
            "Which was it first, the volleyball league of the harbour club or the charity miles?";
        let mut question = engine.question(text);
        question.switches.bounds = false;
        question.switches.aspects = aspects;
        question.limit = 10;
        ids(&engine.recall(&question).expect("recalled")).iter().position(|id| *id == run)
    };
    assert!(place(true).is_some_and(|place| place < 3), "{:?}", place(true));
    assert!(place(false).is_none_or(|place| place > 3), "{:?}", place(false));
}

#[test]
fn a_question_of_a_time_alone_is_answered_from_that_time() {
    let home = Home::new();
    let engine = engine(&home);
    let ago = |goal: &str, days: i64| {
        let episode = Episode { goal: goal.to_owned(), ..Episode::default() };
        let mut draft = Draft::new(Body::Episode(episode));
        draft.about.valid_at = Some(engine.settings().clock.now().plus_seconds(-days * 86_400));
        remember(&engine, draft)
    };
    ago("Moved the login to LDAP", 40);
    let inside = ago("Fixed the reset of webhook deliveries", 1);
    let mut question = engine.question("what happened yesterday?");
    assert_eq!(ids(&engine.recall(&question).expect("recalled")), [inside]);
    question.text = "which certificate expired yesterday".to_owned();
    assert!(engine.recall(&question).expect("recalled").found.is_empty(), "something was named");
}

#[test]
fn a_time_in_the_question_asks_for_what_held_then() {
    let home = Home::new();
    let engine = engine(&home);
    let now = engine.settings().clock.now();
    let since = |value: &str, days: i64| {
        let mut draft = fact("node.version", value);
        draft.about.valid_at = Some(now.plus_seconds(-days * 86_400));
        remember(&engine, draft)
    };
    since("20", 900);
    since("22", 30);
    let value = |text: &str| {
        let found = engine.recall(&engine.question(text)).expect("recalled").found;
        found.first().map(|one| one.version.content.body.full_text())
    };
    let year = now.plus_seconds(-730 * 86_400).to_jiff().strftime("%Y").to_string();
    assert_eq!(
        value(&format!("which node version in {year}")).as_deref(),
        Some("node.version = 20")
    );
    assert_eq!(value("which node version now").as_deref(), Some("node.version = 22"));
    assert_eq!(value("which node version last decade").as_deref(), Some("node.version = 22"));
}

#[test]
fn a_decision_that_rejects_what_was_chosen_before_takes_its_place() {
    let home = Home::new();
    let engine = engine(&home);
    let decide = |choice: &str, rejected: &str, days: i64| {
        let decision = Decision {
            decision: choice.to_owned(),
            rationale: None,
            alternatives: vec![rejected.to_owned()],
            affects: Vec::new(),
            active: true,
        };
        let mut draft = Draft::new(Body::Decision(decision));
        draft.about.valid_at = Some(engine.settings().clock.now().plus_seconds(-days * 86_400));
        remember(&engine, draft)
    };
    let old = decide("Use Redis Streams for the invoice queue", "Kafka", 90);
    let new = decide("Use Kafka for the invoice queue", "Redis Streams", 10);
    // Rejected for one purpose, chosen for another.
    let other = decide("Keep sessions in Redis Streams", "cookies", 50);
    let asked = engine.question("what do we use for the invoice queue");
    let found = engine.recall(&asked).expect("recalled");
    assert_eq!(ids(&found).first(), Some(&new));
    assert!(!ids(&found).contains(&old), "{:?}", ids(&found));
    assert!(found.found[0].history.iter().any(|past| past.id == old), "{:?}", found.found[0]);
    assert!(ids(&all(&engine, "Redis Streams for sessions")).contains(&other));
}

#[test]
fn a_choice_for_one_end_leaves_what_serves_another() {
    let home = Home::new();
    let engine = engine(&home);
    let decide = |decision: &str, rejected: &str| {
        let decision = Decision {
            decision: decision.to_owned(),
            rationale: None,
            alternatives: vec![rejected.to_owned()],
            affects: Vec::new(),
            active: true,
        };
        remember(&engine, Draft::new(Body::Decision(decision)))
    };
    let cards = decide("Use Stripe payments for cards", "Adyen");
    let debit = decide(
        "Use Mollie payments instead of Stripe payments for direct debit",
        "Stripe payments",
    );
    let found = ids(&all(&engine, "what do we use for payments by cards"));
    assert!(found.contains(&cards) && found.contains(&debit), "{found:?}");
}

#[test]
fn a_label_of_several_is_no_name_of_one() {
    let home = Home::new();
    let engine = engine(&home);
    let labelled = |text: &str, label: &str| {
        let mut draft = pattern(text);
        draft.about.tags = [label.to_owned()].into();
        remember(&engine, draft)
    };
    labelled("Lunch is ordered at 11:30 on Thursdays", "office");
    labelled("Team photos hang in the hallway", "office");
    let alone = labelled("Pods are restarted by hand", "k8s");
    let sure = |question: &str| -> Vec<(RecordId, bool)> {
        let found = all(&engine, question).found;
        found.into_iter().map(|one| (one.version.id, one.evidence >= 0.8)).collect()
    };
    let told = sure("who pays the office rent");
    assert!(told.iter().all(|(_, is_sure)| !is_sure), "{told:?}");
    assert!(sure("what is our k8s story").contains(&(alone, true)));
}

/// Every process would read all of it again to know its words.
#[test]
fn a_long_text_is_on_the_shelf_as_soon_as_it_is_stored() {
    let home = Home::new();
    let engine = engine(&home);
    remember(&engine, pattern("a short text"));
    assert!(index_files(&home).is_empty());
    remember(&engine, pattern(&"A line of the log says this. ".repeat(3_000)));
    assert!(!index_files(&home).is_empty());
}

#[test]
fn among_few_memories_the_second_best_is_an_answer_too() {
    let home = Home::new();
    let engine = engine(&home);
    let warning = pattern("Never deploy on a Friday, use the deploy window");
    remember(&engine, warning);
    let window = remember(&engine, fact("deploy.window", "Tuesdays and Thursdays, ten to two"));
    let asked = engine.question("when is the deploy window");
    assert!(ids(&engine.recall(&asked).expect("recalled")).contains(&window));
}

#[test]
fn explanations_add_up_to_the_score() {
    let home = Home::new();
    let engine = engine(&home);
    for text in TEXTS {
        remember(&engine, pattern(text));
    }
    for (turn, text) in TEXTS.iter().enumerate() {
        let episode = Episode {
            goal: format!("Ann: {text}, turn {turn}"),
            task_id: Some("talk".to_owned()),
            ..Episode::default()
        };
        remember(&engine, Draft::new(Body::Episode(episode)));
    }
    let mut seen = 0;
    for question in TEXTS.iter().copied().chain(["what happened yesterday?", "", "port", "✗"]) {
        for found in all(&engine, question).found {
            let difference = (found.explanation.sum() - found.score).abs();
            assert!(difference < 1e-6, "{question}: {:?}", found.explanation);
            seen += 1;
        }
    }
    assert!(seen > 50, "only {seen} results were looked at");
}

#[test]
fn a_new_model_reads_everything_while_the_old_one_still_serves() {
    let home = Home::new();
    let old = engine_with(&home, fake(64));
    let first: Vec<RecordId> = TEXTS.iter().map(|text| remember(&old, pattern(text))).collect();
    // More than one step reads, and newer, so that the first ones are still to come.
    fill(&old, 150);
    drop(old);
    let mut settings = home.settings();
    settings.meaning = Meaning::by(fake(96)).after(fake(64));
    let new = Engine::open(settings).expect("an engine");
    let by_meaning = |engine: &Engine, text: &str| {
        let mut question = engine.question(text);
        question.switches.bounds = false;
        question.switches.words = false;
        question.limit = 60;
        ids(&engine.recall(&question).expect("recalled"))
    };
    let late = remember(&new, pattern("A text that only the new model has read"));
    // Stopped after the first step, as if the process had ended there.
    let stopped = new.embed_waiting(u64::MAX, &mut |_| false).expect("embedding");
    assert!(stopped.done == 0 && stopped.waiting > 0, "{stopped:?}");
    assert!(by_meaning(&new, TEXTS[1]).contains(&first[1]), "the old vectors serve");
    assert_eq!(by_meaning(&new, "a text the new model has read").first(), Some(&late));
    let done = new.embed_waiting(u64::MAX, &mut |_| true).expect("embedding");
    assert_eq!(done.waiting, 0);
    let census = new.vectors().expect("a census");
    assert!(census.iter().all(|(_, census)| census.models.len() <= 1), "{census:?}");
    assert!(by_meaning(&new, TEXTS[1]).contains(&first[1]), "the new vectors serve");
}

#[test]
fn without_a_vector_it_is_found_by_words_and_reported() {
    let home = Home::new();
    let without = home.engine();
    let id = remember(&without, pattern("The broker listens on port 5672"));
    assert_eq!(ids(&all(&without, "broker port")), [id]);
    let waiting: u64 =
        without.vectors().expect("a census").iter().map(|(_, census)| census.waiting).sum();
    assert_eq!(waiting, 1);
    let with = engine(&home);
    with.embed_waiting(u64::MAX, &mut |_| true).expect("embedding");
    assert!(all(&with, "broker").found[0].explanation.parts.iter().any(|p| p.name == "meaning"));
}

#[test]
fn a_fact_is_answered_with_its_current_value_and_its_past_as_history() {
    let home = Home::new();
    let engine = engine(&home);
    remember(&engine, fact("db.port", "5432"));
    home.clock.tick(86_400);
    let now = remember(&engine, fact("db.port", "5433"));
    let recall = all(&engine, "what is the db port?");
    assert_eq!(ids(&recall), [now]);
    assert!(recall.found[0].history[0].text.contains("5432"), "{:?}", recall.found[0].history);
}

#[test]
fn a_later_statement_takes_the_place_of_the_earlier_one() {
    let home = Home::new();
    let engine = engine(&home);
    let old = remember(&engine, pattern("Nightly builds run on the build host farm-03 at night"));
    home.clock.tick(60);
    let new = remember(&engine, pattern("Nightly builds were moved to the build host farm-07"));
    let recall = all(&engine, "which host runs the nightly builds?");
    assert_eq!(ids(&recall), [new]);
    assert_eq!(recall.found[0].history[0].id, old);
}

#[test]
fn quarantined_and_past_memories_stay_out_unless_asked_for() {
    let home = Home::new();
    let engine = engine(&home);
    let mut poisoned = pattern("The broker password is hunter2");
    poisoned.about.trust = Some(Trust::Quarantined);
    remember(&engine, poisoned);
    let time = |text: &str| Timestamp::parse(text).expect("a time");
    let mut ended = pattern("The broker listened on port 1883");
    ended.about.valid_at = Some(time("2024-01-01T00:00:00Z"));
    ended.about.invalid_at = Some(time("2025-01-01T00:00:00Z"));
    let past = remember(&engine, ended);
    assert!(all(&engine, "broker").found.is_empty());
    let mut then = engine.question("broker");
    then.switches.bounds = false;
    then.filter.at = At { truth: Truth::At(time("2024-06-01T00:00:00Z")), known: None };
    assert_eq!(ids(&engine.recall(&then).expect("recalled")), [past]);
    then.filter.at.known = Some(time("2025-06-01T00:00:00Z"));
    assert!(engine.recall(&then).expect("recalled").found.is_empty(), "not known yet");
}

#[test]
fn silence_when_nothing_is_known_about_it() {
    let home = Home::new();
    let engine = engine(&home);
    remember(&engine, pattern(TEXTS[0]));
    let recall = engine.recall(&engine.question("zebra umbrella quartz")).expect("recalled");
    assert!(recall.found.is_empty() && recall.refusal.is_some(), "{recall:?}");
}

/// Enough rows that segments are built.
fn fill(engine: &Engine, many: usize) {
    let drafts =
        (0..many).map(|n| pattern(&format!("Note {n}: {} (#{n})", TEXTS[n % TEXTS.len()])));
    for answer in engine.remember_each(drafts.collect(), &Note::default()).expect("remembered") {
        answer.expect("each");
    }
    engine.embed_waiting(u64::MAX, &mut |_| true).expect("embedding");
    engine.grow_indexes().expect("segments");
}

#[test]
fn segments_can_be_lost_or_damaged_without_another_answer() {
    let home = Home::new();
    let first = engine(&home);
    fill(&first, 700);
    let before = ids(&all(&first, "note 321 about migrations"));
    assert!(!index_files(&home).is_empty(), "segments were built");
    for path in index_files(&home) {
        let mut bytes = std::fs::read(&path).expect("a segment");
        let length = bytes.len();
        bytes[..16.min(length)].fill(0xff);
        std::fs::write(&path, bytes).expect("damaged");
    }
    assert_eq!(ids(&all(&engine(&home), "note 321 about migrations")), before, "damaged");
    for path in index_files(&home) {
        std::fs::remove_file(path).expect("removed");
    }
    assert_eq!(ids(&all(&engine(&home), "note 321 about migrations")), before, "lost");
}

#[test]
fn what_is_forgotten_leaves_the_segments_too() {
    let home = Home::new();
    let engine = engine(&home);
    let id = remember(&engine, pattern("The codename is zanzibarious and nobody else says so"));
    fill(&engine, 600);
    let says = |word: &[u8]| {
        index_files(&home).iter().any(|path| {
            let bytes = std::fs::read(path).expect("a segment");
            bytes.windows(word.len()).any(|window| window == word)
        })
    };
    assert!(says(b"zanzibari"), "the word is in a segment before");
    let forgotten = engine.forget(&[id.as_str()], &Note::default()).expect("forgotten");
    assert!(forgotten.proof.traces.is_empty(), "{forgotten:?}");
    assert!(!says(b"zanzibari"));
    assert!(!ids(&all(&engine, "zanzibarious codename")).contains(&id));
}

#[test]
fn answers_stay_right_while_others_write_forget_and_embed() {
    let home = Home::new();
    fill(&engine(&home), 600);
    let kept = remember(&engine(&home), pattern("The lighthouse keeper counts ferries at dawn"));
    let engines: Vec<Engine> = (0..3).map(|_| engine(&home)).collect();
    let reader = engine(&home);
    std::thread::scope(|scope| {
        for (who, writer) in engines.iter().enumerate() {
            scope.spawn(move || {
                for n in 0..40 {
                    let text = format!("writer {who} says that ferry {n} left at {n} o'clock");
                    let id = remember(writer, pattern(&text));
                    if n % 4 == 0 {
                        writer.forget(&[id.as_str()], &Note::default()).expect("forgotten");
                    }
                }
            });
        }
        for _ in 0..60 {
            let found = ids(&all(&reader, "lighthouse keeper counts ferries at dawn"));
            assert_eq!(found.first(), Some(&kept));
        }
    });
    let last = ids(&all(&reader, "writer 2 says that ferry 39 left at 39 o'clock"));
    let text = |id: &RecordId| {
        let shown = reader.show(id.as_str(), At::LATEST).expect("shown");
        shown.version.content.body.full_text()
    };
    assert!(text(&last[0]).contains("ferry 39"), "{}", text(&last[0]));
}

#[test]
fn vectors_that_shall_come_later_are_not_made_by_the_way() {
    let home = Home::new();
    let waiting =
        |engine: &Engine| engine.embed_waiting(0, &mut |_| true).expect("counted").waiting;
    let later = engine(&home).embedding_later();
    remember(&later, pattern("the deploy runs on fridays"));
    assert_eq!(waiting(&later), 1);
    remember(&engine(&home), pattern("the release runs on mondays"));
    assert_eq!(waiting(&later), 0, "the next write brings up what waits");
}

/// An embedder under a name of its own, which counts the texts that it was given to read.
#[derive(Debug)]
struct Double {
    embedder: Arc<dyn Embedder>,
    model: ModelId,
    read: AtomicUsize,
}

impl Double {
    fn new(model: ModelId) -> Arc<Double> {
        Arc::new(Double { embedder: fake(64), model, read: AtomicUsize::new(0) })
    }
}

impl Embedder for Double {
    fn model(&self) -> &ModelId {
        &self.model
    }

    fn embed(&self, texts: &[&str], role: Role) -> Result<Vec<Vector>, inference::Error> {
        self.read.fetch_add(texts.len(), Ordering::Relaxed);
        self.embedder.embed(texts, role)
    }

    fn window(&self) -> usize {
        self.embedder.window()
    }

    fn is_remote(&self) -> bool {
        self.embedder.is_remote()
    }
}

#[test]
fn what_is_said_again_is_not_read_again() {
    let home = Home::new();
    let counting = Double::new(fake(64).model().clone());
    let engine = engine_with(&home, counting.clone());
    let read = || counting.read.load(Ordering::Relaxed);
    let first = remember(&engine, pattern(TEXTS[0]));
    assert_eq!(read(), 1);
    assert_eq!(remember(&engine, pattern(TEXTS[0])), first);
    assert_eq!(read(), 1, "it is known");
    let drafts = [TEXTS[0], TEXTS[1], TEXTS[0]].map(pattern).to_vec();
    let answers = engine.remember_each(drafts, &Note::default()).expect("a batch");
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(read(), 2, "one of them is new");
    engine.forget(&[first.as_str()], &Note::default()).expect("forgotten");
    let despite = Note { despite_tombstone: true, ..Note::default() };
    let again = engine.remember(pattern(TEXTS[0]), &despite).expect("brought back").id;
    assert_eq!(read(), 3, "it was forgotten, with its vectors");
    for (id, text) in [(again, TEXTS[0]), (answers[1].as_ref().expect("new").id.clone(), TEXTS[1])]
    {
        let mut question = engine.question(text);
        (question.switches.bounds, question.switches.words) = (false, false);
        let recall = engine.recall(&question).expect("recalled");
        assert_eq!(ids(&recall).first(), Some(&id), "by meaning alone");
    }
}

#[test]
fn what_another_build_of_the_model_read_is_found_until_it_is_read_anew() {
    let home = Home::new();
    let id = remember(&engine_with(&home, fake(64)), pattern(TEXTS[0]));
    let first_by_meaning = |engine: &Engine| {
        let mut question = engine.question(TEXTS[0]);
        (question.switches.bounds, question.switches.words) = (false, false);
        ids(&engine.recall(&question).expect("recalled")).first().cloned()
    };
    let own = fake(64).model().clone();
    let renewed = ModelId { generation: "2-64".to_owned(), ..own.clone() };
    let engine = engine_with(&home, Double::new(renewed));
    assert_eq!(first_by_meaning(&engine), Some(id.clone()), "not yet read anew");
    engine.embed_waiting(u64::MAX, &mut |_| true).expect("read anew");
    assert_eq!(first_by_meaning(&engine), Some(id), "read anew");
    let stranger = ModelId { name: "another".to_owned(), ..own };
    let engine = engine_with(&home, Double::new(stranger));
    assert_eq!(first_by_meaning(&engine), None, "numbers of another model mean something else");
}

#[test]
fn nobody_waits_for_the_vectors_of_what_others_left() {
    let home = Home::new();
    let now = engine(&home);
    let waiting = || now.embed_waiting(0, &mut |_| true).expect("counted").waiting;
    let long = |n: usize| pattern(&format!("night {n}: {}", "the ferry left late. ".repeat(1_000)));
    let later = engine(&home).embedding_later();
    (0..4).for_each(|n| drop(remember(&later, long(n))));
    let id = remember(&now, pattern("the deploy runs on fridays"));
    assert_eq!(waiting(), 4, "each is long enough to be felt");
    let has_job = now.jobs().expect("jobs").iter().any(|view| view.job.kind == JobKind::Embed);
    assert!(has_job, "they are not forgotten");
    let mut patch = Patch::default();
    patch.body.insert("statement".into(), "the release runs on mondays. ".repeat(700).into());
    now.edit(id.as_str(), &patch, &Note::default()).expect("edited");
    assert_eq!(waiting(), 4, "but one's own is there at once, long or not");
    let steps = std::cell::Cell::new(0);
    let step = &mut |_| steps.replace(steps.get() + 1) < 1;
    assert_eq!(now.embed_waiting(u64::MAX, step).expect("embedding").waiting, 1, "64 KB at a time");
}

#[test]
fn an_edit_is_found_by_what_it_means_now() {
    let home = Home::new();
    let engine = engine(&home);
    let id = remember(&engine, pattern("the deploy runs on fridays"));
    let mut patch = Patch::default();
    patch.body.insert("statement".into(), "the release runs on mondays".into());
    engine.edit(id.as_str(), &patch, &Note::default()).expect("edited");
    let waiting = || engine.embed_waiting(0, &mut |_| true).expect("counted").waiting;
    assert_eq!(waiting(), 0, "an edited memory has its vectors when the edit is answered");
    engine.undo(None, &Note::default()).expect("undone");
    assert_eq!(waiting(), 0, "and so has one that was taken back");
}

/// Likes the texts that say "night", or does not answer.
#[derive(Debug)]
struct NightReader {
    answers: bool,
}

impl Reranker for NightReader {
    fn scores(&self, _: &str, texts: &[&str]) -> Result<Vec<f64>, inference::Error> {
        let endpoint = "http://nowhere".to_owned();
        let why = || inference::Error::Answer { endpoint, why: "it is asleep".to_owned() };
        let like = |text: &&str| if text.contains("night") { 1.0 } else { 0.0 };
        self.answers.then(|| texts.iter().map(like).collect()).ok_or_else(why)
    }
}

#[test]
fn a_reader_puts_answers_into_another_order_and_its_silence_into_none() {
    let home = Home::new();
    let plain = engine(&home);
    TEXTS.iter().for_each(|text| drop(remember(&plain, pattern(text))));
    let asked = "the database and the parser, the release and the broker";
    let without = all(&plain, asked);
    let read_by = |answers: bool| {
        let mut settings = home.settings();
        settings.meaning = Meaning::by(fake(64)).read_by(Arc::new(NightReader { answers }));
        all(&Engine::open(settings).expect("an engine"), asked)
    };
    let with = read_by(true);
    let first = &with.found[0];
    assert!(first.version.content.body.full_text().contains("night"), "{first:?}");
    for found in &with.found {
        let parts = &found.explanation.parts;
        assert_eq!(parts.iter().filter(|part| part.name == "reader").count(), 1);
        assert!((found.explanation.sum() - found.score).abs() < 1e-9, "{found:?}");
    }
    assert!(with.unread.is_none() && without.unread.is_none());
    assert_ne!(ids(&with), ids(&without));
    let silent = read_by(false);
    assert_eq!(ids(&silent), ids(&without), "nothing is lost");
    assert!(silent.unread.expect("the reason").contains("it is asleep"));
}

#[test]
fn one_side_of_an_open_contradiction_tells_of_the_other() {
    let home = Home::new();
    let engine = engine(&home);
    let one = remember(&engine, pattern("Releases are cut on Mondays by the platform team"));
    let mut earlier = pattern("Releases are cut on Thursdays by whoever is on call");
    earlier.about.valid_at = Some(engine.settings().clock.now().plus_seconds(-86_400));
    let other = remember(&engine, earlier);
    remember(&engine, pattern("Releases are announced in the newsletter"));
    let disputes = |text: &str| -> Vec<(RecordId, RecordId, RecordId)> {
        let found = all(&engine, text).found;
        let each = found.iter().flat_map(|found| {
            let id = found.version.id.clone();
            found
                .disputes
                .iter()
                .map(move |other| (id.clone(), other.id.clone(), other.contradiction.clone()))
        });
        each.collect()
    };
    assert_eq!(disputes("when are releases cut"), []);
    let noted =
        engine.contradict(one.as_str(), other.as_str(), "a test", &Note::default()).expect("noted");
    let mut told = disputes("when are releases cut");
    told.sort();
    let mut expected = vec![
        (one.clone(), other.clone(), noted.clone()),
        (other.clone(), one.clone(), noted.clone()),
    ];
    expected.sort();
    assert_eq!(told, expected);

    // What may not be shown is not shown by way of its opponent.
    let quarantine = |trust: Trust| {
        let patch = Patch { trust: Some(trust), ..Patch::default() };
        engine.edit(other.as_str(), &patch, &Note::default()).expect("changed");
    };
    quarantine(Trust::Quarantined);
    assert_eq!(disputes("when are releases cut"), []);
    quarantine(Trust::Trusted);
    assert_eq!(disputes("when are releases cut").len(), 2);

    // What no longer holds is disputed by nobody.
    let ended = Patch { invalid_at: Some(Some(engine.settings().clock.now())), ..Patch::default() };
    engine.edit(other.as_str(), &ended, &Note::default()).expect("ended");
    assert_eq!(disputes("when are releases cut"), []);
    let again = Patch { invalid_at: Some(None), ..Patch::default() };
    engine.edit(other.as_str(), &again, &Note::default()).expect("holds again");
    assert_eq!(disputes("when are releases cut").len(), 2);

    engine.resolve(noted.as_str(), Resolution::BothValid, None, &Note::default()).expect("settled");
    assert_eq!(disputes("when are releases cut"), []);
}

#[test]
fn a_contradiction_that_cannot_be_read_keeps_nobody_from_asking() {
    let home = Home::new();
    let writer = engine(&home);
    let one = remember(&writer, pattern("Releases are cut on Mondays by the platform team"));
    let other = remember(&writer, pattern("Releases are cut on Thursdays by whoever is on call"));
    writer.contradict(one.as_str(), other.as_str(), "a test", &Note::default()).expect("noted");
    drop(writer);
    let file = home.project_dir().join("memory.db");
    let sound = std::fs::read(&file).expect("the store");
    // A name that is missing, and what is no JSON at all.
    for spoilt in ["\"detected_ny\":\"a test\"", "\"detected_by\";\"a test\""] {
        let mut bytes = sound.clone();
        let was = "\"detected_by\":\"a test\"".as_bytes();
        let places: Vec<usize> =
            (0..bytes.len()).filter(|at| bytes[*at..].starts_with(was)).collect();
        assert!(!places.is_empty(), "it lies in the file");
        for at in places {
            bytes[at..at + was.len()].copy_from_slice(spoilt.as_bytes());
        }
        std::fs::write(&file, bytes).expect("spoilt");
        let found = all(&engine(&home), "when are releases cut").found;
        assert!(found.len() >= 2, "{found:?}");
        assert!(found.iter().all(|found| found.disputes.is_empty()), "{found:?}");
    }
}

/// Knows one word, and that other texts differ a little.
#[derive(Debug)]
struct Fond(&'static str);

impl Skimmer for Fond {
    fn skim(&self, _: &str, texts: &[&str]) -> Vec<Option<f64>> {
        let near = |text: &&str| match text {
            text if text.contains(self.0) => 0.9,
            text => 0.01 * (text.len() % 7) as f64,
        };
        texts.iter().map(|text| Some(near(text))).collect()
    }
}

#[test]
fn the_gist_takes_a_share_of_meaning_where_it_has_more_to_say() {
    let home = Home::new();
    let engine = engine(&home);
    let things = ["invoice", "webhook", "login", "cache", "report", "queue", "backup", "index"];
    let mut wanted = None;
    for nth in 0..64 {
        let thing = things[nth % things.len()];
        let text = match nth {
            37 => "The harbour office does nothing with the queue of ships".to_owned(),
            _ => format!("The harbour office sends the {thing} of pier {nth} to the {nth}th clerk"),
        };
        let id = remember(&engine, pattern(&text));
        wanted = if nth == 37 { Some(id) } else { wanted };
    }
    let wanted = wanted.expect("remembered");
    let ask = |skimmer: Option<Arc<dyn Skimmer>>, gist: bool| {
        let mut question =
            engine.question("what does the harbour office do with the queue of pier 5");
        question.switches.bounds = false;
        question.switches.gist = gist;
        question.skimmer = skimmer;
        question.limit = 64;
        engine.recall(&question).expect("recalled")
    };
    let place = |found: &Recall| ids(found).iter().position(|id| *id == wanted).expect("found");
    let without = ask(None, true);
    let with = ask(Some(Arc::new(Fond("ships"))), true);
    assert!(place(&with) < place(&without), "{:?} and {:?}", place(&with), place(&without));
    let mut shown = 0;
    for found in &with.found {
        let parts = &found.explanation.parts;
        shown += usize::from(parts.iter().any(|part| part.name == "gist"));
        let sum: f64 = parts.iter().map(|part| part.value * part.weight).sum();
        let factors: f64 = found.explanation.factors.iter().map(|factor| factor.value).product();
        assert!((sum * factors - found.score).abs() < 1e-6, "{:?}", found.explanation);
    }
    assert_eq!(shown, 32, "of the best alone");
    // Whoever was not looked at has no more of meaning than whoever was.
    let weights: Vec<f64> = with
        .found
        .iter()
        .filter_map(|found| found.explanation.parts.iter().find(|part| part.name == "meaning"))
        .map(|part| part.weight)
        .collect();
    let alike = |weight: &f64| (weight - weights[0]).abs() < 1e-9;
    assert!(weights.len() > shown && weights.iter().all(alike), "{weights:?}");
    for as_without in
        [ask(Some(Arc::new(Fond("ships"))), false), ask(Some(Arc::new(Fond(""))), true)]
    {
        assert_eq!(ids(&as_without), ids(&without), "switched off, or everything is alike");
    }
}

/// Tells what it was shown.
#[derive(Debug, Default)]
struct Spy(Mutex<Vec<String>>);

impl Skimmer for Spy {
    fn skim(&self, question: &str, texts: &[&str]) -> Vec<Option<f64>> {
        let shown = texts.iter().map(|text| (*text).to_owned());
        self.0.lock().expect("nobody panicked").extend(shown);
        Fond("Pier 12 ").skim(question, texts)
    }
}

#[test]
fn what_is_set_apart_or_no_longer_holds_is_not_usual() {
    let home = Home::new();
    let engine = engine(&home);
    let mut last = None;
    for nth in 0..40 {
        last = Some(remember(&engine, pattern(&format!("Pier {nth} is painted by crew 7"))));
    }
    let mut apart = pattern("Quarantined words");
    apart.about.trust = Some(Trust::Quarantined);
    remember(&engine, apart);
    let last = last.expect("remembered");
    let mut patch = Patch::default();
    patch.body.insert("statement".into(), "Pier 39 is painted by nobody".into());
    engine.edit(last.as_str(), &patch, &Note::default()).expect("edited");
    let spy = Arc::new(Spy::default());
    let mut question = engine.question("which crew paints pier 12");
    question.switches.bounds = false;
    question.skimmer = Some(spy.clone());
    engine.recall(&question).expect("recalled");
    let shown = spy.0.lock().expect("nobody panicked").join("\n");
    assert!(shown.contains("Pier 39 is painted by nobody"), "{shown}");
    for not in ["Quarantined words", "Pier 39 is painted by crew"] {
        assert!(!shown.contains(not), "{shown}");
    }
}

#[test]
fn the_gist_is_about_the_order_and_hides_nothing() {
    let home = Home::new();
    let engine = engine(&home);
    for nth in 0..60 {
        remember(&engine, pattern(&format!("Pier {nth} is painted by crew {}", nth % 7)));
    }
    let shown = |skimmer: Option<Arc<dyn Skimmer>>| {
        let mut question = engine.question("which crew paints pier 12");
        question.limit = 60;
        question.skimmer = skimmer;
        let mut ids = ids(&engine.recall(&question).expect("recalled"));
        ids.sort();
        ids
    };
    let without = shown(None);
    assert!(!without.is_empty());
    let with = shown(Some(Arc::new(Fond("Pier 44 "))));
    assert!(without.iter().all(|id| with.contains(id)), "{with:?} and {without:?}");
}

#[test]
fn of_few_memories_the_gist_says_nothing() {
    let home = Home::new();
    let engine = engine(&home);
    for text in TEXTS {
        remember(&engine, pattern(text));
    }
    let mut question = engine.question(TEXTS[0]);
    question.switches.bounds = false;
    question.skimmer = Some(Arc::new(Fond(TEXTS[1])));
    let found = engine.recall(&question).expect("recalled");
    let has_gist = |found: &mnemic_engine::recall::Found| {
        found.explanation.parts.iter().any(|part| part.name == "gist")
    };
    assert!(!found.found.is_empty() && !found.found.iter().any(has_gist));
}

/// What is usual is learnt from memories that nobody asked for. One that cannot be read is not
/// missed there.
#[test]
fn a_memory_that_cannot_be_read_keeps_nobody_from_asking_for_another() {
    let home = Home::new();
    let writer = engine(&home);
    for nth in 0..60 {
        remember(&writer, pattern(&format!("Pier {nth} is painted by crew {}", nth % 7)));
    }
    remember(&writer, pattern("zzqx vvkj wwhp"));
    drop(writer);
    let file = home.project_dir().join("memory.db");
    let mut bytes = std::fs::read(&file).expect("the store");
    let (was, spoilt) = ("\"statement\":\"zzqx".as_bytes(), "\"statement\";\"zzqx".as_bytes());
    let places: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(was)).collect();
    assert!(!places.is_empty(), "it lies in the file");
    for at in places {
        bytes[at..at + was.len()].copy_from_slice(spoilt);
    }
    std::fs::write(&file, bytes).expect("spoilt");
    let engine = engine(&home);
    let mut question = engine.question("which crew paints pier 12");
    question.switches.bounds = false;
    question.skimmer = Some(Arc::new(Fond("Pier 12 ")));
    let found = engine.recall(&question).expect("recalled").found;
    let parts = |found: &mnemic_engine::recall::Found| found.explanation.parts.clone();
    assert!(parts(&found[0]).iter().any(|part| part.name == "gist"), "{:?}", found[0]);
}

#[test]
fn who_speaks_of_a_rotation_has_not_rotated_anything() {
    let home = Home::new();
    let engine = home.engine();
    let old = remember(&engine, pattern("Ann is paged through PagerDuty; the rotation is weekly"));
    let new = remember(&engine, pattern("Paging moved to Opsgenie with the rotation"));
    let answer = all(&engine, "which tool sends pages");
    assert_eq!(ids(&answer), [new]);
    assert_eq!(answer.found[0].history[0].id, old);
}

#[test]
fn an_entity_answers_where_somebody_said_what_it_is() {
    let home = Home::new();
    let engine = engine(&home);
    let entity = |name: &str, description: Option<&str>| {
        let entity = Entity {
            name: name.to_owned(),
            description: description.map(str::to_owned),
            entity_kind: EntityKind::Service,
            aliases: Vec::new(),
        };
        remember(&engine, Draft::new(Body::Entity(entity)))
    };
    let gateway = entity("billing-gateway", Some("Talks to the payment provider"));
    let bare = entity("billing-ledger", None);
    let found = ids(&all(&engine, "what does billing talk to"));
    assert!(found.contains(&gateway) && !found.contains(&bare), "{found:?}");
    let mut question = engine.question("what does billing talk to");
    question.switches.bounds = false;
    question.filter.kinds = vec![Kind::Entity];
    question.filter.described = false;
    let asked = ids(&engine.recall(&question).expect("recalled"));
    assert!(asked.contains(&gateway) && asked.contains(&bare), "whoever asks for them has all");
    let listed = engine.list(&question.filter).expect("listed").items.len();
    question.filter.described = true;
    assert_eq!((listed, engine.list(&question.filter).expect("listed").items.len()), (2, 1));
}
