//! The sum of blocks that lie side by side, in one pass: what the rounds of a slot make of them
//! (R-EAGER-8).

use crate::block::largest;
use crate::dispatch::Kernel;
use crate::float::{elements, elements_mut};
use crate::simd::Simd;
use netfold_num::{Exponent, Scale};

/// Groups whose sums are in registers, or near them, at a time.
const GROUPS: usize = 8;

/// Sums blocks of `f32`.
pub(crate) struct SumBlocks<'a, F> {
    /// Gives the blocks, from the first one on.
    pub(crate) blocks: &'a F,
    pub(crate) workers: u16,
    pub(crate) divisor: u32,
    pub(crate) tensor: &'a mut [u8],
}

impl<'b, F: Fn() -> B, B: Iterator<Item = &'b [u8]>> Kernel for SumBlocks<'_, F> {
    type Output = Exponent;

    #[inline(always)]
    fn run<const G: usize>(self, simd: impl Simd<G>) -> Exponent {
        let Self { blocks, workers, divisor, tensor } = self;
        // Loops, no closures: those are compiled by themselves, without the level's instructions.
        let mut magnitude = 0;
        for block in blocks() {
            magnitude = magnitude.max(largest::<f32, 4>(block).to_bits());
        }
        let agreed = Exponent::of_magnitude_bits(magnitude);
        if agreed == Exponent::SPECIAL {
            return agreed;
        }
        let scale = Scale::new(workers, agreed).expect("the exponent is that of a number");
        let (factor, limit, unit) = (scale.factor(), scale.limit().into(), scale.unit(divisor));
        let tensor = elements_mut::<4>(tensor);
        let all = tensor.len();
        for (tile, sums) in tensor.chunks_mut(GROUPS * G).enumerate() {
            let (start, len) = (tile * GROUPS * G, sums.len());
            let inputs = || {
                blocks().map(|block| {
                    let input = elements::<4>(block);
                    assert_eq!(input.len(), all, "blocks of as many elements as their sum");
                    &input[start..start + len]
                })
            };
            let (groups, rest) = sums.as_chunks_mut::<G>();
            if !rest.is_empty() {
                let at = len - rest.len();
                let mut sum = simd.splat(0);
                for input in inputs() {
                    let first = simd.load_first_f32(&input[at..]);
                    sum = simd.plus(sum, simd.quantise(first, factor, limit));
                }
                simd.store_first_f32(simd.dequantise(sum, unit), rest);
            }
            if groups.is_empty() {
                break;
            }
            let mut totals = [simd.splat(0); GROUPS];
            for input in inputs() {
                for (total, group) in totals.iter_mut().zip(input.as_chunks::<G>().0) {
                    *total = simd.plus(*total, simd.quantise(simd.load_f32(group), factor, limit));
                }
            }
            for (total, group) in totals.into_iter().zip(groups) {
                simd.store_f32(simd.dequantise(total, unit), group);
            }
        }
        agreed
    }
}
