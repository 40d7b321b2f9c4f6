//! The parent's results and recalls, as a leaf takes them (R-TREE-3, R-TREE-4).

use netfold_wire::{Direction, Ecn, Packet, Repr};

use crate::contribution::Refusal;
use crate::job::JobSpec;
use crate::slot::Copy;

/// The outcome of the parent's word about a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// The round has its result, which goes to the members.
    Result,
    /// The fold goes up again.
    Recall,
    /// No round waits for it.
    Nothing,
}

/// A result or a recall from the parent, as a view of its datagram.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a>(Packet<'a>);

impl<'a> Answer<'a> {
    /// Reads a datagram, which may be anything. Never panics.
    ///
    /// # Errors
    /// [`Refusal::Malformed`] or [`Refusal::Direction`].
    pub fn parse(datagram: &'a [u8], ecn: Ecn) -> Result<Self, Refusal> {
        let packet = Packet::new_checked(datagram).map_err(Refusal::Malformed)?.with_ecn(ecn);
        match packet.repr().direction {
            Direction::Result(_) | Direction::Recall(_) => Ok(Self(packet)),
            Direction::Contribution(_) | Direction::Query(_) => Err(Refusal::Direction),
        }
    }

    /// Returns its header.
    pub fn header(&self) -> &Repr {
        self.0.repr()
    }

    /// Checks that it belongs to the job, fits it, and is for this switch. Only what passes may be
    /// taken.
    ///
    /// # Errors
    /// The first reason for which it does not.
    pub fn check(&self, spec: &JobSpec) -> Result<(), Refusal> {
        spec.check(self.header(), self.0.datagram())?;
        let name = spec.place.parent().ok_or(Refusal::Direction)?;
        match self.header().direction {
            Direction::Result(to) if to.is_none_or(|to| to == name) => Ok(()),
            Direction::Recall(to) if to == name => Ok(()),
            _ => Err(Refusal::Range),
        }
    }

    /// Takes a result into the copy that waits for it. `lanes` gives all memory of the copy that it
    /// names.
    ///
    /// # Panics
    /// If [`Answer::check`] has not passed for a job whose copies are as long as what `lanes`
    /// gives.
    pub fn settle<'m, const W: usize>(
        &self,
        copy: &mut Copy<W>,
        lanes: impl FnOnce() -> &'m mut [u8],
    ) -> Settled {
        let settled = copy.settle(self.header());
        if settled == Settled::Result && !self.header().empty {
            let input = self.0.lanes();
            lanes()[..input.len()].copy_from_slice(input);
        }
        settled
    }
}
