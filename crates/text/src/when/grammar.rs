//! The grammar of time phrases: what joins two of them or leaves one open.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use super::Relation;
use super::moment::Moment;
use super::stretch::{BEGINNING, Stretch, span};
use super::tokens::{Kind, Token};
use super::vocabulary::Unit;

/// What was read and the token after it.
pub(super) type Read<T> = Option<(T, usize)>;

pub(super) struct Grammar<'a> {
    pub(super) tokens: &'a [Token<'a>],
    pub(super) now: DateTime,
    pub(super) today: Date,
    pub(super) zone: &'a TimeZone,
    /// The text is nothing but one token.
    pub(super) is_alone: bool,
    /// The text speaks of what is to come.
    pub(super) looks_ahead: bool,
}

impl Grammar<'_> {
    /// The longest phrase that begins with the token.
    pub(super) fn phrase(&self, at: usize) -> Read<(Stretch, Relation)> {
        let within = |(stretch, next)| ((stretch, Relation::Within), next);
        self.between(at)
            .map(within)
            .or_else(|| self.open(at))
            .or_else(|| self.joined(at, false).map(within))
            .or_else(|| self.onwards(at))
            .or_else(|| self.moment(at, false).and_then(|read| self.resolved(read)).map(within))
    }

    /// `between X and Y`, `from X to Y`.
    fn between(&self, at: usize) -> Read<Stretch> {
        if let Some(next) = self.word(at, &["between"]) {
            let (first, next) = self.moment(next, true)?;
            let next = self.word(next, &["and"])?;
            let (last, next) = self.moment(next, true)?;
            return Some((self.reach(first, last)?, next));
        }
        self.joined(self.word(at, &["from"])?, true)
    }

    /// `X to Y`, `X through Y`.
    fn joined(&self, at: usize, is_introduced: bool) -> Read<Stretch> {
        // A month or year that is not yet known to be one becomes one through its partner.
        let loose = is_introduced || self.leads_to_partner(at);
        let (first, next) = self.moment(at, loose)?;
        let next = self.joint(next)?;
        let (last, next) = self.moment(next, true)?;
        Some((self.reach(first, last)?, next))
    }

    fn leads_to_partner(&self, at: usize) -> bool {
        self.joint(at + 1).is_some_and(|next| self.moment(next, false).is_some())
    }

    fn joint(&self, at: usize) -> Option<usize> {
        if matches!(self.kind(at), Some(Kind::Dash)) {
            return Some(at + 1);
        }
        self.word(at, &["to", "through", "thru", "until", "till"])
    }

    /// The year of one end decides that of the other.
    fn reach(&self, first: Moment, last: Moment) -> Option<Stretch> {
        let (start, end) = if first.is_fixed() && !last.is_fixed() {
            let start = first.before(self.today)?;
            (start, last.after(start.first)?)
        } else {
            let end = last.before(self.today)?;
            (first.before(end.last)?, end)
        };
        let stretch = Stretch { to: end.to, last: end.last, is_either: false, ..start };
        (stretch.from < stretch.to && stretch.first <= stretch.last).then_some(stretch)
    }

    /// `since X`, `until X`, `before X`, `after X`, `older than X`.
    fn open(&self, at: usize) -> Read<(Stretch, Relation)> {
        if let Some(read) = self.older(at) {
            return Some(read);
        }
        let (relation, next) = self.opening(at)?;
        let next = self.word(next, &["at"]).unwrap_or(next);
        // `what are you up to lately` opens nothing.
        if self.word(next, &["recently", "lately"]).is_some() {
            return None;
        }
        let (moment, next) = self.moment(next, true)?;
        let stretch = match relation {
            Relation::Since => moment.before(self.today)?,
            _ => self.placed(moment)?,
        };
        Some(((self.opened(stretch, relation)?, relation), next))
    }

    fn opening(&self, at: usize) -> Read<Relation> {
        let plain = |words: &[&str], relation| Some((relation, self.word(at, words)?));
        let pair = |first: &str, second: &[&str], relation| {
            Some((relation, self.word(self.word(at, &[first])?, second)?))
        };
        plain(&["since"], Relation::Since)
            .or_else(|| plain(&["until", "till"], Relation::Until))
            .or_else(|| plain(&["before"], Relation::Before))
            .or_else(|| plain(&["after", "following"], Relation::After))
            .or_else(|| pair("up", &["to", "until", "till"], Relation::Until))
            .or_else(|| pair("prior", &["to"], Relation::Before))
            .or_else(|| pair("earlier", &["than"], Relation::Before))
            .or_else(|| pair("later", &["than"], Relation::After))
    }

    /// `older than two weeks`, `more than two weeks ago` and their opposites.
    fn older(&self, at: usize) -> Read<(Stretch, Relation)> {
        let (is_older, word) = match self.text(at)? {
            word @ ("older" | "more" | "longer") => (true, word),
            word @ ("newer" | "less" | "younger") => (false, word),
            _ => return None,
        };
        let (count, unit, next) = self.duration(self.word(at + 1, &["than"])?)?;
        let ago = self.word(next, &["ago"]);
        let next =
            if matches!(word, "more" | "less" | "longer") { ago? } else { ago.unwrap_or(next) };
        let there = self.now.checked_sub(span(unit, count)?).ok()?;
        let stretch = Stretch::day(there.date())?;
        let relation = if is_older { Relation::Before } else { Relation::Since };
        Some(((self.opened(stretch, relation)?, relation), next))
    }

    /// `march onwards`, `from march on`.
    fn onwards(&self, at: usize) -> Read<(Stretch, Relation)> {
        let from = self.word(at, &["from"]);
        // The word at the end says that this is a time.
        let (moment, next) = self.moment(from.unwrap_or(at), true)?;
        let ends: &[&str] = &["onwards", "onward", "forward", "on"];
        let ends = if from.is_some() { ends } else { &ends[..2] };
        let next = self.word(next, ends)?;
        let stretch = self.opened(moment.before(self.today)?, Relation::Since)?;
        Some(((stretch, Relation::Since), next))
    }

    fn opened(&self, stretch: Stretch, relation: Relation) -> Option<Stretch> {
        let today = Stretch::day(self.today)?;
        let past = Stretch::day(BEGINNING)?;
        let (from, to) = match relation {
            Relation::Within => return Some(stretch),
            Relation::Since => (stretch.from, today.to.max(stretch.to)),
            Relation::After if stretch.to > today.to => {
                (stretch.to, stretch.to.checked_add(span(Unit::Year, 1)?).ok()?)
            }
            Relation::After => (stretch.to, today.to),
            Relation::Until => (past.from, stretch.to),
            Relation::Before => (past.from, stretch.from),
        };
        let mut opened = Stretch::times(from, to)?;
        if relation == Relation::Until {
            opened.last = stretch.last;
        }
        Some(opened)
    }

    pub(super) fn resolved(&self, (moment, next): (Moment, usize)) -> Read<Stretch> {
        Some((self.placed(moment)?, next))
    }

    /// What could lie ahead as well as behind lies behind, because memories do, unless the text says
    /// otherwise. What is under way is meant either way.
    pub(super) fn placed(&self, moment: Moment) -> Option<Stretch> {
        let behind = moment.before(self.today)?;
        match self.looks_ahead && behind.last < self.today {
            true => moment.after(self.today),
            false => Some(behind),
        }
    }

    pub(super) fn kind(&self, at: usize) -> Option<&Kind<'_>> {
        self.tokens.get(at).map(|token| &token.kind)
    }

    pub(super) fn text(&self, at: usize) -> Option<&str> {
        match self.kind(at)? {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The token after a word that is one of these.
    pub(super) fn word(&self, at: usize, words: &[&str]) -> Option<usize> {
        self.text(at).filter(|word| words.contains(word)).map(|_| at + 1)
    }
}
