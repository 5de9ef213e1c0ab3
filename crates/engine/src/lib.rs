//! The verbs of mnemic behind one synchronous `Engine` and one `Error`.

mod count;
mod doctor;
mod engine;
mod entry;
mod error;
mod language;
mod level;
mod locate;
mod meaning;
pub mod place;
mod random;
mod seal;
mod spoken;
mod verbs;
mod zone;

pub use count::counted;
pub use doctor::{Checkup, Severity};
pub use engine::{Engine, Note, Settings, StoreName, SystemClock, require};
pub use entry::{Screened, doubts_about};
pub use error::{Error, ErrorKind, Result};
pub use language::LanguageState;
pub use level::{Level, Levels};
pub use meaning::Meaning;
pub use random::{OsRandom, Random};
pub use seal::SecretValue;
pub use spoken::spoken;
pub use verbs::audit::{AuditSignature, ChainState};
pub use verbs::backup::{BackupMade, Restored};
pub use verbs::block::BlockEdited;
pub use verbs::capture::code::{LearnAsk, Learnt};
pub use verbs::capture::distil::Distilled;
pub use verbs::capture::{CaptureAsk, Captured, Format};
pub use verbs::cite::CitedMemories;
pub use verbs::consolidate::Consolidated;
pub use verbs::context::{Context, ContextAsk};
pub use verbs::continuity::Continuity;
pub use verbs::cursor::Cursor;
pub use verbs::diff::Difference;
pub use verbs::economics::{MemoryReturn, Spending};
pub use verbs::edit::Edited;
pub use verbs::embed::{Embedded, LONG_TEXT};
pub use verbs::export::{ExportAsk, ExportFile, ExportFormat};
pub use verbs::files::{
    FILES_DIR, FileConflict, FilesAsk, FilesRead, FilesWritten, Hands, Keep, LayoutImported,
};
pub use verbs::forget::{Forgotten, Proof};
pub use verbs::graph::{Graph, GraphNode};
pub use verbs::import::{
    FileImport, ImportAsk, ImportFormat, ImportSource, Spot, Takeover, Unfound,
};
pub use verbs::jobs::{JobView, Worked};
pub use verbs::memory_files::MemoryFileCommand;
pub use verbs::merge::Merged;
pub use verbs::namespace::{NamespaceStats, NamespaceView};
pub use verbs::read::{Event, Listed, Page, Shown};
pub use verbs::recall::{Moment, span_named};
pub use verbs::record::{Entry, OpenEpisode};
pub use verbs::redact::{Redacted, Scanned, Target};
pub use verbs::remember::{Outcome, Remembered};
pub use verbs::replay::{Replay, Step};
pub use verbs::review::Waiting;
pub use verbs::session::{
    KNOWN, KnownAnswer, Noted, SessionEnded, SessionStart, SessionView, Signal,
};
pub use verbs::transfer::{Exported, Imported};
pub use verbs::undo::Undone;
pub use verbs::usage::HandedOut;
pub use zone::{local_zone, to_the_second};

pub use mnemic_inference as inference;
pub use mnemic_lifecycle::capture::Veil;
pub use mnemic_lifecycle::consolidate;
pub use mnemic_model as model;
pub use mnemic_recall as recall;
pub use mnemic_store::sqlite::{Wait, tell_of_waiting};
pub use mnemic_store::{Census, Finding, Screen, VectorCensus, VectorModel, Verification};
pub use mnemic_syntax::CodePattern;
pub use mnemic_text::continuity;
pub use mnemic_text::dates::MONTHS;
pub use mnemic_text::excerpt::excerpt;
pub use mnemic_text::normalise::defuse;
pub use mnemic_text::task::TaskType;
pub use mnemic_text::tokens;
pub use mnemic_text::{alike, claims, contradict, failure, injection, secrets};
