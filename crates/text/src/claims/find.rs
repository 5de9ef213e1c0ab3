//! From the words of one clause to what it claims.

use std::ops::Range;

use super::attributes::{Cue, Kind, Side, cues};
use super::change::{Change, change};
use super::choices::choice;
use super::doubtful::{is_led_to, is_property, is_weighed};
use super::grammar::{COPULAS, GIVES, is_function_word};
use super::phrase::{after, before};
use super::reading::Word;
use super::shapes::Shape;
use super::thing::thing;
use super::value::Value;
use super::{Claim, time};

/// A clause and what of it has been read.
pub(crate) struct Scan<'a> {
    pub(crate) words: &'a [Word],
    pub(crate) taken: Vec<bool>,
    pub(super) change: Option<Change>,
}

/// A value that was found, for which attribute, and where.
pub(super) struct Found {
    pub(super) attribute: String,
    pub(super) value: Value,
    pub(super) place: Range<usize>,
    pub(super) old: Option<Value>,
}

/// Reads a value of some shape at a place, and says how many words it takes.
pub(super) type Read = fn(&[Word], usize) -> Option<(Value, usize)>;

/// What a clause claims, if it claims something of one thing.
pub(crate) fn claim(words: &[Word]) -> Option<Claim> {
    if is_weighed(words) {
        return None;
    }
    let mut scan = Scan { words, taken: vec![false; words.len()], change: None };
    let dated = scan.dated();
    let time = time::take(words, &mut scan.taken);
    scan.change = change(words, &scan.taken);
    let by = scan.change.iter().flat_map(|change| change.by.clone()).collect::<Vec<_>>();
    let denied = scan.take_denials(&by);
    let found = dated
        .or_else(|| scan.state(denied))
        .or_else(|| scan.by_cue(true))
        .or_else(|| scan.product_version())
        .or_else(|| scan.by_cue(false));
    let implied = found.is_none();
    let found = found
        .or_else(|| scan.by_choice())
        .or_else(|| scan.moved())
        .or_else(|| scan.counted())
        .or_else(|| scan.plain_value())
        .or_else(|| scan.for_purpose())?;
    let is_named = matches!(found.value, Value::Words(_)) && found.attribute != STATUS;
    if is_named && is_property(&words[found.place.clone()], &found.attribute) {
        return None;
    }
    let said = words[found.place.clone()].iter().map(|word| word.raw.as_str());
    let said = said.collect::<Vec<_>>().join(" ");
    scan.take(found.place);
    for at in by {
        scan.taken[at] = true;
    }
    if let Some(old) = scan.change.as_ref().and_then(|change| change.old.clone()) {
        scan.take(old);
    }
    let holds = !denied || found.attribute == STATUS;
    let (entity, named) = thing(&scan, &found.attribute);
    Some(Claim {
        entity,
        named,
        attribute: found.attribute,
        value: found.value,
        said,
        old: found.old,
        holds,
        implied,
        time,
    })
}

pub(crate) const STATUS: &str = "status";

impl Scan<'_> {
    pub(super) fn take(&mut self, place: Range<usize>) {
        self.taken[place].fill(true);
    }

    /// Denials, except those that belong to a change (`pnpm, not npm`).
    fn take_denials(&mut self, but: &[usize]) -> bool {
        let mut denied = false;
        for at in 0..self.words.len() {
            let word = &self.words[at];
            let stops = word.is_any(&[
                "stop",
                "stopped",
                "avoid",
                "dropped",
                "drop",
                "abandoned",
                "ditched",
                "quit",
            ]);
            let denies = word.is_any(&["not", "never", "no", "nobody", "none", "without"]) || stops;
            // Numbers drop without denying anything.
            let drops =
                stops && self.words.iter().any(|word| matches!(word.shape, Shape::Number(..)));
            if denies && !drops && !but.contains(&at) && !self.taken[at] {
                denied = true;
                self.taken[at] = true;
                if self.words.get(at + 1).is_some_and(|word| word.is_any(&["longer", "more"])) {
                    self.taken[at + 1] = true;
                }
            }
        }
        denied
    }

    /// Old values look like new ones.
    pub(super) fn old(&self, read: Read) -> Option<Value> {
        let place = self.change.as_ref()?.old.clone()?;
        place.clone().find_map(|at| read(self.words, at)).map(|(value, _)| value)
    }

    pub(super) fn old_words(&self) -> Option<Value> {
        let place = self.change.as_ref()?.old.clone()?;
        Some(Value::of_words(&self.words[place]))
    }

    pub(super) fn is_old(&self, at: usize) -> bool {
        let old = self.change.as_ref().and_then(|change| change.old.as_ref());
        old.is_some_and(|old| old.contains(&at))
    }

    /// The first copula or mark between a thing and its value.
    pub(super) fn copula(&self, range: Range<usize>) -> Option<usize> {
        let mut places = range;
        places.find(|at| {
            let word = &self.words[*at];
            let marks = matches!(word.shape, Shape::Mark(':' | '=' | '—'));
            (word.is_any(COPULAS) || marks) && !self.taken[*at]
        })
    }

    /// A value by the words that name its attribute; those with a shape of their own first.
    fn by_cue(&mut self, shaped: bool) -> Option<Found> {
        let cues = cues(self.words, &self.taken);
        let wanted = |cue: &&Cue| matches!(cue.kind, Kind::Number | Kind::Version) == shaped;
        let (cue, mut found) =
            cues.iter().filter(wanted).find_map(|cue| Some((*cue, self.at_cue(cue)?)))?;
        self.take(cue.start..cue.end);
        // `listens on port 8080` names its attribute twice.
        for again in cues.iter().filter(|again| again.attribute == cue.attribute) {
            self.take(again.start..again.end);
        }
        if let Some(verb) = cue.verb {
            self.taken[verb] = true;
        }
        if shaped && cue.side == Side::Noun && cue.kind == Kind::Number {
            self.join_nouns(&cues, &mut found);
        }
        Some(found)
    }

    /// `memory limit` and `limit on memory` are one attribute.
    fn join_nouns(&mut self, cues: &[Cue], found: &mut Found) {
        let mut names = vec![found.attribute.clone()];
        for cue in cues.iter().filter(|cue| cue.side == Side::Noun && cue.kind == Kind::Number) {
            let free = !self.taken[cue.start..cue.end].contains(&true);
            if free && !found.place.contains(&cue.start) {
                names.push(cue.attribute.to_owned());
                self.take(cue.start..cue.end);
            }
        }
        names.sort();
        names.dedup();
        found.attribute = names.join(" ");
    }

    fn at_cue(&self, cue: &Cue) -> Option<Found> {
        let (value, place, old) = match cue.kind {
            Kind::Number => self.shaped(cue, Value::quantity)?,
            Kind::Version => self.shaped(cue, Value::version)?,
            Kind::Date => return None,
            Kind::Place | Kind::Name => self.named(cue)?,
        };
        let mut attribute = cue.attribute.to_owned();
        const BROAD: &[&str] =
            &["framework", "preference", "default", "database", "language", "format", "style"];
        if let [word] = &self.words[place.clone()]
            && let Some((category, _)) = choice(&word.text)
            && BROAD.contains(&cue.attribute)
        {
            attribute = category.to_owned();
        }
        Some(Found { attribute, value, place, old })
    }

    /// A number or a version near its cue.
    fn shaped(&self, cue: &Cue, read: Read) -> Option<(Value, Range<usize>, Option<Value>)> {
        let free = |at: &usize| !self.taken[*at] && !self.is_old(*at);
        let find = |range: Range<usize>| {
            range.filter(free).find_map(|at| {
                let (value, length) = read(self.words, at)?;
                Some((value, at..at + length))
            })
        };
        let changed = self.change.as_ref().and_then(|change| change.new);
        let reach = if cue.side == Side::After { cue.end + 4 } else { self.words.len() };
        let end = reach.min(self.words.len());
        let (value, place) = changed
            .and_then(|new| find(new..self.words.len().min(new + 4)))
            .or_else(|| find(cue.end.min(end)..end))
            .or_else(|| find(self.before_cue(cue)))?;
        Some((value, place, self.old(read)))
    }

    /// Where a number may stand before its noun: `8080 is the port`, `a 30 s timeout`.
    fn before_cue(&self, cue: &Cue) -> Range<usize> {
        if cue.side == Side::After {
            return 0..0;
        }
        match self.copula(0..cue.start) {
            Some(_) => 0..cue.start,
            // `512 MB of memory`
            None if cue.start > 0 && self.words[cue.start - 1].is("of") => {
                cue.start.saturating_sub(3)..cue.start
            }
            None => cue.start.saturating_sub(2)..cue.start,
        }
    }

    /// One or a few words that the sentence makes the value.
    fn named(&self, cue: &Cue) -> Option<(Value, Range<usize>, Option<Value>)> {
        let mut taken = self.with(cue.start..cue.end);
        for again in
            cues(self.words, &self.taken).iter().filter(|again| again.attribute == cue.attribute)
        {
            taken[again.start..again.end].fill(true);
        }
        let place = self.name_place(cue, &taken)?;
        let place = self.narrowed(cue, place);
        let is_name = cue.kind == Kind::Name && cue.side == Side::Noun;
        if is_name && is_led_to(self.words, place.start, cue.attribute) {
            return None;
        }
        let old = self.old_words();
        Some((Value::of_words(&self.words[place.clone()]), place, old))
    }

    fn with(&self, place: Range<usize>) -> Vec<bool> {
        let mut taken = self.taken.clone();
        taken[place].fill(true);
        taken
    }

    fn name_place(&self, cue: &Cue, taken: &[bool]) -> Option<Range<usize>> {
        if let Some(new) = self.change.as_ref().and_then(|change| change.new) {
            return after(self.words, new, taken);
        }
        match cue.side {
            Side::After => after(self.words, cue.end, taken),
            // A file holds a setting; a box that holds apples is no place of theirs.
            Side::Before if cue.kind == Kind::Place => before(self.words, cue.start, taken)
                .filter(|place| self.words[place.clone()].iter().any(|it| it.shape == Shape::Path)),
            Side::Before => before(self.words, cue.start, taken),
            Side::Noun => self.beside_noun(cue, taken),
        }
    }

    fn beside_noun(&self, cue: &Cue, taken: &[bool]) -> Option<Range<usize>> {
        if let Some(copula) = self.copula(cue.end..self.words.len()) {
            return after(self.words, copula + 1, taken);
        }
        if let Some(copula) = self.copula(0..cue.start) {
            return before(self.words, copula, taken);
        }
        // `Ann serves as the owner`, `with main as default branch`
        let serves = (0..cue.start).rev().find(|at| self.words[*at].is("as"));
        if let Some(given) = self.given(serves.unwrap_or(cue.start), taken) {
            return Some(given);
        }
        let Some(serves) = serves else {
            // `has its log level at debug`
            let beside = self.words.get(cue.end)?.is_any(&["at", "to", "as"]);
            return beside.then(|| after(self.words, cue.end, taken)).flatten();
        };
        let verb = serves.checked_sub(1)?;
        let acts =
            self.words[verb].is_any(&["serves", "acts", "works", "functions", "act", "serve"]);
        before(self.words, if acts { verb } else { serves }, taken)
    }

    /// `made trunk the default branch`, `picked pnpm as package manager`: what stands between the
    /// verb and the noun.
    fn given(&self, until: usize, taken: &[bool]) -> Option<Range<usize>> {
        let verb = (0..until).rev().find(|at| self.words[*at].is_any(GIVES))?;
        let place = after(self.words, verb + 1, taken)?;
        let rest = self.words.get(place.end..until)?;
        let is_next = rest.iter().all(|word| is_function_word(&word.text));
        is_next.then_some(place)
    }

    /// Of a place the path alone.
    fn narrowed(&self, cue: &Cue, place: Range<usize>) -> Range<usize> {
        let path = place.clone().find(|at| self.words[*at].shape == Shape::Path);
        match path {
            Some(at) if cue.kind == Kind::Place => at..at + 1,
            _ => place,
        }
    }
}
