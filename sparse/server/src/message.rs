//! Messages between a worker and a server (R-SERVE-2).
//!
//! [`codec`](crate::codec) turns them into the bytes of a frame and back.

use core::net::SocketAddr;

use netfold_num::ElementType;
use netfold_wire::{Window, is_newer};
use serde::{Deserialize, Serialize};

use crate::numbers::{Numbers, text_of_type, type_of_text};
use crate::report::ServerReport;
use crate::{Initialiser, Optimizer};

/// A message from a worker.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// The first message of every connection.
    Hello(Box<Hello>),
    /// A change of rows, with its number in the session, from 1 (R-SERVE-2).
    Change {
        /// The number.
        number: u64,
        /// The change.
        change: Change,
    },
    /// A question for rows, answered by [`Reply::Rows`].
    Pull {
        /// A number of the worker's choice, which the answer has, too.
        id: u32,
        /// The step that the rows are for (R-SERVE-5); without one, it is answered at once.
        step: Option<u32>,
        /// The keys, all of this server.
        keys: Vec<u32>,
    },
    /// A wish for all that the worker has sent here, and pushed to the switch, to be stored
    /// (R-SERVE-6); answered by [`Reply::Flushed`].
    Flush {
        /// A number of the worker's choice, which the answer has, too.
        id: u32,
        /// The pushes that it has made.
        pushed: Pushed,
    },
    /// News that the switch is lost, or the plane over (R-KEY-10, R-KEY-13). The replays that
    /// follow say so, too.
    Seal {
        /// The epoch of the table at the switch.
        epoch: u32,
    },
    /// A question for rows with the state of their optimizer, from a page on, once the list of
    /// servers is over (R-SERVE-21); answered by [`Reply::Taken`].
    Take {
        /// A number of the worker's choice, which the answer has, too.
        id: u32,
        /// The first page.
        page: u64,
        /// The distance to the next page.
        stride: u32,
    },
    /// A wish for the rows of a list that is over to be dropped (R-SERVE-23); answered by
    /// [`Reply::Flushed`].
    Drop {
        /// A number of the worker's choice, which the answer has, too.
        id: u32,
    },
    /// A question for the list of servers that has a table, on a connection without a hello
    /// (R-SERVE-18); answered by [`Reply::Located`].
    Locate {
        /// The table's name.
        name: String,
        /// The first list that counts.
        least: u32,
    },
    /// A question of an operator about all tables of the server, on a connection without a hello
    /// (R-SERVE-17); answered by [`Reply::Report`].
    Report,
}

/// A change of rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Gradients.
    Push {
        /// Distinct keys.
        keys: Vec<u32>,
        /// A row of each key, one after the other.
        rows: Numbers,
    },
    /// The end of a step, sent when the switch has acknowledged all hot pushes of it (R-SERVE-5).
    EndStep {
        /// The step, from 0.
        step: u32,
        /// The pushes that the worker has made.
        pushed: Pushed,
    },
    /// A push that the switch may have lost (R-KEY-10). Its rows are what the switch was sent.
    Replay {
        /// The sealed epoch.
        epoch: u32,
        /// The push's number at the switch.
        push: u32,
        /// The ranks of its pairs that are this server's.
        ranks: Vec<u32>,
        /// A row of each rank.
        rows: Numbers,
    },
    /// The end of the worker's replays. Steps are complete only then (R-SERVE-5).
    EndReplay {
        /// The sealed epoch.
        epoch: u32,
    },
    /// The next plane of the table, which the worker pushes to from now on (R-KEY-13).
    Open {
        /// The plane, the same for all workers.
        plane: Box<Plane>,
    },
    /// Another learning rate (R-SERVE-16).
    Rate {
        /// The step that the worker is in.
        step: u32,
        /// The rate.
        lr: f64,
    },
    /// The end of the session, in good order (R-SERVE-15).
    Leave,
    /// The end of the session, which goes on at other servers (R-SERVE-20).
    Move {
        /// Their addresses.
        to: Vec<String>,
    },
    /// Rows of former servers (R-SERVE-21).
    Put {
        /// Distinct keys.
        keys: Vec<u32>,
        /// The weights of each key, and the state of its optimizer.
        lanes: Numbers,
    },
    /// The end of the rows that this worker has put (R-SERVE-21).
    Arrived {
        /// The last step that the worker has ended.
        ended: Option<u32>,
        /// The number of steps that former servers have applied.
        steps: u32,
    },
    /// Weights to put in place of those that are there; the optimizer's state starts anew.
    Set {
        /// Distinct keys.
        keys: Vec<u32>,
        /// A row of each key.
        rows: Numbers,
    },
}

/// A message from a server.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The answer to [`Hello`]. The worker sends what is numbered above `stored` again.
    Welcome {
        /// The last number of this session that is stored.
        stored: u64,
        /// The worker's pushes that are stored.
        pushed: Pushed,
        /// The server's parts (R-SERVE-1), a bit for each.
        parts: u64,
    },
    /// The answer to [`Request::Pull`].
    Rows {
        /// The number of the question.
        id: u32,
        /// The rows, in the order of the keys.
        rows: Numbers,
    },
    /// News of what is stored, up to these numbers.
    Stored {
        /// The last number of this session.
        number: u64,
        /// The worker's pushes.
        pushed: Pushed,
    },
    /// News that all workers have ended this step, and those before, and that all gradients of them
    /// are applied and stored (R-SERVE-5). In a synchronous table a worker pushes nothing of the
    /// next step to the switch before all servers have told it so.
    Stepped {
        /// The step.
        step: u32,
    },
    /// The answer to [`Request::Flush`], and to [`Request::Drop`].
    Flushed {
        /// The number of the question.
        id: u32,
    },
    /// News that the epoch is sealed, for every worker of the table, once any has sealed it.
    /// Workers send what they keep of it as [`Change::Replay`], and then [`Change::EndReplay`].
    Sealed {
        /// The epoch.
        epoch: u32,
    },
    /// The answer to [`Request::Take`].
    Taken {
        /// The number of the question.
        id: u32,
        /// The rows.
        taken: Taken,
    },
    /// The answer to [`Request::Locate`], if the server has a list that counts.
    Located(Option<Located>),
    /// The answer to [`Request::Report`].
    Report(Box<ServerReport>),
    /// The reason why the server ends the connection.
    Refused {
        /// For the user.
        why: String,
    },
}

/// Rows on their way to another server (R-SERVE-21).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Taken {
    /// The number of steps that the server has applied, in all sessions.
    pub steps: u32,
    /// The page to go on from, if there are more.
    pub next: Option<u64>,
    /// The keys.
    pub keys: Vec<u32>,
    /// The weights of each key, and the state of its optimizer.
    pub lanes: Numbers,
}

/// A list of servers, as one of them knows it (R-SERVE-18).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Located {
    /// Its number.
    pub list: u32,
    /// The rows of every rank have arrived.
    pub whole: bool,
    /// The servers of the list before, if it was announced.
    pub former: Vec<String>,
    /// The servers of the next list, if this one is over.
    pub next: Vec<String>,
}

/// A worker's pushes to the switch of its plane: those numbered from 0 up to a count (R-KEY-3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pushed {
    /// The epoch of the plane, 0 if it has none.
    pub epoch: u32,
    /// The count, modulo 2^32.
    pub count: u32,
}

impl Pushed {
    /// Returns whether these have all that `other` has, of the same plane.
    pub const fn has(&self, other: &Self) -> bool {
        self.epoch == other.epoch && !is_newer(other.count, self.count)
    }
}

/// A worker's description of itself and of its table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// The terms that all workers agree on.
    pub table: TableSpec,
    /// The worker's rank, from 0.
    pub rank: u16,
    /// The number of workers.
    pub workers: u16,
    /// A random number of the worker's process.
    pub session: u64,
    /// The server's place among the servers, from 0.
    pub server: u16,
    /// The number of servers.
    pub servers: u16,
    /// The number of their list (R-SERVE-18).
    #[serde(default)]
    pub list: u32,
    /// The addresses of the former list, from which the worker brings rows (R-SERVE-19).
    #[serde(default)]
    pub former: Vec<String>,
    /// The hot keys, the hottest first (R-HOT-5, R-SERVE-9).
    pub hot_keys: Vec<u32>,
    /// The place of the hot rows, if there is a switch.
    pub switch: Option<SwitchTable>,
}

/// A table, as all of its workers have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableSpec {
    /// The table's name.
    pub name: String,
    /// The number of rows, at most 2^32.
    pub rows: u64,
    /// The numbers of a row.
    pub width: u16,
    /// Their type (R-SERVE-24).
    #[serde(serialize_with = "text_of_type", deserialize_with = "type_of_text")]
    pub element_type: ElementType,
    /// The optimizer, which turns gradients into changes of rows (R-SERVE-3).
    pub optimizer: Optimizer,
    /// The initialiser of rows (R-SERVE-7).
    pub initialiser: Initialiser,
    /// The seed of the rows.
    pub seed: u64,
    /// The steps that a pull may be behind (R-SERVE-5): none for asynchronous, 0 for synchronous.
    pub staleness: Option<u32>,
    /// Returns whether workers read hot rows at the switch (R-KEY-12).
    pub resident: bool,
    /// The age at which a generation is closed, in milliseconds (R-SERVE-6).
    pub max_age_ms: u32,
}

/// A table's place at a switch (R-KEY-13).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plane {
    /// The switch, and the epoch there.
    pub switch: SwitchTable,
    /// The hot keys, the hottest first (R-SERVE-9).
    pub hot_keys: Vec<u32>,
}

/// The hot rows of a table at the switch (R-KEY-1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SwitchTable {
    /// The UDP socket of the shard that has the table.
    pub address: SocketAddr,
    /// The job's number.
    pub job: u16,
    /// The job's epoch.
    pub epoch: u32,
    /// The workers of the job.
    pub workers: u16,
    /// The most bytes of a datagram.
    pub datagram_bytes: u32,
    /// The proof of packets: `transport`, `checksum` or `token`.
    pub integrity: String,
    /// The key of the proof `token`.
    pub key: [u8; 16],
    /// The number of hot rows.
    pub rows: u32,
    /// The lanes of a row.
    pub width: u16,
    /// The type of the numbers that the lanes stand for.
    #[serde(serialize_with = "text_of_type", deserialize_with = "type_of_text")]
    pub element_type: ElementType,
    /// The rows are resident (R-KEY-12).
    pub resident: bool,
    /// The job's arithmetic.
    pub arithmetic: String,
    /// The order of a lane's bytes.
    pub byte_order: String,
    /// In `block`, numbers are lanes / 2^scale (R-KEY-1).
    pub scale: i32,
}

/// A generation that the driver has read from the switch: the pairs of the server's parts, and the
/// windows of all workers (R-KEY-7, R-KEY-9).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Generation {
    /// Its number, from 1.
    pub number: u32,
    /// The ranks that were pushed in it, each once.
    pub ranks: Vec<u32>,
    /// The sum of each rank.
    pub rows: Numbers,
    /// The windows at the time when it was closed, by worker.
    pub windows: Vec<Window>,
}
