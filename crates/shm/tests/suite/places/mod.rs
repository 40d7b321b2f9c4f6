//! Offsets in a segment, for tests that write behind the crate's back.

/// Offset of the slots of a job of at most 256, a line each: behind the head (identity, state, a
/// bit for each of 1,024 cores), two doorbells, the toggles and the bits for the way up.
pub const SLOTS_AT: u64 = 2 * 64 + 1024 / 8 + 4 * 64;
