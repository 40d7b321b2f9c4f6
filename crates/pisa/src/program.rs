//! A switch program as a value: headers, parser, stages of tables, registers, deparser.
//!
//! Nothing here runs or is checked. [`Pipeline::load`](crate::Pipeline::load) holds a program to a target, and
//! [`p4`](crate::p4) writes it as P4_16.

use std::panic::Location;

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

/// What a field belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// A header, which is parsed and sent on.
    Header(HeaderId),
    /// The bit that says whether a header is there.
    Validity(HeaderId),
    /// Metadata, which lives for one pass.
    Metadata,
    /// What the switch itself reads or writes; always one of [`Intrinsic::ALL`].
    Intrinsic(Intrinsic),
}

/// What a switch tells a program about a packet, and the program the switch.
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
    pub const ALL: [Self; 7] =
        [Self::Around, Self::EgressPort, Self::Group, Self::Drop, Self::Report, Self::Replica, Self::LeavesBy];

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
    /// What it belongs to.
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
    /// What comes next.
    pub next: Transition,
}

/// Where a parser goes.
#[derive(Clone, Debug)]
pub enum Transition {
    /// The rest of the packet is payload.
    Accept,
    /// The packet is dropped.
    Reject,
    /// To a state, whatever the packet says.
    To(StateId),
    /// To the state of the first case whose patterns all match, or else to the default, without which the packet is dropped.
    Select {
        /// The fields that are looked at.
        on: Vec<FieldId>,
        /// For each case, a pattern for each field, and where it leads.
        cases: Vec<(Vec<Pattern>, StateId)>,
        /// Where everything else leads.
        otherwise: Option<StateId>,
    },
}

/// What a key is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Everything matches.
    Any,
    /// This value.
    Is(u64),
    /// The bits of the mask are those of the value.
    Masked(u64, u64),
    /// From the first to the second, both included.
    Range(u64, u64),
    /// The upper bits, as many as the second says, are those of the value.
    Prefix(u64, u32),
}

impl Pattern {
    /// Whether `value`, `bits` wide, matches.
    pub const fn matches(self, value: u64, bits: u32) -> bool {
        match self {
            Self::Any => true,
            Self::Is(wanted) => value == wanted,
            Self::Masked(wanted, mask) => value & mask == wanted & mask,
            Self::Range(low, high) => low <= value && value <= high,
            Self::Prefix(_, 0) => true,
            Self::Prefix(wanted, length) => (value ^ wanted) >> (bits - length) == 0,
        }
    }
}

/// Width of the words of a register array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// One number of 8, 16 or 32 bits.
    Single(u32),
    /// Two numbers of 32 bits, read and written together.
    Pair,
}

impl Word {
    /// Bits of one word.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Single(bits) => bits,
            Self::Pair => 64,
        }
    }

    /// Bits of each number in it.
    pub const fn half_bits(self) -> u32 {
        match self {
            Self::Single(bits) => bits,
            Self::Pair => 32,
        }
    }
}

/// A register array.
#[derive(Clone, Debug)]
pub struct Array {
    /// Its name.
    pub name: String,
    /// Its words.
    pub word: Word,
    /// How many there are.
    pub size: u32,
    /// What it is for, in a line: a comment in P4.
    pub doc: String,
    /// Where it was written.
    pub source: Source,
}

/// Which number of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// The only one, or the first of a pair.
    Lo,
    /// The second of a pair.
    Hi,
}

/// What an operation takes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A field.
    Field(FieldId),
    /// A number that stands in the action.
    Const(u64),
    /// A parameter of the action, which comes from the table's entry.
    Param(usize),
}

impl From<FieldId> for Operand {
    fn from(field: FieldId) -> Self {
        Self::Field(field)
    }
}

/// How a comparison of a register comes out: the sign of the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The number in the register is behind, in serial-number order.
    Behind,
    /// It is the same.
    Equal,
    /// It is ahead.
    Ahead,
}

/// A comparison in a stateful ALU: the register minus the operand plus a number, modulo the width, against 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Which number of the word.
    pub half: Half,
    /// How it relates to the operand.
    pub relation: Relation,
    /// What it is compared with.
    pub with: Operand,
    /// The number that is added.
    pub plus: u32,
}

/// For which outcomes of the two conditions something happens: bit a + 2b stands for the first being a and the second b.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct When(pub u8);

impl When {
    /// In any case.
    pub const ALWAYS: Self = Self(0b1111);
    /// The first condition holds.
    pub const FIRST: Self = Self(0b1010);
    /// The first does not hold.
    pub const NOT_FIRST: Self = Self(0b0101);
    /// Neither holds.
    pub const NEITHER: Self = Self(0b0001);

    /// Whether it is so for this outcome of the conditions.
    pub const fn holds(self, first: bool, second: bool) -> bool {
        self.0 >> outcome(first, second) & 1 == 1
    }
}

/// The number of an outcome of two conditions.
pub(crate) const fn outcome(first: bool, second: bool) -> u32 {
    first as u32 + 2 * second as u32
}

/// What a stateful ALU computes from a number of the word and an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AluOp {
    /// The operand.
    Set,
    /// The sum, modulo the width.
    Add,
    /// The register minus the operand.
    Sub,
    /// Bits that are set in either.
    Or,
    /// Bits that are set in both.
    And,
    /// Bits of the register that the operand does not have.
    AndNot,
    /// The lesser of two signed numbers.
    MinSigned,
    /// The greater of two signed numbers.
    MaxSigned,
    /// The register shifted right, with its sign, by the amount, plus the operand: the unit of FPISA, section 4.2, which no switch of today has.
    ShiftAdd {
        /// How far.
        by: FieldId,
    },
}

/// A write to one number of the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update {
    /// Which number.
    pub half: Half,
    /// When it is written.
    pub when: When,
    /// What is computed.
    pub op: AluOp,
    /// The operand.
    pub with: Operand,
}

/// The one word that a stateful ALU gives back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// What the number was before.
    Old(Half),
    /// What it is now.
    New(Half),
    /// The conditions: 1, 2, 4 or 8, that is 2 to the power of the outcome's number.
    Outcome,
}

/// One access to a register array: read, decide, write, give back.
#[derive(Clone, Debug)]
pub struct Access {
    /// The array.
    pub array: ArrayId,
    /// Which word.
    pub index: FieldId,
    /// Up to two comparisons.
    pub conditions: Vec<Condition>,
    /// Up to two writes to each number of the word; the first whose `when` holds is done.
    pub updates: Vec<Update>,
    /// What is given back, and to which field.
    pub output: Option<(FieldId, Output)>,
}

/// What an ALU computes from two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinOp {
    /// The sum, modulo the width.
    Add,
    /// The difference, modulo the width.
    Sub,
    /// The difference, or 0 where it would be negative.
    SaturatingSub,
    /// Bits set in both.
    And,
    /// Bits set in either.
    Or,
    /// Bits set in one.
    Xor,
}

/// Which way, and with what, bits are shifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shift {
    /// Left, with zeros.
    Left,
    /// Right, with zeros.
    Right,
    /// Right, with the sign.
    RightSigned,
}

/// A part of a field that is put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Bits of a field.
    Bits {
        /// The field.
        field: FieldId,
        /// The lowest bit.
        low: u32,
        /// How many.
        bits: u32,
    },
    /// A number.
    Const {
        /// The number.
        value: u64,
        /// How many bits.
        bits: u32,
    },
}

impl Part {
    /// How many bits it has.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Bits { bits, .. } | Self::Const { bits, .. } => bits,
        }
    }
}

/// An instruction of an action: it writes one field.
#[derive(Clone, Debug)]
pub enum Op {
    /// A copy.
    Set {
        /// What is written.
        to: FieldId,
        /// What with.
        from: Operand,
    },
    /// Two operands.
    Binary {
        /// What is written.
        to: FieldId,
        /// What is computed.
        op: BinOp,
        /// The left operand.
        left: Operand,
        /// The right operand.
        right: Operand,
    },
    /// A shift.
    Shift {
        /// What is written.
        to: FieldId,
        /// Which way.
        shift: Shift,
        /// What is shifted.
        from: FieldId,
        /// By how many bits; as many as the field has, or more, leave the filling alone.
        by: Operand,
    },
    /// Bits of a field.
    Slice {
        /// What is written; it is as wide as the slice.
        to: FieldId,
        /// What is read.
        from: FieldId,
        /// The lowest bit.
        low: u32,
    },
    /// Bits side by side, the first the highest: the hash unit's identity.
    Concat {
        /// What is written; it is as wide as all of them.
        to: FieldId,
        /// What is read.
        from: Vec<Part>,
    },
    /// CRC-32 (IEEE 802.3, reflected, as in Ethernet's frame check) of the fields in network order, one after the other.
    Crc32 {
        /// What is written, 32 bits.
        to: FieldId,
        /// What is read.
        from: Vec<FieldId>,
    },
}

impl Op {
    /// The field that it writes.
    pub fn writes(&self) -> FieldId {
        match *self {
            Self::Set { to, .. }
            | Self::Binary { to, .. }
            | Self::Shift { to, .. }
            | Self::Slice { to, .. }
            | Self::Concat { to, .. }
            | Self::Crc32 { to, .. } => to,
        }
    }
}

/// What a table does on a match.
#[derive(Clone, Debug)]
pub struct Action {
    /// Its name, unique in its table.
    pub name: String,
    /// Names and widths of its parameters, which the entries fill in.
    pub params: Vec<(String, u32)>,
    /// What it writes; all read what was there before the stage.
    pub ops: Vec<Op>,
    /// The register array that it uses.
    pub access: Option<Access>,
    /// Where it was written.
    pub source: Source,
}

/// How a key is matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Match {
    /// The value itself: SRAM.
    Exact,
    /// A value and a mask: TCAM.
    Ternary,
    /// The longest prefix: TCAM.
    Prefix,
    /// From one value to another: TCAM.
    Range,
}

/// An entry of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// A pattern for each key.
    pub patterns: Vec<Pattern>,
    /// Which action: a place in [`Table::actions`].
    pub action: usize,
    /// A value for each of its parameters.
    pub values: Vec<u64>,
}

/// A test that stands before a table: the field is, or is not, this number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gate {
    /// The field.
    pub field: FieldId,
    /// Whether it must be equal, or must not.
    pub equal: bool,
    /// The number.
    pub value: u64,
}

/// A match-action table, or, without keys, an action that is always done.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name, unique in the program.
    pub name: String,
    /// The stage that it is in, from 0.
    pub stage: usize,
    /// What must all hold for it to be looked at.
    pub gates: Vec<Gate>,
    /// What is looked up.
    pub keys: Vec<(FieldId, Match)>,
    /// What can be done.
    pub actions: Vec<Action>,
    /// What is done where nothing matches, with its parameters' values; nothing without it.
    pub otherwise: Option<(usize, Vec<u64>)>,
    /// Entries that belong to the program; of ternary ones the first that matches counts.
    pub entries: Vec<Entry>,
    /// How many entries it can hold, with those of the control plane.
    pub capacity: u32,
    /// What it is for, with the numbers of rules: a comment in P4.
    pub doc: String,
    /// Where it was written.
    pub source: Source,
}

/// An Internet checksum (RFC 1071), which the deparser computes after egress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum {
    /// The header over which it is.
    pub over: HeaderId,
    /// The field of that header that it goes into.
    pub field: FieldId,
    /// It is computed where this header is there, too.
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
    /// What it is for: a comment in P4, a line each.
    pub doc: Vec<String>,
    /// All fields; the first are those of [`Intrinsic::ALL`].
    pub fields: Vec<Field>,
    /// All headers, in the order in which the deparser writes those that are there.
    pub headers: Vec<Header>,
    /// The parser's states; the first is where it starts.
    pub parser: Vec<ParserState>,
    /// Where the parser starts before egress: states of `parser` again. What it does not extract is payload.
    pub egress_parser: StateId,
    /// Register arrays.
    pub arrays: Vec<Array>,
    /// Tables before replication, in the order in which they are applied.
    pub ingress: Vec<Table>,
    /// Tables after it.
    pub egress: Vec<Table>,
    /// The Internet checksum that is computed when a packet leaves.
    pub checksum: Option<Checksum>,
    /// What the control plane is told with a report.
    pub report: Vec<FieldId>,
    /// For each pipeline that the program uses, the port that leads back into it.
    pub loopbacks: Vec<u16>,
}

impl Program {
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
