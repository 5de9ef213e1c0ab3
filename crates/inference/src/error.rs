//! What can go wrong with a model, told apart by what a person can do about it.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    #[error("there are no weights for the local embedding model")]
    NoWeights,
    #[error("cannot read the weights `{}`", .path.display())]
    Unreadable {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error("`{file}` is not a sound file of packed weights: {why}")]
    Damaged { file: String, why: String },
    #[error("`{file}` is packed in format {found}, and this mnemic reads format {known}")]
    OtherFormat { file: String, found: u32, known: u32 },
    #[error("cannot pack `{}`: {why}", .path.display())]
    Unpackable { path: PathBuf, why: String },
    #[error("cannot write the packed weights `{}`", .path.display())]
    Unwritable {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error("the setting `{name}` cannot be `{value}`: {why}")]
    Setting { name: &'static str, value: String, why: &'static str },
    #[error("cannot reach the endpoint `{endpoint}`: {why}")]
    Unreachable { endpoint: String, why: String },
    #[error("the endpoint `{endpoint}` did not answer within {seconds} s")]
    Slow { endpoint: String, seconds: u64 },
    #[error("the endpoint `{endpoint}` answered with status {status}: {said}")]
    Refused { endpoint: String, status: u16, said: String },
    #[error("the endpoint `{endpoint}` gave an answer of no use: {why}")]
    Answer { endpoint: String, why: String },
}

impl Error {
    /// What to do next.
    pub fn hint(&self) -> Option<&str> {
        Some(match self {
            Error::NoWeights => {
                "run `scripts/weights` and build again, or set MNEMIC_WEIGHTS to a packed file"
            }
            Error::Unreadable { .. } => {
                "check that the file named by MNEMIC_WEIGHTS exists and may be read"
            }
            Error::Damaged { .. } => "delete the file and run `scripts/weights` to pack it anew",
            Error::OtherFormat { .. } => "run `scripts/weights` of this version to pack it anew",
            Error::Unpackable { .. } => "delete the download and run `scripts/weights` again",
            Error::Unwritable { .. } => "check free space and permissions of the folder",
            Error::Setting { .. } => "correct the setting",
            Error::Unreachable { .. } => "check the address and that the service runs",
            Error::Slow { .. } => "raise the timeout, or send smaller batches",
            Error::Refused { status: 401 | 403, .. } => "check the API key",
            Error::Refused { status: 404, .. } => {
                "check the base URL (it usually ends in `/v1`) and the name of the model"
            }
            Error::Refused { status: 413, .. } => "send smaller batches or shorter texts",
            Error::Refused { status: 429, .. } => "wait, or send smaller batches",
            Error::Refused { .. } => "see what the service says of itself, then try again",
            Error::Answer { .. } => {
                "check that the endpoint serves this model and the dimensions asked for"
            }
        })
    }

    pub(crate) fn damaged(file: &str, why: impl Into<String>) -> Error {
        Error::Damaged { file: file.to_owned(), why: why.into() }
    }
}
