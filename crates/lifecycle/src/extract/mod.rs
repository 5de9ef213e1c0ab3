//! What is worth knowing later, found in the turns of sessions without a language model.
//!
//! Precision comes first: a memory that is wrong or says nothing costs more than one that is
//! missing. Rules and preferences are taken from a person's words alone; an agent is heard where it
//! gives the reason of a choice, warns, or tells of the project as a whole. All are kept as they
//! were said.

mod answers;
pub mod asked;
mod circumstances;
mod decisions;
mod entities;
pub(crate) mod errors;
mod facts;
mod fixes;
mod frames;
mod habits;
mod miner;
mod necessity;
mod pitfalls;
mod pointing;
mod prose;
mod runs;
mod statements;
mod told;
mod vocabulary;
mod warnings;
mod workflows;

pub use decisions::{Choice, choice};
pub use entities::named;
pub use facts::{Claim, ReadClaims, plain_claims};
pub use habits::Habits;
pub use miner::Miner;
pub use runs::{Event, Run, Runs};
pub use statements::{Statement, StatementKind, statement};
