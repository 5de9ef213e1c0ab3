//! The same model in plain f32, slow and easy to follow: what the kernels are measured against.

use super::packed::{FINE, GROUP, HEAD, Packed, Place, Section, code_place, scale_place};
use super::source::{Layer, Source};
use super::tokens::Tokens;
use crate::Vector;

/// A model with its weights as numbers.
#[derive(Debug)]
pub(crate) struct Reference<'a> {
    packed: &'a Packed,
    /// By layer and place: one row an output.
    weights: Vec<[Vec<f32>; 4]>,
}

type Rows = Vec<Vec<f32>>;

impl<'a> Reference<'a> {
    pub(crate) fn new(packed: &'a Packed) -> Reference<'a> {
        let layer = |layer| Place::ALL.map(|place| unpacked(packed, layer, place));
        Reference { packed, weights: (0..packed.shape().layers).map(layer).collect() }
    }

    /// With the weights of the download, which packing has rounded.
    pub(crate) fn of_source(packed: &'a Packed, source: &Source) -> Reference<'a> {
        let layer = |layer: &Layer| Place::ALL.map(|place| layer.matrix(place).numbers());
        Reference { packed, weights: source.layers.iter().map(layer).collect() }
    }

    /// The vector of a text, followed by those of its parts.
    pub(crate) fn encode(&self, text: &Tokens) -> Vec<Vector> {
        let mut stream = self.begin(text);
        for layer in 0..self.packed.shape().layers {
            let heads = self.apply(layer, Place::AttentionIn, &stream);
            let taken = self.attention(text, &heads);
            let added = self.apply(layer, Place::AttentionOut, &taken);
            stream = self.norm(&stream, &added, Section::AttentionNorm(layer));
            let mut middle = self.apply(layer, Place::Widen, &stream);
            middle.iter_mut().flatten().for_each(|x| *x = gelu(*x));
            let added = self.apply(layer, Place::Narrow, &middle);
            stream = self.norm(&stream, &added, Section::LastNorm(layer));
        }
        let parts = stream.split_off(text.ids.len());
        let starts = stream.into_iter().take(1).chain(parts);
        starts.map(|row| crate::embedder::normalised(row).unwrap_or_default()).collect()
    }

    fn begin(&self, text: &Tokens) -> Rows {
        let width = self.packed.shape().hidden;
        let codes: &[i8] = self.packed.numbers(Section::TokenCodes);
        let scales: &[f32] = self.packed.numbers(Section::TokenScales);
        let positions: &[f32] = self.packed.numbers(Section::Positions);
        let token = |id: u16| -> Vec<f32> {
            let at = usize::from(id) * width;
            (at..at + width).map(|at| f32::from(codes[at]) * scales[at / FINE]).collect()
        };
        let position = |at: usize| positions[at * width..][..width].to_vec();
        let starts = text.parts.iter().map(|_| (self.packed.shape().start, 0));
        let rows = text.ids.iter().copied().zip(0..).chain(starts);
        let (tokens, positions): (Rows, Rows) =
            rows.map(|(id, at)| (token(id), position(at))).unzip();
        self.norm(&tokens, &positions, Section::FirstNorm)
    }

    fn apply(&self, layer: usize, place: Place, rows: &Rows) -> Rows {
        let (inputs, _) = place.widths(self.packed.shape());
        let weights = &self.weights[layer][place as usize];
        let bias: &[f32] = self.packed.numbers(Section::Bias(layer, place));
        let output = |row: &Vec<f32>| {
            let outputs = weights.chunks_exact(inputs).zip(bias);
            outputs.map(|(weights, bias)| dot(row, weights) + bias).collect()
        };
        rows.iter().map(output).collect()
    }

    fn attention(&self, text: &Tokens, heads: &Rows) -> Rows {
        let length = text.ids.len();
        let sees = |row: usize, other: usize| match row.checked_sub(length) {
            None => other < length,
            Some(part) => text.parts[part].contains(&other) || other == length - 1 || other == row,
        };
        let width = self.packed.shape().hidden;
        let mut taken = vec![vec![0.0; width]; heads.len()];
        for head in 0..self.packed.shape().heads() {
            let part = |row: &'_ Vec<f32>, which: usize| -> Vec<f32> {
                row[which * width + head * HEAD..][..HEAD].to_vec()
            };
            let keys: Rows = heads.iter().map(|row| part(row, 1)).collect();
            for (row, taken) in taken.iter_mut().enumerate() {
                let query = part(&heads[row], 0);
                let score = |(other, key): (usize, &Vec<f32>)| match sees(row, other) {
                    true => dot(&query, key) / (HEAD as f32).sqrt(),
                    false => f32::NEG_INFINITY,
                };
                let shares = softmax(keys.iter().enumerate().map(score).collect());
                for (other, share) in heads.iter().zip(shares) {
                    for (nth, value) in part(other, 2).into_iter().enumerate() {
                        taken[head * HEAD + nth] += share * value;
                    }
                }
            }
        }
        taken
    }

    fn norm(&self, rows: &Rows, added: &Rows, section: Section) -> Rows {
        let norm: &[f32] = self.packed.numbers(section);
        let (gains, offsets) = norm.split_at(norm.len() / 2);
        let epsilon = f64::from(self.packed.shape().epsilon);
        let one = |(row, added): (&Vec<f32>, &Vec<f32>)| {
            let sum: Vec<f64> =
                row.iter().zip(added).map(|(a, b)| f64::from(*a) + f64::from(*b)).collect();
            let count = sum.len() as f64;
            let mean = sum.iter().sum::<f64>() / count;
            let variance = sum.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
            let stretch = |(x, (gain, offset)): (&f64, (&f32, &f32))| {
                (x - mean) as f32 / (variance + epsilon).sqrt() as f32 * gain + offset
            };
            sum.iter().zip(gains.iter().zip(offsets)).map(stretch).collect()
        };
        rows.iter().zip(added).map(one).collect()
    }
}

fn unpacked(packed: &Packed, layer: usize, place: Place) -> Vec<f32> {
    let linear = packed.linear(layer, place);
    let (inputs, groups) = (linear.inputs, linear.groups());
    let weight = |at: usize| {
        let (output, input) = (at / inputs, at % inputs);
        let code = f32::from(linear.codes[code_place(inputs, output, input)]) - 128.0;
        code * linear.scales[scale_place(groups, output, input / GROUP)]
    };
    (0..inputs * linear.outputs).map(weight).collect()
}

/// Eight sums abreast: the only concession to speed, as thousands of texts are measured.
fn dot(one: &[f32], other: &[f32]) -> f32 {
    let mut sums = [0.0; 8];
    for (one, other) in one.as_chunks::<8>().0.iter().zip(other.as_chunks::<8>().0) {
        for lane in 0..8 {
            sums[lane] += one[lane] * other[lane];
        }
    }
    sums.iter().sum()
}

fn softmax(scores: Vec<f32>) -> Vec<f32> {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let raised: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
    let sum: f32 = raised.iter().sum();
    raised.iter().map(|share| share / sum).collect()
}

/// With the error function as a series, which `f64` carries far enough: beyond 6 it is ±1.
fn gelu(x: f32) -> f32 {
    let x = f64::from(x);
    if x.abs() > 6.0 {
        return x.max(0.0) as f32;
    }
    let z = x / std::f64::consts::SQRT_2;
    let mut term = z;
    let mut sum = z;
    for n in 1..120 {
        term *= -z * z / f64::from(n);
        let add = term / f64::from(2 * n + 1);
        sum += add;
        if add.abs() < 1e-17 {
            break;
        }
    }
    let erf = sum * 2.0 / std::f64::consts::PI.sqrt();
    (0.5 * x * (1.0 + erf)) as f32
}
