//! A switch program as a value: headers, parser, stages of tables, registers, deparser.
//!
//! Nothing here runs or is checked. [`Pipeline::load`](crate::Pipeline::load) holds a program to a
//! target, and [`p4`](crate::p4) writes it as P4_16.

mod access;
mod action;
mod table;

use std::panic::Location;

use netfold_num::ByteOrder;

pub(crate) use self::access::outcome;
pub use self::access::{
    Access, AluOp, Array, Condition, Half, Output, Relation, Update, When, Word,
};
pub use self::action::{Action, BinOp, Crc, Op, Operand, Part, Shift};
pub use self::table::{Entry, Gate, Match, Pattern, Table};

/// A field of a header, or of metadata: a place in [`Program::fields`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldId(pub(crate) usize);

/// A header: a place in [`Program::headers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HeaderId(pub(crate) usize);

/// A register array: a place in [`Program::arrays`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ArrayId(pub(crate) usize);

/// A parser state: a place in [`Program::parser`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StateId(pub(crate) usize);

/// A line of this program's Rust source, which refusals name.
pub type Source = &'static Location<'static>;

/// The part of a program or switch that a field belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// A header, which is parsed and sent on.
    Header(HeaderId),
    /// The bit that says whether a header is there.
    Validity(HeaderId),
    /// Metadata, which lives for one pass.
    Metadata,
    /// The switch itself, which reads or writes it; always one of [`Intrinsic::ALL`].
    Intrinsic(Intrinsic),
}

/// A value about a packet that a switch gives to a program, or a program to the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Intrinsic {
    /// Ingress: 1 if the packet comes in again, by a port that is looped back.
    Around,
    /// Ingress: the port to send it to, if it is not dropped and has no group.
    EgressPort,
    /// Ingress: the multicast group to send it to; 0 for none.
    Group,
    /// 1 where the packet goes no further.
    Drop,
    /// Ingress: above 0 where the control plane is to hear of the packet, and why.
    Report,
    /// Egress: which copy of a multicast packet this is.
    Replica,
    /// Egress: the port that the packet leaves by.
    LeavesBy,
}

impl Intrinsic {
    /// Every one, in the order of their fields: they are the first of each program.
    pub const ALL: [Self; 7] = [
        Self::Around,
        Self::EgressPort,
        Self::Group,
        Self::Drop,
        Self::Report,
        Self::Replica,
        Self::LeavesBy,
    ];

    /// The name of its field, and its width in bits.
    pub const fn shape(self) -> (&'static str, u32) {
        match self {
            Self::Around => ("around", 1),
            Self::EgressPort => ("egress_port", 16),
            Self::Group => ("group", 16),
            Self::Drop => ("drop", 1),
            Self::Report => ("report", 8),
            Self::Replica => ("replica", 16),
            Self::LeavesBy => ("leaves_by", 16),
        }
    }

    /// Its field, the same in every program.
    pub const fn field(self) -> FieldId {
        FieldId(self as usize)
    }
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name, unique in its home.
    pub name: String,
    /// Its width, 1 to 64.
    pub bits: u32,
    /// The part that it belongs to.
    pub home: Home,
}

/// A header: fields that are parsed and sent on together.
#[derive(Clone, Debug)]
pub struct Header {
    /// Its name.
    pub name: String,
    /// Its fields in the order in which they travel.
    pub fields: Vec<FieldId>,
    /// The bit that says whether it is there.
    pub valid: FieldId,
    /// The order of each field's bytes on the wire: where it is little-endian, parser and deparser
    /// convert (R-PISA-39).
    pub byte_order: ByteOrder,
}

/// A step of a parser.
#[derive(Clone, Debug)]
pub struct ParserState {
    /// Its name.
    pub name: String,
    /// Headers that it takes from the packet.
    pub extracts: Vec<HeaderId>,
    /// Metadata that it sets.
    pub sets: Vec<(FieldId, u64)>,
    /// The transition out of this state.
    pub next: Transition,
}

/// A step from a parser state to the next, or the parser's end.
#[derive(Clone, Debug)]
pub enum Transition {
    /// The rest of the packet is payload.
    Accept,
    /// The packet is dropped.
    Reject,
    /// A step to a state, whatever the packet says.
    To(StateId),
    /// A step to the state of the first case whose patterns all match, or else to the default.
    /// Without a default the packet is dropped.
    Select {
        /// The fields that are looked at.
        on: Vec<FieldId>,
        /// The cases: for each a pattern for every field, and the state that it leads to.
        cases: Vec<(Vec<Pattern>, StateId)>,
        /// The default, for everything else.
        otherwise: Option<StateId>,
    },
}

/// An Internet checksum (RFC 1071), which the deparser computes after egress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum {
    /// The header that it covers.
    pub over: HeaderId,
    /// The field of that header that it goes into.
    pub field: FieldId,
    /// The header that must be there too for it to be computed.
    pub beside: HeaderId,
}

/// One of the two sequences of stages that a packet goes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gress {
    /// Before the packet is replicated.
    Ingress,
    /// After that, once for each copy.
    Egress,
}

/// A switch program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Its purpose: a comment in P4, a line each.
    pub doc: Vec<String>,
    /// All fields; the first are those of [`Intrinsic::ALL`].
    pub fields: Vec<Field>,
    /// All headers, in the order in which the deparser writes those that are there.
    pub headers: Vec<Header>,
    /// The parser's states; the first is where it starts.
    pub parser: Vec<ParserState>,
    /// The state in which the parser starts before egress: one of `parser` again. Bytes that it
    /// does not extract are payload.
    pub egress_parser: StateId,
    /// Register arrays.
    pub arrays: Vec<Array>,
    /// Tables before replication, in the order in which they are applied.
    pub ingress: Vec<Table>,
    /// Tables after it.
    pub egress: Vec<Table>,
    /// The Internet checksum that is computed when a packet leaves.
    pub checksum: Option<Checksum>,
    /// Fields that the control plane is told with a report.
    pub report: Vec<FieldId>,
    /// Ports that lead back into the pipelines, one for each pipeline that the program uses.
    pub loopbacks: Vec<u16>,
}

impl Program {
    /// Pipelines that it uses: one, if nothing comes in again.
    pub fn pipelines(&self) -> usize {
        self.loopbacks.len().max(1)
    }

    /// A field.
    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.0]
    }

    /// A header.
    pub fn header(&self, id: HeaderId) -> &Header {
        &self.headers[id.0]
    }

    /// A register array.
    pub fn array(&self, id: ArrayId) -> &Array {
        &self.arrays[id.0]
    }

    /// Tables of one sequence of stages.
    pub fn tables(&self, gress: Gress) -> &[Table] {
        match gress {
            Gress::Ingress => &self.ingress,
            Gress::Egress => &self.egress,
        }
    }

    /// The table with this name.
    pub fn table(&self, name: &str) -> Option<&Table> {
        self.ingress.iter().chain(&self.egress).find(|table| table.name == name)
    }

    /// The array with this name.
    pub fn array_named(&self, name: &str) -> Option<ArrayId> {
        self.arrays.iter().position(|array| array.name == name).map(ArrayId)
    }

    /// Bits of a header.
    pub fn header_bits(&self, id: HeaderId) -> u32 {
        self.header(id).fields.iter().map(|field| self.field(*field).bits).sum()
    }

    /// The name of a field with its home, `ipv4.ttl`.
    pub fn field_name(&self, id: FieldId) -> String {
        let field = self.field(id);
        match field.home {
            Home::Header(header) => format!("{}.{}", self.header(header).name, field.name),
            Home::Validity(header) => format!("{} is valid", self.header(header).name),
            Home::Metadata | Home::Intrinsic(_) => field.name.clone(),
        }
    }
}
