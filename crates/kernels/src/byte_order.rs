//! Lanes in either order of bytes, as the processor holds them and back (R-NUM-19).

use netfold_num::ByteOrder;

/// Returns whether lanes in an order must be swapped on this host.
pub(crate) const fn differs(order: ByteOrder) -> bool {
    matches!(order, ByteOrder::Network) == cfg!(target_endian = "little")
}

/// The bytes of a lane.
pub(crate) trait Bytes: Copy {
    fn swapped(self) -> Self;
}

/// Swaps by integers of a lane's size: the compiler knows that swapping their bytes is a shuffle.
macro_rules! bytes {
    ($($count:literal as $integer:ty),*) => {$(
        impl Bytes for [u8; $count] {
            #[inline(always)]
            fn swapped(self) -> Self {
                <$integer>::from_ne_bytes(self).swap_bytes().to_ne_bytes()
            }
        }
    )*};
}

bytes!(1 as u8, 2 as u16, 4 as u32, 8 as u64);

/// A lane, in the other order if `SWAP`.
#[inline(always)]
pub(crate) fn ordered<const SWAP: bool, B: Bytes>(lane: B) -> B {
    if SWAP { lane.swapped() } else { lane }
}

/// A group of lanes in the other order.
#[inline(always)]
pub(crate) fn swapped<B: Bytes, const G: usize>(lanes: &[B; G]) -> [B; G] {
    let mut lanes = *lanes;
    for lane in &mut lanes {
        *lane = lane.swapped();
    }
    lanes
}
