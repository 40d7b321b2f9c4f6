//! A table at a switch by R-KEY-3 and R-KEY-6 to R-KEY-12, with rows of one number.

use std::collections::BTreeMap;

use netfold_sparse::{Answer, ElementType, Generation, part_of_rank, server_of};
use netfold_wire::{FRESH_WINDOW, WINDOW, Window};

use crate::cluster::numbers;

/// The switch, or what is left of it.
#[derive(Clone)]
pub struct Switch {
    pub alive: bool,
    servers: u16,
    resident: bool,
    element_type: ElementType,
    open: u32,
    /// By rank, and by the parity of the generation: its tag and its sum.
    copies: BTreeMap<u32, [(u32, f32); 2]>,
    /// By rank: the value, and whether it was loaded.
    values: BTreeMap<u32, (f32, bool)>,
    windows: Vec<Window>,
    /// The windows of the last closed generation.
    frozen: Vec<Window>,
    /// By server: the last generation that it has stored.
    stored: Vec<u32>,
}

impl Switch {
    pub fn new(workers: u16, servers: u16, resident: bool, element_type: ElementType) -> Self {
        let windows = vec![FRESH_WINDOW; usize::from(workers)];
        Self {
            alive: true,
            servers,
            resident,
            element_type,
            open: 1,
            copies: BTreeMap::new(),
            values: BTreeMap::new(),
            frozen: windows.clone(),
            windows,
            stored: vec![0; usize::from(servers)],
        }
    }

    /// Takes a push once; returns whether the switch acknowledges it.
    pub fn push(&mut self, worker: u16, push: u32, pairs: &[(u32, f32)]) -> bool {
        if !self.alive {
            return false;
        }
        let register = &mut self.windows[usize::from(worker)][(push % WINDOW) as usize];
        if push.wrapping_sub(*register) as i32 > 0 {
            *register = push;
            for (rank, number) in pairs {
                let copies = self.copies.entry(*rank).or_default();
                let (tag, sum) = &mut copies[self.open as usize % 2];
                *sum = if *tag == self.open { *sum + number } else { *number };
                *tag = self.open;
                self.values.entry(*rank).or_default().0 += number;
            }
        }
        true
    }

    /// Answers a server that has stored generations up to `stored`, and names the next one.
    pub fn read(&mut self, server: u16, close: bool, stored: u32) -> Option<Answer> {
        if !self.alive {
            return None;
        }
        let own = &mut self.stored[usize::from(server)];
        *own = stored.max(*own);
        let named = stored + 1 == self.open;
        if close
            && named
            && !self.is_empty()
            && self.stored.iter().all(|stored| *stored >= self.open - 1)
        {
            self.frozen.clone_from(&self.windows);
            self.open += 1;
        }
        let closed = self.open - 1;
        let generation = (closed > stored).then(|| {
            let of_server = |rank: &u32| server_of(part_of_rank(*rank), self.servers) == server;
            let copies =
                self.copies.iter().map(|(rank, copies)| (*rank, copies[closed as usize % 2]));
            let pairs = copies.filter(|(rank, (tag, _))| *tag == closed && of_server(rank));
            let (ranks, rows): (_, Vec<f32>) = pairs.map(|(rank, (_, sum))| (rank, sum)).unzip();
            let rows = numbers(self.element_type, &rows);
            Generation { number: closed, ranks, rows, windows: self.frozen.clone() }
        });
        let empty = self.is_empty();
        Some(Answer { open: self.open, empty, going: false, generation })
    }

    /// Returns whether nothing was pushed in the open generation.
    fn is_empty(&self) -> bool {
        self.copies.values().all(|copies| copies[self.open as usize % 2].0 != self.open)
    }

    /// Loads values; returns whether the switch has them.
    pub fn load(&mut self, ranks: &[u32], rows: &[f32]) -> bool {
        if self.alive && self.resident {
            for (rank, number) in ranks.iter().zip(rows) {
                let (value, loaded) = self.values.entry(*rank).or_default();
                if !core::mem::replace(loaded, true) {
                    *value += number;
                }
            }
        }
        self.alive
    }

    /// Returns the value of a resident row.
    pub fn value(&self, rank: u32) -> Option<f32> {
        self.values.get(&rank).filter(|(_, loaded)| self.alive && *loaded).map(|(value, _)| *value)
    }
}
