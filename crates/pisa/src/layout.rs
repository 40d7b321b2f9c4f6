//! The fields of netfold's headers, in the order in which they travel.
//!
//! Generated from spec/wire.toml and spec/table.toml by `cargo xtask codegen`; do not edit.

/// Name, width in bits and meaning of each field of a packet's header.
pub const HEADER: &[(&str, u32, &str)] = &[
    ("version", 8, "Protocol version, `VERSION`."),
    ("kind", 8, "Content of this round of the slot, a `Kind`."),
    ("flags", 8, "A set of `Flags`."),
    ("pool", 8, "Pool version: which of the two copies of the slot this round uses, 0 or 1."),
    ("job", 16, "Index of the job at this switch."),
    (
        "worker",
        16,
        "Contribution: the worker that sends it. Result: the worker it is for, or `EVERYONE`.",
    ),
    ("epoch", 32, "The epoch of the job. A packet of another epoch is dropped."),
    ("position", 32, "Position of the block in the flow's stream, in blocks, modulo 2^32."),
    ("slot", 16, "Slot (aggregator) in the job's pools."),
    ("elements", 16, "Lanes in the block, also when EMPTY is set."),
    ("element_type", 8, "Type of a lane, an element type of `num`."),
    ("operation", 8, "Fold of the lanes, an operation of `num`."),
    ("exponent", 16, "Exponent with which this block was quantised (two's complement)."),
    (
        "next_exponent",
        16,
        "Contribution: the sender's exponent of the block that this slot's next round carries. Result: the maximum over all workers.",
    ),
    (
        "delivery",
        16,
        "Recipient of the lanes of the result: a worker, `EVERYONE`, `SHIFT` and the distance from each contributor to the worker that gets its lanes (R-STREAM-16), or one of the `PREFIX` values.",
    ),
    (
        "call",
        32,
        "Digest of the call that the block belongs to: its number, collective, root, types and length.",
    ),
    (
        "integrity",
        64,
        "Zero, a checksum, or an authentication tag over the header before this field and the lanes (R-PKT-3).",
    ),
];
/// Name, width in bits and meaning of each field of the header of a table's packets.
pub const TABLE_HEADER: &[(&str, u32, &str)] = &[
    ("version", 8, "Protocol version, `VERSION`."),
    ("kind", 8, "Request that this is, or that it answers: a `TableKind`."),
    ("flags", 8, "A set of `Flags`."),
    ("element_type", 8, "Type of a lane, an element type of `num`."),
    ("job", 16, "Index of the job at this switch."),
    (
        "worker",
        16,
        "Push, pull: the worker that asks. Windows: the worker whose window is asked for. A switch's read: the leaf. Otherwise 0.",
    ),
    ("epoch", 32, "The epoch of the job. A packet of another epoch is dropped."),
    (
        "sequence",
        32,
        "Push: its number (R-KEY-3). Otherwise a number of the asker's, which the answer repeats.",
    ),
    (
        "generation",
        32,
        "Request: the generation that it is about. Answer: the generation that is open.",
    ),
    ("pairs", 16, "Pairs of rank and row that follow; of an answer to a push, those of the push."),
    ("width", 16, "Lanes of a row."),
    (
        "place",
        32,
        "Read: the place in the generation to go on from; its answer: the place after its pairs.",
    ),
    ("stored", 32, "Read: the last generation that the server has stored."),
    (
        "integrity",
        64,
        "Zero, a checksum, or an authentication tag over the header before this field and the rest (R-PKT-3).",
    ),
];
