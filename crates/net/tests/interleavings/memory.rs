//! The crate's memory of calls.

pub use netfold_net::CallMemory;
