//! How full a window is, what that leaves for memories, and when to make room.

/// How well a model still reads, by how full its window is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quality {
    /// Below 30 %.
    Peak,
    /// Below 50 %.
    Good,
    /// Below 70 %.
    Degrading,
    Poor,
}

impl Quality {
    /// `fullness` from 0 to 1. What is no number counts as full: then less is the safer answer.
    pub fn at(fullness: f64) -> Quality {
        match fullness {
            f if f < 0.3 => Quality::Peak,
            f if f < 0.5 => Quality::Good,
            f if f < 0.7 => Quality::Degrading,
            _ => Quality::Poor,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Quality::Peak => "peak",
            Quality::Good => "good",
            Quality::Degrading => "degrading",
            Quality::Poor => "poor",
        }
    }

    /// Less and sharper: a smaller budget, fewer memories, and only better ones.
    pub fn sharpness(self) -> Sharpness {
        match self {
            Quality::Peak => Sharpness { budget: 1.0, most: 1.0, least_score: 0.0 },
            Quality::Good => Sharpness { budget: 0.75, most: 0.75, least_score: 0.35 },
            Quality::Degrading => Sharpness { budget: 0.5, most: 0.5, least_score: 0.45 },
            Quality::Poor => Sharpness { budget: 0.25, most: 0.25, least_score: 0.55 },
        }
    }
}

/// What is asked of a context as the window fills.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sharpness {
    /// Factor on the budget.
    pub budget: f64,
    /// Factor on the number of memories of a tier.
    pub most: f64,
    /// Below this a memory that does not bind is left out. 0.35 is where recall itself begins.
    pub least_score: f64,
}

impl Sharpness {
    pub(super) fn budget(&self, budget: usize) -> usize {
        (budget as f64 * self.budget) as usize
    }

    pub(super) fn most(&self, most: usize) -> usize {
        ((most as f64 * self.most).ceil() as usize).max(1)
    }
}

/// Tokens that are kept free, and when to say so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// In a smaller window nothing is planned.
    pub floor: usize,
    /// In a smaller window a warning is given.
    pub warn: usize,
    /// Kept free for new work.
    pub reserve: usize,
    /// So many tokens before the limit room is made.
    pub margin: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { floor: 16_000, warn: 32_000, reserve: 20_000, margin: 4_000 }
    }
}

/// A caller's window, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    pub size: usize,
    pub used: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Advice {
    /// There is room.
    Fine,
    /// The window is small: every token counts.
    Small,
    /// So many tokens must go.
    Free(usize),
    /// The window is too small for anything to be planned in it.
    TooSmall,
}

/// What a window leaves for memories.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    pub advice: Advice,
    pub quality: Quality,
    /// Tokens that may still be put in before room must be made.
    pub room: usize,
}

/// The limit is the window less its reserve, of which a small window keeps half of itself.
pub fn plan(window: Window, limits: Limits) -> Plan {
    let quality = Quality::at(window.used as f64 / window.size.max(1) as f64);
    if window.size < limits.floor {
        return Plan { advice: Advice::TooSmall, quality, room: 0 };
    }
    let limit = window.size - limits.reserve.min(window.size / 2);
    let act_at = limit.saturating_sub(limits.margin);
    let advice = match window.used {
        used if used > act_at => Advice::Free(used - act_at),
        _ if window.size < limits.warn => Advice::Small,
        _ => Advice::Fine,
    };
    Plan { advice, quality, room: act_at.saturating_sub(window.used) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quality_falls_as_the_window_fills() {
        for (fullness, quality) in [
            (-1.0, Quality::Peak),
            (0.0, Quality::Peak),
            (0.29, Quality::Peak),
            (0.3, Quality::Good),
            (0.5, Quality::Degrading),
            (0.7, Quality::Poor),
            (9.0, Quality::Poor),
            (f64::NAN, Quality::Poor),
        ] {
            assert_eq!(Quality::at(fullness), quality, "{fullness}");
        }
        let all = [Quality::Peak, Quality::Good, Quality::Degrading, Quality::Poor];
        for pair in all.windows(2) {
            let (fresh, full) = (pair[0].sharpness(), pair[1].sharpness());
            assert!(full.budget < fresh.budget && full.most < fresh.most);
            assert!(full.least_score > fresh.least_score);
        }
        assert_eq!(Quality::Poor.sharpness().budget(400), 100);
        assert_eq!(Quality::Poor.sharpness().most(1), 1);
    }

    #[test]
    fn room_is_made_before_the_limit() {
        for (size, used, advice, room) in [
            (200_000, 0, Advice::Fine, 176_000),
            (200_000, 176_000, Advice::Fine, 0),
            (200_000, 176_001, Advice::Free(1), 0),
            (200_000, 300_000, Advice::Free(124_000), 0),
            (31_999, 0, Advice::Small, 12_000),
            (16_000, 0, Advice::Small, 4_000),
            (15_999, 0, Advice::TooSmall, 0),
            (0, 5, Advice::TooSmall, 0),
        ] {
            let plan = plan(Window { size, used }, Limits::default());
            assert_eq!((plan.advice, plan.room), (advice, room), "{used} of {size}");
        }
    }
}
