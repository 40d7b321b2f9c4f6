//! Queries at a switch that other programs ask for (R-CTRL-24): the messages, and the client's end
//! of the connection.

mod program;

use core::net::{IpAddr, SocketAddr};
use core::time::Duration;

use netfold_switch::query::QuerySpec;
use netfold_wire::{Epoch, Integrity, JobId, RowProgram, VERSION};
use serde::{Deserialize, Serialize};

use crate::failure::Refusal;
use crate::limits::{HEARTBEATS_PER_TIMEOUT, Limits, Number, micros, millis};
use crate::message::reach;
use crate::token::{Challenge, Proof, Token, query_key};

/// A query, as a client asks for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryTerms {
    /// The program.
    #[serde(with = "program")]
    pub program: RowProgram,
    /// Workers.
    pub workers: u16,
    /// Partitions of all its inputs.
    pub partitions: u32,
    /// Attempts of a sum that may be open at a time (R-QRY-31).
    pub attempts: u16,
    /// Most bytes of a datagram.
    pub datagram_bytes: u32,
}

/// The request for a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdmitQuery {
    /// Version of the protocol that the client speaks.
    pub version: u8,
    /// The query.
    #[serde(flatten)]
    pub terms: QueryTerms,
    /// UDP port of its master, at the address that the connection comes from; `None` if all
    /// attempts ask for verdicts (R-QRY-36).
    pub master_port: Option<u16>,
    /// The longest that a lost client may go unnoticed, in milliseconds.
    pub timeout_ms: u64,
    /// Proof that the client knows a token of the switch, for this purpose.
    pub proof: Option<Proof>,
}

/// The place of a query at a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueryAdmitted {
    /// Its number at the switch.
    pub job: u16,
    /// Its epoch there: a random number, another for each query under the same number.
    pub epoch: u32,
    /// UDP address of the shard that has it.
    pub shard: SocketAddr,
}

impl QueryAdmitted {
    /// The place as a client at the other end of a connection to `switch` reaches it.
    pub fn reached_at(mut self, switch: IpAddr) -> Self {
        reach([&mut self.shard], switch);
        self
    }
}

impl QueryTerms {
    /// The query at a switch that knows it by this number and epoch.
    pub fn spec(&self, job: JobId, epoch: Epoch, token: Option<&Token>) -> QuerySpec {
        let &Self { program, workers, partitions, attempts, datagram_bytes } = self;
        let integrity = query_integrity(token, epoch);
        QuerySpec { job, epoch, workers, partitions, attempts, datagram_bytes, program, integrity }
    }
}

impl AdmitQuery {
    /// R-CTRL-24: returns the one of the switch's tokens that the client has proven.
    pub(crate) fn checked<'a>(
        &self,
        limits: &Limits,
        challenge: &Challenge,
        tokens: &'a [Token],
    ) -> Result<Option<&'a Token>, Refusal> {
        if self.version != VERSION {
            return Err(Refusal::Version { switch: VERSION, worker: self.version });
        }
        let (shortest, longest) = (millis(limits.min_timeout), millis(limits.max_timeout));
        if !(shortest..=longest).contains(&self.timeout_ms) {
            return Err(limits.refusal(Number::Timeout, self.timeout_ms as f64 / 1e3));
        }
        let known = |proof| tokens.iter().find(|token| token.allows_query(challenge, proof));
        match &self.proof {
            None if tokens.is_empty() => Ok(None),
            None => Err(Refusal::QueryNeedsToken),
            Some(_) if tokens.is_empty() => Err(Refusal::TokenNotExpected),
            Some(proof) => known(proof).map(Some).ok_or(Refusal::WrongToken),
        }
    }
}

/// Returns the protection of a query's packets: a tag under a key that token and epoch give.
pub fn query_integrity(token: Option<&Token>, epoch: Epoch) -> Integrity {
    Integrity::Token(query_key(token, epoch.0))
}

/// The client's end of a connection that holds a query, without I/O: it sends heartbeats, and
/// notices that the switch is silent. `now_us` is a clock that never goes back.
#[derive(Clone, Debug)]
pub struct QueryHold {
    timeout_us: u64,
    heard_us: u64,
    sent_us: u64,
}

impl QueryHold {
    /// The query was admitted just now.
    pub fn new(now_us: u64, timeout: Duration) -> Self {
        Self { timeout_us: micros(timeout), heard_us: now_us, sent_us: now_us }
    }

    /// Something has come from the switch.
    pub fn heard(&mut self, now_us: u64) {
        self.heard_us = now_us;
    }

    /// Returns whether the switch has been silent for too long.
    pub fn is_lost(&self, now_us: u64) -> bool {
        now_us >= self.heard_us.saturating_add(self.timeout_us)
    }

    /// Returns whether a heartbeat is due, which then is sent.
    pub fn take_heartbeat(&mut self, now_us: u64) -> bool {
        let due = now_us >= self.heartbeat_us();
        if due {
            self.sent_us = now_us;
        }
        due
    }

    /// Returns the time at which there is something to do if nothing comes.
    pub fn due_us(&self) -> u64 {
        self.heartbeat_us().min(self.heard_us.saturating_add(self.timeout_us))
    }

    fn heartbeat_us(&self) -> u64 {
        self.sent_us.saturating_add(self.timeout_us / u64::from(HEARTBEATS_PER_TIMEOUT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_shows_that_it_is_there_and_notices_a_silent_switch() {
        let mut hold = QueryHold::new(1000, Duration::from_micros(400));
        assert_eq!((hold.due_us(), hold.take_heartbeat(1099)), (1100, false));
        assert!(hold.take_heartbeat(1100) && !hold.take_heartbeat(1100));
        hold.heard(1150);
        assert!(hold.take_heartbeat(1540) && !hold.is_lost(1549));
        assert_eq!((hold.due_us(), hold.is_lost(1550)), (1550, true));
    }
}
