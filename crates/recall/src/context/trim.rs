//! Shrinks what was put into a window: full → summary → compressed → pointer, then out.

use super::assembled::Shown;
use super::counts::Counts;
use super::level::Level;
use super::offer::Offer;
use super::profile::{Mark, Style};
use super::render::{self, Item};
use mnemic_model::RecordId;

/// A memory that stands in a window.
#[derive(Debug, Clone, PartialEq)]
pub struct Injected {
    pub id: RecordId,
    pub level: Level,
    /// What it costs at each level, in the order of [`Level::ALL`].
    pub tokens: [usize; 4],
    /// What is worth least shrinks first.
    pub worth: f64,
    /// A mandate or guardrail: shrinks after the others.
    pub binding: bool,
}

impl Injected {
    /// What a memory that was shown costs at each level.
    pub fn of(offer: &Offer, shown: &Shown, style: Style, counts: &dyn Counts) -> Injected {
        let tokens = Level::ALL.map(|level| {
            let citation = shown.citation.as_str();
            let piece = render::piece(style, Item { offer, citation, mark: shown.mark, level });
            counts.count(&format!("{piece}\n"))
        });
        Injected {
            id: offer.id.clone(),
            level: shown.level,
            tokens,
            worth: offer.score() + offer.importance(),
            binding: shown.mark != Mark::Reference,
        }
    }
}

/// One memory to render anew, or to take out: [`Ask::trimmed`](super::Ask) takes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trim {
    pub id: RecordId,
    pub from: Level,
    /// `None`: out.
    pub to: Option<Level>,
    pub freed: usize,
}

/// Frees `needed` tokens by shorter levels alone, as far as that goes. One level is left by all
/// before any goes further down, so that many stay useful rather than a few whole.
pub fn soft_trim(injected: &[Injected], needed: usize) -> Vec<Trim> {
    let mut levels: Vec<Level> = injected.iter().map(|memory| memory.level).collect();
    let mut freed = 0;
    for from in Level::ALL.into_iter().rev() {
        let Some(to) = from.shorter() else { break };
        for index in order(injected) {
            if freed >= needed {
                return trims(injected, &levels);
            }
            if levels[index] == from {
                let tokens = injected[index].tokens;
                freed =
                    freed.saturating_add(tokens[from as usize].saturating_sub(tokens[to as usize]));
                levels[index] = to;
            }
        }
    }
    trims(injected, &levels)
}

/// Frees `needed` tokens by taking memories out. It follows a soft trim that was not enough.
pub fn hard_clear(injected: &[Injected], needed: usize) -> Vec<Trim> {
    let mut freed = 0;
    let mut out = Vec::new();
    for index in order(injected) {
        if freed >= needed {
            break;
        }
        let memory = &injected[index];
        let tokens = memory.tokens[memory.level as usize];
        freed = freed.saturating_add(tokens);
        out.push(Trim { id: memory.id.clone(), from: memory.level, to: None, freed: tokens });
    }
    out
}

/// Who gives way first: what does not bind, then the least worth, then by id.
fn order(injected: &[Injected]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..injected.len()).collect();
    order.sort_by(|&a, &b| {
        let (a, b) = (&injected[a], &injected[b]);
        a.binding.cmp(&b.binding).then(a.worth.total_cmp(&b.worth)).then_with(|| a.id.cmp(&b.id))
    });
    order
}

fn trims(injected: &[Injected], levels: &[Level]) -> Vec<Trim> {
    let pairs = order(injected).into_iter().map(|index| (&injected[index], levels[index]));
    pairs
        .filter(|(memory, level)| memory.level != *level)
        .map(|(memory, level)| Trim {
            id: memory.id.clone(),
            from: memory.level,
            to: Some(level),
            freed: memory.tokens[memory.level as usize]
                .saturating_sub(memory.tokens[level as usize]),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(id: &str, worth: f64, binding: bool) -> Injected {
        let id = RecordId::parse(id).unwrap();
        Injected { id, level: Level::Full, tokens: [5, 10, 40, 100], worth, binding }
    }

    fn three() -> [Injected; 3] {
        [memory("a", 0.9, false), memory("b", 0.1, true), memory("c", 0.2, false)]
    }

    fn told(trims: &[Trim]) -> Vec<(&str, Option<Level>)> {
        trims.iter().map(|trim| (trim.id.as_str(), trim.to)).collect()
    }

    #[test]
    fn the_least_worth_shrinks_first_and_one_level_at_a_time() {
        assert_eq!(told(&soft_trim(&three(), 0)), []);
        assert_eq!(told(&soft_trim(&three(), 1)), [("c", Some(Level::Summary))]);
        let all = soft_trim(&three(), 180);
        let summary = Some(Level::Summary);
        assert_eq!(told(&all), [("c", summary), ("a", summary), ("b", summary)]);
        let deeper = soft_trim(&three(), 181);
        assert_eq!(told(&deeper)[0], ("c", Some(Level::Compressed)));
        assert_eq!(deeper[0].freed, 90);
    }

    #[test]
    fn soft_ends_at_pointers_and_hard_takes_them_out() {
        let most = soft_trim(&three(), usize::MAX);
        assert!(most.iter().all(|trim| trim.to == Some(Level::Index) && trim.freed == 95));
        assert_eq!(told(&hard_clear(&three(), 150)), [("c", None), ("a", None)]);
        assert_eq!(hard_clear(&three(), usize::MAX).len(), 3);
    }
}
