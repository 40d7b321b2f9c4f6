//! Control connections: reliable pipes in order, as TCP makes them of the links below. What control
//! messages weigh is not charged to the links.

use std::collections::{BTreeMap, VecDeque};

use netfold_management::{ConnectionId, Message};

use super::{ManagementEvent, Who};
use crate::events::{Event, Events};
use crate::setup::{Management, Setup};
use crate::time::Time;
use crate::topology::Topology;

/// The end of a pipe at whoever has connected.
pub(super) const LOWER: usize = 0;
/// The end at whoever has accepted.
pub(super) const UPPER: usize = 1;

/// Something that goes through a pipe.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item {
    /// Somebody connects.
    Open,
    /// The system of the other end has taken the connection.
    Accepted,
    Message(Message),
    /// The other end sends nothing more.
    Close,
    /// Nobody listens there.
    Refused,
}

/// One end of a pipe.
pub(super) struct End {
    pub(super) who: Who,
    pub(super) node: u32,
    /// Identifier of the pipe for a switch at this end.
    pub(super) conn: ConnectionId,
    /// Somebody listens at this end.
    pub(super) open: bool,
    /// Its system has said that somebody does.
    pub(super) accepted: bool,
    /// Something that was sent from here is never acknowledged, and nothing that is sent after it
    /// arrives.
    doomed: bool,
    /// Items under way to this end, and the time at which the last of them arrives.
    incoming: VecDeque<Item>,
    last: Time,
}

/// A connection over the link above a leg.
pub(super) struct Pipe {
    pub(super) ends: [End; 2],
    leg: u32,
}

/// All pipes, and the links below them.
pub(super) struct Pipes {
    pipes: Vec<Pipe>,
    /// Delay of the link above each leg, and the periods in which it carries nothing.
    delays: Vec<Time>,
    cuts: BTreeMap<u32, Vec<(Time, Time)>>,
    patience: Time,
    /// Nodes that have stopped without a word.
    pub(super) silent: Vec<bool>,
}

impl Pipes {
    pub(super) fn new(setup: &Setup, topology: &Topology, management: &Management) -> Self {
        let delay = |leg| Time::from_ns(setup.layers[topology.layer(leg)].delay_ns);
        let mut cuts: BTreeMap<u32, Vec<(Time, Time)>> = BTreeMap::new();
        for cut in &setup.cuts {
            // A cut of a link that is not there has been refused with the links.
            if let Ok(leg) = topology.child(cut.layer, cut.child) {
                let during = (Time::from_us(cut.from_us), Time::from_us(cut.until_us));
                cuts.entry(leg).or_default().push(during);
            }
        }
        cuts.values_mut().for_each(|of_link| of_link.sort_unstable());
        Self {
            pipes: Vec::new(),
            delays: (0..topology.legs())
                .map(|leg| topology.parent(leg).map_or(Time::ZERO, |_| delay(leg)))
                .collect(),
            cuts,
            patience: Time::from_us(management.patience_ms.saturating_mul(1000)),
            silent: vec![false; (topology.switches() + topology.hosts()) as usize],
        }
    }

    pub(super) fn end(&self, pipe: u32, end: usize) -> &End {
        &self.pipes[pipe as usize].ends[end]
    }

    /// Pipes of which an end is open, of those between nodes that have not stopped.
    pub(super) fn open(&self) -> usize {
        let alive = |pipe: &&Pipe| pipe.ends.iter().all(|end| !self.silent[end.node as usize]);
        self.pipes.iter().filter(alive).filter(|pipe| pipe.ends.iter().any(|end| end.open)).count()
    }

    /// Connects over the link above a leg of `lower`'s node, whose name for it is `conn`. The other
    /// end calls it by its number.
    pub(super) fn connect(
        &mut self,
        lower: (Who, u32, ConnectionId),
        (leg, parent): (u32, u32),
        at: (&mut Events, Time),
    ) -> u32 {
        let number = self.pipes.len() as u32;
        let (who, node, conn) = lower;
        let end = |who, node, conn, open| {
            let (incoming, last, doomed, accepted) = (VecDeque::new(), Time::ZERO, false, false);
            End { who, node, conn, open, accepted, doomed, incoming, last }
        };
        let upper = end(Who::Switch(parent), parent, ConnectionId(number.into()), false);
        self.pipes.push(Pipe { ends: [end(who, node, conn, true), upper], leg });
        self.send(number, LOWER, Item::Open, at);
        number
    }

    /// Takes a connection that has come to this end, as the system does where somebody listens,
    /// whatever that is busy with.
    pub(super) fn accept(&mut self, pipe: u32, end: usize, at: (&mut Events, Time)) {
        let End { accepted, incoming, .. } = &mut self.pipes[pipe as usize].ends[end];
        if !*accepted && incoming.front() == Some(&Item::Open) {
            *accepted = true;
            self.send(pipe, end, Item::Accepted, at);
        }
    }

    /// Sets whether somebody listens at this end.
    pub(super) fn set_open(&mut self, pipe: u32, end: usize, open: bool) {
        self.pipes[pipe as usize].ends[end].open = open;
    }

    /// Sends from one end to the other. While the link is cut it waits; if that takes longer than a
    /// connection bears, or nobody is there to acknowledge it, the sender's end breaks.
    pub(super) fn send(
        &mut self,
        pipe: u32,
        from: usize,
        item: Item,
        (events, now): (&mut Events, Time),
    ) {
        let Pipe { ends, leg } = &mut self.pipes[pipe as usize];
        let gives_up = now + self.patience;
        let breaks = Event::Managed(ManagementEvent::Broken { pipe, end: from as u8 });
        let cuts = self.cuts.get(leg).map_or(&[][..], Vec::as_slice);
        let leaves = cuts
            .iter()
            .fold(now, |at, &(begin, until)| if begin <= at { at.max(until) } else { at });
        let nobody = self.silent[ends[1 - from].node as usize];
        if leaves > gives_up || nobody || ends[from].doomed {
            if !ends[from].doomed {
                ends[from].doomed = true;
                events.schedule(gives_up, breaks);
            }
            return;
        }
        let to = &mut ends[1 - from];
        // In order, whatever was sent before.
        to.last = to.last.max(leaves + self.delays[*leg as usize]);
        to.incoming.push_back(item);
        events.schedule(
            to.last,
            Event::Managed(ManagementEvent::Delivery { pipe, end: (1 - from) as u8 }),
        );
    }

    /// Returns the next item that has come to this end.
    pub(super) fn receive(&mut self, pipe: u32, end: usize) -> Option<Item> {
        self.pipes[pipe as usize].ends[end].incoming.pop_front()
    }

    /// Pipes with an end at this node, and which end.
    pub(super) fn at_node(&self, node: u32) -> Vec<(u32, usize)> {
        let at_node = |(pipe, end): &(u32, usize)| self.end(*pipe, *end).node == node;
        (0..self.pipes.len() as u32)
            .flat_map(|pipe| [(pipe, LOWER), (pipe, UPPER)])
            .filter(at_node)
            .collect()
    }
}
