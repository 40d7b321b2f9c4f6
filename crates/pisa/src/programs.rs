//! netfold's programs for pipelines.

mod egress;
pub mod fpisa;
mod frame;
mod job;
mod lanes;
mod outcome;
pub mod p4sgd;
pub mod switchml;

pub use frame::{Address, FrameConfig};
pub use job::Job;
pub use outcome::MISMATCH;
