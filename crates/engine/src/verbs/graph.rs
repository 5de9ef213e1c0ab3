//! `graph`: records and the links between them, around one of them or all, in a fixed order.

use crate::{Engine, Result, StoreName};
use mnemic_model::{At, Author, Body, Filter, Kind, Link, RecordId, Relation, Truth, Version};
use mnemic_store::Read;
use std::collections::{BTreeMap, BTreeSet};

/// One record of a graph.
#[derive(Debug, Clone, PartialEq)]
pub struct GraphNode {
    pub store: StoreName,
    pub id: RecordId,
    pub kind: Kind,
    pub title: String,
    /// What a community, saga or entity says about itself.
    pub description: Option<String>,
    /// The community it belongs to.
    pub community: Option<RecordId>,
}

/// Records in the order of their ids, links in the order of their ends.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Graph {
    pub nodes: Vec<GraphNode>,
    pub links: Vec<Link>,
}

/// Never part of a graph: one is secret, the others keep order.
const LEFT_OUT: &[Kind] = &[Kind::Secret, Kind::Namespace];

impl Engine {
    /// Everything within `depth` links of a record, or all that is linked at all. What holds now.
    pub fn graph(&self, from: Option<&str>, depth: usize) -> Result<Graph> {
        let mut graph = Graph::default();
        match from {
            Some(id) => {
                let (store, id) = self.locate(id)?;
                let read = self.store(store)?.read()?;
                let (ids, links) = around(read.as_ref(), &id, depth)?;
                add(&mut graph, store, read.as_ref(), ids, links)?;
            }
            None => {
                self.main_store()?;
                for (store, sqlite) in self.stores() {
                    let read = sqlite.read()?;
                    let links = all(read.as_ref())?;
                    let ends = links.iter().flat_map(|link| [link.from.clone(), link.to.clone()]);
                    add(&mut graph, store, read.as_ref(), ends.collect(), links)?;
                }
            }
        }
        graph.nodes.sort_by(|one, other| one.id.cmp(&other.id));
        graph.links.sort_by(|one, other| key(one).cmp(&key(other)));
        Ok(graph)
    }
}

fn key(link: &Link) -> (&RecordId, Relation, &RecordId) {
    (&link.from, link.relation, &link.to)
}

fn now() -> At {
    At { truth: Truth::Now, known: None }
}

fn all(read: &dyn Read) -> Result<Vec<Link>> {
    let now = read.now()?;
    let mut links = read.all_links()?;
    links.retain(|link| link.recorded.is_open() && link.valid.contains(now));
    Ok(links)
}

/// Who can be reached from a record in so many steps, whichever way the links point.
fn around(read: &dyn Read, id: &RecordId, depth: usize) -> Result<(BTreeSet<RecordId>, Vec<Link>)> {
    let mut reached = BTreeSet::from([id.clone()]);
    let mut edge = vec![id.clone()];
    let mut links = Vec::new();
    for _ in 0..depth {
        let mut next = Vec::new();
        for id in edge.drain(..) {
            for link in read.links(&id, now())? {
                let other = if link.from == id { &link.to } else { &link.from };
                if reached.insert(other.clone()) {
                    next.push(other.clone());
                }
                links.push(link);
            }
        }
        edge = next;
    }
    Ok((reached, links))
}

fn add(
    graph: &mut Graph,
    store: StoreName,
    read: &dyn Read,
    ids: BTreeSet<RecordId>,
    links: Vec<Link>,
) -> Result<()> {
    let homes = homes(read)?;
    for id in ids {
        let Some(version) = read.version(&id, None)? else { continue };
        if !LEFT_OUT.contains(&version.kind()) {
            graph.nodes.push(node(store, &version, homes.get(&id).cloned()));
        }
    }
    let shown: BTreeSet<&RecordId> = graph.nodes.iter().map(|node| &node.id).collect();
    let mut once = BTreeSet::new();
    for link in links {
        let ends = [&link.from, &link.to];
        let known = (link.from.clone(), link.relation, link.to.clone());
        if ends.iter().all(|end| shown.contains(end)) && once.insert(known) {
            graph.links.push(link);
        }
    }
    Ok(())
}

/// The community of each member; of several the first.
fn homes(read: &dyn Read) -> Result<BTreeMap<RecordId, RecordId>> {
    let filter = Filter { kinds: vec![Kind::Community], ..Filter::new(now()) };
    let mut communities: Vec<RecordId> =
        read.list(&filter)?.into_iter().map(|version| version.id).collect();
    communities.sort();
    let mut homes = BTreeMap::new();
    for community in communities {
        for link in read.links(&community, now())? {
            if link.relation == Relation::HasMember && link.from == community {
                homes.entry(link.to).or_insert_with(|| community.clone());
            }
        }
    }
    Ok(homes)
}

fn node(store: StoreName, version: &Version, community: Option<RecordId>) -> GraphNode {
    let description = match &version.content.body {
        Body::Community(community) => community.description.clone(),
        Body::Saga(saga) => saga.description.clone(),
        Body::Entity(entity) => entity.description.clone(),
        _ => None,
    };
    GraphNode {
        store,
        id: version.id.clone(),
        kind: version.kind(),
        title: version.content.body.title().to_owned(),
        description,
        community,
    }
}

/// Communities and sagas of our own making that any of these was ever a member of.
pub(super) fn groups_of(read: &dyn Read, ids: &[&RecordId]) -> Result<Vec<RecordId>> {
    let mut groups = BTreeSet::new();
    for link in read.all_links()? {
        if link.relation == Relation::HasMember && ids.contains(&&link.to) {
            groups.insert(link.from);
        }
    }
    groups.retain(|id| !ids.contains(&id));
    let is_ours = |id: &RecordId| -> Result<bool> {
        let version = read.versions(id)?.pop();
        Ok(version.is_some_and(|version| {
            let author = version.content.provenance.writer.author;
            matches!(version.kind(), Kind::Community | Kind::Saga) && author == Author::Tool
        }))
    };
    let mut ours = Vec::new();
    for id in groups {
        if is_ours(&id)? {
            ours.push(id);
        }
    }
    Ok(ours)
}
