//! Pure text work: words and stems for the index, sentences and segments, levels, normal forms and
//! token counts, and what a question says about time, task, intent and named things. No I/O, no
//! clock; the same input gives the same output on every machine.

mod characters;
mod code;

pub mod alike;
pub mod aspects;
pub mod claims;
pub mod continuity;
pub mod contradict;
pub mod dates;
pub mod excerpt;
pub mod failure;
pub mod injection;
pub mod intent;
pub mod levels;
pub mod mentions;
pub mod normalise;
pub mod rules;
pub mod secrets;
pub mod segments;
pub mod sentences;
pub mod slips;
pub mod speech;
pub mod stems;
pub mod task;
pub mod tokens;
pub mod when;
pub mod words;
