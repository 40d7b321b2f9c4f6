//! Rows on their way: to the switch, if they are hot, and to their servers (R-SERVE-1, R-SERVE-2).

use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use netfold_sparse::{Change, Numbers, Request, RowNumber};

use super::inner::{HEADER_BYTES, Inner};
use super::plane::View;
use super::split::{Piece, Positions};
use crate::error::Error;
use crate::frame::framed;
use crate::hot::Waiting;

/// Bytes of hot rows that a worker keeps, beyond which it has the servers store them before it
/// pushes more (R-SERVE-6).
const HOT_KEPT_BYTES: usize = 64 << 20;

impl Inner {
    /// Refuses numbers of another type than the table's (R-SERVE-24).
    pub(super) fn check_type<T: RowNumber>(&self) -> Result<(), Error> {
        let (expected, found) = (self.element_type, T::TYPE);
        if found == expected {
            return Ok(());
        }
        let name = &self.options.table.name;
        Err(Error::Input(format!("the table {name:?} has rows of {expected}, not of {found}")))
    }

    /// Refuses keys that are no rows, and rows that do not fit the keys or the table.
    pub(super) fn check_rows<T: RowNumber>(&self, keys: &[u32], rows: &[T]) -> Result<(), Error> {
        self.check_type::<T>()?;
        self.plane.view().split.check(keys, rows.len(), self.width)
    }

    pub(super) fn push<T: RowNumber>(
        &self,
        keys: &[u32],
        rows: &[T],
        waiting: Waiting<'_>,
    ) -> Result<(), Error> {
        self.check_rows(keys, rows)?;
        self.counted.updates.fetch_add(keys.len() as u64, Ordering::Relaxed);
        self.in_step.store(true, Ordering::SeqCst);
        self.send(keys, rows, waiting)
    }

    /// Puts weights in place of those that are there. A resident row has what is missing from it
    /// added at the switch (R-KEY-12).
    pub(super) fn set<T: RowNumber>(
        self: &Arc<Self>,
        keys: &[u32],
        rows: &[T],
        waiting: Waiting<'_>,
    ) -> Result<(), Error> {
        let change = |keys, rows| Change::Set { keys, rows };
        let view = self.plane.view();
        let parted = view.split.part(keys, self.resident && view.hot.is_some());
        for piece in self.send_cold(&view, parted.cold, (keys, rows), waiting, change)? {
            let (keys, rows) = (piece.gather(keys, 1), piece.gather(rows, self.width.into()));
            self.set(&keys, &rows, waiting)?;
        }
        if parted.ranks.is_empty() {
            return Ok(());
        }
        let hot = Piece::Some(parted.hot);
        let (keys, rows) = (hot.gather(keys, 1), hot.gather(rows, self.width.into()));
        let mut found = vec![T::default(); rows.len()];
        Self::pull(self, &keys, None)?.wait(&mut found, waiting)?;
        let missing = rows.iter().zip(&found).map(|(new, old)| new.minus(*old)).collect();
        if self.plane.push(&view, &parted.ranks, &T::wrap(missing)) {
            // A pull after this is to find it.
            return self.wait_acknowledged(waiting);
        }
        self.set(&keys, &rows, waiting)
    }

    /// Sends gradients to their places. What has found its place changed goes to the new one.
    fn send<T: RowNumber>(
        &self,
        keys: &[u32],
        rows: &[T],
        waiting: Waiting<'_>,
    ) -> Result<(), Error> {
        let change = |keys, rows| Change::Push { keys, rows };
        let view = self.plane.view();
        let parted = view.split.part(keys, view.hot.is_some());
        let mut moved = self.send_cold(&view, parted.cold, (keys, rows), waiting, change)?;
        if let Some((hot, _)) = view.hot.as_ref().filter(|_| !parted.ranks.is_empty()) {
            if hot.kept_bytes() >= HOT_KEPT_BYTES {
                self.flush(waiting)?;
            }
            self.wait_applied(waiting)?;
            let hot = Piece::Some(parted.hot);
            let mut added = hot.gather(rows, self.width.into());
            if let Some(lr) = self.lr().filter(|_| self.resident) {
                // R-KEY-12
                added.iter_mut().for_each(|number| *number = number.times(-lr));
            }
            if self.plane.push(&view, &parted.ranks, &T::wrap(added)) {
                let pushed = parted.ranks.len() as u64;
                self.counted.hot_updates.fetch_add(pushed, Ordering::Relaxed);
            } else {
                moved.push(hot);
            }
        }
        for piece in moved {
            let (keys, rows) = (piece.gather(keys, 1), piece.gather(rows, self.width.into()));
            self.send(&keys, &rows, waiting)?;
        }
        Ok(())
    }

    /// Sends pairs to the servers, and returns those whose places have changed since `view`.
    fn send_cold<T: RowNumber>(
        &self,
        view: &View,
        cold: Vec<Positions>,
        (keys, rows): (&[u32], &[T]),
        waiting: Waiting<'_>,
        change: impl Fn(Vec<u32>, Numbers) -> Change,
    ) -> Result<Vec<Piece>, Error> {
        let mut moved = Vec::new();
        for (link, positions) in self.links.iter().zip(cold) {
            for piece in positions.pieces(self.message_pairs()) {
                link.wait_for_room(waiting)?;
                let room = HEADER_BYTES + piece.len() * self.pair_bytes();
                let rows = T::wrap(piece.gather(rows, self.width.into()));
                let change = change(piece.gather(keys, 1), rows);
                let sent = self.plane.unless_changed(view, || {
                    link.state().change(|number| {
                        framed(room, |out| Request::Change { number, change }.encode(out))
                    });
                });
                if !sent {
                    moved.push(piece);
                }
            }
        }
        Ok(moved)
    }

    /// R-SERVE-5: in a synchronous table, nothing of a step goes to the switch before all servers
    /// have told that the step before is applied.
    fn wait_applied(&self, waiting: Waiting<'_>) -> Result<(), Error> {
        let ended = *self.ended.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(ended) = ended.filter(|_| self.staleness == Some(0)) else { return Ok(()) };
        self.links.iter().try_for_each(|link| link.wait_stepped(ended, waiting))
    }
}
