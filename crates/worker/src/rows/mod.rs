//! Workers and masters of queries whose rows pass through the switch (R-QRY).

pub mod analysis;
mod top;

pub use top::{MatrixCheck, Recall};
