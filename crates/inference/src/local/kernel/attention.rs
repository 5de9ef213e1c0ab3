//! Attention: each token takes from the others as much as its query agrees with their keys.

use std::ops::Range;

use super::curves::exp_of_negative;
use super::fused::Fused;
use super::{LANES, fold, greater, sum};
use crate::local::packed::HEAD;

/// Tokens whose scores are summed abreast. The same as the width of a head, so that scores and
/// values are found by one and the same sum.
pub(super) const WIDE: usize = HEAD;

/// Numbers that are loaded together, and therefore begin where a cache line does.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Line(pub(super) [f32; WIDE]);

impl Line {
    const NONE: Line = Line([0.0; WIDE]);
}

/// The sum of lines, each taken as often as its share says, in the order of the lines.
pub(super) trait Weigh {
    type Adding: Fused;

    /// There are as many lines as shares in each row, or fewer.
    fn weigh<const ROWS: usize>(shares: [&[f32]; ROWS], lines: &[Line]) -> [[f32; WIDE]; ROWS];

    /// Turns the keys of at most [`WIDE`] tokens, so that each line holds one dimension of all.
    #[inline(always)]
    fn turn<'k>(keys: impl ExactSizeIterator<Item = &'k [f32; HEAD]>, lines: &mut [Line; HEAD]) {
        for (token, key) in keys.enumerate() {
            for (line, &key) in lines.iter_mut().zip(key) {
                line.0[token] = key;
            }
        }
    }
}

/// Queries, keys and values of all rows: `3 × width` numbers a row.
#[derive(Debug)]
pub(crate) struct Heads<'a> {
    pub(crate) rows: &'a [f32],
    /// Heads times the width of one.
    pub(crate) width: usize,
}

/// The rows of one text, and behind them one for each of its parts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span<'a> {
    pub(crate) first: usize,
    /// Without the parts.
    pub(crate) length: usize,
    /// How many of the text's rows ask, from the first on; all of them answer. Parts always ask,
    /// and answer nobody but themselves.
    pub(crate) asking: usize,
    /// Which rows of the text each part asks.
    pub(crate) parts: &'a [Range<usize>],
}

impl Span<'_> {
    fn rows(&self) -> usize {
        self.length + self.parts.len()
    }

    /// All that ask, in the order of the output.
    fn askers(&self) -> impl Iterator<Item = Asker> {
        let all = || Sight { reach: self.length, part: 0..self.length, also: [0, 0] };
        let of_text = (0..self.asking).map(move |row| Asker { row, sight: all() });
        // A part sees what it consists of, the mark of the text's end, and itself.
        let of_part = |(nth, part): (usize, &Range<usize>)| {
            let row = self.length + nth;
            let sight = Sight { reach: row + 1, part: part.clone(), also: [self.length - 1, row] };
            Asker { row, sight }
        };
        of_text.chain(self.parts.iter().enumerate().map(of_part))
    }
}

/// A row that asks, and whom.
struct Asker {
    row: usize,
    sight: Sight,
}

/// Which rows a row asks.
struct Sight {
    /// None from here on.
    reach: usize,
    part: Range<usize>,
    /// And these.
    also: [usize; 2],
}

impl Sight {
    /// Fills in what is not seen, and what only makes up the lanes.
    #[inline(always)]
    fn fill_others(&self, numbers: &mut [f32], with: f32) {
        let also = self.also.map(|at| numbers[at]);
        numbers[..self.part.start].fill(with);
        numbers[self.part.end..].fill(with);
        for (at, number) in self.also.into_iter().zip(also) {
            numbers[at] = number;
        }
    }
}

/// Fills the rows of `output`, each of `width`: those that ask, then the parts. So many queries as
/// `ROWS` share one look at keys and values: as many as there are registers for.
#[inline(always)]
pub(super) fn attend<W: Weigh, const ROWS: usize>(
    heads: &Heads<'_>,
    text: Span<'_>,
    output: &mut [f32],
) {
    let mut bench = Bench::<ROWS>::new(text.rows());
    let askers: Vec<Asker> = text.askers().collect();
    for at in (0..heads.width).step_by(HEAD) {
        let head = Head { heads, text, at };
        bench.lay_out::<W>(&head);
        let mut first = 0;
        while first < askers.len() {
            let (left, output) = (&askers[first..], &mut output[first * heads.width..]);
            // One or two are faster alone than in the company of many that ask the same again.
            first += match left.len() {
                1 | 2 => bench.ask::<W, 1>(&head, left, output),
                _ => bench.ask::<W, ROWS>(&head, left, output),
            };
        }
    }
}

struct Head<'a> {
    heads: &'a Heads<'a>,
    text: Span<'a>,
    /// Where the head begins within the width.
    at: usize,
}

impl Head<'_> {
    /// The part of a row that belongs to this head: 0 for queries, 1 for keys, 2 for values.
    #[inline(always)]
    fn part(&self, row: usize, which: usize) -> &[f32; HEAD] {
        let width = self.heads.width;
        let at = (self.text.first + row) * 3 * width + which * width + self.at;
        self.heads.rows[at..].first_chunk().expect("a row holds three parts of every head")
    }
}

/// Keys and values of one head, side by side, and room for the shares.
struct Bench<const MOST: usize> {
    /// By dimension, for a chunk of tokens abreast.
    keys: Vec<[Line; HEAD]>,
    /// By token.
    values: Vec<Line>,
    shares: [Vec<f32>; MOST],
}

impl<const MOST: usize> Bench<MOST> {
    #[inline(always)]
    fn new(tokens: usize) -> Bench<MOST> {
        let chunks = tokens.div_ceil(WIDE);
        Bench {
            keys: vec![[Line::NONE; HEAD]; chunks],
            values: vec![Line::NONE; tokens],
            shares: std::array::from_fn(|_| vec![0.0; chunks * WIDE]),
        }
    }

    #[inline(always)]
    fn lay_out<W: Weigh>(&mut self, head: &Head<'_>) {
        for (token, values) in self.values.iter_mut().enumerate() {
            values.0 = *head.part(token, 2);
        }
        for (chunk, lines) in self.keys.iter_mut().enumerate() {
            let first = chunk * WIDE;
            let tokens = first..head.text.rows().min(first + WIDE);
            W::turn(tokens.map(|token| head.part(token, 1)), lines);
        }
    }

    /// As many as there are registers for, or as there are: then the last one asks again. Returns how
    /// many have asked, each into its row of the output.
    #[inline(always)]
    fn ask<W: Weigh, const ROWS: usize>(
        &mut self,
        head: &Head<'_>,
        askers: &[Asker],
        output: &mut [f32],
    ) -> usize {
        let count = askers.len().min(ROWS);
        let askers: [&Asker; ROWS] = std::array::from_fn(|nth| &askers[nth.min(count - 1)]);
        let reach = askers.iter().map(|asker| asker.sight.reach).max().unwrap_or_default();
        let scale = 1.0 / (HEAD as f32).sqrt();
        let queries = askers.map(|asker| head.part(asker.row, 0).map(|x| x * scale));
        for (chunk, keys) in self.keys[..reach.div_ceil(WIDE)].iter().enumerate() {
            let scores = W::weigh::<ROWS>(queries.each_ref().map(|query| &query[..]), keys);
            for (shares, scores) in self.shares.iter_mut().zip(scores) {
                shares[chunk * WIDE..][..WIDE].copy_from_slice(&scores);
            }
        }
        let inverse = self.soften::<W::Adding, ROWS>(askers.map(|asker| &asker.sight), reach);
        let shares = std::array::from_fn(|nth| &self.shares[nth][..reach]);
        let taken = W::weigh::<ROWS>(shares, &self.values[..reach]);
        for (nth, (taken, inverse)) in taken.iter().zip(inverse).take(count).enumerate() {
            let at = nth * head.heads.width + head.at;
            for (to, x) in output[at..at + HEAD].iter_mut().zip(taken) {
                *to = x * inverse;
            }
        }
        count
    }

    /// Scores to shares, not yet multiplied by what is returned. Each step is taken for all rows
    /// before the next: bringing lanes together takes long, and rows need not wait for one another.
    #[inline(always)]
    fn soften<F: Fused, const ROWS: usize>(
        &mut self,
        sights: [&Sight; ROWS],
        reach: usize,
    ) -> [f32; ROWS] {
        let rows = &mut self.shares[..ROWS];
        let reach = reach.next_multiple_of(LANES);
        let mut most = [f32::NEG_INFINITY; ROWS];
        for ((scores, sight), most) in rows.iter_mut().zip(sights).zip(&mut most) {
            // What is not seen must not count.
            sight.fill_others(scores, f32::NEG_INFINITY);
            *most = greatest(&scores[..reach]);
        }
        let mut sums = [[0.0; LANES]; ROWS];
        for (((scores, sight), most), sums) in rows.iter_mut().zip(sights).zip(most).zip(&mut sums)
        {
            // Chunks of nothing but what fills up need not be looked at.
            *sums = powers::<F>(&mut scores[..reach], most);
            // Next to nothing is too much: processors take long over numbers this small.
            sight.fill_others(scores, 0.0);
        }
        sums.map(|sums| 1.0 / fold(sums, sum))
    }
}

#[inline(always)]
fn greatest(scores: &[f32]) -> f32 {
    let mut most = [f32::NEG_INFINITY; LANES];
    for chunk in scores.as_chunks::<LANES>().0 {
        for lane in 0..LANES {
            most[lane] = greater(chunk[lane], most[lane]);
        }
    }
    fold(most, greater)
}

/// Raises e to each score less the greatest; the sums are returned.
#[inline(always)]
fn powers<F: Fused>(scores: &mut [f32], most: f32) -> [f32; LANES] {
    let mut sums = [0.0; LANES];
    for chunk in scores.as_chunks_mut::<LANES>().0 {
        for lane in 0..LANES {
            chunk[lane] = exp_of_negative::<F>(chunk[lane] - most);
            sums[lane] += chunk[lane];
        }
    }
    sums
}
