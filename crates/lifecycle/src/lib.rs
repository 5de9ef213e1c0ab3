//! Change over time: capture, extraction, consolidation, forgetting, jobs.
//!
//! `capture` reads what a host wrote down about a session and makes episodes of it; `extract` finds
//! in the same turns what is worth knowing later; `consolidate` tends what is stored. None needs a language model.

pub mod capture;
pub mod command;
pub mod consolidate;
pub mod extract;
pub mod jobs;
mod remedy;
