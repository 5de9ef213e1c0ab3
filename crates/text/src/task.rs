//! Which of five kinds of work a goal asks for: a documented table of signals, then finer hints.

mod hints;
mod phrases;
mod prose;
mod table;

pub use table::{ACTION_WEIGHT, KEYWORD_WEIGHT, PHASE_WEIGHT};

/// A goal of more words than this holds table keywords by chance, so they count less beside hints.
const LONG_GOAL: usize = 30;

/// The kind of work; what to remember depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TaskType {
    Exploration,
    Implementation,
    Debugging,
    Review,
    Refactoring,
}

impl TaskType {
    /// In the order of every `[_; 5]` of this module.
    pub const ALL: [Self; 5] =
        [Self::Exploration, Self::Implementation, Self::Debugging, Self::Review, Self::Refactoring];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exploration => "exploration",
            Self::Implementation => "implementation",
            Self::Debugging => "debugging",
            Self::Review => "review",
            Self::Refactoring => "refactoring",
        }
    }

    /// The type of that name, in any case.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|task| task.as_str().eq_ignore_ascii_case(name))
    }
}

/// What is known about the work.
#[derive(Debug, Clone, Copy, Default)]
pub struct Signals<'a> {
    /// What the person wrote.
    pub goal: &'a str,
    /// Tools used so far: `read_file`, `run_test`.
    pub actions: &'a [&'a str],
    pub phase: Option<&'a str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SignalKind {
    Keyword,
    Action,
    Phase,
    /// A form of speech that the table does not know.
    Hint,
}

/// One thing that spoke for a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Signal {
    pub task: TaskType,
    pub kind: SignalKind,
    /// The keyword, action or phase, or the name of the hint.
    pub what: String,
    pub weight: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DecidedBy {
    /// The documented table alone gives this answer.
    Table,
    /// Hints broke a tie or outweighed weak keywords.
    Hints,
    /// Nothing matched.
    Default,
}

/// The answer and its reasons.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Detected {
    pub task: TaskType,
    /// By the table, in the order of [`TaskType::ALL`].
    pub scores: [u32; 5],
    /// By the hints, in the same order.
    pub hints: [u32; 5],
    /// Everything that matched, the table first.
    pub signals: Vec<Signal>,
    pub decided_by: DecidedBy,
}

/// The kind of work that the signals speak for.
///
/// The table decides: a keyword counts 2, an action 3, a phase 4. Actions and phases are facts, so
/// beside them, and beside two agreeing keywords of a short goal, hints only break ties; a single
/// keyword, or the many of a long text, occur by chance, so hints are added to them.
pub fn detect(signals: Signals<'_>) -> Detected {
    let mut found = table::signals(&signals);
    let scores = sums(&found);
    let hinted = hints::signals(signals.goal);
    let hints = sums(&hinted);
    let has_facts = found.iter().any(|signal| signal.kind != SignalKind::Keyword);
    found.extend(hinted);

    let by_table = winner(scores);
    let task = match by_table {
        Some(task) if has_facts || is_clear(scores, signals.goal) => task,
        _ if has_facts => tie_breaker(scores, hints),
        _ => strongest(weighed(scores, hints, signals.goal)),
    };
    let decided_by = match by_table {
        _ if found.is_empty() => DecidedBy::Default,
        Some(table) if table == task => DecidedBy::Table,
        _ => DecidedBy::Hints,
    };
    Detected { task, scores, hints, signals: found, decided_by }
}

/// Two keywords of a short goal that agree are no chance.
fn is_clear(scores: [u32; 5], goal: &str) -> bool {
    let best = scores.into_iter().max().unwrap_or(0);
    best >= 2 * KEYWORD_WEIGHT && goal.split_whitespace().nth(LONG_GOAL).is_none()
}

fn sums(signals: &[Signal]) -> [u32; 5] {
    TaskType::ALL.map(|task| {
        signals.iter().filter(|signal| signal.task == task).map(|signal| signal.weight).sum()
    })
}

/// The only one with the highest score; none without a signal.
fn winner(scores: [u32; 5]) -> Option<TaskType> {
    let best = scores.into_iter().max().filter(|best| *best > 0)?;
    let mut best_ones = TaskType::ALL.into_iter().zip(scores).filter(|(_, score)| *score == best);
    let (task, _) = best_ones.next()?;
    best_ones.next().is_none().then_some(task)
}

/// Among those that lead the table, the one with the most hints.
fn tie_breaker(scores: [u32; 5], hints: [u32; 5]) -> TaskType {
    let best = scores.into_iter().max().unwrap_or(0);
    let mut leading = hints.map(|hint| hint + 1);
    for (lead, score) in leading.iter_mut().zip(scores) {
        if score < best {
            *lead = 0;
        }
    }
    strongest(leading)
}

/// Keywords and hints together; in tenths, because keywords of long goals count in part.
fn weighed(scores: [u32; 5], hints: [u32; 5], goal: &str) -> [u32; 5] {
    let words = goal.split_whitespace().count().max(1);
    let share = u32::try_from(10 * LONG_GOAL.min(words) / words).unwrap_or(10);
    let mut sums = hints.map(|hint| 10 * hint);
    for (sum, score) in sums.iter_mut().zip(scores) {
        *sum += share * score;
    }
    sums
}

/// Implementation without a signal; among equals the one that is less often said by the way.
fn strongest(scores: [u32; 5]) -> TaskType {
    let order = [
        TaskType::Review,
        TaskType::Refactoring,
        TaskType::Debugging,
        TaskType::Exploration,
        TaskType::Implementation,
    ];
    // `max_by_key` keeps the last of equals, so the order is from the weakest claim on.
    order
        .into_iter()
        .rev()
        .max_by_key(|task| (scores[*task as usize], scores[*task as usize] > 0))
        .filter(|task| scores[*task as usize] > 0)
        .unwrap_or(TaskType::Implementation)
}

#[cfg(test)]
mod tests;
