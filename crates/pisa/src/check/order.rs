//! The order of tables: fields that one of them needs of another (R-PISA-2).

use crate::program::{Program, Table};
use crate::refusal::Refusal;

/// Checks that a table's inputs have been written in an earlier stage, and that nothing is written
/// before it has been read.
pub(super) fn dependencies(program: &Program, tables: &[Table]) -> Result<(), Refusal> {
    for (at, later) in tables.iter().enumerate() {
        for earlier in &tables[..at] {
            let (reads, writes) = (super::reads(later), super::writes(later));
            let needed = super::writes(earlier).into_iter().find(|field| {
                later.stage <= earlier.stage && reads.contains(field)
                    || later.stage < earlier.stage && writes.contains(field)
            });
            let kept = super::reads(earlier)
                .into_iter()
                .find(|field| later.stage < earlier.stage && writes.contains(field));
            if let Some(field) = needed.or(kept) {
                return Err(Refusal::Backward {
                    reader: later.name.clone(),
                    stage: later.stage,
                    field: program.field_name(field),
                    writer: earlier.name.clone(),
                    written: earlier.stage,
                    source_line: later.source,
                });
            }
        }
    }
    Ok(())
}

/// Checks that of the tables of a stage that write one field, a packet goes through one: their
/// instructions are carried out together. A compiler sees it by their gates alone.
pub(super) fn one_writer(program: &Program, tables: &[Table]) -> Result<(), Refusal> {
    for (at, table) in tables.iter().enumerate() {
        let written = super::writes(table);
        let beside = tables[..at].iter().filter(|other| other.stage == table.stage);
        for first in beside.filter(|other| !other.excludes(table)) {
            if let Some(field) =
                super::writes(first).into_iter().find(|field| written.contains(field))
            {
                return Err(Refusal::BothWrite {
                    first: first.name.clone(),
                    table: table.name.clone(),
                    stage: table.stage,
                    field: program.field_name(field),
                    source_line: table.source,
                });
            }
        }
    }
    Ok(())
}
