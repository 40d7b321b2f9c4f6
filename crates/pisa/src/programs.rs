//! netfold's programs for pipelines.

mod arithmetic;
mod contribution;
mod egress;
pub mod fpisa;
mod frame;
mod host;
mod job;
mod lanes;
pub mod libra;
mod outcome;
pub mod p4sgd;
mod plane;
pub mod roce;
pub mod rows;
pub mod switchml;
mod terms;

pub use arithmetic::Arithmetic;
pub use frame::{Address, FrameConfig};
pub use host::FRAME_BYTES;
pub use job::Job;
pub use lanes::floats::OVERFLOW;
pub use outcome::MISMATCH;
pub use plane::{Admission, AdmissionError, Plane};
pub use terms::TermsError;
