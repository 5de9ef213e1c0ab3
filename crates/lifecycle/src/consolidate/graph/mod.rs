//! What memories form together: communities of notes, sagas of episodes, and notes that learn from
//! their neighbours. All of it follows from what is stored, so that a second run finds it done.

mod communities;
mod keep;
mod louvain;
mod refine;
mod sagas;
mod threads;

pub(super) use threads::threads;

use super::act::Act;
use super::world::World;

pub fn plan(world: &World) -> Vec<Act> {
    let mut acts = communities::plan(world);
    acts.extend(sagas::plan(world));
    acts.extend(refine::plan(world));
    acts
}
