//! Whose hand changed a file: git knows, where there is git.

use std::path::Path;
use std::process::{Command, Stdio};

/// Who changed a file last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hand {
    pub name: String,
    /// The person whose machine this is, and not somebody whose commit was pulled.
    pub own: bool,
}

/// Who changed this file last: the committer of its last change where it is committed as it is, else
/// the person that git is configured for. None where git does not know.
pub fn hand_of(file: &Path) -> Option<Hand> {
    let dir = file.ancestors().skip(1).find(|dir| dir.is_dir())?;
    let me = (git(dir, &["config", "user.name"]), git(dir, &["config", "user.email"]));
    let name = file.to_str()?;
    let dirty = git(dir, &["status", "--porcelain", "--ignored", "--", name]);
    let committed = match dirty {
        // Outside of a repository, or the file is not as it was committed.
        None => None,
        Some(changes) if !changes.is_empty() => None,
        Some(_) => git(dir, &["log", "-1", "--format=%an%x09%ae", "--", name])
            .filter(|line| !line.is_empty()),
    };
    match committed.as_deref().and_then(|line| line.split_once('\t')) {
        Some((name, email)) => {
            let own = me.1.as_deref() == Some(email);
            Some(Hand { name: tame(name)?, own })
        }
        None => Some(Hand { name: tame(&me.0?)?, own: true }),
    }
}

/// The answer of git without its last line end; none when it fails or is not there.
fn git(dir: &Path, args: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    // A repository must not run programs of its own choosing while we ask.
    command.arg("-c").arg("core.fsmonitor=false").arg("-C").arg(dir).args(args);
    command.stdin(Stdio::null()).stderr(Stdio::null()).env("GIT_OPTIONAL_LOCKS", "0");
    let output = command.output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim_end().to_owned())
}

fn tame(name: &str) -> Option<String> {
    let name: String = name.chars().filter(|c| !c.is_control()).take(100).collect();
    let name = name.trim().to_owned();
    (!name.is_empty()).then_some(name)
}
