//! From transcripts to episodes: read, veil what is private, set apart what was injected, cut at tasks.

mod blocks;
mod calls;
mod claude_code;
mod clip;
mod codex;
mod detect;
mod draft;
mod episode;
mod injected;
mod lines;
mod messages;
mod outcome;
mod private;
mod rendered;
mod resume;
mod sessions;
mod squeeze;
mod task;
mod tone;
mod tools;
mod transcript;
mod turn;

pub use clip::clipped;
pub use detect::{Format, detect};
pub use draft::{Origin, stable_id};
pub(crate) use draft::{Voice, idempotency_key};
pub use episode::Episodes;
pub use injected::{Fingerprint, is_echo};
pub use outcome::{error_line, exit_code, succeeded};
pub use private::Veil;
pub use resume::{Resume, Standing, Stop};
pub(crate) use tone::contains_words;
pub use tone::{Tone, tone};
pub use tools::Work;
pub use transcript::{Problem, Report, Step, Transcript, buffered, read_sessions};
pub use turn::{Answer, Call, Head, Place, Seat, Session, Turn};
