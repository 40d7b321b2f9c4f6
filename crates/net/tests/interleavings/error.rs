//! The crate's error.

pub use netfold_net::Error;
