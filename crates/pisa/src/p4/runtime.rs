//! Steps of the control plane: what those for bmv2's command line and those for Tofino's shell
//! share.

use super::{EGRESS, INGRESS};
use crate::check::mask;
use crate::program::{Gress, Pattern, Program, Table};

/// Finds a table by its name: the control that it is in, and the table.
pub(super) fn place<'p>(program: &'p Program, name: &str) -> (&'static str, &'p Table) {
    for (gress, control) in [(Gress::Ingress, INGRESS), (Gress::Egress, EGRESS)] {
        if let Some(table) = program.tables(gress).iter().find(|table| table.name == name) {
            return (control, table);
        }
    }
    panic!("the control plane names table `{name}`, which `{}` does not have", program.name)
}

/// A pattern as a value and a mask.
pub(super) fn masked(pattern: Pattern, bits: u32) -> (u64, u64) {
    match pattern {
        Pattern::Any => (0, 0),
        Pattern::Is(value) => (value, mask(bits)),
        Pattern::Masked(value, mask) => (value & mask, mask),
        Pattern::Prefix(value, length) => (value, mask(bits) & !mask(bits - length)),
        Pattern::Range(low, _) => (low, mask(bits)),
    }
}

/// A pattern as a first and a last value.
pub(super) fn range(pattern: Pattern, bits: u32) -> (u64, u64) {
    match pattern {
        Pattern::Range(low, high) => (low, high),
        Pattern::Is(value) => (value, value),
        Pattern::Any | Pattern::Masked(..) | Pattern::Prefix(..) => (0, mask(bits)),
    }
}
