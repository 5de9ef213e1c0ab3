//! The one error that every door shows: what failed, why, and what to do next.

use mnemic_model::Invalid;
use mnemic_store as store;
use std::error::Error as StdError;
use std::fmt;

pub type Result<T, E = Error> = std::result::Result<T, E>;

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $code:literal, $http:literal, $exit:literal;)+) => {
        /// What sort of failure it is: the one table of code, HTTP status and exit code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorKind { $($(#[$doc])* $kind),+ }

        impl ErrorKind {
            pub const ALL: &'static [ErrorKind] = &[$(ErrorKind::$kind),+];
            pub fn code(self) -> &'static str { match self { $(ErrorKind::$kind => $code),+ } }
            pub fn http_status(self) -> u16 { match self { $(ErrorKind::$kind => $http),+ } }
            pub fn exit_code(self) -> u8 { match self { $(ErrorKind::$kind => $exit),+ } }
        }
    };
}

kinds! {
    /// The input is wrong.
    Invalid = "invalid", 422, 2;
    /// No such record, change, block, backup.
    NotFound = "not_found", 404, 3;
    /// There is no store here yet.
    NoStore = "no_store", 404, 4;
    /// The state of the store stands against it.
    Conflict = "conflict", 409, 5;
    /// It was changed since the caller looked at it.
    Stale = "stale", 412, 5;
    /// A person asked to forget it.
    Forgotten = "forgotten", 410, 6;
    /// Not allowed to this actor.
    Denied = "denied", 403, 7;
    /// The file system cannot be written.
    ReadOnly = "read_only", 503, 8;
    DiskFull = "disk_full", 507, 9;
    /// Another process has been writing for too long.
    Busy = "busy", 503, 10;
    /// Rows or the file itself are damaged.
    Damaged = "damaged", 500, 11;
    /// Made by a newer mnemic.
    Newer = "newer", 500, 12;
    Io = "io", 500, 13;
    /// A mistake of ours.
    Internal = "internal", 500, 70;
}

/// What failed, why, and what to do next.
pub struct Error {
    pub kind: ErrorKind,
    message: String,
    /// A command to run or a change to make.
    pub hint: Option<String>,
    cause: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error { kind, message: message.into(), hint: None, cause: None }
    }

    pub fn hint(mut self, hint: impl Into<String>) -> Error {
        self.hint = Some(hint.into());
        self
    }

    pub fn because(mut self, cause: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
        self.cause = Some(cause.into());
        self
    }

    pub fn message(&self) -> &str {
        &self.message
    }

    /// The message and every cause below it, outermost first, each said once.
    pub fn chain(&self) -> Vec<String> {
        let mut chain = vec![self.message.clone()];
        let mut next = self.source();
        while let Some(cause) = next {
            let text = cause.to_string();
            if !chain.iter().any(|said| said.contains(&text)) {
                chain.push(text);
            }
            next = cause.source();
        }
        chain
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {} (hint: {:?})", self.kind, self.chain().join(": "), self.hint)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.cause.as_deref().map(|cause| cause as &(dyn StdError + 'static))
    }
}

impl From<Invalid> for Error {
    fn from(invalid: Invalid) -> Error {
        Error::new(ErrorKind::Invalid, invalid.to_string()).hint(invalid.hint)
    }
}

impl From<store::Error> for Error {
    fn from(cause: store::Error) -> Error {
        use store::Error as E;
        let (kind, hint) = match &cause {
            E::Missing(_) => (ErrorKind::NoStore, "make one with `mnemic init`"),
            E::Foreign(_) => (ErrorKind::Conflict, "move that file away, then run `mnemic init`"),
            E::Newer { .. } => (ErrorKind::Newer, "update mnemic; the file was not touched"),
            E::ReadOnly(_) => (
                ErrorKind::ReadOnly,
                "reading works; to write, make the directory writable or name another with `--dir`",
            ),
            E::Full => (
                ErrorKind::DiskFull,
                "nothing was lost; free some space, or `mnemic forget` what is not needed",
            ),
            E::Busy(_) => (
                ErrorKind::Busy,
                "try again; whoever waits two seconds is told which process writes",
            ),
            E::Damaged(_) => (
                ErrorKind::Damaged,
                "run `mnemic verify` to see what is damaged, then `mnemic restore --latest`",
            ),
            E::Secret(_) => {
                (ErrorKind::Invalid, "name it otherwise; `mnemic vault put NAME` keeps secrets")
            }
            E::Unopened { .. } => (
                ErrorKind::Damaged,
                "run `mnemic restore --latest`: it saves what can be read and keeps the file",
            ),
            E::SlotTaken | E::Exists(_) => (ErrorKind::Conflict, "look at it with `mnemic show`"),
            E::File { .. } => (ErrorKind::Io, "check the path and its permissions"),
            E::Disk(_) => {
                (ErrorKind::Io, "what was acknowledged is safe; check the disk, then try again")
            }
            E::Sql(_) => (ErrorKind::Internal, "run `mnemic doctor`; if it is clean, report this"),
        };
        Error::new(kind, cause.to_string()).hint(hint).because(cause)
    }
}

impl From<Error> for store::Error {
    /// For callbacks that a store runs for the engine; the engine takes its own error out again.
    fn from(error: Error) -> store::Error {
        store::Error::File {
            doing: "use",
            path: "callback".into(),
            cause: std::io::Error::other(error.message),
        }
    }
}
