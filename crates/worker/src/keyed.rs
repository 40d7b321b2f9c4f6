//! Hot keys of sparse models, which the switch folds by key (`spec/sparse.md`).

mod packing;

pub use packing::{Layout, Packer};
