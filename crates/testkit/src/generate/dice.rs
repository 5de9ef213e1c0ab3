//! Seeded dice that throw numbers, times, words and whole texts, the odd ones among them.

use crate::SplitMix;
use mnemic_model::{Kind, RecordId, Timestamp, Unit};

/// Numbers, times and texts that repeat with their seed.
#[derive(Debug, Clone)]
pub struct Dice(SplitMix);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(SplitMix::new(seed ^ 0x6d6e_656d_6963_2026))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// 0 to `end` - 1; 0 when there is nothing to choose from.
    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() % (end.max(1) as u64)) as usize
    }

    /// `low` to `high` - 1.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        low + (self.bits() % (high - low).max(1).unsigned_abs()) as i64
    }

    /// True once in `n` throws.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    /// 0 to 1 with all the digits that a double has.
    pub fn unit(&mut self) -> Unit {
        let value = match self.below(6) {
            0 => 0.0,
            1 => 1.0,
            _ => (self.bits() >> 11) as f64 / (1u64 << 53) as f64,
        };
        Unit::new(value).expect("53 bits over 2^53 lie in the unit interval")
    }

    /// Mostly this decade to the microsecond, sometimes the ends of the calendar.
    pub fn time(&mut self) -> Timestamp {
        let micros = match self.below(12) {
            0 => *self.pick(&[0, -1, 1, -62_135_596_800_000_000, 253_402_200_000_000_000]),
            1 => self.between(-60_000_000_000_000_000, 0),
            _ => self.between(1_577_836_800_000_000, 1_893_456_000_000_000),
        };
        Timestamp::from_micros(micros).expect("inside the calendar")
    }

    /// A few words without a line break.
    pub fn words(&mut self, most: usize) -> String {
        let count = 1 + self.below(most);
        let words: Vec<&str> = (0..count).map(|_| *self.pick(WORDS)).collect();
        words.join(" ")
    }

    /// A text as people and tools write them: scripts, quotes, escapes, line breaks.
    pub fn text(&mut self) -> String {
        let mut text = self.words(12);
        for _ in 0..self.below(4) {
            let between: &&str = self.pick(BETWEEN);
            text.push_str(between);
            text.push_str(&self.words(8));
        }
        if self.once_in(30) {
            let again = text.clone();
            for _ in 0..self.below(60) {
                text.push('\n');
                text.push_str(&again);
            }
        }
        text
    }

    pub(super) fn maybe_text(&mut self) -> Option<String> {
        self.once_in(2).then(|| self.text())
    }

    pub(super) fn texts(&mut self) -> Vec<String> {
        (0..self.below(4)).map(|_| self.text()).collect()
    }

    pub(super) fn names(&mut self) -> Vec<RecordId> {
        (0..self.below(3)).map(|_| self.name()).collect()
    }

    pub(super) fn name(&mut self) -> RecordId {
        let kind = *self.pick(Kind::ALL);
        RecordId::from_random(kind, self.bits())
    }
}

const WORDS: &[&str] = &[
    "the",
    "port",
    "of",
    "5432",
    "getUserName",
    "src/main.rs:42",
    "C++",
    "rm -rf /",
    "E0382",
    "naïve",
    "Straße",
    "İstanbul",
    "東京タワー",
    "데이터베이스",
    "Привет",
    "שלום",
    "مرحبا",
    "हिन्दी",
    "🦀",
    "👩‍👩‍👧‍👦",
    "🇩🇪",
    "e\u{301}",
    "ﬁ",
    "\u{200b}",
    "\u{feff}bom",
    "\u{202e}rtl\u{202c}",
    "\"quoted\"",
    "it's",
    "back\\slash",
    "\\u0041",
    "%s",
    "{{x}}",
    "<b>",
    "&amp;",
    "null",
    "--flag=1",
    "a=b;",
    "@user",
    "#42",
    "v1.2.3-rc.1",
    "~/.config",
    "NEAR(",
    "AND",
    "OR",
    "*",
    "^",
    "\u{1f600}",
    "ℵ",
    "\u{10ffff}",
];

const BETWEEN: &[&str] = &[
    "\n",
    ". ",
    "\n\n",
    "\t",
    ": ",
    "\r\n",
    "; ",
    " — ",
    "\u{2028}",
    "\u{7f}",
    "\u{1b}[31m",
    "\u{1f}",
];
