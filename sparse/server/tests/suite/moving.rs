//! A worker's way to other servers, as R-SERVE-19 to R-SERVE-23 want it.

use std::collections::BTreeMap;
use std::ops::Range;

use netfold_sparse::{Change, Hello, Ranking, Request, Taken, server_of};

use crate::cluster::{floats, numbers};
use crate::worker::Worker;

/// The event for which a worker waits on its way to other servers.
#[derive(Clone, Default, PartialEq, Eq)]
pub enum Moving {
    /// It is at its list.
    #[default]
    Here,
    /// This many flushes of the former list.
    Flushes(usize, Range<usize>),
    /// The welcomes of the next list.
    Welcomes(Range<usize>),
    /// The rows of so many former servers.
    Rows { next: Range<usize>, left: usize, steps: u32 },
    /// This many flushes of the next list.
    Whole(usize, Range<usize>),
}

/// The name of a list of servers.
fn named(servers: &Range<usize>) -> Vec<String> {
    servers.clone().map(|server| format!("server {server}")).collect()
}

impl Worker {
    /// Begins to go to these servers.
    pub fn begin_move(&mut self, next: Range<usize>) {
        self.moving = Moving::Flushes(self.flush(), next);
    }

    /// Goes on, if what it waits for is there. `ended` is the last step that it has ended.
    pub fn advance_move(&mut self, ended: Option<u32>) {
        let (here, rank) = (self.here(), u64::from(self.hello.rank));
        let stride = u32::from(self.hello.workers);
        let take = |page| move |_: &Self, _, id| Some(Request::Take { id, page, stride });
        self.moving = match core::mem::take(&mut self.moving) {
            Moving::Flushes(flushes, next) if self.flushed == flushes => {
                for (server, at) in (0..).zip(next.clone()) {
                    self.links[at].hello = Some(self.hello_at(server, &next));
                }
                Moving::Welcomes(next)
            }
            Moving::Welcomes(next) if self.links[next.clone()].iter().all(|link| link.known) => {
                if !self.sealed {
                    self.seal();
                }
                for server in here.clone() {
                    self.change(server, Change::Move { to: named(&next) });
                }
                self.ask(here.clone(), take(rank));
                Moving::Rows { next, left: here.len(), steps: 0 }
            }
            Moving::Rows { next, mut left, mut steps } => {
                for (from, taken) in core::mem::take(&mut self.taken) {
                    steps = steps.max(taken.steps);
                    match taken.next {
                        Some(page) => drop(self.ask(from..from + 1, take(page))),
                        None => left -= 1,
                    }
                    self.put(taken, &next);
                }
                if left > 0 {
                    Moving::Rows { next, left, steps }
                } else {
                    for server in next.clone() {
                        self.change(server, Change::Arrived { ended, steps });
                    }
                    Moving::Whole(self.flush_at(next.clone()), next)
                }
            }
            Moving::Whole(flushes, next) if self.flushed == flushes => {
                self.hello = self.hello_at(0, &next);
                self.first = next.start;
                self.ranking = Ranking::new(&self.layout, self.hello.servers, &[]);
                self.hot.clear();
                // It has no plane to replay there.
                self.links[next].iter_mut().for_each(|link| link.sealed = true);
                self.ask(here, |_, _, id| Some(Request::Drop { id }));
                Moving::Here
            }
            waiting => waiting,
        };
    }

    /// Returns a worker of another run in the place of this one, at its list, or at the next one.
    /// It has no plane.
    pub fn another(&self, session: u64, next: Option<Range<usize>>) -> Self {
        let here = next.clone().unwrap_or_else(|| self.here());
        let list = self.hello.list + u32::from(next.is_some());
        let switch = None;
        let servers = here.len() as u16;
        let hello =
            Hello { session, servers, list, switch, hot_keys: vec![], ..self.hello.clone() };
        let hello = Hello { former: vec![], ..hello };
        let mut other = Self::new(hello);
        let own = core::mem::take(&mut other.links);
        other.links.resize_with(self.links.len(), Default::default);
        for (at, link) in here.clone().zip(own) {
            other.links[at] = link;
            other.links[at].sealed = true;
        }
        (other.first, other.sealed) = (here.start, true);
        other
    }

    /// Goes on with a move that another run has begun.
    pub fn finish_move(&mut self, next: Range<usize>) {
        self.moving = Moving::Flushes(0, next);
    }

    /// Returns the hello at a server of the next list, which begins without a plane.
    fn hello_at(&self, server: u16, next: &Range<usize>) -> Hello {
        Hello {
            server,
            servers: next.len() as u16,
            list: self.hello.list + 1,
            former: named(&self.here()),
            hot_keys: Vec::new(),
            switch: None,
            ..self.hello.clone()
        }
    }

    /// Puts rows to the next servers.
    fn put(&mut self, taken: Taken, next: &Range<usize>) {
        let Some(stride) = taken.lanes.len().checked_div(taken.keys.len()) else { return };
        let mut puts = BTreeMap::<usize, (Vec<u32>, Vec<f32>)>::new();
        for (key, lanes) in taken.keys.iter().zip(floats(&taken.lanes).chunks(stride)) {
            let server = server_of(self.layout.part(*key), next.len() as u16);
            let (keys, rows) = puts.entry(next.start + usize::from(server)).or_default();
            keys.push(*key);
            rows.extend(lanes);
        }
        for (server, (keys, lanes)) in puts {
            let lanes = numbers(self.hello.table.element_type, &lanes);
            self.change(server, Change::Put { keys, lanes });
        }
    }
}
