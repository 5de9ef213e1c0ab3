//! The stretches of a text that are code rather than prose: fenced blocks and inline backticks.

use std::ops::Range;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CodeSpan {
    /// With its backticks or fences.
    pub(crate) outer: Range<usize>,
    /// Without them.
    pub(crate) inner: Range<usize>,
    pub(crate) is_block: bool,
}

/// In order and without overlap. An unclosed fence reaches to the end, an unclosed backtick means
/// nothing.
pub(crate) fn spans(text: &str) -> Vec<CodeSpan> {
    let mut found = Vec::new();
    let mut fence: Option<(usize, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        match fence {
            Some((start, inner)) if is_fence => {
                found.push(CodeSpan { outer: start..end, inner: inner..at, is_block: true });
                fence = None;
            }
            Some(_) => {}
            None if is_fence => fence = Some((at, end)),
            None => inline(line, at, &mut found),
        }
        at = end;
    }
    if let Some((start, inner)) = fence {
        found.push(CodeSpan { outer: start..at, inner: inner..at, is_block: true });
    }
    found
}

fn inline(line: &str, offset: usize, found: &mut Vec<CodeSpan>) {
    let mut from = 0;
    while let Some(start) = line[from..].find('`').map(|at| from + at) {
        let ticks = line[start..].bytes().take_while(|byte| *byte == b'`').count();
        let inner = start + ticks;
        let Some(length) = line[inner..].find(&line[start..inner]) else {
            from = inner;
            continue;
        };
        let end = inner + length + ticks;
        found.push(CodeSpan {
            outer: offset + start..offset + end,
            inner: offset + inner..offset + inner + length,
            is_block: false,
        });
        from = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_found_in_prose() {
        let text =
            "run `cargo test`, ``a`b`` or\n```rust\nlet x = `1`;\n```\nand ` that\n~~~\nopen";
        let found: Vec<_> =
            spans(text).into_iter().map(|span| (&text[span.inner], span.is_block)).collect();
        assert_eq!(
            found,
            [("cargo test", false), ("a`b", false), ("let x = `1`;\n", true), ("open", true)]
        );
    }
}
