//! A core: it does one thing after the other, and what it does takes time.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::datagram::{DatagramId, Pool};
use crate::error::Error;
use crate::time::Time;

/// Costs of datagrams for a core, in nanoseconds. Bytes are those of headers and lanes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Costs {
    /// For each datagram that is received.
    pub receive_packet_ns: f64,
    /// And for each of its bytes.
    pub receive_byte_ns: f64,
    /// For each datagram that is sent.
    pub send_packet_ns: f64,
    /// And for each of its bytes.
    pub send_byte_ns: f64,
}

impl Costs {
    /// Costs of zero: nothing takes time.
    pub const NONE: Self = Self {
        receive_packet_ns: 0.0,
        receive_byte_ns: 0.0,
        send_packet_ns: 0.0,
        send_byte_ns: 0.0,
    };

    /// Checks that they are possible.
    ///
    /// # Errors
    /// [`Error::Cost`].
    pub fn checked(&self) -> Result<(), Error> {
        let &Self { receive_packet_ns, receive_byte_ns, send_packet_ns, send_byte_ns } = self;
        let costs = [
            ("receive_packet_ns", receive_packet_ns),
            ("receive_byte_ns", receive_byte_ns),
            ("send_packet_ns", send_packet_ns),
            ("send_byte_ns", send_byte_ns),
        ];
        match costs.into_iter().find(|(_, cost)| !cost.is_finite() || *cost < 0.0) {
            Some((what, cost)) => Err(Error::Cost { what, cost }),
            None => Ok(()),
        }
    }

    pub(crate) fn receive(&self, bytes: u32) -> Time {
        span(self.receive_packet_ns, self.receive_byte_ns, bytes)
    }

    pub(crate) fn send(&self, bytes: u32) -> Time {
        span(self.send_packet_ns, self.send_byte_ns, bytes)
    }
}

fn span(packet_ns: f64, byte_ns: f64, bytes: u32) -> Time {
    const PS_PER_NS: f64 = 1e3;
    Time::from_ps(((packet_ns + byte_ns * f64::from(bytes)) * PS_PER_NS).round() as u64)
}

/// Work for a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Take this datagram; on a host, it is for this endpoint.
    Take { endpoint: u32, datagram: DatagramId },
    /// Look at the clock for this endpoint.
    Look { endpoint: u32 },
    /// Make this endpoint's part of this call.
    Submit { endpoint: u32, call: u32 },
}

/// Time that a core may work ahead of the others before it lets them come first. Datagrams of cores
/// that share a link are out of order by no more than this and the cost of one datagram.
pub(crate) const LOOK_AHEAD: Time = Time::from_us(2);

/// A core, of a host or of a switch.
pub(crate) struct Core {
    pub(crate) costs: Costs,
    /// Time at which it has done what it has begun.
    pub(crate) free_at: Time,
    /// Work that it has not begun.
    pub(crate) inbox: VecDeque<Work>,
    /// Bytes of the datagrams in the inbox, and their limit.
    pub(crate) inbox_bytes: u64,
    inbox_limit: u64,
    /// A turn of it is scheduled.
    pub(crate) scheduled: bool,
    /// Periods in which it does nothing: its thread waits for a processor.
    stalls: Vec<(Time, Time)>,
    /// Periods in which its node has stopped: the beginning, and the end if it starts again.
    stops: Vec<(Time, Option<Time>)>,
}

impl Core {
    pub(crate) fn new(costs: Costs, inbox_limit: u64) -> Self {
        Self {
            costs,
            free_at: Time::ZERO,
            inbox: VecDeque::new(),
            inbox_bytes: 0,
            inbox_limit,
            scheduled: false,
            stalls: Vec::new(),
            stops: Vec::new(),
        }
    }

    pub(crate) fn stall(&mut self, from: Time, until: Time) {
        self.stalls.push((from, until));
        self.stalls.sort_unstable();
    }

    /// Its node stops at `at`, until it starts again, if it does.
    pub(crate) fn stop(&mut self, at: Time, until: Option<Time>) {
        self.stops.push((at, until));
    }

    pub(crate) fn has_stopped(&self, now: Time) -> bool {
        self.stops.iter().any(|&(at, until)| at <= now && until.is_none_or(|until| now < until))
    }

    /// Discards all work that waits for it, and returns the number of datagrams in it.
    pub(crate) fn discard(&mut self, pool: &mut Pool) -> u64 {
        let mut datagrams = 0;
        for work in self.inbox.drain(..) {
            if let Work::Take { datagram, .. } = work {
                datagrams += 1;
                pool.release(datagram);
            }
        }
        self.inbox_bytes = 0;
        datagrams
    }

    /// Returns the first time, at `now` or later, at which it can begin something new.
    pub(crate) fn ready_at(&self, now: Time) -> Time {
        self.awake_at(now.max(self.free_at))
    }

    /// Returns the first time, at `now` or later, at which it does not stall.
    pub(crate) fn awake_at(&self, now: Time) -> Time {
        // In the order of their beginnings, so that a stall which begins before another ends is
        // followed by it.
        self.stalls
            .iter()
            .fold(now, |at, &(from, until)| if from <= at { at.max(until) } else { at })
    }

    /// Returns whether a datagram of `bytes` finds room in the inbox.
    pub(crate) fn has_room(&self, bytes: u32) -> bool {
        self.inbox_bytes + u64::from(bytes) <= self.inbox_limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stall_ends_when_it_ends_and_may_be_followed_by_another() {
        let ns = Time::from_ns;
        let mut core = Core::new(Costs::NONE, 0);
        core.stall(ns(40), ns(50));
        core.stall(ns(10), ns(20));
        core.stall(ns(15), ns(30));
        let ready = [0, 9, 10, 19, 30, 45].map(|at| core.ready_at(ns(at)).ns());
        assert_eq!(ready, [0, 9, 30, 30, 30, 50]);
        core.free_at = ns(42);
        assert_eq!(core.ready_at(ns(0)), ns(50));
    }

    #[test]
    fn a_core_that_stops_for_good_does_not_start_again() {
        let ns = Time::from_ns;
        let mut core = Core::new(Costs::NONE, 0);
        core.stop(ns(10), Some(ns(20)));
        assert_eq!([9, 10, 19, 20].map(|at| core.has_stopped(ns(at))), [false, true, true, false]);
        core.stop(ns(15), None);
        assert_eq!([9, 10, 20, 90].map(|at| core.has_stopped(ns(at))), [false, true, true, true]);
    }

    #[test]
    fn costs_are_for_packets_and_bytes() {
        let costs = Costs {
            receive_packet_ns: 100.0,
            receive_byte_ns: 0.5,
            send_packet_ns: 7.25,
            send_byte_ns: 0.0,
        };
        assert_eq!(costs.receive(1000), Time::from_ns(600));
        assert_eq!(costs.send(1000), Time::from_ps(7_250));
        let error = Costs { send_byte_ns: -1.0, ..costs }.checked().unwrap_err();
        assert!(error.to_string().contains("send_byte_ns"), "{error}");
    }
}
