//! What was left: `we replaced Mixpanel with PostHog` says nothing of analytics, and ends `we use
//! Mixpanel for analytics` all the same.

use super::sentence::Sentence;
use super::{Conflict, Rule};
use crate::claims::change::change;
use crate::claims::grammar::{CHANGES, CHOOSES, FILLERS, SORTS, is_function_word, is_small_word};
use crate::claims::phrase::after;
use crate::claims::reading::Word;
use crate::claims::shapes::Shape;
use crate::claims::{Tense, choice, time};
use std::ops::Range;

/// A longer sentence says more than that something is in use.
const LONGEST: usize = 20;

/// How sure it is: as sure as that somebody meant what they said of all places.
const SURE: f32 = 0.85;

/// What a sentence says to be no longer in use.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Left {
    /// The name of it, and of what came instead, in the form to compare by.
    old: Vec<String>,
    new: Vec<String>,
    /// What it was in use for, as stems; nothing where that is not said.
    about: Vec<String>,
    said: String,
    /// Somebody tells it of themselves.
    by_one: bool,
}

/// Verbs by which a thing goes without another coming.
const DROPS: &[&str] = &[
    "dropped",
    "ditched",
    "retired",
    "abandoned",
    "decommissioned",
    "sunset",
    "scrapped",
    "removed",
];

/// Words by which it was not done, or not yet.
#[rustfmt::skip]
const NOT_DONE: &[&str] = &[
    "not", "never", "nobody", "none", "cannot", "yet", "should", "could", "would", "might", "may", "want", "wants", "will", "being",
    "considered", "consider", "if", "unless", "plan", "plans", "planned", "trying", "tried", "almost",
];

/// Words by which it was not done for good, or not everywhere.
const NOT_FOR_GOOD: &[&str] = &[
    "again",
    "back",
    "reverted",
    "rolled",
    "undone",
    "temporarily",
    "still",
    "keep",
    "keeps",
    "partly",
    "partially",
    "until",
    "new",
];

/// Words that say how far it went and belong to no name.
const HOW_FAR: &[&str] =
    &["entirely", "completely", "everywhere", "altogether", "finally", "anymore", "any"];

/// The words by which something was left.
struct Leaving {
    old: Range<usize>,
    /// Where the name of what came instead begins.
    new: Option<usize>,
    by: Vec<usize>,
}

impl Left {
    /// What this sentence says was left, if it is a name.
    pub(crate) fn of(words: &[Word]) -> Option<Left> {
        // A reason, or what else there is to say, has times of its own.
        let goes_on = |word: &Word| {
            let is_mark = matches!(word.shape, Shape::Mark(',' | ';' | '(' | '—'));
            is_mark || word.is_any(&["because", "since", "so", "due", "after", "as", "but"])
        };
        let end = words.iter().position(goes_on).unwrap_or(words.len());
        let mut taken = vec![false; words.len()];
        if time::take(&words[..end], &mut taken[..end]).tense != Tense::Present {
            return None;
        }
        let Leaving { old, new, by } = match change(words, &taken) {
            Some(change) => Leaving { old: change.old?, new: change.new, by: change.by },
            None => dropped(words, &taken)?,
        };
        let has_name = words[old.clone()].iter().any(is_name);
        let returns = words.iter().any(|word| word.is_any(NOT_FOR_GOOD));
        if !has_name || returns || is_not_done(words, &by) {
            return None;
        }
        let opposes = |at: &usize| words[*at].is_any(&["instead", "rather", "not", "over"]);
        let is_instead = new.is_none() && by.first().is_some_and(opposes);
        let new = new.and_then(|new| after(words, new, &taken)).unwrap_or(0..0);
        // `Kafka` lives on in `Kafka Streams`.
        let forms = |range: &Range<usize>| words[range.clone()].iter().map(form).collect();
        let (left, came): (Vec<String>, Vec<String>) = (forms(&old), forms(&new));
        if came.starts_with(&left) {
            return None;
        }
        let says_what_for = |at: usize| {
            let word = &words[at];
            let is_part = taken[at] || by.contains(&at) || old.contains(&at) || new.contains(&at);
            // `CI runs on GitHub Actions instead of Jenkins`: a name before it is what came.
            let may_be_new = is_instead && is_name(word);
            let tells_apart =
                is_content(word) || word.is_any(SORTS) && words.get(at + 1).is_some_and(is_content);
            let tells_change = word.is_any(CHANGES) || word.is_any(DROPS);
            !is_part && !may_be_new && tells_apart && !tells_change
        };
        let about = (0..end).filter(|at| says_what_for(*at)).map(|at| words[at].stem.clone());
        let said: Vec<&str> = words[old.clone()].iter().map(|word| word.raw.as_str()).collect();
        Some(Left {
            about: about.collect(),
            said: said.join(" "),
            by_one: words.first().is_some_and(|word| word.is("i")),
            old: left,
            new: came,
        })
    }
}

/// Whether a change is told that did not happen, apart from the words that tell it.
fn is_not_done(words: &[Word], by: &[usize]) -> bool {
    let denied = |at: usize| !by.contains(&at) && words[at].is_any(NOT_DONE);
    let nobody = words.windows(2).any(|two| two[0].is("no") && two[1].is("one"));
    nobody || (0..words.len()).any(denied)
}

/// Whether a sentence tells of a change and that it is none: `we decided not to replace X with Y`,
/// `we never stopped using it`.
pub(crate) fn denies_change(words: &[Word]) -> bool {
    let taken = vec![false; words.len()];
    let goes_on = |two: &[Word]| {
        two[0].is_any(&["not", "never"]) && two[1].is_any(&["stopped", "quit", "ceased"])
    };
    if words.windows(2).any(goes_on) {
        return true;
    }
    change(words, &taken).is_some_and(|change| {
        let last = change.by.iter().copied().max().unwrap_or_default();
        let returns = words[last..].iter().any(|word| word.is_any(&["again", "reverted"]));
        returns || is_not_done(words, &change.by)
    })
}

/// Whether a sentence says that something went, and so gives it no value: `we dropped Node 18`.
pub(crate) fn only_drops(words: &[Word]) -> bool {
    let taken = vec![false; words.len()];
    words.iter().any(|word| word.is_any(DROPS)) && change(words, &taken).is_none()
}

/// `we dropped X`, `we stopped using X`, `we got rid of X`, `we no longer use X`.
fn dropped(words: &[Word], taken: &[bool]) -> Option<Leaving> {
    const USES: &[&str] = &["use", "uses", "using", "run", "on", "in"];
    let pair = |at: usize, one: &str, other: &[&str]| {
        words[at].is(one) && words.get(at + 1).is_some_and(|next| next.is_any(other))
    };
    let any_more = words.iter().any(|word| word.is("anymore"))
        || words.windows(2).any(|two| two[0].is("any") && two[1].is("more"));
    let (at, length) = (0..words.len()).find_map(|at| match () {
        () if words[at].is_any(DROPS) => Some((at, 1)),
        () if pair(at, "stopped", &["using", "running"]) => Some((at, 2)),
        () if pair(at, "rid", &["of"]) => Some((at, 2)),
        () if pair(at, "longer", USES) => Some((at, 2)),
        () if any_more && pair(at, "not", USES) => Some((at, 2)),
        () => None,
    })?;
    let mut old = after(words, at + length, taken).filter(|old| old.start <= at + length + 1)?;
    while old.len() > 1 && words[old.end - 1].is_any(HOW_FAR) {
        old.end -= 1;
    }
    Some(Leaving { old, new: None, by: (at..at + length).collect() })
}

/// Whether one of two sentences says that what the other tells to be in use was left.
pub(crate) fn left(one: &Sentence, other: &Sentence) -> Option<(Conflict, f32)> {
    let found = ends(one, other).or_else(|| ends(other, one).map(Conflict::turned))?;
    Some((found, SURE))
}

fn ends(telling: &Sentence, using: &Sentence) -> Option<Conflict> {
    let gone = telling.left.as_ref().filter(|_| using.left.is_none())?;
    let is_plain = using.words.len() <= LONGEST
        && using.denial().is_none()
        && using.time.tense == Tense::Present
        && !(using.conditional || using.asks || using.orders());
    let forms: Vec<String> = using.words.iter().map(form).collect();
    let place = find(&forms, &gone.old).filter(|_| is_plain)?;
    let is_used = is_in_use(&using.words, place..place + gone.old.len());
    let has_new = find(&forms, &gone.new).is_some();
    // `the test database moved` says nothing of the one in production.
    let is_there = |stem: &String| using.words.iter().any(|word| word.stem == *stem);
    let is_meant = gone.about.iter().all(is_there) && !is_of_others(&using.words, gone.by_one);
    (is_used && !has_new && is_meant).then(|| Conflict {
        rule: Rule::Changed,
        about: gone.about.join(" "),
        first: match gone.new.as_slice() {
            [] => format!("no longer {}", gone.said),
            new => new.join(" "),
        },
        second: gone.said.clone(),
    })
}

/// Whether others use it, whatever we or one of us left.
fn is_of_others(words: &[Word], by_one: bool) -> bool {
    #[rustfmt::skip]
    const OTHERS: &[&str] = &[
        "customer", "customers", "vendor", "vendors", "partner", "partners", "supplier", "bank", "competitor", "competitors", "they",
        "their", "users", "legacy", "upstream", "product", "integrate", "integrates", "support", "supports", "export", "exports",
    ];
    words.iter().any(|word| word.is_any(OTHERS))
        || by_one && !words.iter().any(|word| word.is_any(&["i", "my"]))
}

/// Whether the name here is that of what somebody uses: not what is spoken of for another reason.
fn is_in_use(words: &[Word], name: Range<usize>) -> bool {
    const BEFORE: &[&str] = &[
        "with", "on", "in", "by", "via", "through", "to", "at", "from", "is", "are", "=", ":",
        "into",
    ];
    const SERVES: &[&str] =
        &["runs", "handles", "hosts", "serves", "powers", "does", "stores", "keeps", "holds"];
    const NAMED: &[&str] = &["our", "the", "used", "where", "what", "how", "your", "my"];
    let is_article = |word: &&Word| word.is_any(&["the", "our", "a", "an", "still"]);
    let before = words[..name.start].iter().rev().find(|word| !is_article(word));
    let used = before.is_some_and(|word| word.is_any(BEFORE) || word.is_any(CHOOSES));
    // More of a name makes it another: `the Jenkins server`.
    let next = words.get(name.end);
    let goes_on = next.is_some_and(|word| !word.is_mark() && is_content(word));
    let copula = next.is_some_and(|word| word.is_any(&["is", "are"]));
    let named = copula && words.get(name.end + 1).is_some_and(|word| word.is_any(NAMED));
    // `we looked at it` tells what happened; `errors are reported to it` how things are.
    let tells = |two: &[Word]| {
        let past =
            two[1].text.len() > 3 && two[1].text.ends_with("ed") && two[1].shape == Shape::Plain;
        past && !two[0].is_any(&["is", "are", "be", "been", "get", "gets"])
    };
    if words[..name.start].windows(2).any(tells) {
        return false;
    }
    used && !goes_on || named || before.is_none() && next.is_some_and(|word| word.is_any(SERVES))
}

fn find(words: &[String], name: &[String]) -> Option<usize> {
    match name.len() {
        0 => None,
        length => words.windows(length).position(|part| part == name),
    }
}

/// A word as names are compared: of a thing with several spellings the usual one.
fn form(word: &Word) -> String {
    choice(&word.text).map_or_else(|| word.text.clone(), |(_, usual)| usual.to_owned())
}

fn is_name(word: &Word) -> bool {
    let is_number = matches!(word.shape, Shape::Number(..) | Shape::Date | Shape::Version);
    !is_number && (word.capital || word.shape != Shape::Plain || choice(&word.text).is_some())
}

fn is_content(word: &Word) -> bool {
    // `US` is no `us`.
    let is_short_name = word.raw.len() > 1 && word.raw.chars().all(char::is_uppercase);
    let is_grammar = !is_short_name && (is_function_word(&word.text) || is_small_word(&word.text));
    const DENYING: &[&str] = &["not", "no", "longer", "anymore"];
    let says_nothing = [FILLERS, SORTS, DENYING, HOW_FAR].iter().any(|words| word.is_any(words));
    !(word.is_mark() || is_grammar || says_nothing)
}

#[cfg(test)]
mod tests {
    use crate::contradict::{Rule, Verdict, judge};

    /// The rule by which two sentences contradict, if they do.
    fn rule(telling: &str, using: &str) -> Option<Rule> {
        match judge(telling, using).verdict {
            Verdict::Contradicts(conflict) => Some(conflict.rule),
            _ => None,
        }
    }

    #[test]
    fn what_was_left_is_no_longer_in_use() {
        for (telling, using) in [
            ("We replaced Mixpanel with PostHog", "We use Mixpanel for analytics"),
            ("We moved from Jenkins to GitHub Actions", "We deploy with Jenkins"),
            ("We dropped LaunchDarkly, flags are in Unleash", "Feature flags live in LaunchDarkly"),
            ("We got rid of Sentry", "Errors are reported to Sentry"),
            ("We stopped using Notion", "Our docs are in Notion"),
            ("We replaced Redis with RabbitMQ for the job queue", "We use Redis for the job queue"),
            ("Jenkins was replaced by Buildkite", "Jenkins runs our builds"),
            ("We dropped Sentry because it was too expensive", "We use Sentry"),
            ("We dropped Sentry completely", "We use Sentry for errors"),
            ("We don't use Jenkins anymore", "CI runs on Jenkins"),
            ("CI now runs on GitHub Actions instead of Jenkins", "CI runs on Jenkins"),
            (
                "CI moved from CircleCI to GitHub Actions last week",
                "The CI pipeline is on CircleCI",
            ),
        ] {
            assert_eq!(rule(telling, using), Some(Rule::Changed), "{telling} | {using}");
            assert_eq!(rule(using, telling), Some(Rule::Changed), "{using} | {telling}");
        }
    }

    #[test]
    fn what_is_said_of_it_for_another_reason_stays() {
        let mut wrong = Vec::new();
        for (telling, using) in [
            ("We replaced Redis with RabbitMQ for the job queue", "We use Redis for caching"),
            ("We moved the docs from Notion to Confluence", "We plan sprints in Notion"),
            ("We moved from Jenkins to GitHub Actions", "The Jenkins server burned down in March"),
            ("We moved from Jenkins to GitHub Actions", "Never restart Jenkins during a release"),
            ("We replaced Mixpanel with PostHog", "PostHog is like Mixpanel"),
            ("We replaced Mixpanel with PostHog", "We looked at Mixpanel and Amplitude pricing"),
            ("We dropped support for Internet Explorer", "The site is tested in Chrome"),
            ("The test database moved from MySQL to SQLite", "The production database is MySQL"),
            ("The staging cluster moved from EKS to k3s", "The production cluster runs on EKS"),
            ("Integration tests use Vitest instead of Jest", "Unit tests use Jest"),
            ("We replaced Sidekiq with Temporal for billing jobs", "We use Sidekiq for email jobs"),
            ("We decided not to replace Redux with Zustand", "We use Redux for state"),
            ("We haven't moved from Redux to Zustand yet", "We use Redux for state"),
            ("We never stopped using Kafka", "We use Kafka"),
            ("Nobody replaced Kafka with NATS", "We use Kafka"),
            ("Kafka should be replaced by NATS", "We use Kafka"),
            ("We replaced Kafka with NATS temporarily", "We use Kafka"),
            ("We dropped Kafka last year, but we use it again now", "We use Kafka"),
            ("We moved from Jira to Linear", "Our customers use Jira"),
            ("I no longer use Vim", "Ben uses Vim"),
            ("The US region moved from AWS to GCP", "The EU region runs on AWS"),
            ("The server build no longer uses Gradle", "The Android build uses Gradle"),
            ("New code no longer uses Redux", "We use Redux for state"),
            ("We moved from Redux to Zustand and back again", "We use Redux for state"),
            ("We dropped Node 18", "We use Node 22"),
            ("We dropped support for Python 3.8", "We support Python 3.12"),
        ] {
            wrong.extend(rule(telling, using).map(|rule| format!("{rule:?}: {telling} | {using}")));
        }
        assert_eq!(wrong, [""; 0]);
    }
}
