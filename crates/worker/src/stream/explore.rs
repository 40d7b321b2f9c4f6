//! The part of a stream that an exhaustive search through the protocol needs: its progress, apart
//! from time, and losses when the search wants them.
//!
//! A search that told states apart by round trips and timers would never end. So it takes time out:
//! it knows a stream by its [`Progress`], and presumes a round lost ([`Stream::presume_lost`]) at
//! any instant, where a timer would do so at one of them.

use netfold_num::Exponent;
use netfold_wire::{Kind, Pool, Repr, SlotIndex};

use super::{Again, LastRound, Slot, Stream};
use crate::calls::CallId;
use crate::tensor::Tensor;

/// The state that decides a stream's next step, but not its time: two streams with the same
/// configuration and the same calls that agree in it answer every datagram alike. The rest of a
/// stream is made up of time (round trips, timers, their order), of totals, and of values that
/// follow from this: which calls are done, how many rounds are outstanding, and the lowest
/// position.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Progress {
    /// Position after the last block that has been submitted.
    pub end: u64,
    /// Rounds that may be outstanding (R-WORK-7).
    pub window: u32,
    /// Each slot.
    pub slots: Vec<SlotProgress>,
}

/// Progress of a slot of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SlotProgress {
    /// Copy of the round that is outstanding, or comes next.
    pub pool: Pool,
    /// Position of its block, not wrapped.
    pub position: u64,
    /// Exponent that the workers have agreed on for that block (R-WORK-5).
    pub agreed: Exponent,
    /// The block has had a Classes round.
    pub special: bool,
    /// Its sum has overflowed, and it is folded again.
    pub overflowed: bool,
    /// The round that has been started and has no result; `None` if the block has not been
    /// submitted.
    pub round: Option<RoundProgress>,
    /// It acknowledges the block's latest round (R-ACK-1).
    pub acknowledging: bool,
    /// Its last round that is done, if the stream can be resumed (R-RES-1). What is kept of it is
    /// what every worker got.
    pub last: LastRound,
    /// Contribution to the round that it replays (R-RES-5).
    pub replaying: Option<Repr>,
}

/// A round that has been started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RoundProgress {
    /// The kind of exchange.
    pub kind: Kind,
    /// Exponent of the lanes.
    pub exponent: Exponent,
    /// Last packet that went out for it: `None` if nothing did, else whether it was a query. A
    /// recall is taken only after a query (R-TIME-7).
    pub queried: Option<bool>,
    /// Reason why it waits to be sent again, if it does.
    pub again: Option<Again>,
}

impl SlotProgress {
    fn of(slot: &Slot) -> Self {
        let &Slot {
            pool,
            position,
            agreed,
            special,
            overflowed,
            ref outstanding,
            acknowledging,
            ref kept,
            ref replaying,
        } = slot;
        let round = outstanding.as_ref().map(|round| RoundProgress {
            kind: round.header.kind,
            exponent: round.header.exponent,
            queried: round.sent.map(|sent| sent.query),
            again: round.again,
        });
        let last = kept.as_ref().map_or(LastRound::default(), |kept| kept.round);
        let (acknowledging, replaying) =
            (acknowledging.is_some(), replaying.as_ref().map(|replaying| replaying.header));
        Self { pool, position, agreed, special, overflowed, round, acknowledging, last, replaying }
    }
}

impl<T: Tensor> Stream<T> {
    /// Returns the progress of the stream.
    pub fn progress(&self) -> Progress {
        Progress {
            end: self.calls.end(),
            window: self.window(),
            slots: self.slots.iter().map(SlotProgress::of).collect(),
        }
    }

    /// Returns the memory of a call that is in progress; `None` if it is not.
    pub fn tensor(&self, id: CallId) -> Option<&T> {
        self.calls.tensor_of(id)
    }

    /// Takes the outstanding round of a slot (counted from 0) for lost, whatever the timers say: it
    /// is sent again, or asked for (R-TIME-6), at the next [`Stream::poll_transmit`]. If no round
    /// of it has been sent, acknowledgements that are held go out (R-ACK-6), which is a matter of
    /// time as well.
    pub fn presume_lost(&mut self, slot: SlotIndex) {
        let state = self.slots.get(usize::from(slot.0));
        match state.and_then(|state| state.outstanding.as_ref()) {
            Some(round) if round.sent.is_some() => self.send_again(slot, Again::Overdue),
            Some(_) => self.held_until_us = None,
            None => {}
        }
    }
}
