//! How a program is written down in Rust: in the order in which a packet meets it.

use std::panic::Location;

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
    /// A program without anything, with comments for its head.
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

    /// A field of metadata.
    pub fn meta(&mut self, name: &str, bits: u32) -> FieldId {
        self.add_field(name, bits, Home::Metadata)
    }

    /// A header with these fields. Headers leave in the order in which they are made.
    pub fn header(&mut self, name: &str, fields: &[(&str, u32)]) -> HeaderId {
        let id = HeaderId(self.program.headers.len());
        let fields = fields
            .iter()
            .map(|(name, bits)| self.add_field(name, *bits, Home::Header(id)))
            .collect();
        let valid = self.add_field("valid", 1, Home::Validity(id));
        self.program.headers.push(Header { name: name.into(), fields, valid });
        id
    }

    /// A field of a header.
    ///
    /// # Panics
    /// If the header has none of this name.
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

    /// The width of a field.
    pub fn bits(&self, field: FieldId) -> u32 {
        self.program.field(field).bits
    }

    /// The bit that says whether a header is there.
    pub fn valid(&self, header: HeaderId) -> FieldId {
        self.program.header(header).valid
    }

    /// All bits of a field, as a part of what is put together.
    pub fn whole(&self, field: FieldId) -> Part {
        Part::Bits { field, low: 0, bits: self.program.field(field).bits }
    }

    /// A parser state that goes nowhere yet, so that others can lead to it.
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

    /// Where a parser state goes.
    pub fn leads(&mut self, state: StateId, next: Transition) {
        self.program.parser[state.0].next = next;
    }

    /// A parser state selects the next one by a field.
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

    /// A parser state sets metadata.
    pub fn sets(&mut self, state: StateId, field: FieldId, value: u64) {
        self.program.parser[state.0].sets.push((field, value));
    }

    /// A register array; all its numbers are 0 at first.
    #[track_caller]
    pub fn array(&mut self, name: &str, word: Word, size: u32, doc: &str) -> ArrayId {
        let source = Location::caller();
        self.program.arrays.push(Array { name: name.into(), word, size, doc: doc.into(), source });
        ArrayId(self.program.arrays.len() - 1)
    }

    /// A table, before replication or after.
    pub fn table(&mut self, gress: Gress, table: TableSpec) {
        match gress {
            Gress::Ingress => self.program.ingress.push(table.0),
            Gress::Egress => self.program.egress.push(table.0),
        }
    }

    /// Where the parser starts for packets that are about to leave.
    pub fn egress_parser(&mut self, start: StateId) {
        self.program.egress_parser = start;
    }

    /// The deparser computes the Internet checksum of a header when a packet leaves that has the
    /// other header, too.
    pub fn checksum(&mut self, over: HeaderId, field: FieldId, beside: HeaderId) {
        self.program.checksum = Some(Checksum { over, field, beside });
    }

    /// What the control plane is told with a report.
    pub fn report(&mut self, fields: &[FieldId]) {
        self.program.report = fields.into();
    }

    /// For each pipeline, the port that leads back into it.
    pub fn loopbacks(&mut self, ports: &[u16]) {
        self.program.loopbacks = ports.into();
    }

    /// The program.
    pub fn finish(self) -> Program {
        self.program
    }
}

/// A table that is being written.
#[derive(Clone, Debug)]
pub struct TableSpec(Table);

impl TableSpec {
    /// A table in this stage, with a comment.
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

    /// It is looked at only where the field is this number.
    #[must_use]
    pub fn when(self, field: FieldId, value: u64) -> Self {
        self.gate(Gate { field, equal: true, value })
    }

    /// It is looked at only where the field is another number.
    #[must_use]
    pub fn unless(self, field: FieldId, value: u64) -> Self {
        self.gate(Gate { field, equal: false, value })
    }

    fn gate(mut self, gate: Gate) -> Self {
        self.0.gates.push(gate);
        self
    }

    /// Something that is looked up.
    #[must_use]
    pub fn key(mut self, field: FieldId, how: Match) -> Self {
        self.0.keys.push((field, how));
        self
    }

    /// Something that can be done.
    #[must_use]
    pub fn action(mut self, action: ActionSpec) -> Self {
        self.0.actions.push(action.0);
        self
    }

    /// An entry of the program.
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

    /// What is done where nothing matches; in a table without keys, what is done.
    ///
    /// # Panics
    /// If there is no action of this name.
    #[track_caller]
    #[must_use]
    pub fn otherwise(mut self, action: &str) -> Self {
        self.0.otherwise = Some((self.action_named(action), Vec::new()));
        self
    }

    /// Room for entries of the control plane, beside the program's own.
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
    /// An action that does nothing yet.
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

    /// A parameter; the first is [`Operand::Param`] 0.
    #[must_use]
    pub fn param(mut self, name: &str, bits: u32) -> Self {
        self.0.params.push((name.into(), bits));
        self
    }

    /// An instruction.
    #[must_use]
    pub fn op(mut self, op: Op) -> Self {
        self.0.ops.push(op);
        self
    }

    /// A copy.
    #[must_use]
    pub fn set(self, to: FieldId, from: impl Into<Operand>) -> Self {
        self.op(Op::Set { to, from: from.into() })
    }

    /// A field becomes a number.
    #[must_use]
    pub fn put(self, to: FieldId, value: u64) -> Self {
        self.set(to, Operand::Const(value))
    }

    /// Two operands.
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

    /// A shift.
    #[must_use]
    pub fn shift(self, to: FieldId, shift: Shift, from: FieldId, by: impl Into<Operand>) -> Self {
        self.op(Op::Shift { to, shift, from, by: by.into() })
    }

    /// Bits of a field.
    #[must_use]
    pub fn slice(self, to: FieldId, from: FieldId, low: u32) -> Self {
        self.op(Op::Slice { to, from, low })
    }

    /// Bits side by side, the first the highest.
    #[must_use]
    pub fn concat(self, to: FieldId, from: &[Part]) -> Self {
        self.op(Op::Concat { to, from: from.into() })
    }

    /// A CRC-32 of parts, one after the other.
    #[must_use]
    pub fn crc32(self, to: FieldId, form: Crc, from: &[Part]) -> Self {
        self.op(Op::Crc32 { to, from: from.into(), form })
    }

    /// The register array that it uses.
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
    /// An access that changes nothing and gives nothing back yet.
    pub fn new(array: ArrayId, index: FieldId) -> Self {
        Self(Access { array, index, conditions: Vec::new(), updates: Vec::new(), output: None })
    }

    /// The next comparison.
    #[must_use]
    pub fn compare(self, half: Half, relation: Relation, with: impl Into<Operand>) -> Self {
        self.compare_plus(half, relation, with, 0)
    }

    /// The next comparison, with a number that is added to the difference.
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

    /// A write.
    #[must_use]
    pub fn update(mut self, half: Half, when: When, op: AluOp, with: impl Into<Operand>) -> Self {
        self.0.updates.push(Update { half, when, op, with: with.into() });
        self
    }

    /// What it gives back.
    #[must_use]
    pub fn output(mut self, to: FieldId, output: Output) -> Self {
        self.0.output = Some((to, output));
        self
    }
}
