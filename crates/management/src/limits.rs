//! The bounds of the management plane.

use core::time::Duration;
use std::fmt;

use netfold_num::MAX_WORKERS;

use crate::failure::Refusal;
use crate::negotiate::{MAX_ELEMENTS, MIN_ELEMENTS};

/// Most bytes of a job's name.
pub const MAX_NAME_BYTES: usize = 128;

/// A job's time-out when nothing else is asked for: the longest that a lost worker goes unnoticed.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// Most workers that share one memory (R-CTRL-10, R-CTRL-11): sleepers and holders are bits of one
/// word there.
pub const MAX_SHARING: u16 = 64;

/// Heartbeats go out this many times within a job's time-out (R-CTRL-4).
pub(crate) const HEARTBEATS_PER_TIMEOUT: u32 = 4;

/// A worker looks at its calls at least so many times within a job's time-out (R-CTRL-12).
pub(crate) const PULSES_PER_TIMEOUT: u32 = 8;

/// Longest interval at which a worker looks at its calls, whatever the time-out (R-CTRL-12).
/// A call that lasts is told of after at most two of them.
pub(crate) const LONGEST_PULSE: Duration = Duration::from_secs(1);

/// Greatest weight of a job (R-ECN-4): its window grows by at most 53 rounds in a round trip.
pub const MAX_WEIGHT: u16 = 100;

/// Limits of a [`Registry`](crate::Registry). Every table and every wait of the management plane
/// has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at once, of workers and of clients that ask questions.
    pub connections: usize,
    /// Jobs at once, forming or running.
    pub jobs: u16,
    /// Workers of one job, at all switches of a tree together.
    pub workers: u16,
    /// Members of one switch in a job (R-TREE-1): as many as its slots tell apart.
    pub members: u16,
    /// Slots of one flow that a worker may ask for.
    pub slots: u16,
    /// Longest time that a connection may stay open without a join or a question.
    pub handshake: Duration,
    /// Longest time that a job may form, from its first worker on.
    pub forming: Duration,
    /// Time that two workers have to describe a call after a mismatch (R-CTRL-6).
    pub describe: Duration,
    /// The shortest time-out that a job may ask for; a shorter one would take an ordinary pause for
    /// a loss.
    pub min_timeout: Duration,
    /// The longest time-out that a job may ask for.
    pub max_timeout: Duration,
    /// Bytes of the UDP receive buffer of one shard of the switch, which bounds what its workers
    /// may have under way.
    pub receive_buffer: u64,
}

/// Fewest jobs at once of a switch, whatever its memory.
const MIN_JOBS: u16 = 64;

/// Most jobs at once of a switch, whatever its memory.
const MAX_JOBS: u16 = 32_768;

/// Memory of a switch for each job that it takes, between these.
const JOB_BYTES: u64 = 64 * 1024;

impl Limits {
    /// Jobs at once, forming or running, of a switch with so many bytes of memory (R-CTRL-20).
    pub fn jobs_of(memory_bytes: u64) -> u16 {
        (memory_bytes / JOB_BYTES).clamp(MIN_JOBS.into(), MAX_JOBS.into()) as u16
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 65_536,
            jobs: MIN_JOBS,
            workers: MAX_WORKERS,
            members: 1024,
            slots: 32_768,
            handshake: Duration::from_secs(10),
            forming: Duration::from_secs(300),
            describe: Duration::from_secs(1),
            min_timeout: Duration::from_millis(100),
            max_timeout: Duration::from_secs(24 * 3600),
            receive_buffer: 4 << 20,
        }
    }
}

/// A number that a worker brings to its job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    /// Its rank.
    Rank,
    /// Workers of the job.
    Size,
    /// Lanes of a packet.
    PacketElements,
    /// Slots of a flow.
    Slots,
    /// The job's part of a queue (R-ECN-4).
    Weight,
    /// The job's time-out, in seconds.
    Timeout,
}

impl Number {
    fn name(self) -> &'static str {
        match self {
            Self::Rank => "the rank",
            Self::Size => "the number of workers",
            Self::PacketElements => "the number of elements of a packet",
            Self::Slots => "the number of slots",
            Self::Weight => "the weight",
            Self::Timeout => "the time-out in seconds",
        }
    }
}

impl Limits {
    /// The refusal of a number, with the values that it may have.
    pub fn refusal(&self, number: Number, value: impl fmt::Display) -> Refusal {
        let seconds = |timeout: Duration| timeout.as_secs_f64();
        let allowed = match number {
            Number::Rank => format!("a whole number from 0 to {}", self.workers - 1),
            Number::Size => format!("a whole number from 1 to {}", self.workers),
            Number::PacketElements => {
                format!("a multiple of {MIN_ELEMENTS} from {MIN_ELEMENTS} to {MAX_ELEMENTS}")
            }
            Number::Slots => format!("a power of two from 1 to {}", self.slots),
            Number::Weight => format!("a whole number from 1 to {MAX_WEIGHT}"),
            Number::Timeout => {
                format!("{} to {}", seconds(self.min_timeout), seconds(self.max_timeout))
            }
        };
        Refusal::bad_value(number.name(), value, allowed)
    }
}

/// `duration` in microseconds, the unit in which state machines are told the time.
pub fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// `duration` in milliseconds, the unit of time in messages.
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
