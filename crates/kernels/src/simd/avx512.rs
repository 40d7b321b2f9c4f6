//! Groups in one register of AVX-512.

use super::{ROUND, Simd, intrinsics};
use std::arch::x86_64::*;

/// The subsets F, BW, DQ and VL of AVX-512.
#[derive(Clone, Copy)]
pub(crate) struct Avx512(());

impl Avx512 {
    /// Safe only where these features are there.
    #[inline]
    #[target_feature(enable = "avx2,avx512f,avx512bw,avx512dq,avx512vl")]
    pub(crate) fn new() -> Self {
        Self(())
    }
}
/// A mask of the first elements of a group.
#[inline(always)]
fn first(elements: usize) -> __mmask16 {
    debug_assert!(elements <= 16, "a group has 16 elements");
    ((1u32 << elements) - 1) as __mmask16
}

/// Rounding to nearest, ties to even.
const NEAREST: i32 = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;

impl Simd<16> for Avx512 {
    type Floats = __m512;
    type Integers = __m512i;

    intrinsics! {
        fn load_f32(from: &[[u8; 4]; 16]) -> __m512 {
            _mm512_loadu_ps(from.as_ptr().cast())
        }
        fn load_first_f32(from: &[[u8; 4]]) -> __m512 {
            _mm512_maskz_loadu_ps(first(from.len()), from.as_ptr().cast())
        }
        fn load_f16(from: &[[u8; 2]; 16]) -> __m512 {
            _mm512_cvtph_ps(_mm256_loadu_si256(from.as_ptr().cast()))
        }
        fn load_bf16(from: &[[u8; 2]; 16]) -> __m512 {
            let bits = _mm512_cvtepu16_epi32(_mm256_loadu_si256(from.as_ptr().cast()));
            _mm512_castsi512_ps(_mm512_slli_epi32::<16>(bits))
        }
        fn load_i32(from: &[[u8; 4]; 16]) -> __m512i {
            _mm512_loadu_si512(from.as_ptr().cast())
        }

        fn store_f32(floats: __m512, to: &mut [[u8; 4]; 16]) {
            _mm512_storeu_ps(to.as_mut_ptr().cast(), floats)
        }
        fn store_first_f32(floats: __m512, to: &mut [[u8; 4]]) {
            _mm512_mask_storeu_ps(to.as_mut_ptr().cast(), first(to.len()), floats)
        }
        fn store_f16(floats: __m512, to: &mut [[u8; 2]; 16]) {
            _mm256_storeu_si256(to.as_mut_ptr().cast(), _mm512_cvtps_ph::<NEAREST>(floats))
        }
        fn store_bf16(floats: __m512, to: &mut [[u8; 2]; 16]) {
            // As the scalar twin: half up if what remains is odd, just below half otherwise.
            let bits = _mm512_castps_si512(floats);
            let odd = _mm512_and_si512(_mm512_srli_epi32::<16>(bits), _mm512_set1_epi32(1));
            let rounded = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7FFF)));
            let halves = _mm512_cvtepi32_epi16(_mm512_srli_epi32::<16>(rounded));
            _mm256_storeu_si256(to.as_mut_ptr().cast(), halves)
        }
        fn store_i32(integers: __m512i, to: &mut [[u8; 4]; 16]) {
            _mm512_storeu_si512(to.as_mut_ptr().cast(), integers)
        }

        fn sum(a: __m512, b: __m512) -> __m512 {
            canonical(_mm512_add_ps(a, b))
        }
        fn product(a: __m512, b: __m512) -> __m512 {
            canonical(_mm512_mul_ps(a, b))
        }
        fn quotient(dividend: __m512, divisor: f32) -> __m512 {
            canonical(_mm512_div_ps(dividend, _mm512_set1_ps(divisor)))
        }

        fn splat_f32(x: f32) -> __m512 {
            _mm512_set1_ps(x)
        }

        fn quantise(floats: __m512, factor: f64, limit: f64) -> __m512i {
            // Magnitudes that the factor takes to no more than 31 bits.
            let within = _mm512_set1_ps(((f64::from(i32::MAX) / factor) as f32).next_down());
            let beyond = _mm512_cmp_ps_mask::<_CMP_NLE_UQ>(_mm512_abs_ps(floats), within);
            if beyond != 0 {
                return quantise_any(floats, factor, limit);
            }
            let low = scale_half(_mm512_castps512_ps256(floats), factor);
            let high = scale_half(_mm512_extractf32x8_ps::<1>(floats), factor);
            let lanes = join_halves(rounded(low), rounded(high));
            // The limit is an integer, so it is the same to clamp before rounding or after.
            let least = _mm512_min_epi32(lanes, _mm512_set1_epi32(limit as i32));
            _mm512_max_epi32(least, _mm512_set1_epi32(-limit as i32))
        }
        fn dequantise(integers: __m512i, unit: f64) -> __m512 {
            let unit = _mm512_set1_pd(unit);
            let low = _mm512_mul_pd(_mm512_cvtepi32_pd(_mm512_castsi512_si256(integers)), unit);
            let high = _mm512_mul_pd(_mm512_cvtepi32_pd(_mm512_extracti32x8_epi32::<1>(integers)), unit);
            let (low, high) = (_mm512_cvtpd_ps(low), _mm512_cvtpd_ps(high));
            _mm512_insertf32x8::<1>(_mm512_castps256_ps512(low), high)
        }
        fn to_integers(floats: __m512) -> __m512i {
            let finite = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(_mm512_abs_ps(floats), _mm512_set1_ps(f32::INFINITY));
            _mm512_maskz_cvtps_epi32(finite, floats)
        }
        fn to_floats(integers: __m512i) -> __m512 {
            _mm512_cvtepi32_ps(integers)
        }
        fn order(floats: __m512, nan: i32) -> __m512i {
            let keys = invert_negative(_mm512_castps_si512(floats));
            let unordered = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(floats, floats);
            _mm512_mask_mov_epi32(keys, unordered, _mm512_set1_epi32(nan))
        }
        fn restore(keys: __m512i) -> __m512 {
            canonical(_mm512_castsi512_ps(invert_negative(keys)))
        }

        fn load_u8(from: &[u8; 16]) -> __m512i {
            _mm512_cvtepu8_epi32(_mm_loadu_si128(from.as_ptr().cast()))
        }
        fn load_i16(from: &[[u8; 2]; 16]) -> __m512i {
            _mm512_cvtepi16_epi32(_mm256_loadu_si256(from.as_ptr().cast()))
        }
        fn store_u8(integers: __m512i, to: &mut [u8; 16]) {
            _mm_storeu_si128(to.as_mut_ptr().cast(), _mm512_cvtepi32_epi8(integers))
        }
        fn store_u16(integers: __m512i, to: &mut [[u8; 2]; 16]) {
            _mm256_storeu_si256(to.as_mut_ptr().cast(), _mm512_cvtepi32_epi16(integers))
        }

        fn splat(integer: i32) -> __m512i {
            _mm512_set1_epi32(integer)
        }
        fn plus(a: __m512i, b: __m512i) -> __m512i {
            _mm512_add_epi32(a, b)
        }
        fn minus(a: __m512i, b: __m512i) -> __m512i {
            _mm512_sub_epi32(a, b)
        }
        fn and(a: __m512i, b: __m512i) -> __m512i {
            _mm512_and_si512(a, b)
        }
        fn or(a: __m512i, b: __m512i) -> __m512i {
            _mm512_or_si512(a, b)
        }
        fn xor(a: __m512i, b: __m512i) -> __m512i {
            _mm512_xor_si512(a, b)
        }
        fn unless(mask: __m512i, a: __m512i) -> __m512i {
            _mm512_andnot_si512(mask, a)
        }
        fn select(mask: __m512i, a: __m512i, b: __m512i) -> __m512i {
            _mm512_mask_mov_epi32(b, _mm512_movepi32_mask(mask), a)
        }
        fn larger(a: __m512i, b: __m512i) -> __m512i {
            _mm512_max_epi32(a, b)
        }
        fn smaller_unsigned(a: __m512i, b: __m512i) -> __m512i {
            _mm512_min_epu32(a, b)
        }
        fn equal(a: __m512i, b: __m512i) -> __m512i {
            _mm512_movm_epi32(_mm512_cmpeq_epi32_mask(a, b))
        }
        fn above(a: __m512i, b: __m512i) -> __m512i {
            _mm512_movm_epi32(_mm512_cmpgt_epi32_mask(a, b))
        }
        fn left(a: __m512i, by: __m512i) -> __m512i {
            _mm512_sllv_epi32(a, by)
        }
        fn right_unsigned(a: __m512i, by: __m512i) -> __m512i {
            _mm512_srlv_epi32(a, by)
        }
        fn right(a: __m512i, by: __m512i) -> __m512i {
            _mm512_srav_epi32(a, by)
        }
        fn with_sign(a: __m512i, sign: __m512i) -> __m512i {
            _mm512_mask_sub_epi32(a, _mm512_movepi32_mask(sign), _mm512_setzero_si512(), a)
        }
        fn truncated(a: __m512i) -> __m512i {
            _mm512_castps_si512(_mm512_cvt_roundepu32_ps::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(a))
        }
        fn any_negative(a: __m512i) -> bool {
            _mm512_movepi32_mask(a) != 0
        }
    }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn canonical(floats: __m512) -> __m512 {
    let unordered = _mm512_cmp_ps_mask::<_CMP_UNORD_Q>(floats, floats);
    _mm512_mask_mov_ps(floats, unordered, _mm512_set1_ps(f32::NAN))
}

/// Inverts the lower 31 bits of the negative ones.
#[inline]
#[target_feature(enable = "avx512f")]
fn invert_negative(bits: __m512i) -> __m512i {
    _mm512_xor_si512(bits, _mm512_srli_epi32::<1>(_mm512_srai_epi32::<31>(bits)))
}

/// Quantises floats of which one is NaN, infinite, or far above its block's agreed exponent.
#[cold]
#[inline(never)]
#[target_feature(enable = "avx512f,avx512dq")]
fn quantise_any(floats: __m512, factor: f64, limit: f64) -> __m512i {
    let infinity = _mm512_set1_ps(f32::INFINITY);
    let finite = _mm512_cmp_ps_mask::<_CMP_LT_OQ>(_mm512_abs_ps(floats), infinity);
    let finite = _mm512_maskz_mov_ps(finite, floats);
    let clamped = |half| {
        let least = _mm512_min_pd(scale_half(half, factor), _mm512_set1_pd(limit));
        rounded(_mm512_max_pd(least, _mm512_set1_pd(-limit)))
    };
    let (low, high) = (_mm512_castps512_ps256(finite), _mm512_extractf32x8_ps::<1>(finite));
    join_halves(clamped(low), clamped(high))
}

#[inline]
#[target_feature(enable = "avx512f")]
fn scale_half(floats: __m256, factor: f64) -> __m512d {
    _mm512_mul_pd(_mm512_cvtps_pd(floats), _mm512_set1_pd(factor))
}

/// Eight lanes, each in the lower half of 64 bits. Adding rounds them, as in the scalar twin, in
/// fewer cycles than a conversion.
#[inline]
#[target_feature(enable = "avx512f")]
fn rounded(scaled: __m512d) -> __m512i {
    _mm512_castpd_si512(_mm512_add_pd(scaled, _mm512_set1_pd(ROUND)))
}

/// Joins the lower halves of 64 bits each.
#[inline]
#[target_feature(enable = "avx512f")]
fn join_halves(low: __m512i, high: __m512i) -> __m512i {
    let index = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
    _mm512_permutex2var_epi32(low, index, high)
}
