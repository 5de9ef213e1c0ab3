//! mnemic's own format, a JSON object per line: every version, both time lines, links, usage and
//! tombstones. What is read back is what was written.

mod export;
mod import;
mod line;

pub use export::{Exported, export};
pub use import::{Importer, Landed, Unreadable};
