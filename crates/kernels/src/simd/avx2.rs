//! Groups in two registers of AVX2.

use super::{ROUND, Simd, intrinsics};
use std::arch::x86_64::*;

/// AVX2, and the conversions of F16C.
#[derive(Clone, Copy)]
pub(crate) struct Avx2(());

impl Avx2 {
    /// Safe only where these features are there.
    #[inline]
    #[target_feature(enable = "avx2,f16c")]
    pub(crate) fn new() -> Self {
        Self(())
    }
}

impl Simd<16> for Avx2 {
    type Floats = [__m256; 2];
    type Integers = [__m256i; 2];

    intrinsics! {
        fn load_f32(from: &[[u8; 4]; 16]) -> [__m256; 2] {
            let from: *const f32 = from.as_ptr().cast();
            [_mm256_loadu_ps(from), _mm256_loadu_ps(from.add(8))]
        }
        fn load_first_f32(from: &[[u8; 4]]) -> [__m256; 2] {
            let (masks, from): (_, *const f32) = (first(from.len()), from.as_ptr().cast());
            [_mm256_maskload_ps(from, masks[0]), _mm256_maskload_ps(from.wrapping_add(8), masks[1])]
        }
        fn load_f16(from: &[[u8; 2]; 16]) -> [__m256; 2] {
            let from: *const __m128i = from.as_ptr().cast();
            [_mm256_cvtph_ps(_mm_loadu_si128(from)), _mm256_cvtph_ps(_mm_loadu_si128(from.add(1)))]
        }
        fn load_bf16(from: &[[u8; 2]; 16]) -> [__m256; 2] {
            let from: *const __m128i = from.as_ptr().cast();
            [widen_bf16(_mm_loadu_si128(from)), widen_bf16(_mm_loadu_si128(from.add(1)))]
        }
        fn load_i32(from: &[[u8; 4]; 16]) -> [__m256i; 2] {
            let from: *const __m256i = from.as_ptr().cast();
            [_mm256_loadu_si256(from), _mm256_loadu_si256(from.add(1))]
        }

        fn store_f32(floats: [__m256; 2], to: &mut [[u8; 4]; 16]) {
            let to: *mut f32 = to.as_mut_ptr().cast();
            _mm256_storeu_ps(to, floats[0]);
            _mm256_storeu_ps(to.add(8), floats[1])
        }
        fn store_first_f32(floats: [__m256; 2], to: &mut [[u8; 4]]) {
            let (masks, to): (_, *mut f32) = (first(to.len()), to.as_mut_ptr().cast());
            _mm256_maskstore_ps(to, masks[0], floats[0]);
            _mm256_maskstore_ps(to.wrapping_add(8), masks[1], floats[1])
        }
        fn store_f16(floats: [__m256; 2], to: &mut [[u8; 2]; 16]) {
            let to: *mut __m128i = to.as_mut_ptr().cast();
            _mm_storeu_si128(to, _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(floats[0]));
            _mm_storeu_si128(to.add(1), _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(floats[1]))
        }
        fn store_bf16(floats: [__m256; 2], to: &mut [[u8; 2]; 16]) {
            // Packing takes 64 bits of each in turn.
            let packed = _mm256_packus_epi32(round_bf16(floats[0]), round_bf16(floats[1]));
            _mm256_storeu_si256(to.as_mut_ptr().cast(), _mm256_permute4x64_epi64::<0b11_01_10_00>(packed))
        }
        fn store_i32(integers: [__m256i; 2], to: &mut [[u8; 4]; 16]) {
            let to: *mut __m256i = to.as_mut_ptr().cast();
            _mm256_storeu_si256(to, integers[0]);
            _mm256_storeu_si256(to.add(1), integers[1])
        }

        fn sum(a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
            canonical([_mm256_add_ps(a[0], b[0]), _mm256_add_ps(a[1], b[1])])
        }
        fn product(a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
            canonical([_mm256_mul_ps(a[0], b[0]), _mm256_mul_ps(a[1], b[1])])
        }
        fn quotient(dividend: [__m256; 2], divisor: f32) -> [__m256; 2] {
            let divisor = _mm256_set1_ps(divisor);
            canonical([_mm256_div_ps(dividend[0], divisor), _mm256_div_ps(dividend[1], divisor)])
        }

        fn splat_f32(x: f32) -> [__m256; 2] {
            [_mm256_set1_ps(x); 2]
        }

        fn quantise(floats: [__m256; 2], factor: f64, limit: f64) -> [__m256i; 2] {
            let scaled = Scaled::new(factor, limit);
            [quantise(floats[0], scaled), quantise(floats[1], scaled)]
        }
        fn dequantise(integers: [__m256i; 2], unit: f64) -> [__m256; 2] {
            [dequantise(integers[0], unit), dequantise(integers[1], unit)]
        }
        fn to_integers(floats: [__m256; 2]) -> [__m256i; 2] {
            [to_integers(floats[0]), to_integers(floats[1])]
        }
        fn to_floats(integers: [__m256i; 2]) -> [__m256; 2] {
            [_mm256_cvtepi32_ps(integers[0]), _mm256_cvtepi32_ps(integers[1])]
        }
        fn order(floats: [__m256; 2], nan: i32) -> [__m256i; 2] {
            [order(floats[0], nan), order(floats[1], nan)]
        }
        fn restore(keys: [__m256i; 2]) -> [__m256; 2] {
            canonical([
                _mm256_castsi256_ps(invert_negative(keys[0])),
                _mm256_castsi256_ps(invert_negative(keys[1])),
            ])
        }

        fn load_u8(from: &[u8; 16]) -> [__m256i; 2] {
            let from: *const u8 = from.as_ptr();
            [
                _mm256_cvtepu8_epi32(_mm_loadl_epi64(from.cast())),
                _mm256_cvtepu8_epi32(_mm_loadl_epi64(from.add(8).cast())),
            ]
        }
        fn load_i16(from: &[[u8; 2]; 16]) -> [__m256i; 2] {
            let from: *const __m128i = from.as_ptr().cast();
            [_mm256_cvtepi16_epi32(_mm_loadu_si128(from)), _mm256_cvtepi16_epi32(_mm_loadu_si128(from.add(1)))]
        }
        fn store_u8(integers: [__m256i; 2], to: &mut [u8; 16]) {
            // Packing takes 128 bits of each in turn: then the first four and the last four of
            // either are 32 bits each.
            let halves = _mm256_packus_epi32(integers[0], integers[1]);
            let places = _mm256_setr_epi32(0, 4, 1, 5, 0, 4, 1, 5);
            let bytes = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(halves, halves), places);
            _mm_storeu_si128(to.as_mut_ptr().cast(), _mm256_castsi256_si128(bytes))
        }
        fn store_u16(integers: [__m256i; 2], to: &mut [[u8; 2]; 16]) {
            let packed = _mm256_packus_epi32(integers[0], integers[1]);
            _mm256_storeu_si256(to.as_mut_ptr().cast(), _mm256_permute4x64_epi64::<0b11_01_10_00>(packed))
        }

        fn splat(integer: i32) -> [__m256i; 2] {
            [_mm256_set1_epi32(integer); 2]
        }
        fn plus(a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            [_mm256_add_epi32(a[0], b[0]), _mm256_add_epi32(a[1], b[1])]
        }
        fn minus(a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            [_mm256_sub_epi32(a[0], b[0]), _mm256_sub_epi32(a[1], b[1])]
        }
        fn and(a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            [_mm256_and_si256(a[0], b[0]), _mm256_and_si256(a[1], b[1])]
        }
        fn or(a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            [_mm256_or_si256(a[0], b[0]), _mm256_or_si256(a[1], b[1])]
        }
        fn xor(a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            [_mm256_xor_si256(a[0], b[0]), _mm256_xor_si256(a[1], b[1])]
        }
        fn unless(mask: [__m256i; 2], a: [__m256i; 2]) -> [__m256i; 2] {
            [_mm256_andnot_si256(mask[0], a[0]), _mm256_andnot_si256(mask[1], a[1])]
        }
        fn select(mask: [__m256i; 2], a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            [_mm256_blendv_epi8(b[0], a[0], mask[0]), _mm256_blendv_epi8(b[1], a[1], mask[1])]
        }
        fn larger(a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            [_mm256_max_epi32(a[0], b[0]), _mm256_max_epi32(a[1], b[1])]
        }
        fn smaller_unsigned(a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            [_mm256_min_epu32(a[0], b[0]), _mm256_min_epu32(a[1], b[1])]
        }
        fn equal(a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            [_mm256_cmpeq_epi32(a[0], b[0]), _mm256_cmpeq_epi32(a[1], b[1])]
        }
        fn above(a: [__m256i; 2], b: [__m256i; 2]) -> [__m256i; 2] {
            [_mm256_cmpgt_epi32(a[0], b[0]), _mm256_cmpgt_epi32(a[1], b[1])]
        }
        fn left(a: [__m256i; 2], by: [__m256i; 2]) -> [__m256i; 2] {
            [_mm256_sllv_epi32(a[0], by[0]), _mm256_sllv_epi32(a[1], by[1])]
        }
        fn right_unsigned(a: [__m256i; 2], by: [__m256i; 2]) -> [__m256i; 2] {
            [_mm256_srlv_epi32(a[0], by[0]), _mm256_srlv_epi32(a[1], by[1])]
        }
        fn right(a: [__m256i; 2], by: [__m256i; 2]) -> [__m256i; 2] {
            [_mm256_srav_epi32(a[0], by[0]), _mm256_srav_epi32(a[1], by[1])]
        }
        fn with_sign(a: [__m256i; 2], sign: [__m256i; 2]) -> [__m256i; 2] {
            [_mm256_sign_epi32(a[0], sign[0]), _mm256_sign_epi32(a[1], sign[1])]
        }
        fn truncated(a: [__m256i; 2]) -> [__m256i; 2] {
            [truncated(a[0]), truncated(a[1])]
        }
        fn any_negative(a: [__m256i; 2]) -> bool {
            _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_or_si256(a[0], a[1]))) != 0
        }
    }
}

/// Masks of the first elements of a group.
#[inline]
#[target_feature(enable = "avx2")]
fn first(elements: usize) -> [__m256i; 2] {
    let (count, places) =
        (_mm256_set1_epi32(elements as i32), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    [
        _mm256_cmpgt_epi32(count, places),
        _mm256_cmpgt_epi32(count, _mm256_add_epi32(places, _mm256_set1_epi32(8))),
    ]
}

/// NaN are rare, and one comparison finds those of both registers.
#[inline]
#[target_feature(enable = "avx2")]
fn canonical(floats: [__m256; 2]) -> [__m256; 2] {
    let unordered = _mm256_cmp_ps::<_CMP_UNORD_Q>(floats[0], floats[1]);
    if _mm256_movemask_ps(unordered) == 0 {
        floats
    } else {
        [without_payload(floats[0]), without_payload(floats[1])]
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn without_payload(floats: __m256) -> __m256 {
    let unordered = _mm256_cmp_ps::<_CMP_UNORD_Q>(floats, floats);
    _mm256_blendv_ps(floats, _mm256_set1_ps(f32::NAN), unordered)
}

/// Inverts the lower 31 bits of the negative ones.
#[inline]
#[target_feature(enable = "avx2")]
fn invert_negative(bits: __m256i) -> __m256i {
    _mm256_xor_si256(bits, _mm256_srli_epi32::<1>(_mm256_srai_epi32::<31>(bits)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn order(floats: __m256, nan: i32) -> __m256i {
    let keys = _mm256_castsi256_ps(invert_negative(_mm256_castps_si256(floats)));
    let unordered = _mm256_cmp_ps::<_CMP_UNORD_Q>(floats, floats);
    _mm256_castps_si256(_mm256_blendv_ps(
        keys,
        _mm256_castsi256_ps(_mm256_set1_epi32(nan)),
        unordered,
    ))
}

#[inline]
#[target_feature(enable = "avx2")]
fn widen_bf16(halves: __m128i) -> __m256 {
    // The load itself fills both halves of the register, so one more instruction brings every
    // element to its place; -1 gives zero.
    let places = _mm256_setr_epi8(
        -1, -1, 0, 1, -1, -1, 2, 3, -1, -1, 4, 5, -1, -1, 6, 7, //
        -1, -1, 8, 9, -1, -1, 10, 11, -1, -1, 12, 13, -1, -1, 14, 15,
    );
    _mm256_castsi256_ps(_mm256_shuffle_epi8(_mm256_broadcastsi128_si256(halves), places))
}

/// As the scalar twin: half up if what remains is odd, just below half otherwise.
#[inline]
#[target_feature(enable = "avx2")]
fn round_bf16(floats: __m256) -> __m256i {
    let bits = _mm256_castps_si256(floats);
    let odd = _mm256_and_si256(_mm256_srli_epi32::<16>(bits), _mm256_set1_epi32(1));
    let rounded = _mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7FFF)));
    _mm256_srli_epi32::<16>(rounded)
}

/// The scale of a block in the form that [`quantise`] needs. Powers of two change no rounding as
/// long as no result leaves the normal range, so they can be put where they cost nothing.
#[derive(Clone, Copy)]
struct Scaled {
    factor: __m256d,
    limit: __m256d,
    round: __m256d,
}

impl Scaled {
    /// Exponent of the power of two by which an `f32` shrinks when its exponent and fraction stand
    /// in the places of an `f64`'s: the difference of the biases.
    const PLACED: i32 = 1023 - 127;
    /// Exponent of the power of two by which lanes are scaled down. The factor is 2^180 at most
    /// (R-NUM-8), so that 2^(180 + 896) would not fit an `f64`.
    const DOWN: i32 = 128;

    #[inline]
    #[target_feature(enable = "avx2")]
    fn new(factor: f64, limit: f64) -> Self {
        Self {
            factor: _mm256_set1_pd(factor * power_of_two(Self::PLACED - Self::DOWN)),
            limit: _mm256_set1_pd(limit * power_of_two(-Self::DOWN)),
            round: _mm256_set1_pd(ROUND * power_of_two(-Self::DOWN)),
        }
    }
}

const fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// As the scalar twin, but on magnitudes, so that one comparison clamps them: rounding to even is
/// the same on both sides of zero. The sign comes last, and with it the zeros for what is not
/// finite.
#[inline]
#[target_feature(enable = "avx2")]
fn quantise(floats: __m256, scaled: Scaled) -> __m256i {
    let magnitudes = _mm256_andnot_ps(_mm256_set1_ps(-0.0), floats);
    let finite = _mm256_cmp_ps::<_CMP_LT_OQ>(magnitudes, _mm256_set1_ps(f32::INFINITY));
    let signs = _mm256_castps_si256(_mm256_and_ps(floats, finite));

    // Unpacking takes 128 bits of each in turn, and so does shuffling: together they keep the
    // order.
    let zero = _mm256_setzero_si256();
    let low = quantise_half(_mm256_unpacklo_epi32(zero, _mm256_castps_si256(magnitudes)), scaled);
    let high = quantise_half(_mm256_unpackhi_epi32(zero, _mm256_castps_si256(magnitudes)), scaled);
    let lanes = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(low, high));
    _mm256_sign_epi32(lanes, signs)
}

/// Four magnitudes in the upper half of 64 bits each, to lanes in the lower half. Shifted by the
/// difference in length of the exponents, the bits are an `f64`, without a conversion: too small by
/// a power of two, also where the `f32` is subnormal. Adding rounds, as in the scalar twin.
#[inline]
#[target_feature(enable = "avx2")]
fn quantise_half(magnitudes: __m256i, scaled: Scaled) -> __m256 {
    let placed = _mm256_castsi256_pd(_mm256_srli_epi64::<3>(magnitudes));
    let clamped = _mm256_min_pd(_mm256_mul_pd(placed, scaled.factor), scaled.limit);
    _mm256_castpd_ps(_mm256_add_pd(clamped, scaled.round))
}

#[inline]
#[target_feature(enable = "avx2")]
fn dequantise(integers: __m256i, unit: f64) -> __m256 {
    let unit = _mm256_set1_pd(unit);
    let low = _mm256_mul_pd(_mm256_cvtepi32_pd(_mm256_castsi256_si128(integers)), unit);
    let high = _mm256_mul_pd(_mm256_cvtepi32_pd(_mm256_extracti128_si256::<1>(integers)), unit);
    _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low))
}

/// Converts floats to integers. Masks out those that are not finite before the conversion.
#[inline]
#[target_feature(enable = "avx2")]
fn to_integers(floats: __m256) -> __m256i {
    let magnitudes = _mm256_andnot_ps(_mm256_set1_ps(-0.0), floats);
    let finite = _mm256_cmp_ps::<_CMP_LT_OQ>(magnitudes, _mm256_set1_ps(f32::INFINITY));
    _mm256_cvtps_epi32(_mm256_and_ps(floats, finite))
}

/// As the scalar twin.
#[inline]
#[target_feature(enable = "avx2")]
fn truncated(a: __m256i) -> __m256i {
    let converted = _mm256_cvtepi32_ps(_mm256_andnot_si256(_mm256_srli_epi32::<24>(a), a));
    _mm256_castps_si256(_mm256_andnot_ps(_mm256_set1_ps(-0.0), converted))
}
