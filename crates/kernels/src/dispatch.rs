//! One body, compiled for several levels of the processor, and chosen at run time.

#[cfg(target_arch = "x86_64")]
use crate::simd::{Avx2, Avx512};
use crate::simd::{Portable, Simd};
use std::fmt;
use std::sync::LazyLock;

/// The capabilities of a processor, as far as they matter here. A value of this type exists only
/// for capabilities that this processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Set {
    /// The instructions that the target of this build always has: SSE2 on x86-64.
    Baseline,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// The best level of this processor, found out once.
    pub fn best() -> Self {
        static BEST: LazyLock<Level> =
            LazyLock::new(|| Level::available().last().expect("the baseline is always available"));
        *BEST
    }

    /// Every level of this processor, slowest first; at least the baseline.
    #[cfg(target_arch = "x86_64")]
    pub fn available() -> impl Iterator<Item = Self> {
        let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("f16c");
        let avx512 = avx2
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vl");
        [(true, Set::Baseline), (avx2, Set::Avx2), (avx512, Set::Avx512)]
            .into_iter()
            .filter_map(|(available, set)| available.then_some(Self(set)))
    }

    /// Every level of this processor, slowest first; at least the baseline.
    #[cfg(not(target_arch = "x86_64"))]
    pub fn available() -> impl Iterator<Item = Self> {
        [Self(Set::Baseline)].into_iter()
    }

    /// Returns the short name, `avx2`, as [`fmt::Display`] writes it.
    pub const fn name(self) -> &'static str {
        match self.0 {
            Set::Baseline => "baseline",
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => "avx2",
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => "avx512",
        }
    }

    /// Runs a kernel as compiled for this level.
    #[inline]
    pub fn run<K: PlainKernel>(self, kernel: K) -> K::Output {
        run(self, kernel)
    }

    /// Bytes of a vector register.
    pub const fn vector_bytes(self) -> usize {
        match self.0 {
            Set::Baseline => 16,
            #[cfg(target_arch = "x86_64")]
            Set::Avx2 => 32,
            #[cfg(target_arch = "x86_64")]
            Set::Avx512 => 64,
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A kernel of operations on groups of elements, with its arguments; the rest is as for
/// [`PlainKernel`].
pub(crate) trait Kernel: Sized {
    type Output;

    /// The body, for any level, by the operations of `simd`.
    fn run<const G: usize>(self, simd: impl Simd<G>) -> Self::Output;
}

/// A kernel of plain loops with its arguments, also one of another crate; [`Level::run`] runs it.
/// `run` must be `#[inline(always)]`, and all that its loops call as well: only what is inlined
/// into a function of a level is compiled for that level.
pub trait PlainKernel: Sized {
    /// Result of the kernel.
    type Output;

    /// Runs the loops.
    fn run(self) -> Self::Output;
}

impl<K: PlainKernel> Kernel for K {
    type Output = <K as PlainKernel>::Output;

    #[inline(always)]
    fn run<const G: usize>(self, _simd: impl Simd<G>) -> Self::Output {
        PlainKernel::run(self)
    }
}

/// Runs a kernel as compiled for a level.
#[inline]
#[cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "a function with target features is called after they were tested for"
    )
)]
pub(crate) fn run<K: Kernel>(level: Level, kernel: K) -> K::Output {
    match level.0 {
        Set::Baseline => kernel.run(Portable),
        // SAFETY: `Level` has a private field, and `Level::available` makes one with this value
        // only if the processor has AVX2 and F16C.
        #[cfg(target_arch = "x86_64")]
        Set::Avx2 => unsafe { avx2(kernel) },
        // SAFETY: as above, for the subsets of AVX-512 that `avx512` names.
        #[cfg(target_arch = "x86_64")]
        Set::Avx512 => unsafe { avx512(kernel) },
    }
}

// FMA is left out of both: a fused multiply and add rounds once where the reference rounds twice.
// (Rust fuses nothing by itself.)

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,f16c")]
fn avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx2::new())
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,f16c,avx512f,avx512bw,avx512dq,avx512vl")]
fn avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx512::new())
}
