//! Reading the given files: JSON lines whose values are all strings.

use std::collections::HashMap;
use std::path::PathBuf;

pub(crate) type Line = HashMap<String, String>;

/// The lines of a file; `None`, said plainly, if nobody told where it is.
pub(crate) fn lines(name: &str) -> Option<Vec<Line>> {
    let Some(root) = std::env::var_os("MNEMIC_BENCH_DATA") else {
        println!("skipped: MNEMIC_BENCH_DATA is not set");
        return None;
    };
    let path = PathBuf::from(root).join(name);
    let text = std::fs::read_to_string(path).expect("the given file can be read");
    Some(text.lines().map(line).collect())
}

fn line(json: &str) -> Line {
    let mut rest = json.chars();
    let mut strings = Vec::new();
    while let Some(c) = rest.next() {
        if c == '"' {
            strings.push(string(&mut rest));
        }
    }
    strings.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}

/// The string whose opening quote has been read.
fn string(rest: &mut impl Iterator<Item = char>) -> String {
    let mut units: Vec<u16> = Vec::new();
    while let Some(c) = rest.next() {
        let c = match c {
            '"' => break,
            '\\' => match rest.next().expect("an escape has a letter") {
                'u' => {
                    let digits: String = rest.by_ref().take(4).collect();
                    units.push(u16::from_str_radix(&digits, 16).expect("four hex digits"));
                    continue;
                }
                'n' => '\n',
                't' => '\t',
                'r' => '\r',
                'b' => '\u{8}',
                'f' => '\u{c}',
                other => other,
            },
            c => c,
        };
        units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
    }
    String::from_utf16_lossy(&units)
}
