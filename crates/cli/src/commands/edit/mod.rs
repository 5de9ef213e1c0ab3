//! `mnemic edit`: a new version of a memory, from flags or from an editor.

mod by_hand;

use crate::args::{choice, pair, unit};
use crate::commands::remember;
use crate::invocation::Invocation;
use crate::output::one_line;
use crate::report::{self, Done};
use crate::{prompt, source, times, view};
use mnemic_engine::model::body::{Body, Pattern};
use mnemic_engine::model::draft::ABOUT_FIELDS;
use mnemic_engine::model::{
    At, Kind, Namespace, Patch, ScopeLevel, Tier, Timestamp, Trust, Unit, Visibility,
};
use mnemic_engine::{Engine, Note, Result};
use serde_json::Value;

/// Change a memory; the old version stays in the history
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic edit fact-8f3k --value 5433 --reason moved
  mnemic edit dec-2m9q --set active=false --tag old
  mnemic edit sem-4k2p                      opens $VISUAL or $EDITOR")]
pub(crate) struct Args {
    /// An id, or enough of its beginning
    id: String,
    /// A text without a flag: most would type one, and are told which flag it wants
    #[arg(hide = true)]
    loose: Vec<String>,
    /// A field of its own, e.g. active=false; JSON where it is JSON, else text; null removes it
    #[arg(long, value_name = "FIELD=VALUE", value_parser = pair)]
    set: Vec<(String, String)>,
    /// The value of a fact
    #[arg(long, allow_hyphen_values = true)]
    value: Option<String>,
    /// The main text, such as a decision's rationale
    #[arg(long, conflicts_with = "value", allow_hyphen_values = true)]
    text: Option<String>,
    /// Add a tag; may be given several times
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Take a tag away; may be given several times
    #[arg(long, value_name = "TAG")]
    untag: Vec<String>,
    #[arg(long, value_parser = choice(Tier::ALL, Tier::as_str))]
    tier: Option<Tier>,
    #[arg(long, value_name = "0..1", value_parser = unit)]
    importance: Option<Unit>,
    #[arg(long, value_name = "0..1", value_parser = unit)]
    confidence: Option<Unit>,
    /// An empty one takes it away
    #[arg(long)]
    category: Option<String>,
    /// An empty one goes back to sentences taken from the text
    #[arg(long)]
    summary: Option<String>,
    /// Since when it is true
    #[arg(long, value_name = "TIME", value_parser = times::argument, allow_hyphen_values = true)]
    valid_at: Option<Timestamp>,
    /// Until when it is true, or `never` for no end
    #[arg(long, value_name = "TIME", value_parser = end, allow_hyphen_values = true)]
    invalid_at: Option<End>,
    #[arg(long, value_parser = choice(ScopeLevel::ALL, ScopeLevel::as_str))]
    scope: Option<ScopeLevel>,
    /// Move it to this namespace
    #[arg(long, value_name = "NS", value_parser = crate::args::namespace)]
    to_namespace: Option<Namespace>,
    #[arg(long, value_parser = choice(Visibility::ALL, Visibility::as_str))]
    visibility: Option<Visibility>,
    #[arg(long, value_parser = choice(Trust::ALL, Trust::as_str))]
    trust: Option<Trust>,
    /// Why, for the history
    #[arg(long)]
    reason: Option<String>,
}

/// Where validity ends; none is for ever.
#[derive(Debug, Clone, Copy)]
struct End(Option<Timestamp>);

fn end(text: &str) -> Result<End, String> {
    match text.trim() {
        "never" | "none" | "" => Ok(End(None)),
        time => times::argument(time).map(|time| End(Some(time))),
    }
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    let engine = call.engine()?;
    let note = Note { reason: args.reason.clone(), ..Note::default() };
    let id = args.id.clone();
    if let Some(loose) = args.loose.first() {
        return Err(report::invalid(
            format!("it is not said what of `{id}` shall be `{}`", one_line(loose, 40)),
            "`--value` is the value of a fact, `--text` the text of others, `--set FIELD=VALUE` any field",
        )
        .into());
    }
    let patch = patch(args, &engine)?;
    if !patch.is_empty() {
        return apply(&engine, &id, &patch, &note, call);
    }
    if !prompt::is_possible() {
        return Err(report::invalid(
            "nothing to change was given",
            "name a field, e.g. `--set FIELD=VALUE`; on a terminal an editor opens",
        )
        .into());
    }
    by_hand::edit(&engine, &id, &note, call)
}

fn apply(engine: &Engine, id: &str, patch: &Patch, note: &Note, call: &Invocation) -> Done {
    let before = engine.show(id, At::LATEST)?.version.content.body.to_fields();
    let edited = engine.edit(id, patch, note)?;
    for warning in &edited.warnings {
        call.out.warn(warning);
    }
    remember::tell_apart(&edited.screened, call);
    call.out.answer(
        || view::edited(&edited),
        || {
            let (id, n) = (&edited.version.id, edited.version.n);
            let stays = edited.warnings.iter().any(|warning| warning == "nothing to change");
            call.out
                .line(&format!("{id} {} version {n}", if stays { "stays at" } else { "is now" }))
        },
    )?;
    let after = edited.version.content.body.to_fields();
    for (field, new) in after.iter().filter(|(field, new)| before.get(*field) != Some(new)) {
        let old = before.get(field).map_or_else(|| "nothing".to_owned(), said);
        call.out.note(&format!("{field}: {old} → {}", said(new)));
    }
    Ok(())
}

/// A value as a person reads it.
fn said(value: &Value) -> String {
    match value {
        Value::String(text) => format!("`{}`", one_line(text, 60)),
        other => one_line(&other.to_string(), 60),
    }
}

fn patch(args: Args, engine: &Engine) -> Result<Patch> {
    let mut patch = Patch {
        add_tags: args.tag,
        remove_tags: args.untag,
        tier: args.tier,
        importance: args.importance,
        confidence: args.confidence,
        category: args.category.map(or_none),
        summary: args.summary.map(or_none),
        valid_at: args.valid_at,
        invalid_at: args.invalid_at.map(|end| end.0),
        scope: args.scope,
        namespace: args.to_namespace,
        visibility: args.visibility,
        trust: args.trust,
        ..Patch::default()
    };
    for (field, value) in args.set {
        refuse_about(&field)?;
        // What is JSON is meant as JSON; `5432` as a text is written "5432" or with `--value`.
        let value = serde_json::from_str(&value).unwrap_or(Value::String(value));
        patch.body.insert(field, value);
    }
    if let Some(value) = args.value {
        patch.body.insert("value".into(), value.into());
    }
    if let Some(text) = args.text {
        let body = engine.show(&args.id, At::LATEST)?.version.content.body;
        // Of a pattern that is a sentence alone, the sentence is the text.
        let field = match &body {
            Body::Pattern(Pattern { correct_approach: None, .. }) => "statement",
            _ => main_field(body.kind())?,
        };
        patch.body.insert(field.into(), text.into());
    }
    Ok(patch)
}

fn or_none(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

fn refuse_about(field: &str) -> Result<()> {
    if field == "kind" || ABOUT_FIELDS.contains(&field) {
        return Err(report::invalid(
            format!("`{field}` is not a field of its own kind"),
            "it has a flag of its own, or cannot be changed: see `mnemic edit --help`",
        ));
    }
    Ok(())
}

fn main_field(kind: Kind) -> Result<&'static str> {
    source::text_field(kind).ok_or_else(|| {
        report::invalid(
            format!("{} has no main text", kind.with_article()),
            "name a field with `--set`",
        )
    })
}
