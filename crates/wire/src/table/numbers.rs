//! Ranks of rows and registers of windows, as packets carry them.

use netfold_num::ByteOrder;

use super::RANK_BYTES;

/// Returns the ranks in `bytes`, in the job's byte order (R-NUM-19).
#[inline]
pub fn ranks(bytes: &[u8], order: ByteOrder) -> impl Iterator<Item = u32> + Clone + use<'_> {
    let (ranks, _) = bytes.as_chunks::<RANK_BYTES>();
    ranks.iter().map(move |rank| match order {
        ByteOrder::Little => u32::from_le_bytes(*rank),
        ByteOrder::Network => u32::from_be_bytes(*rank),
    })
}

/// Returns the bytes of a rank.
#[inline]
pub fn rank_bytes(rank: u32, order: ByteOrder) -> [u8; RANK_BYTES] {
    match order {
        ByteOrder::Little => rank.to_le_bytes(),
        ByteOrder::Network => rank.to_be_bytes(),
    }
}

/// Returns the registers of a window in `bytes`. They are in network order in every job, as headers
/// are.
pub fn registers(bytes: &[u8]) -> impl Iterator<Item = u32> + use<'_> {
    ranks(bytes, ByteOrder::Network)
}

/// Writes the registers of a window to `bytes`, as many as there is room for.
pub fn write_registers(window: &[u32], bytes: &mut [u8]) {
    for (bytes, register) in bytes.chunks_exact_mut(RANK_BYTES).zip(window) {
        bytes.copy_from_slice(&rank_bytes(*register, ByteOrder::Network));
    }
}
