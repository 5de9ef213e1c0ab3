//! Where memories lie: traits for reading and for one write transaction, and SQLite behind them.

mod error;
pub mod find;
pub mod fingerprint;
pub mod foreign;
mod found;
mod read;
mod screen;
mod session;
pub mod sqlite;
mod write;

pub use error::{Error, Result};
pub use find::{
    Beginning, Embedding, Glance, Grain, Key, MeaningHit, Span, Turn, VectorCensus, VectorModel,
    WordHit, WordStatistics,
};
pub use found::{Answer, Census, Finding, Redaction, Touched, Upkeep, Verification};
pub use read::Read;
pub use screen::Screen;
pub use session::{ReadSessions, ReadTopics, ReadTraces, TopicOrder, WriteSessions};
pub use write::{NewLink, Write};
