//! Why a memory is offered: what it is to the work at hand.

use mnemic_model::body::{Episode, Outcome, Status};
use mnemic_model::{Body, Content, Invalid, Kind, Tier, Timestamp, Trust, Version};
use mnemic_text::rules::binds;
use std::collections::BTreeSet;

/// Errors count as recent for a day.
const RECENT_SECONDS: i64 = 24 * 60 * 60;

macro_rules! roles {
    ($($(#[$meta:meta])* $role:ident = $name:literal),+ $(,)?) => {
        /// What a memory is to the work at hand. A memory may be several things.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Role { $($(#[$meta])* $role),+ }

        impl Role {
            pub const ALL: &'static [Role] = &[$(Role::$role),+];

            /// Its name in a profile.
            pub fn as_str(self) -> &'static str {
                match self { $(Role::$role => $name),+ }
            }
        }
    };
}

roles! {
    /// Must be known before anything is done here.
    Gotcha = "gotcha",
    /// What a person wants to have in sight.
    Pinned = "pinned",
    /// What the agent keeps in mind and edits itself.
    Block = "block",
    /// Any memory; a profile adds how important it must be.
    Important = "important",
    /// What somebody said is always or never done.
    Rule = "rule",
    AntiPattern = "anti_pattern",
    /// An active decision on a file or task at hand.
    DecisionHere = "decision_here",
    /// Any active decision.
    Decision = "decision",
    /// Two memories that cannot both hold, not settled yet.
    Contradiction = "contradiction",
    /// An error of the last day, with its fix if there is one.
    RecentError = "recent_error",
    /// An error of any time; a profile adds how near it must be.
    SimilarError = "similar_error",
    /// What resolved an error in a file at hand.
    FixHere = "fix_here",
    KnownIssue = "known_issue",
    /// What prediction expects to be needed. Only the caller knows.
    Predicted = "predicted",
    /// What is so, by its key.
    Fact = "fact",
    Preference = "preference",
    Convention = "convention",
    /// What happened before.
    History = "history",
    /// The latest of it. Only the caller knows.
    LastSession = "last_session",
    /// How work is done here.
    Workflow = "workflow",
    Pattern = "pattern",
    Skill = "skill",
    /// What one agent left for the next.
    Handoff = "handoff",
    /// What a piece of work requires, provides or affects. Only the caller knows.
    Contract = "contract",
    /// Any memory, as a pointer.
    Pointer = "pointer",
    /// Any memory, by score.
    Best = "best",
}

impl Role {
    /// Whether it follows from the work at hand, however little a memory is like the question.
    pub fn is_at_hand(self) -> bool {
        matches!(
            self,
            Role::Gotcha
                | Role::Pinned
                | Role::Block
                | Role::DecisionHere
                | Role::Contradiction
                | Role::RecentError
                | Role::FixHere
                | Role::Handoff
                | Role::Contract
        )
    }

    pub fn parse(text: &str) -> Result<Role, Invalid> {
        Role::ALL.iter().copied().find(|role| role.as_str() == text).ok_or_else(|| {
            let names: Vec<&str> = Role::ALL.iter().map(|role| role.as_str()).collect();
            Invalid::new(
                "roles",
                format!("`{}` is not a role", text.escape_debug()),
                format!("use some of: {}", names.join(", ")),
            )
        })
    }
}

/// The work at hand.
#[derive(Debug, Clone, PartialEq)]
pub struct Situation {
    pub now: Timestamp,
    /// Paths as the caller names them.
    pub files: Vec<String>,
    /// The id or name of the task.
    pub task: Option<String>,
}

impl Situation {
    pub fn at(now: Timestamp) -> Situation {
        Situation { now, files: Vec::new(), task: None }
    }

    /// Whether a name that a memory gives means something at hand.
    fn is_here(&self, name: &str) -> bool {
        let is_task = |task: &str| !task.is_empty() && task.eq_ignore_ascii_case(name.trim());
        self.task.as_deref().is_some_and(is_task)
            || self.files.iter().any(|file| same_path(file, name))
    }

    fn is_recent(&self, time: Timestamp) -> bool {
        time <= self.now && self.now.plus_seconds(-RECENT_SECONDS) <= time
    }
}

/// Whether two paths mean one file, or one the folder of the other: their parts agree from the end,
/// or from the start.
fn same_path(a: &str, b: &str) -> bool {
    let parts = |path: &str| -> Vec<String> {
        path.trim()
            .split(['/', '\\'])
            .filter(|part| !part.is_empty() && *part != ".")
            .map(str::to_owned)
            .collect()
    };
    let (a, b) = (parts(a), parts(b));
    let (long, short) = if a.len() >= b.len() { (&a, &b) } else { (&b, &a) };
    !short.is_empty() && (long.ends_with(short) || long.starts_with(short))
}

/// All that a version is to the work at hand, as far as it tells by itself.
pub fn roles(version: &Version, situation: &Situation) -> BTreeSet<Role> {
    let content = &version.content;
    let mut roles: BTreeSet<Role> = by_body(content, situation).into_iter().collect();
    let mut add = |role: Role, does: bool| {
        if does {
            roles.insert(role);
        }
    };
    let is_described = matches!(&content.body, Body::Entity(it) if it.description.is_some());
    let is_memory = content.kind().is_memory() || is_described;
    for role in [Role::Important, Role::Pointer, Role::Best] {
        add(role, is_memory);
    }
    // Whoever may stand before everything else is for a person to say.
    let is_vouched_for = content.trust() == Trust::Trusted;
    let is_gotcha = is_vouched_for && is_labelled(content, &["gotcha"]);
    add(Role::Gotcha, content.tier == Tier::Mandate || is_gotcha);
    add(Role::Pinned, is_vouched_for && content.pinned);
    add(Role::AntiPattern, content.tier == Tier::Guardrail);
    add(Role::Preference, is_labelled(content, &["preference", "preferences"]));
    add(Role::Convention, is_labelled(content, &["convention", "conventions"]));
    add(Role::Workflow, is_labelled(content, &["workflow", "workflows"]));
    add(Role::KnownIssue, is_labelled(content, &["known-issue", "known_issue", "bug"]));
    roles
}

fn is_labelled(content: &Content, labels: &[&str]) -> bool {
    let is_one = |text: &String| labels.iter().any(|label| label.eq_ignore_ascii_case(text));
    content.tags.iter().chain(&content.category).any(is_one)
}

fn by_body(content: &Content, situation: &Situation) -> Vec<Role> {
    match &content.body {
        // What fails and what to do instead: of an error the part that is worth reading.
        Body::AntiPattern(body) if body.prevention.is_some() => {
            vec![Role::AntiPattern, Role::KnownIssue, Role::SimilarError]
        }
        Body::AntiPattern(_) => vec![Role::AntiPattern, Role::KnownIssue],
        Body::Decision(decision) if decision.active => {
            match decision.affects.iter().any(|name| situation.is_here(name)) {
                true => vec![Role::Decision, Role::DecisionHere],
                false => vec![Role::Decision],
            }
        }
        Body::Contradiction(found) if found.status == Status::Open => vec![Role::Contradiction],
        Body::Episode(episode) => by_episode(episode, content.valid.from(), situation),
        Body::Pattern(pattern) if binds(&pattern.statement) => {
            vec![Role::Pattern, Role::Convention, Role::Rule]
        }
        Body::Pattern(_) => vec![Role::Pattern, Role::Convention],
        Body::Block(_) => vec![Role::Block],
        Body::Skill(_) => vec![Role::Skill, Role::Workflow],
        Body::Handoff(handoff) if !handoff.known_issues.is_empty() => {
            vec![Role::Handoff, Role::KnownIssue]
        }
        Body::Handoff(_) => vec![Role::Handoff],
        Body::Fact(fact) if fact.key.to_ascii_lowercase().starts_with("prefer") => {
            vec![Role::Fact, Role::Preference]
        }
        Body::Fact(_) => vec![Role::Fact],
        _ if matches!(content.kind(), Kind::Saga | Kind::Community | Kind::Ledger) => {
            vec![Role::History]
        }
        _ => Vec::new(),
    }
}

fn by_episode(episode: &Episode, at: Timestamp, situation: &Situation) -> Vec<Role> {
    let mut roles = vec![Role::History];
    let failed = !episode.errors.is_empty() || episode.outcome == Some(Outcome::Failure);
    if failed {
        roles.push(Role::SimilarError);
    }
    if failed && situation.is_recent(at) {
        roles.push(Role::RecentError);
    }
    let fixed = episode.errors.iter().any(|error| error.resolution.is_some());
    if fixed && episode.files.iter().any(|file| situation.is_here(file)) {
        roles.push(Role::FixHere);
    }
    roles
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::tests::sample::version;
    use serde_json::json;

    fn now() -> Timestamp {
        Timestamp::parse("2026-03-10T12:00:00Z").unwrap()
    }

    fn found(body: serde_json::Value) -> BTreeSet<Role> {
        let situation = Situation {
            files: vec!["crates/store/src/write.rs".into()],
            task: Some("T-7".into()),
            ..Situation::at(now())
        };
        roles(&version("x-1", body), &situation)
    }

    #[test]
    fn decisions_are_here_when_they_affect_what_is_at_hand() {
        for (affects, here) in [
            ("write.rs", true),
            ("./src/write.rs", true),
            ("crates/store", true),
            ("t-7", true),
            ("read.rs", false),
            ("rite.rs", false),
            ("", false),
        ] {
            let body = json!({"kind": "decision", "decision": "d", "affects": [affects]});
            assert_eq!(found(body).contains(&Role::DecisionHere), here, "{affects}");
        }
        let past = json!({"kind": "decision", "decision": "d", "active": false});
        assert!(!found(past).contains(&Role::Decision));
    }

    #[test]
    fn a_failure_with_its_remedy_is_what_a_similar_error_looks_for() {
        for (more, similar) in [(json!({}), false), (json!({"prevention": "run gofmt"}), true)] {
            let mut body = json!({"kind": "anti_pattern", "what_fails": "`lint` fails: gofmt"});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            assert_eq!(found(body).contains(&Role::SimilarError), similar);
        }
    }

    #[test]
    fn errors_are_recent_for_a_day() {
        for (at, recent) in [
            ("2026-03-10T11:00:00Z", true),
            ("2026-03-09T12:00:00Z", true),
            ("2026-03-09T11:59:59Z", false),
            ("2026-03-10T12:00:01Z", false),
        ] {
            let body = json!({"kind": "episode", "goal": "g", "valid_at": at,
                "files": ["src/write.rs"],
                "errors": [{"message": "locked", "resolution": "retry"}]});
            let found = found(body);
            assert_eq!(found.contains(&Role::RecentError), recent, "{at}");
            assert!(found.contains(&Role::FixHere) && found.contains(&Role::SimilarError));
        }
    }

    #[test]
    fn labels_and_tiers_speak() {
        let fact = |more: serde_json::Value| {
            let mut body = json!({"kind": "fact", "key": "k", "value": "v"});
            body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            found(body)
        };
        assert!(fact(json!({"tags": ["Gotcha"]})).contains(&Role::Gotcha));
        assert!(fact(json!({"tier": "mandate"})).contains(&Role::Gotcha));
        assert!(fact(json!({"tier": "guardrail"})).contains(&Role::AntiPattern));
        assert!(fact(json!({"category": "preference"})).contains(&Role::Preference));
        assert!(!fact(json!({})).contains(&Role::Gotcha));
        let by_agent = json!({"tags": ["gotcha"], "trust": "unreviewed"});
        assert!(!fact(by_agent).contains(&Role::Gotcha), "nobody vouches for it");
        assert!(fact(json!({})).contains(&Role::Best));
    }

    #[test]
    fn settled_contradictions_are_nothing_to_read() {
        let body = |status: &str, resolution: Option<&str>| {
            let mut body = json!({"kind": "contradiction", "a": "x", "b": "y",
                "detected_by": "rules", "status": status});
            if let Some(resolution) = resolution {
                body["resolution"] = resolution.into();
            }
            found(body)
        };
        assert!(body("open", None).contains(&Role::Contradiction));
        assert!(body("resolved", Some("merged")).is_empty());
    }
}
