//! What becomes of a result from the parent, at a leaf (R-TREE-3).

use netfold_wire::{Direction, Packet, Repr};

use crate::contribution::Refusal;
use crate::job::JobSpec;
use crate::slot::Slot;

/// A result from the parent, as a view of its datagram.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    packet: Packet<'a>,
    header: Repr,
}

impl<'a> Answer<'a> {
    /// Reads a datagram, which may be anything. Never panics.
    ///
    /// # Errors
    /// [`Refusal::Malformed`] or [`Refusal::Direction`].
    pub fn parse(datagram: &'a [u8]) -> Result<Self, Refusal> {
        let packet = Packet::new_checked(datagram).map_err(Refusal::Malformed)?;
        let header = Repr::parse(&packet);
        match header.direction {
            Direction::Result(_) => Ok(Self { packet, header }),
            Direction::Contribution(_) => Err(Refusal::Direction),
        }
    }

    /// What it says.
    pub fn header(&self) -> &Repr {
        &self.header
    }

    /// Whether it belongs to the job, fits it, and is for this switch. Only what passes may be taken.
    ///
    /// # Errors
    /// The first reason for which it does not.
    pub fn check(&self, spec: &JobSpec) -> Result<(), Refusal> {
        spec.check(&self.header, &self.packet)?;
        let parent = spec.place.parent().ok_or(Refusal::Direction)?;
        match self.header.direction {
            Direction::Result(to) if to.is_none_or(|to| to == parent) => Ok(()),
            _ => Err(Refusal::Range),
        }
    }

    /// Takes the result into the copy that waits for it, and returns whether one did. `lanes` gives all memory of the copy that the result names.
    ///
    /// # Panics
    /// If [`Answer::check`] has not passed for a job whose copies are as long as what `lanes` gives.
    pub fn settle<'m>(&self, slot: &mut Slot, lanes: impl FnOnce() -> &'m mut [u8]) -> bool {
        let settled = slot.settle(&self.header);
        if settled && !self.header.empty {
            let input = self.packet.lanes();
            lanes()[..input.len()].copy_from_slice(input);
        }
        settled
    }
}
