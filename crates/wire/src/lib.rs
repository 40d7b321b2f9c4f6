//! The netfold datagram: its content and its meaning.
//!
//! [`Packet`] is a checked view of bytes that may come from anywhere; [`Repr`] is its meaning, in
//! the types of the protocol. [`TablePacket`] and [`TableRepr`] are the same for packets of tables.
//! [`QueryPacket`] and [`QueryRepr`] are those of queries. The layouts are generated from
//! `spec/wire.toml`, `spec/table.toml` and `spec/query.toml` (`generated.rs`).
//!
//! This crate does no I/O, allocates nothing and knows no protocol rule besides the form of a
//! packet (R-PKT). Open [`Repr`] first.

#![no_std]
#![forbid(unsafe_code)]

mod counters;
mod eager;
mod ecn;
mod generated;
mod ids;
mod integrity;
mod packet;
mod query;
mod repr;
mod table;
mod terms;

pub use eager::{
    EAGER_CELLS, EAGER_LIMIT_BYTES, EAGER_OUTSTANDING, EAGER_QUEUES, EagerRound, eager_limit,
    eager_queue, eager_slot,
};
pub use ecn::Ecn;
pub use generated::{EVERYONE, Flags, HEADER_BYTES, Header, Kind, VERSION, field};
pub use ids::{CallDigest, Delivery, Epoch, JobId, Pool, Position, SlotIndex, WorkerId};
pub use integrity::{Integrity, IntegrityKind, UnknownIntegrity};
pub use packet::{Packet, ParseError};
pub use query::{
    MOST_BLOOM_BITS, MOST_COLUMNS, MOST_PREDICATES, MOST_ROWS, Predicate, Predicates, PresentWords,
    QUERY_HEADER_BYTES, QueryKind, QueryPacket, QueryRepr, Replacement, RowProgram,
    RowProgramError, Steps, Sums, Ties, UpTo, matrix_row, row_identity, words, write_words,
};
pub use repr::{Direction, Repr};
pub use table::{
    FRESH_WINDOW, PARTS, RANK_BYTES, TABLE_HEADER_BYTES, TABLE_VERSION, TableFlags, TableKind,
    TablePacket, TableRepr, TableTerms, WINDOW, Window, has_push, in_parts, is_newer, part,
    pushes_in, rank_bytes, ranks, registers, write_registers,
};
pub use terms::Terms;
