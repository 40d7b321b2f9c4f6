//! A switch of a tree that breaks a rule of its table (R-KEY-18, R-KEY-19): the real one, and what
//! comes to it and goes from it is changed.

use netfold_model::TableSwitch;
use netfold_switch::{LeafRequest, Shard, TableMemory, TableSpec};
use netfold_wire::{FRESH_WINDOW, Integrity, TableKind, TablePacket, TableRepr};

/// A rule that is broken.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Broken {
    /// R-KEY-18: the windows of a leaf's workers come with its generation.
    Windows,
    /// R-KEY-19: a leaf takes no more pushes once its parent knows that the job is over.
    Over,
    /// R-KEY-19: the table of a leaf stays until its parent says that it will not ask again.
    LastWord,
}

/// A switch that breaks a rule.
#[derive(Clone)]
pub struct Branch {
    shard: Shard,
    broken: Broken,
}

impl Branch {
    pub fn new(spec: &TableSpec, broken: Broken) -> Self {
        let mut spec = spec.clone();
        spec.tree.has_parent &= broken != Broken::LastWord;
        let mut shard = Shard::new(spec.memory_bytes());
        shard.admit_table(spec).expect("there is memory for the only table");
        Self { shard, broken }
    }
}

impl TableSwitch for Branch {
    fn handle(&mut self, datagram: &[u8]) -> Option<Vec<u8>> {
        let mut datagram = datagram.to_vec();
        let repr = TablePacket::new_checked(&datagram).expect("machines send packets").repr;
        if self.broken == Broken::Windows && repr.answer && repr.kind == TableKind::Windows {
            let fresh = FRESH_WINDOW.iter().flat_map(|register| register.to_be_bytes());
            let header = datagram.len() - 4 * FRESH_WINDOW.len();
            datagram.splice(header.., fresh);
            repr.seal(&Integrity::Transport, &mut datagram);
        }
        if self.broken == Broken::Over && !repr.answer && repr.last && repr.close {
            TableRepr { last: false, ..repr }.seal(&Integrity::Transport, &mut datagram);
        }
        TableSwitch::handle(&mut self.shard, &datagram)
    }

    fn requests(&mut self) -> Vec<LeafRequest> {
        self.shard.requests()
    }

    fn end(&mut self) {
        self.shard.end();
    }

    fn memory(&self) -> Option<TableMemory<'_>> {
        TableSwitch::memory(&self.shard)
    }
}
