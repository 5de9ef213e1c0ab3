//! Slips of the finger: how far two words lie apart, and whether a typed word may be another one.

use crate::stems::stem;

/// What English hangs on a stem. A stem is cut off more than it is, so that the word itself is found
/// by hanging these on it again.
const ENDINGS: &[&str] = &[
    "", "e", "s", "es", "ed", "er", "ers", "ing", "ion", "ions", "ation", "ations", "ate", "ated",
    "ating", "icate", "icates", "ication", "ency", "ent", "al", "ly", "ment", "ments", "able",
    "ity", "ive", "ence", "ance", "ies", "y", "ied",
];

const LONGEST_ENDING: usize = 7;

/// Letters of a word that is compared: shorter ones are too like one another.
const SHORTEST: usize = 4;
const LONGEST: usize = 24;

/// From so many letters on two slips are forgiven.
const LONG: usize = 8;

/// A typed word that may be another one.
#[derive(Debug, Clone)]
pub struct Typed {
    word: String,
    letters: u32,
    slips: usize,
}

/// A word that may have been meant, and how many slips of the finger away it lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Meant {
    pub word: String,
    pub slips: usize,
}

impl Typed {
    /// `None` for what is never a slip: few letters, or anything but lower-case ASCII letters.
    pub fn of(word: &str) -> Option<Typed> {
        let is_plain = word.bytes().all(|byte| byte.is_ascii_lowercase());
        let slips = if word.len() >= LONG { 2 } else { 1 };
        let typed = || Typed { word: word.to_owned(), letters: letters(word), slips };
        (is_plain && (SHORTEST..=LONGEST).contains(&word.len())).then(typed)
    }

    /// How the words begin that may have been meant: as typed, or with the first two letters swapped.
    pub fn beginnings(&self) -> [String; 2] {
        let swapped = self.word.chars().take(2).collect::<Vec<char>>().into_iter().rev().collect();
        [self.word[..1].to_owned(), swapped]
    }

    /// The word of this stem that may have been meant: of those that lie as near the first that is a
    /// word. Without a slip, where it was typed as another form of it. Most stems are turned away by
    /// their letters.
    pub fn meant(&self, of_stem: &str, is_word: &dyn Fn(&str) -> bool) -> Option<Meant> {
        let (typed, length) = (self.word.len(), of_stem.len());
        // What ends in `y` may have a stem that ends in `i`.
        let start = of_stem.strip_suffix('i').unwrap_or(of_stem);
        let may_be = length + LONGEST_ENDING + self.slips >= typed
            && length <= typed + self.slips
            && length + 1 >= SHORTEST
            && of_stem.bytes().all(|byte| byte.is_ascii_lowercase())
            && (letters(start) & !self.letters).count_ones() as usize <= self.slips;
        if !may_be || !self.begins_like(start) {
            return None;
        }
        let forms = ENDINGS
            .iter()
            .flat_map(|ending| forms(of_stem, ending))
            .filter(|form| form.len() >= SHORTEST && form.len().abs_diff(typed) <= self.slips);
        let near = forms.map(|word| Meant { slips: slips(&self.word, &word), word });
        let near: Vec<Meant> = near.filter(|meant| meant.slips <= self.slips).collect();
        let as_typed = near.iter().find(|meant| meant.slips == 0).cloned();
        let of_it = near.into_iter().filter(|meant| stem(&meant.word) == of_stem);
        let nearest = of_it.min_by_key(|meant| (meant.slips, !is_word(&meant.word)));
        nearest.filter(|meant| as_typed.is_none() || is_word(&meant.word)).or(as_typed)
    }

    /// Whether some beginning of the typed word is near this.
    fn begins_like(&self, start: &str) -> bool {
        let last = last_row(start.as_bytes(), self.word.as_bytes());
        last.into_iter().min().is_some_and(|least| least <= self.slips)
    }
}

/// The words that a stem and an ending make: `run` and `ing` make `running` too, and the stem of
/// `library` ends in `i`.
fn forms<'a>(of_stem: &'a str, ending: &'a str) -> impl Iterator<Item = String> + 'a {
    let last = of_stem.chars().next_back();
    let doubled =
        last.filter(|last| *last != 'i' && ending.starts_with(['e', 'i']) && ending.len() > 1);
    let doubled = doubled.map(|last| format!("{of_stem}{last}{ending}"));
    let whole = of_stem.strip_suffix('i').filter(|_| ending.starts_with(['y', 'i']));
    let whole = whole.map(|whole| format!("{whole}{ending}"));
    let added = format!("{of_stem}{ending}");
    // `readi` is the stem of `ready`, and `readis` no word.
    let added = Some(added).filter(|_| ending.is_empty() || last != Some('i'));
    [added, doubled, whole].into_iter().flatten()
}

/// The letters of a word as bits.
fn letters(word: &str) -> u32 {
    let bit = |byte: u8| 1_u32.checked_shl(u32::from(byte.wrapping_sub(b'a'))).unwrap_or(0);
    word.bytes().fold(0, |letters, byte| letters | bit(byte))
}

/// The least number of letters to add, to leave out, to replace and of neighbours to swap that makes
/// one word of the other.
pub fn slips(one: &str, other: &str) -> usize {
    last_row(one.as_bytes(), other.as_bytes())[other.len().min(WIDTH - 1)]
}

const WIDTH: usize = LONGEST + LONGEST_ENDING + 2;

/// How many slips lie between `one` and each beginning of `other`. Of words beyond any that is looked
/// at only the beginning counts.
fn last_row(one: &[u8], other: &[u8]) -> [usize; WIDTH] {
    let other = &other[..other.len().min(WIDTH - 1)];
    let far = WIDTH + one.len();
    let (mut before, mut last, mut row) = ([far; WIDTH], [far; WIDTH], [far; WIDTH]);
    (0..=other.len()).for_each(|column| last[column] = column);
    for (line, letter) in one.iter().enumerate() {
        row[0] = line + 1;
        for (column, beside) in other.iter().enumerate() {
            let replaced = last[column] + usize::from(letter != beside);
            let mut least = replaced.min(last[column + 1] + 1).min(row[column] + 1);
            let is_swapped =
                line > 0 && column > 0 && *letter == other[column - 1] && one[line - 1] == *beside;
            if is_swapped {
                least = least.min(before[column - 1] + 1);
            }
            row[column + 1] = least;
        }
        (before, last) = (last, row);
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted() {
        for (one, other, apart) in [
            ("database", "database", 0),
            ("databse", "database", 1),
            ("prot", "port", 1),
            ("cahce", "cache", 1),
            ("servr", "server", 1),
            ("authentification", "authentication", 2),
            ("", "port", 4),
            ("port", "", 4),
        ] {
            assert_eq!(slips(one, other), apart, "{one} and {other}");
        }
    }

    #[test]
    fn a_slip_is_undone_from_the_stem_that_the_store_knows() {
        for (typed, of_word) in [
            ("databse", "database"),
            ("migratoins", "migrations"),
            ("depoly", "deploy"),
            ("depolyment", "deployment"),
            ("runing", "running"),
            ("libary", "library"),
            ("libaries", "libraries"),
            ("cahce", "cache"),
            ("authentification", "authentication"),
            ("prot", "port"),
            ("adtabase", "database"),
            ("timout", "timeout"),
        ] {
            let known = stem(of_word);
            let read = Typed::of(typed).expect("a word");
            let meant = read.meant(&known, &|word| word == of_word).map(|meant| meant.word);
            assert_eq!(meant.as_deref(), Some(of_word), "{typed}");
            let begins = read.beginnings().iter().any(|start| known.starts_with(start));
            assert!(begins, "{typed}");
        }
    }

    #[test]
    fn of_forms_that_lie_as_near_the_word_is_meant() {
        let is_word = |word: &str| word == "certificate";
        let meant = |typed: &str, of: &str| Typed::of(typed)?.meant(&stem(of), &is_word);
        assert_eq!(meant("certifcate", "certificate").expect("near").word, "certificate");
        assert_eq!(meant("idempotncy", "idempotent").expect("near").word, "idempotency");
        let form = meant("linter", "lint").expect("a form of it");
        assert_eq!((form.word.as_str(), form.slips), ("linter", 0));
    }

    #[test]
    fn what_is_further_off_is_another_word() {
        for (typed, known) in [
            ("redis", "readi"),
            ("tokio", "token"),
            ("cart", "cost"),
            ("postgres", "progress"),
            ("database", "data"),
            ("port", "por7"),
        ] {
            assert_eq!(Typed::of(typed).expect("a word").meant(known, &|_| false), None, "{typed}");
        }
    }

    #[test]
    fn only_plain_words_are_slips() {
        for word in ["", "the", "e0382", "Port", "src/main", "größe", "x\u{301}abc"] {
            assert!(Typed::of(word).is_none(), "{word}");
        }
        assert!(Typed::of(&"x".repeat(25)).is_none());
    }
}
