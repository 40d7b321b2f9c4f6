//! The rows of a table: two copies, their tags, and values if the table is resident (R-KEY-6,
//! R-KEY-12).

use netfold_kernels as kernels;
use netfold_kernels::FPISA_REGISTER_BYTES;
use netfold_num::{Arithmetic, Operation};
use netfold_wire::{RANK_BYTES, TablePacket, TableRepr, in_parts, rank_bytes, ranks};

use super::{CopyRegisters, TableSpec};
use crate::fold::variant;

/// Rows one after the other, as they travel or as registers.
#[derive(Clone)]
struct Sums {
    bytes: Box<[u8]>,
    row_bytes: usize,
}

impl Sums {
    fn new(spec: &TableSpec) -> Self {
        let row_bytes = kept_bytes(spec);
        Self { bytes: vec![0; spec.table.rows as usize * row_bytes].into(), row_bytes }
    }

    /// Adds rows, or puts them in the place of what is there: for each its rank, whether it is the
    /// first, and the row.
    fn add_all<'i>(
        &mut self,
        spec: &TableSpec,
        pairs: impl Iterator<Item = (u32, bool, &'i [u8])>,
    ) {
        let (lane, order) = (spec.table.element_type, spec.terms.byte_order);
        match spec.terms.arithmetic {
            Arithmetic::Native | Arithmetic::Block => {
                let pairs = pairs.map(|(rank, first, row)| (rank as usize, first, row));
                kernels::add_rows(lane, order, &mut self.bytes, self.row_bytes, pairs);
            }
            _ => pairs.for_each(|(rank, first, row)| self.add(spec, rank, first, row)),
        }
    }

    fn row(&self, rank: u32) -> &[u8] {
        &self.bytes[rank as usize * self.row_bytes..][..self.row_bytes]
    }

    /// Adds a row, or puts it in the place of what is there.
    fn add(&mut self, spec: &TableSpec, rank: u32, first: bool, row: &[u8]) {
        let sum = &mut self.bytes[rank as usize * self.row_bytes..][..self.row_bytes];
        let (lane, order) = (spec.table.element_type, spec.terms.byte_order);
        match variant(spec.terms.arithmetic) {
            Some(variant) => {
                // R-FPI-9: a sum that overflows reads as a NaN.
                kernels::add_to_registers(lane, order, variant, first, sum, row);
            }
            _ if first => sum.copy_from_slice(row),
            _ => {
                let arithmetic = spec.terms.arithmetic;
                kernels::fold_in(arithmetic, lane, Operation::Sum, order, sum, row);
            }
        }
    }

    /// Writes a row as it travels.
    fn write(&self, spec: &TableSpec, rank: u32, row: &mut [u8]) {
        match variant(spec.terms.arithmetic) {
            Some(_) => kernels::read_registers(
                spec.table.element_type,
                spec.terms.byte_order,
                self.row(rank),
                row,
            ),
            None => row.copy_from_slice(self.row(rank)),
        }
    }
}

/// One of the two copies.
#[derive(Clone)]
struct Copy {
    sums: Sums,
    /// The generation that each row was folded in last.
    tags: Box<[u32]>,
    /// Ranks of the rows that were folded in the copy's generation, in the order of their first
    /// push. It never grows beyond what was allocated for it.
    order: Vec<u32>,
}

/// Values of resident rows.
#[derive(Clone)]
struct Values {
    sums: Sums,
    loaded: Box<[bool]>,
}

/// The rows of a table.
#[derive(Clone)]
pub(super) struct Rows {
    copies: [Copy; 2],
    values: Option<Values>,
}

impl Rows {
    pub(super) fn new(spec: &TableSpec) -> Self {
        let rows = spec.table.rows as usize;
        let copy = || Copy {
            sums: Sums::new(spec),
            tags: vec![0; rows].into(),
            order: Vec::with_capacity(rows),
        };
        let values = || Values {
            sums: Sums::new(spec),
            loaded: vec![false; spec.table.rows as usize].into(),
        };
        Self { copies: [copy(), copy()], values: spec.table.resident.then(values) }
    }

    pub(super) fn memory_bytes(spec: &TableSpec) -> u64 {
        let row_bytes = kept_bytes(spec) as u64;
        let values = if spec.table.resident { row_bytes + 1 } else { 0 };
        u64::from(spec.table.rows) * (2 * (row_bytes + 8) + values)
    }

    /// Returns the registers of both copies.
    pub(super) fn copies(&self) -> [CopyRegisters<'_>; 2] {
        self.copies.each_ref().map(|Copy { sums, tags, order }| CopyRegisters {
            sums: &sums.bytes,
            tags,
            order,
        })
    }

    /// Returns the values of resident rows, and which of them are loaded.
    pub(super) fn values(&self) -> Option<(&[u8], &[bool])> {
        self.values.as_ref().map(|values| (&*values.sums.bytes, &*values.loaded))
    }

    /// Returns whether nothing was pushed in a generation, the open one or the one before it.
    pub(super) fn is_empty(&self, generation: u32) -> bool {
        self.copies[copy_of(generation)].order.is_empty()
    }

    /// Takes the copy of a generation into use again.
    pub(super) fn begin(&mut self, generation: u32) {
        self.copies[copy_of(generation)].order.clear();
    }

    /// Folds the pairs of a push (R-KEY-6).
    pub(super) fn push(&mut self, spec: &TableSpec, open: u32, packet: &TablePacket<'_>) {
        let Copy { sums, tags, order } = &mut self.copies[copy_of(open)];
        let row_bytes = spec.table.row_bytes();
        let ranks = ranks(packet.ranks, spec.terms.byte_order);
        let pairs = ranks.zip(packet.rest.chunks_exact(row_bytes));
        if let Some(values) = &mut self.values {
            values.sums.add_all(spec, pairs.clone().map(|(rank, row)| (rank, false, row)));
        }
        let tagged = pairs.map(|(rank, row)| {
            let tag = &mut tags[rank as usize];
            let first = *tag != open;
            if first {
                *tag = open;
                order.push(rank);
            }
            (rank, first, row)
        });
        sums.add_all(spec, tagged);
    }

    /// Writes up to `room` pairs of `parts` from the generation that an answer is about, from its
    /// place on, and notes in it how many there are and what comes next (R-KEY-7).
    pub(super) fn read(
        &self,
        spec: &TableSpec,
        parts: u64,
        room: u16,
        answer: &mut TableRepr,
        body: &mut [u8],
    ) {
        let Copy { sums, order, .. } = &self.copies[copy_of(answer.generation)];
        let rest = order.get(answer.place as usize..).unwrap_or_default();
        let chosen = (0_u32..).zip(rest).filter(|(_, rank)| in_parts(parts, **rank));
        let pairs = chosen.clone().take(room.into()).count();
        let (rank_places, row_places) = body.split_at_mut(pairs * RANK_BYTES);
        let places = rank_places
            .chunks_exact_mut(RANK_BYTES)
            .zip(row_places.chunks_exact_mut(spec.table.row_bytes()));
        let mut next = answer.place;
        for ((index, rank), (bytes, row)) in chosen.zip(places) {
            bytes.copy_from_slice(&rank_bytes(*rank, spec.terms.byte_order));
            sums.write(spec, *rank, row);
            next = answer.place + index + 1;
        }
        let more = order.get(next as usize..).unwrap_or_default();
        answer.last = !more.iter().any(|rank| in_parts(parts, *rank));
        (answer.pairs, answer.place) = (pairs as u16, next);
    }

    /// Adds the values of rows that have not been loaded (R-KEY-12).
    pub(super) fn load(&mut self, spec: &TableSpec, packet: &TablePacket<'_>) {
        let Some(Values { sums, loaded }) = &mut self.values else { return };
        let ranks = ranks(packet.ranks, spec.terms.byte_order);
        for (rank, row) in ranks.zip(packet.rest.chunks_exact(spec.table.row_bytes())) {
            if !std::mem::replace(&mut loaded[rank as usize], true) {
                sums.add(spec, rank, false, row);
            }
        }
    }

    pub(super) fn is_loaded(&self, rank: u32) -> bool {
        self.values.as_ref().is_some_and(|values| values.loaded[rank as usize])
    }

    /// Writes the value of a row as it travels.
    pub(super) fn write_value(&self, spec: &TableSpec, rank: u32, row: &mut [u8]) {
        if let Some(values) = &self.values {
            values.sums.write(spec, rank, row);
        }
    }
}

/// Returns the bytes in which a row's sum is kept.
fn kept_bytes(spec: &TableSpec) -> usize {
    match variant(spec.terms.arithmetic) {
        Some(_) => usize::from(spec.table.width) * FPISA_REGISTER_BYTES,
        None => spec.table.row_bytes(),
    }
}

fn copy_of(generation: u32) -> usize {
    (generation % 2) as usize
}
