//! The builder, which writes down a program in Rust in the order in which a packet meets it.

use std::panic::Location;

use netfold_num::ByteOrder;

use crate::program::{
    Access, Action, AluOp, Array, ArrayId, BinOp, Checksum, Condition, Crc, Entry, Field, FieldId,
    Gate, Gress, Half, Header, HeaderId, Home, Intrinsic, Match, Op, Operand, Output, ParserState,
    Part, Pattern, Program, Relation, Shift, StateId, Table, Transition, Update, When, Word,
};

/// A program that is being written.
#[derive(Clone, Debug)]
pub struct Builder {
    program: Program,
}

impl Builder {
    /// Makes an empty program, with comments for its head.
    pub fn new(name: &str, doc: &[&str]) -> Self {
        let intrinsic = |intrinsic: Intrinsic| {
            let (name, bits) = intrinsic.shape();
            Field { name: name.into(), bits, home: Home::Intrinsic(intrinsic) }
        };
        Self {
            program: Program {
                name: name.into(),
                doc: doc.iter().map(ToString::to_string).collect(),
                fields: Intrinsic::ALL.map(intrinsic).into(),
                headers: Vec::new(),
                parser: Vec::new(),
                egress_parser: StateId(0),
                arrays: Vec::new(),
                ingress: Vec::new(),
                egress: Vec::new(),
                checksum: None,
                report: Vec::new(),
                loopbacks: Vec::new(),
            },
        }
    }

    fn add_field(&mut self, name: &str, bits: u32, home: Home) -> FieldId {
        self.program.fields.push(Field { name: name.into(), bits, home });
        FieldId(self.program.fields.len() - 1)
    }

    /// Adds a field of metadata.
    pub fn meta(&mut self, name: &str, bits: u32) -> FieldId {
        self.add_field(name, bits, Home::Metadata)
    }

    /// Adds a header with these fields. Headers leave in the order in which they are made.
    pub fn header(&mut self, name: &str, fields: &[(&str, u32)]) -> HeaderId {
        let id = HeaderId(self.program.headers.len());
        let fields = fields
            .iter()
            .map(|(name, bits)| self.add_field(name, *bits, Home::Header(id)))
            .collect();
        let valid = self.add_field("valid", 1, Home::Validity(id));
        let byte_order = ByteOrder::Network;
        self.program.headers.push(Header { name: name.into(), fields, valid, byte_order });
        id
    }

    /// Has the fields of a header travel in this order of bytes; in network order unless told
    /// otherwise.
    pub fn byte_order(&mut self, header: HeaderId, order: ByteOrder) {
        self.program.headers[header.0].byte_order = order;
    }

    /// Returns a field of a header.
    ///
    /// # Panics
    /// If the header has no field of this name.
    #[track_caller]
    pub fn of(&self, header: HeaderId, name: &str) -> FieldId {
        let fields = &self.program.header(header).fields;
        let found = fields.iter().find(|field| self.program.field(**field).name == name);
        *found.unwrap_or_else(|| {
            panic!("header `{}` has no field `{name}`", self.program.header(header).name)
        })
    }

    /// Names and widths of a header's fields, in the order in which they travel.
    pub fn fields_of(&self, header: HeaderId) -> impl Iterator<Item = (&str, u32)> {
        let fields =
            self.program.header(header).fields.iter().map(|field| self.program.field(*field));
        fields.map(|field| (field.name.as_str(), field.bits))
    }

    /// Returns the width of a field.
    pub fn bits(&self, field: FieldId) -> u32 {
        self.program.field(field).bits
    }

    /// Returns the bit that says whether a header is there.
    pub fn valid(&self, header: HeaderId) -> FieldId {
        self.program.header(header).valid
    }

    /// Returns all bits of a field, as a part to put together with others.
    pub fn whole(&self, field: FieldId) -> Part {
        Part::Bits { field, low: 0, bits: self.program.field(field).bits }
    }

    /// Adds a parser state that goes nowhere yet, so that others can lead to it.
    pub fn state(&mut self, name: &str, extracts: &[HeaderId]) -> StateId {
        let state = ParserState {
            name: name.into(),
            extracts: extracts.into(),
            sets: Vec::new(),
            next: Transition::Accept,
        };
        self.program.parser.push(state);
        StateId(self.program.parser.len() - 1)
    }

    /// Sets the transition out of a parser state.
    pub fn leads(&mut self, state: StateId, next: Transition) {
        self.program.parser[state.0].next = next;
    }

    /// Has a parser state select the next one by a field.
    pub fn selects(
        &mut self,
        state: StateId,
        on: FieldId,
        cases: &[(Pattern, StateId)],
        otherwise: Option<StateId>,
    ) {
        let cases = cases.iter().map(|(pattern, to)| (vec![*pattern], *to)).collect();
        self.leads(state, Transition::Select { on: vec![on], cases, otherwise });
    }

    /// Has a parser state set metadata.
    pub fn sets(&mut self, state: StateId, field: FieldId, value: u64) {
        self.program.parser[state.0].sets.push((field, value));
    }

    /// Adds a register array; all its numbers are 0 at first.
    #[track_caller]
    pub fn array(&mut self, name: &str, word: Word, size: u32, doc: &str) -> ArrayId {
        let source = Location::caller();
        self.program.arrays.push(Array { name: name.into(), word, size, doc: doc.into(), source });
        ArrayId(self.program.arrays.len() - 1)
    }

    /// Adds a table, before replication or after.
    pub fn table(&mut self, gress: Gress, table: TableSpec) {
        match gress {
            Gress::Ingress => self.program.ingress.push(table.0),
            Gress::Egress => self.program.egress.push(table.0),
        }
    }

    /// Sets the state in which the parser starts for packets that are about to leave.
    pub fn egress_parser(&mut self, start: StateId) {
        self.program.egress_parser = start;
    }

    /// Has the deparser compute the Internet checksum of a header in packets that leave with the
    /// other header, too.
    pub fn checksum(&mut self, over: HeaderId, field: FieldId, beside: HeaderId) {
        self.program.checksum = Some(Checksum { over, field, beside });
    }

    /// Sets the fields that the control plane is told with a report.
    pub fn report(&mut self, fields: &[FieldId]) {
        self.program.report = fields.into();
    }

    /// Sets the ports that lead back into the pipelines, one for each.
    pub fn loopbacks(&mut self, ports: &[u16]) {
        self.program.loopbacks = ports.into();
    }

    /// Returns the program.
    pub fn finish(self) -> Program {
        self.program
    }
}

/// A table that is being written.
#[derive(Clone, Debug)]
pub struct TableSpec(Table);

impl TableSpec {
    /// Makes a table in this stage, with a comment.
    #[track_caller]
    pub fn new(name: &str, stage: usize, doc: &str) -> Self {
        Self(Table {
            name: name.into(),
            stage,
            gates: Vec::new(),
            keys: Vec::new(),
            actions: Vec::new(),
            otherwise: None,
            entries: Vec::new(),
            capacity: 0,
            doc: doc.into(),
            source: Location::caller(),
        })
    }

    /// Adds a gate: the table is looked at only where the field is this number.
    #[must_use]
    pub fn when(self, field: FieldId, value: u64) -> Self {
        self.gate(Gate { field, equal: true, value })
    }

    /// Adds a gate: the table is looked at only where the field is another number.
    #[must_use]
    pub fn unless(self, field: FieldId, value: u64) -> Self {
        self.gate(Gate { field, equal: false, value })
    }

    fn gate(mut self, gate: Gate) -> Self {
        self.0.gates.push(gate);
        self
    }

    /// Adds a key that is looked up.
    #[must_use]
    pub fn key(mut self, field: FieldId, how: Match) -> Self {
        self.0.keys.push((field, how));
        self
    }

    /// Adds an action.
    #[must_use]
    pub fn action(mut self, action: ActionSpec) -> Self {
        self.0.actions.push(action.0);
        self
    }

    /// Adds an entry of the program.
    ///
    /// # Panics
    /// If there is no action of this name.
    #[track_caller]
    #[must_use]
    pub fn entry(mut self, patterns: &[Pattern], action: &str, values: &[u64]) -> Self {
        let action = self.action_named(action);
        self.0.entries.push(Entry { patterns: patterns.into(), action, values: values.into() });
        self
    }

    /// Sets the action that is done where nothing matches. In a table without keys it is always
    /// done.
    ///
    /// # Panics
    /// If there is no action of this name.
    #[track_caller]
    #[must_use]
    pub fn otherwise(mut self, action: &str) -> Self {
        self.0.otherwise = Some((self.action_named(action), Vec::new()));
        self
    }

    /// Adds room for entries of the control plane, beside the program's own.
    #[must_use]
    pub fn room(mut self, entries: u32) -> Self {
        self.0.capacity = entries;
        self
    }

    #[track_caller]
    fn action_named(&self, name: &str) -> usize {
        let found = self.0.actions.iter().position(|action| action.name == name);
        found.unwrap_or_else(|| panic!("table `{}` has no action `{name}`", self.0.name))
    }
}

/// An action that is being written.
#[derive(Clone, Debug)]
pub struct ActionSpec(Action);

impl ActionSpec {
    /// Makes an action that does nothing yet.
    #[track_caller]
    pub fn new(name: &str) -> Self {
        let source = Location::caller();
        Self(Action {
            name: name.into(),
            params: Vec::new(),
            ops: Vec::new(),
            access: None,
            source,
        })
    }

    /// Adds a parameter; the first is [`Operand::Param`] 0.
    #[must_use]
    pub fn param(mut self, name: &str, bits: u32) -> Self {
        self.0.params.push((name.into(), bits));
        self
    }

    /// Adds an instruction.
    #[must_use]
    pub fn op(mut self, op: Op) -> Self {
        self.0.ops.push(op);
        self
    }

    /// Adds a copy.
    #[must_use]
    pub fn set(self, to: FieldId, from: impl Into<Operand>) -> Self {
        self.op(Op::Set { to, from: from.into() })
    }

    /// Adds a copy of a number to a field.
    #[must_use]
    pub fn put(self, to: FieldId, value: u64) -> Self {
        self.set(to, Operand::Const(value))
    }

    /// Adds an operation on two operands.
    #[must_use]
    pub fn binary(
        self,
        to: FieldId,
        op: BinOp,
        left: impl Into<Operand>,
        right: impl Into<Operand>,
    ) -> Self {
        self.op(Op::Binary { to, op, left: left.into(), right: right.into() })
    }

    /// Adds a shift.
    #[must_use]
    pub fn shift(self, to: FieldId, shift: Shift, from: FieldId, by: impl Into<Operand>) -> Self {
        self.op(Op::Shift { to, shift, from, by: by.into() })
    }

    /// Adds a copy of bits of a field.
    #[must_use]
    pub fn slice(self, to: FieldId, from: FieldId, low: u32) -> Self {
        self.op(Op::Slice { to, from, low })
    }

    /// Adds an instruction that puts bits side by side, the first the highest.
    #[must_use]
    pub fn concat(self, to: FieldId, from: &[Part]) -> Self {
        self.op(Op::Concat { to, from: from.into() })
    }

    /// Adds a CRC-32 of parts, one after the other.
    #[must_use]
    pub fn crc32(self, to: FieldId, form: Crc, from: &[Part]) -> Self {
        self.op(Op::Crc32 { to, from: from.into(), form })
    }

    /// Sets the access to the register array that it uses.
    #[must_use]
    pub fn access(mut self, access: AccessSpec) -> Self {
        self.0.access = Some(access.0);
        self
    }
}

/// An access to a register array that is being written.
#[derive(Clone, Debug)]
pub struct AccessSpec(Access);

impl AccessSpec {
    /// Makes an access that changes nothing and gives nothing back yet.
    pub fn new(array: ArrayId, index: FieldId) -> Self {
        Self(Access { array, index, conditions: Vec::new(), updates: Vec::new(), output: None })
    }

    /// Adds the next comparison.
    #[must_use]
    pub fn compare(self, half: Half, relation: Relation, with: impl Into<Operand>) -> Self {
        self.compare_plus(half, relation, with, 0)
    }

    /// Adds the next comparison, with a number that is added to the difference.
    #[must_use]
    pub fn compare_plus(
        mut self,
        half: Half,
        relation: Relation,
        with: impl Into<Operand>,
        plus: u32,
    ) -> Self {
        self.0.conditions.push(Condition { half, relation, with: with.into(), plus });
        self
    }

    /// Adds a write.
    #[must_use]
    pub fn update(mut self, half: Half, when: When, op: AluOp, with: impl Into<Operand>) -> Self {
        self.0.updates.push(Update { half, when, op, with: with.into() });
        self
    }

    /// Sets the output and the field that it goes to.
    #[must_use]
    pub fn output(mut self, to: FieldId, output: Output) -> Self {
        self.0.output = Some((to, output));
        self
    }
}
