//! Where the stores lie: the project's beside its repository, the person's in their data directory.

use std::path::{Path, PathBuf};

/// The directory inside a project, and the file inside that.
pub const PROJECT_DIR: &str = ".mnemic";
pub const STORE_FILE: &str = "memory.db";

/// The directory in which this project's memory lies or would lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// `…/.mnemic`
    pub dir: PathBuf,
    /// Whether a store is there already.
    pub exists: bool,
}

impl Place {
    fn at(root: &Path) -> Place {
        let dir = root.join(PROJECT_DIR);
        let exists = dir.join(STORE_FILE).exists();
        Place { dir, exists }
    }

    /// The store is missing, and yet something shows that it was here: it must not be made anew in
    /// silence.
    pub fn is_bereft(&self) -> bool {
        !self.exists && self.dir.join("ballast").exists()
    }

    pub fn file(&self) -> PathBuf {
        self.dir.join(STORE_FILE)
    }
}

/// Finds the project's place from any directory below it: the nearest store on the way up to the
/// repository's root, else the root itself (of the main work tree, when this one is linked), else
/// `start`.
pub fn project(start: &Path) -> Place {
    for dir in start.ancestors() {
        let place = Place::at(dir);
        if place.exists {
            return place;
        }
        if let Some(root) = repository_root(dir) {
            return Place::at(&root);
        }
    }
    Place::at(start)
}

/// The person's place, from `XDG_DATA_HOME` or `HOME`.
pub fn personal(xdg_data_home: Option<&Path>, home: Option<&Path>) -> Option<Place> {
    let data = match xdg_data_home.filter(|path| path.is_absolute()) {
        Some(data) => data.to_owned(),
        None => home.filter(|path| path.is_absolute())?.join(".local/share"),
    };
    let dir = data.join("mnemic");
    let exists = dir.join(STORE_FILE).exists();
    Some(Place { dir, exists })
}

/// The root that all work trees of a repository share, when `dir` holds one.
fn repository_root(dir: &Path) -> Option<PathBuf> {
    let git = dir.join(".git");
    if git.is_dir() {
        return Some(dir.to_owned());
    }
    // A linked work tree has a file `gitdir: <main>/.git/worktrees/<name>` here, and `commondir`
    // beside that; a submodule has the file but no `commondir`, and is a repository of its own.
    let text = std::fs::read_to_string(&git).ok()?;
    let private = dir.join(text.strip_prefix("gitdir:")?.trim());
    let Ok(common) = std::fs::read_to_string(private.join("commondir")) else {
        return Some(dir.to_owned());
    };
    let common = private.join(common.trim()).canonicalize().ok()?;
    match common.file_name() {
        Some(name) if name == ".git" => common.parent().map(Path::to_owned),
        // A bare repository: its own directory is the only place that all work trees share.
        _ => Some(common),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn found_from_below_and_from_linked_work_trees() {
        let temp = tempfile::tempdir().unwrap();
        let base = temp.path().canonicalize().unwrap();
        let main = base.join("main");
        fs::create_dir_all(main.join(".git/worktrees/side")).unwrap();
        fs::create_dir_all(main.join("src/deep")).unwrap();
        fs::write(main.join(".git/worktrees/side/commondir"), "../..\n").unwrap();
        let side = base.join("side");
        fs::create_dir_all(side.join("src")).unwrap();
        fs::write(side.join(".git"), format!("gitdir: {}/.git/worktrees/side\n", main.display()))
            .unwrap();
        for start in [main.join("src/deep"), side.clone(), side.join("src")] {
            assert_eq!(project(&start).dir, main.join(".mnemic"), "{}", start.display());
        }
    }

    #[test]
    fn a_submodule_is_its_own_project() {
        let temp = tempfile::tempdir().unwrap();
        let sub = temp.path().join("sub");
        fs::create_dir_all(temp.path().join(".git/modules/sub")).unwrap();
        fs::create_dir_all(&sub).unwrap();
        fs::write(sub.join(".git"), "gitdir: ../.git/modules/sub\n").unwrap();
        assert_eq!(project(&sub).dir, sub.join(".mnemic"));
    }

    #[test]
    fn without_a_home_there_is_no_personal_store() {
        assert_eq!(personal(None, None), None);
        assert_eq!(personal(Some(Path::new("relative")), None), None);
        let place = personal(None, Some(Path::new("/home/a"))).unwrap();
        assert_eq!(place.dir, Path::new("/home/a/.local/share/mnemic"));
    }
}
