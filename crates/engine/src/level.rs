//! The four levels of a memory's text, with what an agent pays to read each.

use mnemic_model::body::{Contradiction, Episode, Skill};
use mnemic_model::{Body, Content};
use mnemic_text::levels;
use mnemic_text::sentences::sentences;
use mnemic_text::stems::query_terms;
use mnemic_text::tokens::{Counter, Encoding};
use std::fmt::Write;

/// One text, and what it costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Level {
    pub text: String,
}

impl Level {
    /// The whole text, without making the shorter ones.
    pub fn full(content: &Content) -> Level {
        Level { text: content.body.full_text() }
    }

    /// The summary, without making the others.
    pub fn summary(content: &Content) -> Level {
        if let Some(given) = &content.levels.summary {
            return Level { text: given.clone() };
        }
        let body = &content.body;
        let lead = match body {
            Body::Episode(_) => lead(content, &body.full_text()).unwrap_or_default(),
            _ => String::new(),
        };
        let text = told(content, &lead).unwrap_or_else(|| levels::summary(&body.substance()));
        Level { text }
    }

    /// The summary for people: where it leaves out what follows, it ends in an ellipsis.
    pub fn summary_line(content: &Content) -> String {
        let line = Level::summary(content).text;
        if content.levels.summary.is_some() { line } else { marked(line, &content.body) }
    }

    /// Tokens of the widest used public encoding. Counted when asked for: most lists never are.
    pub fn tokens(&self) -> u64 {
        Counter::exact(Encoding::O200k).count(&self.text) as u64
    }
}

/// From everything to one to three words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Levels {
    pub full: Level,
    pub summary: Level,
    pub compressed: Level,
    pub index: Level,
}

impl Levels {
    /// What an author wrote is kept; the rest is extracted from the full text.
    pub fn of(content: &Content) -> Levels {
        let full = content.body.full_text();
        let given = &content.levels;
        // What is told is told after what leads, whatever stands in its place in the end.
        let leading = leading(content, &full);
        let summary = || {
            told(content, &leading).unwrap_or_else(|| levels::summary(&content.body.substance()))
        };
        Levels {
            summary: Level { text: given.summary.clone().unwrap_or_else(summary) },
            index: Level { text: given.index.clone().unwrap_or_else(|| name(content)) },
            compressed: Level {
                text: given
                    .compressed
                    .clone()
                    .unwrap_or_else(|| in_short(content, leading.clone())),
            },
            full: Level { text: full },
        }
    }

    /// The compressed text for people: where it leaves out what follows, it ends in an ellipsis.
    pub fn line(content: &Content) -> String {
        let line = Levels::of(content).compressed.text;
        if content.levels.compressed.is_some() { line } else { marked(line, &content.body) }
    }
}

/// What comes first of a memory, in about ten tokens.
fn leading(content: &Content, full: &str) -> String {
    let body = &content.body;
    // Names of task and agent tell nobody what happened.
    let compressed = || levels::compressed(&body.substance(), subject(body.title(), full));
    lead(content, full).unwrap_or_else(compressed)
}

/// What stands for a memory in about ten tokens.
fn in_short(content: &Content, leading: String) -> String {
    match &content.body {
        Body::Contradiction(Contradiction { note: Some(note), .. }) => levels::shortened(note, 120),
        Body::Episode(episode) => {
            // "do it", "address 4": what was asked for may say less than what came of it.
            let is_bare = query_terms(content.body.title()).len() < TELLING;
            let answer = answered(episode).filter(|_| is_bare);
            answer.map_or(leading, |answer| levels::compressed(&answer, None))
        }
        _ => leading,
    }
}

/// One to three words that a memory goes by.
fn name(content: &Content) -> String {
    let title = content.body.title();
    match &content.body {
        Body::Contradiction(Contradiction { note: Some(_), .. }) => "contradiction".to_owned(),
        _ if title.len() <= 30 => title.to_owned(),
        // The best words of a warning may be those of its remedy, and read like what to avoid.
        Body::AntiPattern(_) => levels::index(title, Some(title)),
        // Nor are reasons, conditions and what was rejected what it is about.
        _ => levels::index(title, None),
    }
}

/// A line that was taken from a memory, with an ellipsis where what it was taken from goes on.
fn marked(line: String, body: &Body) -> String {
    let parts = [headline(body), body.substance()];
    let answer = match body {
        Body::Episode(episode) => answered(episode),
        _ => None,
    };
    // The first that it is a part of tells: reasons, files and steps do not continue a headline.
    let mut parts = parts.into_iter().chain(answer);
    let goes_on = parts.find_map(|part| {
        let unnamed = || levels::goes_on(line.split_once(": ")?.1, &part);
        levels::goes_on(&line, &part).or_else(unnamed)
    });
    if goes_on != Some(true) || line.ends_with('…') {
        return line;
    }
    format!("{}…", line.trim_end_matches(['.', '。', ' ']))
}

/// What a memory goes by, whole.
fn headline(body: &Body) -> String {
    match body {
        Body::Fact(b) => format!("{} = {}", b.key, b.value),
        Body::Skill(b) => format!("{}\n{}", b.name, b.description.as_deref().unwrap_or_default()),
        Body::Resource(b) => format!("{}\n{}", b.title, b.text),
        Body::Contradiction(Contradiction { note: Some(note), .. }) => note.clone(),
        // Their names are no part of what they say.
        Body::Block(_) | Body::Ledger(_) | Body::Handoff(_) | Body::Contradiction(_) => {
            body.substance()
        }
        _ => body.title().to_owned(),
    }
}

/// A text that begins with its title needs no title in front.
fn subject<'t>(title: &'t str, full: &str) -> Option<&'t str> {
    (title.len() <= 60 && !full.starts_with(title)).then_some(title)
}

/// What it is about comes first; ten words have no room for the reasons. A name alone takes the line
/// after it along, and of a fact the value must be seen.
fn lead(content: &Content, full: &str) -> Option<String> {
    let title = content.body.title();
    let lines: Vec<&str> = full.lines().take(2).collect();
    Some(match (&content.body, lines.as_slice()) {
        (_, []) => return None,
        (Body::Fact(_), [lead, ..]) => levels::shortened(lead, 80),
        // A command takes the room of what it failed over.
        (Body::AntiPattern(_), [lead, ..]) if lead.contains("` fails: ") => {
            levels::shortened(lead, 100)
        }
        (Body::Skill(_) | Body::Resource(_), [name, next]) => {
            levels::shortened(&format!("{name}: {next}"), 80)
        }
        // A title may be prose over several lines, and a sentence does not end with its line.
        (_, [_, ..]) if !title.trim().is_empty() && full.starts_with(title) => {
            levels::compressed(title, subject(title, full))
        }
        (_, [lead, ..]) => levels::compressed(lead, subject(title, full)),
    })
}

/// The summary of what its own sentences do not tell best.
fn told(content: &Content, lead: &str) -> Option<String> {
    match &content.body {
        // What contradicts what, in values; the ids are in the full text.
        Body::Contradiction(Contradiction { note: Some(note), status, .. }) => {
            Some(format!("{} ({status})", levels::shortened(note, 240)))
        }
        Body::Episode(episode) => {
            let came_of_it = cause(episode)
                .or_else(|| mended(episode))
                .or_else(|| Some(levels::shortened(&answered(episode)?, LONGEST_ANSWER)))
                .or_else(|| unsolved(episode))?;
            Some(format!("{lead} ({came_of_it})"))
        }
        Body::Skill(skill) if !skill.steps.is_empty() => Some(procedure(skill)),
        _ => None,
    }
}

/// The steps in their order: whoever follows all but one of them does something else. What has no
/// room is said to be missing.
fn procedure(skill: &Skill) -> String {
    let mut text = format!("{}:", levels::shortened(&skill.name, LONGEST_STEP));
    for (at, step) in skill.steps.iter().enumerate() {
        let next = format!(" {}. {}", at + 1, levels::shortened(&step.action, LONGEST_STEP));
        if text.len() + next.len() > LONGEST_PROCEDURE {
            let left = skill.steps.len() - at;
            let steps = if left == 1 { "step" } else { "steps" };
            let _ = write!(text, " … ({left} more {steps})");
            break;
        }
        text += &next;
    }
    text
}

/// What went wrong first and what helped: whoever has the same trouble looks for that, and an error
/// without its remedy only says what they know.
fn mended(episode: &Episode) -> Option<String> {
    let mut errors = episode.errors.iter();
    let (message, remedy) =
        errors.find_map(|error| Some((&error.message, error.resolution.as_ref()?)))?;
    let message = levels::shortened(message, LONGEST_ERROR);
    Some(format!("{message}; resolved by: {}", levels::shortened(remedy, LONGEST_REMEDY)))
}

/// An error that nobody mended: that it was met is all there is to tell.
fn unsolved(episode: &Episode) -> Option<String> {
    let error = episode.errors.last()?;
    Some(format!("{}; not solved there", levels::shortened(&error.message, LONGEST_ERROR)))
}

/// The last sentence of an agent that names the cause of trouble: worth more than the command that
/// made it go away.
fn cause(episode: &Episode) -> Option<String> {
    const NAMES_IT: &[&str] = &["root cause", "the cause was", "the problem was", "the reason was"];
    let names_it = |sentence: &&str| {
        let low = sentence.to_lowercase();
        NAMES_IT.iter().any(|name| low.contains(name))
    };
    let mut said = episode.messages.iter().rev().filter(|message| message.is_of_agent());
    let sentence = said.find_map(|one| sentences(&one.text).into_iter().rev().find(names_it))?;
    Some(levels::shortened(sentence.trim(), LONGEST_ANSWER))
}

/// What the agent said in the end: it tells what was found and done, where the files and steps only
/// tell that something was.
fn answered(episode: &Episode) -> Option<String> {
    let mut said = episode.messages.iter().rev().filter(|message| message.is_of_agent());
    let words = said.find_map(|message| {
        let words: Vec<&str> = message.text.split_whitespace().collect();
        (words.len() >= LEAST_WORDS).then_some(words)
    })?;
    Some(words.join(" "))
}

/// Terms of a goal that stands for itself.
const TELLING: usize = 4;

/// Words that say more than that it was done, and characters of an answer in a summary.
const LEAST_WORDS: usize = 5;
const LONGEST_ANSWER: usize = 200;

/// Characters of one step and of all in a summary.
const LONGEST_STEP: usize = 80;
const LONGEST_PROCEDURE: usize = 320;

/// Characters of an error and of its remedy in a summary.
const LONGEST_ERROR: usize = 120;
const LONGEST_REMEDY: usize = 160;

#[cfg(test)]
mod tests {
    use super::*;
    use mnemic_model::body::{Decision, Fact, Failure, Message, Pattern, Resource, Status, Step};
    use mnemic_model::{Actor, Author, Draft, RecordId, Scope, ScopeLevel, Timestamp};

    fn levels(body: Body) -> Levels {
        let scope = Scope::private(ScopeLevel::Project);
        let actor = Actor::new(Author::Agent, "a");
        let content = Draft::new(body).resolve(&actor, Timestamp::EPOCH, &scope);
        let content = content.expect("a sound draft");
        let levels = Levels::of(&content);
        assert_eq!(Level::summary(&content), levels.summary, "alone and with the others");
        levels
    }

    #[test]
    fn a_title_goes_on_where_its_line_is_wrapped() {
        let goal = "Retry the upload when the\nserver closes the connection early. The client gave \
                    up at the first reset, which lost whole batches of measurements on bad links.";
        let episode = Episode { goal: goal.to_owned(), ..Episode::default() };
        let compressed = levels(Body::Episode(episode)).compressed.text;
        assert_eq!(compressed, "Retry the upload when the server closes the connection early");
    }

    #[test]
    fn a_line_for_people_says_where_it_was_cut() {
        let line = |body: Body| {
            let scope = Scope::private(ScopeLevel::Project);
            let actor = Actor::new(Author::Agent, "a");
            let content = Draft::new(body).resolve(&actor, Timestamp::EPOCH, &scope);
            let content = content.expect("a sound draft");
            (Levels::line(&content), Level::summary_line(&content))
        };
        let pattern = |statement: &str| {
            Body::Pattern(Pattern { statement: statement.to_owned(), ..Pattern::default() })
        };
        let said = "Max upload size is 25 MB. Bigger files go through the worker.";
        let (short, summary) = line(pattern(said));
        assert_eq!((&*short, &*summary), ("Max upload size is 25 MB…", said));
        assert_eq!(line(pattern("Use tabs.")).0, "Use tabs");
        let fact = Fact { key: "db.port".into(), value: "5432".into(), within: [].into() };
        assert_eq!(line(Body::Fact(fact)).0, "db.port = 5432");
        let decision = Decision {
            decision: "Use SQLite".into(),
            rationale: Some("one file".into()),
            alternatives: Vec::new(),
            affects: Vec::new(),
            active: true,
        };
        assert_eq!(line(Body::Decision(decision)).0, "Use SQLite", "the reason is another matter");
        let text = "We meet at ten. Whoever is late brings the cake.".to_owned();
        let resource = Resource { title: "Meeting".into(), text, ..Resource::default() };
        assert_eq!(
            line(Body::Resource(resource)).0,
            "Meeting: We meet at ten. Whoever is late brings the cake."
        );
        let told: Vec<String> =
            (0..9).map(|n| format!("Rule {n} of the house is strict.")).collect();
        let summary = line(pattern(&told.join(" "))).1;
        assert!(summary.ends_with('…'), "{summary}");
    }

    #[test]
    fn a_summary_of_trouble_says_what_helped() {
        let failed = |message: &str, resolution: Option<&str>| Failure {
            error_type: String::new(),
            message: message.to_owned(),
            resolution: resolution.map(str::to_owned),
        };
        let episode = Episode {
            goal: "Run the integration tests".to_owned(),
            errors: vec![
                failed("no such file", None),
                failed("connection refused on port 5433", Some("docker compose up -d db")),
            ],
            ..Episode::default()
        };
        assert_eq!(
            levels(Body::Episode(episode)).summary.text,
            "Run the integration tests (connection refused on port 5433; resolved by: docker \
             compose up -d db)"
        );
    }

    #[test]
    fn a_procedure_keeps_its_steps_or_says_what_is_missing() {
        let skill = |steps: &[&str]| {
            let step = |text: &&str| Step { action: (*text).to_owned(), detail: None };
            Body::Skill(Skill {
                name: "deploy".to_owned(),
                steps: steps.iter().map(step).collect(),
                exit_criteria: vec!["smoke test green".to_owned()],
                ..Skill::default()
            })
        };
        let steps = ["take a backup of the database", "run `make deploy`", "run the smoke test"];
        assert_eq!(
            levels(skill(&steps)).summary.text,
            "deploy: 1. take a backup of the database 2. run `make deploy` 3. run the smoke test"
        );
        let summary = levels(skill(&["look at every one of the twenty servers again"; 20])).summary;
        assert!(summary.text.chars().count() < 360, "{}", summary.text);
        assert!(summary.text.ends_with("… (14 more steps)"), "{}", summary.text);
    }

    #[test]
    fn an_episode_is_told_by_its_goal_and_its_last_answer() {
        let said =
            |role: &str, text: &str| Message { role: role.into(), text: text.into(), at: None };
        let episode = Episode {
            goal: "Check the parser and mirror the fix if needed".to_owned(),
            files: vec!["src/parse_session_header.rs".to_owned()],
            messages: vec![
                said("person", "check the parser"),
                said("agent", "I mirrored the fix:\nthe header\u{a0}may be empty."),
                said("agent", "Done."),
            ],
            ..Episode::default()
        };
        let levels = levels(Body::Episode(episode));
        assert_eq!(
            levels.summary.text,
            "Check the parser and mirror the fix if needed (I mirrored the fix: the header may be \
             empty.)"
        );
        assert!(!levels.index.text.contains("session_header"), "{}", levels.index.text);
    }

    #[test]
    fn a_goal_that_says_nothing_gives_way_to_the_answer() {
        let said =
            |role: &str, text: &str| Message { role: role.into(), text: text.into(), at: None };
        let episode = |goal: &str| Episode {
            goal: goal.to_owned(),
            messages: vec![said("agent", "The retries are gone from all providers. Tests pass.")],
            ..Episode::default()
        };
        for (goal, expected) in [
            ("address #2", "The retries are gone from all providers"),
            ("Remove retries from every provider", "Remove retries from every provider"),
        ] {
            assert_eq!(levels(Body::Episode(episode(goal))).compressed.text, expected);
        }
    }

    #[test]
    fn the_cause_of_trouble_is_told_before_what_made_it_go_away() {
        let said = |text: &str| Message { role: "agent".into(), text: text.into(), at: None };
        let failure = Failure {
            error_type: String::new(),
            message: "connection refused".to_owned(),
            resolution: Some("edited conftest.py".to_owned()),
        };
        let mut episode = Episode {
            goal: "Make the tests pass".to_owned(),
            errors: vec![failure],
            messages: vec![said("Fixed. Root cause: the database listens on 5433."), said("Done.")],
            ..Episode::default()
        };
        let summary = |episode: &Episode| levels(Body::Episode(episode.clone())).summary.text;
        let expected = "Make the tests pass (Root cause: the database listens on 5433.)";
        assert_eq!(summary(&episode), expected);
        episode.messages.clear();
        episode.errors[0].resolution = None;
        let expected = "Make the tests pass (connection refused; not solved there)";
        assert_eq!(summary(&episode), expected);
    }

    #[test]
    fn a_contradiction_shows_its_values() {
        let id = |text: &str| RecordId::parse(text).expect("an id");
        let body = Body::Contradiction(Contradiction {
            a: id("fact-1"),
            b: id("fact-2"),
            detected_by: "rule:slot".to_owned(),
            status: Status::Open,
            resolution: None,
            note: Some("port of staging: `5432` against `5433`".to_owned()),
        });
        let levels = levels(body);
        assert_eq!(levels.compressed.text, "port of staging: `5432` against `5433`");
        assert_eq!(levels.summary.text, "port of staging: `5432` against `5433` (open)");
    }
}
