//! Suggests a namespace: the repository's name at its remote, else the directory's.

use crate::invocation::Invocation;
use crate::report::Done;
use mnemic_engine::model::Namespace;
use serde_json::json;
use std::path::{Path, PathBuf};

pub(super) fn run(call: &Invocation) -> Done {
    let place = call.project();
    let root = place.dir.parent().unwrap_or(&call.dir);
    let (name, from) = match remote(root).and_then(|url| from_url(&url)) {
        Some(name) => (name, "the git remote"),
        None => (from_directory(root), "the directory"),
    };
    call.out.note(&format!("taken from {from}"));
    call.out.answer(|| json!({ "namespace": name, "from": from }), || call.out.line(name.as_str()))
}

/// The address of `origin`, else of the first remote.
fn remote(root: &Path) -> Option<String> {
    let config = std::fs::read_to_string(git_dir(root)?.join("config")).ok()?;
    let remotes = remotes(&config);
    let origin = remotes.iter().find(|(name, _)| name == "origin");
    origin.or(remotes.first()).map(|(_, url)| url.clone())
}

/// `.git`, also where it is a file that points elsewhere (a submodule).
fn git_dir(root: &Path) -> Option<PathBuf> {
    let git = root.join(".git");
    if git.is_dir() {
        return Some(git);
    }
    let text = std::fs::read_to_string(&git).ok()?;
    Some(root.join(text.strip_prefix("gitdir:")?.trim()))
}

/// The remotes of a git configuration with their addresses, in its order.
fn remotes(config: &str) -> Vec<(String, String)> {
    let mut section = None;
    let mut found = Vec::new();
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            let name = line.strip_prefix("[remote \"").and_then(|rest| rest.strip_suffix("\"]"));
            section = name.map(str::to_owned);
        } else if let (Some(name), Some((key, url))) = (&section, line.split_once('='))
            && key.trim().eq_ignore_ascii_case("url")
        {
            found.push((name.clone(), url.trim().trim_matches('"').to_owned()));
        }
    }
    found
}

/// The last two parts of the path: `owner/repository`. The host is left out, because a
/// repository keeps its name when it moves.
fn from_url(url: &str) -> Option<Namespace> {
    let path = match url.split_once("://") {
        Some((_, rest)) => rest.split_once('/')?.1,
        // `git@host:owner/name`; a bare path has no host.
        None => url.split_once(':').map_or(url, |(_, path)| path),
    };
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    let parts: Vec<String> = path.rsplit('/').take(2).map(well_formed).collect();
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).rev().collect();
    Namespace::parse(&parts.join("/")).ok()
}

fn from_directory(root: &Path) -> Namespace {
    let name = root.file_name().map(|name| well_formed(&name.to_string_lossy()));
    name.and_then(|name| Namespace::parse(&name).ok()).unwrap_or_else(Namespace::root)
}

/// Only characters that a namespace may have, the others as dashes.
fn well_formed(name: &str) -> String {
    let keep = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    name.to_lowercase().chars().map(keep).collect::<String>().trim_matches(['-', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remotes_give_owner_and_name() {
        for (url, name) in [
            ("https://github.com/acme/Shop.git", Some("acme/shop")),
            ("git@github.com:acme/shop.git", Some("acme/shop")),
            ("ssh://git@host:22/group/sub/shop/", Some("sub/shop")),
            ("/srv/git/shop.git", Some("git/shop")),
            ("https://host", None),
            ("", None),
        ] {
            let found = from_url(url);
            assert_eq!(found.as_ref().map(Namespace::as_str), name, "{url}");
        }
    }

    #[test]
    fn origin_is_read_from_the_configuration() {
        let config =
            "[core]\n\turl = no\n[remote \"fork\"]\n url=f\n[remote \"origin\"]\n\turl = o\n";
        assert_eq!(remotes(config), [("fork".into(), "f".into()), ("origin".into(), "o".into())]);
    }

    #[test]
    fn directories_give_a_well_formed_name() {
        assert_eq!(from_directory(Path::new("/x/My Shop!")).as_str(), "my-shop");
        assert_eq!(from_directory(Path::new("/")).as_str(), "default");
    }
}
