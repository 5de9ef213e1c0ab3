//! Whether a request is addressed to this server and comes from a place that may: pure decisions
//! against rebound names, other sites' pages and requests that two parsers read differently.

use super::problem::{Problem, Refusal};
use axum::http::{HeaderMap, Uri, header};
use std::net::SocketAddr;

/// The names that this server answers to, each as it stands in a `Host` header.
#[derive(Debug, Clone)]
pub struct Names(Vec<String>);

impl Names {
    /// Loopback names with the port, and what the person added.
    pub fn of(address: SocketAddr, more: &[String]) -> Names {
        let port = address.port();
        let mut names = vec![format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        names.push(format!("[::1]:{port}"));
        if !address.ip().is_unspecified() {
            names.push(address.to_string());
        }
        if port == 80 {
            names.extend(["127.0.0.1", "localhost", "[::1]"].map(str::to_owned));
        }
        names.extend(more.iter().cloned());
        Names(names.into_iter().map(|name| name.to_ascii_lowercase()).collect())
    }

    fn has(&self, name: &str) -> bool {
        self.0.iter().any(|known| known.eq_ignore_ascii_case(name))
    }

    /// Refuses what is not addressed to us, or comes from a page that is not ours.
    pub fn check(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
        self.check_host(uri, headers)?;
        self.check_origin(headers)?;
        check_framing(headers)
    }

    fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let (first, second) = (hosts.next(), hosts.next());
        let Some(host) = first.filter(|_| second.is_none()).and_then(|host| host.to_str().ok())
        else {
            return Err(malformed("the request has no single `Host`"));
        };
        let named = uri.authority().map(|authority| authority.as_str());
        let strange = [Some(host), named].into_iter().flatten().find(|name| !self.has(name));
        match strange {
            None => Ok(()),
            Some(name) => Err(Problem::refuse(
                Refusal::WrongHost,
                format!("`{}` is not a name of this server", name.escape_debug()),
                "use 127.0.0.1 or localhost with the port, or start with `--allow-host NAME`",
            )),
        }
    }

    /// Pages of other sites may make a browser send requests; they cannot hide where they are.
    fn check_origin(&self, headers: &HeaderMap) -> Result<(), Problem> {
        let foreign = |what: &str| {
            Err(Problem::refuse(
                Refusal::Foreign,
                format!("requests from `{}` are not served", what.escape_debug()),
                "this server serves its own pages and programs, not other sites",
            ))
        };
        for origin in headers.get_all(header::ORIGIN) {
            let text = origin.to_str().unwrap_or("?");
            let host = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
            if !host.is_some_and(|host| self.has(host)) {
                return foreign(text);
            }
        }
        for site in headers.get_all("sec-fetch-site") {
            if !matches!(site.to_str(), Ok("same-origin" | "none")) {
                return foreign(site.to_str().unwrap_or("?"));
            }
        }
        Ok(())
    }
}

/// Where a body ends must have one answer, whoever reads it.
fn check_framing(headers: &HeaderMap) -> Result<(), Problem> {
    let lengths = headers.get_all(header::CONTENT_LENGTH).iter().count();
    let codings = headers.get_all(header::TRANSFER_ENCODING).iter().count();
    if lengths + codings > 1 {
        return Err(malformed("the request says more than once where its body ends"));
    }
    let odd =
        |coding: &axum::http::HeaderValue| !coding.as_bytes().eq_ignore_ascii_case(b"chunked");
    if headers.get_all(header::TRANSFER_ENCODING).iter().any(odd) {
        return Err(malformed("the only transfer coding served is `chunked`"));
    }
    Ok(())
}

fn malformed(what: &str) -> Problem {
    Problem::refuse(Refusal::Malformed, what, "send one well-formed HTTP/1.1 request")
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn status(uri: &str, headers: &[(&'static str, &str)]) -> u16 {
        let names = Names::of("127.0.0.1:7077".parse().expect("an address"), &["m.test".into()]);
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, HeaderValue::from_str(value).expect("a value"));
        }
        let uri: Uri = uri.parse().expect("an address");
        names.check(&uri, &map).map_or_else(|problem| problem.status, |()| 200)
    }

    #[test]
    fn who_may_come_in() {
        const HERE: (&str, &str) = ("host", "127.0.0.1:7077");
        for (uri, headers, expected) in [
            ("/v1/health", &[HERE][..], 200),
            ("/v1/health", &[("host", "LOCALHOST:7077")], 200),
            ("/v1/health", &[("host", "[::1]:7077")], 200),
            ("/v1/health", &[("host", "m.test")], 200),
            ("/v1/health", &[("host", "127.0.0.1")], 421),
            ("/v1/health", &[("host", "127.0.0.1:7078")], 421),
            ("/v1/health", &[("host", "evil.test:7077")], 421),
            ("/v1/health", &[("host", "127.0.0.1:7077.evil.test")], 421),
            ("/v1/health", &[], 400),
            ("/v1/health", &[HERE, HERE], 400),
            ("http://evil.test/v1/health", &[HERE], 421),
            ("/v1/health", &[HERE, ("origin", "http://127.0.0.1:7077")], 200),
            ("/v1/health", &[HERE, ("origin", "null")], 403),
            ("/v1/health", &[HERE, ("origin", "")], 403),
            ("/v1/health", &[HERE, ("origin", "http://evil.test")], 403),
            ("/v1/health", &[HERE, ("origin", "http://127.0.0.1:7077.evil.test")], 403),
            ("/v1/health", &[HERE, ("sec-fetch-site", "cross-site")], 403),
            ("/v1/health", &[HERE, ("sec-fetch-site", "same-site")], 403),
            ("/v1/health", &[HERE, ("sec-fetch-site", "same-origin")], 200),
            ("/v1/health", &[HERE, ("content-length", "3"), ("transfer-encoding", "chunked")], 400),
            ("/v1/health", &[HERE, ("content-length", "3"), ("content-length", "4")], 400),
            ("/v1/health", &[HERE, ("transfer-encoding", "xchunked")], 400),
        ] {
            assert_eq!(status(uri, headers), expected, "{uri} {headers:?}");
        }
    }
}
