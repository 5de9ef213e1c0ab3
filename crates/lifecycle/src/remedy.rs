//! Commands that may have changed something, and so may be why another command works now.

use crate::capture::clipped;
use crate::command::{Purpose, bare, purpose, purpose_of_part, stages};

/// What is told of one command.
const KEPT: usize = 120;
/// The last ones before a success are the ones that count.
const MOST_TOLD: usize = 2;

/// What a line of commands may have changed that a failed command depends on, short enough to be
/// told; none where it only looked around or checked.
pub(crate) fn remedy(line: &str, failed: &str) -> Option<String> {
    let changing: Vec<String> = stages(without_document(line))
        .into_iter()
        .filter(|stage| may_change(stage.text, failed))
        .map(|stage| match writes_file(stage.text) {
            true => stage.text.split_whitespace().collect::<Vec<_>>().join(" "),
            false => bare(stage.text),
        })
        .collect();
    let told = changing.join(" && ");
    (!told.is_empty()).then(|| clipped(told.as_str(), KEPT).to_owned())
}

/// Keeps the last remedies, each once.
pub(crate) fn keep(remedies: &mut Vec<String>, remedy: String) {
    remedies.retain(|known| *known != remedy);
    remedies.push(remedy);
    if remedies.len() > MOST_TOLD {
        remedies.remove(0);
    }
}

/// `` `a` and `b` ``
pub(crate) fn told(remedies: &[String]) -> String {
    remedies.iter().map(|remedy| format!("`{remedy}`")).collect::<Vec<_>>().join(" and ")
}

/// What follows `<<` is a text for the command, and no command.
fn without_document(line: &str) -> &str {
    line.split_once("<<").map_or(line, |(command, _)| command.trim_end())
}

fn may_change(stage: &str, failed: &str) -> bool {
    let part = bare(stage);
    let mut words: Vec<&str> = part.split(' ').filter(|word| !word.is_empty()).collect();
    while words.first().is_some_and(|word| BEFORE.contains(word)) {
        words.remove(0);
    }
    let (Some(first), part) = (words.first(), words.join(" ")) else { return false };
    if is_the_same(&words, failed) {
        return false;
    }
    if writes_file(stage) {
        return true;
    }
    let flagged = words.iter().any(|word| CHANGING_FLAGS.contains(word));
    if flagged || IN_PLACE.iter().any(|start| part.starts_with(start)) {
        return true;
    }
    let is_program = first.starts_with(|c: char| c.is_alphanumeric() || "./~_".contains(c));
    is_program
        && !QUIET.contains(first)
        && !LOOKS.iter().any(|looks| begins_with(&part, looks))
        && !words.iter().any(|word| LOOKING_FLAGS.contains(word))
        && !matches!(purpose_of_part(&part), Purpose::Test | Purpose::Lint)
        && !only_compiles(&part, failed)
        && !keeps_versions(&part, failed)
}

/// `echo x > file` writes whatever the command is; `2>&1` and `> /dev/null` do not.
fn writes_file(stage: &str) -> bool {
    let stage = without_quoted(stage);
    let mut words = stage.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let target = match word {
            ">" | ">>" => words.peek().copied().unwrap_or_default(),
            _ => word.strip_prefix(">>").or(word.strip_prefix('>')).unwrap_or_default(),
        };
        let is_file = target.starts_with(|c: char| c.is_alphanumeric() || "./~_$".contains(c));
        let is_log = ["/dev/", "/tmp/"].iter().any(|away| target.starts_with(away));
        if is_file && !is_log && !target.ends_with(".log") {
            return true;
        }
    }
    false
}

/// What is quoted is a text of its own, whatever marks are in it.
fn without_quoted(stage: &str) -> String {
    let mut quote = None;
    let mut kept = String::new();
    for mark in stage.chars() {
        match quote {
            Some(open) if open == mark => quote = None,
            Some(_) => {}
            None if mark == '"' || mark == '\'' => {
                quote = Some(mark);
                kept.push('_');
            }
            None => kept.push(mark),
        }
    }
    kept
}

fn begins_with(part: &str, start: &str) -> bool {
    part.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// The failed command itself or a part of it, only louder.
fn is_the_same(words: &[&str], failed: &str) -> bool {
    let failed: Vec<&str> = failed.split(' ').collect();
    words.iter().all(|word| failed.contains(word) || LOUDER.contains(word))
}

/// Compilers that find out themselves what is to be built: no check waits for them.
fn only_compiles(part: &str, failed: &str) -> bool {
    let compilers = ["go build", "cargo build", "swift build", "dotnet build"];
    compilers.iter().any(|compiler| begins_with(part, compiler))
        && !matches!(purpose(failed), Purpose::Run | Purpose::Other)
}

/// What only puts work on record, or out of the way, helps commands of the version control alone.
fn keeps_versions(part: &str, failed: &str) -> bool {
    #[rustfmt::skip]
    let records = [
        "git add", "git commit", "git push", "git fetch", "git tag", "gh", "git stash", "git reset", "git restore", "git clean",
    ];
    records.iter().any(|record| begins_with(part, record))
        && !["git", "gh"].iter().any(|tool| begins_with(failed, tool))
}

/// Words before the command proper.
const BEFORE: &[&str] =
    &["sudo", "time", "do", "then", "else", "if", "while", "!", "(", "{", "nohup", "xargs"];

/// Commands and words of the shell that change nothing beyond the line they stand in.
#[rustfmt::skip]
const QUIET: &[&str] = &[
    "cd", "echo", "printf", "true", "false", ":", "set", "export", "sleep", "pushd", "popd", "for", "done",
    "fi", "case", "esac", "wait", "exit", "return", "local", "test", "[", "[[", "unset", "source", ".",
];

/// Commands that only look. Whatever is not known may change something.
#[rustfmt::skip]
const LOOKS: &[&str] = &[
    "ls", "cat", "head", "tail", "less", "more", "grep", "egrep", "rg", "ag", "find", "fd", "wc", "pwd",
    "which", "type", "command -v", "whereis", "whoami", "id", "uname", "hostname", "env", "printenv", "date",
    "ps", "top", "lsof", "df", "du", "file", "stat", "tree", "diff", "cmp", "jq", "yq", "sed", "awk",
    "sort", "uniq", "cut", "tr", "column", "nl", "xxd", "od", "hexdump", "strings", "basename", "dirname",
    "realpath", "readlink", "man", "history", "seq", "bat", "cloc", "tokei", "nm", "otool", "md5sum",
    "shasum", "sha256sum", "curl", "ping", "dig", "nslookup", "tee",
    "git status", "git diff", "git log", "git show", "git blame", "git branch", "git remote -v", "git remote show",
    "git rev-parse", "git rev-list", "git ls-files", "git ls-remote", "git ls-tree", "git describe",
    "git grep", "git config --get", "git config --list", "git reflog", "git worktree list", "git stash list", "git check-ignore",
    "git merge-base", "git cat-file", "git shortlog",
    "npm ls", "npm list", "npm view", "npm info", "npm outdated", "npm why", "npm root", "npm config get",
    "pnpm ls", "pnpm list", "pnpm why", "pnpm view", "pnpm outdated", "yarn why", "yarn list", "yarn info",
    "cargo check", "cargo tree", "cargo metadata", "cargo search", "cargo info", "npx tsc --noEmit",
    "tsc --noEmit", "gofmt -l", "gofmt -d", "go list", "go env", "go doc", "go version", "go mod graph", "go mod why",
    "go tool", "pip list", "pip show", "pip freeze", "pip index", "python -c", "python3 -c", "node -e",
    "node -p", "ruby -e", "perl -e", "docker ps", "docker logs", "docker images", "docker inspect",
    "docker compose ps", "docker compose logs", "docker-compose ps", "docker-compose logs",
    "kubectl get", "kubectl describe", "kubectl logs", "terraform plan", "terraform validate",
    "systemctl status", "journalctl", "brew list", "brew info", "brew search", "apt list", "rustup show",
    "gh pr view", "gh pr list", "gh pr checks", "gh pr diff", "gh run view", "gh run list", "gh issue",
    "make -n", "rustc --explain",
];

/// Flags with which a command only tells something.
#[rustfmt::skip]
const LOOKING_FLAGS: &[&str] = &[
    "--version", "-V", "--help", "--dry-run", "--check", "--list", "--collect-only", "--noEmit",
];

/// Flags with which a command that otherwise looks changes what it looks at.
#[rustfmt::skip]
const CHANGING_FLAGS: &[&str] = &[
    "--fix", "--write", "-delete", "--update-snapshots", "--updateSnapshot", "-update",
    "--update-snapshot", "--snapshot-update",
];

/// Tools that read unless they are told to write back what they read.
const IN_PLACE: &[&str] = &["sed -i", "perl -i", "perl -pi", "gofmt -w", "goimports -w"];

/// Words with which the same command is run again to see more of its failure.
#[rustfmt::skip]
const LOUDER: &[&str] = &[
    "-v", "-vv", "-vvv", "--verbose", "--debug", "-x", "--trace", "--stacktrace", "--show-trace",
    "--trace-warnings", "--info", "--nocapture", "--", "--quiet", "-q", "--silent", "--no-color",
    "--color=never", "V=1", "VERBOSE=1", "--backtrace", "--print-logs",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_something_is_told() {
        for (line, failed, expected) in [
            ("pnpm --filter @acme/ui build", "pnpm build", "pnpm --filter @acme/ui build"),
            ("cd web && npm ci 2>&1 | tail -3", "npm run build", "npm ci"),
            ("ls -la; docker compose up -d && docker ps", "make test", "docker compose up -d"),
            ("go generate ./... && go mod tidy", "go build", "go generate ./... && go mod tidy"),
            ("sed -i 's/a|b/c/' conf.toml", "make", "sed -i 's/a|b/c/' conf.toml"),
            ("cat > .env <<'EOF'\nPORT=1\nrm it\nEOF", "make", "cat > .env"),
            ("echo PORT=1 >> .env", "make", "echo PORT=1 >> .env"),
            ("npm run lint -- --fix", "npm run lint", "npm run lint -- --fix"),
            ("npm install --legacy-peer-deps", "npm install", "npm install --legacy-peer-deps"),
            ("cat dump.sql | psql -h localhost app", "make test", "psql -h localhost app"),
            ("git pull --rebase", "git push", "git pull --rebase"),
            ("git add a.rs", "git commit -m x", "git add a.rs"),
            ("rm -rf node_modules", "pnpm build", "rm -rf node_modules"),
            ("gofmt -w a.go && golangci-lint run", "golangci-lint run", "gofmt -w a.go"),
            ("cargo build --release", "./run-all.sh", "cargo build --release"),
        ] {
            assert_eq!(remedy(line, failed).as_deref(), Some(expected), "{line}");
        }
    }

    #[test]
    fn looking_and_checking_change_nothing() {
        for (line, failed) in [
            ("ls -la && cat package.json | grep -i '>2|name'", "pnpm build"),
            ("git status; git diff --stat", "pnpm build"),
            ("git add -A && git commit -m \"build > fix\"", "pnpm build"),
            ("pnpm build --verbose", "pnpm build"),
            ("RUST_BACKTRACE=1 cargo test -- --nocapture 2>&1", "cargo test"),
            ("gofmt -w . && go vet ./...", "gofmt -w . && go vet ./..."),
            ("cargo test -p x", "cargo build"),
            ("cargo build -p x", "cargo build"),
            ("go build -o app && gofmt -l .", "golangci-lint run"),
            ("go vet ./... && golangci-lint run", "go build ./..."),
            ("make > /tmp/out.txt 2>&1; tail /tmp/out.txt", "make"),
            ("make > out.txt; make test > test.log", "make"),
            ("node --version; npm ls react", "npm run build"),
            ("for f in a b; do grep x $f; done", "make"),
            ("python3 -c 'import json; print(1)'", "make"),
            ("sed -n 1,20p a.rs", "make"),
            ("cd /a && echo ok && sleep 3", "make"),
            ("prettier --check .", "make"),
            ("", "make"),
        ] {
            assert_eq!(remedy(line, failed), None, "{line}");
        }
    }

    #[test]
    fn the_last_two_are_told_each_once() {
        let mut remedies = Vec::new();
        for remedy in ["a", "b", "c", "b"] {
            keep(&mut remedies, remedy.to_owned());
        }
        assert_eq!(told(&remedies), "`c` and `b`");
        assert_eq!(told(&remedies[1..]), "`b`");
    }
}
