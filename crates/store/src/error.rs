//! What can go wrong in a store, told apart by what a caller can do about it.

use std::path::{Path, PathBuf};

pub type Result<T, E = Error> = std::result::Result<T, E>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("there is no store at `{}`", .0.display())]
    Missing(PathBuf),
    #[error("`{}` is not a mnemic store", .0.display())]
    Foreign(PathBuf),
    #[error("the store has schema {found}, and this mnemic knows schemas up to {known}")]
    Newer { found: i64, known: i64 },
    #[error("the store is read-only: {0}")]
    ReadOnly(String),
    #[error("the disk is full")]
    Full,
    /// Waited for so many seconds.
    #[error("another process {}", match .0 {
        0 => "is writing".to_owned(),
        seconds => format!("has been writing for {seconds} seconds"),
    })]
    Busy(u64),
    /// Rows of a store that is open.
    #[error("the store is damaged: {0}")]
    Damaged(String),
    /// The file as a whole: it does not even open.
    #[error("the store `{}` is damaged and cannot be opened: {why}", path.display())]
    Unopened { path: PathBuf, why: String },
    #[error("two values would be valid at once in one slot")]
    SlotTaken,
    #[error("{0}")]
    Secret(String),
    #[error("`{0}` exists already")]
    Exists(String),
    #[error("cannot {doing} `{}`", .path.display())]
    File {
        doing: &'static str,
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error("the disk did not do what it was asked to: {0}")]
    Disk(String),
    #[error("the database answered: {0}")]
    Sql(#[source] rusqlite::Error),
}

impl Error {
    pub fn file(
        doing: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |cause| match cause.kind() {
            std::io::ErrorKind::StorageFull => Error::Full,
            std::io::ErrorKind::ReadOnlyFilesystem => Error::ReadOnly(path.display().to_string()),
            _ => Error::File { doing, path, cause },
        }
    }
}

impl Error {
    /// Damage that keeps a store from being opened is that of its file, which has a name.
    pub(crate) fn of_the_whole(self, path: &Path) -> Error {
        match self {
            Error::Damaged(why) => Error::Unopened { path: path.to_owned(), why },
            other => other,
        }
    }
}

impl From<rusqlite::Error> for Error {
    fn from(cause: rusqlite::Error) -> Error {
        use rusqlite::ErrorCode as Code;
        match cause.sqlite_error_code() {
            Some(Code::DiskFull) => Error::Full,
            Some(Code::DatabaseBusy | Code::DatabaseLocked) => {
                Error::Busy(crate::sqlite::patience().as_secs())
            }
            Some(Code::ReadOnly) => Error::ReadOnly(cause.to_string()),
            Some(Code::DatabaseCorrupt) => Error::Damaged(cause.to_string()),
            Some(Code::NotADatabase) => {
                Error::Damaged("its beginning is not that of an SQLite file".to_owned())
            }
            Some(Code::SystemIoFailure | Code::CannotOpen) => Error::Disk(cause.to_string()),
            _ if cause.to_string().contains("two values valid at once") => Error::SlotTaken,
            _ => Error::Sql(cause),
        }
    }
}
