//! Switches that keep all rules but one.

use std::sync::Arc;

use netfold_model::{Sent, Switch};
use netfold_switch::slot::{Arrival, COPY_WORDS, SLOT_WORDS, Slot};
use netfold_switch::{
    Contribution, CopyMemory, Effect, Instances, JobSpec, Operations, Recipients, Shard, TrapCause,
    TypedFold, TypedOperation,
};
use netfold_wire::{
    Delivery, Ecn, HEADER_BYTES, Packet, Pool, Position, Repr, SlotIndex, WorkerId,
};

/// A rule of a slot that is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwitchRule {
    /// R-SLOT-8: rounds of a copy are ordered.
    Order,
    /// R-SLOT-1: a contribution clears the worker's bit in the other copy.
    OtherCopy,
    /// R-SLOT-1: a contribution sets the worker's bit.
    Bitmap,
    /// R-SLOT-4: a retransmission to a complete round is answered.
    Answer,
    /// R-SLOT-10: a query is answered by a recall.
    Recall,
    /// R-SLOT-2: the first lanes of a round overwrite.
    Overwrite,
}

/// A switch without a parent, made of the steps that a slot in shared memory takes. Its registers
/// are changed to break a rule. It keeps the last three rules by itself.
#[derive(Clone)]
pub struct BrokenSwitch {
    slots: Vec<Slot>,
    /// The lanes of each slot's even copy, then those of its odd one.
    lanes: Vec<u8>,
    broken: Option<SwitchRule>,
    reported: bool,
}

impl BrokenSwitch {
    pub fn new(spec: &JobSpec, broken: Option<SwitchRule>) -> Self {
        let slots = usize::from(spec.slots);
        let lanes = vec![0; 2 * slots * spec.payload_bytes as usize];
        Self { slots: vec![Slot::FRESH; slots], lanes, broken, reported: false }
    }

    /// Changes the registers of a slot, as words.
    fn change(&mut self, slot: SlotIndex, change: impl FnOnce(&mut [u32; SLOT_WORDS])) {
        let slot = &mut self.slots[usize::from(slot.0)];
        let mut words = slot.to_words();
        change(&mut words);
        *slot = Slot::from_words(&words).expect("a slot can be like this");
    }

    /// Returns whether a contribution would be dropped: its copy has held a round as new, and has
    /// no bit of the worker for that round.
    fn is_old(&self, packet: &Repr, worker: WorkerId) -> bool {
        let copy = self.slots[usize::from(packet.slot.0)].copy(packet.pool);
        let old = copy.result().is_some_and(|held| packet.position.since(held.position) <= 0);
        old && !copy.holders().has(worker.0)
    }

    fn prepare(&mut self, packet: &Repr, worker: WorkerId) {
        let copy = packet.pool.index() * COPY_WORDS;
        match self.broken {
            Some(SwitchRule::Order) if self.is_old(packet, worker) => {
                // The third word is the position that the copy holds: one that is older than what
                // comes.
                let older = Position(packet.position.0.wrapping_sub(1));
                self.change(packet.slot, |words| words[copy + 2] = older.0);
            }
            // The first word has the bits of the lower ranks, by which the only switch numbers its
            // members.
            Some(SwitchRule::Bitmap) => {
                self.change(packet.slot, |words| words[copy] &= !(1 << worker.0))
            }
            _ => {}
        }
    }
}

impl Switch for BrokenSwitch {
    fn handle(&mut self, spec: &JobSpec, datagram: &[u8]) -> Vec<Sent> {
        let Ok(contribution) = Contribution::parse(datagram, Ecn::Clear) else { return Vec::new() };
        let (header, worker) = (*contribution.header(), contribution.worker());
        contribution.check(spec).expect("workers of a model send what belongs to the job");
        self.prepare(&header, worker);
        let before = self.slots[usize::from(header.slot.0)];

        let payload = spec.payload_bytes as usize;
        let start = (2 * usize::from(header.slot.0) + header.pool.index()) * payload;
        let held = self.lanes[start..start + payload].to_vec();
        let lanes = &mut self.lanes[start..start + payload];
        let slot = &mut self.slots[usize::from(header.slot.0)];
        let (mut turn, mut none) = (slot.turn(header.pool), Instances::default());
        let (arrival, effect) = contribution
            .fold_into(&mut turn, spec, &mut none, || CopyMemory { lanes, registers: &mut [] });

        let result = |slot: &Slot, lanes: &[u8], to| {
            let header =
                slot.copy(header.pool).result_header(spec, header.slot, header.pool, to)?;
            Some((to, datagram_of(&header, lanes)))
        };
        let (slot, lanes) =
            (&self.slots[usize::from(header.slot.0)], &self.lanes[start..start + payload]);
        let sent = match effect {
            Effect::Deliver => result(slot, lanes, Recipients::All),
            Effect::Repeat(worker) if self.broken != Some(SwitchRule::Answer) => {
                result(slot, lanes, Recipients::One(worker))
            }
            Effect::Recall(worker) if self.broken != Some(SwitchRule::Recall) => {
                Some((Recipients::One(worker), datagram_of(&header.recall(worker), &[])))
            }
            Effect::Fail(_) => {
                self.reported = true;
                None
            }
            _ => None,
        };
        if let Arrival::Accepted { overwrite, .. } = arrival {
            if self.broken == Some(SwitchRule::OtherCopy) {
                let other = header.pool.flipped();
                let bit = u32::from(before.copy(other).holders().has(worker.0)) << worker.0;
                self.change(header.slot, |words| words[other.index() * COPY_WORDS] |= bit);
            }
            if self.broken == Some(SwitchRule::Overwrite) && overwrite {
                let lanes = &mut self.lanes[start..start + payload];
                lanes.iter_mut().zip(held).for_each(|(lane, held)| *lane = lane.wrapping_add(held));
            }
        }
        sent.into_iter().collect()
    }

    fn memory(&self) -> (&[Slot], &[u8]) {
        (&self.slots, &self.lanes)
    }

    fn has_reported(&mut self) -> bool {
        std::mem::take(&mut self.reported)
    }
}

fn datagram_of(header: &Repr, lanes: &[u8]) -> Arc<[u8]> {
    let mut datagram = vec![0; HEADER_BYTES];
    header.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
    datagram.extend(&lanes[..header.lane_bytes()]);
    datagram.into()
}

/// A rule of a leaf that is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeafRule {
    /// R-TREE-3: a leaf takes a result of the round that it has sent up.
    Round,
    /// R-TREE-4: it sends up again the datagrams that its members send again.
    Again,
}

/// The real switch, with datagrams that are changed to break a rule.
#[derive(Clone)]
pub struct BrokenLeaf {
    shard: Shard,
    broken: Option<LeafRule>,
}

impl BrokenLeaf {
    pub fn new(spec: &JobSpec, broken: Option<LeafRule>) -> Self {
        let mut shard = Shard::new(spec.memory_bytes());
        shard.admit(spec.clone()).expect("there is memory for the only job");
        Self { shard, broken }
    }

    /// The position of the round that waits for the parent in a copy.
    fn raised(&self, slot: SlotIndex, pool: Pool) -> Option<Position> {
        Some(self.memory().0[usize::from(slot.0)].copy(pool).raised()?.position)
    }
}

impl Switch for BrokenLeaf {
    fn handle(&mut self, spec: &JobSpec, datagram: &[u8]) -> Vec<Sent> {
        let mut header =
            Repr::parse(&Packet::new_checked(datagram).expect("machines send packets"));
        let raised = self.raised(header.slot, header.pool);
        let mut datagram = datagram.to_vec();
        if let (Some(LeafRule::Round), Some(position)) = (self.broken, raised) {
            // Results and contributions alike; of these, only what a leaf would take for a
            // retransmission comes for a round that has gone up.
            header.position = position;
            header.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
        }
        let mut sent = Switch::handle(&mut self.shard, spec, &datagram);
        if self.broken == Some(LeafRule::Again) && raised.is_some() {
            sent.retain(|(to, _)| *to != Recipients::Parent);
        }
        sent
    }

    fn memory(&self) -> (&[Slot], &[u8]) {
        Switch::memory(&self.shard)
    }

    fn has_reported(&mut self) -> bool {
        self.shard.has_reported()
    }
}

/// A rule of slots that keep operands apart that is broken (R-SLOT-13).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangeRule {
    /// A result that is sent again is that of its receiver.
    Again,
    /// A member's operand has a place of its own in each copy.
    Place,
    /// A result has the folds that its receiver does not have.
    Folds,
}

/// The real switch, all of whose slots keep operands apart, with a rule of theirs broken.
#[derive(Clone)]
pub struct BrokenExchange {
    shard: Shard,
    broken: ExchangeRule,
}

impl BrokenExchange {
    pub fn new(spec: &JobSpec, broken: ExchangeRule) -> Self {
        let mut shard = Shard::new(spec.memory_bytes());
        shard.admit(spec.clone()).expect("there is memory for the only job");
        Self { shard, broken }
    }

    /// The operand of a member in a copy, of so many bytes.
    fn operand(&self, spec: &JobSpec, result: &Repr, pool: Pool, member: u16) -> Vec<u8> {
        let memory = Switch::memory(self).1;
        let copy = pool.index() * usize::from(spec.slots) + usize::from(result.slot.0);
        let start = copy * (memory.len() / (2 * usize::from(spec.slots)))
            + usize::from(member) * spec.payload_bytes as usize;
        memory[start..][..result.lane_bytes()].to_vec()
    }
}

impl Switch for BrokenExchange {
    fn handle(&mut self, spec: &JobSpec, datagram: &[u8]) -> Vec<Sent> {
        let sent = Switch::handle(&mut self.shard, spec, datagram);
        let again = sent.len() == 1;
        let first = sent.first().map(|(_, datagram)| datagram[HEADER_BYTES..].to_vec());
        let change = |(to, datagram): Sent| {
            let header = Repr::parse(&Packet::new_checked(&datagram).expect("a packet"));
            let Recipients::One(receiver) = to else { return (to, datagram) };
            let lanes = match self.broken {
                _ if header.empty => return (to, datagram),
                // Its own operand, as if the result were that of the sender.
                ExchangeRule::Again if again => {
                    self.operand(spec, &header, header.pool, receiver.0)
                }
                ExchangeRule::Again => return (to, datagram),
                // Those that the first member does not have.
                ExchangeRule::Folds => first.clone().unwrap_or_default(),
                // That of the other copy, which was written before.
                ExchangeRule::Place => {
                    let Delivery::Shift(distance) = header.delivery else { return (to, datagram) };
                    let from = (receiver.0 + spec.workers - distance) % spec.workers;
                    self.operand(spec, &header, header.pool.flipped(), from)
                }
            };
            (to, datagram_of(&header, &lanes))
        };
        sent.into_iter().map(change).collect()
    }

    fn memory(&self) -> (&[Slot], &[u8]) {
        Switch::memory(&self.shard)
    }

    fn has_reported(&mut self) -> bool {
        self.shard.has_reported()
    }
}

/// Returns a switch with a job. If it is `broken`, it takes the job's operations for such as fold
/// in any order (R-OP-25).
pub fn unordered(spec: &JobSpec, broken: bool) -> Shard {
    let taken = |operation: &Arc<dyn TypedOperation>| match broken {
        true => Arc::new(Unordered(operation.clone())) as Arc<dyn TypedOperation>,
        false => operation.clone(),
    };
    let operations = Operations::new(spec.operations.iter().map(taken)).expect("as many as before");
    let spec = JobSpec { operations, ..spec.clone() };
    let mut shard = Shard::new(spec.memory_bytes());
    shard.admit(spec).expect("there is memory for the only job");
    shard
}

/// An operation that claims to commute, and does not.
#[derive(Debug)]
struct Unordered(Arc<dyn TypedOperation>);

impl TypedOperation for Unordered {
    fn hash(&self) -> [u8; 32] {
        self.0.hash()
    }

    fn name(&self) -> &str {
        self.0.name()
    }

    fn module(&self) -> &[u8] {
        self.0.module()
    }

    fn element_bytes(&self) -> usize {
        self.0.element_bytes()
    }

    fn batch_bytes(&self) -> usize {
        self.0.batch_bytes()
    }

    fn any_order(&self) -> bool {
        true
    }

    fn is_associative(&self) -> bool {
        self.0.is_associative()
    }

    fn has_map(&self) -> bool {
        self.0.has_map()
    }

    fn instance(&self) -> Result<Box<dyn TypedFold>, TrapCause> {
        self.0.instance()
    }
}

/// The real switch, but it does not look at the epoch of datagrams (R-PKT-4).
#[derive(Clone)]
pub struct OpenSwitch {
    shard: Shard,
}

impl OpenSwitch {
    pub fn new(spec: &JobSpec) -> Self {
        let mut shard = Shard::new(spec.memory_bytes());
        shard.admit(spec.clone()).expect("there is memory for the only job");
        Self { shard }
    }
}

impl Switch for OpenSwitch {
    fn handle(&mut self, spec: &JobSpec, datagram: &[u8]) -> Vec<Sent> {
        let header = Repr::parse(&Packet::new_checked(datagram).expect("machines send packets"));
        let mut datagram = datagram.to_vec();
        let epoch = spec.epoch;
        Repr { epoch, ..header }.emit(datagram.first_chunk_mut().expect("a datagram has a header"));
        Switch::handle(&mut self.shard, spec, &datagram)
    }

    fn memory(&self) -> (&[Slot], &[u8]) {
        Switch::memory(&self.shard)
    }

    fn has_reported(&mut self) -> bool {
        self.shard.has_reported()
    }
}
