//! The layout of a small cell.

pub const TAG_AT: usize = 0;
pub const ABOUT_AT: usize = 8;
pub const POSTED_AT: usize = 16;
pub const CORE_AT: usize = 24;
pub const MESSAGE_AT: usize = 32;

pub const MESSAGE_BYTES: usize = 4;
pub const CELL_BYTES: usize = 40;
