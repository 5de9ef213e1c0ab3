//! Which terms of two sentences say the same, and which stand alone.

use super::sentence::{Sentence, Term};

/// Two sentences laid side by side.
#[derive(Debug)]
pub(crate) struct Alignment<'a> {
    pub(crate) shared: Vec<(&'a Term, &'a Term)>,
    pub(crate) first: Vec<&'a Term>,
    pub(crate) second: Vec<&'a Term>,
}

impl<'a> Alignment<'a> {
    pub(crate) fn of(one: &'a Sentence, other: &'a Sentence) -> Alignment<'a> {
        let mut shared = Vec::new();
        let mut first: Vec<&Term> = one.terms.iter().collect();
        let mut second: Vec<&Term> = other.terms.iter().collect();
        // The same words first: a dog is a kind of animal only where no dog is left.
        for alike in [is_same, is_kin] {
            first.retain(|term| {
                let Some(place) = second.iter().position(|other| alike(term, other)) else {
                    return true;
                };
                shared.push((*term, second.remove(place)));
                false
            });
        }
        Alignment { shared, first, second }
    }
}

fn is_same(one: &Term, other: &Term) -> bool {
    one.stem == other.stem
        || is_made_of(&one.stem, &other.stem)
        || is_made_of(&other.stem, &one.stem)
}

/// `sandy` and `sand`, `grassy` and `grass`.
fn is_made_of(one: &str, other: &str) -> bool {
    other.len() >= 4 && one.strip_suffix('i') == Some(other)
}

fn is_kin(one: &Term, other: &Term) -> bool {
    one.is_kind_of(other) || other.is_kind_of(one)
}

/// Terms of a denial that the other sentence does not affirm, also not by something more special.
pub(crate) fn unaffirmed<'a>(denial: &[&'a Term], affirming: &Sentence) -> Vec<&'a Term> {
    let affirmed = |term: &&Term| affirming.terms.iter().any(|said| affirms(said, term));
    denial.iter().filter(|term| !affirmed(term)).copied().collect()
}

/// Whether what is affirmed is only a part of what is denied: `digits of card numbers` are none.
pub(crate) fn is_of_a_part(denial: &[&Term], affirming: &Sentence) -> bool {
    let denied = |said: &Term| denial.iter().any(|term| affirms(said, term));
    let shared = affirming.terms.iter().filter(|said| denied(said));
    shared.filter_map(|said| head(said, affirming)).any(|head| !denied(head))
}

fn affirms(said: &Term, term: &Term) -> bool {
    is_same(said, term) || said.is_kind_of(term)
}

/// The word that a term tells more of: `digits` for the `numbers` in `digits of the numbers`.
fn head<'a>(term: &Term, sentence: &'a Sentence) -> Option<&'a Term> {
    let before = &sentence.words[..term.at];
    let article = before.last().is_some_and(|word| word.is_any(ARTICLES));
    let before = &before[..before.len() - usize::from(article)];
    let at = before.len().checked_sub(2).filter(|at| before[at + 1].is("of"))?;
    sentence.terms.iter().find(|term| term.at == at)
}

const ARTICLES: &[&str] = &["a", "an", "the", "our", "your", "my", "their", "its", "all", "any"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_alone_is_left_over() {
        let one = Sentence::of("A puppy eats bread in Rome");
        let other = Sentence::of("A dog eats cheese in Rome");
        let aligned = Alignment::of(&one, &other);
        let words =
            |terms: &[&Term]| terms.iter().map(|term| term.word.clone()).collect::<Vec<_>>();
        assert_eq!(aligned.shared.len(), 3);
        assert_eq!(
            (words(&aligned.first), words(&aligned.second)),
            (vec!["bread".into()], vec!["cheese".into()])
        );
    }

    #[test]
    fn a_special_case_affirms_the_general() {
        let denial = Sentence::of("There is no animal eating bread");
        let denied = denial.denials().concat();
        assert!(unaffirmed(&denied, &Sentence::of("A puppy is eating bread")).is_empty());
        let special = Sentence::of("No puppy is eating bread");
        let denied = special.denials().concat();
        assert_eq!(unaffirmed(&denied, &Sentence::of("An animal is eating bread")).len(), 1);
    }

    #[test]
    fn a_part_is_not_the_whole() {
        let denial = Sentence::of("do not store card numbers");
        let denied = denial.denials().concat();
        let is_part = |text: &str| is_of_a_part(&denied, &Sentence::of(text));
        assert!(is_part("store the last four digits of our card numbers"));
        assert!(!is_part("store card numbers"));
        assert!(!is_part("store the card numbers of all customers"));
    }
}
