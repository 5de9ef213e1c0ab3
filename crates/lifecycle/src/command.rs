//! Commands as people type them: what is the same command, and what it is for.

/// What a command is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    Test,
    Build,
    Lint,
    Format,
    Install,
    Run,
    /// Looking around, moving files, version control.
    Other,
}

impl Purpose {
    pub fn as_str(self) -> &'static str {
        match self {
            Purpose::Test => "test",
            Purpose::Build => "build",
            Purpose::Lint => "lint",
            Purpose::Format => "format",
            Purpose::Install => "install",
            Purpose::Run => "run",
            Purpose::Other => "other",
        }
    }
}

/// First words of tools, and what they are for; the longest that fits counts.
const KNOWN: &[(&str, Purpose)] = &[
    ("go test", Purpose::Test),
    ("cargo test", Purpose::Test),
    ("cargo nextest", Purpose::Test),
    ("pytest", Purpose::Test),
    ("python -m pytest", Purpose::Test),
    ("python3 -m pytest", Purpose::Test),
    ("uv run pytest", Purpose::Test),
    ("poetry run pytest", Purpose::Test),
    ("npm test", Purpose::Test),
    ("npm run test", Purpose::Test),
    ("pnpm test", Purpose::Test),
    ("pnpm run test", Purpose::Test),
    ("yarn test", Purpose::Test),
    ("bun test", Purpose::Test),
    ("npx vitest", Purpose::Test),
    ("npx jest", Purpose::Test),
    ("vitest", Purpose::Test),
    ("jest", Purpose::Test),
    ("make test", Purpose::Test),
    ("just test", Purpose::Test),
    ("mvn test", Purpose::Test),
    ("gradle test", Purpose::Test),
    ("./gradlew test", Purpose::Test),
    ("dotnet test", Purpose::Test),
    ("rspec", Purpose::Test),
    ("bundle exec rspec", Purpose::Test),
    ("mix test", Purpose::Test),
    ("swift test", Purpose::Test),
    ("ctest", Purpose::Test),
    ("go build", Purpose::Build),
    ("cargo build", Purpose::Build),
    ("cargo check", Purpose::Build),
    ("npm run build", Purpose::Build),
    ("pnpm build", Purpose::Build),
    ("pnpm run build", Purpose::Build),
    ("yarn build", Purpose::Build),
    ("bun run build", Purpose::Build),
    ("make", Purpose::Build),
    ("make build", Purpose::Build),
    ("just build", Purpose::Build),
    ("cmake", Purpose::Build),
    ("tsc", Purpose::Build),
    ("npx tsc", Purpose::Build),
    ("mvn package", Purpose::Build),
    ("./gradlew build", Purpose::Build),
    ("docker build", Purpose::Build),
    ("golangci-lint", Purpose::Lint),
    ("go vet", Purpose::Lint),
    ("cargo clippy", Purpose::Lint),
    ("eslint", Purpose::Lint),
    ("npx eslint", Purpose::Lint),
    ("npm run lint", Purpose::Lint),
    ("pnpm lint", Purpose::Lint),
    ("ruff check", Purpose::Lint),
    ("mypy", Purpose::Lint),
    ("pyright", Purpose::Lint),
    ("shellcheck", Purpose::Lint),
    ("make lint", Purpose::Lint),
    ("gofmt", Purpose::Format),
    ("go fmt", Purpose::Format),
    ("goimports", Purpose::Format),
    ("cargo fmt", Purpose::Format),
    ("prettier", Purpose::Format),
    ("npx prettier", Purpose::Format),
    ("ruff format", Purpose::Format),
    ("black", Purpose::Format),
    ("go mod tidy", Purpose::Install),
    ("npm install", Purpose::Install),
    ("npm ci", Purpose::Install),
    ("pnpm install", Purpose::Install),
    ("yarn install", Purpose::Install),
    ("pip install", Purpose::Install),
    ("uv sync", Purpose::Install),
    ("bundle install", Purpose::Install),
    ("npm run", Purpose::Run),
    ("npm start", Purpose::Run),
    ("cargo run", Purpose::Run),
    ("go run", Purpose::Run),
    ("docker compose", Purpose::Run),
    ("just", Purpose::Run),
];

/// The same command however its output is piped and from wherever it is run: the commands of a line
/// without `cd`, `echo`, redirections and what only shortens the output, joined by ` && `.
pub fn normalised(command: &str) -> String {
    parts(command).join(" && ")
}

/// The single commands of a line that do something, each in its normal form.
pub fn parts(command: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in split(command) {
        let part = bare(part);
        let first = part.split(' ').next().unwrap_or_default();
        if !part.is_empty() && !IDLE.contains(&first) {
            found.push(part);
        }
    }
    found
}

/// Where a line of commands goes before it does something: `docs` of `cd docs && make`.
pub(crate) fn directory(command: &str) -> Option<&str> {
    split(command).find_map(|part| part.trim().strip_prefix("cd ")).map(str::trim)
}

/// Commands that change nothing about what a line is for.
const IDLE: &[&str] =
    &["cd", "echo", "printf", "true", ":", "set", "export", "sleep", "pushd", "popd"];

/// The commands of a line; what is piped on is left out.
fn split(command: &str) -> impl Iterator<Item = &str> {
    stages(command).into_iter().filter(|stage| !stage.is_piped).map(|stage| stage.text)
}

/// One command of a line, as it was typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stage<'a> {
    pub(crate) text: &'a str,
    /// Reads what the one before it prints.
    is_piped: bool,
}

/// Splits at `&&`, `||`, `;`, `|` and line ends outside quotes.
pub(crate) fn stages(command: &str) -> Vec<Stage<'_>> {
    let mut found = Vec::new();
    let (mut start, mut quote, mut is_piped) = (0, None, false);
    let bytes = command.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        let pair = bytes.get(at + 1) == Some(&byte);
        match quote {
            Some(open) => {
                if byte == b'\\' && open == b'"' {
                    at += 1;
                } else if byte == open {
                    quote = None;
                }
            }
            None if byte == b'\\' => at += 1,
            None if byte == b'"' || byte == b'\'' => quote = Some(byte),
            None if byte == b'|' || byte == b';' || byte == b'\n' || (byte == b'&' && pair) => {
                found.push(Stage { text: &command[start..at], is_piped });
                is_piped = byte == b'|' && !pair;
                at += usize::from(pair && byte != b'\n');
                start = at + 1;
            }
            None => {}
        }
        at += 1;
    }
    found.push(Stage { text: &command[start.min(command.len())..], is_piped });
    found
}

/// Without redirections, variables set before it and needless white space.
pub(crate) fn bare(part: &str) -> String {
    let words = part.split_whitespace();
    let is_redirection = |word: &str| {
        matches!(word, "2>&1" | "&>/dev/null" | "2>/dev/null" | ">/dev/null" | "1>/dev/null" | "&")
    };
    let mut kept = words.filter(|word| !is_redirection(word)).peekable();
    while kept.peek().is_some_and(|word| sets_variable(word)) {
        kept.next();
    }
    let kept: Vec<&str> = kept.collect();
    let end = kept.iter().position(|word| matches!(*word, ">" | ">>" | "2>" | "&>" | "<<<"));
    kept[..end.unwrap_or(kept.len())].join(" ")
}

fn sets_variable(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_uppercase() || b == b'_' || b.is_ascii_digit())
    })
}

/// What a line is for: the first of its parts that is for something.
pub fn purpose(command: &str) -> Purpose {
    parts(command).iter().map(|part| purpose_of_part(part)).min().unwrap_or(Purpose::Other)
}

pub fn purpose_of_part(part: &str) -> Purpose {
    let fits = |known: &&(&str, Purpose)| {
        part.strip_prefix(known.0).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    let longest = KNOWN.iter().filter(fits).max_by_key(|known| known.0.len());
    longest.map_or(Purpose::Other, |known| known.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_command_in_other_clothes() {
        for (command, normal) in [
            ("cd /a/b && go test ./... 2>&1 | tail -22", "go test ./..."),
            ("echo \"== a | b ==\"; go build -o x . 2>&1 | head", "go build -o x ."),
            ("CGO_ENABLED=0 go test  ./pkg/...", "go test ./pkg/..."),
            ("go build -o x && go test ./...", "go build -o x && go test ./..."),
            ("grep -n 'a;b|c' x.go | head -3", "grep -n 'a;b|c' x.go"),
            ("make > out.txt", "make"),
            ("cd /a", ""),
            ("", ""),
            ("a \\", "a \\"),
            ("é && 'ü", "é && 'ü"),
        ] {
            assert_eq!(normalised(command), normal, "{command}");
        }
    }

    #[test]
    fn what_commands_are_for() {
        for (command, expected) in [
            ("cd x && go test ./... | tail", Purpose::Test),
            ("go build -o x && golangci-lint run", Purpose::Build),
            ("makepkg", Purpose::Other),
            ("make test", Purpose::Test),
            ("git status", Purpose::Other),
        ] {
            assert_eq!(purpose(command), expected, "{command}");
        }
    }
}
