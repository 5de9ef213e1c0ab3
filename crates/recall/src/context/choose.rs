//! Which memories of one tier are shown and how much of each: the most worth for the tokens.

/// One way to show a memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Choice {
    pub(super) tokens: usize,
    /// What it is worth shown so; more than every cheaper choice of the same memory.
    pub(super) value: f64,
}

/// What is chosen of each memory, by its place among its choices.
pub(super) type Chosen = Vec<Option<usize>>;

/// At most `most` memories within `room` tokens. Memories come best first, their choices cheapest
/// first. Two plans are made, and the one that is worth more is taken: by score, which keeps the
/// best whole, and by density, which shows more for the same tokens.
pub(super) fn choose(memories: &[Vec<Choice>], room: usize, most: usize) -> Chosen {
    let by_score = by_score(memories, room, most);
    let by_density = by_density(memories, room, most);
    match value(memories, &by_density) > value(memories, &by_score) {
        true => by_density,
        false => by_score,
    }
}

pub(super) fn value(memories: &[Vec<Choice>], chosen: &Chosen) -> f64 {
    let pairs = memories.iter().zip(chosen);
    pairs.filter_map(|(choices, at)| at.map(|at| choices[at].value)).sum()
}

/// Best first: each as full as its share of what is left allows, or as short as need be; then what
/// remains makes the first ones longer.
fn by_score(memories: &[Vec<Choice>], room: usize, most: usize) -> Chosen {
    let worth = |choices: &Vec<Choice>| choices.last().map_or(0.0, |choice| choice.value);
    let mut chosen: Chosen = vec![None; memories.len()];
    let mut left = room;
    let mut rest: f64 = memories.iter().take(most).map(worth).sum();
    let mut places = most;
    for (index, choices) in memories.iter().enumerate() {
        if places == 0 {
            break;
        }
        let share = (left as f64 * worth(choices) / rest.max(f64::MIN_POSITIVE)) as usize;
        let fits = |most: usize| choices.iter().rposition(|choice| choice.tokens <= most);
        let cheapest = choices.first().filter(|choice| choice.tokens <= left).map(|_| 0);
        chosen[index] = fits(share.min(left)).or(cheapest);
        if let Some(at) = chosen[index] {
            left -= choices[at].tokens;
            places -= 1;
        }
        rest -= worth(choices);
    }
    for (choices, at) in memories.iter().zip(&mut chosen) {
        let Some(at) = at else { continue };
        let own = left + choices[*at].tokens;
        *at = choices.iter().rposition(|choice| choice.tokens <= own).unwrap_or(*at);
        left = own - choices[*at].tokens;
    }
    chosen
}

/// Always the step that gains most for each token: a memory more, or one shown at more length.
fn by_density(memories: &[Vec<Choice>], room: usize, most: usize) -> Chosen {
    let mut chosen: Chosen = vec![None; memories.len()];
    let mut left = room;
    let mut places = most;
    while let Some((index, to)) = densest(memories, &chosen, left, places) {
        let before = chosen[index].map_or(0, |at| memories[index][at].tokens);
        left = left + before - memories[index][to].tokens;
        places -= usize::from(chosen[index].is_none());
        chosen[index] = Some(to);
    }
    chosen
}

/// The best step there is; of equals the one of the better memory, then the smaller.
fn densest(
    memories: &[Vec<Choice>],
    chosen: &Chosen,
    left: usize,
    places: usize,
) -> Option<(usize, usize)> {
    let mut best = None;
    let mut best_density = 0.0;
    for (index, choices) in memories.iter().enumerate() {
        let (from, now) = match chosen[index] {
            Some(at) => (at + 1, choices[at]),
            None if places > 0 => (0, Choice { tokens: 0, value: 0.0 }),
            None => continue,
        };
        for (at, choice) in choices.iter().enumerate().skip(from) {
            let cost = choice.tokens.saturating_sub(now.tokens);
            let density = (choice.value - now.value) / (cost.max(1) as f64);
            if cost <= left && density > best_density {
                (best, best_density) = (Some((index, at)), density);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::level::kept;
    use proptest::prelude::*;

    fn choices(pairs: &[(usize, f64)]) -> Vec<Choice> {
        pairs.iter().map(|&(tokens, value)| Choice { tokens, value }).collect()
    }

    #[test]
    fn one_long_text_does_not_push_out_many_short_ones() {
        let mut memories = vec![choices(&[(95, 1.0)])];
        memories.extend(vec![choices(&[(10, 0.6)]); 9]);
        let chosen = choose(&memories, 100, 20);
        assert_eq!(chosen[0], None);
        assert_eq!(chosen.iter().flatten().count(), 9);
    }

    #[test]
    fn texts_are_shortened_before_memories_are_left_out() {
        let memories = vec![choices(&[(20, 0.5), (40, 0.8), (100, 1.0)]); 3];
        assert_eq!(choose(&memories, 300, 9), [Some(2), Some(2), Some(2)]);
        assert_eq!(choose(&memories, 120, 9), [Some(1), Some(1), Some(1)]);
        assert_eq!(choose(&memories, 60, 9), [Some(0), Some(0), Some(0)]);
        assert_eq!(choose(&memories, 300, 1), [Some(2), None, None]);
        assert_eq!(choose(&memories, 10, 9), [None, None, None]);
    }

    fn tokens(memories: &[Vec<Choice>], chosen: &Chosen) -> usize {
        let pairs = memories.iter().zip(chosen);
        pairs.filter_map(|(choices, at)| at.map(|at| choices[at].tokens)).sum()
    }

    /// Every plan there is.
    fn optimum(memories: &[Vec<Choice>], room: usize, most: usize) -> f64 {
        let Some((first, rest)) = memories.split_first() else { return 0.0 };
        let mut best = optimum(rest, room, most);
        if most > 0 {
            for choice in first.iter().filter(|choice| choice.tokens <= room) {
                best = best.max(choice.value + optimum(rest, room - choice.tokens, most - 1));
            }
        }
        best
    }

    fn memory() -> impl Strategy<Value = Vec<Choice>> {
        (1..30usize, 1..40usize, 1..120usize, 1..100u32).prop_map(|(a, b, c, worth)| {
            let worth = f64::from(worth) / 100.0;
            choices(&[(a, worth * 0.55), (a + b, worth * 0.8), (a + b + c, worth)])
        })
    }

    proptest! {
        #[test]
        fn plans_keep_to_their_bounds_and_near_the_best_there_is(
            mut memories in prop::collection::vec(memory(), 0..6),
            room in 0..300usize,
            most in 0..6usize,
        ) {
            memories.sort_by(|a, b| b[2].value.total_cmp(&a[2].value));
            let chosen = choose(&memories, room, most);
            prop_assert!(tokens(&memories, &chosen) <= room);
            prop_assert!(chosen.iter().flatten().count() <= most);
            let best = optimum(&memories, room, most);
            prop_assert!(value(&memories, &chosen) >= 0.5 * best, "{} of {best}",
                value(&memories, &chosen));
        }
    }

    /// Numbers that look random and are the same every time.
    fn instances(count: usize) -> Vec<(Vec<Vec<Choice>>, usize)> {
        let mut state = 7_u64;
        let mut number = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let mut instance = || {
            let mut memories: Vec<Vec<Choice>> = (0..8)
                .map(|_| {
                    let worth = 0.35 + number(65) as f64 / 100.0;
                    let (a, b, c) = (12 + number(8), 5 + number(40), number(200));
                    let whole = (a + b + c) as usize;
                    // What stands around a text costs as much whatever its length.
                    let tokens = [a, a + b, a + b + c].map(|n| n as usize + 20);
                    choices(&[
                        (tokens[0], worth * kept(a as usize, whole)),
                        (tokens[1] + 1, worth * kept((a + b) as usize, whole)),
                        (tokens[2] + 2, worth),
                    ])
                })
                .collect();
            memories.sort_by(|a, b| b[2].value.total_cmp(&a[2].value));
            (memories, 60 + number(400) as usize)
        };
        (0..count).map(|_| instance()).collect()
    }

    /// Why two plans are made: see the figures with `--nocapture`.
    #[test]
    fn both_plans_together_come_nearest_to_the_best_there_is() {
        let instances = instances(200);
        let mean = |plan: &dyn Fn(&[Vec<Choice>], usize) -> Chosen| {
            let shares = instances.iter().map(|(memories, room)| {
                value(memories, &plan(memories, *room)) / optimum(memories, *room, 8)
            });
            shares.sum::<f64>() / instances.len() as f64
        };
        let score = mean(&|memories, room| by_score(memories, room, 8));
        let density = mean(&|memories, room| by_density(memories, room, 8));
        let both = mean(&|memories, room| choose(memories, room, 8));
        println!("of the optimum: by score {score:.3}, by density {density:.3}, both {both:.3}");
        assert!(both >= score && both >= density && both > 0.95, "{score} {density} {both}");
    }
}
