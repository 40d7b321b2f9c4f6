//! The worker side of netfold: a stream of blocks through the slots of a switch, as a state machine
//! without I/O.
//!
//! A [`Streams`] is one worker's side of one flow: a [`Stream`] for urgent calls and one for bulk,
//! and in some jobs one for exchanges.
//! Its driver follows one law, after every mutation ([`Streams::submit`], [`Streams::handle`],
//! [`Streams::handle_timeout`]): drain [`Streams::poll_transmit`] and [`Streams::poll_event`], then
//! wait for a datagram or until [`Streams::poll_timeout`]. Time is an argument, in microseconds
//! from any origin.
//!
//! It holds no tensor memory: a call comes with a [`Tensor`], which packs blocks into outgoing
//! packets and takes the blocks of results, so that elements are converted while they are moved. It
//! knows neither sockets nor the other workers.
//!
//! Short calls need no stream if all workers share memory: an [`EagerPath`] is one worker's side of
//! those, a state machine of the same kind.
//!
//! Open [`Streams`] first, then [`Stream`], and [`Plan`] for how a call becomes blocks.

#![forbid(unsafe_code)]

mod call;
mod calls;
mod counters;
mod dense;
mod eager;
pub mod fused;
pub mod keyed;
mod lent;
mod order;
mod outbox;
mod plan;
mod recovery;
pub mod rows;
mod rtt;
mod sharing;
mod stream;
mod streams;
mod tensor;
mod window;

pub use call::{
    Call, Collective, FoldTraits, Mark, Priority, Reduction, UnknownPriority, UserFold,
};
pub use calls::CallId;
pub use counters::Counters;
pub use dense::{Dense, Memory};
pub use eager::{EagerCall, EagerMessage, EagerMessages, EagerPath};
pub use lent::calls_at_return;
pub use order::{Limit, MOST_TOLD, Order};
pub use plan::{Block, Kept, Lengths, Plan, PlanError};
pub use rtt::Timing;
pub use stream::{
    Again, Event, LastRound, Outgoing, Progress, Replay, ResumeError, RoundProgress, Sending,
    SlotProgress, Stream, StreamConfig, Transmit,
};
pub use streams::{OtherSlots, Streams};
pub use tensor::{Contiguous, Tensor};
