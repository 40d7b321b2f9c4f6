//! The terms of a job: what its workers and switches agree on before its first packet (R-CTRL-1).

use netfold_num::{Arithmetic, ByteOrder, Overflow, Protocol};

use crate::integrity::Integrity;
use crate::table::TableTerms;

/// The terms of a job, the same for all its workers and switches.
///
/// `I` tells how the job's packets prove themselves (R-PKT-3): [`Integrity`], with the key, where
/// packets are made and checked, and [`IntegrityKind`](crate::IntegrityKind) where a job is asked
/// for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms<I = Integrity> {
    /// Arithmetic of sums of floats (R-NUM-2).
    pub arithmetic: Arithmetic,
    /// Policy for sums that overflow their registers, if the arithmetic has some (R-SLOT-11).
    pub overflow: Overflow,
    /// Order of a lane's bytes, in packets and in slots (R-NUM-19).
    pub byte_order: ByteOrder,
    /// Protocol by which a slot is used again (R-ACK).
    pub protocol: Protocol,
    /// Proof that a packet is whole and the job's.
    pub integrity: I,
    /// The job's part of a queue that it shares with others (R-ECN-4), 1 or more.
    pub weight: u16,
    /// Ability to go on at another switch (R-RES-1).
    pub resumable: bool,
    /// Ability to go on without a worker that is lost (R-RES-8).
    pub elastic: bool,
    /// Table of the job, if it has one (R-KEY-1).
    pub table: Option<TableTerms>,
}

impl<I> Terms<I> {
    /// Returns the terms of a job that names no others: block arithmetic, in which an overflow is
    /// an error, little-endian lanes, shadow copies, weight 1, an end with its switch or a
    /// worker, and no table.
    pub const fn new(integrity: I) -> Self {
        Self {
            arithmetic: Arithmetic::Block,
            overflow: Overflow::Error,
            byte_order: ByteOrder::Little,
            protocol: Protocol::Shadow,
            integrity,
            weight: 1,
            resumable: false,
            elastic: false,
            table: None,
        }
    }

    /// Returns the same terms with another account of integrity.
    pub fn with_integrity<J>(self, integrity: J) -> Terms<J> {
        let Self {
            arithmetic,
            overflow,
            byte_order,
            protocol,
            weight,
            resumable,
            elastic,
            table,
            integrity: _,
        } = self;
        Terms {
            arithmetic,
            overflow,
            byte_order,
            protocol,
            integrity,
            weight,
            resumable,
            elastic,
            table,
        }
    }
}
