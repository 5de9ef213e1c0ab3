//! The server as a whole: where it listens, who may come in, and how it ends.

use super::door::{Caller, Door, Limits};
use super::lull;
use super::origin::Names;
use super::policy::{self, Deed};
use super::problem::Problem;
use super::serve::{asked_to_stop, serve};
use super::tls::Tls;
use super::token::Tokens;
use super::uses;
use crate::mcp::{self, Manner};
use axum::Router;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use mnemic_engine::recall::context::Profiles;
use mnemic_engine::{Engine, Error, ErrorKind, Result, Settings};
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// What a server needs to be told.
#[derive(Debug)]
pub struct Serving {
    pub settings: Settings,
    pub tokens: Tokens,
    pub address: SocketAddr,
    /// Names besides loopback that requests may be addressed to.
    pub allow_hosts: Vec<String>,
    pub limits: Limits,
    pub profiles: Profiles,
    /// With it, nothing is served in the clear.
    pub tls: Option<Tls>,
}

impl Serving {
    pub fn new(settings: Settings, tokens: Tokens, address: SocketAddr) -> Serving {
        Serving {
            settings,
            tokens,
            address,
            allow_hosts: Vec::new(),
            limits: Limits::default(),
            profiles: Profiles::built_in(),
            tls: None,
        }
    }
}

/// Whether a server may listen here. Other machines hear every word of it, so that somebody must
/// have thought of tokens and of encryption.
pub fn may_bind(ip: IpAddr, has_tokens: bool, is_encrypted: bool) -> Result<()> {
    if ip.is_loopback() {
        return Ok(());
    }
    let refuse = |why: &str, hint: &str| {
        Err(Error::new(ErrorKind::Denied, format!("`{ip}` is open to other machines, and {why}"))
            .hint(hint))
    };
    if !has_tokens {
        return refuse("there is no token yet", "make one first with `mnemic token create`");
    }
    if !is_encrypted {
        return refuse(
            "nothing encrypts what it says",
            "give a certificate with `--tls-cert` and `--tls-key`, or put a proxy with TLS before it \
             and say so with `--behind-proxy`, or leave `--host` out",
        );
    }
    Ok(())
}

/// Serves until it is asked to stop. `listening` is told where.
pub fn run(serving: Serving, listening: impl FnOnce(SocketAddr) -> Result<()>) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|cause| failed("start", serving.address, cause))?;
    let done = runtime.block_on(listen(serving, listening));
    // Work that nobody waits for any more is in a transaction: it happens as a whole or not at all.
    runtime.shutdown_background();
    done
}

async fn listen(serving: Serving, listening: impl FnOnce(SocketAddr) -> Result<()>) -> Result<()> {
    let Serving { settings, tokens, address, allow_hosts, limits, profiles, tls } = serving;
    let wrong = |cause| failed("listen", address, cause);
    let listener = TcpListener::bind(address).await.map_err(wrong)?;
    let address = listener.local_addr().map_err(wrong)?;
    let (closing, closed) = watch::channel(false);
    let names = Names::of(address, &allow_hosts);
    let tools = tools(&settings, &profiles, address, &allow_hosts, closed.clone())?;
    let door = Door::new(settings, tokens, names, limits.clone(), profiles, closed);
    let door = Arc::new(door);
    let router = super::router(door.clone(), tools);
    let keeper = tokio::spawn(uses::keep(door.clone()));
    tokio::spawn(lull::tend(door.clone()));
    listening(address)?;
    let stop = async {
        if asked_to_stop().await.is_err() {
            // Without signals there is still the power switch.
            std::future::pending::<()>().await;
        }
    };
    serve(listener, router, &limits, tls, stop, closing).await;
    // What it is writing must be written before what came after it.
    let _ = keeper.await;
    uses::write_down(&door).await;
    Ok(())
}

/// MCP beside `/v1`, for tokens that see the whole store.
fn tools(
    settings: &Settings,
    profiles: &Profiles,
    address: SocketAddr,
    allow_hosts: &[String],
    mut closed: watch::Receiver<bool>,
) -> Result<Router> {
    let manner = Manner { profiles: profiles.clone(), ..Manner::default() };
    let mut reach = mcp::Reach::default();
    reach.hosts.push(address.ip().to_string());
    reach.hosts.extend_from_slice(allow_hosts);
    let stop = async move {
        // The sender that is gone has closed as well.
        let _ = closed.wait_for(|closed| *closed).await;
    };
    let engine = Arc::new(Engine::open(settings.clone())?);
    Ok(mcp::router(engine, manner, reach, stop).layer(from_fn(may_enter)))
}

async fn may_enter(caller: Caller, request: Request, next: Next) -> Response {
    match policy::allow(&caller.grant, Deed::ReadTools) {
        Ok(()) => next.run(request).await,
        Err(refusal) => Problem::from(refusal).into_response(),
    }
}

fn failed(doing: &str, address: SocketAddr, cause: std::io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("cannot {doing} on `{address}`"))
        .because(cause)
        .hint("choose another port with `--port`, or 0 for any that is free")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_machines_come_in_only_on_purpose() {
        for (ip, has_tokens, is_encrypted, allowed) in [
            ("127.0.0.1", false, false, true),
            ("::1", false, false, true),
            ("127.8.8.8", false, false, true),
            ("0.0.0.0", true, false, false),
            ("0.0.0.0", false, true, false),
            ("192.168.0.9", true, false, false),
            ("::", true, false, false),
            ("0.0.0.0", true, true, true),
        ] {
            let ip = ip.parse().expect("an address");
            let verdict = may_bind(ip, has_tokens, is_encrypted).is_ok();
            assert_eq!(verdict, allowed, "{ip} {has_tokens} {is_encrypted}");
        }
    }
}
