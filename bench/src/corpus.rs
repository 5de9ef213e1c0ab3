//! Texts to store: real ones from the directory in `MNEMIC_BENCH_DATA`, else made-up sentences.

use flate2::read::GzDecoder;
use mnemic_engine::model::Draft;
use mnemic_engine::model::body::{Body, Decision, Fact, Pattern};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Longer texts are cut here: the bars of the store speak of short memories.
const SHORT: usize = 400;

#[derive(Debug)]
pub(crate) struct Corpus {
    texts: Vec<String>,
    pub(crate) origin: String,
}

impl Corpus {
    pub(crate) fn load() -> Corpus {
        let data = std::env::var_os("MNEMIC_BENCH_DATA");
        let texts = data.as_deref().map(|dir| real_texts(Path::new(dir))).unwrap_or_default();
        if texts.is_empty() {
            eprintln!(
                "MNEMIC_BENCH_DATA is not set or holds no texts: real data skipped, using made-up sentences"
            );
            return Corpus { texts: made_up(2_000), origin: "made-up sentences".to_owned() };
        }
        let origin = format!("{} real texts, cut at {SHORT} characters", texts.len());
        Corpus { texts, origin }
    }

    /// The `n`-th memory: a text of the corpus, with a number so that none is a duplicate.
    pub(crate) fn draft(&self, n: usize) -> Draft {
        let text = format!("{} (#{n})", self.texts[n % self.texts.len()]);
        Draft::new(match n % 3 {
            0 => {
                Body::Fact(Fact { key: format!("bench.fact-{n}"), value: text, ..Fact::default() })
            }
            1 => Body::Pattern(Pattern { statement: text, ..Pattern::default() }),
            _ => Body::Decision(Decision {
                decision: text,
                rationale: None,
                alternatives: Vec::new(),
                affects: Vec::new(),
                active: true,
            }),
        })
    }
}

fn real_texts(dir: &Path) -> Vec<String> {
    let sets = std::fs::read_dir(dir.join("retrieval")).into_iter().flatten().flatten();
    let mut paths: Vec<_> = sets.map(|set| set.path().join("docs.jsonl.gz")).collect();
    paths.sort();
    let mut texts = Vec::new();
    for path in paths {
        let Ok(file) = File::open(&path) else { continue };
        for line in BufReader::new(GzDecoder::new(file)).lines().map_while(Result::ok) {
            let doc: serde_json::Value = serde_json::from_str(&line).unwrap_or_default();
            let text: String =
                doc["text"].as_str().unwrap_or_default().chars().take(SHORT).collect();
            if !text.trim().is_empty() {
                texts.push(text.replace('\0', ""));
            }
        }
    }
    texts
}

fn made_up(count: usize) -> Vec<String> {
    const WORDS: &[&str] = &[
        "the",
        "store",
        "keeps",
        "every",
        "version",
        "of",
        "a",
        "memory",
        "while",
        "agents",
        "write",
        "src/main.rs",
        "retry",
        "after",
        "timeout",
        "deploy",
        "from",
        "main",
        "branch",
        "never",
        "cache",
        "tokens",
        "in",
        "memory",
        "use",
        "jiff",
        "instead",
        "chrono",
        "E0382",
        "borrow",
        "checker",
        "says",
        "port",
        "5432",
        "is",
        "taken",
        "by",
        "postgres",
        "on",
        "laptop",
    ];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as usize
    };
    (0..count)
        .map(|_| {
            let length = 8 + next() % 20;
            (0..length).map(|_| WORDS[next() % WORDS.len()]).collect::<Vec<_>>().join(" ")
        })
        .collect()
}
