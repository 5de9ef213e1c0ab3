//! Sessions from start to end, and what they cost.

use super::Answered;
use crate::http::door::Caller;
use crate::http::extract::{Ask, At as Address, Body, within};
use crate::http::policy::Deed;
use crate::http::problem::Problem;
use crate::http::schema::bounds::brief;
use crate::http::schema::names::{DueName, Id};
use crate::http::schema::session::{
    EconomicsReport, Finding, KnownAnswer, Noted, Session, SessionEnd, SessionEnded, SessionInFull,
    SessionList, SessionSignal, SessionStart,
};
use axum::Json;
use axum::http::StatusCode;
use mnemic_engine::model::session::{SessionId, Thing};
use mnemic_engine::{Error, ErrorKind, Signal};
use serde::Deserialize;

/// The most that a signal may amount to, as the document says.
const MOST_AMOUNT: f64 = 1e9;

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SessionsAsk {
    #[param(minimum = 1, maximum = 1000, default = 20)]
    limit: Option<u32>,
}

/// The latest sessions
#[utoipa::path(
    get, path = "/v1/sessions", tag = "sessions", operation_id = "list_sessions",
    params(SessionsAsk), responses((status = 200, body = SessionList)),
)]
pub(crate) async fn list(caller: Caller, Ask(ask): Ask<SessionsAsk>) -> Answered<SessionList> {
    let limit = within("limit", ask.limit, 20, 1_000)?;
    let list = caller.run(Deed::Sessions, move |engine, _| {
        Ok(engine.session_list(limit)?.iter().map(Session::from).collect())
    });
    list.await.map(|items| Json(SessionList { items }))
}

/// Begin a session
#[utoipa::path(
    post, path = "/v1/sessions", tag = "sessions", operation_id = "start_session",
    description = "One that is open already is answered with 409.",
    request_body = SessionStart, responses((status = 201, body = Session)),
)]
pub(crate) async fn start(
    caller: Caller,
    Body(ask): Body<SessionStart>,
) -> Result<(StatusCode, Json<Session>), Problem> {
    let start = mnemic_engine::SessionStart {
        id: ask.id.map(|id| SessionId::parse(id.as_str())).transpose()?,
        host: ask.host,
        agent: ask.agent,
        window: ask.window.map(u64::from),
        about: ask.about,
    };
    let session = caller
        .run(Deed::Session, move |engine, _| Ok(Session::from(&engine.session_start(start)?)));
    session.await.map(|session| (StatusCode::CREATED, Json(session)))
}

/// A session with all that is kept of it
#[utoipa::path(
    get, path = "/v1/sessions/{id}", tag = "sessions", operation_id = "show_session",
    params(("id" = Id, Path)), responses((status = 200, body = SessionInFull)),
)]
pub(crate) async fn show(caller: Caller, Address(id): Address<String>) -> Answered<SessionInFull> {
    let id = SessionId::parse(&id)?;
    let view = caller
        .run(Deed::Sessions, move |engine, _| Ok(SessionInFull::from(&engine.session_show(&id)?)));
    view.await.map(Json)
}

/// Tell what happened in a session
#[utoipa::path(
    post, path = "/v1/sessions/{id}/events", tag = "sessions", operation_id = "note_session_event",
    description = "Says what follows from it. Words are compared and not kept.",
    params(("id" = Id, Path)), request_body = SessionSignal,
    responses((status = 200, body = Noted)),
)]
pub(crate) async fn note(
    caller: Caller,
    Address(id): Address<String>,
    Body(ask): Body<SessionSignal>,
) -> Answered<Noted> {
    let id = SessionId::parse(&id)?;
    if !(0.0..=MOST_AMOUNT).contains(&ask.amount) {
        return Err(Error::new(ErrorKind::Invalid, format!("`amount` is {}", ask.amount))
            .hint(format!("use a number from 0 to {MOST_AMOUNT}"))
            .into());
    }
    let signal = Signal {
        amount: ask.amount,
        text: ask.text,
        touched: ask.touched.map(|thing| Thing::new(thing.kind.0, thing.name)),
        on_every_prompt: ask.on_every_prompt,
        ..Signal::new(ask.event.0)
    };
    let noted = caller.run(Deed::Session, move |engine, _| Ok(engine.session_note(&id, &signal)?));
    noted.await.map(|noted| {
        Json(Noted {
            due: noted.due.map(DueName),
            again: noted.again.into_iter().map(Id).collect(),
            known: noted.known.into_iter().map(KnownAnswer::from).collect(),
            warning: noted.warning,
            findings: noted.findings.iter().map(Finding::from).collect(),
        })
    })
}

/// End a session
#[utoipa::path(
    post, path = "/v1/sessions/{id}/end", tag = "sessions", operation_id = "end_session",
    description = "Counts what was used, evaluates the price and does what follows from that.",
    params(("id" = Id, Path)), request_body = SessionEnd,
    responses((status = 200, body = SessionEnded)),
)]
pub(crate) async fn end(
    caller: Caller,
    Address(id): Address<String>,
    Body(ask): Body<SessionEnd>,
) -> Answered<SessionEnded> {
    let id = SessionId::parse(&id)?;
    let ended = caller.run(Deed::Session, move |engine, _| {
        if let Some(text) = &ask.text {
            engine.cite(&id, text)?;
        }
        let cited: Vec<&str> = ask.cited.iter().map(Id::as_str).collect();
        let ended = engine.session_end(&id, ask.outcome.map(|outcome| outcome.0), &cited)?;
        Ok(SessionEnded {
            id: id.to_string(),
            shown: ended.shown as u64,
            cited: ended.cited as u64,
            economics: (&ended.economics).into(),
            findings: ended.findings.iter().map(Finding::from).collect(),
            waiting: ended.waiting,
        })
    });
    ended.await.map(Json)
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct EconomicsAsk {
    /// Of this session alone.
    #[serde(default, deserialize_with = "brief::<_, 200>")]
    #[param(min_length = 1, max_length = 200, pattern = "^[!-~]+$")]
    session: Option<String>,
    /// Of so many of the latest.
    #[param(minimum = 1, maximum = 1000, default = 20)]
    limit: Option<u32>,
}

/// What memory costs and saves
#[utoipa::path(
    get, path = "/v1/economics", tag = "sessions", operation_id = "economics",
    params(EconomicsAsk), responses((status = 200, body = EconomicsReport)),
)]
pub(crate) async fn economics(
    caller: Caller,
    Ask(ask): Ask<EconomicsAsk>,
) -> Answered<EconomicsReport> {
    let limit = within("limit", ask.limit, 20, 1_000)?;
    let session = ask.session.as_deref().map(SessionId::parse).transpose()?;
    let report = caller.run(Deed::Economics, move |engine, _| {
        Ok(EconomicsReport::from(&engine.economics(session.as_ref(), limit)?))
    });
    report.await.map(Json)
}
