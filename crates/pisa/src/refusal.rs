//! Refusals of a program that a target cannot run, and of a packet that did what no pipeline can
//! do.

use thiserror::Error;

use crate::program::Source;

/// A refusal. Each names the place in the program, and the line of Rust that wrote it down.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// A table stands in a stage that the target does not have.
    #[error("{source_at}: table `{table}` is in stage {stage}, but `{target}` has stages 0 to {last}; make the chain of dependencies shorter", source_at = at(.source_line))]
    NoSuchStage {
        /// The table.
        table: String,
        /// Its stage.
        stage: usize,
        /// The last stage there is.
        last: usize,
        /// The target.
        target: &'static str,
        /// The line that declares the table.
        source_line: Source,
    },
    /// An array is used in two stages, or before replication and after it.
    #[error("{source_at}: register `{array}` is used in stage {first} by `{first_table}` and in stage {second} by `{second_table}`; an array belongs to one stage", source_at = at(.source_line))]
    TwoStages {
        /// The array.
        array: String,
        /// The table that uses it first.
        first_table: String,
        /// Its stage.
        first: usize,
        /// The other table.
        second_table: String,
        /// Its stage.
        second: usize,
        /// The line that declares the other table.
        source_line: Source,
    },
    /// A table needs a field that a table in the same or a later stage writes.
    #[error("{source_at}: table `{reader}` in stage {stage} comes after `{writer}` in stage {written}, and one of them writes `{field}`, which the other needs; put it in a later stage", source_at = at(.source_line))]
    Backward {
        /// The table.
        reader: String,
        /// Its stage.
        stage: usize,
        /// The field.
        field: String,
        /// The table that writes it.
        writer: String,
        /// Its stage.
        written: usize,
        /// The line that declares the reader.
        source_line: Source,
    },
    /// Two tables of a stage write one field, and their gates let a packet go through both.
    #[error("{source_at}: tables `{first}` and `{table}` of stage {stage} both write `{field}`; give them gates that exclude each other, or put one in a later stage", source_at = at(.source_line))]
    BothWrite {
        /// The first of them.
        first: String,
        /// The other.
        table: String,
        /// Their stage.
        stage: usize,
        /// The field.
        field: String,
        /// The line that declares the other.
        source_line: Source,
    },
    /// The parts of an action depend on each other.
    #[error("{source_at}: action `{action}` of table `{table}` in stage {stage} writes `{field}` and needs it for something else; an action reads everything before it writes", source_at = at(.source_line))]
    WithinAction {
        /// The table.
        table: String,
        /// Its stage.
        stage: usize,
        /// The action.
        action: String,
        /// The field.
        field: String,
        /// The line that declares the action.
        source_line: Source,
    },
    /// An operation that no ALU of the target does.
    #[error("{source_at}: action `{action}` of table `{table}` in stage {stage}: {what}", source_at = at(.source_line))]
    Operation {
        /// The table.
        table: String,
        /// Its stage.
        stage: usize,
        /// The action.
        action: String,
        /// The operation that it asks for, and the remedy.
        what: String,
        /// The line that declares the action.
        source_line: Source,
    },
    /// An access to a register that no stateful ALU of the target does.
    #[error("{source_at}: register `{array}` in stage {stage}, action `{action}`: {what}", source_at = at(.source_line))]
    Stateful {
        /// The array.
        array: String,
        /// The stage.
        stage: usize,
        /// The action.
        action: String,
        /// The access that it asks for, and the remedy.
        what: String,
        /// The line that declares the action.
        source_line: Source,
    },
    /// A stage has to hold more than it can.
    #[error("stage {stage} needs {used} {resource}, and `{target}` has {limit} in a stage; `{table}` ({source_at}) is the first that does not fit", source_at = at(.source_line))]
    Budget {
        /// The stage.
        stage: usize,
        /// The resource that is short.
        resource: &'static str,
        /// The amount that is needed.
        used: u64,
        /// The amount that there is.
        limit: u64,
        /// The target.
        target: &'static str,
        /// The first table, in the program's order, that does not fit.
        table: String,
        /// The line that declares it.
        source_line: Source,
    },
    /// Headers and metadata do not fit the packet header vector.
    #[error(
        "headers and metadata take {bits} bits, and the header vector of `{target}` has {limit}; parse fewer lanes"
    )]
    HeaderVector {
        /// Bits needed.
        bits: u32,
        /// Bits there are.
        limit: u32,
        /// The target.
        target: &'static str,
    },
    /// A header travels in little-endian order, and the target's parser does not convert.
    #[error(
        "header `{header}` is little-endian, and the parser of `{target}` takes bytes in network order alone; make the program for lanes in network order"
    )]
    ByteOrder {
        /// The header.
        header: String,
        /// The target.
        target: &'static str,
    },
    /// A little-endian header has a field that is no whole number of bytes.
    #[error(
        "header `{header}` is little-endian, and its field `{field}` is no whole number of bytes; give it whole bytes"
    )]
    Bytes {
        /// The header.
        header: String,
        /// The field.
        field: String,
    },
    /// Something is written down wrongly, whatever the target.
    #[error("{source_at}: `{what}`: {why}", source_at = at(.source_line))]
    Malformed {
        /// The item.
        what: String,
        /// Its fault.
        why: String,
        /// The line that declares it.
        source_line: Source,
    },
    /// A packet touches an array twice in a pass.
    #[error("{source_at}: register `{array}` in stage {stage} is touched a second time in this pass, by table `{table}`; a pass has one access to it", source_at = at(.source_line))]
    TouchedTwice {
        /// The array.
        array: String,
        /// The stage.
        stage: usize,
        /// The table that touches it again.
        table: String,
        /// The line that declares that table.
        source_line: Source,
    },
    /// Two tables of a stage write one field for the same packet.
    #[error("{source_at}: table `{table}` writes `{field}`, which another table of stage {stage} has written for the same packet", source_at = at(.source_line))]
    WrittenTwice {
        /// The later table.
        table: String,
        /// The stage.
        stage: usize,
        /// The field.
        field: String,
        /// The line that declares the later table.
        source_line: Source,
    },
    /// A packet asks for a word that the array does not have.
    #[error("{source_at}: register `{array}` in stage {stage} has {size} words, and table `{table}` asks for word {index}; correct the table's entries", source_at = at(.source_line))]
    Index {
        /// The array.
        array: String,
        /// The stage.
        stage: usize,
        /// Number of its words.
        size: u32,
        /// The word that was asked for.
        index: u64,
        /// The table.
        table: String,
        /// The line that declares the table.
        source_line: Source,
    },
    /// A packet goes around more often than the target allows.
    #[error(
        "a packet is in its pass {passes} and is sent around again; a program ends after a number of passes that it knows"
    )]
    Endless {
        /// Passes so far.
        passes: u32,
    },
    /// The control plane names an item that is not there.
    #[error(
        "the control plane asks for {what}, which the program does not have or cannot take; look at the tables of the program"
    )]
    Control {
        /// The item that it asked for.
        what: String,
    },
}

fn at(source: &Source) -> String {
    format!("{}:{}", source.file(), source.line())
}
