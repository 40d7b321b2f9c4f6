//! The way of a worker to other servers, with the rows of the former ones (R-SERVE-18 to 23).

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use netfold_sparse::{Change, Numbers, Reply, Request, RowNumber, Taken, each_type};

use super::TableOptions;
use super::inner::{HEADER_BYTES, Inner, List};
use super::locate::Place;
use super::split::Piece;
use crate::error::Error;
use crate::frame::framed;
use crate::hot::{Planes, Waiting};

/// Longest wait for a former server to say that it drops its rows.
const DROP_LIMIT: Duration = Duration::from_secs(1);

impl Inner {
    /// Announces other servers to them, when all is stored that this worker has pushed
    /// (R-SERVE-19).
    pub(super) fn announce(&self, servers: &[String], waiting: Waiting<'_>) -> Result<Self, Error> {
        if servers.iter().collect::<BTreeSet<_>>().len() < servers.len() {
            return Err(Error::Input(format!("the servers {servers:?} are not distinct")));
        }
        if self.staleness == Some(0) && self.in_step.load(Ordering::SeqCst) {
            return Err(Error::Input(
                "other servers are set between two steps: end the step that was pushed to".into(),
            ));
        }
        self.flush(waiting)?;
        let options = TableOptions {
            servers: servers.to_vec(),
            hot_keys: Vec::new(),
            ..self.options.clone()
        };
        let list = List {
            number: self.list.number + 1,
            former: self.options.servers.clone(),
            session: self.list.session,
        };
        Self::open(options, None, self.planes.clone(), list, waiting)
    }

    /// Makes no change here any more (R-SERVE-20).
    pub(super) fn end_list(&self, next: &Self) {
        self.plane.end_last();
        self.tell_all(Change::Move { to: next.options.servers.clone() });
    }

    /// Brings this worker's share of the rows to the next servers, and waits until they have those
    /// of the others, too (R-SERVE-21).
    pub(super) fn bring_rows(&self, next: &Self, waiting: Waiting<'_>) -> Result<(), Error> {
        let start = Instant::now();
        let (rank, stride) = (self.options.rank, u32::from(self.options.workers));
        let ask = |at: usize, page| {
            let take = |id| Request::Take { id, page, stride };
            (at, self.links[at].ask(|id| framed(HEADER_BYTES, |out| take(id).encode(out))))
        };
        let mut asked: VecDeque<_> = (0..self.links.len()).map(|at| ask(at, rank.into())).collect();
        let mut steps = 0;
        let mut outcome = Ok(());
        while let Some((at, id)) = asked.pop_front() {
            if outcome.is_err() {
                self.links[at].forget(id);
                continue;
            }
            let what = "the former servers' answer, which waits for all workers to set the same other servers,";
            outcome = self.links[at].answer(what, id, waiting).and_then(|reply| {
                let Reply::Taken { taken, .. } = reply else {
                    return Err(Error::Input("a server answers another question than was asked; install the same netfold everywhere".into()));
                };
                steps = steps.max(taken.steps);
                asked.extend(taken.next.map(|page| ask(at, page)));
                next.put(&taken, waiting)
            });
        }
        outcome?;
        let ended = *self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        next.tell_all(Change::Arrived { ended, steps });
        *next.ended.lock().unwrap_or_else(PoisonError::into_inner) = ended;
        // The others have as many rows to bring.
        next.flush_within(self.timeout + start.elapsed(), waiting)
    }

    /// Puts rows of former servers.
    fn put(&self, taken: &Taken, waiting: Waiting<'_>) -> Result<(), Error> {
        let Some(stride) = taken.lanes.len().checked_div(taken.keys.len()) else { return Ok(()) };
        let cold = self.plane.view().split.part(&taken.keys, false).cold;
        for (link, positions) in self.links.iter().zip(cold) {
            for piece in positions.pieces(taken.keys.len()) {
                link.wait_for_room(waiting)?;
                let keys = piece.gather(&taken.keys, 1);
                let lanes = gathered(&piece, &taken.lanes, stride);
                let room = HEADER_BYTES + size_of_val(&*keys) + lanes.bytes();
                let change = Change::Put { keys, lanes };
                link.state().change(|number| {
                    framed(room, |out| Request::Change { number, change }.encode(out))
                });
            }
        }
        Ok(())
    }

    /// Goes on with what a worker had at the former servers, and has those drop their rows
    /// (R-SERVE-22, R-SERVE-23).
    pub(super) fn take_over(&self, former: &Self, waiting: Waiting<'_>) -> Result<(), Error> {
        if let Some(lr) = former.lr()
            && self.lr().map(f64::to_bits) != Some(lr.to_bits())
        {
            self.set_lr(lr)?;
        }
        *self.before.lock().unwrap_or_else(PoisonError::into_inner) = former.stats();
        former.plane.warnings.take().into_iter().for_each(|told| self.plane.warnings.warn(told));
        let drop = |id| framed(HEADER_BYTES, |out| Request::Drop { id }.encode(out));
        let asked: Vec<u32> = former.links.iter().map(|link| link.ask(drop)).collect();
        let start = Instant::now();
        for (link, id) in former.links.iter().zip(asked) {
            let left = DROP_LIMIT.saturating_sub(start.elapsed());
            // Its rows stay on its disk then, and do no harm.
            if let Err(error) = link.answer_within("dropping rows", left, id, waiting) {
                tracing::debug!("a former server has not dropped its rows: {error}");
            }
        }
        Ok(())
    }

    /// Opens the table at the list that has it, and brings the rows there that it still lacks
    /// (R-SERVE-22).
    pub(super) fn follow(
        options: &TableOptions,
        planes: Option<Arc<dyn Planes>>,
        place: Place,
        waiting: Waiting<'_>,
    ) -> Result<Arc<Self>, Error> {
        let session = rand::random();
        let mut open = |servers: &[String], number, former: &[String]| {
            let (servers, former) = (servers.to_vec(), former.to_vec());
            let options = TableOptions { servers, hot_keys: Vec::new(), ..options.clone() };
            let list = List { number, former, session };
            Self::open(options, None, planes.clone(), list, &mut *waiting).map(Arc::new)
        };
        let Place { list, servers, former } = place;
        let inner = if former.is_empty() {
            open(&servers, list, &[])?
        } else {
            let before = open(&former, list.saturating_sub(1), &[])?;
            let next = open(&servers, list, &former)?;
            before.end_list(&next);
            before.bring_rows(&next, waiting)?;
            next.take_over(&before, waiting)?;
            next
        };
        if servers != options.servers {
            let (table, named) = (&options.table.name, &options.servers);
            inner.plane.warnings.warn(format!("the table {table:?} has gone on from the servers {named:?} to {servers:?}; name these from now on"));
        }
        if !options.hot_keys.is_empty() {
            inner.set_hot(&options.hot_keys, waiting)?;
        }
        Ok(inner)
    }
}

/// Returns the elements of `width` numbers at these positions.
fn gathered(piece: &Piece, from: &Numbers, width: usize) -> Numbers {
    each_type!(Numbers, from, numbers => RowNumber::wrap(piece.gather(numbers, width)))
}
