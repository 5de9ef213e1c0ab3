//! Two texts line by line: to show what changes, and to take a change back out of a third text.

/// Beyond this many lines on both sides, what differs is shown as one piece.
const MOST_CELLS: usize = 4_000_000;
/// Unchanged lines around a change.
const AROUND: usize = 2;

/// Lines of `old` that became lines of `new`; ranges of both.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Hunk {
    old: std::ops::Range<usize>,
    new: std::ops::Range<usize>,
}

/// Lines with their ends.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

fn hunks(old: &[&str], new: &[&str]) -> Vec<Hunk> {
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a == b);
    let tail = tail.count();
    let (a, b) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    if a.is_empty() && b.is_empty() {
        return Vec::new();
    }
    if a.len().saturating_mul(b.len()) > MOST_CELLS {
        return vec![Hunk { old: head..head + a.len(), new: head..head + b.len() }];
    }
    let mut hunks: Vec<Hunk> = Vec::new();
    let (mut at_old, mut at_new) = (0, 0);
    for (same_old, same_new) in common(a, b).into_iter().chain([(a.len(), b.len())]) {
        if at_old < same_old || at_new < same_new {
            hunks.push(Hunk {
                old: head + at_old..head + same_old,
                new: head + at_new..head + same_new,
            });
        }
        (at_old, at_new) = (same_old + 1, same_new + 1);
    }
    hunks
}

/// The longest common subsequence, as pairs of places.
fn common(a: &[&str], b: &[&str]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    let mut longest = vec![0u32; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            longest[i * width + j] = match a[i] == b[j] {
                true => longest[(i + 1) * width + j + 1] + 1,
                false => longest[(i + 1) * width + j].max(longest[i * width + j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if longest[(i + 1) * width + j] >= longest[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

/// What changes from `old` to `new`, for a person.
pub(crate) fn shown(old: &str, new: &str) -> Vec<String> {
    let (old, new) = (lines(old), lines(new));
    let hunks = hunks(&old, &new);
    let plain = |line: &str| line.trim_end_matches(['\n', '\r']).to_owned();
    let mut out = Vec::new();
    let mut told = 0;
    for (index, hunk) in hunks.iter().enumerate() {
        let first = hunk.old.start.saturating_sub(AROUND).max(told);
        if first > told {
            out.push(format!("@@ line {} @@", first + 1));
        }
        out.extend(old[first..hunk.old.start].iter().map(|line| format!("  {}", plain(line))));
        out.extend(old[hunk.old.clone()].iter().map(|line| format!("- {}", plain(line))));
        out.extend(new[hunk.new.clone()].iter().map(|line| format!("+ {}", plain(line))));
        let next = hunks.get(index + 1).map_or(old.len(), |next| next.old.start);
        told = (hunk.old.end + AROUND).min(next);
        out.extend(old[hunk.old.end..told].iter().map(|line| format!("  {}", plain(line))));
    }
    out
}

/// Takes the change from `before` to `after` back out of a text that went on from `after`. None
/// when a part of the change cannot be found again, or not for certain.
pub(crate) fn taken_back(before: &str, after: &str, now: &str) -> Option<String> {
    let (before, after) = (lines(before), lines(after));
    let end = if now.contains("\r\n") { "\r\n" } else { "\n" };
    let mut now: Vec<&str> = lines(now);
    for hunk in hunks(&before, &after).into_iter().rev() {
        let block = &after[hunk.new.clone()];
        // A part that was only taken away leaves nothing to be found by.
        let (first, ..) = (block.first()?,);
        let places: Vec<usize> = (0..now.len())
            .filter(|place| now[*place] == *first && now[*place..].starts_with(block))
            .collect();
        let [place] = places.as_slice() else { return None };
        now.splice(*place..place + block.len(), before[hunk.old.clone()].iter().copied());
    }
    Some(joined(&now, end))
}

/// Lines one below the other: what was a last line without an end, and is no longer the last, gets
/// one.
fn joined(lines: &[&str], end: &str) -> String {
    let mut text = String::new();
    for line in lines {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push_str(end);
        }
        text.push_str(line);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_is_shown_with_a_little_around_it() {
        let old = "1\n2\n3\n4\n5\n6\n";
        let new = "1\n2\n3\n4\nnew\n5\n6\n";
        assert_eq!(shown(old, new), ["@@ line 3 @@", "  3", "  4", "+ new", "  5", "  6"]);
        assert!(shown(old, old).is_empty());
        assert_eq!(shown("", "a\n"), ["+ a"]);
    }

    #[test]
    fn a_change_is_taken_back_out_of_what_was_edited_elsewhere() {
        let before = "{\n  \"a\": 1\n}\n";
        let after = "{\n  \"a\": 1,\n  \"b\": 2\n}\n";
        let edited = "// mine\n{\n  \"a\": 1,\n  \"b\": 2\n}\n\n";
        assert_eq!(
            taken_back(before, after, edited).as_deref(),
            Some("// mine\n{\n  \"a\": 1\n}\n\n")
        );
        assert_eq!(taken_back(before, after, after).as_deref(), Some(before));
        assert_eq!(taken_back(before, after, "{\n  \"a\": 1,\n  \"b\": 3\n}\n"), None);
        assert_eq!(
            taken_back(before, after, &format!("{after}{after}")),
            None,
            "which of the two?"
        );
    }

    #[test]
    fn what_followed_stays_on_a_line_of_its_own() {
        let (before, after) = ("a = 1", "a = 1\n\n[ours]\nb = 2\n");
        let back = |more: &str| taken_back(before, after, &format!("{after}{more}"));
        assert_eq!(back("[theirs]\n").as_deref(), Some("a = 1\n[theirs]\n"));
        assert_eq!(back("").as_deref(), Some(before));
        let windows = taken_back(before, "a = 1\r\n[ours]\r\n", "a = 1\r\n[ours]\r\n[theirs]");
        assert_eq!(windows.as_deref(), Some("a = 1\r\n[theirs]"));
    }
}
