//! FPISA's registers in planes: the folds of a packet's floats into them, and the floats that they stand for (R-FPI-2 to R-FPI-12, in 32 bits without guard bits).
//!
//! The loops have no branches, so that they vectorise: what would be a decision about one element is a selection.

use crate::dispatch::Kernel;
use crate::float::{elements, elements_mut};
use crate::simd::Simd;
use netfold_num::ElementType;
use netfold_num::fpisa::{Flags, Variant};

/// Bytes of one register: the mantissa, the exponent, the flags.
pub(crate) const REGISTER_BYTES: usize = 4 + 1 + 1;

/// The planes of some registers: mantissas, exponents, flags.
fn planes(registers: &[u8], count: usize) -> (&[[u8; 4]], &[u8], &[u8]) {
    let (mantissas, rest) = registers[..count * REGISTER_BYTES].split_at(4 * count);
    let (exponents, flags) = rest.split_at(count);
    (elements(mantissas), exponents, flags)
}

/// As [`planes`], to be written.
fn planes_mut(registers: &mut [u8], count: usize) -> (&mut [[u8; 4]], &mut [u8], &mut [u8]) {
    let (mantissas, rest) = registers[..count * REGISTER_BYTES].split_at_mut(4 * count);
    let (exponents, flags) = rest.split_at_mut(count);
    (elements_mut(mantissas), exponents, flags)
}

/// A format of N bytes that FPISA adds in 32 bits.
trait Format<const N: usize> {
    /// Bits of the mantissa without the leading one.
    const M: u32;
    /// Bits of the exponent.
    const E: u32;

    fn load(lane: [u8; N]) -> u32;
    fn store(pattern: u32) -> [u8; N];
}

struct Fp32;
struct Fp16;
struct Bf16;

impl Format<4> for Fp32 {
    const M: u32 = 23;
    const E: u32 = 8;

    #[inline(always)]
    fn load(lane: [u8; 4]) -> u32 {
        u32::from_le_bytes(lane)
    }

    #[inline(always)]
    fn store(pattern: u32) -> [u8; 4] {
        pattern.to_le_bytes()
    }
}

macro_rules! half {
    ($format:ty, $mantissa:literal, $exponent:literal) => {
        impl Format<2> for $format {
            const M: u32 = $mantissa;
            const E: u32 = $exponent;

            #[inline(always)]
            fn load(lane: [u8; 2]) -> u32 {
                u16::from_le_bytes(lane).into()
            }

            #[inline(always)]
            fn store(pattern: u32) -> [u8; 2] {
                (pattern as u16).to_le_bytes()
            }
        }
    };
}

half!(Fp16, 10, 5);
half!(Bf16, 7, 8);

/// Adds a packet's floats to registers.
pub(crate) struct AddToRegisters<'a> {
    pub(crate) lane: ElementType,
    pub(crate) variant: Variant,
    /// The registers begin empty.
    pub(crate) first: bool,
    pub(crate) registers: &'a mut [u8],
    pub(crate) input: &'a [u8],
}

impl Kernel for AddToRegisters<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<const G: usize>(self, _simd: impl Simd<G>) -> Option<usize> {
        match (self.lane, self.variant) {
            (ElementType::F32, Variant::Full) => add::<Fp32, 4, true>(self),
            (ElementType::F32, Variant::Approximate) => add::<Fp32, 4, false>(self),
            (ElementType::F16, Variant::Full) => add::<Fp16, 2, true>(self),
            (ElementType::F16, Variant::Approximate) => add::<Fp16, 2, false>(self),
            (ElementType::Bf16, Variant::Full) => add::<Bf16, 2, true>(self),
            (ElementType::Bf16, Variant::Approximate) => add::<Bf16, 2, false>(self),
            (other, _) => panic!("FPISA adds f32, f16 and bf16, not {other}"),
        }
    }
}

/// Adds, and tells the first element whose mantissa has overflowed, now or before.
#[inline(always)]
fn add<F: Format<N>, const N: usize, const FULL: bool>(task: AddToRegisters<'_>) -> Option<usize> {
    let input = elements::<N>(task.input);
    let (mantissas, exponents, flags) = planes_mut(task.registers, input.len());
    if task.first {
        mantissas.fill([0; 4]);
        exponents.fill(0);
        flags.fill(0);
    }
    let mut seen = 0u8;
    for (((&lane, mantissa), exponent), flags) in input.iter().zip(mantissas).zip(exponents).zip(&mut *flags) {
        let stored = (i32::from_ne_bytes(*mantissa), i32::from(*exponent));
        let (sum, raised, new) = step::<F, N, FULL>(stored, F::load(lane));
        *mantissa = sum.to_ne_bytes();
        *exponent = raised as u8;
        *flags |= new as u8;
        seen |= *flags;
    }
    let overflow = Flags::OVERFLOW.to_bits();
    if seen & overflow == 0 { None } else { flags.iter().position(|flags| flags & overflow != 0) }
}

/// One addition: a register's mantissa and exponent, and an operand; gives both anew, and the flags that come up.
#[inline(always)]
fn step<F: Format<N>, const N: usize, const FULL: bool>((m, e): (i32, i32), bits: u32) -> (i32, i32, u32) {
    let (top, fraction_mask) = ((1u32 << F::E) - 1, (1u32 << F::M) - 1);
    let headroom = 30 - F::M as i32;
    // R-FPI-3
    let (field, fraction) = (bits >> F::M & top, bits & fraction_mask);
    let negative = (bits >> (F::M + F::E) & 1) as i32;
    let special = field == top;
    let magnitude = (fraction | if field != 0 { 1 << F::M } else { 0 }) as i32;
    let magnitude = if special { 0 } else { magnitude };
    let k = (magnitude ^ -negative) + negative;
    // R-FPI-4: +infinity 1, -infinity 2, NaN 4.
    let class = if fraction != 0 { 4 } else { 1 + negative as u32 };
    let class = if special { class } else { 0 };
    // R-FPI-5
    let zero = magnitude == 0;
    let (stored, incoming, e) = if FULL {
        let x = if zero { 0 } else { (field as i32).max(1) };
        let e = if !zero & (m == 0) { 0 } else { e };
        let larger = x.max(e);
        (m >> (larger - e).min(31), k >> (larger - x).min(31), larger)
    } else {
        let x = (field as i32).max(1);
        let distance = x - e;
        let replaces = !zero & ((m == 0) | (distance > headroom));
        let right = if replaces { headroom } else { headroom - distance };
        (if replaces { 0 } else { m }, (k << headroom) >> right.clamp(0, 31), if replaces { x } else { e })
    };
    // R-FPI-9
    let sum = stored.wrapping_add(incoming);
    let overflow = ((stored ^ sum) & (incoming ^ sum)) < 0;
    (sum, e, class | u32::from(overflow) << 3)
}

/// Writes the floats that registers stand for.
pub(crate) struct ReadRegisters<'a> {
    pub(crate) lane: ElementType,
    pub(crate) registers: &'a [u8],
    pub(crate) lanes: &'a mut [u8],
}

impl Kernel for ReadRegisters<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const G: usize>(self, _simd: impl Simd<G>) {
        match self.lane {
            ElementType::F32 => read::<Fp32, 4>(self),
            ElementType::F16 => read::<Fp16, 2>(self),
            ElementType::Bf16 => read::<Bf16, 2>(self),
            other => panic!("FPISA adds f32, f16 and bf16, not {other}"),
        }
    }
}

#[inline(always)]
fn read<F: Format<N>, const N: usize>(task: ReadRegisters<'_>) {
    let lanes = elements_mut::<N>(task.lanes);
    let (mantissas, exponents, flags) = planes(task.registers, lanes.len());
    let registers = mantissas.iter().zip(exponents).zip(flags);
    for (lane, ((mantissa, exponent), flags)) in lanes.iter_mut().zip(registers) {
        *lane = F::store(assemble::<F, N>(i32::from_ne_bytes(*mantissa), (*exponent).into(), (*flags).into()));
    }
}

/// R-FPI-10 to 12, truncating.
#[inline(always)]
fn assemble<F: Format<N>, const N: usize>(mantissa: i32, exponent: i32, flags: u32) -> u32 {
    let (m, top) = (F::M as i32, (1u32 << F::E) - 1);
    let negative = u32::from(mantissa < 0);
    let magnitude = mantissa.unsigned_abs();
    // Without the bit after the leading one no conversion rounds it to the next power of two. The highest bit becomes a sign.
    let converted = ((magnitude & !(magnitude >> 1)) as i32 as f32).to_bits();
    let leading = (converted << 1 >> 24) as i32 - 127;
    // In units of the smallest subnormal the value is the magnitude shifted left by the exponent less 1. What is below the mantissa falls off.
    let scale = exponent - 1;
    let dropped = (leading - m).max(-scale);
    let kept = shifted_left(magnitude, -dropped) | shifted_right(magnitude, dropped);
    // The leading one, where there is one, adds itself to the exponent.
    let pattern = (((scale + dropped) as u32) << F::M).wrapping_add(kept);
    let pattern = if magnitude == 0 { 0 } else { pattern.min(top << F::M) | negative << (F::M + F::E) };
    // R-FPI-10: an infinity outweighs an overflow.
    let infinity = (top << F::M) | (flags >> 1 & 1) << (F::M + F::E);
    let nan = (top << F::M) | 1 << (F::M - 1);
    let classes = flags & 7;
    let special = if (classes == 1) | (classes == 2) { infinity } else { nan };
    if flags == 0 { pattern } else { special }
}

#[inline(always)]
fn shifted_left(x: u32, by: i32) -> u32 {
    if (by as u32) < 32 { x << by } else { 0 }
}

#[inline(always)]
fn shifted_right(x: u32, by: i32) -> u32 {
    if (by as u32) < 32 { x >> by } else { 0 }
}
