//! The place of a query, as a text that an engine gives to its tasks (R-QRY-39).

use core::fmt;
use core::str::FromStr;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs};

use netfold_wire::{Epoch, Integrity, JobId, WorkerId};
use netfold_worker::rows::SenderConfig;
use thiserror::Error;

use super::RTO;

/// Place of a query at a switch: all that its tasks need to know. Its text is `HOST:PORT JOB EPOCH
/// KEY BYTES`.
#[derive(Clone, PartialEq, Eq)]
pub struct QueryPlace {
    /// `HOST:PORT` of the shard.
    pub shard: String,
    /// The number of the query there.
    pub job: JobId,
    /// Its epoch there.
    pub epoch: Epoch,
    /// The key of its packets.
    pub key: [u8; 16],
    /// Most bytes of a datagram.
    pub datagram_bytes: u32,
}

/// Most packets of an attempt that are under way.
const WINDOW: u16 = 64;

/// A text is not the place of a query.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "not the place of a query, which is HOST:PORT JOB EPOCH KEY BYTES; use the same netfold in all processes"
)]
pub struct NotAPlace;

impl QueryPlace {
    /// Most bytes of a datagram: what UDP takes. A path may take fewer.
    pub const DATAGRAM_BYTES: u32 = 65_507;

    /// Returns the address of the shard.
    ///
    /// # Errors
    /// The resolver's error.
    pub fn address(&self) -> io::Result<SocketAddr> {
        let first = self.shard.to_socket_addrs()?.next();
        first.ok_or_else(|| io::ErrorKind::AddrNotAvailable.into())
    }

    /// Returns the description of an attempt that asks for verdicts on rows without keys and
    /// columns, in datagrams as long as the query takes.
    pub fn attempt(&self, partition: u32, attempt: u32) -> SenderConfig {
        SenderConfig {
            job: self.job,
            epoch: self.epoch,
            worker: WorkerId(0),
            partition,
            attempt,
            build: false,
            verdicts: true,
            keys: false,
            columns: 0,
            datagram_bytes: self.datagram_bytes,
            window: WINDOW,
            rto_us: RTO.as_micros() as u64,
            integrity: self.integrity(),
        }
    }

    /// Returns the protection of the query's packets.
    pub fn integrity(&self) -> Integrity {
        Integrity::Token(self.key)
    }
}

impl fmt::Display for QueryPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shard, job, epoch, key, datagram_bytes } = self;
        let key = u128::from_be_bytes(*key);
        write!(f, "{shard} {} {} {key:032x} {datagram_bytes}", job.0, epoch.0)
    }
}

/// Without the key.
impl fmt::Debug for QueryPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "query {} of epoch {} at {}", self.job.0, self.epoch.0, self.shard)
    }
}

impl FromStr for QueryPlace {
    type Err = NotAPlace;

    fn from_str(text: &str) -> Result<Self, NotAPlace> {
        let parts: Vec<&str> = text.split(' ').collect();
        let &[shard, job, epoch, key, bytes] = &parts[..] else { return Err(NotAPlace) };
        let place = || {
            let key = u128::from_str_radix(key, 16).ok()?.to_be_bytes();
            let (job, epoch) = (JobId(job.parse().ok()?), Epoch(epoch.parse().ok()?));
            Some(Self { shard: shard.into(), job, epoch, key, datagram_bytes: bytes.parse().ok()? })
        };
        place().ok_or(NotAPlace)
    }
}

#[cfg(test)]
mod tests {
    use super::super::longest_to_master;
    use super::*;

    /// R-QRY-39: few fragments reach a master on another host.
    #[test]
    fn datagrams_to_a_master_fit_its_path_or_are_few_fragments() {
        assert_eq!(longest_to_master("127.0.0.1:1"), QueryPlace::DATAGRAM_BYTES);
        assert_eq!(longest_to_master("no address"), 8192);
    }

    #[test]
    fn a_place_is_a_text_and_comes_back_from_it() {
        let key = core::array::from_fn(|at| at as u8);
        let (shard, job, epoch) = ("[::1]:5577".into(), JobId(7), Epoch(1 << 31));
        let place = QueryPlace { shard, job, epoch, key, datagram_bytes: 1400 };
        let text = "[::1]:5577 7 2147483648 000102030405060708090a0b0c0d0e0f 1400";
        assert_eq!(place.to_string(), text);
        assert_eq!(text.parse(), Ok(place.clone()));
        assert_eq!(place.address().unwrap().port(), 5577);
        assert!(!format!("{place:?}").contains("0405"), "a log does not have the key");
        for none in ["", "[::1]:5577 7 1 00", "[::1]:5577 x 1 00 9", "[::1]:5577 7 1 00 "] {
            assert_eq!(none.parse::<QueryPlace>(), Err(NotAPlace), "{none:?}");
        }
    }
}
