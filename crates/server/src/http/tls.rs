//! TLS, for a server that other machines reach: a certificate and its key, read once at the start.

use mnemic_engine::{Error, ErrorKind, Result};
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{self, ServerConfig};
use tokio_rustls::server::TlsStream;

/// What a server proves itself with. The key is in there, so it is never printed.
#[derive(Clone)]
pub struct Tls(TlsAcceptor);

impl fmt::Debug for Tls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tls(…)")
    }
}

impl Tls {
    /// Reads a chain of certificates, the server's own first, and its private key, both as PEM.
    pub fn read(certificate: &Path, key: &Path) -> Result<Tls> {
        let chain = CertificateDer::pem_file_iter(certificate)
            .and_then(Iterator::collect::<std::result::Result<Vec<CertificateDer<'static>>, _>>)
            .map_err(|cause| unreadable("certificate", certificate, &cause))?;
        let secret = PrivateKeyDer::from_pem_file(key)
            .map_err(|cause| unreadable("private key", key, &cause))?;
        let config = configured(chain, secret).map_err(|cause| {
            let (certificate, key) = (certificate.display(), key.display());
            Error::new(ErrorKind::Invalid, format!("`{certificate}` and `{key}` do not serve TLS"))
                .because(cause.to_string())
                .hint("give the certificate, with those that signed it, and the key made with it")
        })?;
        Ok(Tls(TlsAcceptor::from(Arc::new(config))))
    }

    pub(super) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        self.0.accept(stream).await
    }
}

fn configured(
    chain: Vec<CertificateDer<'static>>,
    key: PrivateKeyDer<'static>,
) -> std::result::Result<ServerConfig, rustls::Error> {
    let mut config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

fn unreadable(what: &str, path: &Path, cause: &rustls::pki_types::pem::Error) -> Error {
    Error::new(ErrorKind::Invalid, format!("`{}` is not a {what} in PEM", path.display()))
        .because(cause.to_string())
        .hint("check the path; a PEM file begins with `-----BEGIN`")
}

#[cfg(test)]
mod tests {
    use super::super::{Limits, serve};
    use super::*;
    use axum::Router;
    use axum::routing::get;
    use std::fs;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;
    use tokio_rustls::TlsConnector;
    use tokio_rustls::rustls::pki_types::ServerName;
    use tokio_rustls::rustls::{ClientConfig, RootCertStore};

    struct Made {
        dir: tempfile::TempDir,
        certificate: CertificateDer<'static>,
    }

    /// A certificate for `localhost` that vouches for itself, in two files.
    fn made() -> Made {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let names = vec!["localhost".to_owned()];
        let pair = rcgen::generate_simple_self_signed(names).expect("a certificate");
        fs::write(dir.path().join("cert.pem"), pair.cert.pem()).expect("a file");
        fs::write(dir.path().join("key.pem"), pair.signing_key.serialize_pem()).expect("a file");
        Made { certificate: pair.cert.der().clone(), dir }
    }

    fn connector(trusted: Option<&CertificateDer<'static>>) -> TlsConnector {
        let mut roots = RootCertStore::empty();
        trusted.into_iter().for_each(|one| roots.add(one.clone()).expect("a certificate"));
        let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        TlsConnector::from(Arc::new(config))
    }

    #[tokio::test]
    async fn whoever_trusts_the_certificate_is_served_and_nobody_in_the_clear() {
        let made = made();
        let path = |name: &str| made.dir.path().join(name);
        let tls = Tls::read(&path("cert.pem"), &path("key.pem")).expect("it serves");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (closing, _) = tokio::sync::watch::channel(false);
        let router = Router::new().route("/", get(async || "hello"));
        tokio::spawn(async move {
            let limits = Limits::default();
            serve(listener, router, &limits, Some(tls), std::future::pending(), closing).await;
        });
        let request = b"GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
        let name = ServerName::try_from("localhost").expect("a name");

        let stream = TcpStream::connect(address).await.expect("it listens");
        let known = connector(Some(&made.certificate));
        let mut stream = known.connect(name.clone(), stream).await.expect("it is known");
        stream.write_all(request).await.expect("it is taken");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("hello"), "{answer}");

        let stream = TcpStream::connect(address).await.expect("it listens");
        assert!(connector(None).connect(name, stream).await.is_err(), "a stranger is not believed");

        let mut clear = TcpStream::connect(address).await.expect("it listens");
        clear.write_all(request).await.expect("it is taken");
        let mut answer = Vec::new();
        // The server hangs up, perhaps with an alert of TLS.
        let _ = clear.read_to_end(&mut answer).await;
        assert!(!answer.starts_with(b"HTTP"), "{answer:?}");
    }

    #[test]
    fn what_is_no_pair_is_refused_in_words() {
        let (one, other) = (made(), made());
        let (certificate, key) = (one.dir.path().join("cert.pem"), one.dir.path().join("key.pem"));
        let foreign = other.dir.path().join("key.pem");
        for (certificate, key) in [
            (&certificate, &foreign),
            (&key, &key),
            (&certificate, &certificate),
            (&one.dir.path().join("nothing"), &key),
        ] {
            let refused = Tls::read(certificate, key).expect_err("no pair");
            assert_eq!(refused.kind, ErrorKind::Invalid, "{refused:?}");
            assert!(refused.hint.is_some(), "{refused:?}");
        }
    }
}
