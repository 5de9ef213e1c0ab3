//! Import and export of our own lossless format, as lines of JSON.

use super::Answered;
use crate::http::door::Caller;
use crate::http::extract::{Ask, Lines};
use crate::http::policy::{self, Deed};
use crate::http::problem::Problem;
use crate::http::schema::bounds::brief;
use crate::http::schema::upkeep::ImportReport;
use axum::Json;
use axum::body::{Body, Bytes};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use mnemic_engine::{Engine, Note, StoreName};
use serde::{Deserialize, Serialize};
use std::io::{self, BufWriter, Write};
use tokio::sync::mpsc;

/// Pieces on their way to a slow reader; an export of any size takes no more memory than these.
const PIECES: usize = 8;
const PIECE_BYTES: usize = 64 * 1024;

#[derive(Debug, Clone, Copy, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = StoreName)]
pub(crate) enum WhichStore {
    Project,
    User,
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct StoreAsk {
    /// Which of the two stores [default: the project's, else yours].
    #[param(inline)]
    store: Option<WhichStore>,
    /// Why; it is kept with the change.
    #[serde(default, deserialize_with = "brief::<_, 1000>")]
    #[param(max_length = 1000)]
    reason: Option<String>,
}

impl StoreAsk {
    fn store(&self, engine: &Engine) -> Result<StoreName, Problem> {
        match self.store {
            Some(WhichStore::Project) => Ok(StoreName::Project),
            Some(WhichStore::User) => Ok(StoreName::User),
            None => Ok(engine.main_store()?),
        }
    }
}

/// Import an export
#[utoipa::path(
    post, path = "/v1/import", tag = "transfer", operation_id = "import",
    description = "Lines of JSON as `GET /v1/export` writes them. Importing twice changes nothing. \
        It brings authors and trust of its own, so it needs the scope `admin` and a token that \
        speaks for a person.",
    params(StoreAsk),
    request_body(content = String, content_type = "application/x-ndjson"),
    responses((status = 200, body = ImportReport)),
)]
pub(crate) async fn import(
    caller: Caller,
    Ask(ask): Ask<StoreAsk>,
    Lines(lines): Lines,
) -> Answered<ImportReport> {
    policy::speaks_for_a_person(&caller.grant, Deed::Import)?;
    let report = caller.run(Deed::Import, move |engine, _| {
        let store = ask.store(engine)?;
        let note = Note { reason: ask.reason, ..Note::default() };
        let mut input: &[u8] = &lines;
        Ok(ImportReport::from(engine.import(store, &mut input, &note, &mut |_| ())?))
    });
    report.await.map(Json)
}

/// Export a store
#[utoipa::path(
    get, path = "/v1/export", tag = "transfer", operation_id = "export",
    description = "Every record with its whole past, as lines of JSON. An answer whose last line is \
        not of the kind `end` was broken off.",
    params(ExportAsk),
    responses((status = 200, body = String, content_type = "application/x-ndjson")),
)]
pub(crate) async fn export(caller: Caller, Ask(ask): Ask<ExportAsk>) -> Result<Response, Problem> {
    policy::allow(&caller.grant, Deed::Export)?;
    let ask = StoreAsk { store: ask.store, reason: None };
    let (pieces, received) = mpsc::channel(PIECES);
    // Which store it is must be known before the answer begins.
    let chosen = caller.run(Deed::Export, move |engine, _| {
        let store = ask.store(engine)?;
        engine.path_of(store)?;
        Ok(store)
    });
    let store = chosen.await?;
    tokio::spawn(async move {
        let written = caller.run(Deed::Export, move |engine, _| {
            let mut out = BufWriter::with_capacity(PIECE_BYTES, Pieces(pieces.clone()));
            let done = engine.export(store, &mut out).map(drop);
            let done = done.and_then(|()| out.flush().map_err(broken_off));
            if let Err(error) = &done {
                // The reader sees that the stream broke; a reader that left sees nothing.
                let _ = pieces.blocking_send(Err(io::Error::other(error.to_string())));
            }
            Ok(done?)
        });
        // Whoever reads has been told.
        let _ = written.await;
    });
    let body = Body::from_stream(stream::unfold(received, |mut received| async {
        received.recv().await.map(|piece| (piece, received))
    }));
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], body).into_response())
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ExportAsk {
    /// Which of the two stores [default: the project's, else yours].
    #[param(inline)]
    store: Option<WhichStore>,
}

fn broken_off(cause: io::Error) -> mnemic_engine::Error {
    mnemic_engine::Error::new(mnemic_engine::ErrorKind::Io, "the export broke off").because(cause)
}

/// What is written goes to the reader piece by piece, at the reader's pace.
struct Pieces(mpsc::Sender<io::Result<Bytes>>);

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let piece = Bytes::copy_from_slice(bytes);
        let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        self.0.blocking_send(Ok(piece)).map_err(gone)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
