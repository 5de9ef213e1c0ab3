//! Episodes that are one long piece of work, whatever session they fell in: the same task, the same
//! branch, or goals that say the same.

use super::super::cluster::clusters;
use super::super::world::{Memory, World};
use mnemic_model::Scope;
use mnemic_model::body::{Body, Episode};
use std::collections::BTreeMap;

/// Branches on which everything happens.
const TRUNKS: &[&str] = &["main", "master", "develop", "dev", "trunk", "HEAD"];

/// Work that rested longer than this was another piece of work.
const REST_DAYS: i64 = 30;

/// Runs of episodes in the order in which they happened, the longest possible ones.
pub(in super::super) fn threads(world: &World) -> Vec<Vec<&Memory>> {
    let mut rooms: BTreeMap<&Scope, Vec<(&Memory, &Episode)>> = BTreeMap::new();
    for memory in world.memories() {
        // A turn of a conversation has no end and belongs to no piece of work.
        if let Body::Episode(episode) = &memory.content.body
            && episode.outcome.is_some()
        {
            rooms.entry(&memory.content.scope).or_default().push((memory, episode));
        }
    }
    let mut threads = Vec::new();
    for mut room in rooms.into_values() {
        room.sort_by_key(|(memory, _)| (memory.content.valid.from(), &memory.id));
        threads.extend(of_room(world, &room));
    }
    threads
}

fn of_room<'w>(world: &World, room: &[(&'w Memory, &'w Episode)]) -> Vec<Vec<&'w Memory>> {
    let mut joined = Joined((0..room.len()).collect());
    let mut by_task = BTreeMap::new();
    let mut by_branch = BTreeMap::new();
    for (number, (_, episode)) in room.iter().enumerate() {
        if let Some(task) = episode.task_id.as_deref() {
            joined.join(number, *by_task.entry(task).or_insert(number));
        }
        if let Some(branch) = episode.git_branch.as_deref().filter(|name| !TRUNKS.contains(name)) {
            joined.join(number, *by_branch.entry(branch).or_insert(number));
        }
    }
    let goals: Vec<_> = room.iter().map(|(_, episode)| world.terms(&episode.goal)).collect();
    for cluster in clusters(&goals, None) {
        cluster.iter().for_each(|number| joined.join(*number, cluster[0]));
    }
    let mut groups: BTreeMap<usize, Vec<&Memory>> = BTreeMap::new();
    for (number, (memory, _)) in room.iter().enumerate() {
        groups.entry(joined.root(number)).or_default().push(memory);
    }
    groups.into_values().flat_map(at_rests).collect()
}

fn at_rests(group: Vec<&Memory>) -> Vec<Vec<&Memory>> {
    let mut runs: Vec<Vec<&Memory>> = Vec::new();
    for memory in group {
        let from = memory.content.valid.from();
        match runs.last_mut() {
            Some(run)
                if run.last().is_some_and(|last| {
                    last.content.valid.from().plus_seconds(REST_DAYS * 86_400) >= from
                }) =>
            {
                run.push(memory);
            }
            _ => runs.push(vec![memory]),
        }
    }
    runs
}

/// Which numbers belong together; each group is named by its smallest.
struct Joined(Vec<usize>);

impl Joined {
    fn root(&mut self, mut number: usize) -> usize {
        while self.0[number] != number {
            self.0[number] = self.0[self.0[number]];
            number = self.0[number];
        }
        number
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other)] = one.min(other);
    }
}
