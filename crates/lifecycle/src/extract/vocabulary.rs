//! The words by which statements and choices are known.

/// Little words before the statement proper.
#[rustfmt::skip]
pub(super) const OPENERS: &[&str] = &[
    "no", "nope", "yes", "yeah", "yup", "ok", "okay", "k", "also", "and", "but", "so", "please",
    "well", "man", "dude", "again", "hmm", "uhh", "remember", "note", "important", "btw",
];

/// Said for the moment, or without being sure.
#[rustfmt::skip]
pub(super) const MOMENT: &[&str] = &[
    "for now", "yet", "this time", "right now", "for the moment", "today", "any changes", "just show",
    "until i", "before i", "at this point", "in this case", "don't worry", "not worry", "bother",
    "this session", "the above", "as you suggest", "you suggested", "you mentioned", "you found",
    "i'll", "i think", "i guess", "maybe", "seems", "presumably", "probably", "not sure", "would be",
    "might", "i don't know", "i don't understand", "i don't see", "i don't get", "i don't care",
    "i don't remember", "why", "wonder", "want to know", "i made", "i just", "i said", "you said",
    "thinking", "i suggested", "i mean", "i bet", "unless you", "looks like", "i see",
    "i get", "you should see", "you should check", "the agent", "other agent", "verified", "unclear",
];

/// How questions and conditions begin.
#[rustfmt::skip]
pub(super) const ASKS: &[&str] = &[
    "if", "when", "what", "what's", "how", "where", "who", "which", "is", "are", "do we", "does", "did",
    "should", "shouldn't", "can", "could", "isn't", "aren't", "would", "wouldn't", "has", "have",
];

/// How a sentence begins that puts one thing before another.
#[rustfmt::skip]
pub(super) const PREFERS: &[&str] = &[
    "use", "prefer", "let's use", "let's do", "let's go with", "rather than", "instead of", "name",
    "call", "put", "run", "we use", "we prefer", "we should use", "return", "write",
];

#[rustfmt::skip]
pub(super) const FORBIDS: &[&str] = &[
    "never", "we never", "you must never", "you should never", "must not", "you must not",
    "we must not", "we must never",
];

#[rustfmt::skip]
pub(super) const DEMANDS: &[&str] = &[
    "always", "we always", "you must", "you should always", "we must", "must always",
];

#[rustfmt::skip]
pub(super) const WISHES: &[&str] = &[
    "i prefer", "we prefer", "i'd prefer", "i'd rather", "i like to",
];

#[rustfmt::skip]
pub(super) const UNWANTED: &[&str] = &[
    "we don't want", "we do not want", "i don't want", "i do not want", "we don't use",
    "we do not use", "we don't allow", "we don't support", "we don't do", "we don't commit",
    "you don't commit", "we don't call", "we don't even", "i don't like", "i hate", "we avoid",
    "let's not", "let's avoid", "avoid",
];

/// Verbs with which somebody speaks of himself: `don't think` is no order.
#[rustfmt::skip]
pub(super) const OF_ONESELF: &[&str] = &[
    "think", "know", "like", "love", "see", "understand", "get", "want", "need", "believe",
    "remember", "care", "mind", "you", "we", "i", "they", "have", "forget", "even", "the", "just",
];

/// Words of comfort and good cheer, which order nothing.
#[rustfmt::skip]
pub(super) const CHEER: &[&str] = &[
    "quit", "give", "hesitate", "let", "be", "ever", "stop", "worry", "feel", "been", "good", "fun",
    "nice", "great", "happy", "glad", "lose", "a", "so", "up",
];

/// How things are done here.
#[rustfmt::skip]
pub(super) const CUSTOMS: &[&str] = &[
    "we use", "we deploy", "we release", "we ship", "we keep", "we store", "we name", "we call",
    "we write", "we follow", "we commit", "we test", "we only", "we target", "we pin", "we host",
    "we run", "our convention", "our rule", "our policy", "the convention is", "the rule is",
    "our standard", "our style", "our practice",
];

/// Words that point at what was said before.
#[rustfmt::skip]
pub(super) const POINTERS: &[&str] = &[
    "this", "that", "these", "those", "it", "its", "it's", "them", "they", "there", "here", "one",
    "ones", "the same", "both", "the other", "the others", "the 2", "the two",
];

/// What is counted in lists that nobody will have later.
#[rustfmt::skip]
pub(super) const COUNTED: &[&str] = &[
    "issue", "issues", "item", "line", "lines", "lin", "point", "step", "phase", "option", "obs",
    "improvement", "mip", "finding", "comment", "gap", "number", "chunk",
];

/// Words that say that something was chosen.
#[rustfmt::skip]
pub(super) const CHOSE: &[&str] = &[
    "we decided", "i decided", "we've decided", "i've decided", "we chose", "i chose", "we've chosen",
    "i've chosen", "we settled on", "we opted", "i opted", "i've opted", "we went with",
    "i went with", "we're going with", "i'm going with", "we picked", "i picked",
];

/// Words with which a person decides.
#[rustfmt::skip]
pub(super) const DECIDES: &[&str] = &[
    "let's go with", "let's use", "i'll go with", "let's stick with", "let's keep", "we'll go with",
    "we'll use", "let's drop", "let's switch to", "let's limit", "let's allow", "let's remove",
];

/// What an agent did where it could have done otherwise.
#[rustfmt::skip]
pub(super) const DID: &[&str] = &[
    "kept", "used", "left", "made", "named", "put", "went", "placed", "reused", "avoided",
];

/// Not decided after all, or nothing to remember.
#[rustfmt::skip]
pub(super) const UNDECIDED: &[&str] = &[
    "if you decided", "once decided", "not decided", "haven't decided", "to be decided", "i thought",
    "if we", "whether", "could go with", "would", "might", "for now", "yet", "you decided",
    "they decided", "undecided", "go with you", "let me", "you didn't", "say the word", "placeholder",
    "open question", "now unused", "is unused", "aside", "one thing to confirm", "judgment call", "not sure", "should go", "picked up", "unsure",
];
