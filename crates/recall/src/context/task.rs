//! What to know before a task runs: its type, patterns that help, what to avoid, skills that apply.

use super::assemble::{Ask, assemble};
use super::assembled::Assembled;
use super::counts::Counts;
use super::offer::Offer;
use super::profile::Profiles;
use mnemic_model::Invalid;
use mnemic_text::task::TaskType;

/// A task that is about to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Task<'a> {
    pub goal: &'a str,
    /// As detected, or as the caller knows.
    pub task_type: TaskType,
}

/// The structured pack before a task. Of a debugging task what to avoid comes first and is
/// critical, which is what the profile `task-debugging` says.
pub fn before_task(
    task: Task<'_>,
    profiles: &Profiles,
    offers: &[Offer],
    ask: &Ask,
    counts: &dyn Counts,
) -> Result<Assembled, Invalid> {
    let profile = profiles.choose("task", Some(task.task_type))?;
    let mut ask = ask.clone();
    ask.frame.head.extend([
        ("Task type".to_owned(), task.task_type.as_str().to_owned()),
        ("Goal".to_owned(), task.goal.to_owned()),
    ]);
    Ok(assemble(profile, offers, &ask, counts))
}
