//! The parts of a client and of a reader that an exhaustive search through the protocol needs:
//! their progress apart from time, as of a [`Stream`](crate::Stream). A datagram that is sent again
//! is the same, but for its mark (R-KEY-4), so that a search presumes nothing lost: a network that
//! keeps what it has delivered, and delivers it again, is enough.

use netfold_wire::{TableRepr, WINDOW};

use super::client::Client;
use super::pushes::Stage;
use super::reader::{Generation, Reader};
use super::requests::Request;

/// The state that decides a client's next step, but not its time, if it pulls nothing and if fewer
/// pushes are under way than R-WORK-8 ever holds back: two clients with the same configuration and
/// the same pushes that agree in it answer every datagram alike.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClientProgress {
    /// Number of the first push that it keeps.
    pub first: u32,
    /// Each push that it keeps.
    pub pushes: Vec<PushProgress>,
    /// For each part the push before which its server has stored all, as far as it knows.
    pub stored: Vec<u32>,
    /// It sends no further pushes (R-KEY-16).
    pub going: bool,
}

impl ClientProgress {
    /// Returns whether a push is acknowledged; a push that is not kept was.
    pub fn is_acknowledged(&self, number: u32) -> bool {
        let index = number.checked_sub(self.first);
        let push = index.and_then(|index| self.pushes.get(index as usize));
        push.is_none_or(|push| *push == PushProgress::Acknowledged)
    }

    /// Returns whether all that was pushed is acknowledged.
    pub fn is_acknowledged_whole(&self) -> bool {
        self.pushes.iter().all(|push| *push == PushProgress::Acknowledged)
    }
}

/// Progress of a push.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PushProgress {
    /// It was not sent.
    Waiting,
    /// It was sent, and is not acknowledged.
    Sent,
    /// It is acknowledged.
    Acknowledged,
}

impl Client {
    /// Returns the progress of the client.
    pub fn progress(&self) -> ClientProgress {
        let stage = |stage: &Stage| match *stage {
            Stage::Waiting => PushProgress::Waiting,
            Stage::Sent(_) => PushProgress::Sent,
            Stage::Acknowledged => PushProgress::Acknowledged,
        };
        let (first, stages, stored) = self.pushes.progress();
        let (pushes, stored) = (stages.map(stage).collect(), stored.into());
        ClientProgress { first, pushes, stored, going: self.going }
    }

    /// Sends number q only when number q - `registers` has been acknowledged, instead of q - W
    /// (R-KEY-3): a search does not get to push W.
    ///
    /// # Panics
    /// If there are not 1 to W of them.
    #[must_use]
    pub fn with_registers(mut self, registers: u32) -> Self {
        assert!((1..=WINDOW).contains(&registers), "a window has 1 to {WINDOW} registers");
        self.registers = registers;
        self
    }
}

/// The state that decides a reader's next step, but not its time.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReaderProgress {
    /// The last generation that the server has stored.
    pub stored: u32,
    /// Number of its next request.
    pub next: u32,
    /// Requests that wait to be sent or answered, and what follows their headers.
    pub requests: Vec<(TableRepr, Vec<u8>)>,
    /// A first read was not answered.
    pub asking: bool,
    /// A generation that is being read, and the sequences of reads of it that go on.
    pub reading: Option<(Generation, u32)>,
    /// Windows that have not come.
    pub windows_missing: usize,
}

impl Reader {
    /// Returns the progress of the reader, if it loads nothing.
    pub fn progress(&self) -> ReaderProgress {
        let (next, requests) = self.requests.progress();
        let requests = requests.map(|Request { repr, body }| (*repr, body.clone())).collect();
        ReaderProgress {
            stored: self.config.stored,
            next,
            requests,
            asking: self.asking,
            reading: self.reading.clone(),
            windows_missing: self.windows_missing,
        }
    }
}
