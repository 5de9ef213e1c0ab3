//! Sagas: three episodes or more of one long piece of work, told by how it began and how it stands.

use super::super::act::Act;
use super::super::evidence::central;
use super::super::world::{Memory, World};
use super::communities::shortened;
use super::keep::{Group, kept};
use super::threads::threads;
use mnemic_model::body::{Body, Episode, Outcome, Saga};
use mnemic_model::{Kind, policy};

const FEWEST: usize = 3;

pub(super) fn plan(world: &World) -> Vec<Act> {
    let long = threads(world).into_iter().filter(|thread| thread.len() >= FEWEST);
    kept(world, Kind::Saga, long.filter_map(|thread| group(world, &thread)).collect())
}

fn group(world: &World, thread: &[&Memory]) -> Option<Group> {
    let episodes: Vec<&Episode> = thread
        .iter()
        .filter_map(|memory| match &memory.content.body {
            Body::Episode(episode) => Some(episode),
            _ => None,
        })
        .collect();
    let (first, last) = (episodes.first()?, episodes.last()?);
    let day = |memory: &Memory| memory.content.valid.from().to_string().chars().take(10).collect();
    let (began, lately): (String, String) = (day(thread.first()?), day(thread.last()?));
    let well = episodes.iter().filter(|it| it.outcome == Some(Outcome::Success)).count();
    let description = format!(
        "{} episodes from {began} to {lately}, {well} went well. First: {}. Last: {}",
        episodes.len(),
        shortened(&first.goal).trim_end_matches('.'),
        shortened(&last.goal),
    );
    let title = shortened(&central(world, &episodes)?.goal);
    Some(Group {
        body: Body::Saga(Saga { title, description: Some(description) }),
        scope: thread.first()?.content.scope.clone(),
        trust: policy::inherited_trust(thread.iter().map(|memory| memory.content.trust())),
        members: thread.iter().map(|memory| memory.id.clone()).collect(),
    })
}
