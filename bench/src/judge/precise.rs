//! Precision: beliefs of one user, and cases that say which of them a question means.
//!
//! How the beliefs become memories: the domain is the namespace; aliases and canonical name are
//! tags; what was superseded is no longer valid; pinned memories and what holds
//! everywhere are always in context, so recall is asked for the rest; open questions are not asked
//! for either (both are stored as resources); a relation links its participants.

use super::engine;
use crate::report::Figure;
use mnemic_engine::inference::Embedder;
use mnemic_engine::model::body::{Body, Pattern, Resource};
use mnemic_engine::model::{Draft, Kind, Namespace, Relation, Timestamp, Unit};
use mnemic_engine::{Engine, Note};
use serde::Deserialize;
use std::collections::{BTreeSet, HashMap};
use std::error::Error;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

#[derive(Debug, Deserialize)]
struct Belief {
    #[serde(rename = "_id")]
    id: String,
    user_id: String,
    #[serde(rename = "type")]
    kind: String,
    canonical_name: String,
    aliases: Vec<String>,
    content: String,
    scope: Vec<String>,
    epistemic_status: String,
    pinned: bool,
    resolved_at: Option<String>,
    #[serde(default)]
    participants: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Case {
    case_id: String,
    scope: Vec<String>,
    query: String,
    expect: HashMap<String, serde_json::Value>,
    user_id: Option<String>,
    budget: Option<HashMap<String, usize>>,
}

pub(super) fn run(
    dir: &Path,
    embedder: &Arc<dyn Embedder>,
    tell: bool,
) -> Result<Vec<Figure>, Box<dyn Error>> {
    let open = |name: &str| {
        let path = dir.join(name);
        File::open(&path).map_err(|cause| format!("cannot read `{}`: {cause}", path.display()))
    };
    let beliefs: Vec<Belief> = serde_json::from_reader(open("beliefs.seed.json")?)?;
    let cases: Vec<Case> = serde_json::from_reader(open("retrieval.cases.json")?)?;
    let home = tempfile::tempdir()?;
    let engine = engine(home.path(), embedder)?;
    let names = store(&engine, &beliefs)?;
    let (mut precision, mut recall, mut asked) = (0.0, 0.0, 0_u64);
    for case in cases.iter().filter(|case| case.user_id.is_none()) {
        let Some(meant) =
            case.expect.get("relevantBeliefs").and_then(|e| e.get("shouldOnlyInclude"))
        else {
            continue;
        };
        let meant: BTreeSet<String> = serde_json::from_value(meant.clone())?;
        let shown = ask(&engine, case, &names)?;
        let both = shown.intersection(&meant).count() as f64;
        let part = |whole: usize, other: usize| match whole {
            0 => f64::from(u8::from(other == 0)),
            _ => both / whole as f64,
        };
        let (p, r) = (part(shown.len(), meant.len()), part(meant.len(), 0));
        if tell && (p < 1.0 || r < 1.0) {
            eprintln!(
                "{} `{}`\n    shown {shown:?}\n    meant {meant:?}",
                case.case_id, case.query
            );
        }
        precision += p;
        recall += if meant.is_empty() { 1.0 } else { r };
        asked += 1;
    }
    let mean = |sum: f64| sum / asked as f64;
    Ok(vec![
        Figure::new("precision: mean precision", mean(precision), "share", asked),
        Figure::new("precision: mean recall", mean(recall), "share", asked),
    ])
}

fn domain(scope: &str) -> &str {
    scope.split(':').next_back().unwrap_or(scope)
}

/// Stores the beliefs; which memory is which.
fn store(engine: &Engine, beliefs: &[Belief]) -> Result<HashMap<String, String>, Box<dyn Error>> {
    let mut names = HashMap::new();
    let spaces: BTreeSet<&str> =
        beliefs.iter().flat_map(|belief| &belief.scope).map(|scope| domain(scope)).collect();
    for space in spaces {
        engine.namespace_create(&Namespace::parse(space)?, None, None, &Note::default())?;
    }
    for belief in beliefs.iter().filter(|belief| belief.user_id == beliefs[0].user_id) {
        let mut draft = draft(belief);
        draft.about.namespace =
            belief.scope.first().map(|s| Namespace::parse(domain(s))).transpose()?;
        let stored = engine.remember(draft, &Note::default())?;
        names.insert(stored.id.to_string(), belief.id.clone());
    }
    let ids: HashMap<&String, &String> = names.iter().map(|(id, name)| (name, id)).collect();
    for belief in beliefs {
        for other in &belief.participants {
            if let (Some(from), Some(to)) = (ids.get(&belief.id), ids.get(other)) {
                engine.link(from, Relation::RelatedTo, to, Unit::ONE, &Note::default())?;
            }
        }
    }
    Ok(names)
}

fn draft(belief: &Belief) -> Draft {
    let text = belief.content.clone();
    let mut draft = Draft::new(match (belief.kind.as_str(), domain(&belief.scope[0])) {
        ("open_question", _) | (_, "universal") => {
            let title = belief.canonical_name.clone();
            Body::Resource(Resource { title, text, ..Resource::default() })
        }
        _ => Body::Pattern(Pattern { statement: text, ..Pattern::default() }),
    });
    draft.about.tags = belief.aliases.iter().cloned().collect();
    draft.about.tags.insert(belief.canonical_name.replace('_', " "));
    draft.about.pinned = belief.pinned;
    if belief.epistemic_status == "superseded" || belief.resolved_at.is_some() {
        draft.about.valid_at = Timestamp::parse("2020-01-01T00:00:00Z").ok();
        draft.about.invalid_at = Timestamp::parse("2021-01-01T00:00:00Z").ok();
    }
    draft
}

fn ask(
    engine: &Engine,
    case: &Case,
    names: &HashMap<String, String>,
) -> Result<BTreeSet<String>, Box<dyn Error>> {
    let mut question = engine.question(case.query.clone());
    question.filter.kinds = vec![Kind::Pattern];
    question.filter.pinned = Some(false);
    question.filter.namespaces =
        case.scope.iter().map(|s| Namespace::parse(domain(s))).collect::<Result<_, _>>()?;
    question.limit = match &case.budget {
        Some(budget) => budget.get("maxBeliefs").copied().unwrap_or(12).min(12),
        None => 12,
    };
    let recall = engine.recall(&question)?;
    Ok(recall
        .found
        .iter()
        .filter_map(|found| names.get(found.version.id.as_str()).cloned())
        .collect())
}
