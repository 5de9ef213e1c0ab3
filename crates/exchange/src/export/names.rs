//! Names of files and skills: made of a title, and never the same twice.

use std::collections::HashSet;

/// The longest name of a skill; files do well with it, too.
const LONGEST: usize = 64;

/// Letters a–z, digits and single dashes, none at the edges; empty when a title has none of them.
pub(super) fn slug(title: &str) -> String {
    let mut slug = String::new();
    for c in title.chars().flat_map(char::to_lowercase) {
        if c.is_ascii_alphanumeric() {
            slug.push(c);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
        if slug.len() >= LONGEST - 6 {
            break; // Room for a number.
        }
    }
    slug.trim_end_matches('-').to_owned()
}

/// Hands out names, with a number where one is taken.
#[derive(Debug, Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// `otherwise` names what a title has no letters for.
    pub(super) fn take(&mut self, title: &str, otherwise: &str) -> String {
        let base = [slug(title), slug(otherwise), "memory".to_owned()];
        let base = base.into_iter().find(|name| !name.is_empty()).unwrap_or_default();
        let numbered = (2..).map(|n| format!("{base}-{n}"));
        let mut names = std::iter::once(base.clone()).chain(numbered);
        let free = names.find(|name| !self.0.contains(name)).expect("numbers do not end");
        self.0.insert(free.clone());
        free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_the_rules_whatever_the_title() {
        let mut names = Names::default();
        let long = "word ".repeat(100);
        for title in ["Fix the  Build!", "--a--", "日本語", "", &long, "fix the build"] {
            let name = names.take(title, "skill-0x9");
            let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!((1..=64).contains(&name.len()) && name.chars().all(fits), "{name}");
            let edges = name.starts_with('-') || name.ends_with('-') || name.contains("--");
            assert!(!edges, "{name}");
        }
        assert_eq!(names.0.len(), 6);
        assert_eq!(names.take("Fix the build", ""), "fix-the-build-3");
    }
}
