//! What an episode names: the files it touched, the errors it met, what its goal calls by name.

use mnemic_model::body::{EntityKind, Episode};
use mnemic_text::mentions::{MentionKind, mentions};
use std::collections::BTreeSet;

/// Things that one episode names; an episode that touched more is about none of them.
const MOST: usize = 12;

/// Longer names are no names.
const LONGEST: usize = 200;

/// Each thing once: what was edited first, then what was said, then what was read.
pub fn named(episode: &Episode) -> Vec<(EntityKind, String)> {
    let edited = episode.artifacts.iter().map(|path| (EntityKind::File, tidied(path)));
    let said = of_text(&episode.goal);
    let errors = episode.errors.iter().flat_map(|error| of_text(&error.message));
    let errors = errors.filter(|(kind, _)| *kind == EntityKind::ErrorCode);
    let read = episode.files.iter().map(|path| (EntityKind::File, tidied(path)));
    let mut seen = BTreeSet::new();
    let all = edited.chain(said).chain(errors).chain(read);
    let fit = all.filter(|(_, name)| !name.is_empty() && name.len() <= LONGEST);
    fit.filter(|it| seen.insert(it.clone())).take(MOST).collect()
}

/// People and products are left out: a capital letter is too little to make somebody of.
fn of_text(text: &str) -> Vec<(EntityKind, String)> {
    let kind = |kind: MentionKind| match kind {
        MentionKind::Path => Some(EntityKind::File),
        MentionKind::Symbol => Some(EntityKind::Symbol),
        MentionKind::ErrorCode => Some(EntityKind::ErrorCode),
        MentionKind::Command => Some(EntityKind::Command),
        MentionKind::Url
        | MentionKind::Version
        | MentionKind::Issue
        | MentionKind::Quoted
        | MentionKind::Name => None,
    };
    mentions(text).into_iter().filter_map(|it| Some((kind(it.kind)?, it.text))).collect()
}

/// The same file is the same thing on every system.
fn tidied(path: &str) -> String {
    path.trim().replace('\\', "/").trim_start_matches("./").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemic_model::body::Failure;

    #[test]
    fn an_episode_names_what_it_touched_and_met() {
        let episode = Episode {
            goal: "Fix `parse_header` in src/http.rs".to_owned(),
            artifacts: vec![".\\src\\http.rs".to_owned()],
            files: vec!["src/http.rs".to_owned(), "README.md".to_owned()],
            errors: vec![Failure {
                error_type: "command".to_owned(),
                message: "`cargo test`: error[E0382]: borrow of moved value".to_owned(),
                resolution: None,
            }],
            ..Episode::default()
        };
        let named = named(&episode);
        let has = |kind, name: &str| named.contains(&(kind, name.to_owned()));
        assert!(has(EntityKind::Symbol, "parse_header"), "{named:?}");
        assert!(has(EntityKind::ErrorCode, "E0382"), "{named:?}");
        assert!(has(EntityKind::File, "README.md"), "{named:?}");
        let files = named.iter().filter(|(_, name)| name == "src/http.rs").count();
        assert_eq!(files, 1, "{named:?}");
    }

    #[test]
    fn many_files_name_a_few_and_long_names_none() {
        let files = (0..99).map(|n| format!("src/{n}.rs")).chain(["x".repeat(300)]).collect();
        let episode = Episode { files, ..Episode::default() };
        assert_eq!(named(&episode).len(), MOST);
        let long = Episode { files: vec!["x".repeat(300)], ..Episode::default() };
        assert!(named(&long).is_empty());
    }
}
