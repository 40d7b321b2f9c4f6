//! Hints to the processor about memory that is needed soon.

/// Asks for memory that is read soon, at most 16 lines of the cache from the start on. It changes
/// nothing but the time that this takes, and does nothing where the target has no such instruction.
#[inline]
pub fn prefetch<T>(soon: &[T]) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..size_of_val(soon).div_ceil(LINE).min(MOST_LINES) {
        prefetch_line(soon.as_ptr().wrapping_byte_add(line * LINE).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = soon;
}

/// Bytes of a line of the cache.
#[cfg(target_arch = "x86_64")]
const LINE: usize = 64;
/// Lines that a core waits for at once; the processor fetches what follows by itself.
#[cfg(target_arch = "x86_64")]
const MOST_LINES: usize = 16;

#[cfg(target_arch = "x86_64")]
#[inline]
#[expect(unsafe_code, reason = "an intrinsic of every x86-64")]
fn prefetch_line(at: *const i8) {
    // SAFETY: a prefetch is a hint: it reads nothing that the program sees, and may be given any
    // address.
    unsafe { std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(at) };
}

/// Asks for the line of the cache that `at` is in, to write to it: where another core has it, it is
/// on its way here while this one does other things. It changes nothing but the time that this
/// takes, so that any address will do, and does nothing where the target has no such instruction.
#[inline]
pub fn prefetch_to_write(at: *const u8) {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "an instruction that the compiler has no intrinsic for")]
    // SAFETY: a prefetch is a hint: it neither reads nor writes anything that the program sees, and
    // may be given any address. Processors that lack it do nothing there.
    unsafe {
        std::arch::asm!("prefetchw [{}]", in(reg) at, options(nostack, preserves_flags));
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
