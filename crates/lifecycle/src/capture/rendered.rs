//! A tool call that somebody rendered as Markdown: the command in code marks, the output in a fence.

/// The parts of a rendered call.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rendered<'a> {
    pub(super) command: Option<String>,
    /// All that is not output.
    pub(super) input: &'a str,
    pub(super) output: Option<&'a str>,
}

pub(super) fn parse(text: &str) -> Rendered<'_> {
    let (command, after) = match command(text) {
        Some((command, end)) => (Some(unescaped(command)), end),
        None => (None, 0),
    };
    let (input, output) = match output_fence(&text[after..]) {
        Some((begin, end, from)) => {
            (&text[..after + begin], Some(text[after + from..after + end].trim()))
        }
        None => (text, None),
    };
    Rendered { command, input, output }
}

/// The command and where the text goes on behind it.
fn command(text: &str) -> Option<(&str, usize)> {
    let mut at = 0;
    for line in text.split_inclusive('\n').take(12) {
        let begin = at + (line.len() - line.trim_start().len());
        at += line.len();
        let line = line.trim();
        if let Some(language) = line.strip_prefix("```") {
            if !["bash", "sh", "zsh", "shell", "console"].contains(&language) {
                return None;
            }
            let end = text[at..].find("\n```").map(|found| at + found)?;
            return Some((text[at..end].trim(), end + 4));
        }
        if let Some(code) = line.find('`').filter(|code| *code == 0 || line.starts_with("Tool use"))
        {
            return inline(text, begin + code + 1);
        }
    }
    None
}

/// Inline code ends at the last mark of the line, or of a later one when it goes over several.
fn inline(text: &str, begin: usize) -> Option<(&str, usize)> {
    let mut at = begin;
    for line in text[begin..].split_inclusive('\n').take(200) {
        at += line.len();
        if line.starts_with("```") {
            return None;
        }
        if let Some(code) = line.trim_end().strip_suffix('`') {
            let end = at - line.len() + code.len();
            return Some((text[begin..end].trim(), at));
        }
    }
    None
}

/// Begin of the fence, end and begin of what stands in it.
fn output_fence(text: &str) -> Option<(usize, usize, usize)> {
    let mut at = 0;
    let mut in_other = false;
    for line in text.split_inclusive('\n') {
        let begin = at;
        at += line.len();
        match line.trim() {
            "```" if in_other => in_other = false,
            "```" | "```text" | "```json" if !in_other => {
                let end = text[at..].rfind("```").map_or(text.len(), |found| at + found);
                return Some((begin, end, at));
            }
            fence => in_other |= fence.starts_with("```"),
        }
    }
    None
}

fn unescaped(code: &str) -> String {
    code.replace("&#96;", "`").replace("\\`", "`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_outputs_are_found() {
        for (text, command, output) in [
            (
                "Tool use: **Bash**\nRun linter\n\n`golangci-lint run`\n\n```text\nExit code 1\nx\n```",
                Some("golangci-lint run"),
                Some("Exit code 1\nx"),
            ),
            (
                "Tool use: **Bash**\nTwo\n\n```bash\ncd a\nmake\n```\n\n```text\nok\n```",
                Some("cd a\nmake"),
                Some("ok"),
            ),
            (
                "Tool use: **exec_command** `sed -n '1p' a.md`\n```\nProcess exited with code 0\n```",
                Some("sed -n '1p' a.md"),
                Some("Process exited with code 0"),
            ),
            (
                "Tool use: **Bash**\nSet\n\n`a=1\necho $a`\n\n```text\n1\n```",
                Some("a=1\necho $a"),
                Some("1"),
            ),
            ("Tool use: **Bash**\n\n`echo &#96;x&#96;`\n", Some("echo `x`"), None),
            ("Tool use: **Edit**\n\n```text\nupdated\n```", None, Some("updated")),
            ("Tool use: **Edit**\n\n```diff\n-a\n+b\n```", None, None),
            ("…", None, None),
        ] {
            let rendered = parse(text);
            assert_eq!(rendered.command.as_deref(), command, "{text}");
            assert_eq!(rendered.output, output, "{text}");
        }
    }
}
