//! Code that recurs is found in every language, with holes where it differs, and nothing trivial.

#![allow(clippy::unwrap_used, reason = "a test that fails here should fail here")]

use mnemic_syntax::{CodePattern, Language, Limits, Source, recurring};
use proptest::prelude::*;

/// The same few lines in several files, written with other words each time.
fn written(ending: &str, template: &str, files: usize) -> Vec<Source> {
    let words = ["alpha", "beta", "gamma", "delta"];
    (0..files)
        .map(|number| Source {
            path: format!("src/{}.{ending}", words[number]),
            text: template.replace("WORD", words[number]).replace('#', &number.to_string()),
        })
        .collect()
}

fn found(sources: &[Source]) -> Vec<CodePattern> {
    recurring(sources, &Limits::default(), &mut || true)
}

/// A snippet of each language, and what must be left of it.
const SNIPPETS: &[(&str, &str, &str)] = &[
    (
        "rs",
        "fn WORD(ledger: &Ledger) -> Outcome {\n    let row = ledger.open_row(#)?;\n    \
         row.stamp(Clock::here()).seal(\"WORD\")?;\n    Ok(())\n}\n",
        ".stamp(Clock::here()).seal($text)",
    ),
    (
        "py",
        "def WORD(ledger):\n    row = ledger.open_row(#)\n    row.stamp(here()).seal('WORD')\n",
        "row.stamp(here()).seal($text)",
    ),
    (
        "ts",
        "export function WORD(ledger: Ledger): Row {\n  const row = ledger.openRow(#);\n  \
         return row.stamp(here()).seal('WORD');\n}\n",
        "row.stamp(here()).seal($text)",
    ),
    (
        "js",
        "function WORD(ledger) {\n  const row = ledger.openRow(#);\n  \
         return row.stamp(here()).seal('WORD');\n}\n",
        "row.stamp(here()).seal($text)",
    ),
    (
        "go",
        "package a\n\nfunc WORD(ledger *Ledger) error {\n\trow := ledger.OpenRow(#)\n\t\
         return row.Stamp(Here()).Seal(\"WORD\")\n}\n",
        "row.Stamp(Here()).Seal($text)",
    ),
    (
        "java",
        "class WORD {\n  Row make(Ledger ledger) {\n    Row row = ledger.openRow(#);\n    \
         return row.stamp(here()).seal(\"WORD\");\n  }\n}\n",
        "row.stamp(here()).seal($text)",
    ),
];

#[test]
fn every_language_gives_its_pattern() {
    for (ending, snippet, left) in SNIPPETS {
        let patterns = found(&written(ending, snippet, 4));
        let all: Vec<&str> = patterns.iter().map(|pattern| pattern.code.as_str()).collect();
        let best = patterns.iter().find(|pattern| pattern.code.contains(left));
        let best = best.unwrap_or_else(|| panic!("{ending}: {all:#?}"));
        assert_eq!(best.files, 4);
        assert_eq!(best.directory, "src");
        assert!(!best.code.contains("alpha"), "{}", best.code);
        assert!(best.placeholders.contains(&"$text".to_owned()), "{best:?}");
    }
}

#[test]
fn two_files_are_no_pattern() {
    for (ending, snippet, _) in SNIPPETS {
        assert_eq!(found(&written(ending, snippet, 2)), [], "{ending}");
    }
}

#[test]
fn places_are_the_lines_of_the_code() {
    let sources = written("py", SNIPPETS[1].1, 3);
    for pattern in found(&sources) {
        for place in &pattern.places {
            let source = sources.iter().find(|source| source.path == place.path).unwrap();
            let lines: Vec<&str> = source.text.lines().collect();
            let seen = &lines[place.first as usize - 1..place.last as usize];
            let name = pattern.names.last().unwrap().trim_start_matches('.');
            assert!(seen.join("\n").contains(name), "{place}: {name}");
        }
    }
}

#[test]
fn what_everybody_writes_is_left_out() {
    for (ending, trivial) in [
        ("rs", "fn WORD(x: &str) -> Vec<String> { x.lines().map(str::to_owned).collect() }\n"),
        ("rs", "use std::fs::File;\nfn WORD() { let f = File::open(\"WORD\").unwrap(); }\n"),
        (
            "go",
            "package a\nimport \"fmt\"\nfunc WORD() error {\n\treturn fmt.Errorf(\"WORD\")\n}\n",
        ),
        ("py", "import os\ndef WORD(p):\n    return os.path.join(p, os.path.basename('WORD'))\n"),
        ("ts", "export const WORD = (x: string[]) => x.map((y) => y.trim()).join('WORD');\n"),
        (
            "java",
            "import java.util.List;\nclass WORD { int a(List<String> x) { return x.size(); } }",
        ),
    ] {
        assert_eq!(found(&written(ending, trivial, 4)), [], "{trivial}");
    }
}

#[test]
fn comments_and_layout_make_no_difference() {
    let mut sources = written("rs", SNIPPETS[0].1, 3);
    let keys = |sources: &[Source]| found(sources).iter().map(|it| it.key).collect::<Vec<u64>>();
    let plain = keys(&sources);
    assert!(!plain.is_empty());
    for (number, source) in sources.iter_mut().enumerate() {
        let argument = format!("({number})");
        let spread = format!("(\n        {number}, // why\n    )");
        assert!(source.text.contains(&argument));
        source.text = source.text.replace("let row", "// how\n    let row");
        source.text = source.text.replace(&argument, &spread);
    }
    assert_eq!(keys(&sources), plain);
}

#[test]
fn generated_code_is_not_ours() {
    let head = "// Code generated by a tool. DO NOT EDIT.\n";
    let mut sources = written("go", SNIPPETS[4].1, 4);
    sources.iter_mut().for_each(|source| source.text.insert_str(0, head));
    assert_eq!(found(&sources), []);
}

#[test]
fn whoever_has_no_time_gets_what_there_is() {
    let sources = written("rs", SNIPPETS[0].1, 4);
    assert_eq!(recurring(&sources, &Limits::default(), &mut || false), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever is in the files, nothing panics and the answer is the same again.
    #[test]
    fn any_text_is_survived(
        texts in prop::collection::vec("[a-z(){}\\[\\];:.,!?'\"|&<>=# \n\\\\é]{0,120}", 3..6),
        which in 0..Language::ALL.len(),
    ) {
        let ending = ["go", "java", "js", "py", "rs", "ts", "tsx"][which];
        let name = |number| format!("{number}.{ending}");
        let sources: Vec<Source> = texts
            .iter()
            .enumerate()
            .map(|(number, text)| Source { path: name(number), text: text.repeat(2) })
            .collect();
        prop_assert_eq!(found(&sources), found(&sources));
    }

    /// The order of the files does not matter.
    #[test]
    fn order_is_no_matter(rotation in 0..4_usize) {
        let mut sources = written("rs", SNIPPETS[0].1, 4);
        let before = found(&sources);
        sources.rotate_left(rotation);
        prop_assert_eq!(before, found(&sources));
    }
}
