//! What a person marked as private never leaves this module.
//!
//! Everything unclear is hidden: an unclosed stretch goes on to the end of its message, and a closing
//! tag without an opening one hides what stands before it.

/// Goes through the texts of one message in their order and lets pass what is not private.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Veil {
    depth: usize,
}

/// Whether a tag opens or closes, and where it stands.
#[derive(Debug, Clone, Copy)]
struct Tag {
    begin: usize,
    end: usize,
    opens: bool,
}

const NAME: &str = "private";

impl Veil {
    /// A veil for a message whose beginning ended so many private stretches deep.
    pub(super) fn lowered(depth: usize) -> Veil {
        Veil { depth }
    }

    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    /// Whether the last text ended inside a private stretch.
    pub fn is_down(&self) -> bool {
        self.depth > 0
    }

    /// The text without what is private in it.
    pub fn pass(&mut self, text: &str) -> String {
        let mut open = String::with_capacity(text.len());
        let mut at = 0;
        while let Some(tag) = next_tag(text, at) {
            if self.depth == 0 {
                open.push_str(&text[at..tag.begin]);
            }
            match (tag.opens, self.depth) {
                (true, depth) => self.depth = depth + 1,
                // Its beginning was lost: nothing before it can be told apart from it.
                (false, 0) => open.clear(),
                (false, depth) => self.depth = depth - 1,
            }
            at = tag.end;
        }
        if self.depth == 0 {
            open.push_str(&text[at..]);
        }
        open
    }
}

fn next_tag(text: &str, from: usize) -> Option<Tag> {
    let mut at = from;
    while let Some(found) = text[at..].find('<') {
        let begin = at + found;
        if let Some(tag) = tag_at(text, begin) {
            return Some(tag);
        }
        at = begin + 1;
    }
    None
}

/// `<private>`, `</private>`, in any case, with white space or attributes, even when cut off.
fn tag_at(text: &str, begin: usize) -> Option<Tag> {
    let inside = text[begin + 1..].trim_start();
    let (opens, name) = match inside.strip_prefix('/') {
        Some(rest) => (false, rest.trim_start()),
        None => (true, inside),
    };
    let after = name.get(NAME.len()..)?;
    if !name.get(..NAME.len())?.eq_ignore_ascii_case(NAME) {
        return None;
    }
    let ends_name = |c: char| c.is_whitespace() || c == '>' || c == '/';
    if !(after.is_empty() || after.starts_with(ends_name)) {
        return None;
    }
    let rest = after.find('>').map_or("", |close| &after[close + 1..]);
    Some(Tag { begin, end: text.len() - rest.len(), opens })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_stretches_are_left_out() {
        for (given, left) in [
            ("a <private>x</private> b", "a  b"),
            ("a <private>x", "a "),
            ("a <PRIVATE reason=\"y\">x</Private > b", "a  b"),
            ("a <private>x<private>y</private>z</private> b", "a  b"),
            ("x</private> b", " b"),
            ("a <private", "a "),
            ("< private>x< / private>b", "b"),
            ("a <privateer> b", "a <privateer> b"),
            ("1 < 2 <b>", "1 < 2 <b>"),
            ("é<private>日</private>本", "é本"),
        ] {
            assert_eq!(Veil::default().pass(given), left, "{given}");
        }
    }

    #[test]
    fn a_stretch_may_go_over_several_texts() {
        let mut veil = Veil::default();
        assert_eq!(veil.pass("a <private>x"), "a ");
        assert_eq!(veil.pass("y"), "");
        assert_eq!(veil.pass("z</private> b"), " b");
        assert!(!veil.is_down());
    }
}
