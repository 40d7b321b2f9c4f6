//! A piece of memory that other processes have, too.
#![expect(unsafe_code, reason = "mapped memory is reached through pointers")]

use std::ffi::c_void;
use std::os::fd::BorrowedFd;
use std::ptr::{self, NonNull};
use std::slice;
use std::sync::atomic::{AtomicU32, AtomicU64};

use netfold_kernels::prefetch_to_write;
use rustix::io::Errno;
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

/// A shared mapping of the first `len` bytes of a descriptor, for as long as this lives.
#[derive(Debug)]
pub(crate) struct Mapping {
    start: NonNull<u8>,
    len: usize,
}

// SAFETY: the mapping belongs to the process, not to a thread, and is unmapped only when nobody has
// the value any more.
unsafe impl Send for Mapping {}
// SAFETY: shared references give atomic words, which any thread may use at once; bytes are given by
// unsafe functions, whose callers see to it that they are not written and read at once.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps the first `len` bytes of the memory behind `descriptor`, which must be that long for as
    /// long as the mapping lives: sealed against shrinking.
    pub(crate) fn new(descriptor: BorrowedFd<'_>, len: usize) -> Result<Self, Errno> {
        // SAFETY: without MAP_FIXED the kernel chooses a place where nothing is mapped.
        let start = unsafe {
            mmap(
                ptr::null_mut(),
                len,
                ProtFlags::READ | ProtFlags::WRITE,
                MapFlags::SHARED,
                descriptor,
                0,
            )?
        };
        let start = NonNull::new(start.cast()).ok_or(Errno::NOMEM)?;
        Ok(Self { start, len })
    }

    /// Returns `count` words of 32 bits from byte `at` on.
    ///
    /// # Panics
    /// If they are not inside, or not aligned.
    #[inline]
    pub(crate) fn words(&self, at: usize, count: usize) -> &[AtomicU32] {
        let start = self.checked::<AtomicU32>(at, count);
        // SAFETY: `checked` has seen to bounds and alignment; every pattern of bits is an atomic
        // word, and others change it atomically or, if they are hostile, as they like, which an
        // atomic load reads as some value.
        unsafe { slice::from_raw_parts(start, count) }
    }

    /// Returns `count` words of 64 bits from byte `at` on.
    ///
    /// # Panics
    /// If they are not inside, or not aligned.
    #[inline]
    pub(crate) fn wide_words(&self, at: usize, count: usize) -> &[AtomicU64] {
        let start = self.checked::<AtomicU64>(at, count);
        // SAFETY: as above.
        unsafe { slice::from_raw_parts(start, count) }
    }

    /// Returns `len` bytes from byte `at` on.
    ///
    /// # Panics
    /// If they are not inside.
    ///
    /// # Safety
    /// No user of this crate writes to them while the reference lives.
    #[inline]
    pub(crate) unsafe fn bytes(&self, at: usize, len: usize) -> &[u8] {
        let start = self.checked::<u8>(at, len);
        // SAFETY: `checked` has seen to the bounds, the caller to the absence of writers.
        unsafe { slice::from_raw_parts(start, len) }
    }

    /// `len` bytes from byte `at` on, to write.
    ///
    /// # Panics
    /// If they are not inside.
    ///
    /// # Safety
    /// No other user of this crate reads or writes them while the reference lives.
    #[expect(
        clippy::mut_from_ref,
        reason = "who may write is settled by locks in the memory itself, which the caller holds"
    )]
    #[inline]
    pub(crate) unsafe fn bytes_mut(&self, at: usize, len: usize) -> &mut [u8] {
        let start = self.checked::<u8>(at, len);
        // SAFETY: `checked` has seen to the bounds, the caller to the absence of others.
        unsafe { slice::from_raw_parts_mut(start, len) }
    }

    /// Has the processor fetch the line of byte `at`, to write to it.
    ///
    /// # Panics
    /// If it is not inside.
    #[inline]
    pub(crate) fn prefetch(&self, at: usize) {
        prefetch_to_write(self.checked(at, 1));
    }

    /// Returns the address of `count` values of T from byte `at` on.
    #[inline]
    fn checked<T>(&self, at: usize, count: usize) -> *mut T {
        let end = count.checked_mul(size_of::<T>()).and_then(|len| at.checked_add(len));
        assert!(
            end.is_some_and(|end| end <= self.len),
            "{count} values at {at} are not inside {} bytes",
            self.len
        );
        assert!(at.is_multiple_of(align_of::<T>()), "byte {at} is not aligned");
        // SAFETY: `at` is inside the mapping, or one past its end. A mapping begins on a page, so
        // that alignment within it is alignment.
        unsafe { self.start.as_ptr().add(at).cast() }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the value made this mapping, and every reference into it has borrowed the value.
        // Unmapping a whole mapping does not fail.
        let _ = unsafe { munmap(self.start.as_ptr().cast::<c_void>(), self.len) };
    }
}
