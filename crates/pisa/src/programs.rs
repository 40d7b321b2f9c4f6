//! netfold's programs for pipelines.

mod frame;
mod lanes;
mod outcome;
pub mod switchml;

pub use frame::{Address, FrameConfig};
pub use outcome::MISMATCH;
