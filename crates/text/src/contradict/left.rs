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
}

/// Verbs by which a thing goes without another coming.
const DROPS: &[&str] =
    &["dropped", "ditched", "retired", "abandoned", "decommissioned", "sunset", "scrapped"];

impl Left {
    /// What this sentence says was left, if it is a name.
    pub(crate) fn of(words: &[Word]) -> Option<Left> {
        let mut taken = vec![false; words.len()];
        if time::take(words, &mut taken).tense != Tense::Present {
            return None;
        }
        let (old, new, by) = match change(words, &taken) {
            Some(change) => (change.old?, change.new, change.by),
            None => dropped(words, &taken)?,
        };
        let new = new.and_then(|new| after(words, new, &taken)).unwrap_or(0..0);
        if !words[old.clone()].iter().any(is_name) {
            return None;
        }
        let cause = |word: &Word| word.is_any(&["because", "since", "so", "due", "after", "as"]);
        let end = words.iter().position(cause).unwrap_or(words.len());
        let says_what_for = |at: usize| {
            let word = &words[at];
            let is_part = taken[at] || by.contains(&at) || old.contains(&at) || new.contains(&at);
            !is_part && is_content(word) && !word.is_any(CHANGES) && !word.is_any(DROPS)
        };
        Some(Left {
            about: (0..end)
                .filter(|at| says_what_for(*at))
                .map(|at| words[at].stem.clone())
                .collect(),
            said: words[old.clone()]
                .iter()
                .map(|word| word.raw.as_str())
                .collect::<Vec<_>>()
                .join(" "),
            old: words[old].iter().map(form).collect(),
            new: words[new].iter().map(form).collect(),
        })
    }
}

/// `we dropped X`, `we stopped using X`, `we got rid of X`, `we no longer use X`.
fn dropped(words: &[Word], taken: &[bool]) -> Option<(Range<usize>, Option<usize>, Vec<usize>)> {
    let pair = |at: usize, one: &str, other: &[&str]| {
        words[at].is(one) && words.get(at + 1).is_some_and(|next| next.is_any(other))
    };
    let (at, length) = (0..words.len()).find_map(|at| match () {
        () if words[at].is_any(DROPS) => Some((at, 1)),
        () if pair(at, "stopped", &["using", "running"]) => Some((at, 2)),
        () if pair(at, "rid", &["of"]) => Some((at, 2)),
        () if pair(at, "longer", &["use", "uses", "using", "run", "on", "in"]) => Some((at, 2)),
        () => None,
    })?;
    let old = after(words, at + length, taken).filter(|old| old.start <= at + length + 1)?;
    Some((old, None, (at..at + length).collect()))
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
    let is_meant =
        gone.about.is_empty() || using.words.iter().any(|word| gone.about.contains(&word.stem));
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
    let is_grammar = is_function_word(&word.text) || is_small_word(&word.text);
    const SAYING_HOW: &[&str] =
        &["not", "no", "longer", "anymore", "entirely", "completely", "everywhere"];
    let says_nothing = [FILLERS, SORTS, SAYING_HOW].iter().any(|words| word.is_any(words));
    !(word.is_mark() || is_grammar || says_nothing)
}

#[cfg(test)]
mod tests {
    use crate::contradict::{Rule, Verdict, judge};

    fn ends(telling: &str, using: &str) -> bool {
        match judge(telling, using).verdict {
            Verdict::Contradicts(conflict) => conflict.rule == Rule::Changed,
            _ => false,
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
            (
                "CI moved from CircleCI to GitHub Actions last week",
                "The CI pipeline is on CircleCI",
            ),
        ] {
            assert!(ends(telling, using), "{telling} | {using}");
            assert!(ends(using, telling), "{using} | {telling}");
        }
    }

    #[test]
    fn what_is_said_of_it_for_another_reason_stays() {
        for (telling, using) in [
            ("We replaced Redis with RabbitMQ for the job queue", "We use Redis for caching"),
            ("We moved the docs from Notion to Confluence", "We plan sprints in Notion"),
            ("We moved from Jenkins to GitHub Actions", "The Jenkins server burned down in March"),
            ("We moved from Jenkins to GitHub Actions", "Never restart Jenkins during a release"),
            ("We replaced Mixpanel with PostHog", "PostHog is like Mixpanel"),
            ("We replaced Mixpanel with PostHog", "We looked at Mixpanel and Amplitude pricing"),
            ("We dropped support for Internet Explorer", "The site is tested in Chrome"),
        ] {
            assert!(!ends(telling, using), "{telling} | {using}");
        }
    }
}
