//! Time phrases of English sentences, and the stretch of time that each means seen from a now.

mod amount;
mod clock;
mod grammar;
mod moment;
mod named;
mod relative;
mod stretch;
mod tokens;
mod vocabulary;
mod written;

use std::ops::Range;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Zoned};

use grammar::Grammar;
use stretch::Stretch;
use tokens::{Kind, Token};

/// What a phrase says about the time that it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Relation {
    /// `last week`, `from march to may`: both ends are said.
    Within,
    /// `since march`: open towards now, march included.
    Since,
    /// `after march`: open towards now, march not included.
    After,
    /// `until march`: open towards the past, march included.
    Until,
    /// `before march`: open towards the past, march not included.
    Before,
}

/// A time phrase and what it means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    /// The bytes of the text that hold it, without prepositions that do not change its meaning.
    pub span: Range<usize>,
    /// The first instant. The year 1 where the phrase is open towards the past.
    pub from: Timestamp,
    /// The instant after the last. The end of today where the phrase is open towards now.
    pub to: Timestamp,
    /// The first day, in the zone of the now.
    pub first_day: Date,
    /// The last day that the phrase names. A night belongs to the day it began on.
    pub last_day: Date,
    /// What lies between two days of which one is meant: `last friday`, which on a Saturday is that
    /// of this week or of the one before.
    pub gap: Option<Range<Timestamp>>,
    pub relation: Relation,
}

impl Phrase {
    /// Whether it reaches back without end, so that `from` is only a bound.
    pub fn has_open_start(&self) -> bool {
        matches!(self.relation, Relation::Until | Relation::Before)
    }

    /// The stretches of time that it means, each half open.
    pub fn stretches(&self) -> impl Iterator<Item = Range<Timestamp>> {
        let gap = self.gap.clone();
        let until = gap.as_ref().map_or(self.to, |gap| gap.start);
        std::iter::once(self.from..until).chain(gap.map(|gap| gap.end..self.to))
    }

    /// Whether it reaches on to now, so that `to` is only a bound.
    pub fn has_open_end(&self) -> bool {
        matches!(self.relation, Relation::Since | Relation::After)
    }
}

/// The time phrases of a text in order, without overlap.
///
/// Seen from `now`, in its zone. What could lie ahead as well as behind (`march`, `friday`) lies
/// behind, because memories do, unless the text speaks of what is to come (`will`, `due`). Weeks begin
/// on Monday.
pub fn phrases(text: &str, now: &Zoned) -> Vec<Phrase> {
    let tokens = tokens::tokens(text);
    let zone = now.time_zone();
    let is_alone = tokens.iter().filter(|token| token.kind != Kind::Stop).count() == 1;
    let (today, now) = (now.date(), now.datetime());
    let looks_ahead = looks_ahead(&tokens);
    let grammar = Grammar { tokens: &tokens, now, today, zone, is_alone, looks_ahead };
    let mut found = Vec::new();
    let begins = beginnings(&tokens);
    let mut at = 0;
    while at < tokens.len() {
        let read = begins[at].then(|| grammar.phrase(at)).flatten();
        let read = read.and_then(|((stretch, relation), next)| {
            let span = tokens[at].span.start..tokens[next - 1].span.end;
            Some((phrase(span, &stretch, relation, zone)?, next))
        });
        match read {
            Some((phrase, next)) => {
                found.push(phrase);
                at = next;
            }
            None => at += 1,
        }
    }
    found
}

/// Words of who speaks of what is to come, unless others say that it was to come then.
const AHEAD: &[&str] = &["will", "won't", "due", "upcoming", "deadline", "happens"];
const THEN: &[&str] = &["was", "were", "did", "had", "happened", "would"];

fn looks_ahead(tokens: &[Token<'_>]) -> bool {
    let is = |token: &Token<'_>, words: &[&str]| matches!(&token.kind, Kind::Word(word) if words.contains(&&**word));
    let plans = tokens.array_windows().any(|[one, two]| is(one, &["going"]) && is(two, &["to"]));
    (plans || tokens.iter().any(|token| is(token, AHEAD)))
        && !tokens.iter().any(|token| is(token, THEN))
}

/// For each token, whether a phrase can begin with it: no phrase reaches across a stop, and none is
/// without a token that names a time. Most sentences name none, and the grammar need not try them.
fn beginnings(tokens: &[Token<'_>]) -> Vec<bool> {
    let mut begins = vec![false; tokens.len()];
    let mut is_time_ahead = false;
    for (token, begins) in tokens.iter().zip(&mut begins).rev() {
        is_time_ahead = token.kind != Kind::Stop && (is_time_ahead || token.kind.names_time());
        *begins = is_time_ahead && token.kind.begins_phrase();
    }
    begins
}

fn phrase(
    span: Range<usize>,
    stretch: &Stretch,
    relation: Relation,
    zone: &TimeZone,
) -> Option<Phrase> {
    let from = stretch.from.to_zoned(zone.clone()).ok()?.timestamp();
    let to = stretch.to.to_zoned(zone.clone()).ok()?.timestamp();
    // A clock that is put forward can swallow a short stretch.
    let to = if to <= from { from.checked_add(1.hour()).ok()? } else { to };
    let (first_day, last_day) = (stretch.first, stretch.last);
    let midnight = |day: Date| Some(day.to_zoned(zone.clone()).ok()?.timestamp());
    let gap = match stretch.is_either {
        true => Some(midnight(first_day.tomorrow().ok()?)?..midnight(last_day)?),
        false => None,
    };
    Some(Phrase { span, from, to, first_day, last_day, gap, relation })
}

#[cfg(test)]
mod tests;
