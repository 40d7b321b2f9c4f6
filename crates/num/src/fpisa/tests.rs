//! FPISA against exact arithmetic: values as integers in one small unit, floors by division, reads
//! by search among all patterns.

extern crate std;

mod bounds;
mod exact;
mod narrow;
mod operations;
mod sharing;
mod trees;
mod wide;
