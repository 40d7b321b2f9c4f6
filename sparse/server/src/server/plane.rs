//! The planes of a table (R-KEY-13, R-SERVE-10).

use std::sync::Arc;

use netfold_wire::{Window, has_push, pushes_in};

use super::agreement::check_plane;
use super::fault::Fault;
use super::table::Table;
use super::worker::Worker;
use crate::message::{Plane, Pushed, SwitchTable};
use crate::rows::HotSlots;
use crate::store::Store;

/// A plane that some worker has not left.
#[derive(Debug)]
pub(super) struct Epoch {
    pub switch: SwitchTable,
    /// The hottest first.
    pub hot_keys: Vec<u32>,
    pub slots: HotSlots,
    /// The last generation that is in the rows.
    pub generation: u32,
    /// The windows of that generation, none before the first.
    windows: Vec<Window>,
    /// The pushes of each worker that these have without a gap.
    counts: Arc<[u32]>,
    pub sealed: bool,
    pub loaded: bool,
}

impl Epoch {
    pub fn new(plane: Plane, slots: HotSlots) -> Self {
        let Plane { switch, hot_keys } = plane;
        Self {
            switch,
            hot_keys,
            slots,
            generation: 0,
            windows: Vec::new(),
            counts: Arc::default(),
            sealed: false,
            loaded: false,
        }
    }

    /// Notes a generation that is in the rows, and its windows.
    pub fn note(&mut self, generation: u32, windows: Vec<Window>) {
        self.counts = windows.iter().map(|window| pushes_in(window)).collect();
        (self.generation, self.windows) = (generation, windows);
    }

    /// Returns the windows of the last generation that is in the rows, by worker.
    pub fn windows(&self) -> &[Window] {
        &self.windows
    }

    pub const fn number(&self) -> u32 {
        self.switch.epoch
    }

    /// Returns whether the generation that is in the rows, or one before it, has a push (R-KEY-9).
    pub fn has(&self, rank: u16, push: u32) -> bool {
        self.windows.get(usize::from(rank)).is_some_and(|window| has_push(window, push))
    }

    /// Returns the pushes of each worker that the generations in the rows have without a gap.
    pub const fn counts(&self) -> &Arc<[u32]> {
        &self.counts
    }

    /// Returns those of one worker.
    pub fn pushed(&self, rank: u16) -> Pushed {
        let count = self.counts.get(usize::from(rank)).copied().unwrap_or(0);
        Pushed { epoch: self.number(), count }
    }
}

impl<S: Store> Table<S> {
    /// Makes the record of a plane.
    pub fn epoch(&self, plane: Plane) -> Epoch {
        let slots = self.rows.hot_slots(&plane.hot_keys);
        Epoch::new(plane, slots)
    }

    /// Returns the plane of an epoch.
    pub fn plane(&self, epoch: u32) -> Option<&Epoch> {
        self.planes.iter().find(|plane| plane.number() == epoch)
    }

    /// Returns the plane of a worker.
    pub fn plane_of(&self, rank: u16) -> Option<&Epoch> {
        self.plane(self.workers[usize::from(rank)].plane?)
    }

    /// Returns the plane whose generations are read (R-SERVE-10).
    pub fn live(&self) -> Option<&Epoch> {
        // R-SERVE-15: nobody waits for a worker that has left.
        let here = self.workers.iter().find(|worker| !worker.left);
        let plane = self.plane(here.or(self.workers.first())?.plane?)?;
        let opened = |worker: &Worker| worker.left || worker.plane == Some(plane.number());
        (!plane.sealed && self.workers.iter().all(opened)).then_some(plane)
    }

    /// Returns whether nothing that a worker has pushed to a switch is missing, but what is in the
    /// live plane: all of its planes are replayed.
    pub fn replayed(&self, rank: u16) -> bool {
        let worker = &self.workers[usize::from(rank)];
        worker.left || worker.plane.is_none() || worker.replayed == worker.plane
    }

    /// Returns whether the rows have these pushes of a worker, in generations or by replays. A
    /// worker opens no plane before it has replayed the one before.
    pub fn has_pushed(&self, rank: u16, pushed: &Pushed) -> bool {
        let there = self.plane_of(rank).filter(|own| own.number() == pushed.epoch);
        self.replayed(rank) || there.is_none_or(|own| own.pushed(rank).has(pushed))
    }

    /// Returns a plane, to be changed.
    pub fn plane_mut(&mut self, epoch: u32) -> Result<&mut Epoch, Fault> {
        let plane = self.planes.iter_mut().find(|plane| plane.number() == epoch);
        plane.ok_or_else(|| Fault::Refused(format!("epoch {epoch} is not the table's")))
    }

    /// Returns the plane that a worker leaves by its replays (R-SERVE-10).
    pub fn leaving(&self, rank: u16, epoch: u32) -> Result<&Epoch, Fault> {
        let own = self.plane_of(rank).filter(|own| own.number() == epoch);
        own.ok_or_else(|| {
            let plane = self.workers[usize::from(rank)].plane;
            Fault::Refused(format!(
                "a replay of epoch {epoch}, of which nothing is missing here: rank {rank} is in \
                 {plane:?}"
            ))
        })
    }

    /// Takes a worker into a plane (R-SERVE-10).
    pub fn open(&mut self, rank: u16, plane: &Plane) -> Result<(), Fault> {
        let epoch = plane.switch.epoch;
        if !self.replayed(rank) {
            let why =
                format!("rank {rank} opens epoch {epoch} before it has replayed the last one");
            return Err(Fault::Refused(why));
        }
        if let Some(own) = self.plane(epoch) {
            let same = own.switch == plane.switch && own.hot_keys == plane.hot_keys;
            if !same {
                let why = format!(
                    "rank {rank} has other hot keys in epoch {epoch} than another worker, or \
                     another switch; all workers of a table must agree"
                );
                return Err(Fault::Refused(why));
            }
        } else {
            check_plane(&self.terms, plane).map_err(Fault::Refused)?;
            let own = self.epoch(plane.clone());
            self.planes.push(own);
        }
        self.workers[usize::from(rank)].plane = Some(epoch);
        let workers = &self.workers;
        let here = || workers.iter().filter(|worker| !worker.left);
        let needed = |own: &Epoch| here().any(|other| other.plane == Some(own.number()));
        self.planes.retain(needed);
        Ok(())
    }
}
