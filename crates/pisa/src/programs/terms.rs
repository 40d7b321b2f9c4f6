//! The terms of the jobs that SwitchML's program folds (R-PISA-16, 18).

use netfold_num::{ByteOrder, Protocol};
use netfold_wire::{IntegrityKind, Terms};
use thiserror::Error;

use crate::programs::switchml::SwitchMl;

/// Bytes of a lane.
const LANE_BYTES: u32 = 4;

/// The reason why the program does not fold a job's packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TermsError {
    /// Its lanes are in the other order (R-PISA-39).
    #[error(
        "the program has lanes in the other order; make the job with byte_order = \"{program}\""
    )]
    ByteOrder {
        /// The program's order.
        program: ByteOrder,
    },
    /// Its packets carry a proof over their lanes.
    #[error(
        "a pipeline computes no checksum over lanes; make the job with integrity = \"transport\""
    )]
    Sealed,
    /// It uses its slots again in another way.
    #[error("the program is made for another protocol; make the job with protocol = \"{}\"", .program.name())]
    Protocol {
        /// The program's protocol.
        program: Protocol,
    },
    /// It folds blocks again whose sum has overflowed.
    #[error("the program folds no block again; make the job with overflow = \"error\"")]
    Overflow,
    /// Its full packets have another number of lanes than the program.
    #[error(
        "the program's packets have {program} bytes of lanes; make the job with payload_bytes = {program} instead of {job}"
    )]
    Payload {
        /// Bytes of a full packet of the job's.
        job: u32,
        /// Bytes of one of the program's.
        program: u32,
    },
}

impl SwitchMl {
    /// Returns the terms of the jobs that the program folds: a pipeline computes no
    /// proof over lanes.
    pub fn terms(&self) -> Terms<IntegrityKind> {
        let Self { protocol, byte_order, .. } = *self;
        Terms { byte_order, protocol, ..Terms::new(IntegrityKind::Transport) }
    }

    /// Returns the bytes of a full packet's lanes.
    pub fn payload_bytes(&self) -> u32 {
        LANE_BYTES * u32::from(self.elements)
    }

    /// Checks that a job of these terms can be folded here.
    ///
    /// # Errors
    /// The first of the terms that the program does not keep.
    pub fn agrees(&self, job: &Terms<IntegrityKind>, payload_bytes: u32) -> Result<(), TermsError> {
        let program = self.terms();
        match () {
            () if job.byte_order != program.byte_order => {
                Err(TermsError::ByteOrder { program: program.byte_order })
            }
            () if job.integrity != program.integrity => Err(TermsError::Sealed),
            () if job.protocol != program.protocol => {
                Err(TermsError::Protocol { program: program.protocol })
            }
            () if job.overflow != program.overflow => Err(TermsError::Overflow),
            () if payload_bytes != self.payload_bytes() => {
                Err(TermsError::Payload { job: payload_bytes, program: self.payload_bytes() })
            }
            () => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use netfold_num::{Overflow, Protocol};

    use super::*;

    #[test]
    fn a_job_on_other_terms_is_refused_by_the_one_that_differs() {
        let program = SwitchMl::new(64);
        let terms = program.terms();
        assert_eq!(program.payload_bytes(), 256);
        assert_eq!(program.agrees(&terms, 256), Ok(()));
        let little = Terms { byte_order: ByteOrder::Little, ..terms };
        let other = TermsError::ByteOrder { program: ByteOrder::Network };
        assert_eq!(program.agrees(&little, 256), Err(other));
        let turned = SwitchMl { byte_order: ByteOrder::Little, ..SwitchMl::new(64) };
        assert_eq!(turned.agrees(&little, 256), Ok(()));
        let other = TermsError::ByteOrder { program: ByteOrder::Little };
        assert_eq!(turned.agrees(&terms, 256), Err(other));
        assert_eq!(
            program.agrees(&Terms { integrity: IntegrityKind::Checksum, ..terms }, 256),
            Err(TermsError::Sealed)
        );
        let other = TermsError::Protocol { program: Protocol::Shadow };
        assert_eq!(program.agrees(&Terms { protocol: Protocol::Acked, ..terms }, 256), Err(other));
        assert_eq!(
            program.agrees(&Terms { overflow: Overflow::Native, ..terms }, 256),
            Err(TermsError::Overflow)
        );
        for bytes in [128, 512] {
            let refused = program.agrees(&terms, bytes);
            assert_eq!(refused, Err(TermsError::Payload { job: bytes, program: 256 }));
        }
    }
}
