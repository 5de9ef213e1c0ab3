//! Small words of English, sorted by what they do in a statement.

#[rustfmt::skip]
const FUNCTION_WORDS: &[&str] = &[
    "a", "an", "the", "is", "are", "am", "be", "been", "being", "was", "were", "do", "does", "did", "has", "have", "had", "having",
    "of", "at", "and", "or", "that", "which", "who", "whom", "whose", "there", "it", "its", "this", "these", "those", "he", "she",
    "they", "we", "our", "us", "i", "you", "your", "my", "me", "their", "his", "her", "him", "them", "some", "any", "just", "also", "so", "then",
    "very", "really", "please", "will", "would", "shall", "can", "could", "should", "must", "may", "might", "someone", "somebody",
    "anyone", "anybody", "something", "anything", "one", "ones", "'s", "as", "but", "while", "both", "than", "too", "let", "only",
    "each", "other", "such", "own", "if", "when", "because", "since", "unless", "still", "itself", "himself", "herself",
    "themselves", "always", "now", "currently",
];

#[rustfmt::skip]
const SMALL_WORDS: &[&str] = &[
    "in", "on", "to", "by", "for", "with", "without", "from", "into", "onto", "out", "off", "up", "down", "over", "under",
    "above", "below", "beneath", "before", "after", "around", "along", "across", "through", "between", "towards", "toward",
    "away", "about", "against", "via", "per", "until", "during", "within", "beyond", "behind", "inside", "outside", "upon",
    "always", "never", "all", "every", "few", "many", "most", "more", "less", "least", "back", "first", "last", "everyone",
    "everybody", "nobody",
];

/// Articles, auxiliaries, pronouns: they carry grammar and say nothing by themselves.
pub(crate) fn is_function_word(text: &str) -> bool {
    FUNCTION_WORDS.contains(&text)
}

/// Prepositions and quantities: they matter where nothing else differs.
pub(crate) fn is_small_word(text: &str) -> bool {
    SMALL_WORDS.contains(&text)
}

/// Forms of `be` and what stands for it between a thing and its value.
pub(crate) const COPULAS: &[&str] = &[
    "is", "are", "was", "were", "be", "equals", "becomes", "became", "remains", "stays", "means",
    "been",
];

/// Words that say that something changes.
#[rustfmt::skip]
pub(crate) const CHANGES: &[&str] = &[
    "moved", "move", "moves", "moving", "migrated", "migrate", "migrating", "switched", "switch", "switching", "changed",
    "change", "changes", "raised", "raise", "bumped", "bump", "upgraded", "upgrade", "downgraded", "lowered", "lower", "increased",
    "increase", "reduced", "reduce", "decreased", "renamed", "rename", "transferred", "went", "gone", "reassigned", "converted",
    "ported", "shifted", "relocated", "set", "reset", "updated", "update", "adjusted", "extended", "shortened", "postponed",
    "handed", "passed", "cut", "grew", "dropped", "rose", "fell", "pushed", "pulled", "brought",
];

/// Verbs by which a thing goes without another coming.
#[rustfmt::skip]
pub(crate) const DROPS: &[&str] = &[
    "dropped", "ditched", "retired", "abandoned", "decommissioned", "sunset", "scrapped", "removed",
];

/// Words by which somebody chooses.
#[rustfmt::skip]
pub(crate) const CHOOSES: &[&str] = &[
    "use", "uses", "using", "used", "prefer", "prefers", "preferred", "choose", "chose", "chosen", "chooses", "adopt", "adopts", "adopted",
    "run", "runs", "standardise", "standardised", "standardize", "standardized", "rely", "relies", "pick", "picked", "picks",
    "like", "likes", "favor", "favors", "favour", "favours", "go", "stick", "sticks", "settled", "picked", "install", "installs", "write", "indent",
    "works", "develops", "build", "builds", "based", "written", "love", "loves", "want", "wants", "indents", "indenting", "installed", "picked",
    "managed", "manage", "manages", "edits", "edit", "swears", "persists", "talks", "queries", "comes", "depends", "depend",
];

/// Words by which somebody gives a thing its value: `made trunk the default branch`.
#[rustfmt::skip]
pub(crate) const GIVES: &[&str] = &[
    "made", "make", "makes", "appointed", "appoint", "named", "declared", "declare", "elected", "nominated", "picked", "pick", "picks",
    "chose", "choose", "selected", "select", "took", "take", "takes", "adopted", "use", "uses", "using", "set",
];

/// Words that say nothing about which thing is meant.
#[rustfmt::skip]
pub(crate) const FILLERS: &[&str] = &[
    "set", "setting", "settings", "configured", "value", "currently", "note", "remember", "fyi", "reminder", "decided", "agreed", "decision", "use", "uses",
    "using", "used", "prefer", "prefers", "preferred", "reads", "says", "today", "nowadays", "instead", "rather", "again", "current", "present", "actual",
    "new", "right", "here", "well", "ok", "okay", "update", "updated", "change", "changed", "correction", "default", "everything", "everyone", "everybody",
    "things", "thing", "got", "get", "gets", "give", "given", "please", "keep", "kept", "make", "sure", "go", "goes", "went", "gone", "handed", "passed",
    "adopted", "chose", "chosen", "choose", "standardised", "standardized", "settled", "stick", "rely", "like", "likes", "favor", "favour", "want", "wants",
    "makes", "made", "gave", "gives", "stands", "stood", "opens", "opened", "expose", "exposes", "connect", "connects", "ships", "fires", "belongs",
    "allowed", "allows", "carries", "comes", "scaled", "scales", "appointed", "picked", "named", "declared", "selected", "promised",
    "moment", "days", "needs", "need", "has", "actually", "meanwhile", "officially", "finally", "simply", "deployed", "running", "installed", "reach", "reachable", "available", "best", "better", "most", "indents", "indent", "exposed", "own", "run", "runs", "running", "relies", "via", "happens", "located", "found",
];

/// Words that name the sort of a thing and are often left out.
#[rustfmt::skip]
pub(crate) const SORTS: &[&str] = &[
    "service", "server", "app", "application", "project", "team", "system", "component", "module", "repo", "repository", "code", "codebase",
    "package", "library", "process", "tool", "job", "daemon", "work", "engineer", "company", "product", "feature",
];

/// Words that speak of an attribute as well as its own name does, and so do not tell a thing.
#[rustfmt::skip]
pub(crate) const RELATED: &[(&str, &[&str])] = &[
    ("deploy branch", &["deploy", "deployment", "deployments", "deploys", "deployed", "release", "releases", "ship", "branch", "production"]),
    ("timeout", &["call", "calls", "request", "requests"]),
    ("port", &["traffic", "connections", "tcp", "http"]),
    ("location", &["path", "location", "file", "place", "directory", "folder"]),
    ("owner", &["ownership", "team"]),
    ("default branch", &["branch"]),
    ("version", &["version", "release"]),
    ("retries", &["times", "time"]),
    ("package manager", &["packages", "dependencies", "install"]),
    ("indentation", &["indenting", "indent", "code"]),
    ("editor", &["edit", "editing"]),
    ("test runner", &["tests", "testing", "test"]),
    ("linter", &["linting", "lint"]),
    ("formatter", &["formatting"]),
    ("deadline", &["delivery"]),
];
