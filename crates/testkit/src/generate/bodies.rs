//! Bodies with every field of theirs, sometimes.

use super::dice::Dice;
use mnemic_model::body::*;

pub(super) fn episode(dice: &mut Dice, goal: String) -> Body {
    let seconds = |dice: &mut Dice| dice.unit().get() * 100_000.0;
    Body::Episode(Episode {
        goal,
        task_id: dice.maybe_text(),
        agent: dice.maybe_text(),
        phase: dice.maybe_text(),
        constraints: dice.texts(),
        files: dice.texts(),
        duration_seconds: dice.once_in(2).then(|| seconds(dice)),
        actions: (0..dice.below(4))
            .map(|_| Action {
                t: seconds(dice),
                action: dice.text(),
                target: dice.maybe_text(),
                result: dice.maybe_text(),
                error: dice.maybe_text(),
            })
            .collect(),
        messages: (0..dice.below(4))
            .map(|_| Message {
                role: dice.pick(&["user", "assistant", "tool"]).to_string(),
                text: dice.text(),
                at: dice.once_in(2).then(|| dice.time()),
            })
            .collect(),
        outcome: dice.once_in(2).then(|| *dice.pick(Outcome::ALL)),
        errors: (0..dice.below(3))
            .map(|_| Failure {
                error_type: dice.pick(&["", "E0382", "panic"]).to_string(),
                message: dice.text(),
                resolution: dice.maybe_text(),
            })
            .collect(),
        artifacts: dice.texts(),
        git_commit: dice.once_in(2).then(|| format!("{:016x}", dice.bits())),
        git_branch: dice.maybe_text(),
        tokens_used: dice.once_in(2).then(|| dice.bits()),
    })
}

pub(super) fn pattern(dice: &mut Dice, statement: String) -> Body {
    Body::Pattern(Pattern {
        statement,
        conditions: dice.texts(),
        correct_approach: dice.maybe_text(),
        incorrect_approach: dice.maybe_text(),
        source_episodes: dice.names(),
        template: dice.once_in(3).then(|| Template {
            language: "rust".to_owned(),
            code: format!("fn ${{name}}() {{\n    {}\n}}\n", dice.text()),
            placeholders: dice.texts(),
            hint: dice.words(5),
        }),
    })
}

pub(super) fn skill(dice: &mut Dice, name: String) -> Body {
    Body::Skill(Skill {
        name,
        description: dice.maybe_text(),
        trigger: dice.maybe_text(),
        prerequisites: dice.texts(),
        steps: (0..dice.below(5))
            .map(|at| Step { action: format!("{at} {}", dice.text()), detail: dice.maybe_text() })
            .collect(),
        common_errors: (0..dice.below(3))
            .map(|_| Remedy { error: dice.text(), fix: dice.text() })
            .collect(),
        exit_criteria: dice.texts(),
        hint: dice.maybe_text(),
    })
}

pub(super) fn block(dice: &mut Dice, index: usize) -> Body {
    let text = dice.text();
    let length = text.chars().count();
    let limit = *dice.pick(&[length.max(1), length + 1, length * 2 + 5, Block::MAX_LIMIT]);
    Body::Block(Block { label: format!("block {index}"), text, limit })
}

pub(super) fn ledger(dice: &mut Dice) -> Body {
    Body::Ledger(Ledger {
        agent_id: format!("agent {}", dice.below(9)),
        last_checkpoint: dice.once_in(2).then(|| dice.time()),
        tasks_completed: dice.bits(),
        current_task: dice.maybe_text(),
        state: LedgerState {
            files_modified: dice.texts(),
            uncommitted_changes: dice.once_in(2),
            last_git_commit: dice.maybe_text(),
        },
        context: LedgerContext {
            tech_stack: dice.texts(),
            patterns_learned: dice.texts(),
            current_goal: dice.maybe_text(),
        },
    })
}

pub(super) fn handoff(dice: &mut Dice, to_agent: String) -> Body {
    Body::Handoff(Handoff {
        from_agent: dice.words(2) + " agent",
        to_agent,
        what_was_done: dice.maybe_text(),
        artifacts: dice.texts(),
        git_state: dice.maybe_text(),
        needs_testing: dice.texts(),
        known_issues: dice.texts(),
        relevant_patterns: dice.texts(),
        reason: dice.maybe_text(),
        iteration: dice.once_in(2).then(|| dice.bits()),
        files_modified: dice.texts(),
        recent_commits: dice.texts(),
        task_status: dice.maybe_text(),
        open_questions: dice.texts(),
        key_decisions: dice.texts(),
        blockers: dice.texts(),
    })
}

pub(super) fn contradiction(dice: &mut Dice, note: String) -> Body {
    let resolution = dice.once_in(2).then(|| *dice.pick(Resolution::ALL));
    Body::Contradiction(Contradiction {
        a: dice.name(),
        b: dice.name(),
        detected_by: dice.words(3),
        status: if resolution.is_some() { Status::Resolved } else { Status::Open },
        resolution,
        note: Some(note),
    })
}
