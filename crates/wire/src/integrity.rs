//! The proof that a packet is whole, and that it belongs to its job (R-PKT-3).

use core::fmt;
use core::hash::Hasher;
use core::str::FromStr;

use siphasher::sip::SipHasher24;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use crate::generated::{HEADER_BYTES, field};

/// The content of the `integrity` field of a job's packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integrity {
    /// Zero: the transport's own checksum is trusted.
    Transport,
    /// XXH3-64. Finds corruption; keeps nobody out.
    Checksum,
    /// SipHash-2-4 under a key that only the job's workers and the switch know. Finds corruption,
    /// and keeps out packets made without the key. A recorded packet can be replayed within its
    /// epoch, where the protocol drops it as stale (R-SLOT-8).
    Token([u8; 16]),
}

/// Proof of packets, without the key (R-PKT-3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntegrityKind {
    /// The transport's checksum is trusted.
    #[default]
    Transport,
    /// XXH3-64.
    Checksum,
    /// SipHash-2-4 under a key that goes with the job's token and epoch.
    Token,
}

impl IntegrityKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Transport, Self::Checksum, Self::Token];

    /// Returns the short name, `transport`, as [`fmt::Display`] writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Transport => "transport",
            Self::Checksum => "checksum",
            Self::Token => "token",
        }
    }

    /// Returns the proof of this kind; `key` is that of packets that need one.
    pub const fn keyed(self, key: [u8; 16]) -> Integrity {
        match self {
            Self::Transport => Integrity::Transport,
            Self::Checksum => Integrity::Checksum,
            Self::Token => Integrity::Token(key),
        }
    }
}

impl fmt::Display for IntegrityKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for IntegrityKind {
    type Err = UnknownIntegrity;

    fn from_str(name: &str) -> Result<Self, UnknownIntegrity> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or(UnknownIntegrity)
    }
}

/// A name that stands for no [`IntegrityKind`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown integrity; choose one of transport, checksum, token")]
pub struct UnknownIntegrity;

impl Integrity {
    /// Returns the kind, without the key.
    pub const fn kind(&self) -> IntegrityKind {
        match self {
            Self::Transport => IntegrityKind::Transport,
            Self::Checksum => IntegrityKind::Checksum,
            Self::Token(_) => IntegrityKind::Token,
        }
    }
}

/// Bytes of the field, the last of each header.
const DIGEST_BYTES: usize = 8;
const _: () = assert!(
    field::INTEGRITY.start + DIGEST_BYTES == HEADER_BYTES && field::INTEGRITY.end == HEADER_BYTES,
    "integrity is the last field of the header"
);

impl Integrity {
    /// Writes the field of `datagram`, which holds a header and its lanes.
    ///
    /// # Panics
    /// If `datagram` is shorter than a header.
    pub fn seal(&self, datagram: &mut [u8]) {
        self.seal_after::<HEADER_BYTES>(datagram);
    }

    /// Returns whether the field of `datagram` is what [`Integrity::seal`] would write.
    ///
    /// # Panics
    /// If `datagram` is shorter than a header.
    pub fn verify(&self, datagram: &[u8]) -> bool {
        self.verify_after::<HEADER_BYTES>(datagram)
    }

    /// Writes the field of a datagram whose header has `HEADER` bytes.
    pub(crate) fn seal_after<const HEADER: usize>(&self, datagram: &mut [u8]) {
        let digest = self.digest::<HEADER>(datagram);
        datagram[HEADER - DIGEST_BYTES..HEADER].copy_from_slice(&digest.to_be_bytes());
    }

    /// Returns whether that field is what `seal_after` would write.
    pub(crate) fn verify_after<const HEADER: usize>(&self, datagram: &[u8]) -> bool {
        let digest = self.digest::<HEADER>(datagram);
        datagram[HEADER - DIGEST_BYTES..HEADER] == digest.to_be_bytes()
    }

    fn digest<const HEADER: usize>(&self, datagram: &[u8]) -> u64 {
        let (header, lanes) = (&datagram[..HEADER - DIGEST_BYTES], &datagram[HEADER..]);
        match self {
            Self::Transport => 0,
            Self::Checksum => xxh3_64_with_seed(lanes, xxh3_64(header)),
            Self::Token(key) => {
                let mut hasher = SipHasher24::new_with_key(key);
                hasher.write(header);
                hasher.write(lanes);
                hasher.finish()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sealed(integrity: Integrity, lanes: &[u8]) -> ([u8; HEADER_BYTES + 64], usize) {
        let mut datagram = [0x5A; HEADER_BYTES + 64];
        let len = HEADER_BYTES + lanes.len();
        datagram[HEADER_BYTES..len].copy_from_slice(lanes);
        integrity.seal(&mut datagram[..len]);
        (datagram, len)
    }

    proptest! {
        /// R-PKT-3: any changed byte is found, in the header, the field or the lanes.
        #[test]
        fn a_changed_byte_is_found(
            lanes in prop::collection::vec(any::<u8>(), 0..64),
            at in any::<prop::sample::Index>(),
            change in 1..=255u8,
            key in any::<[u8; 16]>(),
        ) {
            for integrity in [Integrity::Checksum, Integrity::Token(key)] {
                let (mut datagram, len) = sealed(integrity, &lanes);
                prop_assert!(integrity.verify(&datagram[..len]));
                datagram[at.index(len)] ^= change;
                prop_assert!(!integrity.verify(&datagram[..len]));
            }
        }

        /// R-PKT-3: a packet made without the key does not pass.
        #[test]
        fn another_key_does_not_pass(key in any::<[u8; 16]>(), other in any::<[u8; 16]>()) {
            prop_assume!(key != other);
            let (datagram, len) = sealed(Integrity::Token(other), b"lanes");
            prop_assert!(!Integrity::Token(key).verify(&datagram[..len]));
            prop_assert!(!Integrity::Checksum.verify(&datagram[..len]));
        }
    }

    #[test]
    fn transport_demands_zero() {
        let (mut datagram, len) = sealed(Integrity::Transport, b"lanes");
        assert_eq!(datagram[field::INTEGRITY], [0; 8]);
        datagram[HEADER_BYTES - 1] = 1;
        assert!(!Integrity::Transport.verify(&datagram[..len]));
    }
}
