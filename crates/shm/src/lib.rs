//! netfold between the processes of one host: the slots of a switch in shared memory, where whoever
//! delivers a contribution runs the fold in place.
//!
//! The switch makes a [`Segment`] for a job and passes its descriptor to the job's workers. Each
//! worker drives a [`Port`] for each flow: [`Port::deliver`] does to a slot what a switch does,
//! [`Port::contribute`] the same with what need not become a datagram, and [`Port::receive`] hands
//! over results where they lie. No process stands between the workers, the kernel is called only to
//! sleep and to wake, and no result is copied: the shadow copy (R-SLOT-6) keeps a result in place
//! until all workers have gone on.
//!
//! A short call takes the eager path: each worker posts a message ([`Port::post`]), and folds the
//! messages of all by itself ([`Port::collect`]).
//!
//! # What is shared, and with whom
//! A segment is the memory of one job. It has no name; only a process that was passed its
//! descriptor can map it, and the kernel frees it with the last process that has it. Its size is
//! sealed, so that no member can take memory away under another.
//!
//! The members of a job trust each other with the job's *results*, as they do on a network, but not
//! with their own safety. What decides about memory (slots, lengths, workers) each process keeps
//! for itself; locks, registers and flags are atomic words that are decoded with every check,
//! whatever they hold. A member that dies at any instruction leaves a lock taken or a fold half
//! done, never a process that hangs: [`Segment::fail`] ends every wait. Ports hold each other to
//! the shadow-copy rule, so that no use of this crate lets two of them touch a copy at once. A
//! member that writes to the mapping behind this crate's back can spoil lanes while they are read:
//! they are numbers, and nothing but a result depends on them.
//!
//! # What it refuses
//! It decides no protocol: that is `netfold-switch` and `netfold-worker`. It does not find out who
//! has died, and passes nothing but descriptors; both are the control plane's. It does not repair a
//! segment: a job that has lost a worker has failed.
//!
//! # Leaves
//! The segment is a leaf's (R-TREE) if the workers of one host fold here and the job goes on
//! elsewhere. An [`Uplink`] sends what they have folded on to the switch, and a [`Downlink`] takes
//! its results. Both belong to the process of one of them.
//!
//! # Tables
//! A [`Channel`] carries the datagrams of a job's table between a worker and the switch (R-KEY-20).
//!
//! Open [`Segment`] first, then [`Port`].
#![deny(unsafe_code)]

mod channel;
mod cores;
mod descriptor;
mod doorbell;
mod eager;
mod error;
mod layout;
mod lock;
mod mapping;
mod memory;
mod port;
mod segment;
mod slot;
mod spin;
mod sync;
mod tally;
mod times;
mod uplink;

pub use channel::{Channel, ChannelEnd, RingReceiver, RingSender};
pub use descriptor::{recv_descriptor, send_descriptor};
pub use doorbell::Waker;
pub use eager::{Collected, EagerMessages};
pub use error::{Error, PortError};
pub use layout::MAX_MEMBERS;
pub use port::{Port, WaitOutcome};
pub use segment::Segment;
pub use spin::{SpinPolicy, WaitMode};
pub use times::{RoundTimes, clock_zero};
pub use uplink::{Downlink, Uplink};
