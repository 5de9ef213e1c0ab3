//! The measures of a model, from which the place of every number in the packed file follows.

use super::Section;

/// Inputs that share one scale. The kernels multiply one group as whole numbers, and scale what
/// comes out: the longer a group, the less there is to scale, and the coarser the numbers are.
pub(crate) const GROUP: usize = 192;

/// Numbers that share one scale in a model as it comes, and in the rows of its tokens.
pub(crate) const FINE: usize = 64;

/// Outputs whose weights lie interleaved, so that one vector register holds one step of each.
pub(crate) const BLOCK: usize = 16;

/// The width of one attention head, fixed so that its loops unroll.
pub(crate) const HEAD: usize = 32;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shape {
    /// Width of the vectors between the layers, and of the result.
    pub(crate) hidden: usize,
    pub(crate) layers: usize,
    /// Width between the two steps of a feed-forward layer.
    pub(crate) inner: usize,
    pub(crate) vocabulary: usize,
    /// How many tokens are read at most, the marks of start and end included.
    pub(crate) window: usize,
    /// Slots in the hash table of merges, a power of two.
    pub(crate) merge_slots: usize,
    pub(crate) start: u16,
    pub(crate) end: u16,
    /// What keeps the layer norm from dividing by zero.
    pub(crate) epsilon: f32,
}

impl Shape {
    pub(crate) fn heads(&self) -> usize {
        self.hidden / HEAD
    }

    /// What makes this shape impossible; `None` if the kernels can work with it.
    ///
    /// The upper bounds are far beyond any model of this kind: they keep a damaged file from
    /// making sizes overflow.
    pub(crate) fn fault(&self) -> Option<&'static str> {
        let whole_groups =
            |width: usize, most| width > 0 && width <= most && width.is_multiple_of(GROUP);
        let specials = [self.start, self.end].map(usize::from);
        [
            (whole_groups(self.hidden, 4_096), "its width is no multiple of 192 up to 4096"),
            (whole_groups(self.inner, 65_536), "its inner width is no multiple of 192 up to 65536"),
            ((1..=64).contains(&self.layers), "it has not 1 to 64 layers"),
            ((1..65_536).contains(&self.vocabulary), "its vocabulary has not 1 to 65535 tokens"),
            ((3..=8_192).contains(&self.window), "its window is not 3 to 8192 tokens"),
            (
                self.merge_slots.is_power_of_two() && self.merge_slots <= 1 << 20,
                "its merge table has an impossible size",
            ),
            (
                specials.iter().all(|&id| id < self.vocabulary),
                "its marks are not in its vocabulary",
            ),
            (self.epsilon > 0.0 && self.epsilon < 0.1, "its epsilon is out of range"),
        ]
        .into_iter()
        .find_map(|(holds, fault)| (!holds).then_some(fault))
    }

    /// Each section with its length in bytes, in the order of the file.
    pub(crate) fn sections(&self) -> Vec<(Section, usize)> {
        let float = size_of::<f32>();
        let norm = 2 * self.hidden * float;
        let mut all = vec![
            (Section::FirstTokens, 256 * size_of::<u16>()),
            (Section::Merges, self.merge_slots * size_of::<u64>()),
            (Section::TokenCodes, self.vocabulary * self.hidden),
            (Section::TokenScales, self.vocabulary * self.hidden / FINE * float),
            (Section::Positions, self.window * self.hidden * float),
            (Section::FirstNorm, norm),
        ];
        for layer in 0..self.layers {
            for place in Place::ALL {
                let (inputs, outputs) = place.widths(self);
                let groups = inputs / GROUP;
                all.push((Section::Codes(layer, place), inputs * outputs));
                all.push((Section::Scales(layer, place), groups * outputs * float));
                all.push((Section::Bias(layer, place), outputs * float));
            }
            all.push((Section::AttentionNorm(layer), norm));
            all.push((Section::LastNorm(layer), norm));
        }
        all
    }
}

/// Where in a layer a matrix stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Queries, keys and values in one.
    AttentionIn,
    AttentionOut,
    Widen,
    Narrow,
}

impl Place {
    pub(crate) const ALL: [Place; 4] =
        [Place::AttentionIn, Place::AttentionOut, Place::Widen, Place::Narrow];

    /// Inputs and outputs.
    pub(crate) fn widths(self, shape: &Shape) -> (usize, usize) {
        match self {
            Place::AttentionIn => (shape.hidden, 3 * shape.hidden),
            Place::AttentionOut => (shape.hidden, shape.hidden),
            Place::Widen => (shape.hidden, shape.inner),
            Place::Narrow => (shape.inner, shape.hidden),
        }
    }
}
