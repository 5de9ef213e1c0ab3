//! Jobs: when consolidation is due, and which work fits into the end of a command.

mod due;
mod fits;

pub use due::{Circumstances, Trigger, due};
pub use fits::fits;
