//! The verbs of mnemic behind one synchronous `Engine` and one `Error`.

mod doctor;
mod engine;
mod error;
mod level;
mod meaning;
pub mod place;
mod random;
mod seal;
mod verbs;

pub use doctor::{Checkup, Severity};
pub use engine::{Engine, Note, Settings, StoreName, SystemClock};
pub use error::{Error, ErrorKind, Result};
pub use level::{Level, Levels};
pub use meaning::Meaning;
pub use random::{OsRandom, Random};
pub use seal::SecretValue;
pub use verbs::backup::{BackupMade, Restored};
pub use verbs::block::BlockEdited;
pub use verbs::capture::{CaptureAsk, Captured, Format};
pub use verbs::context::{Context, ContextAsk};
pub use verbs::continuity::Continuity;
pub use verbs::diff::Difference;
pub use verbs::economics::{MemoryReturn, Spending};
pub use verbs::edit::Edited;
pub use verbs::embed::Embedded;
pub use verbs::forget::{Forgotten, Proof};
pub use verbs::namespace::{NamespaceStats, NamespaceView};
pub use verbs::read::{Event, Listed, Page, Shown};
pub use verbs::recall::Moment;
pub use verbs::remember::{Outcome, Remembered};
pub use verbs::session::{Noted, SessionEnded, SessionStart, SessionView, Signal};
pub use verbs::transfer::{Exported, Imported};
pub use verbs::undo::Undone;

pub use mnemic_inference as inference;
pub use mnemic_model as model;
pub use mnemic_recall as recall;
pub use mnemic_store::{Census, Finding, VectorCensus, VectorModel, Verification};
pub use mnemic_text::continuity;
pub use mnemic_text::dates::MONTHS;
pub use mnemic_text::normalise::defuse;
pub use mnemic_text::task::TaskType;
pub use mnemic_text::tokens;
pub use mnemic_text::{alike, claims, contradict};
