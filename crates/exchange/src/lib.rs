//! In and out: the formats in which memories travel. Ours loses nothing.

pub mod export;
pub mod files;
pub mod import;
pub mod jsonl;
pub mod merge;
