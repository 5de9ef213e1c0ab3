//! Which texts count as the same: the content hash of a memory and the digest on a tombstone.

use mnemic_model::{Body, Digest};
use mnemic_text::normalise::{loosened, normalised};

/// Same kind and same text but for spacing.
pub fn content(body: &Body) -> Digest {
    let text = normalised(&body.full_text());
    Digest::of("content", [body.kind().as_str().as_bytes(), text.as_bytes(), sealed(body)])
}

/// The full text of a secret is its name alone; the sealed value makes it one of a kind.
fn sealed(body: &Body) -> &[u8] {
    match body {
        Body::Secret(secret) => secret.sealed.as_bytes(),
        _ => &[],
    }
}

/// Same text but for case, spacing and punctuation, whatever its kind: what is forgotten as a fact
/// must not come back as an episode.
pub fn forgotten(body: &Body) -> Digest {
    Digest::of("forgotten", [loosened(&body.full_text()).as_bytes(), sealed(body)])
}
