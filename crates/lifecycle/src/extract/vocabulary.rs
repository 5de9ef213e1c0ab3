//! The words by which statements and choices are known.

/// Little words before the statement proper.
#[rustfmt::skip]
pub(super) const OPENERS: &[&str] = &[
    "no", "nope", "yes", "yeah", "yup", "ok", "okay", "k", "also", "and", "but", "so", "please",
    "well", "man", "dude", "again", "hmm", "uhh", "remember", "note", "important", "btw", "fyi",
    "anyway", "by the way", "in general", "generally", "usually", "as a rule", "by default",
];

/// Little words before somebody asks to have something remembered.
#[rustfmt::skip]
pub(super) const COURTESIES: &[&str] = &[
    "please", "pls", "also", "and", "but", "so", "ok", "okay", "yes", "no", "well", "btw", "by the way",
    "one more thing", "important", "again", "i want you to", "i'd like you to",
];

/// Words with which somebody asks to have something remembered for good.
#[rustfmt::skip]
pub(super) const REMINDERS: &[&str] = &[
    "remember that ", "remember: ", "remember, ", "remember this: ", "don't forget that ", "don’t forget that ",
    "do not forget that ", "never forget that ", "for future reference", "for later reference",
    "for next time: ", "make a note that ", "make a note: ", "take note that ", "memorize that ",
    "memorise that ", "memorize: ", "memorise: ", "remember for later: ", "remember for the future: ",
];

/// Words with which somebody points something out.
#[rustfmt::skip]
pub(super) const HINTS: &[&str] = &[
    "note that ", "note: ", "take note: ", "keep in mind that ", "keep in mind: ", "keep in mind, ",
    "bear in mind that ", "bear in mind: ", "for the record, ", "for the record: ", "for your information",
    "fyi: ", "fyi, ", "fyi ",
];

/// Signs that something is so only while it is spoken of.
#[rustfmt::skip]
pub(super) const PASSING: &[&str] = &[
    "now", "again", "still", "attached", "is down", "are down", "broken", "failing", "just", "earlier",
    "yesterday", "tomorrow", "tonight", "last week", "next week", "last time", "other day", "above", "below", "following",
    "let me", "i want", "i need", "you need to", "in this pr", "in this branch", "in this task", "in this file", "could", "was", "were",
    "meeting", "i'm going", "we're going",
];

/// Words that make of a description a rule.
#[rustfmt::skip]
pub(super) const BINDS: &[&str] = &[
    "only", "never", "always", "must", "cannot", "can't", "may not", "has to", "have to", "needs to be",
    "need to be", "not allowed", "required", "forbidden", "should",
];

/// Polite ways to begin an order; they stay questions unless the order is for good.
#[rustfmt::skip]
pub(super) const POLITE: &[&str] = &[
    "can you", "could you", "would you", "i want you to", "i'd like you to", "it would be nice if you",
];

/// Said of more than the matter at hand.
#[rustfmt::skip]
pub(super) const GENERAL: &[&str] = &[
    "in general", "generally", "everywhere", "by default", "every time", "each time", "as a rule",
    "at all times", "throughout", "in every", "for every", "in all", "for all", "whenever", "always",
];

/// How one begins to say what a statement holds for.
#[rustfmt::skip]
pub(super) const FRAMES: &[&str] = &[
    "for", "in", "on", "with", "at", "inside", "as for", "regarding", "when it comes to", "whenever",
    "when you", "every time you", "each time you",
];

/// Orders about the way in which things are done; renaming or fixing is done once and over.
#[rustfmt::skip]
pub(super) const MANNER: &[&str] = &[
    "use", "keep", "write", "format", "name", "put", "prefer", "call", "log", "store", "return",
    "answer", "explain", "show", "give", "tell", "treat", "document", "sort", "wrap", "start", "be",
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
    "at the moment", "currently", "one time", "this run", "in a hurry",
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
    "i prefer", "we prefer", "i'd prefer", "i'd rather", "i like to", "i would prefer",
    "i would rather", "i like it when", "i like when", "we like to", "i favour", "i favor",
    "we favour", "we favor", "my preference is", "my preference:", "i strongly prefer",
    "i usually prefer", "i usually want", "i always want", "i'm not a fan of", "i am not a fan of",
    "i'm in the camp of", "i hate it when",
];

/// What somebody does himself, a preference where it names something or sets it against another.
#[rustfmt::skip]
pub(super) const HABITS: &[&str] = &[
    "i always use", "i usually use", "i always write", "i never use", "i only use", "i tend to use",
    "i like", "i want",
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
    "this", "that", "these", "those", "it", "its", "it's", "them", "they", "there", "here", "this one",
    "that one", "the one", "each one", "every one", "other one", "ones", "the same", "both", "the other", "the others", "the 2", "the two",
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
    "we've switched from", "we've switched to", "we moved from", "we've moved from",
    "we no longer support", "we are going back to", "we're going back to", "we went back to",
    "we decided", "i decided", "we've decided", "i've decided", "we chose", "i chose", "we've chosen",
    "i've chosen", "we settled on", "we opted", "i opted", "i've opted", "we went with",
    "i went with", "we're going with", "i'm going with", "we picked", "i picked", "we have decided",
    "we have chosen", "we agreed", "we've agreed", "we have agreed", "we concluded",
    "we've concluded", "we have concluded", "we switched to", "we switched from", "we migrated to",
    "we migrated from", "we are moving to", "we're moving to", "we are moving from",
    "we're moving from", "we're dropping", "we are dropping", "we dropped",
    "we no longer use", "we are no longer using", "we're no longer using",
];

/// Intentions, which decide something where a verb of policy follows.
#[rustfmt::skip]
pub(super) const INTENDS: &[&str] = &[
    "we're going to", "we are going to", "we will", "we'll", "i've decided to", "i decided to",
    "i want us to", "let's",
];

/// Verbs whose object outlives the day.
#[rustfmt::skip]
pub(super) const OF_POLICY: &[&str] = &[
    "replace", "drop", "adopt", "switch to", "move to", "migrate to", "standardise on",
    "standardize on", "stick with", "deprecate", "stop supporting", "stay on",
];

/// Refusals, which decide something where a verb of scope follows.
pub(super) const REFUSES: &[&str] = &["we will not", "we won't", "we're not going to"];

pub(super) const OF_SCOPE: &[&str] =
    &["do", "support", "use", "build", "offer", "ship", "add", "have", "store", "maintain"];

/// Labels under which a decision is told.
#[rustfmt::skip]
pub(super) const DECLARES: &[&str] = &[
    "decision:", "decided:", "settled:", "agreed:", "design choice:", "design decision:",
    "final answer:", "final decision:",
];

/// Those who decide together.
#[rustfmt::skip]
pub(super) const BODIES: &[&str] = &[
    "team", "board", "committee", "management", "client", "customer", "architects",
];

/// What they do then.
#[rustfmt::skip]
pub(super) const RESOLVED: &[&str] = &["picked", "chose", "decided", "agreed", "voted", "opted"];

/// Words with which a person decides.
#[rustfmt::skip]
pub(super) const DECIDES: &[&str] = &[
    "let's go with", "let's use", "i'll go with", "let's stick with", "let's keep", "we'll go with",
    "we'll use", "we'll keep", "let's drop", "let's switch to", "let's limit", "let's allow",
    "let's remove",
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
    "if we", "whether", "i think", "could go with", "would", "might", "for now", "yet", "you decided",
    "they decided", "undecided", "go with you", "let me", "you didn't", "say the word", "placeholder",
    "open question", "now unused", "is unused", "aside", "one thing to confirm", "judgment call", "not sure", "should go", "picked up", "unsure",
];

/// Spelled in haste, and what is meant.
#[rustfmt::skip]
pub(super) const ABBREVIATED: &[(&str, &str)] = &[
    ("dont", "don't"), ("cant", "can't"), ("wont", "won't"), ("doesnt", "doesn't"),
    ("isnt", "isn't"), ("arent", "aren't"), ("didnt", "didn't"), ("shouldnt", "shouldn't"),
    ("im", "i'm"), ("ive", "i've"), ("pls", "please"), ("plz", "please"), ("bc", "because"),
];

/// How lines of tools and lists of things to do begin, in lower case.
#[rustfmt::skip]
pub(super) const LOG_HEADS: &[&str] = &[
    "error:", "error[", "warning:", "warn:", "fatal:", "panic:", "npm err", "traceback ",
    "exception in", "- [ ]", "- [x]", "todo:", "fixme:",
];

/// What others say, what was taken back, what is over, and what is only imagined.
#[rustfmt::skip]
pub(super) const HEARSAY: &[&str] = &[
    "docs say", "documentation says", "book says", "this article", "the article", "blog post", "people say", "they say",
    "he says", "she says", "he said", "she said", "he wrote", "she wrote", "story says", "says we",
    "said we", "thinks we", "claims we", "insists we", "i disagree", "we disagree", "don't agree",
    "according to", "i heard", "some people", "my colleague", "told him", "asked whether",
    "scratch that", "after all", "was reverted", "abolished", "changed my mind", "changed our mind",
    "no longer true", "forget it", "still open", "nobody knows", "it depends",
    "we used to", "i used to", "it used to", "back then", "in my last", "at my last", "ages ago",
    "suppose", "imagine", "hypothetically", "in theory", "what if",
];

/// With these somebody takes back what they have just said.
#[rustfmt::skip]
pub(super) const RETRACTS: &[&str] = &[
    "never mind", "nevermind", "forget that", "forget it", "scratch that", "ignore that", "strike that",
    "disregard that", "on second thought", "i take that back", "i take it back",
];

/// Sounds before them.
#[rustfmt::skip]
pub(super) const SOUNDS: &[&str] = &["hm", "hmm", "oh", "wait", "actually", "no", "sorry", "ah", "ok", "okay", "well"];

/// That something must be, or must not.
#[rustfmt::skip]
pub(super) const BINDING: &[&str] = &[
    " must ", " has to ", " have to ", " may not ", " may never ", " may only ", " should never ",
    " is not allowed", " are not allowed", " isn't allowed", " aren't allowed", " is allowed to ",
    " is forbidden", " are forbidden", " can not use ", " cannot use ", " can't use ", " cannot be used",
];

/// What a piece of software does when it works: to want it is a task and no rule.
#[rustfmt::skip]
pub(super) const BEHAVES: &[&str] = &[
    "return", "show", "display", "render", "print", "output", "redirect", "throw", "click", "turn",
    "open", "close", "say", "read", "appear", "look", "move", "go",
];

/// How a sentence begins that warns.
#[rustfmt::skip]
pub(super) const WARNS: &[&str] = &[
    "careful", "be careful with", "be careful when", "beware", "watch out", "be aware", "gotcha",
    "lesson learned", "lesson learnt", "note for later", "heads up", "note to self", "pitfall:",
];

/// What was learnt the hard way.
#[rustfmt::skip]
pub(super) const LESSONS: &[&str] = &[
    "turned out that", "turns out that", "root cause was", "root cause is", "root cause:", "was a mistake", "was a disaster",
    "bit us", "burned us", "burnt us", "last time we",
];

/// That something went wrong.
#[rustfmt::skip]
pub(super) const FAILS: &[&str] = &[
    "failed", "fails", "broke", "breaks", "crashed", "crashes", "crash", "hung", "hangs",
    "deadlocked", "deadlocks", "was wrong", "were wrong", "leaked", "leak", "flaky",
    "jitter", "corrupted", "timed out", "slower",
];

/// Why it did.
#[rustfmt::skip]
pub(super) const CAUSES: &[&str] = &[
    "because", "since", "caused by", "due to", "came from", "makes", "made", "unless",
];

/// What helped.
#[rustfmt::skip]
pub(super) const REMEDIES: &[&str] = &[
    "fixed it", "fixes it", "fixed by", "solved it", "solves it", "solved by", "cured it", "cures it",
    "works around", "instead", "unless", "switching to", "pinned to", "run it", "stop the",
];

/// Not known yet, or about to be looked at.
#[rustfmt::skip]
pub(super) const GUESSES: &[&str] = &[
    "might", "may be", "maybe", "perhaps", "probably", "seems", "could be", "likely", "i think",
    "i guess", "i suspect", "checking", "let me", "i'll", "i'm going to", "looks like", "would",
    "not sure", "no idea", "can you", "could you", "please fix", "you're right", "you're absolutely right",
    "my part", "my mistake", "sorry", "consider",
];

/// Things of a project's world that sentences tell of; the file or test at hand is not among them.
#[rustfmt::skip]
pub(super) const WORLD: &[&str] = &[
    "repo", "repository", "project", "app", "application", "api", "backend", "frontend", "end",
    "server", "database", "db", "prod", "production", "staging", "cluster", "customer", "client",
    "team", "company", "board", "device", "firmware", "sensor", "game", "dataset", "data", "ci",
    "pipeline", "service", "site", "website", "product", "platform", "system", "releases", "branches",
    "deploys", "deployments", "tests", "docs", "packages", "stack", "robot", "machine", "network",
];

/// Verbs of what lasts.
#[rustfmt::skip]
pub(super) const LASTING: &[&str] = &[
    "is", "are", "has", "have", "is written in", "are written in", "lives in", "live in", "runs on",
    "run on", "runs at", "is hosted on", "is hosted at", "is built with", "are built with", "uses",
    "use", "speaks", "targets", "supports", "consists of", "belongs to", "are cut", "is kept in",
    "are kept in", "is stored in", "are stored in", "is deployed to", "is owned by", "owns",
];

/// Signs of the moment in a description.
#[rustfmt::skip]
pub(super) const TRANSIENT: &[&str] = &[
    "now", "down", "broken", "slow", "failing", "fails", "failed", "wrong", "again", "still", "weird",
    "strange", "not", "isn't", "aren't", "doesn't", "bug", "error", "since monday", "minute", "attached",
    "problem", "issue", "i'll", "should",
];

/// How people tell of themselves and of those they work with.
#[rustfmt::skip]
pub(super) const OF_ONES_WORK: &[&str] = &[
    "my name is", "i'm responsible for", "i am responsible for", "i work in", "i work at",
    "i work mostly", "i work on", "i work with", "i'm on windows", "i'm on linux", "i'm on macos",
    "i'm on a mac", "i am on windows", "i am on linux", "i am on macos", "i'm new to", "i am new to",
    "we're a", "we are a", "we're based in", "we are based in", "we are building a",
    "we're building a", "my role is", "my time zone is", "my timezone is",
];
