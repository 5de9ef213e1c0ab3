//! The verbs of mnemic behind one synchronous `Engine` and one `Error`.

mod doctor;
mod engine;
mod error;
mod level;
pub mod place;
mod random;
mod seal;
mod verbs;

pub use doctor::{Checkup, Severity};
pub use engine::{Engine, Note, Settings, StoreName, SystemClock};
pub use error::{Error, ErrorKind, Result};
pub use level::{Level, Levels};
pub use random::{OsRandom, Random};
pub use seal::SecretValue;
pub use verbs::backup::{BackupMade, Restored};
pub use verbs::block::BlockEdited;
pub use verbs::diff::Difference;
pub use verbs::edit::Edited;
pub use verbs::forget::{Forgotten, Proof};
pub use verbs::namespace::{NamespaceStats, NamespaceView};
pub use verbs::read::{Event, Listed, Page, Shown};
pub use verbs::remember::{Outcome, Remembered};
pub use verbs::transfer::{Exported, Imported};
pub use verbs::undo::Undone;

pub use mnemic_model as model;
pub use mnemic_store::{Census, Finding, Verification};
pub use mnemic_text::normalise::defuse;
