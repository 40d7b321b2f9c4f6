//! Other traffic: TCP flows between hosts, as links and their queues see them.
//!
//! Each is a flow that always has something to send, with the congestion control of RFC 5681 and,
//! where links mark, of RFC 3168: slow start, one segment more in each round trip, half the window
//! once in a round trip with marks or losses, and a timeout. Every segment is acknowledged by
//! itself. Links keep the order, so that what has been passed over is lost; it counts as sent again
//! when another segment goes in its stead.

use std::collections::VecDeque;

use crate::build::period;
use crate::datagram::{DatagramId, Label, OVERHEAD_BYTES};
use crate::error::Error;
use crate::events::Event;
use crate::network::Network;
use crate::setup::TrafficSetup;
use crate::time::Time;
use crate::topology::{Topology, down, up};

/// Bytes of payload in a segment: an Ethernet frame with timestamps.
pub(crate) const SEGMENT_BYTES: u32 = 1448;

/// Bytes of a segment's headers on a link: TCP with timestamps, IPv4, and Ethernet with its
/// preamble and gap.
const HEADER_BYTES: u32 = 32 + 20 + 38;

/// Segments of the first window (RFC 6928).
const FIRST_WINDOW: f64 = 10.0;

/// Fewest segments that marks and losses leave of a window (RFC 5681, section 3.1).
const LEAST_WINDOW: f64 = 2.0;

/// The shortest timeout, as in Linux.
const LEAST_TIMEOUT: Time = Time::from_us(200_000);

/// A segment, or an acknowledgement of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// The flow, by its place in the setup.
    pub(crate) flow: u16,
    /// Its number, from 0.
    pub(crate) number: u64,
    pub(crate) part: Part,
}

/// Direction of a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Data,
    /// So many segments have come, this one included, which was marked or not.
    Acknowledgement {
        come: u64,
        marked: bool,
    },
}

impl Segment {
    fn label(self) -> Label {
        let payload = if self.part == Part::Data { SEGMENT_BYTES } else { 0 };
        Label {
            job: 0,
            flow: 0,
            bytes: payload + HEADER_BYTES - OVERHEAD_BYTES,
            marked: false,
            segment: Some(self),
            to: None,
            switch: None,
            from: None,
            lead: 0,
        }
    }
}

/// A flow in progress, both ends.
pub(crate) struct Flow {
    number: u16,
    start: Time,
    until: Time,
    /// Links from the sender to the receiver, and back.
    there: Vec<u32>,
    back: Vec<u32>,
    /// Segments that may be under way.
    window: f64,
    /// Below it, the window grows by a segment for each that is acknowledged.
    threshold: f64,
    /// Number of the next segment.
    next: u64,
    /// Segments under way, oldest first: number, and time of sending.
    under_way: VecDeque<(u64, Time)>,
    /// Marks and losses of segments before this one have been answered.
    answered: u64,
    /// Segments that have come, as the receiver knows it, and as the sender does.
    come: u64,
    known: u64,
    round_trip: Time,
    /// Time at which the sender gives up what is under way, and whether an event is scheduled.
    timeout_at: Time,
    armed: bool,
}

impl Flow {
    pub(crate) fn new(
        number: u16,
        setup: &TrafficSetup,
        topology: &Topology,
    ) -> Result<Self, Error> {
        for host in [setup.from_host, setup.to_host] {
            if host >= topology.hosts() {
                return Err(Error::Missing {
                    what: "host",
                    index: host.into(),
                    count: topology.hosts().into(),
                });
            }
        }
        let there = way(topology, setup.from_host, setup.to_host);
        if there.is_empty() {
            let (what, value) = ("traffic.to_host", setup.to_host.to_string());
            return Err(Error::Number { what, value, instead: "another host than from_host" });
        }
        let (start, until) =
            period(setup.start_us, setup.until_us, || format!("the traffic {}", setup.name))?;
        Ok(Self {
            number,
            start,
            until,
            there,
            back: way(topology, setup.to_host, setup.from_host),
            window: FIRST_WINDOW,
            threshold: f64::INFINITY,
            next: 0,
            under_way: VecDeque::new(),
            answered: 0,
            come: 0,
            known: 0,
            round_trip: Time::ZERO,
            timeout_at: Time::ZERO,
            armed: false,
        })
    }

    /// Returns the time at which it begins.
    pub(crate) fn start(&self) -> Time {
        self.start
    }

    /// Bytes of payload that have come.
    pub(crate) fn delivered_bytes(&self) -> u64 {
        self.come * u64::from(SEGMENT_BYTES)
    }

    /// The link that follows `link` on the way of a segment; `None` if it is the last.
    pub(crate) fn next_link(&self, segment: Segment, link: u32) -> Option<u32> {
        let way = if segment.part == Part::Data { &self.there } else { &self.back };
        way.iter().skip_while(|passed| **passed != link).nth(1).copied()
    }

    /// A segment has come to the end of its way.
    pub(crate) fn take(
        &mut self,
        segment: Segment,
        marked: bool,
        network: &mut Network,
        now: Time,
    ) {
        match segment.part {
            Part::Data => {
                self.come += 1;
                let part = Part::Acknowledgement { come: self.come, marked };
                send(network, self.back[0], Segment { part, ..segment }, now);
            }
            Part::Acknowledgement { come, marked } => {
                self.acknowledged(segment.number, come, marked, now);
                self.push(network, now);
            }
        }
    }

    /// The flow begins, or its timer goes off.
    pub(crate) fn look(&mut self, network: &mut Network, now: Time) {
        self.armed = false;
        if !self.under_way.is_empty() && self.timeout_at <= now {
            self.threshold = (self.window / 2.0).max(LEAST_WINDOW);
            self.window = 1.0;
            self.under_way.clear();
            self.answered = self.next;
        }
        self.push(network, now);
    }

    fn acknowledged(&mut self, number: u64, come: u64, marked: bool, now: Time) {
        let mut passed = 0;
        while let Some(&(oldest, sent)) =
            self.under_way.front().filter(|(oldest, _)| *oldest <= number)
        {
            self.under_way.pop_front();
            passed += 1;
            if oldest == number {
                self.round_trip = now.since(sent);
            }
        }
        // Acknowledgements may be lost, too; what they would have said is in the count.
        let lost = passed > come.saturating_sub(self.known);
        self.known = self.known.max(come);
        if (marked || lost) && number >= self.answered {
            self.window = (self.window / 2.0).max(LEAST_WINDOW);
            self.threshold = self.window;
            self.answered = self.next;
        } else if self.window < self.threshold {
            self.window += 1.0;
        } else {
            self.window += 1.0 / self.window;
        }
        self.timeout_at = now + self.timeout();
    }

    fn timeout(&self) -> Time {
        LEAST_TIMEOUT.max(self.round_trip + self.round_trip)
    }

    fn push(&mut self, network: &mut Network, now: Time) {
        while now < self.until && (self.under_way.len() as f64) < self.window.floor() {
            if self.under_way.is_empty() {
                self.timeout_at = now + self.timeout();
            }
            self.under_way.push_back((self.next, now));
            send(
                network,
                self.there[0],
                Segment { flow: self.number, number: self.next, part: Part::Data },
                now,
            );
            self.next += 1;
        }
        if !self.armed && !self.under_way.is_empty() {
            self.armed = true;
            network.events.schedule(self.timeout_at.max(now), Event::Tcp { flow: self.number });
        }
    }
}

fn send(network: &mut Network, link: u32, segment: Segment, now: Time) {
    let datagram: DatagramId = network.pool.insert(&[], segment.label());
    network.send(link, now, datagram);
}

/// The links from a host to another, through the lowest switch above both.
fn way(topology: &Topology, from: u32, to: u32) -> Vec<u32> {
    let line = |host: u32| -> Vec<u32> {
        std::iter::successors(Some(topology.host(host)), |node| topology.parent(*node)).collect()
    };
    let (mut from, mut to) = (line(from), line(to));
    while from.last() == to.last() && from.pop().is_some() {
        to.pop();
    }
    from.into_iter().map(up).chain(to.into_iter().rev().map(down)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::faults::Faults;
    use crate::setup::Layer;

    #[test]
    fn a_way_turns_at_the_lowest_switch_above_both() {
        let layer = |fan_out| Layer {
            fan_out,
            rate_gbps: 1.0,
            delay_ns: 0,
            queue_bytes: 0,
            mark_bytes: None,
            faults: Faults::default(),
        };
        let topology = Topology::new(&[layer(2), layer(2)], 1).unwrap();
        // Switches 0, 1 and 2; hosts 3 to 6.
        assert_eq!(way(&topology, 0, 1), [up(3), down(4)]);
        assert_eq!(way(&topology, 0, 3), [up(3), up(1), down(2), down(6)]);
        assert!(way(&topology, 2, 2).is_empty());
    }
}
