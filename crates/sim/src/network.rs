//! All links, what is on them, and what happens next.

use crate::datagram::{DatagramId, Pool};
use crate::events::{Event, Events};
use crate::link::{Carried, Link};
use crate::time::Time;

/// The links of a cluster.
pub(crate) struct Network {
    pub(crate) events: Events,
    pub(crate) pool: Pool,
    pub(crate) links: Vec<Link>,
}

impl Network {
    pub(crate) fn new(links: Vec<Link>) -> Self {
        Self { events: Events::default(), pool: Pool::default(), links }
    }

    /// Puts a datagram on a link at `at`, which is now or a little later, for one of its holders.
    pub(crate) fn send(&mut self, link: u32, at: Time, datagram: DatagramId) {
        let Self { events, pool, links } = self;
        let carrier = &mut links[link as usize];
        let Some(Carried { arrives, marked, held_up, twice, flipped }) =
            carrier.offer(at, pool.label(datagram).wire_bytes())
        else {
            return pool.release(datagram);
        };
        // A message comes with its first packet, and goes on.
        let arrives = arrives - carrier.span(pool.label(datagram).rest_bytes());
        let datagram = match flipped {
            None => datagram,
            Some(bit) => {
                let damaged = pool.damaged(datagram, bit);
                pool.release(datagram);
                damaged
            }
        };
        let datagram = if marked && !pool.label(datagram).marked {
            let copy = pool.marked(datagram);
            pool.release(datagram);
            copy
        } else {
            datagram
        };
        if held_up > Time::ZERO {
            events.schedule(arrives + held_up, Event::Straggler { link, datagram });
        } else {
            let place = events.place(arrives);
            if carrier.under_way.is_empty() {
                events.schedule_at(place, Event::Arrival { link });
            }
            carrier.under_way.push_back((place, datagram));
        }
        if twice {
            pool.retain(datagram);
            events.schedule(arrives, Event::Straggler { link, datagram });
        }
    }

    /// The datagram that comes out of a link now.
    pub(crate) fn arrived(&mut self, link: u32) -> Option<DatagramId> {
        let under_way = &mut self.links[link as usize].under_way;
        let (_, datagram) = under_way.pop_front()?;
        if let Some((place, _)) = under_way.front() {
            self.events.schedule_at(*place, Event::Arrival { link });
        }
        Some(datagram)
    }
}
