//! NICs that receive messages.

use super::frame::{FIRST, LAST, MIDDLE, ONLY, Reth, Write};

/// The PSN behind this one.
pub fn next(psn: u32) -> u32 {
    (psn + 1) & 0xFF_FFFF
}

/// A queue pair of a worker's NIC: it takes messages as UC says, and tells of those that are whole.
#[derive(Clone, Debug, Default)]
pub struct Nic {
    psn: u32,
    message: Option<(Reth, Vec<u32>)>,
}

impl Nic {
    /// Takes a packet. A message that is whole comes back: where it goes, its lanes and its
    /// Immediate.
    pub fn take(&mut self, write: &Write) -> Option<(Reth, Vec<u32>, u32)> {
        match write.opcode {
            FIRST | ONLY => self.message = Some((write.reth?, write.lanes.clone())),
            MIDDLE | LAST if write.psn == self.psn => self.message.as_mut()?.1.extend(&write.lanes),
            _ => self.message = None,
        }
        self.psn = next(write.psn);
        let immediate = write.immediate?;
        let (reth, lanes) = self.message.take()?;
        (reth.length as usize == 4 * lanes.len()).then_some((reth, lanes, immediate))
    }
}
