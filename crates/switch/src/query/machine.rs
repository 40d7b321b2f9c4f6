//! A program as a state machine without I/O: it is offered rows, and gives a verdict on each.

use netfold_wire::{RowProgram, RowProgramError};

use super::bloom::Bloom;
use super::cache::{Distinct, GroupExtreme};
use super::filter::Filter;
use super::rows::{Row, Rows, Verdict};
use super::sum::SumTable;
use super::top::{Matrix, Thresholds};

/// The state of a program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum State {
    Filter(Filter),
    Thresholds(Thresholds),
    Matrix(Matrix),
    Distinct(Distinct),
    GroupExtreme(GroupExtreme),
    Bloom(Bloom),
    Sum(SumTable),
}

/// A query's program, and its state. All memory is taken when it is made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RowMachine {
    program: RowProgram,
    state: State,
}

impl RowMachine {
    /// Takes memory for a program, and begins it.
    ///
    /// # Errors
    /// The program cannot be like this.
    pub fn new(program: &RowProgram) -> Result<Self, RowProgramError> {
        program.checked()?;
        let state = match *program {
            RowProgram::Filter { predicates, truth } => {
                State::Filter(Filter::new(predicates.iter().collect(), truth))
            }
            RowProgram::TopThresholds { n, width, steps } => {
                State::Thresholds(Thresholds::new(n, width, steps))
            }
            RowProgram::TopMatrix { rows, width, seed, ties } => {
                State::Matrix(Matrix::new(rows, width, seed, ties))
            }
            RowProgram::Distinct { rows, width, seed, replacement } => {
                State::Distinct(Distinct::new(rows, width, seed, replacement))
            }
            RowProgram::GroupExtreme { rows, width, seed, ties } => {
                State::GroupExtreme(GroupExtreme::new(rows, width, seed, ties))
            }
            RowProgram::BloomJoin { words, bits, seed, forwards_build } => {
                State::Bloom(Bloom::new(words, bits, seed, forwards_build))
            }
            RowProgram::GroupSum { rows, width, seed, sums } => {
                State::Sum(SumTable::new(rows, width, seed, &sums))
            }
        };
        Ok(Self { program: *program, state })
    }

    /// Returns the program.
    pub fn program(&self) -> &RowProgram {
        &self.program
    }

    /// Offers a row.
    ///
    /// # Panics
    /// If the row has fewer columns than the program reads.
    pub fn offer_row(&mut self, row: &Row<'_>) -> Verdict {
        let Row { identity, key, columns, build } = *row;
        let forwards = match &mut self.state {
            State::Filter(filter) => filter.forwards(columns),
            State::Thresholds(thresholds) => thresholds.forwards(columns[0]),
            State::Matrix(matrix) => matrix.forwards(identity, columns[0]),
            State::Distinct(distinct) => distinct.forwards(key),
            State::GroupExtreme(extreme) => extreme.forwards(key, columns[0]),
            State::Bloom(bloom) => bloom.forwards(key, build),
            State::Sum(table) => {
                return if table.absorbs(key, columns) {
                    Verdict::Absorb
                } else {
                    Verdict::Forward
                };
            }
        };
        if forwards { Verdict::Forward } else { Verdict::Drop }
    }

    /// Offers a batch of rows (R-QRY-17). Sets the bit of each row that is forwarded, the first
    /// row's lowest; the others were dropped, or absorbed by [`RowProgram::GroupSum`].
    ///
    /// # Panics
    /// If the columns differ in length, are fewer than the program reads, or if there are not as
    /// many words as the rows need.
    pub fn offer(&mut self, rows: &Rows<'_>, survivors: &mut [u64]) {
        check(&self.program, rows, survivors);
        match &mut self.state {
            State::Filter(filter) => filter.offer(rows, survivors),
            State::Thresholds(thresholds) => thresholds.offer(rows, survivors),
            State::Matrix(matrix) => matrix.offer(rows, survivors),
            State::Distinct(distinct) => distinct.offer(rows, survivors),
            State::GroupExtreme(extreme) => extreme.offer(rows, survivors),
            State::Bloom(bloom) => bloom.offer(rows, survivors),
            State::Sum(table) => table.offer(rows, survivors),
        }
    }

    /// Seals a Bloom filter: its build side is complete (R-QRY-13). Other programs need no seal.
    pub fn seal(&mut self) {
        if let State::Bloom(bloom) = &mut self.state {
            bloom.sealed = true;
        }
    }

    /// Returns the slots of a sum.
    pub fn table(&self) -> Option<&SumTable> {
        match &self.state {
            State::Sum(table) => Some(table),
            _ => None,
        }
    }

    pub(super) fn table_mut(&mut self) -> Option<&mut SumTable> {
        match &mut self.state {
            State::Sum(table) => Some(table),
            _ => None,
        }
    }

    /// Returns the rows that took a second pass (R-QRY-5).
    pub fn second_passes(&self) -> u64 {
        match &self.state {
            State::Distinct(distinct) => distinct.recirculated,
            State::GroupExtreme(extreme) => extreme.recirculated,
            _ => 0,
        }
    }
}

fn check(program: &RowProgram, rows: &Rows<'_>, survivors: &[u64]) {
    let whole = rows.columns.iter().all(|column| column.len() == rows.len());
    assert!(
        whole && rows.columns.len() >= program.columns(),
        "a value of each column for each row"
    );
    assert_eq!(survivors.len(), rows.words(), "a bit for each row");
}
