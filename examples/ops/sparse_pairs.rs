//! The merge of two sparse vectors: pairs of an index and a value, in the order of their indices.
//! Values of the same index are added. They are integers, such as fixed-point numbers, so that
//! every order gives the same bits.
//!
//! A message has room for 1024 pairs; places that are not used have the index `u32::MAX`. If the
//! two have more indices than a message has places, the smallest ones stay: a message whose last
//! place is used may be incomplete.
#![no_std]

#[used]
#[unsafe(link_section = "netfold.operation")]
static DECLARATION: [u8; 96] = *b"abi 1\n\
    name sparse-pair-merge\nelement u32,i32\nscope message 1024\n\
    associative yes\ncommutative yes\n";

/// Most pairs of a message.
const MOST: usize = 1024;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct Pair {
    index: u32,
    value: i32,
}

const UNUSED: Pair = Pair { index: u32::MAX, value: 0 };

/// Room for the pairs of both; written anew by each call.
static mut BOTH: [Pair; 2 * MOST] = [Pair { index: 0, value: 0 }; 2 * MOST];

/// Folds a message (R-OP-8).
///
/// # Safety
/// Both messages have `count` pairs, and do not overlap: netfold sees to it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fold(left: *mut Pair, right: *const Pair, count: usize) {
    // SAFETY: the caller's; netfold makes one call at a time.
    let (left, right, both) = unsafe {
        let left = core::slice::from_raw_parts_mut(left, count);
        (left, core::slice::from_raw_parts(right, count), &mut *(&raw mut BOTH))
    };
    let both = &mut both[..2 * count];
    both[..count].copy_from_slice(left);
    both[count..].copy_from_slice(right);
    both.sort_unstable_by_key(|pair| pair.index);
    left.fill(UNUSED);
    let mut used = 0;
    for pair in both.iter().take_while(|pair| pair.index != UNUSED.index) {
        match left[..used].last_mut() {
            Some(last) if last.index == pair.index => {
                last.value = last.value.wrapping_add(pair.value);
            }
            _ if used < count => {
                left[used] = *pair;
                used += 1;
            }
            _ => break,
        }
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
