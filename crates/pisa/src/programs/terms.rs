//! The terms of the jobs that SwitchML's program folds (R-PISA-16, 18).

use netfold_num::{ByteOrder, Overflow, Protocol};
use thiserror::Error;

use crate::programs::switchml::SwitchMl;

/// Bytes of a lane.
const LANE_BYTES: u32 = 4;

/// What a job's packets are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Of lanes.
    pub byte_order: ByteOrder,
    /// Policy for sums that overflow their registers (R-SLOT-11).
    pub overflow: Overflow,
    /// How slots are used again.
    pub protocol: Protocol,
    /// Whether the transport's checksum is trusted, so that packets carry no proof of their own (R-PKT-3).
    pub unsealed: bool,
    /// Bytes of a full packet's lanes.
    pub payload_bytes: u32,
}

/// Why the program does not fold a job's packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TermsError {
    /// Its lanes are not in network order.
    #[error("a pipeline has lanes in network order; make the job with byte_order = \"network\"")]
    ByteOrder,
    /// Its packets carry a proof over their lanes.
    #[error("a pipeline computes no checksum over lanes; make the job with integrity = \"transport\"")]
    Sealed,
    /// It uses its slots again in another way.
    #[error("the program is made for another protocol; make the job with protocol = \"{}\"", .program.name())]
    Protocol {
        /// What the program is made for.
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
    /// What the program asks of a job's packets.
    pub fn terms(&self) -> Terms {
        let payload_bytes = LANE_BYTES * u32::from(self.elements);
        let (byte_order, overflow, protocol) = (ByteOrder::Network, Overflow::Error, self.protocol);
        Terms { byte_order, overflow, protocol, unsealed: true, payload_bytes }
    }

    /// Whether a job of these terms can be folded here.
    ///
    /// # Errors
    /// The first of the terms that the program does not keep.
    pub fn agrees(&self, job: Terms) -> Result<(), TermsError> {
        let program = self.terms();
        match () {
            () if job.byte_order != program.byte_order => Err(TermsError::ByteOrder),
            () if job.unsealed != program.unsealed => Err(TermsError::Sealed),
            () if job.protocol != program.protocol => Err(TermsError::Protocol { program: program.protocol }),
            () if job.overflow != program.overflow => Err(TermsError::Overflow),
            () if job.payload_bytes != program.payload_bytes => {
                Err(TermsError::Payload { job: job.payload_bytes, program: program.payload_bytes })
            }
            () => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_on_other_terms_is_refused_by_the_one_that_differs() {
        let program = SwitchMl::new(64);
        let terms = program.terms();
        assert_eq!(terms.payload_bytes, 256);
        assert_eq!(program.agrees(terms), Ok(()));
        let little = Terms { byte_order: ByteOrder::Little, ..terms };
        assert_eq!(program.agrees(little), Err(TermsError::ByteOrder));
        assert_eq!(program.agrees(Terms { unsealed: false, ..terms }), Err(TermsError::Sealed));
        let other = TermsError::Protocol { program: Protocol::Shadow };
        assert_eq!(program.agrees(Terms { protocol: Protocol::Acked, ..terms }), Err(other));
        assert_eq!(program.agrees(Terms { overflow: Overflow::Native, ..terms }), Err(TermsError::Overflow));
        for bytes in [128, 512] {
            let refused = program.agrees(Terms { payload_bytes: bytes, ..terms });
            assert_eq!(refused, Err(TermsError::Payload { job: bytes, program: 256 }));
        }
    }
}
