//! Goes through turns once and hands out what they teach, each with the exact lines it came from.

use super::answers::answered;
use super::decisions::{Choice, choice};
use super::errors::message;
use super::facts::ReadClaims;
use super::fixes::{Fix, Fixes, failing_part, summary};
use super::habits::Habits;
use super::prose::{Words, typed_sentences, written_sentences};
use super::runs::Runs;
use super::statements::{Statement, StatementKind, description, statement};
use super::told::Told;
use super::warnings::{Warning, warning};
use crate::capture::{
    Fingerprint, Head, Origin, Place, Seat, Turn, Voice, clipped, idempotency_key, is_echo,
};
use mnemic_model::body::{AntiPattern, Decision, Fact, Pattern};
use mnemic_model::{Body, Digest, Draft};
use mnemic_text::normalise::loosened;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Injected and spoken lines that are remembered to hear their echoes.
const MOST_HEARD: usize = 400;

/// Finds what is worth knowing in one session after the other.
#[derive(Debug)]
pub struct Miner {
    origin: Origin,
    head: Head,
    read_claims: ReadClaims,
    runs: Runs,
    fixes: Fixes,
    habits: Habits,
    /// Lines that were injected, or said by the agent: who repeats them states nothing new.
    heard: VecDeque<Fingerprint>,
    /// What was found already.
    found: BTreeSet<Digest>,
}

impl Miner {
    pub fn new(origin: Origin, read_claims: ReadClaims) -> Miner {
        Miner {
            habits: Habits::new(origin.clone()),
            origin,
            head: Head::default(),
            read_claims,
            runs: Runs::default(),
            fixes: Fixes::default(),
            heard: VecDeque::new(),
            found: BTreeSet::new(),
        }
    }

    /// Another session begins, or something of this one changes.
    pub fn open(&mut self, head: &Head) {
        if head.id != self.head.id {
            self.runs = Runs::default();
            self.fixes = Fixes::default();
            self.heard.clear();
            self.habits.open(head);
        }
        self.head = head.clone();
    }

    /// What this turn teaches.
    pub fn see(&mut self, turn: &Turn) -> Vec<Draft> {
        let mut drafts = match &turn.seat {
            Seat::Person => self.person(turn),
            Seat::Agent => self.agent(turn),
            Seat::Injected => {
                self.hear(&turn.text);
                Vec::new()
            }
            _ => self.answers(turn),
        };
        if let Some(event) = self.runs.see(turn) {
            self.habits.see(&event);
            let fixes = self.fixes.see(&event);
            drafts.extend(fixes.iter().map(|fix| self.fix(fix)));
        }
        drafts.retain(|draft| self.is_new(draft));
        drafts
    }

    /// What only many sessions together teach.
    pub fn habits(&self) -> Vec<Draft> {
        self.habits.drafts()
    }

    fn hear(&mut self, text: &str) {
        for line in text.lines().filter(|line| line.len() > 12) {
            if self.heard.len() == MOST_HEARD {
                self.heard.pop_front();
            }
            self.heard.push_back(Fingerprint::of(clipped(line, 1000)));
        }
    }

    fn person(&mut self, turn: &Turn) -> Vec<Draft> {
        let mut drafts = Vec::new();
        let sentences = typed_sentences(&turn.text);
        for (at, sentence) in sentences.iter().enumerate() {
            let found = self.of_person(&sentences, at, turn);
            if !found.is_empty() && !self.repeats(sentence) {
                drafts.extend(found);
            }
        }
        drafts
    }

    fn of_person(&self, sentences: &[&str], at: usize, turn: &Turn) -> Vec<Draft> {
        let (sentence, next) = (sentences[at], sentences.get(at + 1).copied());
        if next.is_some_and(|next| Words::of(next).retracts()) {
            return Vec::new();
        }
        let told = Told::of(sentence);
        let said = told.map_or(sentence, |told| told.text);
        let claims = (self.read_claims)(said).into_iter().map(|claim| {
            let fact = Fact { key: claim.key, value: claim.value, within: BTreeMap::new() };
            self.draft(Body::Fact(fact), Voice::Person, turn, claim.confidence)
        });
        let mut drafts: Vec<Draft> = claims.collect();
        let others = [&sentences[..at], &sentences[at + 1..]].concat();
        let stated = told
            .and_then(|told| told.statement(&others))
            .or_else(|| statement(sentence))
            // What fills a slot needs no sentence beside it.
            .filter(|stated| stated.kind != StatementKind::Circumstance || drafts.is_empty());
        let draft = match (stated, choice(sentence, true)) {
            // A choice with its reason says more than the same words as a rule, and any choice
            // more than a description.
            (Some(stated), None) => Some(self.stated(stated, Voice::Person, turn)),
            (Some(stated), Some(chosen))
                if chosen.reason.is_none() && stated.kind != StatementKind::Circumstance =>
            {
                Some(self.stated(stated, Voice::Person, turn))
            }
            (_, Some(chosen)) => Some(self.chosen(chosen, Voice::Person, turn)),
            (None, None) => {
                warning(sentence, next, true).map(|warned| self.warned(warned, Voice::Person, turn))
            }
        };
        drafts.extend(draft);
        drafts
    }

    fn chosen(&self, chosen: Choice, voice: Voice, turn: &Turn) -> Draft {
        let affects = if voice == Voice::Agent { turn.files.clone() } else { Vec::new() };
        let decision = Decision {
            decision: chosen.text,
            rationale: chosen.reason,
            alternatives: chosen.alternative.into_iter().collect(),
            affects,
            active: true,
        };
        self.draft(Body::Decision(decision), voice, turn, chosen.confidence)
    }

    fn warned(&self, warned: Warning, voice: Voice, turn: &Turn) -> Draft {
        let anti = AntiPattern {
            what_fails: warned.what_fails,
            why: None,
            prevention: warned.prevention,
            learnt_from: None,
        };
        let mut draft = self.draft(Body::AntiPattern(anti), voice, turn, warned.confidence);
        draft.about.category = Some(AntiPattern::TOLD.to_owned());
        draft
    }

    fn stated(&self, stated: Statement, voice: Voice, turn: &Turn) -> Draft {
        let pattern = Pattern {
            statement: stated.text,
            correct_approach: stated.wanted,
            incorrect_approach: stated.unwanted,
            ..Pattern::default()
        };
        let mut draft = self.draft(Body::Pattern(pattern), voice, turn, stated.confidence);
        draft.about.category = Some(stated.kind.as_str().to_owned());
        draft
    }

    fn agent(&mut self, turn: &Turn) -> Vec<Draft> {
        let mut drafts = Vec::new();
        let sentences = written_sentences(&turn.text);
        for (at, sentence) in sentences.iter().enumerate() {
            let next = sentences.get(at + 1).copied();
            let draft = choice(sentence, false)
                .map(|chosen| self.chosen(chosen, Voice::Agent, turn))
                .or_else(|| {
                    let warned = warning(sentence, next, false)?;
                    Some(self.warned(warned, Voice::Agent, turn))
                })
                .or_else(|| {
                    let stated = description(sentence)?;
                    Some(self.stated(stated, Voice::Agent, turn))
                });
            if draft.is_some() && !self.repeats(sentence) {
                drafts.extend(draft);
            }
        }
        self.hear(&turn.text);
        drafts
    }

    fn answers(&self, turn: &Turn) -> Vec<Draft> {
        let decide = |found: super::answers::Answered| {
            let decision = Decision {
                decision: format!("{} {}", found.question.trim(), found.answer.trim()),
                rationale: None,
                alternatives: found.others,
                affects: Vec::new(),
                active: true,
            };
            let mut draft = self.draft(Body::Decision(decision), Voice::Person, turn, 0.9);
            draft.about.category = Some("answer".to_owned());
            draft
        };
        answered(turn).into_iter().map(decide).collect()
    }

    fn fix(&self, fix: &Fix) -> Draft {
        let check = failing_part(&fix.failed, &fix.error);
        let came_of_it = match fix.fails_otherwise {
            true => "this error was gone",
            false => "the command succeeded",
        };
        let anti = AntiPattern {
            what_fails: format!("`{}` fails: {}", clipped(&check, 160), message(&fix.error)),
            why: None,
            prevention: Some(format!("{}; then {came_of_it}", summary(fix))),
            learnt_from: None,
        };
        let source = Place::between(&self.origin.file, fix.failed.places.0, fix.ended);
        let mut about = self.origin.about(&self.head, Voice::Agent, source, 0.7);
        about.valid_at = fix.failed.at;
        about.category = Some("fix".to_owned());
        let key = idempotency_key("fix", &[&self.head.id, &fix.failed.key, &fix.error]);
        about.idempotency_key = Some(key);
        Draft { body: Body::AntiPattern(anti), about }
    }

    fn draft(&self, body: Body, voice: Voice, turn: &Turn, confidence: f64) -> Draft {
        let source = Place::between(&self.origin.file, turn.place, turn.place);
        let mut about = self.origin.about(&self.head, voice, source, confidence);
        about.valid_at = turn.at;
        let said = body_text(&body);
        let key = idempotency_key(body.kind().as_str(), &[&self.head.id, &turn.key, &said]);
        about.idempotency_key = Some(key);
        Draft { body, about }
    }

    /// Pasted from the agent, or recalled from memory.
    fn repeats(&mut self, sentence: &str) -> bool {
        is_echo(sentence, self.heard.make_contiguous())
    }

    fn is_new(&mut self, draft: &Draft) -> bool {
        let text = loosened(&body_text(&draft.body));
        let kind = draft.body.kind().as_str();
        self.found.insert(Digest::of("found", [kind.as_bytes(), text.as_bytes()]))
    }
}

/// The words that make a finding the same finding.
fn body_text(body: &Body) -> String {
    match body {
        Body::Fact(fact) => format!("{} {}", fact.key, fact.value),
        Body::Decision(decision) => decision.decision.clone(),
        Body::Pattern(pattern) => pattern.statement.clone(),
        Body::AntiPattern(anti) => anti.what_fails.clone(),
        other => serde_json::Value::Object(other.to_fields()).to_string(),
    }
}
