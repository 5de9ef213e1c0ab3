//! Listening: one port, bounded connections, and an end that lets running requests finish.

use super::door::Limits;
use super::tls::Tls;
use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

/// More header than any client of ours sends.
const HEAD_BYTES: usize = 64 * 1024;

/// Serves until `stop` comes, then lets running requests finish within their farewell. With a
/// certificate nobody is answered in the clear.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: &Limits,
    tls: Option<Tls>,
    stop: impl Future<Output = ()>,
    closing: watch::Sender<bool>,
) {
    let places = Arc::new(Semaphore::new(limits.connections));
    let mut running = JoinSet::new();
    let mut stop = pin!(stop);
    loop {
        let place = places.clone().acquire_owned();
        let accepted = tokio::select! {
            () = &mut stop => break,
            accepted = async { (place.await, listener.accept().await) } => accepted,
        };
        // Those that have ended are forgotten as new ones come.
        while running.try_join_next().is_some() {}
        match accepted {
            (Ok(place), Ok((stream, _))) => {
                let (router, closing, tls) = (router.clone(), closing.subscribe(), tls.clone());
                let head_time = limits.head_time;
                running.spawn(async move {
                    greet(stream, tls, router, head_time, closing).await;
                    drop(place);
                });
            }
            // Out of file handles, mostly: there is room again when a connection ends.
            (_, Err(_)) | (Err(_), _) => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
    drop(listener);
    // Nobody listens when every connection is gone already.
    let _ = closing.send(true);
    let _ = tokio::time::timeout(limits.farewell, async {
        while running.join_next().await.is_some() {}
    })
    .await;
}

async fn greet(
    stream: TcpStream,
    tls: Option<Tls>,
    router: Router,
    head_time: Duration,
    closing: watch::Receiver<bool>,
) {
    // Answers are small; waiting to fill a packet would cost more than it saves.
    let _ = stream.set_nodelay(true);
    let Some(tls) = tls else { return connection(stream, router, head_time, closing).await };
    // Whoever cannot speak TLS, or does not begin to, is left.
    if let Ok(Ok(stream)) = tokio::time::timeout(head_time, tls.accept(stream)).await {
        connection(stream, router, head_time, closing).await;
    }
}

async fn connection(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    router: Router,
    head_time: Duration,
    mut closing: watch::Receiver<bool>,
) {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(head_time).max_buf_size(HEAD_BYTES);
    let service = TowerToHyperService::new(router);
    let mut served = pin!(builder.serve_connection(TokioIo::new(stream), service));
    let ended = tokio::select! {
        // Whatever ends a connection is the client's affair.
        _ = served.as_mut() => true,
        () = closed(&mut closing) => false,
    };
    if !ended {
        served.as_mut().graceful_shutdown();
        let _ = served.await;
    }
}

/// Comes when the server is about to stop.
pub(super) async fn closed(closing: &mut watch::Receiver<bool>) {
    // Without a sender there is no server any more.
    let _ = closing.wait_for(|is_closing| *is_closing).await;
}

/// Comes with Ctrl-C or a polite request to end.
pub async fn asked_to_stop() -> io::Result<()> {
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminate.recv() => Ok(()),
    }
}
