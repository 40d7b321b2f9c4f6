//! Floats in messages over RoCE (R-PISA-61): modules in one pipeline, and a pass more for the ICRC,
//! since sums are put together behind replication.

use super::frame::Frame;
use super::{LANES, Meta, Roce, contributions, icrc, keys};
use crate::builder::{Builder, TableSpec};
use crate::program::{Gress, Pattern};
use crate::programs::Arithmetic;
use crate::programs::fpisa::module::Shared;
use crate::programs::lanes::floats::Floats;

/// The step of a pass that reads sums. The one behind it has them as values.
pub(super) const READ: u64 = 1;
pub(super) const FIT: u64 = 0;

/// Declares the modules, if lanes are floats.
pub(super) fn declare(
    builder: &mut Builder,
    config: &Roce,
    frame: &Frame,
    meta: &Meta,
) -> Option<Floats> {
    let (Arithmetic::Fpisa(variant), Some(found)) = (config.arithmetic, &frame.found) else {
        return None;
    };
    let reads = builder.valid(found.header);
    let of_header = |(fields, header): (&Vec<_>, &_)| {
        let there = builder.valid(*header);
        fields.iter().map(move |value| (*value, there, reads)).collect::<Vec<_>>()
    };
    let lanes: Vec<_> =
        [&frame.front, &frame.rest].into_iter().zip(&frame.lanes).flat_map(of_header).collect();
    let (op, words) = (builder.meta("sums_are", 8), 2 * config.slots);
    let shared = Shared { variant, words, op, index: meta.contribution.copy, stage: LANES };
    Some(Floats::over(builder, shared, found, &lanes))
}

/// Adds the lanes or reads their sums, and hashes sums that have been read. Returns the last stage
/// before replication, but for [`Floats::withhold`].
pub(super) fn fold(builder: &mut Builder, frame: &Frame, meta: &Meta, floats: &Floats) -> usize {
    let (found, any) = (floats.found(builder), Pattern::Any);
    let doc = "R-PISA-36: egress puts together what this pass reads.";
    let tell = TableSpec::new("tell", 0, doc)
        .when(meta.phase, 2)
        .when(frame.bridge.step, READ)
        .action(crate::ActionSpec::new("tell").put(found, 1))
        .otherwise("tell");
    builder.table(Gress::Ingress, tell);
    icrc::hash_rest(builder, frame, meta, frame.rest.len() / 2, [LANES, LANES + 1]);
    let mut entries = contributions();
    entries.push((vec![Pattern::Is(2), Pattern::Is(READ), any, any, any, any], "read"));
    floats.choose(builder, &keys(builder, frame, meta), &entries);
    floats.fold(builder);
    LANES + floats.stages()
}
