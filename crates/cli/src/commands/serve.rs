//! `mnemic serve`: the REST door on one port.

use super::{context, token};
use crate::allocator;
use crate::args::whole;
use crate::invocation::Invocation;
use crate::report::{Done, Failure};
use mnemic_server::http::token::{Made, Reach, Tokens, Wish};
use mnemic_server::http::{Limits, Serving, Tls, may_bind, run as serve};
use serde_json::json;
use std::cell::Cell;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// Serve memories over HTTP to programs on this machine
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemic serve
  mnemic serve --port 0 --json
  mnemic serve --host 0.0.0.0 --behind-proxy --allow-host memory.example.org
  mnemic serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem --allow-host memory.example.org

The first start makes a token and shows it once; `mnemic token create` makes more. Every request
carries one: `curl -H \"Authorization: Bearer TOKEN\" http://127.0.0.1:6636/v1/memories`. The page
at /docs shows and tries every address. Ctrl-C ends it after running requests have finished.")]
pub(crate) struct Args {
    /// The port; 0 takes any that is free
    #[arg(long, default_value_t = 6636, value_parser = port)]
    port: u16,
    /// The address to listen on; anything but loopback needs tokens, and TLS or --behind-proxy
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    host: IpAddr,
    /// The file of tokens, in place of the one beside the store
    #[arg(long, value_name = "PATH")]
    token_file: Option<PathBuf>,
    /// Another name that requests may be addressed to; may be given several times
    #[arg(long = "allow-host", value_name = "NAME")]
    allow_hosts: Vec<String>,
    /// A proxy before this server speaks TLS
    #[arg(long)]
    behind_proxy: bool,
    /// Speak TLS with this certificate, with those that signed it, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_key", conflicts_with = "behind_proxy")]
    tls_cert: Option<PathBuf>,
    /// The private key of the certificate, as PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Requests a second for each token; 0 for any number
    #[arg(long, default_value_t = Limits::default().per_second, value_name = "N", value_parser = whole::<u32>("100"))]
    rate: u32,
    /// Seconds that a request may take
    #[arg(long, default_value_t = Limits::default().time.as_secs(), value_name = "SECONDS", value_parser = whole::<u64>("30"))]
    time_limit: u64,
    /// Bytes that a body may have
    #[arg(long, default_value_t = Limits::default().body, value_name = "BYTES", value_parser = whole::<usize>("1048576"))]
    body_limit: usize,
}

fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| "a port is a number from 0 to 65535, such as 6636".to_owned())
}

pub(crate) fn run(args: Args, call: &Invocation) -> Done {
    allocator::large_pieces(true);
    let path = token::file(args.token_file.as_deref(), call)?;
    let tokens = Tokens::at(path);
    let has_tokens = !tokens.list()?.is_empty();
    let tls = match (&args.tls_cert, &args.tls_key) {
        (Some(certificate), Some(key)) => Some(Tls::read(certificate, key)?),
        _ => None,
    };
    may_bind(args.host, has_tokens, args.behind_proxy || tls.is_some())?;
    let scheme = if tls.is_some() { "https" } else { "http" };
    let settings = call.engine_settings()?;
    let first = match has_tokens {
        true => None,
        false => Some(token::make(Wish::new("first", Reach::Admin), &tokens, call)?),
    };
    let mut serving = Serving::new(settings, tokens, SocketAddr::new(args.host, args.port));
    serving.allow_hosts = args.allow_hosts;
    serving.profiles = context::profiles(call)?;
    serving.tls = tls;
    serving.limits.per_second = args.rate;
    serving.limits.time = Duration::from_secs(args.time_limit.max(1));
    serving.limits.body = args.body_limit;
    // A reader that left does not end the server, only what it was told.
    let left = Cell::new(None);
    serve(serving, |address| {
        if let Err(failure) = tell(scheme, address, first.as_ref(), call) {
            left.set(Some(failure));
        }
        Ok(())
    })?;
    match left.into_inner() {
        Some(Failure::Error(error)) => Err(error.into()),
        _ => Ok(()),
    }
}

fn tell(scheme: &str, address: SocketAddr, first: Option<&Made>, call: &Invocation) -> Done {
    let url = format!("{scheme}://{address}");
    call.out.answer(
        || json!({ "url": url, "token": first.map(|made| made.token.reveal()) }),
        || {
            call.out.line(&format!("listening on {url}; the page at {url}/docs shows how"))?;
            if let Some(made) = first {
                call.out.line(&format!("token: {}", made.token.reveal()))?;
                call.out.note(
                    "it reads, writes and administers, but speaks for no person; it is shown this \
                     once and kept only as a hash; `mnemic token create` makes others",
                );
            }
            Ok(())
        },
    )?;
    call.out.flush()
}
