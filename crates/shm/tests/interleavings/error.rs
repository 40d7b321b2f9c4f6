//! The crate's errors.

pub use netfold_shm::PortError;
