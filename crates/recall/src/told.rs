//! What was said at another time than was asked about, but tells of it: `yesterday`, said on the fourth,
//! is the third.
//!
//! In conversations alone. Elsewhere `yesterday's entries` are those of any day before.

use crate::candidate::{Candidate, Spot};
use crate::read::versions;
use crate::understand::Span;
use crate::{Question, Source, Understanding};
use jiff::Zoned;
use jiff::tz::TimeZone;
use mnemic_model::{Timestamp, Version};
use mnemic_store::{Error, Result};
use mnemic_text::when::{Relation, phrases};

/// Further into a text nobody reads for a time.
const READ: usize = 2_000;

/// Marks those that tell of a time that the question names.
pub(crate) fn mark(
    sources: &[Source<'_>],
    question: &Question,
    understanding: &Understanding,
    candidates: &mut [Candidate],
) -> Result<()> {
    // Of a time that holds now it is told now.
    let mut asked = understanding.times.clone();
    asked.retain(|span| !span.holds(question.now));
    if asked.is_empty() || !question.switches.time {
        return Ok(());
    }
    let is_turn = |one: &&Candidate| one.glance.turn.is_some() && one.is_found_by_content();
    let unread = candidates.iter().filter(is_turn).filter(|one| !one.in_time);
    let spots: Vec<Spot> = unread.map(|one| one.spot).collect();
    let read = match versions(sources, &spots) {
        // Not all of these will be shown; whoever shows a damaged one says so.
        Err(Error::Damaged(_)) => return Ok(()),
        read => read?,
    };
    for one in candidates.iter_mut() {
        let Some(version) = read.get(&one.spot) else { continue };
        one.tells_of_time = tells_of(version, &question.zone, &asked);
    }
    Ok(())
}

fn tells_of(version: &Version, zone: &TimeZone, asked: &[Span]) -> bool {
    let text = version.content.body.full_text();
    let text = text.get(..text.floor_char_boundary(READ)).unwrap_or_default();
    let said = version.content.valid.from().to_jiff().to_zoned(zone.clone());
    told(text, &said).iter().any(|told| asked.iter().any(|asked| lies_in(told, asked)))
}

/// The times that a text tells of, but for those that hold the moment at which it was said: that it is
/// of that moment is known.
fn told(text: &str, said: &Zoned) -> Vec<Span> {
    let moment = said.timestamp();
    let within = phrases(text, said).into_iter().filter(|one| one.relation == Relation::Within);
    let told = within.filter(|one| !(one.from <= moment && moment < one.to));
    told.flat_map(|one| one.stretches().filter_map(Span::of).collect::<Vec<_>>()).collect()
}

/// Whether at least half of one span lies in the other.
fn lies_in(told: &Span, asked: &Span) -> bool {
    let length = |from: Timestamp, to: Timestamp| to.micros() - from.micros();
    let both = length(told.from.max(asked.from), told.to.min(asked.to));
    both > 0 && 2 * both >= length(told.from, told.to)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The days that a text tells of, when it was said on a Wednesday.
    fn days(text: &str) -> Vec<String> {
        let said: Zoned = "2023-10-04T18:00:00[UTC]".parse().expect("a time");
        let day = |at: Timestamp| at.to_string()[..10].to_owned();
        told(text, &said)
            .iter()
            .map(|span| format!("{} {}", day(span.from), day(span.to)))
            .collect()
    }

    #[test]
    fn what_a_text_tells_of_is_seen_from_when_it_was_said() {
        for (text, told) in [
            ("I met two artists in Boston yesterday", &["2023-10-03 2023-10-04"][..]),
            ("last Friday I went to the car show", &["2023-09-29 2023-09-30"]),
            (
                "I took my niece there on February 8, then again last week",
                &["2023-02-08 2023-02-09", "2023-09-25 2023-10-02"],
            ),
            ("tomorrow we leave", &["2023-10-05 2023-10-06"]),
            // Of the moment itself that is known, and so it is of what began before and goes on.
            ("I have been busy lately, this week above all", &[]),
            ("now that I think of it, today was fine", &[]),
            ("we have lived here since March", &[]),
            ("Boston is where I met those two artists", &[]),
            ("one may march for two weeks, a second at a time", &[]),
        ] {
            assert_eq!(days(text), told, "{text}");
        }
    }

    #[test]
    fn half_of_what_is_told_must_lie_in_the_time_asked_about() {
        let time =
            |day: u8| Timestamp::parse(&format!("2023-10-{day:02}T00:00:00Z")).expect("a time");
        let span = |from, to| Span { from: time(from), to: time(to) };
        for (told, asked, expected) in [
            ((3, 4), (1, 30), true),
            ((1, 8), (5, 30), false),
            ((1, 8), (4, 30), true),
            ((1, 30), (3, 4), false),
            ((3, 4), (4, 5), false),
        ] {
            let (told, asked) = (span(told.0, told.1), span(asked.0, asked.1));
            assert_eq!(lies_in(&told, &asked), expected, "{told:?} {asked:?}");
        }
    }
}
