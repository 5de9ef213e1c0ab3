//! Names: whether a question calls a memory by one of its names, also with a slip of the finger.

use mnemic_model::{Body, Content};
use mnemic_text::stems::{is_stop_word, stem};

/// Shorter words are too like one another to forgive a slip.
const FORGIVING: usize = 5;

/// The words of a question, as they are written and as stems.
#[derive(Debug)]
pub(crate) struct Spoken(Vec<String>);

impl Spoken {
    pub(crate) fn of(text: &str) -> Spoken {
        Spoken(words(text))
    }

    /// The name by which the question calls this memory, if it does.
    pub(crate) fn name_of(&self, content: &Content) -> Option<String> {
        names(content).into_iter().find(|name| self.speaks(name))
    }

    /// All words of the name, one after another.
    fn speaks(&self, name: &str) -> bool {
        let name = words(name);
        !name.is_empty()
            && self
                .0
                .windows(name.len())
                .any(|spoken| spoken.iter().zip(&name).all(|(one, other)| is_like(one, other)))
    }
}

/// What a memory is called: its labels, and for what has a name that name.
fn names(content: &Content) -> Vec<String> {
    let mut names: Vec<String> = content.tags.iter().cloned().collect();
    match &content.body {
        Body::Fact(fact) => names.push(fact.key.clone()),
        Body::Skill(skill) => names.push(skill.name.clone()),
        Body::Resource(resource) => names.push(resource.title.clone()),
        Body::Block(block) => names.push(block.label.clone()),
        _ => {}
    }
    // A whole sentence is not a name.
    names.retain(|name| name.split_whitespace().count() <= 4);
    names
}

fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric())
        .map(str::to_lowercase)
        .filter(|word| !word.is_empty() && !is_stop_word(word))
        .map(|word| stem(&word).into_owned())
        .collect()
}

/// The same word, or one that a slip away from it begins alike.
fn is_like(one: &str, other: &str) -> bool {
    one == other
        || (one.chars().count() >= FORGIVING
            && other.chars().count() >= FORGIVING
            && one.chars().take(2).eq(other.chars().take(2))
            && is_one_slip(one, other))
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
        ] {
            assert_eq!(Spoken::of(question).speaks(name), called, "{name} in {question}");
        }
    }
}
