//! `CONTINUITY.md`: the memories that a working file names, and the parts of it that are refreshed.
//!
//! The file is the agent's. Only what stands between our two comments is ever replaced:
//!
//! ```text
//! ## Relevant memories
//! <!-- mnemic: refreshed, do not edit -->
//! - [fact-8f3k] db.port = 5433
//! <!-- /mnemic -->
//! ```

use crate::code;
use std::ops::Range;

const OPEN: &str = "<!-- mnemic: refreshed, do not edit -->";
const CLOSE: &str = "<!-- /mnemic -->";

/// What a working file calls a memory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reference {
    /// `[sem-001]`
    Id(String),
    /// `[skill: api-implementation]`
    Named { kind: String, name: String },
}

/// Every memory that the text names, in order, each once. What we put there ourselves is not what
/// the agent names.
pub fn references(text: &str) -> Vec<Reference> {
    let text = written_by_others(text);
    let mut found: Vec<Reference> = Vec::new();
    for (at, _) in text.match_indices('[') {
        let rest = &text[at + 1..];
        let Some(end) = rest.find([']', '\n', '[']).filter(|end| rest[*end..].starts_with(']'))
        else {
            continue;
        };
        // `[text](address)` is a link.
        let is_link = rest[end + 1..].starts_with('(');
        let reference = reference(rest[..end].trim()).filter(|_| !is_link);
        found.extend(reference.filter(|one| !found.contains(one)));
    }
    found
}

fn reference(text: &str) -> Option<Reference> {
    if let Some((kind, name)) = text.split_once(':') {
        let (kind, name) = (kind.trim().to_lowercase(), name.trim());
        let is_kind = !kind.is_empty() && kind.chars().all(|c| c.is_ascii_lowercase());
        return (is_kind && !name.is_empty())
            .then(|| Reference::Named { kind, name: name.to_owned() });
    }
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let (prefix, rest) = text.split_once('-')?;
    let is_id = prefix.chars().all(|c| c.is_ascii_alphabetic() || c == '_')
        && prefix.len() >= 2
        && !rest.is_empty()
        && text.chars().all(fits);
    is_id.then(|| Reference::Id(text.to_owned()))
}

/// The text without what stands between our comments.
pub fn written_by_others(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    while let Some(ours) = block(text, from) {
        kept.push_str(&text[from..ours.start]);
        from = ours.end;
    }
    kept.push_str(&text[from..]);
    kept
}

/// A passage is asked about with so many words; what comes then is detail.
const WORDS: usize = 40;

/// What the text says, piece by piece: paragraphs, items of lists, and headings that say something
/// of their own. Names of memories are no words.
pub fn passages(text: &str) -> Vec<String> {
    let text = written_by_others(text);
    let fences = fences(&text);
    let mut found: Vec<String> = vec![String::new()];
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let is_code = fences.iter().any(|fence| fence.contains(&at));
        at += line.len();
        let said = without_references(line);
        let heading = said.trim_start_matches('#').trim();
        let is_heading = heading.len() < said.len();
        let item = said.trim_start_matches(['-', '*', '+']).trim_start();
        if is_code || said.is_empty() {
            found.push(String::new());
        } else if is_heading {
            // `Next steps` and `Goal` stand over what they mean.
            let says = heading.split_whitespace().count() > 2;
            found.extend([if says { heading.to_owned() } else { String::new() }, String::new()]);
        } else if item.len() < said.len() {
            found.push(item.to_owned());
        } else if let Some(paragraph) = found.last_mut() {
            paragraph.push_str(&format!(" {said}"));
        }
    }
    let words = |one: &String| one.split_whitespace().take(WORDS).collect::<Vec<_>>().join(" ");
    found.iter().map(words).filter(|one| !one.is_empty()).collect()
}

fn without_references(line: &str) -> String {
    let mut said = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('[') {
        said.push_str(before);
        let inside = after.split_once(']').filter(|(inside, _)| reference(inside.trim()).is_some());
        rest = match inside {
            Some((_, behind)) => behind,
            None => after,
        };
    }
    (said + rest).trim().to_owned()
}

/// The text with each of these sections refreshed: the block below its heading is replaced, or put
/// there; a section that is missing is added at the end. All else stays as it is, to the byte, and
/// what is written has the text's own line ends.
pub fn refreshed(text: &str, sections: &[(&str, Vec<String>)]) -> String {
    sections.iter().fold(text.to_owned(), |text, (heading, lines)| with(&text, heading, lines))
}

fn with(text: &str, heading: &str, lines: &[String]) -> String {
    let eol = line_end(text);
    let block = format!("{OPEN}{eol}{}{CLOSE}{eol}", joined(lines, eol));
    let Some(section) = section(text, heading) else {
        let gap = match text {
            "" => String::new(),
            text if text.ends_with(&eol.repeat(2)) => String::new(),
            text if text.ends_with('\n') => eol.to_owned(),
            _ => eol.repeat(2),
        };
        return format!("{text}{gap}## {heading}{eol}{block}");
    };
    let place = self::block(text, section.start).filter(|ours| ours.end <= section.end);
    let place = place.unwrap_or(section.start..section.start);
    let before = &text[..place.start];
    let gap = if before.ends_with('\n') { "" } else { eol };
    format!("{before}{gap}{block}{}", &text[place.end..])
}

/// How the text ends its lines, told from the first of them.
fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(end) if text[..end].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

fn joined(lines: &[String], eol: &str) -> String {
    let safe = |line: &String| line.replace(['\n', '\r'], " ").replace("-->", "→");
    lines.iter().map(|line| safe(line) + eol).collect()
}

/// Fenced code, in which nothing is a heading or ours. A fence that nobody closes is none: what we
/// write behind it would be lost in it.
fn fences(text: &str) -> Vec<Range<usize>> {
    let closed = |span: &code::CodeSpan| span.is_block && span.inner.end < span.outer.end;
    code::spans(text).into_iter().filter(closed).map(|span| span.outer).collect()
}

/// What stands below a heading of any depth, up to the next heading of that depth or higher.
fn section(text: &str, heading: &str) -> Option<Range<usize>> {
    let fences = fences(text);
    let depth = |line: &str| line.chars().take_while(|c| *c == '#').count();
    let mut at = 0;
    let mut found: Option<(usize, usize)> = None;
    for line in text.split_inclusive('\n') {
        let is_code = fences.iter().any(|fence| fence.contains(&at));
        let here = if is_code { 0 } else { depth(line) };
        let title = line[here..].trim().trim_end_matches(':');
        match found {
            None if here > 0 && title.eq_ignore_ascii_case(heading) => {
                found = Some((here, at + line.len()));
            }
            Some((outer, start)) if (1..=outer).contains(&here) => return Some(start..at),
            _ => {}
        }
        at += line.len();
    }
    found.map(|(_, start)| start..text.len())
}

/// Our next block from here on, both comments included.
fn block(text: &str, from: usize) -> Option<Range<usize>> {
    let fences = fences(text);
    let is_code = |at: usize| fences.iter().any(|fence| fence.contains(&at));
    let mut opens = text[from..].match_indices(OPEN).map(|(at, _)| from + at);
    let start = opens.find(|at| !is_code(*at))?;
    let close = start + text[start..].find(CLOSE)? + CLOSE.len();
    let rest = &text[close..];
    let eol = ["\r\n", "\n"].into_iter().find(|eol| rest.starts_with(eol));
    Some(start..close + eol.map_or(0, str::len))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn memories_are_named_in_brackets() {
        let text = "See [sem-001], [ep-2026-01-05-012] and [skill: api-implementation].\n\
                    Not [x], [a link-text](http://a), [ ], [not-closed\n[sem-001] again [to do]";
        let id = |id: &str| Reference::Id(id.into());
        let skill = Reference::Named { kind: "skill".into(), name: "api-implementation".into() };
        assert_eq!(references(text), [id("sem-001"), id("ep-2026-01-05-012"), skill]);
    }

    #[test]
    fn only_our_block_changes() {
        let text = "# Now\nmine\n\n## Relevant memories\nmy note [fact-1]\n\n## Next\nmore";
        let once = refreshed(text, &[("Relevant memories", vec!["- [fact-2] a".into()])]);
        assert_eq!(
            once,
            "# Now\nmine\n\n## Relevant memories\n<!-- mnemic: refreshed, do not edit -->\n\
             - [fact-2] a\n<!-- /mnemic -->\nmy note [fact-1]\n\n## Next\nmore"
        );
        let twice = refreshed(&once, &[("relevant memories", vec!["- [fact-3] b".into()])]);
        assert_eq!(twice, once.replace("- [fact-2] a", "- [fact-3] b"));
        assert_eq!(written_by_others(&twice), text);
        assert_eq!(references(&twice), [Reference::Id("fact-1".into())]);
    }

    #[test]
    fn a_missing_section_comes_last() {
        let lines = vec!["- x".to_owned()];
        let expected = "## A\n<!-- mnemic: refreshed, do not edit -->\n- x\n<!-- /mnemic -->\n";
        assert_eq!(refreshed("", &[("A", lines.clone())]), expected);
        assert_eq!(refreshed("b", &[("A", lines)]), format!("b\n\n{expected}"));
    }

    #[test]
    fn a_text_is_read_in_passages() {
        let text = "# Now\nknit a scarf\nfor my sister, see [fact-1]\n\n## Next\n- [ ] buy wool\n\
                    - cast on\n```\ncode\n```\n### How the store is opened\n## Relevant memories\n\
                    <!-- mnemic: refreshed, do not edit -->\n- [fact-2] a\n<!-- /mnemic -->\n";
        let said = ["knit a scarf for my sister, see", "buy wool", "cast on"];
        let found = passages(text);
        assert_eq!(found[0], said[0]);
        assert!(found[1].ends_with(said[1]) && found[2] == said[2], "{found:?}");
        assert_eq!(found[3..], ["How the store is opened"]);
        assert_eq!(passages(""), [""; 0]);
    }

    #[test]
    fn what_stands_in_fences_is_no_section() {
        let lines = vec!["- x".to_owned()];
        let ours = format!("{OPEN}\n- x\n{CLOSE}\n");
        let text = "```\n## A\nan example\n```\n\n## B\n";
        assert_eq!(refreshed(text, &[("A", lines.clone())]), format!("{text}\n## A\n{ours}"));
        let real = format!("## A\n~~~md\n## B\n{ours}~~~\nmine\n");
        let expected = real.replacen("## A\n", &format!("## A\n{ours}"), 1);
        assert_eq!(refreshed(&real, &[("A", lines)]), expected, "the fence ends no section");
    }

    #[test]
    fn lines_end_as_the_others_of_the_file() {
        let text = "# Now\r\nmine\r\n\r\n## A\r\n<!-- mnemic: refreshed, do not edit -->\r\n\
                    - old\r\n<!-- /mnemic -->\r\nmy note\r\n";
        let sections = [("A", vec!["- x".to_owned()]), ("B", vec!["- y".to_owned()])];
        let once = refreshed(text, &sections);
        assert_eq!(once.matches('\n').count(), once.matches("\r\n").count(), "{once:?}");
        assert!(once.starts_with(&text.replace("- old", "- x")), "{once:?}");
        assert!(once.ends_with(&format!("my note\r\n\r\n## B\r\n{OPEN}\r\n- y\r\n{CLOSE}\r\n")));
        assert_eq!(refreshed(&once, &sections), once);
    }

    proptest! {
        #[test]
        fn refreshing_again_changes_nothing(
            text in "(# ?[ab]|## A|\\r?\\n|```|<!--| mnemic|-->|\\PC){0,40}",
        ) {
            let sections = [("A", vec!["- one".to_owned()]), ("B", vec![])];
            let once = refreshed(&text, &sections);
            prop_assert_eq!(&refreshed(&once, &sections), &once);
            let _ = references(&once);
        }
    }
}
