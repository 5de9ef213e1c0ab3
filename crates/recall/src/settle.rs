//! The current value: of several statements about the same thing only the one that holds now is
//! shown; what it replaced becomes its history.
//!
//! Three ways of knowing. A slot is certain: the store keeps its past values. So is a contradiction
//! that was settled: the winner leads to what it replaced. Other free text is judged by rules: two
//! statements of one subject, both about what was asked, where the later one says that something
//! changed, or rejects what the earlier one decided.

use crate::candidate::Candidate;
use crate::explanation::Explanation;
use crate::understand::Span;
use crate::{Past, Source};
use mnemic_model::body::Decision;
use mnemic_model::{At, Body, Kind, RecordId, Relation, Trust, Version};
use mnemic_store::Result;
use mnemic_text::stems::{recall_terms, stem};
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

/// Words by which a statement says that it replaces another.
const CHANGE_WORDS: &[&str] = &[
    "moved",
    "renamed",
    "replaced",
    "switched",
    "changed",
    "migrated",
    "reverted",
    "rollback",
    "raised",
    "lowered",
    "increased",
    "decreased",
    "reduced",
    "bumped",
    "upgraded",
    "downgraded",
    "retired",
    "decommissioned",
    "reassigned",
    "superseded",
    "shifted",
    "rotated",
    "swapped",
    "rebuilt",
    "adopted",
    "withdrawn",
    "deprecated",
    "returned",
    "restored",
    "rolled",
    "pinned",
    "reworked",
    "consolidated",
    "reprovisioned",
    "repointed",
    "rehomed",
    "relocated",
    "extended",
    "shortened",
    "pulled",
    "pushed",
    "slipped",
    "postponed",
    "dropped",
    "ditched",
    "abandoned",
    "correction",
    "corrected",
    "now",
    "again",
    "instead",
    "anymore",
    "previous",
    "previously",
    "former",
    "formerly",
    "legacy",
];

static CHANGES: LazyLock<foldhash::HashSet<&str>> =
    LazyLock::new(|| CHANGE_WORDS.iter().copied().collect());

/// The same in two words.
const CHANGE_PHRASES: &[(&str, &str)] = &[
    ("no", "longer"),
    ("no", "more"),
    ("cut", "over"),
    ("cut", "to"),
    ("failed", "over"),
    ("went", "back"),
    ("set", "back"),
    ("back", "on"),
    ("back", "to"),
    ("once", "more"),
    ("the", "old"),
    ("the", "older"),
    ("over", "to"),
    ("took", "over"),
    ("taken", "over"),
    ("any", "more"),
    ("after", "all"),
    ("in", "favour"),
    ("in", "favor"),
];

/// After `since` these tell when something changed; other words tell why.
#[rustfmt::skip]
const SINCE_WHEN: &[&str] = &[
    "today", "yesterday", "last", "this", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january",
    "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december", "q1", "q2", "q3", "q4",
];

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
const RETURNING: &[&str] = &[
    "again",
    "back",
    "more",
    "reverted",
    "returned",
    "rollback",
    "restored",
    "withdrawn",
    "undone",
];

/// One statement as the rules see it.
pub(crate) struct Statement<'a> {
    pub(crate) version: &'a Version,
    vector: Option<&'a [f32]>,
    tells_of_change: bool,
    /// Read once two statements are near enough to be compared by their words; few are.
    said: OnceCell<Said>,
}

/// What a statement says.
struct Said {
    /// Words that say what it is about: neither numbers nor words of change.
    terms: HashSet<String>,
    /// The first of them, which is what it speaks of more often than not.
    head: Option<String>,
    families: HashSet<String>,
    returns: bool,
    goes_back: bool,
}

impl Said {
    fn by(text: &str) -> Said {
        let low = text.to_lowercase();
        let words = words(&low);
        // Of these words alone: who speaks of a rotation has not rotated anything.
        let changes = words.iter().filter(|word| CHANGES.contains(**word)).copied();
        let telling: HashSet<_> = changes.chain(since_when(&words)).map(stem).collect();
        let about = |term: &String| {
            !term.chars().any(|c| c.is_ascii_digit()) && !telling.contains(term.as_str())
        };
        let terms = recall_terms(text).into_iter().map(|(term, _)| term);
        let terms: Vec<String> = terms.filter(about).collect();
        // `more` and `back` may say something else.
        let goes_back = |word: &&str| RETURNING.contains(word) && !matches!(*word, "more" | "back");
        Said {
            head: terms.first().cloned(),
            terms: terms.into_iter().collect(),
            families: families(text),
            returns: words.iter().any(|word| RETURNING.contains(word)),
            goes_back: words.iter().any(goes_back),
        }
    }
}

impl<'a> Statement<'a> {
    pub(crate) fn of(version: &'a Version) -> Statement<'a> {
        let tells_of_change = tells_of_change(&version.content.body.full_text());
        Statement { version, vector: None, tells_of_change, said: OnceCell::new() }
    }

    /// The same with what it means.
    pub(crate) fn meaning(self, vector: Option<&'a [f32]>) -> Statement<'a> {
        Statement { vector, ..self }
    }

    /// Whether it may take the place of another.
    pub(crate) fn may_replace(&self) -> bool {
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
    fn replaces(&self, earlier: &Statement<'_>, asked: &HashSet<String>) -> Option<f32> {
        if !(self.tells_of_change && self.is_heard_by(earlier)) {
            return None;
        }
        let near = self.nearness(earlier);
        if !(SAME_FAMILY..=SAID_AGAIN).contains(&near) {
            return None;
        }
        let shared = self.shared(earlier);
        let (said, before) = (self.said(), earlier.said());
        let asked_for = shared.iter().filter(|term| asked.contains(**term)).count();
        let enough = shared.len() >= SAME_WORDS || self.speaks_of_the_same(earlier);
        // Who goes back on something leaves no doubt that there was something.
        let least = if said.goes_back { SAME_FAMILY } else { SAME_MEANING };
        let same = near >= least && enough && asked_for > 0;
        let kin = !said.families.is_disjoint(&before.families) || asked_for >= SAME_WORDS;
        let settled = earlier.tells_of_change && !said.returns && near < CHANGED_AGAIN;
        ((same || kin) && !settled).then_some(near + 0.03 * shared.len() as f32)
    }

    /// Whether this decision rejects what an earlier one chose for the same purpose.
    fn overrules(&self, earlier: &Statement<'_>) -> bool {
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

    fn takes_back(&self, earlier: &Statement<'_>) -> bool {
        let since = |one: &Statement<'_>| one.version.content.valid.from();
        let shared = self.shared(earlier).len();
        let says_all = shared >= SAME_WORDS && 4 * shared >= 3 * earlier.said().terms.len();
        // Without a question it is the subject that tells what both are about.
        let near = self.vector.is_some() && {
            let near = self.nearness(earlier);
            (SAME_MEANING..=SAID_AGAIN).contains(&near) && self.speaks_of_the_same(earlier)
        };
        self.is_heard_by(earlier)
            && since(self) > since(earlier)
            && !earlier.tells_of_change
            && (says_all || near)
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

fn words(low: &str) -> Vec<&str> {
    low.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

fn tells_of_change(text: &str) -> bool {
    let low = text.to_lowercase();
    let words = words(&low);
    words.iter().any(|word| CHANGES.contains(word))
        || words.array_windows().any(|[one, two]| CHANGE_PHRASES.contains(&(one, two)))
        || since_when(&words).is_some()
}

/// The time since which something is so.
fn since_when<'w>(words: &[&'w str]) -> Option<&'w str> {
    let dated = |[one, two]: &&[&str; 2]| *one == "since" && SINCE_WHEN.contains(two);
    words.array_windows().find(dated).map(|[_, when]| *when)
}

fn terms_of(text: &str) -> HashSet<String> {
    recall_terms(text).into_iter().map(|(term, _)| term).collect()
}

/// Whether a decision says what it decides against.
fn rejects_anything(version: &Version) -> bool {
    matches!(&version.content.body, Body::Decision(decision) if !decision.alternatives.is_empty())
}

/// For each of these the place of the one that holds instead of it, if one does.
pub(crate) fn replaced_by(
    statements: &[Statement<'_>],
    asked: &HashSet<String>,
) -> Vec<Option<usize>> {
    let age = |one: &Statement<'_>| (one.version.content.valid.from(), one.version.recorded.from());
    let successor = |earlier: usize| {
        (0..statements.len())
            .filter(|later| age(&statements[*later]) > age(&statements[earlier]))
            .filter_map(|later| {
                let (old, new) = (&statements[earlier], &statements[later]);
                let sure =
                    new.overrules(old).then_some(1.0).or_else(|| new.replaces(old, asked))?;
                Some((sure, later))
            })
            .max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
            .map(|(_, later)| later)
    };
    let successors: Vec<Option<usize>> = (0..statements.len()).map(successor).collect();
    // What replaced it may have been replaced in turn; each is later, so this ends.
    let holds = |mut place: usize| {
        while let Some(next) = successors[place] {
            place = next;
        }
        place
    };
    successors.iter().map(|next| next.map(holds)).collect()
}

/// A memory with the vector of its beginning, where it has one.
pub type Sensed<'v> = (&'v Version, Option<Vec<f32>>);

/// Of these statements, those that a later one among them takes back: it tells of a change and says
/// nearly all that they say. Without a question there is nothing else to go by.
pub fn taken_back(versions: &[Sensed<'_>]) -> BTreeSet<RecordId> {
    let free = versions.iter().filter(|(version, _)| states(version.content.kind()));
    let statements: Vec<Statement<'_>> =
        free.map(|(one, vector)| Statement::of(one).meaning(vector.as_deref())).collect();
    let all = &statements;
    let told = all.iter().filter(|one| one.may_replace());
    let pairs = told.flat_map(|later| all.iter().map(move |earlier| (later, earlier)));
    let since = |one: &Statement<'_>| one.version.content.valid.from();
    let gone = pairs.filter(|(later, earlier)| {
        (later.tells_of_change && later.takes_back(earlier))
            || (since(later) > since(earlier) && later.overrules(earlier))
    });
    gone.map(|(_, earlier)| earlier.version.id.clone()).collect()
}

/// What came before is shown for a few steps back.
const MOST_PAST: usize = 5;

/// What the slot of a memory held before, newest first.
pub(crate) fn past_of_slot(
    source: &Source<'_>,
    id: &RecordId,
    version: &Version,
) -> Result<Vec<Past>> {
    let past = |other: Version| Past {
        text: other.content.body.full_text(),
        valid: other.content.valid,
        because: if other.id == *id { "it was changed" } else { "its slot was given to this one" },
        id: other.id,
    };
    Ok(held_before(source, version)?.into_iter().take(MOST_PAST).map(past).collect())
}

/// What held in a time that was asked about, where the memory itself came later: another value of
/// its slot, or what it took the place of.
pub(crate) fn held_in(
    source: &Source<'_>,
    version: &Version,
    asked_of: &[Span],
) -> Result<Option<Version>> {
    let since = version.content.valid.from();
    let Some(span) = asked_of.first().filter(|span| span.to <= since) else { return Ok(None) };
    let mut before = held_before(source, version)?;
    before.extend(lost_to(source, version)?);
    Ok(before.into_iter().find(|other| {
        let valid = other.content.valid;
        valid.from() < span.to && valid.to().is_none_or(|end| end > span.from)
    }))
}

fn held_before(source: &Source<'_>, version: &Version) -> Result<Vec<Version>> {
    let Some(slot) = version.content.slot() else { return Ok(Vec::new()) };
    let since = version.content.valid.from();
    let beginning = since.plus_seconds(-400 * 365 * 86_400);
    let mut held = source.read.holders(&slot, &version.content.scope, beginning)?;
    // What is in quarantine surfaces nowhere unasked, not as history either.
    held.retain(|other| {
        other.content.valid.from() < since && other.content.trust() != Trust::Quarantined
    });
    held.sort_by_key(|other| std::cmp::Reverse(other.content.valid.from()));
    Ok(held)
}

/// What a memory without a slot took the place of when a contradiction was settled, newest first.
pub(crate) fn past_by_links(source: &Source<'_>, version: &Version) -> Result<Vec<Past>> {
    let because = "it was settled which of the two holds";
    let past = |lost: &Version| Past { because, ..as_past(lost) };
    Ok(lost_to(source, version)?.iter().take(MOST_PAST).map(past).collect())
}

/// What gave way to a memory when it was settled which of the two holds, newest first.
fn lost_to(source: &Source<'_>, version: &Version) -> Result<Vec<Version>> {
    let (id, scope) = (&version.id, &version.content.scope);
    let mut all = Vec::new();
    if !is_free(version.kind()) {
        return Ok(all);
    }
    for link in source.read.links(id, At::LATEST)? {
        if link.relation != Relation::Supersedes || link.from != *id {
            continue;
        }
        let Some(lost) = source.read.version(&link.to, None)? else { continue };
        let is_shown =
            lost.content.scope.same_room(scope) && lost.content.trust() != Trust::Quarantined;
        // What lost as it came in never held.
        let held = lost.content.valid.from() < version.content.valid.from();
        if is_shown && held && lost.content.valid.to().is_some() {
            all.push(lost);
        }
    }
    all.sort_by_key(|lost| std::cmp::Reverse(lost.content.valid.to()));
    Ok(all)
}

/// A statement that was replaced, as history of the one that replaced it.
pub(crate) fn as_past(version: &Version) -> Past {
    Past {
        id: version.id.clone(),
        text: version.content.body.full_text(),
        valid: version.content.valid,
        because: "a later memory says otherwise",
    }
}

/// A candidate whose score was lent by what it replaced: the one that holds now stands where the
/// best of them stood.
pub(crate) fn lift(explanation: &mut Explanation, to: f64) {
    if explanation.score < to {
        let factor = if explanation.score > 0.0 { to / explanation.score } else { 1.0 };
        explanation.factors.push(crate::Factor { name: "holds now", value: factor });
        explanation.score = explanation.sum();
    }
}

/// Candidates that are looked at together.
pub(crate) const LOOKED_AT: usize = 32;

/// Facts and blocks have slots; what happened is not replaced by what happened later. One failure
/// is no newer state of another, and its remedy is always told as a change.
pub(crate) fn may_be_replaced(candidate: &Candidate) -> bool {
    states(candidate.glance.kind) && candidate.glance.slot.is_none()
}

/// Kinds that say how things are.
fn states(kind: Kind) -> bool {
    is_free(kind) && kind != Kind::AntiPattern
}

fn is_free(kind: Kind) -> bool {
    matches!(kind, Kind::Pattern | Kind::Decision | Kind::Resource | Kind::AntiPattern)
}
