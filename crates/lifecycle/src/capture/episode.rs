//! A session's turns become episodes, one a task, written while they stream by.

use super::clip::clipped;
use super::draft::Origin;
use super::injected::{CommandPart, command_given};
use super::task::{KEPT_GOAL, KEPT_TARGET, Task};
use super::turn::{Head, Seat, Turn};
use mnemic_model::Draft;

/// Takes turns in and hands episodes out.
#[derive(Debug)]
pub struct Episodes {
    origin: Origin,
    head: Head,
    task: Option<Task>,
    /// A slash command that is to be the goal of what follows.
    command: Option<String>,
    /// The task began with the turn that was seen last, and with nothing from before it.
    fresh: bool,
}

impl Episodes {
    pub fn new(origin: Origin) -> Episodes {
        Episodes { origin, head: Head::default(), task: None, command: None, fresh: false }
    }

    /// Another session begins, or this one's branch or folder changes.
    pub fn open(&mut self, head: &Head) -> Option<Draft> {
        let done = if head.id == self.head.id { None } else { self.finish() };
        self.head = head.clone();
        done
    }

    /// Whether the turn that was seen last began a task that depends on no turn before it: reading
    /// from there gives the same episodes again.
    pub fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Takes one turn in; when it begins a new task, the one before is handed out.
    pub fn see(&mut self, turn: &Turn) -> Option<Draft> {
        let mut done = None;
        self.fresh = false;
        if turn.seat == Seat::Injected {
            return self.command(turn);
        }
        if let Some(task) = &mut self.task {
            if task.is_over(turn) {
                task.hear(turn);
                done = self.finish();
            } else if task.is_full() {
                let goal = task.goal.clone();
                done = self.finish();
                let mut next = Task::begin(turn);
                next.goal = goal;
                self.task = Some(next);
            }
        }
        self.fresh = self.task.is_none() && self.command.is_none();
        let task = self.task.get_or_insert_with(|| Task::begin(turn));
        if task.goal.is_none() && !matches!(turn.seat, Seat::System) {
            task.goal = self.command.take();
        }
        self.command = None;
        task.add(turn);
        done
    }

    /// A slash command is a request like any other, but a tool writes down what it says.
    fn command(&mut self, turn: &Turn) -> Option<Draft> {
        match command_given(turn.text.trim())? {
            (CommandPart::Name, name) => {
                self.command = Some(clipped(name, KEPT_TARGET).to_owned());
                let worked = self.task.as_ref().is_some_and(Task::has_worked);
                if worked { self.finish() } else { None }
            }
            (CommandPart::Arguments, arguments) => {
                let command = self.command.as_mut()?;
                command.push(' ');
                command.push_str(clipped(arguments, KEPT_GOAL));
                None
            }
        }
    }

    /// Hands out what is left at the end.
    pub fn finish(&mut self) -> Option<Draft> {
        let task = self.task.take()?;
        task.into_draft(&self.origin, &self.head)
    }
}
