//! Finding: understand, gather, fuse, score, filter, explain.
//!
//! The way of a question, one file or folder a step: [`Question`] → `contrast` → `understand` →
//! `spelling` → `telling` → `gather/` → `told` → `weigh` (`fuse`, `evidence`, `score`) → `rerank/` → `settle/` →
//! `sift` → `twins` → `choose` → [`Recall`]; `recall` takes them in this order.
//! Everything here holds the store's read trait only: looking something up changes nothing. What an
//! agent then reads of it is [`context`]'s business, which sees no store at all.

mod age;
mod answer;
mod aspects;
mod candidate;
mod choose;
pub mod context;
mod contrast;
mod dispute;
pub mod economics;
mod evidence;
mod explanation;
mod fuse;
mod gather;
mod heirs;
pub mod layers;
mod naming;
mod person;
pub mod predict;
mod question;
mod ranked;
mod read;
mod recall;
mod rerank;
mod score;
mod settle;
mod sift;
mod spelling;
mod spread;
mod strategy;
mod telling;
mod thread;
mod time;
mod told;
mod twins;
mod understand;
mod weigh;
mod weights;
mod why_not;

pub use answer::{Dispute, Found, Past, Recall, Refusal, Twin};
pub use candidate::Channel;
pub use evidence::Grounds;
pub use explanation::{ChannelRank, Explanation, Factor, Part};
pub use question::{Aspect, QueryVector, Question, Source};
pub use recall::recall;
pub use rerank::{Reader, Skimmer};
pub use settle::{Sensed, taken_back};
pub use sift::Bound;
pub use spelling::{Correction, Vocabulary};
pub use strategy::{Collection, Strategy};
pub use understand::Understanding;
pub use weights::{Fusion, Switches, Weights};
pub use why_not::{Fate, why_not};
