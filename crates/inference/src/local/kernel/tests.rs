//! All paths against plain loops, and against each other to the last bit.

use proptest::prelude::*;

use super::*;
use crate::local::packed::{BLOCK, GROUP, HEAD, code_place, scale_place};
use crate::local::tiny::Dice;

/// A matrix in the layout of the kernels, with its numbers chosen by dice.
struct Weights {
    inputs: usize,
    outputs: usize,
    codes: Vec<u8>,
    scales: Vec<f32>,
    bias: Vec<f32>,
}

impl Weights {
    fn new(inputs: usize, outputs: usize, dice: &mut Dice) -> Weights {
        // Extremes more often than not: sums must not overflow anywhere.
        let code =
            |dice: &mut Dice| [1, 255, (dice.roll() % 255) as u8 + 1][dice.roll() as usize % 3];
        Weights {
            inputs,
            outputs,
            codes: (0..inputs * outputs).map(|_| code(dice)).collect(),
            scales: (0..inputs / GROUP * outputs).map(|_| dice.float()).collect(),
            bias: (0..outputs).map(|_| dice.float()).collect(),
        }
    }

    fn linear(&self) -> Linear<'_> {
        Linear {
            inputs: self.inputs,
            outputs: self.outputs,
            codes: &self.codes,
            scales: &self.scales,
            bias: &self.bias,
        }
    }

    /// One output of one row: whole numbers summed one by one, groups in their order.
    fn output(&self, input: &Quantised, row: usize, output: usize) -> f32 {
        let groups = self.inputs / GROUP;
        let mut total = 0.0;
        for group in 0..groups {
            let mut sum = 0_i32;
            for at in group * GROUP..(group + 1) * GROUP {
                let weight = i32::from(self.codes[code_place(self.inputs, output, at)]) - 128;
                sum += weight * i32::from(input.codes[row * self.inputs + at]);
            }
            let scale = self.scales[scale_place(groups, output, group)];
            total += sum as f32 * (scale * input.scales[row * groups + group]);
        }
        total + self.bias[output]
    }
}

fn floats(count: usize, dice: &mut Dice) -> Vec<f32> {
    (0..count).map(|_| 3.0 * dice.float()).collect()
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

/// Runs the same on every path and expects the same of all.
fn agree(run: impl Fn(Kernel) -> Vec<f32>) -> Vec<f32> {
    let first = run(Kernel(Path::Portable));
    for kernel in Kernel::all() {
        assert_eq!(bits(&run(kernel)), bits(&first), "{kernel:?}");
    }
    first
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn products_are_exact(
        rows in 1..70_usize, groups in 1..4_usize, blocks in 1..6_usize, seed: u64,
    ) {
        let mut dice = Dice::new(seed);
        let weights = Weights::new(groups * GROUP, blocks * BLOCK, &mut dice);
        let numbers = floats(rows * weights.inputs, &mut dice);
        let mut input = Quantised::default();
        Kernel(Path::Portable).quantise(&numbers, weights.inputs, &mut input);
        let output = agree(|kernel| {
            let mut output = vec![0.0; rows * weights.outputs];
            kernel.multiply(&input, &weights.linear(), &mut output);
            output
        });
        for (at, &found) in output.iter().enumerate() {
            let expected = weights.output(&input, at / weights.outputs, at % weights.outputs);
            prop_assert_eq!(found.to_bits(), expected.to_bits(), "{}", at);
        }
    }

    #[test]
    fn rounding_keeps_within_half_a_step(rows in 1..5_usize, groups in 1..4_usize, seed: u64) {
        let mut dice = Dice::new(seed);
        let width = groups * GROUP;
        let numbers = floats(rows * width, &mut dice);
        let worth = agree(|kernel| {
            let mut input = Quantised::default();
            kernel.quantise(&numbers, width, &mut input);
            let codes = input.codes.chunks(GROUP);
            for (codes, correction) in codes.zip(&input.corrections) {
                assert_eq!(-128 * codes.iter().map(|&code| i32::from(code)).sum::<i32>(), *correction);
            }
            let worth = |(at, &code): (usize, &i8)| f32::from(code) * input.scales[at / GROUP];
            input.codes.iter().enumerate().map(worth).collect()
        });
        for (number, worth) in numbers.iter().zip(worth) {
            prop_assert!((number - worth).abs() <= 3.0 / 127.0 * 0.501, "{number} became {worth}");
        }
    }

    #[test]
    fn attention_is_a_weighted_mean(
        length in 1..80_usize,
        asking in 1..80_usize,
        cuts in prop::collection::vec((0..80_usize, 1..80_usize), 0..5),
        seed: u64,
    ) {
        let mut dice = Dice::new(seed);
        let width = 2 * HEAD;
        let asking = asking.min(length);
        let cut = |(start, long): (usize, usize)| start % length..(start % length + long).min(length);
        let parts: Vec<_> = cuts.into_iter().map(cut).collect();
        // A row before the text, which must not be looked at.
        let rows = floats((length + parts.len() + 1) * 3 * width, &mut dice);
        let heads = Heads { rows: &rows, width };
        let taken = agree(|kernel| {
            let mut output = vec![0.0; (asking + parts.len()) * width];
            let span = Span { first: 1, length, asking, parts: &parts };
            kernel.attend(&heads, span, &mut output);
            output
        });
        let number = |row: usize, which: usize, at: usize| &rows[((row + 1) * 3 + which) * width + at..][..HEAD];
        for (nth, &found) in taken.iter().enumerate() {
            let (place, head) = (nth / width, nth % width / HEAD * HEAD);
            let (row, seen): (usize, Vec<usize>) = match place.checked_sub(asking) {
                None => (place, (0..length).collect()),
                Some(part) => {
                    let end = Some(length - 1).filter(|end| !parts[part].contains(end));
                    (length + part, parts[part].clone().chain(end).chain([length + part]).collect())
                }
            };
            let query = number(row, 0, head);
            let raised = |other: usize| {
                let dot: f32 = query.iter().zip(number(other, 1, head)).map(|(a, b)| a * b).sum();
                f64::from(dot / (HEAD as f32).sqrt()).exp()
            };
            let all: f64 = seen.iter().map(|other| raised(*other)).sum();
            let value = |other: usize| f64::from(number(other, 2, head)[nth % HEAD]);
            let expected: f64 =
                seen.iter().map(|other| raised(*other) / all * value(*other)).sum();
            prop_assert!((f64::from(found) - expected).abs() < 1e-4, "{found} is not {expected}");
        }
    }
}

#[test]
fn gelu_and_norm_are_the_same_on_all_paths() {
    let mut dice = Dice::new(3);
    let (numbers, added) = (floats(5 * 192, &mut dice), floats(5 * 192, &mut dice));
    let norm = floats(2 * 192, &mut dice);
    agree(|kernel| {
        let (mut rows, mut codes) = (numbers.clone(), Quantised::default());
        kernel.gelu_and_quantise(&mut rows, 192, &mut codes);
        rows.extend(codes.scales);
        rows.extend(codes.codes.iter().map(|&code| f32::from(code)));
        rows
    });
    let normed = agree(|kernel| {
        let mut rows = numbers.clone();
        kernel.add_and_norm(&mut rows, &added, &norm, 1e-12);
        rows
    });
    let plain = |at: usize| (normed[at] - norm[192 + at % 192]) / norm[at % 192];
    let mean: f32 = (0..192).filter(|&at| norm[at] != 0.0).map(plain).sum::<f32>() / 192.0;
    assert!(mean.abs() < 0.1, "{mean}");
}

#[test]
fn zeros_and_the_very_small_stay_zero() {
    for small in [0.0, 1e-38, -1e-33] {
        let mut codes = Quantised::default();
        Kernel::best().quantise(&[small; GROUP], GROUP, &mut codes);
        assert_eq!(codes.codes[..], [0; GROUP], "{small}");
    }
}
