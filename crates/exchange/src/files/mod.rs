//! The directory of plain files that people edit and git versions: the JSON layout of coding
//! harnesses, one file a memory, and lists made from them for readers who expect lists.
//!
//! A list file conflicts in git whenever two branches each add to it. So every memory has a file of
//! its own, which git merges without help, and the lists (`semantic/patterns.json`, `index.json`, …)
//! are made from memories, carry `"derived": true` and are ignored by git.

mod author;
mod date;
mod foreign;
mod gather;
mod home;
mod lacking;
mod lenient;
mod lists;
mod markdown;
mod place;
mod shape;
mod skill;
mod tree;

pub use author::{Hand, hand_of};
pub use gather::{Broken, Gathered, Item, gather};
pub use lists::{Source, lists};
pub use place::{Place, place_of};
pub use shape::{FileLink, Reading, base_of, file_of, read_file};
pub use tree::{IGNORED, Tree};
