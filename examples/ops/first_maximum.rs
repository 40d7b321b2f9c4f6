//! The larger of two values, and of two equal ones the left one: associative, but the order of the
//! operands is seen in the second field.
#![no_std]

#[used]
#[unsafe(link_section = "netfold.operation")]
static DECLARATION: [u8; 69] =
    *b"abi 1\nname first-maximum\nelement i32,u32\nassociative yes\nrange 1 0 9\n";

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Entry {
    value: i32,
    origin: u32,
}

/// Folds a batch (R-OP-8).
///
/// # Safety
/// Both sequences have `count` entries, and do not overlap: netfold sees to it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fold(left: *mut Entry, right: *const Entry, count: usize) {
    // SAFETY: the caller's.
    let (left, right) = unsafe {
        (core::slice::from_raw_parts_mut(left, count), core::slice::from_raw_parts(right, count))
    };
    for (left, right) in left.iter_mut().zip(right) {
        if right.value > left.value {
            *left = *right;
        }
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
