//! The network of jobs with a management plane.

use netfold_sim::{Faults, Layer};

/// Delay of every link, in microseconds.
pub const DELAY_US: u64 = 10;

/// Time-out of every job, in microseconds.
pub const TIMEOUT_US: u64 = 400_000;

pub fn layer(fan_out: u32) -> Layer {
    Layer {
        fan_out,
        rate_gbps: 10.0,
        delay_ns: DELAY_US * 1000,
        queue_bytes: 4 << 20,
        mark_bytes: None,
        faults: Faults::default(),
    }
}
