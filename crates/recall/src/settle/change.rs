//! The words by which a text tells that something is no longer as it was.

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
    "repartitioned",
    "rewritten",
    "ported",
    "grown",
    "gone",
    "resized",
    "expanded",
    "shrunk",
    "doubled",
    "halved",
    "discontinued",
    "exchanged",
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
    ("took", "its"),
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

/// Words of who goes back on something.
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

pub(super) fn words(low: &str) -> Vec<&str> {
    low.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

pub(super) fn tells_of_change(text: &str) -> bool {
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

/// The words by which a text tells of a change. Of these alone: who speaks of a rotation has not
/// rotated anything.
pub(super) fn telling<'w>(words: &[&'w str]) -> Vec<&'w str> {
    let changes = words.iter().filter(|word| CHANGES.contains(**word)).copied();
    changes.chain(since_when(words)).collect()
}

/// Whether it goes back on something, in any way.
pub(super) fn returns(words: &[&str]) -> bool {
    words.iter().any(|word| RETURNING.contains(word))
}

/// Whether it says that what was so before is so again.
pub(super) fn goes_back_to(words: &[&str]) -> bool {
    let back = [("back", "to"), ("back", "on"), ("is", "back"), ("went", "back"), ("set", "back")];
    let phrase = |[one, two]: &[&str; 2]| back.contains(&(*one, *two));
    words.array_windows().any(phrase) || surely_returns(words)
}

/// Whether it surely does: `more` and `back` may say something else.
pub(super) fn surely_returns(words: &[&str]) -> bool {
    let unsure = ["more", "back"];
    words.iter().any(|word| RETURNING.contains(word) && !unsure.contains(word))
}
