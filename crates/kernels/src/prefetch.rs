//! Hints to the processor about memory that is needed soon.

/// Asks for the line of the cache that `at` is in, to write to it: where another core has it, it is on its way here while this one does other things. It changes nothing but the time
/// that this takes, so that any address will do, and does nothing where the target has no such instruction.
#[inline]
pub fn prefetch_to_write(at: *const u8) {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "an instruction that the compiler has no intrinsic for")]
    // SAFETY: a prefetch is a hint: it neither reads nor writes anything that the program sees, and may be given any address. Processors that lack it do nothing there.
    unsafe {
        std::arch::asm!("prefetchw [{}]", in(reg) at, options(nostack, preserves_flags));
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = at;
}
