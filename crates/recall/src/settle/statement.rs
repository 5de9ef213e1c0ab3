//! One statement against another: whether the later one holds in the place of the earlier.

use super::Asked;
use super::attribute::is_same;
use super::change::{returns, surely_returns, telling, tells_of_change, words};
use super::values::{Value, values};
use mnemic_model::body::Decision;
use mnemic_model::{Body, Kind, Trust, Version};
use mnemic_text::contradict::{Reading, Rule, Verdict, judge_readings};
use mnemic_text::stems::{recall_terms, stem};
use std::cell::OnceCell;
use std::collections::HashSet;

/// Two statements of one subject are at least so near in meaning and share so many words, one of
/// them a word of the question.
const SAME_MEANING: f32 = 0.70;
const SAME_WORDS: usize = 2;

/// Where both name a value of one family (`app-1.2`, `app-1.3`), share two words of the question, or
/// the later goes back on something, less will do.
const SAME_FAMILY: f32 = 0.66;

/// Nearer ones say the same again, and nothing has changed.
const SAID_AGAIN: f32 = 0.97;

/// What itself told of a change gives way only to what is nearer still, or says that it goes back.
const CHANGED_AGAIN: f32 = 0.78;

/// Who names what is left behind need not be near in anything else.
const SAME_LIFE: f32 = 0.60;

/// Words of a text that says plainly what was left, or what is.
const PLAIN: usize = 40;

/// One statement as the rules see it.
pub(super) struct Statement<'a> {
    pub(super) version: &'a Version,
    vector: Option<&'a [f32]>,
    pub(super) tells_of_change: bool,
    /// Read once two statements are near enough to be compared by their words; few are.
    said: OnceCell<Said>,
    /// The same for the rules that tell contradictions.
    reading: OnceCell<Option<Reading>>,
    ends: OnceCell<HashSet<String>>,
}

/// What a statement says.
pub(super) struct Said {
    pub(super) text: String,
    /// Words that say what it is about: neither numbers nor words of change.
    pub(super) terms: HashSet<String>,
    /// The first of them, which is what it speaks of more often than not.
    head: Option<String>,
    pub(super) families: HashSet<String>,
    pub(super) values: Vec<Value>,
    returns: bool,
    goes_back: bool,
}

impl Said {
    pub(super) fn by(text: &str) -> Said {
        let low = text.to_lowercase();
        let words = words(&low);
        let telling: HashSet<_> = telling(&words).into_iter().map(stem).collect();
        let about = |term: &String| {
            !term.chars().any(|c| c.is_ascii_digit()) && !telling.contains(term.as_str())
        };
        let terms = recall_terms(text).into_iter().map(|(term, _)| term);
        let terms: Vec<String> = terms.filter(about).collect();
        Said {
            head: terms.first().cloned(),
            terms: terms.into_iter().collect(),
            families: families(text),
            values: values(text),
            text: text.to_owned(),
            returns: returns(&words),
            goes_back: surely_returns(&words),
        }
    }
}

impl<'a> Statement<'a> {
    pub(super) fn of(version: &'a Version) -> Statement<'a> {
        let text = version.content.body.full_text();
        // What tells many things replaces none: there is no need to read all of it.
        let tells_of_change = is_plain(&text) && tells_of_change(&text);
        let (said, reading, ends) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        Statement { version, vector: None, tells_of_change, said, reading, ends }
    }

    /// The same with what it means.
    pub(super) fn meaning(self, vector: Option<&'a [f32]>) -> Statement<'a> {
        Statement { vector, ..self }
    }

    /// How surely this later statement holds instead of an earlier one, where it does.
    pub(super) fn succeeds(&self, earlier: &Statement<'_>, asked: &Asked) -> Option<f32> {
        if !self.may_replace() || self.serves_another_end(earlier) {
            return None;
        }
        match (self.is_episode(), earlier.is_episode()) {
            (true, true) => self.leaves(earlier, asked),
            (false, false) if self.overrules(earlier) => Some(1.0),
            (false, false) => self.replaces(earlier, asked).or_else(|| self.leaves(earlier, asked)),
            // What happened and what is held to be so are told in different words.
            _ => None,
        }
    }

    /// Whether both say what a thing is for, and not for the same: `use Pulumi instead of Terraform for
    /// the cluster` leaves Terraform for DNS where it is.
    pub(super) fn serves_another_end(&self, earlier: &Statement<'_>) -> bool {
        are_of_different_ends(self.ends(), earlier.ends())
    }

    /// What it says a thing is for, where it says one thing.
    fn ends(&self) -> &HashSet<String> {
        self.ends.get_or_init(|| match &self.version.content.body {
            Body::Decision(decision) => ends(&decision.decision),
            body => Some(body.full_text())
                .filter(|it| is_plain(it))
                .map(|it| ends(&it))
                .unwrap_or_default(),
        })
    }

    fn is_episode(&self) -> bool {
        self.version.content.kind() == Kind::Episode
    }

    /// Whether it may take the place of another.
    pub(super) fn may_replace(&self) -> bool {
        self.tells_of_change || rejects_anything(self.version)
    }

    fn said(&self) -> &Said {
        self.said.get_or_init(|| Said::by(&self.version.content.body.full_text()))
    }

    /// Words that both are about.
    fn shared<'s>(&'s self, other: &'s Statement<'_>) -> Vec<&'s String> {
        self.said().terms.intersection(&other.said().terms).collect()
    }

    /// How surely this later statement takes the place of an earlier one, where it does.
    fn replaces(&self, earlier: &Statement<'_>, asked: &Asked) -> Option<f32> {
        if !(self.tells_of_change && self.is_heard_by(earlier)) {
            return None;
        }
        if !(self.is_plain() && earlier.is_plain()) {
            return None;
        }
        let near = self.nearness(earlier);
        if !(SAME_FAMILY..=SAID_AGAIN).contains(&near) {
            return None;
        }
        let shared = self.shared(earlier);
        let (said, before) = (self.said(), earlier.said());
        let asked_for = shared.iter().filter(|term| asked.terms.contains(**term)).count();
        let enough = shared.len() >= SAME_WORDS || self.speaks_of_the_same(earlier);
        // Who goes back on something leaves no doubt that there was something.
        let least = if said.goes_back { SAME_FAMILY } else { SAME_MEANING };
        let same = near >= least && enough && asked_for > 0;
        let kin = !said.families.is_disjoint(&before.families) || asked_for >= SAME_WORDS;
        let settled = earlier.tells_of_change && !said.returns && near < CHANGED_AGAIN;
        let holds = (same || kin) && !settled && is_same(said, before, &asked.terms, near);
        holds.then_some(near + 0.03 * shared.len() as f32)
    }

    /// How surely this later statement says that what an earlier one told is over, by the rules that
    /// tell contradictions.
    fn leaves(&self, earlier: &Statement<'_>, asked: &Asked) -> Option<f32> {
        if !(self.tells_of_change && self.is_heard_by(earlier)) {
            return None;
        }
        let near = self.nearness(earlier);
        if !(SAME_LIFE..=SAID_AGAIN).contains(&near) {
            return None;
        }
        let judgement = judge_readings(self.reading()?, earlier.reading()?);
        let Verdict::Contradicts(conflict) = judgement.verdict else { return None };
        // What was asked for by its name is no answer that could be over.
        let left = terms_of(&conflict.second);
        let is_over =
            conflict.rule == Rule::Changed && (asked.is_whether || !left.is_subset(&asked.terms));
        is_over.then_some(near)
    }

    /// Notes of a meeting tell many things: neither is all of them over, nor does a word of change in
    /// one of them speak of the others.
    fn is_plain(&self) -> bool {
        is_plain(&self.version.content.body.full_text())
    }

    /// `None` for what tells many things.
    fn reading(&self) -> Option<&Reading> {
        let read = || Reading::of(&self.version.content.body.full_text());
        self.reading.get_or_init(|| self.is_plain().then(read)).as_ref()
    }

    /// Whether this decision rejects what an earlier one chose for the same purpose.
    pub(super) fn overrules(&self, earlier: &Statement<'_>) -> bool {
        let (Body::Decision(later), Body::Decision(old)) =
            (&self.version.content.body, &earlier.version.content.body)
        else {
            return false;
        };
        if later.alternatives.is_empty() || !self.is_heard_by(earlier) {
            return false;
        }
        let (chosen, before) = (terms_of(&later.decision), terms_of(&old.decision));
        let rejects = |by: &Decision, chosen: &HashSet<String>| -> HashSet<String> {
            let rejected = by.alternatives.iter().map(|text| terms_of(text));
            rejected
                .filter(|terms| !terms.is_empty() && terms.is_subset(chosen))
                .flatten()
                .collect()
        };
        let rejected = rejects(later, &before);
        let returned = !rejects(old, &chosen).is_empty();
        let purpose = chosen.intersection(&before).filter(|term| !rejected.contains(*term)).count();
        let least = if returned { 1 } else { SAME_WORDS };
        !rejected.is_empty() && purpose >= least
    }

    pub(super) fn takes_back(&self, earlier: &Statement<'_>) -> bool {
        let since = |one: &Statement<'_>| one.version.content.valid.from();
        let shared = self.shared(earlier).len();
        let says_all = shared >= SAME_WORDS && 4 * shared >= 3 * earlier.said().terms.len();
        // Without a question it is the subject that tells what both are about.
        let near = self.vector.is_some() && {
            let near = self.nearness(earlier);
            (SAME_MEANING..=SAID_AGAIN).contains(&near) && self.speaks_of_the_same(earlier)
        };
        // Nothing was asked: all that the earlier one says, but for its values, is to be told anew.
        let is_value = |term: &String| {
            earlier.said().values.iter().any(|value| terms_of(&value.word).contains(term))
        };
        let told = || earlier.said().terms.iter().filter(|term| !is_value(term)).cloned().collect();
        self.is_heard_by(earlier)
            && self.is_plain()
            && earlier.is_plain()
            && since(self) > since(earlier)
            && !earlier.tells_of_change
            && (says_all || near)
            && is_same(self.said(), earlier.said(), &told(), self.nearness(earlier))
    }

    fn speaks_of_the_same(&self, other: &Statement<'_>) -> bool {
        let (one, other) = (&self.said().head, &other.said().head);
        one.is_some() && one == other
    }

    /// What is in quarantine speaks for itself at most, never over others; and nothing speaks over
    /// what is trusted more.
    fn is_heard_by(&self, other: &Statement<'_>) -> bool {
        let (one, other) = (&self.version.content, &other.version.content);
        let heard = one.trust() != Trust::Quarantined && one.trust() <= other.trust();
        heard && one.scope.same_room(&other.scope)
    }

    fn nearness(&self, other: &Statement<'_>) -> f32 {
        if let (Some(one), Some(other)) = (self.vector, other.vector) {
            return one.iter().zip(other).map(|(a, b)| a * b).sum();
        }
        // Without vectors the words must do, and more of them.
        let fewer = self.said().terms.len().min(other.said().terms.len());
        if 3 * self.shared(other).len() >= fewer { SAME_MEANING } else { 0.0 }
    }
}

fn is_plain(text: &str) -> bool {
    text.split_whitespace().nth(PLAIN).is_none()
}

/// What values are called without the part that counts: `app` of `app-1.2`, `db-hist` of
/// `db-hist-03`.
fn families(text: &str) -> HashSet<String> {
    text.split_whitespace()
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .filter_map(|word| {
            let cut = word.rfind(['-', '_'])?;
            let (family, member) = word.split_at(cut);
            let counts = member.chars().any(|c| c.is_ascii_digit());
            let named = family.chars().filter(|c| c.is_alphabetic()).count() >= 3;
            (counts && named).then(|| family.to_owned())
        })
        .collect()
}

/// Whether both texts say what something is for, and not for the same.
pub(super) fn serve_other_ends(one: &str, other: &str) -> bool {
    are_of_different_ends(&ends(one), &ends(other))
}

fn are_of_different_ends(one: &HashSet<String>, other: &HashSet<String>) -> bool {
    !one.is_empty() && !other.is_empty() && one.is_disjoint(other)
}

/// What stands behind `for`, if it is a purpose: how long or for when is a value.
fn ends(text: &str) -> HashSet<String> {
    const STOPS: &[&str] = &["instead", "because", "since", "so", "but", "and", "until", "from"];
    let mut found = HashSet::new();
    let mut words = text.split_whitespace().peekable();
    while let Some(word) = words.next() {
        if !word.eq_ignore_ascii_case("for") {
            continue;
        }
        let mut purpose = Vec::new();
        while let Some(word) = words.next_if(|word| !STOPS.contains(word)) {
            purpose.push(word);
            if word.ends_with([',', ';', '.', ':', ')']) {
                break;
            }
        }
        let purpose = purpose.join(" ");
        if !values(&purpose).iter().any(|value| value.sort.is_measure()) {
            found.extend(terms_of(&purpose));
        }
    }
    found
}

fn terms_of(text: &str) -> HashSet<String> {
    recall_terms(text).into_iter().map(|(term, _)| term).collect()
}

/// Whether a decision says what it decides against.
fn rejects_anything(version: &Version) -> bool {
    matches!(&version.content.body, Body::Decision(decision) if !decision.alternatives.is_empty())
}
