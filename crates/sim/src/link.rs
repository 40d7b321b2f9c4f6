//! One direction of a link: a queue, a rate, a length, and faults.

use std::collections::VecDeque;

use serde::Serialize;

use crate::datagram::DatagramId;
use crate::events::Place;
use crate::faults::{Fate, Faults, LinkFaults};
use crate::queue::{Admission, Queue};
use crate::time::Time;

/// Parameters of a link, for both directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LinkSpec {
    pub(crate) rate_bps: u64,
    pub(crate) delay: Time,
    pub(crate) queue_bytes: u64,
    pub(crate) mark_bytes: Option<u64>,
    pub(crate) faults: Faults,
}

/// Totals of one direction of a link, or of several together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct LinkCounters {
    /// Datagrams that were to be carried.
    pub offered: u64,
    /// Copies that the link has made of them.
    pub duplicated: u64,
    /// Datagrams that came out.
    pub delivered: u64,
    /// Datagrams that found no room in the queue.
    pub dropped_queue: u64,
    /// Datagrams that came while the link was cut.
    pub dropped_cut: u64,
    /// Datagrams that were lost on the way.
    pub lost: u64,
    /// Datagrams that came out with a flipped bit; they count as delivered, too.
    pub corrupted: u64,
    /// Datagrams that found the queue above its threshold.
    pub marked: u64,
    /// Bytes that the link has carried, with everything around a datagram.
    pub bytes: u64,
    /// The most bytes that waited or were leaving at a time.
    pub longest_queue_bytes: u64,
    /// The longest that a datagram has waited, in nanoseconds.
    pub longest_wait_ns: u64,
}

impl LinkCounters {
    /// Both together.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            offered: self.offered + other.offered,
            duplicated: self.duplicated + other.duplicated,
            delivered: self.delivered + other.delivered,
            dropped_queue: self.dropped_queue + other.dropped_queue,
            dropped_cut: self.dropped_cut + other.dropped_cut,
            lost: self.lost + other.lost,
            corrupted: self.corrupted + other.corrupted,
            marked: self.marked + other.marked,
            bytes: self.bytes + other.bytes,
            longest_queue_bytes: self.longest_queue_bytes.max(other.longest_queue_bytes),
            longest_wait_ns: self.longest_wait_ns.max(other.longest_wait_ns),
        }
    }

    /// Datagrams that are under way: each that was offered or copied has come out, was dropped for
    /// a reason that is counted, or is among them.
    pub fn under_way(&self) -> u64 {
        self.offered + self.duplicated
            - self.delivered
            - self.dropped_queue
            - self.dropped_cut
            - self.lost
    }
}

/// Arrival of an offered datagram at the end of the link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Carried {
    pub(crate) arrives: Time,
    pub(crate) marked: bool,
    pub(crate) held_up: Time,
    pub(crate) twice: bool,
    pub(crate) flipped: Option<usize>,
}

/// One direction of a link.
pub(crate) struct Link {
    queue: Queue,
    delay: Time,
    faults: Option<Box<LinkFaults>>,
    /// Periods in which it carries nothing.
    cuts: Vec<(Time, Time)>,
    /// Datagrams that come out in the order in which they went in; the first has an event.
    pub(crate) under_way: VecDeque<(Place, DatagramId)>,
    pub(crate) counters: LinkCounters,
}

impl Link {
    pub(crate) fn new(spec: &LinkSpec, seed: u64, number: u32) -> Self {
        Self {
            queue: Queue::new(spec.rate_bps, spec.queue_bytes, spec.mark_bytes),
            delay: spec.delay,
            faults: (!spec.faults.are_none())
                .then(|| Box::new(LinkFaults::new(spec.faults, seed, number))),
            cuts: Vec::new(),
            under_way: VecDeque::new(),
            counters: LinkCounters::default(),
        }
    }

    /// The link carries nothing from one time until the other.
    pub(crate) fn cut(&mut self, from: Time, until: Time) {
        self.cuts.push((from, until));
    }

    /// Returns the time that bytes behind the first packet of a message take.
    pub(crate) fn span(&self, bytes: u32) -> Time {
        self.queue.span(bytes.into())
    }

    /// A datagram that takes `wire_bytes` comes to the link at `now`; `None` if it goes no further.
    pub(crate) fn offer(&mut self, now: Time, wire_bytes: u32) -> Option<Carried> {
        let counters = &mut self.counters;
        counters.offered += 1;
        if self.cuts.iter().any(|(from, until)| (*from..*until).contains(&now)) {
            counters.dropped_cut += 1;
            return None;
        }
        let Admission::Admitted { leaves, waits, queued_bytes, marked } =
            self.queue.offer(now, wire_bytes.into())
        else {
            counters.dropped_queue += 1;
            return None;
        };
        counters.bytes += u64::from(wire_bytes);
        counters.marked += u64::from(marked);
        counters.longest_queue_bytes = counters.longest_queue_bytes.max(queued_bytes);
        counters.longest_wait_ns = counters.longest_wait_ns.max(waits.ns());
        let arrives = leaves + self.delay;
        let Some(faults) = &mut self.faults else {
            return Some(Carried {
                arrives,
                marked,
                held_up: Time::ZERO,
                twice: false,
                flipped: None,
            });
        };
        match faults.fate() {
            Fate::Lost => {
                counters.lost += 1;
                None
            }
            Fate::Comes { held_up, twice, flipped } => {
                counters.duplicated += u64::from(twice);
                counters.corrupted += u64::from(flipped.is_some());
                Some(Carried { arrives, marked, held_up, twice, flipped })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(faults: Faults) -> Link {
        // A byte takes a nanosecond.
        let delay = Time::from_ns(2_000);
        Link::new(
            &LinkSpec {
                rate_bps: 8_000_000_000,
                delay,
                queue_bytes: 3_000,
                mark_bytes: Some(1_500),
                faults,
            },
            7,
            0,
        )
    }

    #[test]
    fn a_datagram_takes_its_length_and_that_of_the_link() {
        let mut link = link(Faults::default());
        let arrivals: Vec<_> = [0, 0, 0, 0, 2_500]
            .map(|ns| link.offer(Time::from_ns(ns), 1_000).map(|carried| carried.arrives.ns()))
            .into();
        assert_eq!(arrivals, [Some(3_000), Some(4_000), Some(5_000), None, Some(6_000)]);
        let counters = link.counters;
        assert_eq!(
            (counters.offered, counters.dropped_queue, counters.marked, counters.bytes),
            (5, 1, 1, 4_000)
        );
        assert_eq!((counters.longest_queue_bytes, counters.longest_wait_ns), (3_000, 2_000));
    }

    /// A datagram that is lost has taken its time on the link all the same.
    #[test]
    fn a_loss_takes_time() {
        let mut link = link(Faults { loss: 1.0, ..Faults::default() });
        assert_eq!(link.offer(Time::ZERO, 1_000), None);
        assert_eq!(link.queue.backlog(Time::ZERO), 1_000);
        assert_eq!((link.counters.lost, link.counters.under_way()), (1, 0));
    }

    #[test]
    fn a_cut_has_a_beginning_and_an_end() {
        let mut link = link(Faults::default());
        link.cut(Time::from_ns(10), Time::from_ns(20));
        let carried = [9, 10, 19, 20].map(|ns| link.offer(Time::from_ns(ns), 100).is_some());
        assert_eq!(carried, [true, false, false, true]);
        assert_eq!(link.counters.dropped_cut, 2);
    }
}
