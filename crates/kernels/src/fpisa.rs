//! FPISA's registers in planes: the folds of a packet's floats into them, and the floats that they
//! stand for (R-FPI-2 to R-FPI-12, in 32 bits without guard bits).
//!
//! A group of elements takes each step together: a decision about one of them becomes a selection.
//! A case that is rare in all of them (NaN, infinities, overflows) is a branch.

use crate::byte_order::{differs, swapped};
use crate::dispatch::Kernel;
use crate::float::{elements, elements_mut};
use crate::simd::Simd;
use netfold_num::fpisa::{Flags, Variant};
use netfold_num::{ByteOrder, ElementType};

/// Bytes of one register: the mantissa, the exponent, the flags.
pub(crate) const REGISTER_BYTES: usize = 4 + 1 + 1;

/// The planes of some registers: mantissas, exponents, flags.
fn planes(registers: &[u8], count: usize) -> (&[[u8; 4]], &[u8], &[u8]) {
    let (mantissas, rest) = registers[..count * REGISTER_BYTES].split_at(4 * count);
    let (exponents, flags) = rest.split_at(count);
    (elements(mantissas), exponents, flags)
}

/// Returns the planes as [`planes`] does, for writing.
fn planes_mut(registers: &mut [u8], count: usize) -> (&mut [[u8; 4]], &mut [u8], &mut [u8]) {
    let (mantissas, rest) = registers[..count * REGISTER_BYTES].split_at_mut(4 * count);
    let (exponents, flags) = rest.split_at_mut(count);
    (elements_mut(mantissas), exponents, flags)
}

/// A format of N bytes that FPISA adds in 32 bits.
trait Format<const N: usize> {
    /// Bits of the mantissa without the leading one.
    const M: i32;
    /// Bits of the exponent.
    const E: i32;
    /// The exponent field of infinities and NaN.
    const TOP: i32 = (1 << Self::E) - 1;
    /// The pattern of infinity.
    const INFINITY: i32 = Self::TOP << Self::M;
    /// The place of the sign.
    const SIGN: i32 = Self::M + Self::E;

    /// Patterns, whose signs are those of the integers, from lanes in the other order if `SWAP`.
    fn load<const SWAP: bool, S: Simd<G>, const G: usize>(
        simd: S,
        from: &[[u8; N]; G],
    ) -> S::Integers;
    fn store<const SWAP: bool, S: Simd<G>, const G: usize>(
        simd: S,
        patterns: S::Integers,
        to: &mut [[u8; N]; G],
    );
}

struct Fp32;
struct Fp16;
struct Bf16;

impl Format<4> for Fp32 {
    const M: i32 = 23;
    const E: i32 = 8;

    #[inline(always)]
    fn load<const SWAP: bool, S: Simd<G>, const G: usize>(
        simd: S,
        from: &[[u8; 4]; G],
    ) -> S::Integers {
        if SWAP { simd.load_i32(&swapped(from)) } else { simd.load_i32(from) }
    }
    #[inline(always)]
    fn store<const SWAP: bool, S: Simd<G>, const G: usize>(
        simd: S,
        patterns: S::Integers,
        to: &mut [[u8; 4]; G],
    ) {
        simd.store_i32(patterns, to);
        if SWAP {
            *to = swapped(to);
        }
    }
}

macro_rules! half {
    ($format:ty, $mantissa:literal, $exponent:literal) => {
        impl Format<2> for $format {
            const M: i32 = $mantissa;
            const E: i32 = $exponent;

            #[inline(always)]
            fn load<const SWAP: bool, S: Simd<G>, const G: usize>(
                simd: S,
                from: &[[u8; 2]; G],
            ) -> S::Integers {
                if SWAP { simd.load_i16(&swapped(from)) } else { simd.load_i16(from) }
            }
            #[inline(always)]
            fn store<const SWAP: bool, S: Simd<G>, const G: usize>(
                simd: S,
                patterns: S::Integers,
                to: &mut [[u8; 2]; G],
            ) {
                simd.store_u16(patterns, to);
                if SWAP {
                    *to = swapped(to);
                }
            }
        }
    };
}

half!(Fp16, 10, 5);
half!(Bf16, 7, 8);

/// Returns whether a step over groups of so many elements branches where rare cases are left out.
/// A loop over single elements vectorises only if it does not. SSE2 has no shifts by distances of
/// their own, so there it does not pay.
const fn branches(group: usize) -> bool {
    group > 1 || cfg!(target_arch = "x86_64")
}

/// Calls a function that is generic over the formats, and over whether lanes are swapped, for the
/// ones at hand.
macro_rules! for_format {
    ($lane:expr, $order:expr, $function:ident::<$($generic:ty),*>($($argument:expr),*)) => {
        match ($lane, differs($order)) {
            (ElementType::F32, false) => $function::<Fp32, 4, false $(, $generic)*>($($argument),*),
            (ElementType::F16, false) => $function::<Fp16, 2, false $(, $generic)*>($($argument),*),
            (ElementType::Bf16, false) => $function::<Bf16, 2, false $(, $generic)*>($($argument),*),
            (ElementType::F32, true) => $function::<Fp32, 4, true $(, $generic)*>($($argument),*),
            (ElementType::F16, true) => $function::<Fp16, 2, true $(, $generic)*>($($argument),*),
            (ElementType::Bf16, true) => $function::<Bf16, 2, true $(, $generic)*>($($argument),*),
            (other, _) => panic!("FPISA adds f32, f16 and bf16, not {other}"),
        }
    };
}

/// Adds a packet's floats to registers.
pub(crate) struct AddToRegisters<'a> {
    pub(crate) lane: ElementType,
    pub(crate) order: ByteOrder,
    pub(crate) variant: Variant,
    /// The registers begin empty.
    pub(crate) first: bool,
    pub(crate) registers: &'a mut [u8],
    pub(crate) input: &'a [u8],
}

impl Kernel for AddToRegisters<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<const G: usize>(self, simd: impl Simd<G>) -> Option<usize> {
        let Self { lane, order, variant, first, registers, input } = self;
        match (first, variant) {
            (true, _) => for_format!(lane, order, add::<First, _, G>(simd, registers, input)),
            (false, Variant::Full) => {
                for_format!(lane, order, add::<Full, _, G>(simd, registers, input))
            }
            (false, Variant::Approximate) => {
                for_format!(lane, order, add::<Approximate, _, G>(simd, registers, input))
            }
        }
    }
}

/// Adds, and tells the first element whose mantissa has overflowed, now or before.
#[inline(always)]
fn add<F: Format<N>, const N: usize, const SWAP: bool, R: Rule, S: Simd<G>, const G: usize>(
    simd: S,
    registers: &mut [u8],
    input: &[u8],
) -> Option<usize> {
    let input = elements::<N>(input);
    let (mantissas, exponents, flags) = planes_mut(registers, input.len());
    let mut seen = [0; G];
    {
        let (input, input_rest) = input.as_chunks();
        let (mantissas, mantissas_rest) = mantissas.as_chunks_mut();
        let (exponents, exponents_rest) = exponents.as_chunks_mut();
        let (flags, flags_rest) = flags.as_chunks_mut();
        for (((input, mantissas), exponents), flags) in
            input.iter().zip(mantissas).zip(exponents).zip(flags)
        {
            add_group::<F, N, SWAP, R, S, G>(simd, input, mantissas, exponents, flags);
            seen.iter_mut().zip(flags).for_each(|(seen, flags)| *seen |= *flags);
        }
        let rest = input_rest.len();
        if rest > 0 {
            let (mut input, mut mantissas, mut exponents, mut flags) =
                ([[0; N]; G], [[0; 4]; G], [0; G], [0; G]);
            input[..rest].copy_from_slice(input_rest);
            mantissas[..rest].copy_from_slice(mantissas_rest);
            exponents[..rest].copy_from_slice(exponents_rest);
            flags[..rest].copy_from_slice(flags_rest);
            add_group::<F, N, SWAP, R, S, G>(
                simd,
                &input,
                &mut mantissas,
                &mut exponents,
                &mut flags,
            );
            mantissas_rest.copy_from_slice(&mantissas[..rest]);
            exponents_rest.copy_from_slice(&exponents[..rest]);
            flags_rest.copy_from_slice(&flags[..rest]);
            seen.iter_mut().zip(flags).for_each(|(seen, flags)| *seen |= flags);
        }
    }
    let overflow = Flags::OVERFLOW.to_bits();
    let seen = seen.iter().fold(0, |seen, flags| seen | flags);
    if seen & overflow == 0 { None } else { flags.iter().position(|flags| flags & overflow != 0) }
}

/// One addition to each register of a group.
#[inline(always)]
fn add_group<
    F: Format<N>,
    const N: usize,
    const SWAP: bool,
    R: Rule,
    S: Simd<G>,
    const G: usize,
>(
    simd: S,
    input: &[[u8; N]; G],
    mantissas: &mut [[u8; 4]; G],
    exponents: &mut [u8; G],
    flags: &mut [u8; G],
) {
    let s = simd;
    let (zero, one) = (s.splat(0), s.splat(1));
    // R-FPI-3. NaN and infinities count as zeros, but for their flags.
    let bits = F::load::<SWAP, S, G>(s, input);
    let field = s.and(s.right_unsigned(bits, s.splat(F::M)), s.splat(F::TOP));
    let fraction = s.and(bits, s.splat((1 << F::M) - 1));
    let special = s.equal(field, s.splat(F::TOP));
    let leading = s.and(s.above(field, zero), s.splat(1 << F::M));
    let magnitude = s.unless(special, s.or(fraction, leading));
    let operand = Operand {
        zero: s.equal(magnitude, zero),
        exponent: s.larger(field, one),
        mantissa: s.with_sign(magnitude, bits),
    };
    let stored =
        if R::EMPTY { (zero, zero) } else { (s.load_i32(mantissas), s.load_u8(exponents)) };
    let Aligned { exponent, stored, incoming } = R::align::<S, G>(s, 30 - F::M, stored, operand);
    // R-FPI-9: an overflow is where both have the same sign, and the sum another one.
    let sum = s.plus(stored, incoming);
    let overflow = s.and(s.xor(stored, sum), s.xor(incoming, sum));
    s.store_i32(sum, mantissas);
    s.store_u8(exponent, exponents);
    if R::EMPTY {
        *flags = [0; G];
    }
    if !branches(G) || s.any_negative(s.or(special, overflow)) {
        // R-FPI-4: +infinity 1, -infinity 2, NaN 4.
        let infinity = s.plus(one, s.right_unsigned(bits, s.splat(31)));
        let class = s.and(special, s.select(s.equal(fraction, zero), infinity, s.splat(4)));
        let overflow = s.left(s.right_unsigned(overflow, s.splat(31)), s.splat(3));
        s.store_u8(s.or(s.load_u8(flags), s.or(class, overflow)), flags);
    }
}

/// An operand to add: an exponent, a mantissa, and a mask of the mantissas that are zero.
struct Operand<I> {
    zero: I,
    exponent: I,
    mantissa: I,
}

/// Two mantissas under one exponent.
struct Aligned<I> {
    exponent: I,
    stored: I,
    incoming: I,
}

/// The rule by which an operand and a register, each a mantissa and an exponent, come under one
/// exponent (R-FPI-5 to R-FPI-8).
trait Rule {
    /// True if the registers are empty. The contents of their planes are then not looked at.
    const EMPTY: bool = false;

    fn align<S: Simd<G>, const G: usize>(
        s: S,
        headroom: i32,
        stored: (S::Integers, S::Integers),
        operand: Operand<S::Integers>,
    ) -> Aligned<S::Integers>;
}

/// The register takes the operand (R-FPI-5).
struct First;
struct Full;
struct Approximate;

impl Rule for First {
    const EMPTY: bool = true;

    #[inline(always)]
    fn align<S: Simd<G>, const G: usize>(
        s: S,
        _headroom: i32,
        (stored, _): (S::Integers, S::Integers),
        operand: Operand<S::Integers>,
    ) -> Aligned<S::Integers> {
        Aligned {
            exponent: s.unless(operand.zero, operand.exponent),
            stored,
            incoming: operand.mantissa,
        }
    }
}

impl Rule for Full {
    /// R-FPI-6. A mantissa of zero counts as one under the exponent 0, so that the other one stays
    /// where it is; if both are zero the register's exponent stays.
    #[inline(always)]
    fn align<S: Simd<G>, const G: usize>(
        s: S,
        _headroom: i32,
        (mantissa, exponent): (S::Integers, S::Integers),
        operand: Operand<S::Integers>,
    ) -> Aligned<S::Integers> {
        let replaces = s.unless(operand.zero, s.equal(mantissa, s.splat(0)));
        let (e, x) = (s.unless(replaces, exponent), s.unless(operand.zero, operand.exponent));
        let exponent = s.larger(e, x);
        Aligned {
            exponent,
            stored: s.right(mantissa, s.minus(exponent, e)),
            incoming: s.right(operand.mantissa, s.minus(exponent, x)),
        }
    }
}

impl Rule for Approximate {
    /// R-FPI-7. Left by the whole headroom an operand still fits, so one shift to the right from
    /// there goes both ways.
    #[inline(always)]
    fn align<S: Simd<G>, const G: usize>(
        s: S,
        headroom: i32,
        (mantissa, exponent): (S::Integers, S::Integers),
        operand: Operand<S::Integers>,
    ) -> Aligned<S::Integers> {
        let headroom = s.splat(headroom);
        let distance = s.minus(operand.exponent, exponent);
        let too_far = s.above(distance, headroom);
        let replaces = s.unless(operand.zero, s.or(s.equal(mantissa, s.splat(0)), too_far));
        let right = s.minus(headroom, s.unless(replaces, distance));
        Aligned {
            exponent: s.select(replaces, operand.exponent, exponent),
            stored: s.unless(replaces, mantissa),
            incoming: s.right(s.left(operand.mantissa, headroom), right),
        }
    }
}

/// Writes the floats that registers stand for.
pub(crate) struct ReadRegisters<'a> {
    pub(crate) lane: ElementType,
    pub(crate) order: ByteOrder,
    pub(crate) registers: &'a [u8],
    pub(crate) lanes: &'a mut [u8],
}

impl Kernel for ReadRegisters<'_> {
    type Output = ();

    #[inline(always)]
    fn run<const G: usize>(self, simd: impl Simd<G>) {
        for_format!(self.lane, self.order, read::<_, G>(simd, self.registers, self.lanes));
    }
}

#[inline(always)]
fn read<F: Format<N>, const N: usize, const SWAP: bool, S: Simd<G>, const G: usize>(
    simd: S,
    registers: &[u8],
    lanes: &mut [u8],
) {
    let lanes = elements_mut::<N>(lanes);
    let (mantissas, exponents, flags) = planes(registers, lanes.len());
    let (lanes, lanes_rest) = lanes.as_chunks_mut();
    let (mantissas, mantissas_rest) = mantissas.as_chunks();
    let (exponents, exponents_rest) = exponents.as_chunks();
    let (flags, flags_rest) = flags.as_chunks();
    for (((lanes, mantissas), exponents), flags) in
        lanes.iter_mut().zip(mantissas).zip(exponents).zip(flags)
    {
        read_group::<F, N, SWAP, S, G>(simd, mantissas, exponents, flags, lanes);
    }
    let rest = lanes_rest.len();
    if rest > 0 {
        let (mut mantissas, mut exponents, mut flags, mut lanes) =
            ([[0; 4]; G], [0; G], [0; G], [[0; N]; G]);
        mantissas[..rest].copy_from_slice(mantissas_rest);
        exponents[..rest].copy_from_slice(exponents_rest);
        flags[..rest].copy_from_slice(flags_rest);
        read_group::<F, N, SWAP, S, G>(simd, &mantissas, &exponents, &flags, &mut lanes);
        lanes_rest.copy_from_slice(&lanes[..rest]);
    }
}

/// R-FPI-10 to 12, truncating.
#[inline(always)]
fn read_group<F: Format<N>, const N: usize, const SWAP: bool, S: Simd<G>, const G: usize>(
    simd: S,
    mantissas: &[[u8; 4]; G],
    exponents: &[u8; G],
    flags: &[u8; G],
    lanes: &mut [[u8; N]; G],
) {
    let s = simd;
    let (mantissa, exponent) = (s.load_i32(mantissas), s.load_u8(exponents));
    let zero = s.equal(mantissa, s.splat(0));
    let sign = s.left(s.right_unsigned(mantissa, s.splat(31)), s.splat(F::SIGN));
    let magnitude = s.with_sign(mantissa, mantissa);
    let converted = s.truncated(magnitude);
    if branches(G) && *flags == [0; G] {
        // Where all results are zero, normal or just infinite, `f32` has normalised them already.
        let bias = s.splat(-(127 + F::M) << F::M);
        let scaled = s.plus(s.left(exponent, s.splat(F::M)), bias);
        let pattern = s.plus(s.right_unsigned(converted, s.splat(23 - F::M)), scaled);
        let beyond =
            s.or(s.above(s.splat(1 << F::M), pattern), s.above(pattern, s.splat(F::INFINITY)));
        if !s.any_negative(s.unless(zero, beyond)) {
            F::store::<SWAP, S, G>(s, s.or(s.unless(zero, pattern), sign), lanes);
            return;
        }
    }
    let leading = s.minus(s.right_unsigned(converted, s.splat(23)), s.splat(127));
    // In units of the smallest subnormal the value is the magnitude shifted left by the exponent
    // less 1. Bits below the mantissa fall off.
    let scale = s.minus(exponent, s.splat(1));
    let dropped = s.larger(s.minus(leading, s.splat(F::M)), s.minus(s.splat(0), scale));
    // One of the two shifts is by no distance at all, or by one that gives 0.
    let kept =
        s.or(s.left(magnitude, s.minus(s.splat(0), dropped)), s.right_unsigned(magnitude, dropped));
    // The leading one, where there is one, adds itself to the exponent.
    let pattern = s.plus(s.left(s.plus(scale, dropped), s.splat(F::M)), kept);
    let pattern = s.or(s.unless(zero, s.smaller_unsigned(pattern, s.splat(F::INFINITY))), sign);
    let flags = s.load_u8(flags);
    let classes = s.and(flags, s.splat(7));
    let infinite = s.or(s.equal(classes, s.splat(1)), s.equal(classes, s.splat(2)));
    let negative = s.left(s.right_unsigned(flags, s.splat(1)), s.splat(F::SIGN));
    let infinity = s.or(s.splat(F::INFINITY), s.and(negative, s.splat(1 << F::SIGN)));
    let special = s.select(infinite, infinity, s.splat(F::INFINITY | 1 << (F::M - 1)));
    F::store::<SWAP, S, G>(s, s.select(s.equal(flags, s.splat(0)), pattern, special), lanes);
}
