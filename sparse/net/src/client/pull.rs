//! Pulls: rows that come from servers, and resident ones from the switch (R-KEY-12).

use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, PoisonError};
use std::thread::{self, JoinHandle};

use netfold_sparse::{Numbers, Reply, Request, RowNumber};

use super::inner::{HEADER_BYTES, Inner, LOOK_INTERVAL};
use super::split::{Piece, Positions};

use crate::error::Error;
use crate::frame::framed;
use crate::hot::{HotRows, Waiting};

/// Rows that are on their way. They are asked for at once; [`wait`](Self::wait) takes them.
pub struct Pull {
    inner: Arc<Inner>,
    keys: usize,
    step: Option<u32>,
    questions: Vec<Question>,
    hot: Option<HotPull>,
}

/// A question to a server.
struct Question {
    server: usize,
    id: u32,
    piece: Piece,
}

/// A question to the switch.
struct HotPull {
    keys: Vec<u32>,
    positions: Vec<u32>,
    answer: Receiver<Result<Resident, Error>>,
}

/// Rows from the switch, and the positions among them that it has none for.
struct Resident {
    rows: Numbers,
    missing: Vec<usize>,
}

impl Inner {
    /// Asks for rows.
    pub(super) fn pull(this: &Arc<Self>, keys: &[u32], step: Option<u32>) -> Result<Pull, Error> {
        let view = this.plane.view();
        view.split.check(keys, keys.len() * usize::from(this.width), this.width)?;
        this.counted.pulled.fetch_add(keys.len() as u64, Ordering::Relaxed);
        let hot = view.hot.filter(|_| this.resident);
        let parted = view.split.part(keys, hot.is_some());
        let mut pull =
            Pull { inner: this.clone(), keys: keys.len(), step, questions: Vec::new(), hot: None };
        for (positions, server) in parted.cold.into_iter().zip(0..) {
            pull.ask(server, keys, positions);
        }
        if let Some(hot) = hot.filter(|_| !parted.ranks.is_empty()) {
            let hot_keys = Piece::Some(parted.hot.clone()).gather(keys, 1);
            let answer = Self::pull_resident(this, hot, parted.ranks, step)?;
            pull.hot = Some(HotPull { keys: hot_keys, positions: parted.hot, answer });
        }
        Ok(pull)
    }

    /// Has the switch asked by a thread of its own, while servers answer.
    fn pull_resident(
        this: &Arc<Self>,
        hot: (Arc<dyn HotRows>, u32),
        ranks: Vec<u32>,
        step: Option<u32>,
    ) -> Result<Receiver<Result<Resident, Error>>, Error> {
        let (answer, answered) = mpsc::sync_channel(1);
        let inner = Arc::downgrade(this);
        let task = Box::new(move || {
            let resident = match inner.upgrade() {
                Some(inner) => inner.resident(&hot, &ranks, step),
                None => Err(Error::Closed),
            };
            // Whoever asked may have gone.
            let _ = answer.send(resident);
        });
        let mut puller = this.puller.lock().unwrap_or_else(PoisonError::into_inner);
        let puller = match &mut *puller {
            Some(puller) => puller,
            none => none.insert(Puller::start()?),
        };
        puller.run(task);
        Ok(answered)
    }

    /// Pulls rows from the switch; all are missing there if it is lost.
    fn resident(
        &self,
        (hot, epoch): &(Arc<dyn HotRows>, u32),
        ranks: &[u32],
        step: Option<u32>,
    ) -> Result<Resident, Error> {
        // R-SERVE-5: the switch has what other workers have pushed when they have ended the step.
        let ended = step.zip(self.staleness).and_then(|(t, b)| t.checked_sub(b.saturating_add(1)));
        if let Some(ended) = ended {
            for link in &self.links {
                link.wait_stepped(ended, &mut || std::ops::ControlFlow::Continue(()))?;
            }
        }
        let (rows, missing) = hot.pull(ranks).unwrap_or_else(|lost| {
            self.plane.lose(*epoch, &lost.0);
            (Numbers::default(), (0..ranks.len()).collect())
        });
        let found = ranks.len() - missing.len();
        self.counted.hot_pulled.fetch_add(found as u64, Ordering::Relaxed);
        Ok(Resident { rows, missing })
    }
}

impl Pull {
    /// The numbers that [`wait`](Self::wait) fills.
    pub fn lanes(&self) -> usize {
        self.keys * usize::from(self.inner.width)
    }

    /// Waits for the rows, in the order of the keys.
    ///
    /// # Errors
    /// `out` has another size, or a server is away or does not answer within the time-out.
    pub fn wait<T: RowNumber>(mut self, out: &mut [T], waiting: Waiting<'_>) -> Result<(), Error> {
        self.inner.check_type::<T>()?;
        if out.len() != self.lanes() {
            let (lanes, found) = (self.lanes(), out.len());
            return Err(Error::Input(format!("the rows have {lanes} numbers, not {found}")));
        }
        let inner = self.inner.clone();
        let waiting = &mut inner.watch(waiting);
        if let Some(hot) = self.hot.take() {
            self.take_resident(hot, out, waiting)?;
        }
        let mut questions = std::mem::take(&mut self.questions).into_iter();
        let mut outcome = Ok(());
        for question in questions.by_ref() {
            let link = &inner.links[question.server];
            outcome = link.answer("a pull", question.id, waiting).and_then(|reply| {
                let Reply::Rows { rows, .. } = &reply else { return Err(Self::odd()) };
                let numbers = question.piece.len() * usize::from(inner.width);
                let rows = T::of(rows).filter(|rows| rows.len() == numbers);
                question.piece.scatter(rows.ok_or_else(Self::odd)?, out, inner.width);
                Ok(())
            });
            if outcome.is_err() {
                break;
            }
        }
        // What is left is forgotten by `drop`.
        self.questions = questions.collect();
        outcome
    }

    fn take_resident<T: RowNumber>(
        &mut self,
        hot: HotPull,
        out: &mut [T],
        waiting: Waiting<'_>,
    ) -> Result<(), Error> {
        let resident = loop {
            match hot.answer.recv_timeout(LOOK_INTERVAL) {
                Ok(resident) => break resident?,
                Err(RecvTimeoutError::Disconnected) => return Err(Error::Closed),
                Err(RecvTimeoutError::Timeout) => {
                    if waiting().is_break() {
                        return Err(Error::Interrupted);
                    }
                }
            }
        };
        // A switch that was lost has given no rows.
        if let Some(rows) = T::of(&resident.rows).filter(|rows| !rows.is_empty()) {
            Piece::Some(hot.positions.clone()).scatter(rows, out, self.inner.width);
        }
        if !resident.missing.is_empty() {
            let pick = |from: &[u32]| resident.missing.iter().map(|&at| from[at]).collect();
            let (keys, positions): (Vec<u32>, Vec<u32>) = (pick(&hot.keys), pick(&hot.positions));
            let parted = self.inner.plane.view().split.part(&keys, false);
            for (cold, server) in parted.cold.into_iter().zip(0..) {
                let from = self.questions.len();
                self.ask(server, &keys, cold);
                for question in &mut self.questions[from..] {
                    question.piece = Piece::Some(question.piece.gather(&positions, 1));
                }
            }
        }
        Ok(())
    }

    /// Asks a server for the keys at these positions.
    fn ask(&mut self, server: usize, keys: &[u32], positions: Positions) {
        let (link, step) = (&self.inner.links[server], self.step);
        for piece in positions.pieces(self.inner.message_pairs()) {
            let keys = piece.gather(keys, 1);
            let room = HEADER_BYTES + 4 * keys.len();
            let id =
                link.ask(|id| framed(room, |out| Request::Pull { id, step, keys }.encode(out)));
            self.questions.push(Question { server, id, piece });
        }
    }

    fn odd() -> Error {
        Error::Input("a server's answer does not fit; install the same netfold everywhere".into())
    }
}

impl Drop for Pull {
    fn drop(&mut self) {
        for question in &self.questions {
            self.inner.links[question.server].forget(question.id);
        }
    }
}

/// A thread that asks the switch.
pub(super) struct Puller {
    tasks: Option<Sender<Task>>,
    thread: Option<JoinHandle<()>>,
}

type Task = Box<dyn FnOnce() + Send>;

impl Puller {
    fn start() -> Result<Self, Error> {
        let (tasks, received) = mpsc::channel::<Task>();
        let thread = thread::Builder::new()
            .name("netfold-pull".into())
            .spawn(move || received.into_iter().for_each(|task| task()))
            .map_err(Error::io("a thread for pulls from the switch"))?;
        Ok(Self { tasks: Some(tasks), thread: Some(thread) })
    }

    fn run(&self, task: Task) {
        if let Some(tasks) = &self.tasks {
            // It ends only when this is dropped.
            let _ = tasks.send(task);
        }
    }
}

impl Drop for Puller {
    fn drop(&mut self) {
        self.tasks = None;
        let Some(thread) = self.thread.take() else { return };
        // The last user of a table may be its own thread.
        if thread.thread().id() != thread::current().id() {
            let _ = thread.join();
        }
    }
}
