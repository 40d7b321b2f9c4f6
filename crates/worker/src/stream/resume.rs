//! The continuation of a stream at another switch (R-RES): the state that it keeps of each slot's
//! last round, and the rounds that are replayed there.

use netfold_num::{ElementType, Exponent, Operation};
use netfold_wire::{Delivery, Kind, Repr, SlotIndex, Terms, WorkerId};
use thiserror::Error;

use super::rounds::{has_lanes, pack};
use super::{Outstanding, Slot, Stream, StreamConfig};
use crate::outbox::Outbox;
use crate::plan::Block;
use crate::recovery::Recovery;
use crate::tensor::Tensor;
use crate::window::Window;

/// Numbers for the rounds of a block (R-RES-2).
const ROUNDS: u64 = 8;

/// Number of a Values round whose result had OVERFLOWED set.
const OVERFLOWED: u64 = 3;

/// Progress of a slot: its last round that is done, by a number that grows from round to round and
/// is the same at every worker (R-RES-2). 0 means that no round is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LastRound(pub u64);

impl LastRound {
    fn of(position: u64, kind: Kind, overflowed: bool) -> Self {
        let number = match kind {
            Kind::Exponents => 1,
            Kind::Classes => 2,
            Kind::Values if overflowed => OVERFLOWED,
            Kind::Values => 4,
            Kind::Refold => 5,
        };
        Self(position * ROUNDS + number)
    }

    /// Returns whether its result told of an overflow (R-RES-10).
    fn overflowed(self) -> bool {
        self.0 % ROUNDS == OVERFLOWED
    }
}

/// A round that some workers have done and others have not (R-RES-4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Replay {
    /// Its slot in the flow.
    pub slot: SlotIndex,
    /// The round.
    pub round: LastRound,
    /// The lowest rank that has done it.
    pub source: WorkerId,
}

/// A stream cannot go on with the others: they are further apart than workers of one job can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "this worker and rank {with} are not at the same point of slot {slot}, so the job cannot be resumed; start it again"
)]
pub struct ResumeError {
    /// The slot in the flow.
    slot: u16,
    /// The worker that has done a round which this one does not know.
    with: u16,
}

/// The state that a worker keeps of a slot's last round (R-RES-1).
#[derive(Clone)]
pub(super) struct Kept {
    pub(super) round: LastRound,
    /// This worker's contribution, but with the `next_exponent` of the result.
    header: Repr,
    /// Lanes of the result if it went to all, of the contribution if the result went to another
    /// worker, if each worker got another's, or if a user's operation folds it. Empty otherwise.
    lanes: Vec<u8>,
}

/// A round that a slot replays before anything else.
#[derive(Clone)]
pub(super) struct Replaying {
    /// Header of this worker's contribution.
    pub(super) header: Repr,
    lanes: Lanes,
    /// This worker has not done the round yet.
    pub(super) missing: bool,
}

/// Lanes of a contribution to a replayed round.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lanes {
    None,
    /// The lanes that are kept.
    Kept,
    /// The lanes of the block, as in the first place.
    Block,
}

impl<T: Tensor> Stream<T> {
    /// Returns the last round that each slot has done.
    pub fn last_rounds(&self) -> impl Iterator<Item = LastRound> {
        self.slots
            .iter()
            .map(|slot| slot.kept.as_ref().map_or(LastRound::default(), |kept| kept.round))
    }

    /// Returns whether a round that must be replayed is not done. Until it is, the worker does not
    /// take leave (R-RES-7).
    pub fn is_replaying(&self) -> bool {
        self.replaying > 0
    }

    /// Goes on at another switch, or in another epoch of the job: `config` differs from that before
    /// in job, epoch, integrity and timing alone. Of `replays`, those of other streams are ignored.
    /// Packets that were sent and not answered are sent anew.
    ///
    /// Between the end of the previous epoch and this, the driver neither sends nor delivers
    /// datagrams.
    ///
    /// # Errors
    /// [`ResumeError`]; the stream must not be used any more, but for [`Stream::abandon`].
    ///
    /// # Panics
    /// If `config` has other slots, rank or flows.
    pub fn resume(&mut self, config: StreamConfig, replays: &[Replay]) -> Result<(), ResumeError> {
        let StreamConfig { job, epoch, timing, terms: Terms { integrity, .. }, .. } = config;
        self.config = StreamConfig {
            job,
            epoch,
            terms: Terms { integrity, ..self.config.terms },
            timing,
            ..self.config
        };
        assert_eq!(self.config, config, "a stream keeps its slots");
        self.recovery = Recovery::new(timing);
        self.window = Window::new(&config);
        self.replaying = 0;
        self.outbox = Outbox::default();
        self.held_until_us = None;
        self.outstanding = 0;
        for index in 0..config.slots {
            self.begin_anew(SlotIndex(index));
        }
        for replay in replays {
            if let Some(slot) =
                replay.slot.0.checked_sub(config.first_slot).filter(|slot| *slot < config.slots)
            {
                self.replay(SlotIndex(slot), replay)?;
            }
        }
        for index in 0..config.slots {
            self.presume_acknowledged(SlotIndex(index));
        }
        Ok(())
    }

    /// R-RES-6
    fn begin_anew(&mut self, slot: SlotIndex) {
        let (job, epoch) = (self.config.job, self.config.epoch);
        let state = &mut self.slots[usize::from(slot.0)];
        if let Some(kept) = &mut state.kept {
            (kept.header.job, kept.header.epoch) = (job, epoch);
        }
        // The outstanding round of a replay is not the slot's own if that round is done here.
        let own = state.replaying.take().is_none_or(|replaying| replaying.missing);
        if let Some(acknowledgement) = &mut state.acknowledging {
            (acknowledgement.job, acknowledgement.epoch) = (job, epoch);
            state.outstanding = None;
            return;
        }
        match state.outstanding.take().filter(|_| own) {
            Some(round) => {
                let header = Repr { job, epoch, ..round.header };
                state.outstanding =
                    Some(Outstanding { header, sent: None, again: None, attended: false, ..round });
                self.outbox.push_new(state.position, slot);
            }
            None => self.start_round(slot, false),
        }
    }

    /// R-RES-5
    fn replay(&mut self, slot: SlotIndex, replay: &Replay) -> Result<(), ResumeError> {
        let diverged = ResumeError { slot: replay.slot.0, with: replay.source.0 };
        let state = &self.slots[usize::from(slot.0)];
        let overflowed = replay.round.overflowed();
        let kept = state.kept.as_ref().filter(|kept| kept.round == replay.round);
        let (missing, header) = match (kept, self.own_round(slot)) {
            (Some(kept), _) => (false, kept.header),
            (None, Some((header, _)))
                if LastRound::of(state.position, header.kind, overflowed) == replay.round =>
            {
                (true, *header)
            }
            _ => return Err(diverged),
        };
        let from_source = self.config.rank == replay.source && !missing;
        let next_exponent = if from_source { header.next_exponent } else { Exponent::ZERO };
        let (header, lanes) = match header.delivery {
            _ if overflowed || !has_lanes(header.kind, header.elements) => {
                (Repr { empty: true, overflowed, ..header }, Lanes::None)
            }
            Delivery::All => (
                result_as_bytes(&header, from_source),
                if from_source { Lanes::Kept } else { Lanes::None },
            ),
            Delivery::One(to) if to == self.config.rank && !missing && !by_user(&header) => {
                (Repr { empty: true, ..without_registers(&header) }, Lanes::None)
            }
            _ => (without_registers(&header), if missing { Lanes::Block } else { Lanes::Kept }),
        };
        let lanes = if header.empty { Lanes::None } else { lanes };
        let header = Repr { next_exponent, ..header };
        let state = &mut self.slots[usize::from(slot.0)];
        if !missing {
            state.outstanding =
                Some(Outstanding { header, block: None, sent: None, attended: false, again: None });
        }
        state.replaying = Some(Replaying { header, lanes, missing });
        self.replaying += 1;
        self.outbox.push_again(slot);
        Ok(())
    }

    /// Keeps the state that a replay of this round would need (R-RES-1), before its block is done.
    pub(super) fn keep(
        &mut self,
        slot: SlotIndex,
        round: &Repr,
        block: &Block,
        result: &Repr,
        result_lanes: &[u8],
    ) {
        if !self.config.terms.resumable {
            return;
        }
        let state = &mut self.slots[usize::from(slot.0)];
        let number = LastRound::of(state.position, round.kind, result.overflowed);
        let header = Repr { next_exponent: result.next_exponent, ..*round };
        let kept =
            state.kept.get_or_insert_with(|| Kept { round: number, header, lanes: Vec::new() });
        (kept.round, kept.header) = (number, header);
        kept.lanes.clear();
        match round.delivery {
            _ if result.overflowed || !has_lanes(round.kind, round.elements) => {}
            Delivery::All => kept.lanes.extend_from_slice(result_lanes),
            Delivery::One(to) if to == self.config.rank && !by_user(round) => {}
            _ => {
                kept.lanes.resize(round.lane_bytes(), 0);
                if let (false, Some(call)) = (round.empty, self.calls.call_at(state.position)) {
                    pack(call.tensor(), block, round, &mut kept.lanes);
                }
            }
        }
    }

    /// Writes the lanes of a replayed round.
    pub(super) fn pack_replayed(&self, slot: SlotIndex, round: &Repr, lanes: &mut [u8]) {
        let state = &self.slots[usize::from(slot.0)];
        match state.replaying.as_ref().map(|replaying| replaying.lanes) {
            Some(Lanes::Kept) => lanes
                .copy_from_slice(&state.kept.as_ref().expect("what is replayed was kept").lanes),
            Some(Lanes::Block) => {
                let (_, block) =
                    self.own_round(slot).expect("a round that is missing is a block's");
                pack(self.active(slot).tensor(), block, round, lanes);
            }
            Some(Lanes::None) | None => {}
        }
    }

    /// Returns a round that is replayed and has been sent. Others may wait for it that wait for
    /// nothing else.
    pub(super) fn replayed_round(&self) -> Option<SlotIndex> {
        let is_out = |slot: &Slot| {
            slot.replaying.is_some()
                && slot.outstanding.as_ref().is_some_and(|round| round.sent.is_some())
        };
        let first = || self.slots.iter().position(is_out).map(|slot| SlotIndex(slot as u16));
        if self.replaying > 0 { first() } else { None }
    }

    /// Ends the replay of a slot whose result is there. Returns whether it was one.
    pub(super) fn end_replay(&mut self, slot: SlotIndex) -> bool {
        let replayed = self.slots[usize::from(slot.0)].replaying.take().is_some();
        if replayed {
            self.replaying -= 1;
            self.counters.replayed += 1;
        }
        replayed
    }
}

/// Returns a round whose contributions are sent again: one that no register can overflow, if they
/// are floats to add (R-RES-10).
fn without_registers(header: &Repr) -> Repr {
    let adds_floats = header.operation == Operation::Sum && header.element_type.is_float();
    let kind = if adds_floats && header.kind == Kind::Values { Kind::Refold } else { header.kind };
    Repr { kind, ..*header }
}

/// Returns whether a user's operation folds a round.
fn by_user(header: &Repr) -> bool {
    matches!(header.operation, Operation::User(_))
}

/// Returns a round whose result goes round again, as bytes of one contributor.
fn result_as_bytes(header: &Repr, from_source: bool) -> Repr {
    Repr {
        elements: header.elements * header.element_type.bytes() as u16,
        element_type: ElementType::U8,
        operation: Operation::Copy,
        empty: !from_source,
        ..*header
    }
}
