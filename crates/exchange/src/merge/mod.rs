//! Two stores made one: what both ever said is united, and what is believed follows from that alone,
//! so that the order in which stores are merged does not matter.
//!
//! A store is read as events (`state`): each version that somebody made, and each time that one was
//! taken back. Events of two stores are united (`join`), and a view of them says what is believed
//! (`view`). Writing it down (`apply`) adds what is missing under its own author and lays versions of
//! the merge itself on top. Those are no events: the next merge looks through them.

mod apply;
mod copies;
mod join;
mod plan;
mod slots;
mod state;
mod view;

pub use apply::apply;
pub use plan::{Plan, plan};
pub use state::{State, load};
