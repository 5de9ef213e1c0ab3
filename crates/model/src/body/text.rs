//! The full text of a record: what is hashed, indexed, shown and handed to an agent.

use super::*;
use std::fmt::Write;

impl Body {
    /// A few words that name the record: its key, label, title or goal.
    pub fn title(&self) -> &str {
        match self {
            Body::Episode(b) => &b.goal,
            Body::Fact(b) => &b.key,
            Body::Decision(b) => &b.decision,
            Body::Pattern(b) => &b.statement,
            Body::AntiPattern(b) => &b.what_fails,
            Body::Skill(b) => &b.name,
            Body::Resource(b) => &b.title,
            Body::Block(b) => &b.label,
            Body::Secret(b) => &b.name,
            Body::Ledger(b) => &b.agent_id,
            Body::Handoff(b) => &b.to_agent,
            Body::Verdict(b) => &b.subject,
            Body::Entity(b) => &b.name,
            Body::Community(b) => &b.name,
            Body::Saga(b) => &b.title,
            Body::Contradiction(b) => &b.detected_by,
            Body::Namespace(b) => b.name.as_str(),
        }
    }

    /// What it says about the world: the full text without the names of task, agent and phase,
    /// which would make every turn of a conversation alike.
    pub fn substance(&self) -> String {
        match self {
            Body::Episode(b) => {
                let mut text = Text::default();
                events(text.line(&b.goal), b);
                text.0
            }
            _ => self.full_text(),
        }
    }

    /// Everything it says, as plain text. Of a secret only what may be seen.
    pub fn full_text(&self) -> String {
        let mut text = Text::default();
        match self {
            Body::Episode(b) => episode(&mut text, b),
            Body::Fact(b) => fact(&mut text, b),
            Body::Decision(b) => decision(&mut text, b),
            Body::Pattern(b) => pattern(&mut text, b),
            Body::AntiPattern(b) => text
                .line(&b.what_fails)
                .part("Why", b.why.as_deref())
                .part("Instead", b.prevention.as_deref())
                .part("Learnt from", b.learnt_from.as_deref()),
            Body::Skill(b) => skill(&mut text, b),
            Body::Resource(b) => {
                text.line(&b.title).line(&b.text).part("Origin", b.origin.as_deref())
            }
            Body::Block(b) => text.line(&b.text),
            Body::Secret(b) => text.line(&b.name).part("About", b.description.as_deref()),
            Body::Ledger(b) => ledger(&mut text, b),
            Body::Handoff(b) => handoff(&mut text, b),
            Body::Verdict(b) => verdict(&mut text, b),
            Body::Entity(b) => text
                .line(&format!("{} {}", b.entity_kind, b.name))
                .list("Also called", &b.aliases)
                .part("About", b.description.as_deref()),
            Body::Community(b) => text.line(&b.name).part("About", b.description.as_deref()),
            Body::Saga(b) => text.line(&b.title).part("About", b.description.as_deref()),
            Body::Contradiction(b) => text
                .line(&format!("{} contradicts {} ({})", b.a, b.b, b.status))
                .part("Detected by", Some(&b.detected_by))
                .part("Resolution", b.resolution.map(Resolution::as_str))
                .part("Note", b.note.as_deref()),
            Body::Namespace(b) => {
                text.line(b.name.as_str()).part("About", b.description.as_deref())
            }
        };
        text.0
    }
}

/// Lines that leave out what is empty.
#[derive(Default)]
struct Text(String);

impl Text {
    fn line(&mut self, line: &str) -> &mut Text {
        if !line.is_empty() {
            if !self.0.is_empty() {
                self.0.push('\n');
            }
            self.0.push_str(line);
        }
        self
    }

    fn part(&mut self, name: &str, value: Option<&str>) -> &mut Text {
        match value {
            Some(value) if !value.is_empty() => self.line(&format!("{name}: {value}")),
            _ => self,
        }
    }

    fn list<T: AsRef<str>>(&mut self, name: &str, items: &[T]) -> &mut Text {
        let joined = items.iter().map(AsRef::as_ref).collect::<Vec<_>>().join("; ");
        self.part(name, Some(&joined))
    }
}

fn fact<'a>(text: &'a mut Text, b: &Fact) -> &'a mut Text {
    let within: Vec<String> = b.within.iter().map(|(k, v)| format!("{k} {v}")).collect();
    text.line(&format!("{} = {}", b.key, b.value)).list("Within", &within)
}

fn decision<'a>(text: &'a mut Text, b: &Decision) -> &'a mut Text {
    text.line(&b.decision)
        .part("Because", b.rationale.as_deref())
        .list("Rejected", &b.alternatives)
        .list("Affects", &b.affects)
        .part("Status", (!b.active).then_some("no longer active"))
}

fn pattern<'a>(text: &'a mut Text, b: &Pattern) -> &'a mut Text {
    text.line(&b.statement)
        .list("When", &b.conditions)
        .part("Do", b.correct_approach.as_deref())
        .part("Not", b.incorrect_approach.as_deref());
    if let Some(template) = &b.template {
        text.part("Hint", Some(&template.hint)).line(&template.code);
    }
    text
}

fn skill<'a>(text: &'a mut Text, b: &Skill) -> &'a mut Text {
    text.line(&b.name)
        .part("About", b.description.as_deref())
        .part("When", b.trigger.as_deref())
        .part("Hint", b.hint.as_deref())
        .list("Needs", &b.prerequisites);
    for (number, step) in b.steps.iter().enumerate() {
        let mut line = format!("{}. {}", number + 1, step.action);
        if let Some(detail) = &step.detail {
            let _ = write!(line, " — {detail}");
        }
        text.line(&line);
    }
    for remedy in &b.common_errors {
        text.line(&format!("If {}: {}", remedy.error, remedy.fix));
    }
    text.list("Done when", &b.exit_criteria)
}

fn episode<'a>(text: &'a mut Text, b: &Episode) -> &'a mut Text {
    text.line(&b.goal)
        .part("Task", b.task_id.as_deref())
        .part("Agent", b.agent.as_deref())
        .part("Phase", b.phase.as_deref());
    events(text, b)
}

/// All of an episode but what it is called.
fn events<'a>(text: &'a mut Text, b: &Episode) -> &'a mut Text {
    text.list("Constraints", &b.constraints).list("Files", &b.files);
    for action in &b.actions {
        let mut line = format!("[{:.0}s] {}", action.t, action.action);
        for (mark, part) in [(" ", &action.target), (" → ", &action.result), (" ✗ ", &action.error)]
        {
            if let Some(part) = part {
                let _ = write!(line, "{mark}{part}");
            }
        }
        text.line(&line);
    }
    for message in &b.messages {
        text.line(&format!("{}: {}", message.role, message.text));
    }
    for error in &b.errors {
        let kind = if error.error_type.is_empty() { "error" } else { &error.error_type };
        text.line(&format!("{kind}: {}", error.message))
            .part("Resolved by", error.resolution.as_deref());
    }
    text.part("Outcome", b.outcome.map(Outcome::as_str))
        .list("Artifacts", &b.artifacts)
        .part("Commit", b.git_commit.as_deref())
        .part("Branch", b.git_branch.as_deref())
}

fn ledger<'a>(text: &'a mut Text, b: &Ledger) -> &'a mut Text {
    text.line(&format!("Checkpoint of {}", b.agent_id))
        .part("Goal", b.context.current_goal.as_deref())
        .part("Working on", b.current_task.as_deref())
        .part("Tasks completed", Some(&b.tasks_completed.to_string()))
        .list("Files modified", &b.state.files_modified)
        .part("Uncommitted changes", b.state.uncommitted_changes.then_some("yes"))
        .part("Commit", b.state.last_git_commit.as_deref())
        .list("Uses", &b.context.tech_stack)
        .list("Learnt", &b.context.patterns_learned)
}

fn handoff<'a>(text: &'a mut Text, b: &Handoff) -> &'a mut Text {
    text.line(&format!("From {} to {}", b.from_agent, b.to_agent))
        .part("Reason", b.reason.as_deref())
        .part("Done", b.what_was_done.as_deref())
        .part("Status", b.task_status.as_deref())
        .part("Iteration", b.iteration.map(|n| n.to_string()).as_deref())
        .list("Artifacts", &b.artifacts)
        .list("Files modified", &b.files_modified)
        .part("Git", b.git_state.as_deref())
        .list("Commits", &b.recent_commits)
        .list("Needs testing", &b.needs_testing)
        .list("Known issues", &b.known_issues)
        .list("Blocked by", &b.blockers)
        .list("Open questions", &b.open_questions)
        .list("Decisions", &b.key_decisions)
        .list("Patterns", &b.relevant_patterns)
}

fn verdict<'a>(text: &'a mut Text, b: &Verdict) -> &'a mut Text {
    text.line(&format!("{}: {}", b.subject, b.outcome))
        .part("Reviewer", b.reviewer.as_deref())
        .part("Because", b.rationale.as_deref())
        .list("Findings", &b.findings);
    if let (Some(yes), Some(no)) = (b.votes_for, b.votes_against) {
        text.line(&format!("Votes: {yes} for, {no} against"));
    }
    text
}
