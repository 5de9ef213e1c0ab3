//! The verbs and turns of phrase that tell kinds of work apart.

use super::TaskType;

/// What a sentence is told to do by its first verb.
pub(super) struct Command {
    pub(super) task: TaskType,
    pub(super) verb: &'static str,
    /// The verb says little by itself.
    pub(super) is_weak: bool,
}

/// The command that a sentence without its fillers begins with.
pub(super) fn command(words: &str) -> Option<Command> {
    let lists = [
        (TaskType::Debugging, DEBUG, false),
        (TaskType::Exploration, EXPLORE, false),
        (TaskType::Review, REVIEW, false),
        (TaskType::Refactoring, REFACTOR, false),
        (TaskType::Implementation, IMPLEMENT, false),
        (TaskType::Implementation, ACT, true),
        (TaskType::Exploration, PREPARE, true),
    ];
    let starts = |verb: &str| {
        words.strip_prefix(verb).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    lists.into_iter().find_map(|(task, verbs, is_weak)| {
        let verb = verbs.iter().find(|verb| starts(verb))?;
        Some(Command { task, verb, is_weak })
    })
}

#[rustfmt::skip]
const EXPLORE: &[&str] = &[
    "explain", "describe", "tell me", "show me", "find", "list", "summarize", "summarise",
    "understand", "help me understand", "explore", "research", "analyze", "analyse", "discover",
    "walk me through", "search", "locate", "look into", "compare", "map out", "figure out",
    "study", "learn", "remind me", "outline", "give me", "investigate", "review this repo",
    "review the repo", "review this codebase", "review the codebase", "review the architecture",
    "review the docs", "get familiar", "familiarize yourself", "don't make any changes",
    "don't change anything", "don't write any code",
];

#[rustfmt::skip]
const DEBUG: &[&str] = &[
    "fix", "debug", "diagnose", "troubleshoot", "resolve", "repair", "reproduce", "bisect",
    "track down", "find out why", "figure out why", "look into why", "investigate why",
    "get rid of the error",
];

#[rustfmt::skip]
const REVIEW: &[&str] = &[
    "review", "check", "validate", "verify", "audit", "inspect", "critique", "assess", "evaluate",
    "double check", "proofread", "confirm", "take a look at the diff", "take a look at this pr",
    "take a look at the pr", "look over", "go over", "take another look", "code review",
    "re review", "sanity check", "give feedback", "look at the pr", "look at this pr",
    "look at the diff",
];

#[rustfmt::skip]
const REFACTOR: &[&str] = &[
    "refactor", "restructure", "reorganize", "reorganise", "clean up", "cleanup", "extract",
    "rename", "move", "split", "simplify", "dedupe", "deduplicate", "consolidate", "combine",
    "inline", "tidy", "unify", "decouple", "pull out", "modularize", "flatten", "break up",
    "break out", "factor out", "dry up", "dry out", "reduce duplication", "merge the two",
    "untangle", "streamline", "standardize", "standardise", "normalize the naming",
    "remove unused", "remove dead", "delete unused", "delete dead", "rework", "reuse",
];

#[rustfmt::skip]
const IMPLEMENT: &[&str] = &[
    "implement", "create", "build", "add", "write", "develop", "construct", "generate", "install",
    "wire", "enable", "disable", "support", "introduce", "integrate", "port", "hook up", "set up",
    "bump", "commit", "push", "deploy", "release", "execute", "proceed", "draft", "go with",
    "go ahead", "expose", "extend", "limit", "include", "allow", "default", "configure",
    "provide",
];

/// Verbs that only say that something is to be done: what it is done to says more.
#[rustfmt::skip]
const ACT: &[&str] = &[
    "make", "use", "set", "update", "change", "put", "show", "have", "do", "keep", "ensure",
    "handle", "display", "render", "return", "address", "remove", "delete", "drop", "let", "give",
    "turn", "convert", "switch", "call", "pass", "store", "save", "upgrade", "adjust", "continue",
    "apply", "document", "plan", "begin", "start", "finish", "complete", "replace", "look at",
    "work on", "tackle", "take care of", "deal with", "try",
];

/// Verbs of preparation: people say them before they say what they want.
#[rustfmt::skip]
const PREPARE: &[&str] = &[
    "read", "see", "look through", "refer to", "note", "remember",
];

/// Sentences that judge or ask for a judgement.
#[rustfmt::skip]
pub(super) const JUDGEMENT: &[&str] = &[
    "what do you think", "all good", "look good", "looks good", "look right", "looks right",
    "is this right", "is that right", "is this correct", "is that correct", "is it correct",
    "does this make sense", "any issues", "any concerns", "any problems with", "thoughts on",
    "your thoughts", "feedback", "this pr", "the pr", "pull request", "this diff", "the diff",
    "won't this", "wouldn't this", "doesn't this", "isn't this", "won't that", "wouldn't that",
    "doesn't that", "isn't that", "anything missing", "did we miss", "did i miss",
    "ready to merge", "good to merge", "best practice", "best practices", "critique",
    "another agent", "other agent", "code review", "second opinion",
];

/// Sentences that tell of something that does not do what it should.
#[rustfmt::skip]
pub(super) const TROUBLE: &[&str] = &[
    "doesn't work", "does not work", "isn't working", "is not working", "not working",
    "won't run", "won't work", "won't start", "won't compile", "don't work", "didn't work",
    "stopped working", "no longer works", "fails", "failed", "failing", "fail", "failure",
    "failures", "error", "errors", "wrong", "broken", "breaks", "broke", "incorrect",
    "incorrectly", "crash", "crashes", "crashed", "crashing", "exception", "exceptions", "panic",
    "panics", "bug", "bugs", "buggy", "the issue", "an issue", "the problem", "a problem",
    "underlying problem", "problem is", "still get", "still getting", "still see", "still seeing",
    "i get a", "i get an", "i get this", "i get these", "i get the following", "i get no",
    "i'm getting", "i got a", "i got an", "i got this", "i got these", "also got", "we get a",
    "we get an", "getting an", "getting a", "isn't good", "not good", "doesn't make sense",
    "makes no sense", "ignored", "ignores", "doesn't find", "don't find", "can't find", "cannot",
    "regression", "regressions", "flaky", "hangs", "hanging", "stuck", "times out", "timeout",
    "stack trace", "stacktrace", "traceback", "exit code", "warning", "warnings", "unexpected",
    "unexpectedly", "supposed to", "instead of", "nothing happens", "missing from", "disappears",
    "leaks", "leak", "deadlock", "race condition", "silently", "out of memory", "segfault",
    "null pointer", "why is it", "why does it", "why isn't", "why doesn't", "why are we",
    "why did", "already exists", "not found", "doesn't show", "isn't showing", "not being",
    "this is wrong", "that's wrong", "is wrong", "mismatch",
];

/// Sentences about the shape of code rather than what it does.
#[rustfmt::skip]
pub(super) const SHAPE: &[&str] = &[
    "refactor", "refactoring", "cleanup", "clean up", "duplication", "duplicated code",
    "duplicate code", "dry", "unused", "dead code", "naming", "rename", "renamed", "renaming",
    "simplify", "simpler", "consolidate", "combine", "tidy", "makes more sense than",
    "readability", "more readable", "cleaner", "split", "extract", "move it", "move this",
    "move the", "restructure", "reorganize", "inline it", "awkward", "consistent naming",
    "consistency", "code smell", "too long", "too big", "spaghetti", "tech debt",
    "technical debt", "abstraction", "helper function", "shared function", "reuse",
];

/// Sentences that wish for something without a command.
#[rustfmt::skip]
pub(super) const WISH: &[&str] = &[
    "should", "need", "needs", "we want", "i want", "i'd like", "we'd like", "must", "make sure",
    "let's", "lets", "we'll", "going to", "fall back", "would be nice", "it'd be", "please",
];

/// What people say before they come to the point.
#[rustfmt::skip]
pub(super) const FILLERS: &[&str] = &[
    "ok", "okay", "k", "mmmk", "mmk", "yes", "yup", "yep", "yeah", "no", "nope", "man", "hmm",
    "hmmm", "hm", "so", "and", "also", "now", "then", "please", "well", "perfect", "great",
    "good", "nice", "cool", "thanks", "thank you", "sure", "alright", "right", "but", "first",
    "next", "lastly", "finally", "just", "btw", "oh", "ah", "hey", "hi", "hello", "let's", "lets",
    "let us", "can you", "now we", "so we", "could you", "would you", "will you", "can we",
    "could we", "we should", "we need to", "we want to", "you should", "you need to",
    "i want you to", "i need you to", "i'd like you to", "i want to", "i need to", "i'd like to",
    "we have to", "go ahead and", "try to", "want to", "need to", "help me", "instead",
    "actually", "maybe", "again", "together", "quickly", "carefully", "works now", "in addition",
    "that's fine", "sounds good", "for now",
];
