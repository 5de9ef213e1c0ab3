//! How the places are shared out: which kinds of memory help with which kind of task.

use mnemic_model::Kind;
use mnemic_text::task::TaskType;

/// A group of kinds that share their places.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Collection {
    Episodic,
    Semantic,
    Skills,
    AntiPatterns,
}

impl Collection {
    pub const ALL: [Collection; 4] =
        [Collection::Episodic, Collection::Semantic, Collection::Skills, Collection::AntiPatterns];

    pub fn of(kind: Kind) -> Collection {
        match kind {
            Kind::Episode | Kind::Handoff | Kind::Ledger => Collection::Episodic,
            Kind::Skill => Collection::Skills,
            Kind::AntiPattern => Collection::AntiPatterns,
            _ => Collection::Semantic,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Collection::Episodic => "episodic",
            Collection::Semantic => "semantic",
            Collection::Skills => "skills",
            Collection::AntiPatterns => "anti-patterns",
        }
    }

    /// Places of five for a weight: `5·w/0.5`, for skills `3·w/0.3`, for anti-patterns `5·w/0.4`.
    fn places(self, weight: f64) -> f64 {
        match self {
            Collection::Episodic | Collection::Semantic => 5.0 * weight / 0.5,
            Collection::Skills => 3.0 * weight / 0.3,
            Collection::AntiPatterns => 5.0 * weight / 0.4,
        }
    }
}

/// Weights of the collections, in the order of [`Collection::ALL`].
#[derive(Debug, Clone, PartialEq)]
pub struct Strategy {
    /// `None` when nothing told what the caller is doing.
    pub task: Option<TaskType>,
    pub weights: [f64; 4],
}

impl Strategy {
    pub fn for_task(task: Option<TaskType>) -> Strategy {
        let weights = match task {
            Some(TaskType::Exploration) => [0.60, 0.30, 0.10, 0.0],
            Some(TaskType::Implementation) => [0.15, 0.50, 0.35, 0.0],
            Some(TaskType::Debugging) => [0.40, 0.20, 0.0, 0.40],
            Some(TaskType::Review) => [0.30, 0.50, 0.0, 0.20],
            Some(TaskType::Refactoring) => [0.25, 0.45, 0.30, 0.0],
            None => [0.3, 0.5, 0.2, 0.0],
        };
        Strategy { task, weights }
    }

    /// How many of `limit` a collection may take before the others have had their choice.
    pub fn places(&self, collection: Collection, limit: usize) -> usize {
        let weight = self.weights[collection as usize];
        // 3·0.35/0.3 is three and a half, also where floating point has a little less.
        (collection.places(weight) * limit as f64 / 5.0 + 1e-9).round() as usize
    }

    /// Chooses `limit` of these, best first: the best whatever it is, each collection up to its
    /// places, and what they leave empty by score alone. The answer keeps the order of the scores.
    pub fn choose(&self, ranked: &[Kind], limit: usize) -> Vec<usize> {
        let mut left: Vec<usize> =
            Collection::ALL.iter().map(|collection| self.places(*collection, limit)).collect();
        let mut chosen = Vec::new();
        for (index, kind) in ranked.iter().enumerate() {
            let places = &mut left[Collection::of(*kind) as usize];
            if (*places > 0 || index == 0) && chosen.len() < limit {
                *places = places.saturating_sub(1);
                chosen.push(index);
            }
        }
        for index in 0..ranked.len() {
            if chosen.len() < limit && !chosen.contains(&index) {
                chosen.push(index);
            }
        }
        chosen.sort_unstable();
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_scale_with_weights() {
        let debugging = Strategy::for_task(Some(TaskType::Debugging));
        let places =
            |strategy: &Strategy| Collection::ALL.map(|collection| strategy.places(collection, 5));
        assert_eq!(places(&debugging), [4, 2, 0, 5]);
        assert_eq!(places(&Strategy::for_task(None)), [3, 5, 2, 0]);
        assert_eq!(places(&Strategy::for_task(Some(TaskType::Implementation))), [2, 5, 4, 0]);
        assert_eq!(debugging.places(Collection::AntiPatterns, 10), 10);
    }

    #[test]
    fn a_collection_alone_takes_all_places() {
        let strategy = Strategy::for_task(Some(TaskType::Implementation));
        assert_eq!(strategy.choose(&[Kind::Episode; 8], 5), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn fewer_places_never_cost_the_best_its_own() {
        for task in [None, Some(TaskType::Implementation), Some(TaskType::Review)] {
            let strategy = Strategy::for_task(task);
            let ranked = [Kind::AntiPattern, Kind::Fact, Kind::Episode, Kind::Episode];
            for limit in 1..6 {
                assert_eq!(strategy.choose(&ranked, limit)[0], 0, "{limit} of {task:?}");
            }
        }
    }

    #[test]
    fn the_crowd_leaves_room_for_the_few() {
        let strategy = Strategy::for_task(Some(TaskType::Implementation));
        let mut ranked = vec![Kind::Episode; 6];
        ranked.extend([Kind::Fact, Kind::Skill, Kind::AntiPattern]);
        // Two episodes by their places, fact and skill by theirs, one more episode by score.
        assert_eq!(strategy.choose(&ranked, 5), [0, 1, 2, 6, 7]);
    }
}
