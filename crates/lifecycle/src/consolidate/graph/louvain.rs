//! Communities in a weighted graph by the method of Louvain: nodes move to where they belong most,
//! then each community becomes a node, until nothing moves. The same graph always gives the same
//! answer: nodes are taken in their order and ties go to the first.

use std::collections::BTreeMap;

/// Rounds after which what still moves is noise.
const MOST_ROUNDS: usize = 20;

/// For each node the smallest node of its community.
pub(crate) fn communities(count: usize, edges: &[(usize, usize, f64)]) -> Vec<usize> {
    let mut graph = Graph::new(count, edges);
    let mut labels: Vec<usize> = (0..count).collect();
    for _ in 0..MOST_ROUNDS {
        let moved = graph.settle();
        if moved.iter().enumerate().all(|(node, home)| node == *home) {
            break;
        }
        let (smaller, numbers) = graph.merged(&moved);
        for label in &mut labels {
            *label = numbers[&moved[*label]];
        }
        graph = smaller;
    }
    by_smallest(&labels)
}

fn by_smallest(labels: &[usize]) -> Vec<usize> {
    let mut first: BTreeMap<usize, usize> = BTreeMap::new();
    for (node, label) in labels.iter().enumerate() {
        first.entry(*label).or_insert(node);
    }
    labels.iter().map(|label| first[label]).collect()
}

#[derive(Debug)]
struct Graph {
    /// Neighbours with weights; without itself.
    near: Vec<BTreeMap<usize, f64>>,
    /// The weight of all that meets a node, what lies inside of it counted twice.
    degree: Vec<f64>,
    total: f64,
}

impl Graph {
    fn new(count: usize, edges: &[(usize, usize, f64)]) -> Graph {
        let mut graph =
            Graph { near: vec![BTreeMap::new(); count], degree: vec![0.0; count], total: 0.0 };
        for (one, other, weight) in edges {
            graph.add(*one, *other, *weight);
        }
        graph
    }

    fn add(&mut self, one: usize, other: usize, weight: f64) {
        self.degree[one] += weight;
        self.degree[other] += weight;
        self.total += 2.0 * weight;
        if one != other {
            *self.near[one].entry(other).or_default() += weight;
            *self.near[other].entry(one).or_default() += weight;
        }
    }

    /// Lets every node move until none gains by it; the home of each.
    fn settle(&self) -> Vec<usize> {
        let mut homes: Vec<usize> = (0..self.near.len()).collect();
        let mut weights = self.degree.clone();
        for _ in 0..MOST_ROUNDS {
            let mut moved = false;
            for node in 0..homes.len() {
                weights[homes[node]] -= self.degree[node];
                let best = self.best_home(node, &homes, &weights);
                moved |= best != homes[node];
                homes[node] = best;
                weights[best] += self.degree[node];
            }
            if !moved {
                break;
            }
        }
        homes
    }

    /// The home that a node gains most by; its own unless another is better by more than rounding.
    fn best_home(&self, node: usize, homes: &[usize], weights: &[f64]) -> usize {
        let mut ties: BTreeMap<usize, f64> = BTreeMap::new();
        for (near, weight) in &self.near[node] {
            *ties.entry(homes[*near]).or_default() += weight;
        }
        let gain = |home: usize| {
            let tie = ties.get(&home).copied().unwrap_or_default();
            tie - weights[home] * self.degree[node] / self.total.max(f64::MIN_POSITIVE)
        };
        let mut best = (gain(homes[node]), homes[node]);
        for home in ties.keys() {
            let gain = gain(*home);
            if gain > best.0 + 1e-9 {
                best = (gain, *home);
            }
        }
        best.1
    }

    /// The graph of communities, and the number of each in it.
    fn merged(&self, homes: &[usize]) -> (Graph, BTreeMap<usize, usize>) {
        let mut numbers = BTreeMap::new();
        for home in homes {
            let next = numbers.len();
            numbers.entry(*home).or_insert(next);
        }
        let mut graph = Graph::new(numbers.len(), &[]);
        for (node, near) in self.near.iter().enumerate() {
            let home = numbers[&homes[node]];
            let mut own = self.degree[node];
            for (other, weight) in near {
                own -= weight;
                if *other > node {
                    graph.add(home, numbers[&homes[*other]], *weight);
                }
            }
            // What lay inside of the node before.
            graph.add(home, home, own / 2.0);
        }
        (graph, numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn clique(nodes: std::ops::Range<usize>) -> Vec<(usize, usize, f64)> {
        let inner = nodes.clone();
        nodes
            .flat_map(|a| inner.clone().filter(move |b| *b > a).map(move |b| (a, b, 1.0)))
            .collect()
    }

    #[test]
    fn two_groups_with_a_bridge_are_two() {
        let mut edges = [clique(0..4), clique(4..9)].concat();
        edges.push((3, 4, 1.0));
        assert_eq!(communities(9, &edges), [0, 0, 0, 0, 4, 4, 4, 4, 4]);
    }

    #[test]
    fn who_knows_nobody_stands_alone() {
        assert_eq!(communities(3, &[(0, 2, 1.0)]), [0, 1, 0]);
        assert_eq!(communities(0, &[]), [0; 0]);
    }

    #[test]
    fn many_groups_on_a_ring_stay_apart() {
        let mut edges = Vec::new();
        for group in 0..10 {
            edges.extend(clique(group * 5..group * 5 + 5));
            edges.push((group * 5, (group * 5 + 7) % 50, 0.5));
        }
        let expected: Vec<usize> = (0..50).map(|node| node / 5 * 5).collect();
        assert_eq!(communities(50, &edges), expected);
    }

    proptest! {
        /// Nobody shares a community with someone out of reach, and edges may come in any order.
        #[test]
        fn communities_are_connected_and_do_not_depend_on_order(
            mut edges in prop::collection::vec((0..12_usize, 0..12_usize, 0.1..1.0_f64), 0..40)
        ) {
            edges.retain(|(a, b, _)| a != b);
            // Sums of weights must not depend on the order of adding them.
            edges.iter_mut().for_each(|edge| edge.2 = (edge.2 * 8.0).ceil());
            let labels = communities(12, &edges);
            let mut reach: Vec<usize> = (0..12).collect();
            for _ in 0..12 {
                for (a, b, _) in &edges {
                    let low = reach[*a].min(reach[*b]);
                    reach[*a] = low;
                    reach[*b] = low;
                }
            }
            for (node, label) in labels.iter().enumerate() {
                prop_assert_eq!(reach[node], reach[*label]);
                prop_assert_eq!(labels[*label], *label);
            }
            edges.reverse();
            prop_assert_eq!(labels, communities(12, &edges));
        }
    }
}
