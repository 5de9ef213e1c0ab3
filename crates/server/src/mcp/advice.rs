//! What an agent can do about each kind of failure, with the tools that it has.

use mnemic_engine::ErrorKind;

/// None where the message says it all.
pub(super) fn advice(kind: ErrorKind) -> Option<&'static str> {
    Some(match kind {
        ErrorKind::Invalid => "correct the arguments as the message says and call again.",
        ErrorKind::NotFound => "call `search` or `timeline` and use an id from the answer.",
        ErrorKind::NoStore => {
            "tell the person that this project has no memory yet; `mnemic init` makes one."
        }
        ErrorKind::Stale => "read it again with `get`, then change what is there now.",
        ErrorKind::Conflict => {
            "read what is there with `get` first; change that, or leave it as it is."
        }
        ErrorKind::Forgotten => {
            "leave it out: a person asked to forget this, and only a person can bring it back."
        }
        ErrorKind::Denied => "ask the person to do it; an agent may not.",
        ErrorKind::ReadOnly => "go on reading; nothing can be stored here now.",
        ErrorKind::DiskFull => "tell the person that the disk is full; nothing was lost.",
        ErrorKind::Busy => "try the same call again in a moment.",
        ErrorKind::Damaged => {
            "tell the person; `mnemic doctor` says what is damaged and what helps."
        }
        ErrorKind::Newer => "tell the person that mnemic must be updated.",
        ErrorKind::Io => "try again once; then tell the person.",
        ErrorKind::Internal => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_that_somebody_can_mend_comes_with_advice() {
        for kind in ErrorKind::ALL {
            assert_eq!(advice(*kind).is_none(), *kind == ErrorKind::Internal, "{kind:?}");
        }
    }
}
