//! Finds text that talks to an agent instead of about the world. It finds what attackers usually
//! write and no more: a reason to trust a text less, never one to trust it.

mod disguised;
mod folded;
mod languages;
mod signals;
#[cfg(test)]
mod tests;

use disguised::undisguised;
use folded::folded;
use signals::{SIGNALS, Triggers};
use std::collections::BTreeSet;
use std::ops::Range;

/// How much a text looks like an order to an agent, and by what.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Suspicion {
    /// 0 for nothing, towards 1 the surer.
    pub score: f64,
    /// The names of the signals, e.g. `override`.
    pub reasons: Vec<&'static str>,
}

/// What a text is read in: long enough for an order with its wrapping, short enough that harmless
/// remarks of a long text do not add up.
const WINDOW: usize = 700;
/// As much as one pattern reaches.
const OVERLAP: usize = 250;
/// Longer texts are judged by as much; what is not read counts as a signal.
const MOST: usize = 16 * 1024 * 1024;

/// The most suspicious part of a text.
pub fn suspicion(text: &str) -> Suspicion {
    let cut = floor(text, MOST);
    let mut worst = Suspicion::default();
    if cut < text.len() {
        worst = scored(BTreeSet::from([signals::UNREAD]));
    }
    let text = &text[..cut];
    let mut hidden = folded::hidden(text);
    let plain = folded(text);
    worst = worst.or(worst_part(&plain, &hidden));
    if let Some(spoken) = undisguised(&plain) {
        hidden.insert(signals::DISGUISED);
        worst = worst.or(worst_part(&spoken, &hidden));
    }
    if plain.is_empty() && !hidden.is_empty() {
        worst = scored(hidden);
    }
    worst
}

fn worst_part(plain: &str, hidden: &BTreeSet<usize>) -> Suspicion {
    let mut triggers = Triggers::of(plain);
    let parts = windows(plain).map(|window| {
        let mut met = triggers.met(window);
        met.extend(hidden);
        scored(met)
    });
    parts.fold(Suspicion::default(), Suspicion::or)
}

impl Suspicion {
    /// The graver of two.
    fn or(self, other: Suspicion) -> Suspicion {
        if other.score > self.score { other } else { self }
    }
}

/// Signals are independent hints: each leaves so much doubt that it is harmless.
fn scored(met: BTreeSet<usize>) -> Suspicion {
    let doubt: f64 = met.iter().map(|signal| 1.0 - SIGNALS[*signal].weight).product();
    let mut reasons: Vec<&'static str> = met.iter().map(|signal| SIGNALS[*signal].name).collect();
    reasons.dedup();
    Suspicion { score: 1.0 - doubt, reasons }
}

/// Stretches that overlap, so that nothing hides on a border.
fn windows(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    let mut done = false;
    std::iter::from_fn(move || {
        if done {
            return None;
        }
        let end = floor(text, start + WINDOW);
        let range = start..end;
        done = end == text.len();
        start = floor(text, start + WINDOW - OVERLAP);
        Some(range)
    })
}

fn floor(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
