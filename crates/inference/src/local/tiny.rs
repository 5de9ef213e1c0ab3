//! A model of no sense and hardly any size, so that tests need no weights.

use std::path::{Path, PathBuf};

use super::packed::{self, FINE, Place, Shape};
use super::source::{Layer, Matrix, Source, Vocabulary};
use super::tokens::{Merge, merge_slots};

/// Numbers that look random and are the same every time.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub(crate) fn roll(&mut self) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as u32
    }

    /// Between -1 and 1.
    pub(crate) fn float(&mut self) -> f32 {
        (self.roll() % 2_001) as f32 / 1_000.0 - 1.0
    }

    fn floats(&mut self, count: usize, middle: f32, spread: f32) -> Vec<f32> {
        (0..count).map(|_| middle + spread * self.float()).collect()
    }

    pub(crate) fn matrix(&mut self, outputs: usize, inputs: usize) -> Matrix {
        let codes = (0..outputs * inputs).map(|_| (self.roll() % 255) as i16 - 127);
        let codes = codes.map(|code| code as i8).collect();
        let scales = self.floats(outputs * inputs / FINE, 0.002, 0.001);
        Matrix::new(inputs, codes, scales).unwrap()
    }

    fn norm(&mut self, width: usize) -> Vec<f32> {
        let mut norm = self.floats(width, 1.0, 0.2);
        norm.extend(self.floats(width, 0.0, 0.2));
        norm
    }
}

pub(crate) fn source() -> Source {
    let merges = vec![
        Merge { left: 97, right: 98, joined: 256 },
        Merge { left: 256, right: 99, joined: 257 },
        Merge { left: 32, right: 257, joined: 258 },
    ];
    let shape = Shape {
        hidden: 192,
        layers: 2,
        inner: 384,
        vocabulary: 261,
        window: 40,
        merge_slots: merge_slots(merges.len()),
        start: 259,
        end: 260,
        epsilon: 1e-12,
    };
    let mut dice = Dice::new(7);
    let layer = |dice: &mut Dice| Layer {
        matrices: Place::ALL.map(|place| {
            let (inputs, outputs) = place.widths(&shape);
            dice.matrix(outputs, inputs)
        }),
        bias: Place::ALL.map(|place| dice.floats(place.widths(&shape).1, 0.0, 0.1)),
        attention_norm: dice.norm(shape.hidden),
        last_norm: dice.norm(shape.hidden),
    };
    Source {
        name: "tiny".to_owned(),
        shape,
        vocabulary: Vocabulary {
            first: std::array::from_fn(|byte| byte as u16),
            merges,
            start: shape.start,
            end: shape.end,
        },
        tokens: dice.matrix(shape.vocabulary, shape.hidden),
        positions: dice.floats(shape.window * shape.hidden, 0.0, 0.1),
        norm: dice.norm(shape.hidden),
        layers: (0..shape.layers).map(|_| layer(&mut dice)).collect(),
    }
}

/// The tiny model as a packed file in the folder.
pub(crate) fn file(folder: &Path) -> PathBuf {
    let path = folder.join("tiny.mnw");
    packed::write(&source(), &path).unwrap();
    path
}
