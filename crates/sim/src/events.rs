//! The events to come, in the order of time; those at the same time, in the order of scheduling.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use crate::datagram::DatagramId;
use crate::managed::ManagementEvent;
use crate::time::Time;

/// Something that happens. Indices are into the tables of the cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The first datagram that is under way on this link comes out of it.
    Arrival { link: u32 },
    /// A datagram comes out of this link beside the others: a copy, or one that was held up.
    Straggler { link: u32, datagram: DatagramId },
    /// A datagram comes to another endpoint of the host that has sent it, or a message is whole.
    Local { datagram: DatagramId },
    /// A core has time for what waits for it.
    Turn { core: u32 },
    /// A timer of this endpoint goes off.
    Timer { endpoint: u32 },
    /// This endpoint makes its part of this call.
    Submit { endpoint: u32, call: u32 },
    /// Something of the management plane.
    Managed(ManagementEvent),
    /// This flow of other traffic begins, or a timer of it goes off.
    Tcp { flow: u16 },
}

/// Place of an event in the order: its time, and its turn in the order of scheduling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) at: Time,
    pub(crate) number: u64,
}

#[derive(Clone, Copy)]
struct Entry {
    place: Place,
    event: Event,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place.cmp(&other.place)
    }
}

/// A heap of events. It holds small keys only: datagrams lie in the pool, and of those on a link,
/// which come out in order, only the first has an event.
#[derive(Default)]
pub(crate) struct Events {
    heap: BinaryHeap<Reverse<Entry>>,
    scheduled: u64,
}

impl Events {
    /// The place of something that is to happen at `at`, behind everything else at that time.
    pub(crate) fn place(&mut self, at: Time) -> Place {
        self.scheduled += 1;
        Place { at, number: self.scheduled }
    }

    /// Schedules an event behind everything else at its time.
    pub(crate) fn schedule(&mut self, at: Time, event: Event) {
        let place = self.place(at);
        self.schedule_at(place, event);
    }

    /// Schedules an event at a place that it was given before.
    pub(crate) fn schedule_at(&mut self, place: Place, event: Event) {
        self.heap.push(Reverse(Entry { place, event }));
    }

    /// Returns the time of the next event.
    pub(crate) fn next_at(&self) -> Option<Time> {
        self.heap.peek().map(|Reverse(entry)| entry.place.at)
    }

    /// The next event.
    pub(crate) fn pop(&mut self) -> Option<(Place, Event)> {
        self.heap.pop().map(|Reverse(Entry { place, event })| (place, event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_by_time_and_then_as_they_were_scheduled() {
        let mut events = Events::default();
        for (ns, core) in [(7, 0), (3, 1), (7, 2), (3, 3), (0, 4)] {
            events.schedule(Time::from_ns(ns), Event::Turn { core });
        }
        let order: Vec<_> = std::iter::from_fn(|| events.pop())
            .map(|(place, event)| (place.at.ns(), event))
            .collect();
        let turn = |core| Event::Turn { core };
        assert_eq!(order, [(0, turn(4)), (3, turn(1)), (3, turn(3)), (7, turn(0)), (7, turn(2))]);
    }

    #[test]
    fn a_place_taken_earlier_comes_first() {
        let mut events = Events::default();
        let place = events.place(Time::from_ns(5));
        events.schedule(Time::from_ns(5), Event::Turn { core: 1 });
        events.schedule_at(place, Event::Turn { core: 0 });
        assert_eq!(events.pop().map(|(_, event)| event), Some(Event::Turn { core: 0 }));
    }
}
