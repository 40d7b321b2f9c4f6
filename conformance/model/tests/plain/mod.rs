//! A switch with a table, written from the rules of R-KEY, that keeps all of them but one.

use netfold_model::TableSwitch;
use netfold_switch::{CopyRegisters, TableMemory, TableSpec, TreeRegisters};
use netfold_wire::{
    PARTS, TABLE_HEADER_BYTES, TableKind, TablePacket, TableRepr, WINDOW, in_parts,
};

/// A rule of the switch that is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// R-KEY-3: a repetition is not folded.
    Windows,
    /// R-KEY-3: windows stay when a generation is closed.
    WindowsStay,
    /// R-KEY-6: the first push of a generation overwrites.
    Overwrite,
    /// R-KEY-8: a generation is closed when all servers have stored the one before it.
    Stored,
    /// R-KEY-9: windows are answered as they were at the close.
    ClosedWindows,
    /// R-KEY-11: a table outlives its job.
    Outlives,
}

/// One copy of the rows.
#[derive(Clone)]
struct Copy {
    sums: Vec<u8>,
    tags: Vec<u32>,
    order: Vec<u32>,
}

/// A table whose lanes are integers of 32 bits, one in a row.
#[derive(Clone)]
pub struct PlainTable {
    spec: TableSpec,
    broken: Option<Rule>,
    windows: Vec<u32>,
    closed_windows: Vec<u32>,
    open: u32,
    stored: Vec<u32>,
    copies: [Copy; 2],
    ended: bool,
    gone: bool,
}

impl PlainTable {
    pub fn new(spec: &TableSpec, broken: Option<Rule>) -> Self {
        let rows = spec.table.rows as usize;
        let copy = Copy { sums: vec![0; 4 * rows], tags: vec![0; rows], order: Vec::new() };
        let windows = fresh_windows(spec);
        Self {
            spec: spec.clone(),
            broken,
            closed_windows: windows.clone(),
            windows,
            open: 1,
            stored: vec![0; PARTS as usize],
            copies: [copy.clone(), copy],
            ended: false,
            gone: false,
        }
    }

    fn copy(&mut self, generation: u32) -> &mut Copy {
        &mut self.copies[generation as usize % 2]
    }

    fn push(&mut self, packet: &TablePacket<'_>) {
        let number = packet.repr.sequence;
        let register = u32::from(packet.repr.worker.0) * WINDOW + number % WINDOW;
        let register = &mut self.windows[register as usize];
        let newer = number.wrapping_sub(*register) as i32 > 0;
        if newer {
            *register = number;
        }
        if !newer && self.broken != Some(Rule::Windows) {
            return;
        }
        let (open, adds) = (self.open, self.broken == Some(Rule::Overwrite));
        let Copy { sums, tags, order } = self.copy(open);
        for (rank, row) in words(packet.ranks).zip(words(packet.rest)) {
            let sum = &mut sums[4 * rank as usize..][..4];
            let tag = &mut tags[rank as usize];
            let before = if *tag == open || adds { words(sum).next().unwrap() } else { 0 };
            if *tag != open {
                *tag = open;
                order.push(rank);
            }
            sum.copy_from_slice(&(before + row).to_le_bytes());
        }
    }

    fn is_empty(&mut self) -> bool {
        let open = self.open;
        self.copy(open).order.is_empty()
    }

    fn is_stored(&self) -> bool {
        self.stored.iter().all(|stored| *stored == self.open - 1)
    }

    fn close(&mut self) {
        if !self.is_stored() && self.broken != Some(Rule::Stored) {
            return;
        }
        if self.broken == Some(Rule::WindowsStay) {
            self.windows = fresh_windows(&self.spec);
        }
        self.closed_windows = self.windows.clone();
        self.open += 1;
        let open = self.open;
        self.copy(open).order.clear();
    }

    /// Gives the pairs, too.
    fn read(&mut self, request: &TableRepr, parts: u64, answer: &mut TableRepr) -> Vec<(u32, u32)> {
        for part in (0..PARTS).filter(|part| parts >> part & 1 == 1) {
            let stored = &mut self.stored[part as usize];
            *stored = request.stored.max(*stored);
        }
        if request.generation == self.open {
            answer.last = self.is_empty();
            if request.close && !answer.last {
                self.close();
            }
        }
        if request.generation + 1 != self.open || request.generation == 0 {
            return Vec::new();
        }
        let room = usize::from(self.spec.table.pairs_in(self.spec.datagram_bytes as usize));
        let Copy { sums, order, .. } = self.copy(request.generation);
        let wanted = (0..).zip(&*order).skip(request.place as usize);
        let mut wanted = wanted.filter(|(_, rank)| in_parts(parts, **rank)).peekable();
        let mut pairs = Vec::new();
        while let Some((place, rank)) = wanted.next_if(|_| pairs.len() < room) {
            pairs.push((*rank, words(&sums[4 * *rank as usize..]).next().unwrap()));
            answer.place = place + 1;
        }
        answer.last = wanted.peek().is_none();
        answer.pairs = pairs.len() as u16;
        pairs
    }
}

impl TableSwitch for PlainTable {
    fn handle(&mut self, datagram: &[u8]) -> Option<Vec<u8>> {
        let packet = TablePacket::new_checked(datagram).expect("machines send packets");
        if self.gone || self.ended && packet.repr.kind == TableKind::Push {
            return None;
        }
        let mut answer = packet.repr.answered();
        let mut body = Vec::new();
        match packet.repr.kind {
            TableKind::Push => self.push(&packet),
            TableKind::Read => {
                let parts = u64::from_be_bytes(packet.rest.try_into().unwrap());
                let pairs = self.read(&packet.repr, parts, &mut answer);
                body.extend(pairs.iter().flat_map(|(rank, _)| rank.to_le_bytes()));
                body.extend(pairs.iter().flat_map(|(_, row)| row.to_le_bytes()));
            }
            TableKind::Windows => {
                let current = self.broken == Some(Rule::ClosedWindows);
                let windows = if current { &self.windows } else { &self.closed_windows };
                let start = usize::from(packet.repr.worker.0) * WINDOW as usize;
                let own = &windows[start..start + WINDOW as usize];
                body.extend(own.iter().flat_map(|register| register.to_be_bytes()));
            }
            TableKind::Pull | TableKind::Load => panic!("nothing is resident"),
        }
        answer.generation = self.open;
        let mut datagram = vec![0; TABLE_HEADER_BYTES];
        datagram.extend(body);
        answer.seal(&self.spec.terms.integrity, &mut datagram);
        self.gone |= self.ended && self.is_empty() && self.is_stored();
        Some(datagram)
    }

    fn end(&mut self) {
        self.ended = true;
        let drained = self.is_empty() && self.is_stored();
        self.gone |= drained || self.broken == Some(Rule::Outlives);
    }

    fn memory(&self) -> Option<TableMemory<'_>> {
        let copies = self.copies.each_ref();
        (!self.gone).then_some(TableMemory {
            windows: &self.windows,
            closed_windows: &self.closed_windows,
            open: self.open,
            stored: &self.stored,
            ended: self.ended,
            copies: copies.map(|Copy { sums, tags, order }| CopyRegisters { sums, tags, order }),
            values: None,
            tree: TreeRegisters::default(),
        })
    }
}

/// Register i holds i - W.
fn fresh_windows(spec: &TableSpec) -> Vec<u32> {
    (0..spec.workers).flat_map(|_| (0..WINDOW).map(|index| index.wrapping_sub(WINDOW))).collect()
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let (words, _) = bytes.as_chunks::<4>();
    words.iter().map(|word| u32::from_le_bytes(*word))
}
