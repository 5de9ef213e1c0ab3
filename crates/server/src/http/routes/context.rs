//! Contexts, predictions and episodes: what an agent should read, and what it went through.

use super::memories::{memory_kinds, remember};
use super::{Answered, Because};
use crate::http::answers;
use crate::http::door::Caller;
use crate::http::extract::{Ask, At as Address, Body, Fields, within};
use crate::http::policy::Deed;
use crate::http::problem::Problem;
use crate::http::schema::bounds::brief;
use crate::http::schema::context::{
    Assembled, ContextAsk, PredictAsk, Prediction, Predictions, Reason, Replay, ReplayStep,
};
use crate::http::schema::draft::{self, EpisodeDraft};
use crate::http::schema::memory::{MemoryPage, Remembered};
use crate::http::schema::names::{Id, OutcomeName, PageCursor, Space, ThingName, Time};
use crate::wire;
use axum::Json;
use axum::http::HeaderMap;
use axum::response::Response;
use mnemic_engine::model::session::{Thing, ThingKind};
use mnemic_engine::model::{At, Draft, Filter, Kind, RecordId, Truth};
use mnemic_engine::recall::context::Profiles;
use mnemic_engine::recall::predict;
use mnemic_engine::tokens::Encoding;
use mnemic_engine::{Context, Engine, Error, ErrorKind, HandedOut};
use serde::Deserialize;
use serde_json::{Value, json};

/// Assemble what an agent should read now
#[utoipa::path(
    post, path = "/v1/context/assemble", tag = "context", operation_id = "assemble_context",
    description = "The text, its token count and the tokens per tier. What it recalls stands inside \
        a marked block as data, never as instructions.",
    request_body = ContextAsk, responses((status = 200, body = Assembled)),
)]
pub(crate) async fn assemble(caller: Caller, Body(ask): Body<ContextAsk>) -> Answered<Value> {
    assembled(caller, ask).await
}

/// Assemble what an agent should read before a task
#[utoipa::path(
    post, path = "/v1/context/task", tag = "context", operation_id = "task_context",
    description = "The same with the profile `task`: what kind of work it is decides the mix.",
    request_body = ContextAsk, responses((status = 200, body = Assembled)),
)]
pub(crate) async fn task(caller: Caller, Body(mut ask): Body<ContextAsk>) -> Answered<Value> {
    ask.profile = Some("task".to_owned());
    assembled(caller, ask).await
}

async fn assembled(caller: Caller, ask: ContextAsk) -> Answered<Value> {
    let profiles = caller.door.profiles.clone();
    let namespace = ask.namespace.clone().map(|space| space.0);
    let context = caller.run_in(Deed::Context, namespace, move |engine, sight| {
        let mut wanted = wanted(engine, &ask, profiles)?;
        if sight.is_narrow() {
            // What is predicted from work comes from everywhere, and sessions are everybody's.
            wanted.files.clear();
            wanted.session = None;
        }
        let context = engine.context(&wanted)?;
        let used = match ask.no_usage {
            true => Vec::new(),
            false => note(engine, &wanted, &context)?,
        };
        Ok((wire::context::context(&context), used))
    });
    let (context, used) = context.await?;
    let used = used.into_iter().map(|id| HandedOut { id, tokens: None });
    caller.door.uses.note(used.collect());
    Ok(Json(context))
}

fn wanted(
    engine: &Engine,
    ask: &ContextAsk,
    profiles: Profiles,
) -> Result<mnemic_engine::ContextAsk, Problem> {
    let name = ask.profile.as_deref().filter(|name| !name.is_empty()).unwrap_or("working");
    if !profiles.names().any(|known| known == name) {
        return Err(Error::new(ErrorKind::NotFound, format!("there is no profile `{name}`"))
            .hint("`mnemic context --list-profiles` names those there are")
            .into());
    }
    let mut wanted = engine.context_ask(ask.task.as_str(), name);
    let wrong =
        |what: String, hint: &str| Problem::from(Error::new(ErrorKind::Invalid, what).hint(hint));
    if let Some(fill) = ask.window_fill
        && !(0.0..=1.0).contains(&fill)
    {
        return Err(wrong(format!("`window_fill` is {fill}"), "use 0 to 1"));
    }
    if name == "fresh" {
        return Err(wrong(
            "`fresh` hands work out".to_owned(),
            "use `mnemic context --profile fresh`",
        ));
    }
    wanted.question.task = ask.task_type.map(|task| task.0);
    wanted.ask.budget = match ask.budget {
        None => None,
        Some(_) => Some(within("budget", ask.budget, 1, 1_000_000)?),
    };
    wanted.ask.fullness = ask.window_fill;
    wanted.ask.style = ask.format.map(|style| style.0);
    wanted.files.clone_from(&ask.files);
    wanted.task.clone_from(&ask.task_id);
    wanted.fill = ask.fill;
    wanted.session =
        ask.session.as_ref().map(|id| engine.session_named(id.as_str())).transpose()?;
    wanted.profiles = profiles;
    if let Some(model) = ask.model.as_deref().filter(|model| !model.is_empty()) {
        wanted.counter = Encoding::for_model(model);
    }
    Ok(wanted)
}

/// What was shown, to be counted later; a session must know it before its next word.
fn note(
    engine: &Engine,
    wanted: &mnemic_engine::ContextAsk,
    context: &Context,
) -> Result<Vec<RecordId>, Problem> {
    let assembled = &context.assembled;
    let Some(session) = wanted.session.as_ref().filter(|_| !assembled.shown.is_empty()) else {
        return Ok(assembled.shown.iter().map(|one| one.id.clone()).collect());
    };
    match engine.note_shown_in(session, assembled) {
        // A store that cannot be written still answers.
        Err(error) if error.kind != ErrorKind::ReadOnly => Err(error.into()),
        _ => Ok(Vec::new()),
    }
}

/// Predict what will be needed
#[utoipa::path(
    post, path = "/v1/context/predict", tag = "context", operation_id = "predict",
    description = "What was used together with these before, each with a confidence that is a chance.",
    request_body = PredictAsk, responses((status = 200, body = Predictions)),
)]
pub(crate) async fn predict(caller: Caller, Body(ask): Body<PredictAsk>) -> Answered<Predictions> {
    let limit = within("limit", ask.limit, 10, 100)?;
    let found = caller.run(Deed::Predict, move |engine, _| {
        let session =
            ask.session.as_ref().map(|id| engine.session_named(id.as_str())).transpose()?;
        let signals: Vec<Thing> =
            ask.signals.iter().map(|one| Thing::new(one.kind.0, one.name.as_str())).collect();
        let usual = vec![ThingKind::Memory, ThingKind::File];
        let asked: Vec<ThingKind> = ask.kinds.iter().map(|kind| kind.0).collect();
        let wanted = if asked.is_empty() { usual } else { asked };
        Ok(engine.predict(session.as_ref(), &signals, &wanted, limit)?)
    });
    let predictions = found.await?.iter().map(Prediction::from).collect();
    Ok(Json(Predictions { predictions }))
}

impl From<&predict::Prediction> for Prediction {
    fn from(one: &predict::Prediction) -> Prediction {
        let reason = |reason: &predict::Reason| Reason {
            part: reason.part.name.to_owned(),
            value: reason.part.value,
            weight: reason.part.weight,
            signal: reason.signal.as_ref().map(|thing| thing.name.to_string()),
        };
        Prediction {
            kind: ThingName(one.thing.kind),
            name: one.thing.name.to_string(),
            confidence: one.confidence,
            score: one.score,
            because: one.because.iter().map(reason).collect(),
        }
    }
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct EpisodeAsk {
    /// Words that must all occur.
    #[serde(default, deserialize_with = "brief::<_, 1000>")]
    #[param(max_length = 1000)]
    words: Option<String>,
    /// First recorded at or after, before.
    since: Option<Time>,
    until: Option<Time>,
    namespace: Option<Space>,
    #[param(minimum = 1, maximum = 200, default = 20)]
    limit: Option<u32>,
    /// `next` of the page before.
    cursor: Option<PageCursor>,
}

/// List episodes
#[utoipa::path(
    get, path = "/v1/episodes", tag = "episodes", operation_id = "list_episodes",
    params(EpisodeAsk), responses((status = 200, body = MemoryPage)),
)]
pub(crate) async fn episodes(caller: Caller, Ask(ask): Ask<EpisodeAsk>) -> Answered<Value> {
    let mut filter = Filter {
        kinds: vec![Kind::Episode],
        words: ask.words,
        recorded_since: ask.since.map(|time| time.0),
        recorded_until: ask.until.map(|time| time.0),
        limit: within("limit", ask.limit, 20, 200)?,
        ..Filter::new(At { truth: Truth::Whenever, known: None })
    };
    let cursor = ask.cursor.map(|cursor| cursor.0);
    let namespace = ask.namespace.map(|space| space.0);
    let page = caller.run_in(Deed::List, namespace, move |engine, sight| {
        sight.narrow(&mut filter, &memory_kinds())?;
        let page = engine.list_from(cursor, &filter)?;
        let items: Vec<Value> = page.items.iter().map(wire::listed).collect();
        Ok(json!({ "items": items, "next": page.next }))
    });
    page.await.map(Json)
}

/// Remember an episode
#[utoipa::path(
    post, path = "/v1/episodes", tag = "episodes", operation_id = "remember_episode",
    description = "As `POST /v1/memories` with the kind `episode`, which may be left out.",
    params(Because, ("Idempotency-Key" = Option<String>, Header, max_length = 128, pattern = "^[!-~]+$")),
    request_body = EpisodeDraft,
    responses(
        (status = 201, body = Remembered, headers(("Location" = String), ("ETag" = String))),
        (status = 200, body = Remembered, headers(("Location" = String))),
    ),
)]
pub(crate) async fn create_episode(
    caller: Caller,
    headers: HeaderMap,
    Ask(because): Ask<Because>,
    Fields(mut fields): Fields,
) -> Result<Response, Problem> {
    fields.entry("kind").or_insert_with(|| Kind::Episode.as_str().into());
    let mut draft = Draft::sent(draft::in_whole_numbers(fields))?;
    let kind = draft.body.kind();
    if kind != Kind::Episode {
        return Err(Error::new(ErrorKind::Invalid, format!("`{kind}` is not an episode"))
            .hint("send it to POST /v1/memories")
            .into());
    }
    if let Some(key) = answers::key(&headers)? {
        draft.about.idempotency_key = Some(format!("{}:{key}", caller.grant.id));
    }
    remember(caller, draft, because.reason).await
}

/// Replay an episode
#[utoipa::path(
    get, path = "/v1/episodes/{id}/replay", tag = "episodes", operation_id = "replay_episode",
    description = "What was said and done, in its order.",
    params(("id" = Id, Path)), responses((status = 200, body = Replay)),
)]
pub(crate) async fn replay(caller: Caller, Address(id): Address<String>) -> Answered<Replay> {
    let replay = caller.run(Deed::Show, move |engine, sight| {
        sight.require(engine, &id)?;
        Ok(engine.replay(&id)?)
    });
    replay.await.map(|replay| Json(Replay::from(replay)))
}

impl From<mnemic_engine::Replay> for Replay {
    fn from(replay: mnemic_engine::Replay) -> Replay {
        let step = |step: mnemic_engine::Step| ReplayStep {
            t: step.t,
            action: step.action,
            target: step.target,
            result: step.result,
            error: step.error,
            is_message: step.is_message,
        };
        Replay {
            id: Id(replay.id),
            store: replay.store.to_string(),
            goal: replay.episode.goal,
            outcome: replay.episode.outcome.map(OutcomeName),
            began: Time(replay.began),
            ended: replay.ended.map(Time),
            source: replay.source,
            steps: replay.moments.into_iter().map(step).collect(),
            files: replay.episode.files,
        }
    }
}
