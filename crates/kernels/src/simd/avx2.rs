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
            [canonical(_mm256_add_ps(a[0], b[0])), canonical(_mm256_add_ps(a[1], b[1]))]
        }
        fn product(a: [__m256; 2], b: [__m256; 2]) -> [__m256; 2] {
            [canonical(_mm256_mul_ps(a[0], b[0])), canonical(_mm256_mul_ps(a[1], b[1]))]
        }
        fn quotient(dividend: [__m256; 2], divisor: f32) -> [__m256; 2] {
            let divisor = _mm256_set1_ps(divisor);
            [canonical(_mm256_div_ps(dividend[0], divisor)), canonical(_mm256_div_ps(dividend[1], divisor))]
        }

        fn quantise(floats: [__m256; 2], factor: f64, limit: f64) -> [__m256i; 2] {
            [quantise(floats[0], factor, limit), quantise(floats[1], factor, limit)]
        }
        fn dequantise(integers: [__m256i; 2], unit: f64) -> [__m256; 2] {
            [dequantise(integers[0], unit), dequantise(integers[1], unit)]
        }
        fn order(floats: [__m256; 2], nan: i32) -> [__m256i; 2] {
            [order(floats[0], nan), order(floats[1], nan)]
        }
        fn restore(keys: [__m256i; 2]) -> [__m256; 2] {
            [
                canonical(_mm256_castsi256_ps(invert_negative(keys[0]))),
                canonical(_mm256_castsi256_ps(invert_negative(keys[1]))),
            ]
        }
    }
}

#[inline]
#[target_feature(enable = "avx2")]
fn canonical(floats: __m256) -> __m256 {
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
    _mm256_castps_si256(_mm256_blendv_ps(keys, _mm256_castsi256_ps(_mm256_set1_epi32(nan)), unordered))
}

#[inline]
#[target_feature(enable = "avx2")]
fn widen_bf16(halves: __m128i) -> __m256 {
    _mm256_castsi256_ps(_mm256_slli_epi32::<16>(_mm256_cvtepu16_epi32(halves)))
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

#[inline]
#[target_feature(enable = "avx2")]
fn quantise(floats: __m256, factor: f64, limit: f64) -> __m256i {
    let magnitude = _mm256_andnot_ps(_mm256_set1_ps(-0.0), floats);
    let finite = _mm256_cmp_ps::<_CMP_LT_OQ>(magnitude, _mm256_set1_ps(f32::INFINITY));
    let finite = _mm256_and_ps(floats, finite);
    let low = quantise_half(_mm256_castps256_ps128(finite), factor, limit);
    let high = quantise_half(_mm256_extractf128_ps::<1>(finite), factor, limit);
    // The lower half of each. Shuffling takes 128 bits of each in turn.
    let shuffled = _mm256_shuffle_ps::<0b10_00_10_00>(low, high);
    _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_castps_si256(shuffled))
}

/// Four lanes, each in the lower half of 64 bits. Adding rounds them, as in the scalar twin, in fewer cycles than a conversion.
#[inline]
#[target_feature(enable = "avx2")]
fn quantise_half(finite: __m128, factor: f64, limit: f64) -> __m256 {
    let scaled = _mm256_mul_pd(_mm256_cvtps_pd(finite), _mm256_set1_pd(factor));
    let clamped = _mm256_max_pd(_mm256_min_pd(scaled, _mm256_set1_pd(limit)), _mm256_set1_pd(-limit));
    _mm256_castpd_ps(_mm256_add_pd(clamped, _mm256_set1_pd(ROUND)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn dequantise(integers: __m256i, unit: f64) -> __m256 {
    let unit = _mm256_set1_pd(unit);
    let low = _mm256_mul_pd(_mm256_cvtepi32_pd(_mm256_castsi256_si128(integers)), unit);
    let high = _mm256_mul_pd(_mm256_cvtepi32_pd(_mm256_extracti128_si256::<1>(integers)), unit);
    _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low))
}
