//! Names: whether a question calls a memory by one of its names, also with a slip of the finger.

use mnemic_model::{Body, Content};
use mnemic_text::stems::{is_stop_word, stem};

/// Shorter words are too like one another to forgive a slip.
const FORGIVING: usize = 5;

/// The words of a question.
#[derive(Debug)]
pub(crate) struct Spoken(Vec<Word>);

#[derive(Debug)]
struct Word {
    stem: String,
    /// Nobody means another word by one that there is: who asks to protect data has no project in mind.
    may_be_slip: bool,
}

/// By what a question calls a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Called<'c> {
    ByName,
    /// Many things may have the same label.
    ByLabel(&'c str),
}

impl Spoken {
    pub(crate) fn of(text: &str, is_word: impl Fn(&str) -> bool) -> Spoken {
        let word =
            |word: String| Word { stem: stem(&word).into_owned(), may_be_slip: !is_word(&word) };
        Spoken(words(text).map(word).collect())
    }

    /// By what the question calls this memory, if it does.
    pub(crate) fn calls<'c>(&self, content: &'c Content) -> Option<Called<'c>> {
        let by_name = names(content).iter().any(|name| self.speaks(name));
        let mut labels = content.tags.iter().filter(|label| is_short(label));
        let label = labels.find(|label| self.speaks(label));
        by_name.then_some(Called::ByName).or_else(|| label.map(|label| Called::ByLabel(label)))
    }

    /// All words of the name, one after another.
    fn speaks(&self, name: &str) -> bool {
        let name: Vec<String> = words(name).map(|word| stem(&word).into_owned()).collect();
        let is_it = |(spoken, word): (&Word, &String)| {
            spoken.stem == *word || spoken.may_be_slip && is_like(&spoken.stem, word)
        };
        !name.is_empty()
            && self.0.windows(name.len()).any(|spoken| spoken.iter().zip(&name).all(is_it))
    }
}

/// A whole sentence is not a name.
fn is_short(name: &str) -> bool {
    name.split_whitespace().count() <= 4
}

/// What has a name is called by that.
fn names(content: &Content) -> Vec<String> {
    let mut names = Vec::new();
    match &content.body {
        Body::Fact(fact) => names.push(fact.key.clone()),
        Body::Skill(skill) => names.push(skill.name.clone()),
        Body::Resource(resource) => names.push(resource.title.clone()),
        Body::Block(block) => names.push(block.label.clone()),
        _ => {}
    }
    names.retain(|name| is_short(name));
    names
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty() && !is_stop_word(word))
}

/// A word that is a slip away and begins alike.
fn is_like(one: &str, other: &str) -> bool {
    one.chars().count() >= FORGIVING
        && other.chars().count() >= FORGIVING
        && one.chars().take(2).eq(other.chars().take(2))
        && is_one_slip(one, other)
}

/// One letter more, less, other, or two swapped.
fn is_one_slip(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let ahead = one.iter().zip(&other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[ahead..], &other[ahead..]);
    let behind = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[..one.len() - behind], &other[..other.len() - behind]);
    match (one, other) {
        ([_], [_]) | ([_], []) | ([], [_]) => true,
        ([a, b], [c, d]) => a == d && b == c,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_recognised_as_people_write_them() {
        for (question, name, called) in [
            ("what's our k8s story?", "k8s", true),
            ("how is the Dead Letter queue drained", "dead letter", true),
            ("letter of the dead", "dead letter", false),
            ("how do I configure typscript?", "TypeScript", true),
            ("typsecript settings", "typescript", true),
            ("mango pooling", "mongo", false),
            ("k9s pods", "k8s", false),
            ("exceptions in handlers", "exception", true),
            ("anything", "the", false),
            ("how do we protect customer data", "project", false),
        ] {
            let spoken = Spoken::of(question, |word| word == "protect");
            assert_eq!(spoken.speaks(name), called, "{name} in {question}");
        }
    }
}
