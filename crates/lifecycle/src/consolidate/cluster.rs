//! Leader clustering: each text joins the first one that it is like, or leads a cluster itself.

use super::blocks::Blocks;
use super::terms::Terms;
use mnemic_text::stems::is_stop_word;
use std::borrow::Borrow;
use std::collections::BTreeMap;

/// Shares of terms from which on two texts are alike: by themselves, and where meaning agrees.
const ALIKE: f32 = 0.5;
const PERHAPS: f32 = 0.25;

/// The share from which on words alone are enough.
pub(super) const BY_WORDS: f32 = ALIKE;

/// From this cosine on meaning agrees.
const SAME_MEANING: f32 = 0.8;

/// Whether two texts that share so much are alike; meaning is asked only where words are not enough.
pub fn is_alike(shared: f32, meaning: impl FnOnce() -> Option<f32>) -> bool {
    shared >= ALIKE || shared >= PERHAPS && meaning().is_some_and(|cosine| cosine >= SAME_MEANING)
}

/// The cosine of two texts by their numbers, where both have vectors.
pub type Meaning<'a> = &'a dyn Fn(usize, usize) -> Option<f32>;

/// Clusters of the numbers of these texts, each beginning with its leader. Texts come in the order
/// in which they happened, so that the same past always gives the same leaders.
pub fn clusters(texts: &[impl Borrow<Terms>], meaning: Option<Meaning<'_>>) -> Vec<Vec<usize>> {
    // Who shares less is like nobody.
    let least = if meaning.is_some() { PERHAPS } else { ALIKE };
    let mut clusters: Vec<Vec<usize>> = Vec::new();
    let mut leading = Blocks::default();
    for (number, terms) in texts.iter().map(Borrow::borrow).enumerate() {
        let nearest = || {
            let mut best: Option<(f32, usize)> = None;
            for cluster in leading.near(terms, least) {
                let share = leading.shared(cluster, terms);
                let meaning = || meaning?(clusters[cluster][0], number);
                if best.is_none_or(|(most, _)| share > most) && is_alike(share, meaning) {
                    best = Some((share, cluster));
                }
            }
            best.map(|(_, cluster)| cluster)
        };
        // Nobody is more alike than who says the same, unless both say nothing.
        let same = leading.same(terms).filter(|_| !terms.is_empty());
        match same.or_else(nearest) {
            Some(cluster) => clusters[cluster].push(number),
            None => {
                leading.add(terms);
                clusters.push(vec![number]);
            }
        }
    }
    clusters
}

/// How often each word occurs in all texts.
#[derive(Debug, Default)]
pub struct Everywhere {
    counts: BTreeMap<String, usize>,
    average: f64,
}

impl Everywhere {
    pub fn of(words: impl Iterator<Item = String>) -> Everywhere {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        words.for_each(|word| *counts.entry(word).or_default() += 1);
        let average = counts.values().sum::<usize>() as f64 / counts.len().max(1) as f64;
        Everywhere { counts, average }
    }
}

/// The words that tell this cluster from the rest, the most telling first: how often they occur in
/// it, weighed down by how often they occur at all.
pub fn label(cluster: &[&str], everywhere: &Everywhere, words: usize) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for word in cluster.iter().flat_map(|text| plain_words(text)) {
        *counts.entry(word).or_default() += 1;
    }
    let weight = |word: &str, count: usize| {
        let total = everywhere.counts.get(word).copied().unwrap_or_default().max(count);
        count as f64 * (1.0 + everywhere.average / total.max(1) as f64).ln()
    };
    let mut ranked: Vec<(f64, String)> =
        counts.into_iter().map(|(word, count)| (weight(&word, count), word)).collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    let best: Vec<String> = ranked.into_iter().take(words).map(|(_, word)| word).collect();
    best.join(" ")
}

/// The words of a text that say something, as they are written but in lower case.
pub fn plain_words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric() && !matches!(c, '_' | '-' | '.' | '/'));
    let words = words.map(|word| word.trim_matches(['.', '-', '/']).to_lowercase());
    words.filter(|word| word.chars().count() > 2 && !is_stop_word(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(text: &str) -> Terms {
        plain_words(text).into_iter().collect()
    }

    #[test]
    fn like_joins_like() {
        let texts = [
            set("fix flaky login test"),
            set("write release notes"),
            set("fix the flaky login tests again"),
            set("fix flaky login test in CI"),
        ];
        assert_eq!(clusters(&texts, None), [vec![0, 2, 3], vec![1]]);
        let never = |_: usize, _: usize| Some(0.0);
        assert_eq!(clusters(&texts[..2], Some(&never)), [vec![0], vec![1]]);
    }

    #[test]
    fn meaning_helps_where_words_are_not_enough() {
        let texts = [set("fix flaky login test"), set("login test breaks randomly")];
        assert_eq!(clusters(&texts, None).len(), 2);
        assert_eq!(clusters(&texts, Some(&|_, _| Some(0.85))).len(), 1);
        assert_eq!(clusters(&texts, Some(&|_, _| Some(0.5))).len(), 2);
    }

    #[test]
    fn a_label_tells_the_cluster_from_the_rest() {
        let everywhere = [("fix", 40), ("login", 3), ("flaky", 3), ("test", 30)];
        let said = everywhere.iter().flat_map(|(word, count)| vec![(*word).to_owned(); *count]);
        let everywhere = Everywhere::of(said);
        let label = label(&["fix flaky login test", "fix login test, flaky"], &everywhere, 2);
        assert_eq!(label, "flaky login");
    }

    proptest! {
        #[test]
        fn everything_is_in_one_cluster(
            texts in prop::collection::vec(prop::collection::btree_set("[a-e]", 0..4), 0..20)
        ) {
            let texts: Vec<Terms> = texts.iter().map(|words| words.iter().collect()).collect();
            let found = clusters(&texts, None);
            let mut all: Vec<usize> = found.concat();
            all.sort_unstable();
            prop_assert_eq!(all, (0..texts.len()).collect::<Vec<_>>());
            for cluster in found {
                for member in &cluster[1..] {
                    prop_assert!(texts[cluster[0]].shared(&texts[*member]) >= 0.5);
                }
            }
        }
    }
}
