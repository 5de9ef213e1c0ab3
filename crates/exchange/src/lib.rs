//! In and out: the formats in which memories travel. Ours loses nothing.

pub mod jsonl;
