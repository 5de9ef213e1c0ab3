//! `get`: the last layer, memories whole.

use super::super::answer::Reply;
use super::super::lines::{WITHHELD, harmless};
use super::super::tool::{Call, Nature, Offered};
use mnemic_engine::model::{At, Trust};
use mnemic_engine::recall::context::enclosed;
use mnemic_engine::{Error, ErrorKind, Result, Shown};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(super) struct Get;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Input {
    /// Ids from `search` or `timeline`, or their unique beginnings; 20 at most.
    ids: Vec<String>,
    /// The summary in place of the whole text.
    #[serde(default)]
    summary: bool,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Output {
    memories: Vec<Whole>,
    /// Those that could not be read, and why.
    missing: Vec<Missing>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(in super::super) struct Whole {
    id: String,
    kind: &'static str,
    title: String,
    text: String,
    /// `trusted`: a person stands for it. `unreviewed`: nobody has looked yet.
    trust: &'static str,
    /// Who wrote it.
    writer: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    /// Whether it holds now.
    valid: bool,
    valid_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    invalid_at: Option<String>,
    recorded_at: String,
    version: u32,
    tags: Vec<String>,
    links: Vec<Arrow>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Arrow {
    from: String,
    relation: String,
    to: String,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Missing {
    id: String,
    because: String,
}

const MOST: usize = 20;

impl Offered for Get {
    type Input = Input;
    type Output = Output;
    const NAME: &'static str = "get";
    const TITLE: &'static str = "Read memories whole";
    const ABOUT: &'static str = "Get, read, open, show memories whole by id, with their source, \
        trust, validity and links. Call it for the few ids of a `search` or `timeline` answer that \
        you really need: the lines there say what each costs. Ask for several at once. Says of \
        each whether it still holds: `valid` false means that it was true once and was replaced.";
    const NATURE: Nature = Nature::Reads;

    fn run(call: &Call, input: Input) -> Result<Reply<Output>> {
        if input.ids.is_empty() || input.ids.len() > MOST {
            let wrong = format!("{} ids were given", input.ids.len());
            return Err(Error::new(ErrorKind::Invalid, wrong).hint(format!("give 1 to {MOST}")));
        }
        let mut memories = Vec::new();
        let mut missing = Vec::new();
        let mut last = None;
        for id in &input.ids {
            match call.engine.show(id, At::LATEST) {
                Ok(shown) => memories.push(Whole::of(&shown, input.summary)),
                Err(error) => {
                    let because = error.message().to_owned();
                    missing.push(Missing { id: id.clone(), because });
                    last = Some(error);
                }
            }
        }
        match last {
            Some(error) if memories.is_empty() => return Err(error),
            _ => {}
        }
        let ids: Vec<&str> = memories.iter().map(|one| one.id.as_str()).collect();
        // That they were read is worth noting, not worth failing for.
        let _ = call.engine.note_loads(&ids);
        let text = told(&memories, &missing);
        Ok(Reply::new(Output { memories, missing }, text))
    }
}

impl Whole {
    pub(in super::super) fn of(shown: &Shown, summary: bool) -> Whole {
        let version = &shown.version;
        let content = &version.content;
        let level = if summary { &shown.levels.summary } else { &shown.levels.full };
        let is_withheld = content.trust() == Trust::Quarantined;
        let seen = |text: &str| if is_withheld { WITHHELD.to_owned() } else { text.to_owned() };
        let arrow = |link: &mnemic_engine::model::Link| Arrow {
            from: link.from.to_string(),
            relation: link.relation.to_string(),
            to: link.to.to_string(),
        };
        Whole {
            id: version.id.to_string(),
            kind: version.kind().as_str(),
            title: seen(content.body.title()),
            text: seen(&level.text),
            trust: content.trust().as_str(),
            writer: content.provenance.writer.to_string(),
            source: content.provenance.source.clone(),
            valid: shown.valid,
            valid_at: content.valid.from().to_string(),
            invalid_at: content.valid.to().map(|end| end.to_string()),
            recorded_at: version.recorded.from().to_string(),
            version: version.n,
            tags: content.tags.iter().cloned().collect(),
            links: shown.links.iter().map(arrow).collect(),
        }
    }

    pub(in super::super) fn told(&self) -> String {
        let Whole { id, kind, trust, writer, .. } = self;
        let holds = match (&self.invalid_at, self.valid) {
            (_, true) => String::new(),
            (Some(end), false) => format!(", no longer true since {end}"),
            (None, false) => ", not true yet".to_owned(),
        };
        format!("{id} ({kind}, {trust}, by {writer}{holds}):\n{}", harmless(&self.text))
    }
}

fn told(memories: &[Whole], missing: &[Missing]) -> String {
    let texts: Vec<String> = memories.iter().map(Whole::told).collect();
    let mut text = enclosed(&texts.join("\n\n"));
    for one in missing {
        text.push_str(&format!("\nNot read: {}", one.because));
    }
    text
}
