//! Whether git keeps the store: then it came with the project, and whoever may push has written it.

use std::fs;
use std::path::{Path, PathBuf};

/// A store that came from others speaks to no agent before its person has looked at it.
pub(super) const WHY: &str = "git keeps the store of this project, so others may have written it";
pub(super) const HINT: &str = "look at it with `mnemic list`; if it is yours: git rm --cached FILE";

/// Asks the index of the repository that the store lies in, wherever links lead. Git itself would
/// take longer than a hook may.
pub(super) fn is_tracked(store: &Path) -> bool {
    let Ok(store) = store.canonicalize() else { return false };
    let found = store.ancestors().skip(1).find_map(|top| Some((top, index(top)?)));
    let Some((top, index)) = found else { return false };
    let Some(name) = store.strip_prefix(top).ok().and_then(Path::to_str) else { return false };
    let Ok(bytes) = fs::read(index) else { return false };
    holds(&bytes, name)
}

fn index(top: &Path) -> Option<PathBuf> {
    let git = top.join(".git");
    if git.is_dir() {
        return Some(git.join("index"));
    }
    // A linked work tree and a submodule say where theirs lies.
    let said = fs::read_to_string(&git).ok()?;
    let dir = said.strip_prefix("gitdir: ")?.trim_end();
    Some(top.join(dir).join("index"))
}

fn holds(index: &[u8], name: &str) -> bool {
    let has = |part: &str| index.windows(part.len()).any(|there| there == part.as_bytes());
    let leaves_out_beginnings = index.get(4..8) == Some(&[0, 0, 0, 4]);
    match name.rsplit_once('/').filter(|_| leaves_out_beginnings) {
        Some((dir, file)) => has(dir) && has(file),
        None => has(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_whole_or_without_its_beginning() {
        let whole = b"DIRC\0\0\0\x02 .. .mnemic/config.toml\0 .. .mnemic/memory.db\0";
        assert!(holds(whole, ".mnemic/memory.db"));
        assert!(!holds(whole, "web/.mnemic/memory.db"));
        let shared = b"DIRC\0\0\0\x04 .. \0.mnemic/config.toml\0 .. \x0bmemory.db\0";
        assert!(holds(shared, ".mnemic/memory.db"));
        assert!(!holds(&shared[..30], ".mnemic/memory.db") && !holds(b"", "memory.db"));
    }
}
