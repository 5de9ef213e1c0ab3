//! What is measured beside the whole: baselines, and the whole with one part switched off.

use mnemic_engine::recall::{Fusion, Switches};

#[derive(Debug, Clone)]
pub(crate) struct Variant {
    pub(crate) name: &'static str,
    pub(crate) switches: Switches,
}

fn whole() -> Switches {
    // Rankings are compared to their end: nothing is cut off by a bound.
    Switches { bounds: false, ..Switches::default() }
}

fn bare() -> Switches {
    Switches {
        spelling: false,
        graph: false,
        time: false,
        skills: false,
        person: false,
        neighbours: false,
        contrast: false,
        age: false,
        adapt: false,
        twins: false,
        aspects: false,
        ..whole()
    }
}

impl Variant {
    pub(crate) fn chosen(baselines: bool, ablations: bool) -> Vec<Variant> {
        let mut all = vec![Variant { name: "mnemic", switches: whole() }];
        if baselines {
            all.push(Variant {
                name: "words only",
                switches: Switches { meaning: false, ..bare() },
            });
            all.push(Variant {
                name: "meaning only",
                switches: Switches { words: false, ..bare() },
            });
        }
        if ablations {
            all.extend(ABLATIONS.iter().map(|(name, change)| {
                let mut switches = whole();
                change(&mut switches);
                Variant { name, switches }
            }));
        }
        all
    }
}

type Change = fn(&mut Switches);

const ABLATIONS: &[(&str, Change)] = &[
    ("without meaning", |s| s.meaning = false),
    ("without words", |s| s.words = false),
    ("without spelling", |s| s.spelling = false),
    ("without graph", |s| s.graph = false),
    ("without time", |s| s.time = false),
    ("without aspects", |s| s.aspects = false),
    ("without person", |s| s.person = false),
    ("without neighbours", |s| s.neighbours = false),
    ("without contrast", |s| s.contrast = false),
    ("without gist", |s| s.gist = false),
    ("without kin", |s| s.kin = false),
    ("without twins", |s| s.twins = false),
    ("without adapting", |s| s.adapt = false),
    ("by ranks (RRF 60)", |s| s.fusion = Fusion::Ranks),
    ("without recency", |s| s.recency = false),
    ("without usage", |s| s.usage = false),
    ("without age", |s| s.age = false),
    ("with diversity (MMR 0.7)", |s| s.diversity = true),
];
