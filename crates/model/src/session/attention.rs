//! When a session may be spoken to: rarely, for whoever is told things on every prompt works worse.

use super::EventKind;
use crate::invalid::named;

/// The topic has shifted when a prompt lies farther than this from what the session is about.
const SHIFT: f64 = 0.5;

named! {
    /// How well a model reads a window that is filled so far.
    Quality, "quality" {
        Peak = "peak",
        Good = "good",
        Degrading = "degrading",
        Poor = "poor",
    }
}

/// How full a window is, 0..1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Fill(f64);

impl Fill {
    pub fn of(tokens: u64, window: u64) -> Fill {
        Fill((tokens as f64 / window.max(1) as f64).min(1.0))
    }

    pub fn share(self) -> f64 {
        self.0
    }

    pub fn quality(self) -> Quality {
        match self.0 {
            share if share <= 0.3 => Quality::Peak,
            share if share <= 0.5 => Quality::Good,
            share if share <= 0.7 => Quality::Degrading,
            _ => Quality::Poor,
        }
    }

    /// What to tell the agent past half of its window.
    pub fn warning(self) -> Option<String> {
        let share = self.0 * 100.0;
        match self.quality() {
            Quality::Peak | Quality::Good => None,
            Quality::Degrading => Some(format!(
                "the window is {share:.0} % full and answers get worse from here on; \
                 finish this piece of work, then start afresh"
            )),
            Quality::Poor => Some(format!(
                "the window is {share:.0} % full, too much to work well; \
                 save what was learnt and start afresh now"
            )),
        }
    }
}

/// What happened, with all that decides whether to speak.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stir {
    pub kind: EventKind,
    /// Of a prompt, how far it lies from what the session is about.
    pub distance: f64,
    /// Of an error, whether memory knows it.
    pub is_known: bool,
    /// Whether the host asked to be told on every prompt.
    pub on_every_prompt: bool,
}

named! {
    /// Why memories should be put before the agent now.
    Due, "due" {
        SessionStart = "session_start",
        /// What was injected went out with the rest of the window.
        Compaction = "compaction",
        TopicShift = "topic_shift",
        KnownError = "known_error",
        /// Only where the host asked for it.
        EveryPrompt = "every_prompt",
    }
}

pub fn due(stir: Stir) -> Option<Due> {
    match stir.kind {
        EventKind::Start => Some(Due::SessionStart),
        EventKind::Compaction => Some(Due::Compaction),
        EventKind::TopicShift => Some(Due::TopicShift),
        EventKind::Prompt if stir.distance > SHIFT => Some(Due::TopicShift),
        EventKind::Prompt => stir.on_every_prompt.then_some(Due::EveryPrompt),
        EventKind::Error => stir.is_known.then_some(Due::KnownError),
        EventKind::Tool | EventKind::WindowFill | EventKind::TaskDone | EventKind::End => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_quality_curve() {
        for (tokens, quality, warns) in [
            (0, Quality::Peak, false),
            (30, Quality::Peak, false),
            (31, Quality::Good, false),
            (50, Quality::Good, false),
            (51, Quality::Degrading, true),
            (70, Quality::Degrading, true),
            (71, Quality::Poor, true),
            (400, Quality::Poor, true),
        ] {
            let fill = Fill::of(tokens, 100);
            assert_eq!((fill.quality(), fill.warning().is_some()), (quality, warns), "{tokens}");
        }
        assert_eq!(Fill::of(5, 0).share(), 1.0);
    }

    #[test]
    fn silence_is_usual() {
        let stir = |kind, distance, is_known, on_every_prompt| {
            due(Stir { kind, distance, is_known, on_every_prompt })
        };
        for (kind, distance, known, every, expected) in [
            (EventKind::Start, 0.0, false, false, Some(Due::SessionStart)),
            (EventKind::Prompt, 0.0, false, false, None),
            (EventKind::Prompt, 0.5, true, false, None),
            (EventKind::Prompt, 0.6, false, false, Some(Due::TopicShift)),
            (EventKind::Prompt, 0.1, false, true, Some(Due::EveryPrompt)),
            (EventKind::Error, 0.0, false, true, None),
            (EventKind::Error, 0.0, true, false, Some(Due::KnownError)),
            (EventKind::Compaction, 0.0, false, false, Some(Due::Compaction)),
            (EventKind::Tool, 1.0, true, true, None),
            (EventKind::WindowFill, 1.0, true, true, None),
            (EventKind::End, 1.0, true, true, None),
        ] {
            assert_eq!(stir(kind, distance, known, every), expected, "{kind} {distance}");
        }
    }
}
