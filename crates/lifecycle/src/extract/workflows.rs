//! Rounds of commands that recur in the same order become skills.

use super::habits::Seen;
use crate::capture::{Head, Origin, Voice, idempotency_key};
use crate::command::{Purpose, purpose_of_part};
use mnemic_model::body::{Skill, Step};
use mnemic_model::{Body, Draft};
use std::collections::{BTreeMap, BTreeSet};

const MOST_ROUNDS: usize = 20_000;
const SHORTEST: usize = 2;
const LONGEST: usize = 6;
/// How often a round must have been made, and in how many sessions.
const FEWEST_TIMES: usize = 3;
const FEWEST_SESSIONS: usize = 2;

/// Counts rounds: what is run one after the other, with success, without anybody editing or speaking.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    known: BTreeMap<Vec<String>, Round>,
    /// How often each command was the one that a step stood for.
    forms: BTreeMap<String, BTreeMap<String, usize>>,
    now: Vec<String>,
    after_edit: bool,
}

#[derive(Debug, Default)]
struct Round {
    times: usize,
    after_edit: usize,
    sessions: BTreeSet<String>,
    last: Option<Seen>,
}

impl Round {
    fn recurs(&self) -> bool {
        self.times >= FEWEST_TIMES && self.sessions.len() >= FEWEST_SESSIONS
    }
}

/// Half of the steps of both together are steps of both, or all of one are in the other.
fn is_alike(steps: &[String], other: &[String]) -> bool {
    let both = steps.iter().filter(|step| other.contains(step)).count();
    let all = steps.len() + other.len() - both;
    both == steps.len() || both * 2 >= all
}

/// Whether the steps stand in the other round one behind the other.
fn is_run_of(steps: &[String], other: &[String]) -> bool {
    other.windows(steps.len()).any(|window| window == steps)
}

impl Rounds {
    pub(super) fn pause(&mut self) {
        self.now.clear();
        self.after_edit = false;
    }

    pub(super) fn edited(&mut self) {
        self.now.clear();
        self.after_edit = true;
    }

    pub(super) fn step(&mut self, part: &str, session: &str, seen: &Seen) {
        let Some(verb) = verb(part) else { return };
        let room = self.forms.len() < MOST_ROUNDS;
        if room || self.forms.contains_key(&verb) {
            *self.forms.entry(verb.clone()).or_default().entry(part.to_owned()).or_default() += 1;
        }
        if self.now.contains(&verb) {
            return;
        }
        self.now.push(verb);
        // Every round that ends with this step.
        for length in SHORTEST..=LONGEST.min(self.now.len()) {
            let steps = &self.now[self.now.len() - length..];
            let known = self.known.len() < MOST_ROUNDS || self.known.contains_key(steps);
            if known {
                let round = self.known.entry(steps.to_vec()).or_default();
                round.times += 1;
                round.after_edit += usize::from(self.after_edit);
                round.sessions.insert(session.to_owned());
                round.last = Some(seen.clone());
            }
        }
    }

    /// The rounds that recur, the most telling first; what is only a part or another order of one
    /// that was taken is left out.
    pub(super) fn drafts(&self, origin: &Origin, head: &Head) -> Vec<Draft> {
        let mut recurring: Vec<(&Vec<String>, &Round)> =
            self.known.iter().filter(|(_, round)| round.recurs()).collect();
        // A long round says more than its parts, though it is made less often.
        let weight = |steps: &[String], round: &Round| {
            round.sessions.len() * (steps.len() - 1) * (steps.len() - 1)
        };
        recurring.sort_by_key(|(steps, round)| std::cmp::Reverse(weight(steps, round)));
        let mut taken: Vec<&Vec<String>> = Vec::new();
        for (steps, _) in &recurring {
            if !taken.iter().any(|other| is_alike(steps, other)) {
                taken.push(steps);
            }
        }
        // A longer round taken later may hold an earlier one whole.
        let lone = |steps: &&Vec<String>| {
            !taken.iter().any(|other| other.len() > steps.len() && is_run_of(steps, other))
        };
        let kept = taken.iter().filter(|steps| lone(steps));
        kept.filter_map(|steps| self.skill(steps, self.known.get(*steps)?, origin, head)).collect()
    }

    fn skill(
        &self,
        steps: &[String],
        round: &Round,
        origin: &Origin,
        head: &Head,
    ) -> Option<Draft> {
        let seen = round.last.as_ref()?;
        let usual = |verb: &String| {
            let forms = self.forms.get(verb)?;
            let (form, times) = forms.iter().max_by_key(|(_, times)| **times)?;
            // No usual form: what it is done to differs from time to time.
            let usual = times * 3 >= forms.values().sum::<usize>();
            Some(if usual { form.clone() } else { verb.clone() })
        };
        let commands: Vec<String> = steps.iter().filter_map(usual).collect();
        let often_after_edit = round.after_edit * 2 > round.times;
        let skill = Skill {
            name: steps.join(", then "),
            description: Some(format!(
                "Run in this order {} times in {} sessions.",
                round.times,
                round.sessions.len()
            )),
            trigger: often_after_edit.then(|| "after changing code".to_owned()),
            exit_criteria: commands
                .last()
                .map(|last| format!("`{last}` succeeds"))
                .into_iter()
                .collect(),
            steps: commands.into_iter().map(|action| Step { action, detail: None }).collect(),
            ..Skill::default()
        };
        let confidence = 1.0 - 1.0 / (round.sessions.len() as f64 + 1.0);
        let mut about = origin.about(head, Voice::Agent, seen.source.clone(), confidence.min(0.9));
        about.valid_at = seen.at;
        about.category = Some("workflow".to_owned());
        about.idempotency_key = Some(idempotency_key("workflow", &[&skill.name]));
        Some(Draft { body: Body::Skill(skill), about })
    }
}

/// What a step is, whatever it is done to: `go test`, `git commit`. Looking around is no step.
fn verb(part: &str) -> Option<String> {
    #[rustfmt::skip]
    const DEEDS: &[&str] = &[
        "git add", "git commit", "git push", "git tag", "git merge", "git rebase", "gh pr create",
        "gh pr merge", "gh release create", "docker push", "kubectl apply", "terraform apply",
        "npm publish", "cargo publish",
    ];
    let deed = DEEDS.iter().find(|deed| super::prose::starts_with_words(part, deed));
    if let Some(deed) = deed {
        return Some((*deed).to_owned());
    }
    if matches!(purpose_of_part(part), Purpose::Other) {
        return None;
    }
    let is_argument =
        |word: &&str| word.starts_with('-') || word.contains(['/', '.', '=', '"', '\'']);
    let words: Vec<&str> = part.split(' ').take_while(|word| !is_argument(word)).take(3).collect();
    let first = part.split(' ').next().unwrap_or_default().to_owned();
    Some(if words.is_empty() { first } else { words.join(" ") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_named_by_what_they_do() {
        for (part, expected) in [
            ("go test -run X ./...", Some("go test")),
            ("golangci-lint run", Some("golangci-lint run")),
            ("gofmt -w a.go", Some("gofmt")),
            ("git commit -m \"x\"", Some("git commit")),
            ("git status", None),
            ("ls", None),
        ] {
            assert_eq!(verb(part).as_deref(), expected, "{part}");
        }
    }
}
