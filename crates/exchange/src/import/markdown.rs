//! Takes Markdown apart: sections under their headings, and the items of lists.

/// What stands under a heading, up to the next one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Section {
    /// The headings above it, the outermost first; none before the first heading.
    pub(super) path: Vec<String>,
    pub(super) text: String,
}

impl Section {
    /// `Build › Tests`
    pub(super) fn title(&self) -> String {
        self.path.join(" › ")
    }

    pub(super) fn heading(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }
}

/// Sections that say something.
pub(super) fn sections(text: &str) -> Vec<Section> {
    let mut found = Vec::new();
    let mut path: Vec<(usize, String)> = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    let mut fence = Fence::default();
    for line in text.lines() {
        let heading = if fence.sees(line) { None } else { heading(line) };
        let Some((level, title)) = heading else {
            lines.push(line);
            continue;
        };
        close(&path, &mut lines, &mut found);
        path.retain(|(above, _)| *above < level);
        path.push((level, title.to_owned()));
    }
    close(&path, &mut lines, &mut found);
    found
}

fn close(path: &[(usize, String)], lines: &mut Vec<&str>, found: &mut Vec<Section>) {
    let text = lines.join("\n").trim_matches(['\n', '\r']).trim_end().to_owned();
    lines.clear();
    if !text.trim().is_empty() {
        found.push(Section { path: path.iter().map(|(_, title)| title.clone()).collect(), text });
    }
}

/// Level and words of a heading.
pub(super) fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let title = line[level..].strip_prefix([' ', '\t'])?.trim().trim_end_matches('#').trim();
    ((1..=6).contains(&level) && !title.is_empty()).then_some((level, title))
}

/// Whether lines stand inside of a block of code.
#[derive(Debug, Default)]
pub(super) struct Fence(Option<char>);

impl Fence {
    /// Takes a line; true when it is code or the edge of code.
    pub(super) fn sees(&mut self, line: &str) -> bool {
        let line = line.trim_start();
        let mark =
            ['`', '~'].into_iter().find(|mark| line.starts_with(&mark.to_string().repeat(3)));
        match (self.0, mark) {
            (None, Some(mark)) => self.0 = Some(mark),
            (Some(open), Some(mark)) if open == mark => self.0 = None,
            (None, None) => return false,
            _ => {}
        }
        true
    }
}

/// The items of the outermost lists, with what is indented below them.
pub(super) fn items(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        let indent = line.len() - line.trim_start().len();
        match item(line) {
            Some(item) if indent < 2 || !open => {
                found.push(item.to_owned());
                open = true;
            }
            _ if open && indent >= 2 => {
                if let Some(last) = found.last_mut() {
                    last.push('\n');
                    last.push_str(line.trim_end());
                }
            }
            _ => open = open && line.trim().is_empty(),
        }
    }
    found.iter_mut().for_each(|item| *item = item.trim().to_owned());
    found.retain(|item| !item.is_empty());
    found
}

/// What a list's item says, without its mark and its box.
pub(super) fn item(line: &str) -> Option<&str> {
    let line = line.trim();
    let marked = ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark));
    let text = marked.or_else(|| numbered(line))?;
    let boxed = ["[ ] ", "[x] ", "[X] "].iter().find_map(|mark| text.strip_prefix(mark));
    Some(boxed.unwrap_or(text).trim())
}

/// What an item says that begins with a number.
pub(super) fn numbered(line: &str) -> Option<&str> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = line[digits..].strip_prefix(['.', ')'])?.strip_prefix(' ')?;
    (1..=4).contains(&digits).then_some(rest)
}

/// The first heading of a text, or its first line.
pub(super) fn title_of(text: &str) -> Option<String> {
    let mut said = text.lines().filter(|line| !line.trim().is_empty());
    let line = text.lines().find_map(|line| heading(line).map(|(_, title)| title));
    line.or_else(|| said.next().map(str::trim)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_know_their_headings_and_code_has_none() {
        let text = "Intro\n# A\n## B\nb1\n```\n# no heading\n```\n## C\n\n# D #\nd\n";
        let found = sections(text);
        let titles: Vec<String> = found.iter().map(Section::title).collect();
        assert_eq!(titles, ["", "A › B", "D"]);
        assert_eq!(found[1].text, "b1\n```\n# no heading\n```");
    }

    #[test]
    fn items_keep_what_hangs_below_them() {
        let text =
            "Words\n- one\n  more\n  - inner\n* two\n\nNo item\n1. three\n2) four\n- [x] five";
        assert_eq!(items(text), ["one\n  more\n  - inner", "two", "three", "four", "five"]);
        assert_eq!(title_of("\n\nplain\n# Head"), Some("Head".to_owned()));
    }
}
