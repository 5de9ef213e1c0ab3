//! What an agent should read now: memories in, a text within its token budget out.
//!
//! Nothing here reads a store or a clock. The way of a text: [`Offer`]s → `pack` (which tier, how
//! much of each) → `render/` (in which form) → `fence` (data, not instructions) → [`Assembled`],
//! counted whole. What memories say passes through `quote` before it stands anywhere.

mod admit;
mod assemble;
mod assembled;
mod choose;
mod citations;
mod cite;
mod counts;
mod fence;
mod fresh;
mod level;
mod offer;
mod pack;
mod pieces;
mod profile;
mod quote;
mod render;
mod role;
mod task;
#[cfg(test)]
mod tests;
mod trim;
mod window;

pub use assemble::{Ask, assemble};
pub use assembled::{Assembled, Empty, LeftOut, Shown};
pub use citations::{Cited, cited, resolved};
pub use cite::{as_citation, citation, is_cited_as};
pub use counts::Counts;
pub use fence::enclosed;
pub use fresh::{Handout, Segment, contracts, hand_out};
pub use level::{Level, Texts};
pub use offer::{Attribution, Avoid, Offer};
pub use profile::{BUILT_IN, Fill, Mark, Profile, Profiles, Style, TierRule, UNCITED};
pub use quote::quoted;
pub use render::Frame;
pub use role::{Role, Situation, roles};
pub use task::{Task, before_task};
pub use trim::{Injected, Trim, hard_clear, soft_trim};
pub use window::{Advice, Limits, Plan, Quality, Sharpness, Window, plan};
