//! What was left: `we replaced Mixpanel with PostHog` says nothing of analytics, and ends `we use
//! Mixpanel for analytics` all the same.

use super::leaving::{form, is_content, is_name};
use super::sentence::Sentence;
use super::{Conflict, Rule};
use crate::claims::Tense;
use crate::claims::grammar::CHOOSES;
use crate::claims::reading::Word;
use crate::claims::shapes::Shape;
use std::ops::Range;

/// A longer sentence says more than that something is in use.
const LONGEST: usize = 20;

/// How sure it is: as sure as that somebody meant what they said of all places.
const SURE: f32 = 0.85;

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
    let name = place..place + gone.old.len();
    let is_named = gone.is_named || using.words[name.clone()].iter().any(is_name);
    let is_used = is_named && is_in_use(&using.words, name);
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
    words.iter().any(|word| word.is_any(OTHERS)) || by_one && !is_of_speaker(words)
}

/// Whether a sentence says how things are with whoever speaks: not what they did once, and not how it is
/// with somebody of theirs.
fn is_of_speaker(words: &[Word]) -> bool {
    #[rustfmt::skip]
    const DID: &[&str] = &[
        "ate", "bought", "broke", "did", "forgot", "found", "gave", "got", "grew", "had", "left", "lost", "made", "met", "said", "saw",
        "sent", "spent", "told", "took", "was", "went", "wrote",
    ];
    #[rustfmt::skip]
    const PEOPLE: &[&str] = &[
        "aunt", "boss", "boyfriend", "brother", "child", "children", "client", "colleague", "colleagues", "cousin", "coworker", "dad",
        "daughter", "family", "father", "friend", "friends", "girlfriend", "husband", "kids", "manager", "mom", "mother", "mum",
        "neighbour", "parents", "partner", "roommate", "sister", "son", "team", "uncle", "wife",
    ];
    let follows = |at: usize, of: &[&str]| words.get(at + 1).is_some_and(|next| next.is_any(of));
    match words.iter().position(|word| word.is("i")) {
        Some(at) => !follows(at, DID),
        None => (0..words.len()).any(|at| words[at].is("my") && !follows(at, PEOPLE)),
    }
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
            ("I moved from Berlin to Lisbon", "I live in Berlin"),
            ("I moved from Berlin to Lisbon", "My flat is in Berlin"),
            ("I no longer work at Acme", "I work at Acme"),
            ("I no longer live in Berlin", "I live in Berlin"),
            ("We stopped using Notion", "Our docs are in Notion"),
            ("We replaced Redis with RabbitMQ for the job queue", "We use Redis for the job queue"),
            ("Jenkins was replaced by Buildkite", "Jenkins runs our builds"),
            ("We dropped Sentry because it was too expensive", "We use Sentry"),
            ("We dropped Sentry completely", "We use Sentry for errors"),
            ("We don't use Jenkins anymore", "CI runs on Jenkins"),
            ("Jenkins is gone, builds run on Buildkite", "CI runs on Jenkins"),
            ("jenkins is gone", "CI runs on jenkins"),
            ("Lodash was removed, use native code", "We use Lodash for arrays"),
            ("Sentry has been retired", "Errors are reported to Sentry"),
            ("LaunchDarkly is history", "Feature flags live in LaunchDarkly"),
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
            ("I no longer work at Acme", "My friend works at Acme"),
            ("I moved from Berlin to Lisbon", "I left my keys in Berlin"),
            ("I moved from Berlin to Lisbon", "My colleague works in Berlin"),
            ("I moved from Berlin to Lisbon", "The conference is in Berlin"),
            ("My wife moved from Hamburg to Bremen", "I live in Hamburg"),
            ("The office moved from Hamburg to Kiel", "I live in Hamburg"),
            (
                "We moved the docs from Confluence to Notion",
                "The contract archive is in Confluence",
            ),
            ("We dropped Sentry for the backend", "The mobile app reports crashes to Sentry"),
            ("The US region moved from AWS to GCP", "The EU region runs on AWS"),
            ("The server build no longer uses Gradle", "The Android build uses Gradle"),
            ("New code no longer uses Redux", "We use Redux for state"),
            ("We moved from Redux to Zustand and back again", "We use Redux for state"),
            ("We dropped Node 18", "We use Node 22"),
            ("Redis was removed from the compose file", "We use Redis for caching"),
            ("The Jenkins badge was removed", "CI runs on Jenkins"),
            ("Kafka is gone from staging", "Events go through Kafka"),
            ("Anna is gone today", "Our contact is Anna"),
            ("Sentry was removed by mistake and is back", "We use Sentry"),
            ("If Kafka is gone, we lose events", "We use Kafka"),
            ("Redis was never removed", "We use Redis"),
            ("Comments were removed", "We use comments sparingly"),
            ("We dropped support for Python 3.8", "We support Python 3.12"),
        ] {
            wrong.extend(rule(telling, using).map(|rule| format!("{rule:?}: {telling} | {using}")));
        }
        assert_eq!(wrong, [""; 0]);
    }
}
