//! A worker: it pushes a mini-batch, hot keys to the switch and cold ones to servers, and pulls
//! rows of as many from where they are.

use std::collections::{BTreeSet, VecDeque};

use netfold_wire::WorkerId;
use netfold_worker::StreamConfig;
use netfold_worker::keyed::{Client, ClientConfig, ClientCounters, ClientEvent};

use super::message::{Message, print_of};
use super::{Batch, KEY_BYTES, LANE_BYTES, Outgoing, Part, segments, swap};
use crate::admit::EPOCH;
use crate::peers::Done;
use crate::peers::connection::Segment;
use crate::time::Time;

/// The stage of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// The switch has not acknowledged all hot pushes.
    Pushing,
    /// Rows have not all come.
    Pulling,
}

/// A worker's part in a table.
pub(crate) struct Worker {
    part: Part,
    /// Towards the switch; `None` if no key is hot.
    client: Option<Client>,
    /// Messages for each server, and the number of pushes among them.
    outgoing: Vec<(Outgoing, u64)>,
    calls: VecDeque<(u32, Batch)>,
    stage: Option<Stage>,
    /// Number of rows that have not come from servers.
    cold_left: u64,
    /// Ranks of those that have not come from the switch.
    hot_left: BTreeSet<u32>,
    /// Sum of its pushes of each hot lane.
    pushed: Vec<i64>,
    /// Values of the switch that lack pushes of its own, and messages that make no sense.
    wrong: u64,
}

impl Worker {
    pub(crate) fn new(part: Part) -> Self {
        let Part { job, rank, table, terms, timing, .. } = part;
        let client = part.terms_of_table().map(|table| {
            let (first_slot, slots, flow, flows) = (0, 1, 0, 1);
            let (epoch, rank) = (EPOCH, WorkerId(rank));
            let stream =
                StreamConfig { job, epoch, rank, first_slot, slots, flow, flows, terms, timing };
            Client::new(ClientConfig { stream, table, datagram_bytes: part.datagram_bytes() })
        });
        Self {
            client,
            outgoing: vec![(Outgoing::default(), 0); usize::from(table.servers)],
            calls: VecDeque::new(),
            stage: None,
            cold_left: 0,
            hot_left: BTreeSet::new(),
            pushed: vec![0; table.hot as usize * usize::from(table.width)],
            wrong: 0,
            part,
        }
    }

    /// Makes a call after those before it.
    pub(crate) fn submit(&mut self, call: u32, batch: Batch) {
        self.calls.push_back((call, batch));
    }

    fn begin(&mut self) {
        let Some((_, batch)) = self.calls.front() else { return };
        let Batch { ranks, rows, cold } = batch;
        if let Some(client) = &mut self.client {
            let order = self.part.terms.byte_order;
            let lanes = rows.iter().flat_map(|lane| swap(order, lane.to_le_bytes()));
            let bytes: Vec<u8> = lanes.collect();
            client.push(ranks, &bytes);
        }
        batch.add_to(&mut self.pushed);
        self.cold_left = *cold;
        self.hot_left.extend(ranks);
        self.stage = Some(Stage::Pushing);
        let (servers, payload_bytes) = (self.outgoing.len() as u64, self.part.payload_bytes);
        let (pair_bytes, _) = self.part.pair_bytes();
        for (server, (queue, pushes)) in self.outgoing.iter_mut().enumerate() {
            let own = cold / servers + u64::from((server as u64) < cold % servers);
            for keys in segments(own, pair_bytes, payload_bytes) {
                let print = print_of(self.part.rank, server, *pushes);
                *pushes += 1;
                queue.push(Message::Push(print).segment(keys * pair_bytes));
            }
            for keys in segments(own, KEY_BYTES, payload_bytes) {
                queue.push(Message::Pull(keys).segment(keys * KEY_BYTES));
            }
        }
    }

    /// Takes a datagram of the switch.
    pub(crate) fn handle(&mut self, now: Time, datagram: &[u8], marked: bool) {
        let Some(client) = &mut self.client else { return };
        client.handle(now.us(), datagram, marked.into());
        while let Some(ClientEvent::Pulled { ranks, rows, .. }) = client.poll_event() {
            let width = usize::from(self.part.table.width);
            let (lanes, _) = rows.as_chunks::<{ LANE_BYTES as usize }>();
            let own = ranks.iter().flat_map(|rank| &self.pushed[*rank as usize * width..][..width]);
            let order = self.part.terms.byte_order;
            let values = lanes.iter().map(|lane| i32::from_le_bytes(swap(order, *lane)).into());
            // In a tree the top has what was gathered.
            if !self.part.table.tree {
                self.wrong +=
                    own.zip(values).filter(|(own, value): &(&i64, i64)| value < own).count() as u64;
            }
            for rank in &ranks {
                self.hot_left.remove(rank);
            }
        }
        // Rows that were not loaded yet are left out (R-KEY-12).
        if self.stage == Some(Stage::Pulling) && client.has_pulled() && !self.hot_left.is_empty() {
            client.pull(&Vec::from_iter(self.hot_left.iter().copied()));
        }
    }

    /// A message of a server.
    pub(crate) fn take(&mut self, server: u16, segment: Segment) {
        match Message::of(segment) {
            Message::Rows(keys) => self.cold_left -= u64::from(keys),
            Message::Stored(before) => {
                let parts = self.part.parts_of(server);
                if let Some(client) = &mut self.client {
                    client.note_stored(parts, before);
                }
            }
            Message::Push(_) | Message::Pull(_) | Message::EndStep(_) => self.wrong += 1,
        }
    }

    /// Goes on as far as possible.
    pub(crate) fn advance(&mut self, done: &mut VecDeque<Done>) {
        loop {
            let left = self.client.as_ref().map_or(0, Client::unacknowledged);
            match (self.stage, self.calls.front()) {
                (None, Some(_)) => self.begin(),
                (Some(Stage::Pushing), Some((_, batch))) if left == 0 => {
                    self.stage = Some(Stage::Pulling);
                    if let Some(client) = &mut self.client {
                        client.pull(&batch.ranks);
                        let end = Message::EndStep(client.made()).short();
                        self.outgoing.iter_mut().for_each(|(queue, _)| queue.push(end));
                    }
                }
                (Some(Stage::Pulling), Some((call, _)))
                    if self.cold_left == 0 && self.hot_left.is_empty() =>
                {
                    let wrong = std::mem::take(&mut self.wrong);
                    done.push_back(Done { call: *call, wrong });
                    self.calls.pop_front();
                    self.stage = None;
                }
                _ => return,
            }
        }
    }

    /// Messages for a server.
    pub(crate) fn outgoing(&mut self, server: usize) -> &mut Outgoing {
        &mut self.outgoing[server].0
    }

    /// Looks at the clock.
    pub(crate) fn handle_timeout(&mut self, now: Time) {
        if let Some(client) = &mut self.client {
            client.handle_timeout(now.us());
        }
    }

    /// Returns the time at which to look at the clock next.
    pub(crate) fn poll_timeout(&mut self) -> Option<Time> {
        self.client.as_mut()?.poll_timeout().map(Time::from_us)
    }

    /// Writes the next datagram for the switch.
    pub(crate) fn poll_transmit(&mut self, now: Time, buffer: &mut [u8]) -> Option<usize> {
        self.client.as_mut()?.poll_transmit(now.us(), buffer, 1).map(|(len, _)| len)
    }

    /// Segments of pushes that it has sent to each server.
    pub(crate) fn pushes(&self) -> impl Iterator<Item = u64> {
        self.outgoing.iter().map(|(_, pushes)| *pushes)
    }

    /// Totals of what it has sent to the switch.
    pub(crate) fn counters(&self) -> ClientCounters {
        self.client.as_ref().map_or(ClientCounters::default(), Client::counters)
    }
}
