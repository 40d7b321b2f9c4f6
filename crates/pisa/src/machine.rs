//! A switch that runs a program exactly, and stops where a pipeline could not go on (R-PISA-2).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::alu::{self, Stored};
use crate::check::{self, mask};
use crate::packet::Packet;
use crate::program::{
    Action, ArrayId, Entry, FieldId, Gress, Intrinsic, Match, Op, Operand, Part, Pattern, Program,
    StateId, Table,
};
use crate::refusal::Refusal;
use crate::target::Target;

/// A packet that has left the switch, or goes around once more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The port by which it leaves.
    pub port: u16,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// A report to the control plane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The reason, a number of the program's.
    pub reason: u64,
    /// The fields of [`Program::report`].
    pub fields: Vec<u64>,
}

/// The outcome of a packet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Packets, in the order in which they were sent.
    pub sent: Vec<Sent>,
    /// Reports, oldest first.
    pub reports: Vec<Report>,
    /// Passes through a pipeline, of all copies together.
    pub passes: u32,
}

impl Outcome {
    /// Passes beyond the first.
    pub fn recirculations(&self) -> u32 {
        self.passes.saturating_sub(1)
    }
}

/// A copy of a multicast packet: the port that it leaves by, and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Replica {
    /// The port.
    pub port: u16,
    /// The number, which egress reads.
    pub number: u16,
}

/// A switch with a program in each of its pipelines. The tables of all are alike, registers belong
/// to a pipeline.
#[derive(Clone, Debug)]
pub struct Pipeline {
    program: Program,
    target: Target,
    /// Words, by pipeline and array.
    registers: Vec<Vec<Vec<Stored>>>,
    /// Entries of the control plane, by table.
    entries: BTreeMap<String, Vec<Entry>>,
    groups: BTreeMap<u16, Vec<Replica>>,
    loopbacks: BTreeMap<u16, usize>,
}

impl Pipeline {
    /// Holds a program to a target, and loads it into as many pipelines as it uses. A packet that
    /// leaves by a port of [`Program::loopbacks`] comes in again at that pipeline.
    ///
    /// # Errors
    /// The first reason for which the target does not run it.
    pub fn load(program: Program, target: Target) -> Result<Self, Refusal> {
        check::check(&program, &target)?;
        let registers =
            || program.arrays.iter().map(|array| vec![[0; 2]; array.size as usize]).collect();
        Ok(Self {
            registers: (0..program.pipelines()).map(|_| registers()).collect(),
            entries: BTreeMap::new(),
            groups: BTreeMap::new(),
            loopbacks: program.loopbacks.iter().copied().zip(0..).collect(),
            program,
            target,
        })
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Adds an entry to a table.
    ///
    /// # Errors
    /// [`Refusal::Control`] if there is no such table or action, or it is full;
    /// [`Refusal::Malformed`] if the entry does not fit.
    pub fn insert(
        &mut self,
        table: &str,
        patterns: &[Pattern],
        action: &str,
        values: &[u64],
    ) -> Result<(), Refusal> {
        let unknown = || Refusal::Control { what: format!("action `{action}` of table `{table}`") };
        let found = self.program.table(table).ok_or_else(unknown)?;
        let action = found
            .actions
            .iter()
            .position(|candidate| candidate.name == action)
            .ok_or_else(unknown)?;
        let entry = Entry { patterns: patterns.into(), action, values: values.into() };
        check::entry(found, &entry)?;
        let entries = self.entries.entry(table.into()).or_default();
        if entries.len() >= found.capacity as usize {
            return Err(Refusal::Control {
                what: format!("entry {} of table `{table}`", entries.len()),
            });
        }
        entries.push(entry);
        Ok(())
    }

    /// Removes the entries of the control plane for which `matches` holds from a table.
    pub fn remove(&mut self, table: &str, matches: impl Fn(&Entry) -> bool) {
        self.entries.entry(table.into()).or_default().retain(|entry| !matches(entry));
    }

    /// Sets the recipients of a multicast group's packets.
    pub fn set_group(&mut self, group: u16, replicas: &[Replica]) {
        self.groups.insert(group, replicas.into());
    }

    /// Ends a multicast group: packets for it go nowhere.
    pub fn dissolve(&mut self, group: u16) {
        self.groups.remove(&group);
    }

    /// Sets a part of an array to 0 in all pipelines, as the control plane does before it admits a
    /// job.
    pub fn clear(&mut self, array: ArrayId, words: std::ops::Range<usize>) {
        self.registers.iter_mut().for_each(|arrays| arrays[array.0][words.clone()].fill([0; 2]));
    }

    /// Sets the first words of an array, in every pipeline.
    pub fn fill(&mut self, array: ArrayId, values: &[u64]) {
        for arrays in &mut self.registers {
            let words = arrays[array.0].iter_mut().zip(values);
            words.for_each(|(word, value)| *word = [*value, 0]);
        }
    }

    /// Both numbers of a word.
    pub fn word(&self, pipeline: usize, array: ArrayId, index: usize) -> [u64; 2] {
        self.registers[pipeline][array.0][index]
    }

    /// Sends a packet through the switch, around as often as it goes.
    ///
    /// # Errors
    /// A refusal, if the packet does what no pipeline can do.
    pub fn process(&mut self, port: u16, bytes: &[u8]) -> Result<Outcome, Refusal> {
        let mut outcome = Outcome::default();
        let mut pending = VecDeque::from([Sent { port, bytes: bytes.into() }]);
        while let Some(packet) = pending.pop_front() {
            if outcome.passes >= self.target.max_passes {
                return Err(Refusal::Endless { passes: outcome.passes });
            }
            let pass = self.pass(packet.port, &packet.bytes)?;
            outcome.passes += 1;
            outcome.reports.extend(pass.reports);
            let (around, out) = pass
                .sent
                .into_iter()
                .partition::<Vec<_>, _>(|sent| self.loopbacks.contains_key(&sent.port));
            pending.extend(around);
            outcome.sent.extend(out);
        }
        Ok(outcome)
    }

    /// Sends a packet through one pipeline, once. Packets that go around are among those that are
    /// sent.
    ///
    /// # Errors
    /// A refusal, if the packet does what no pipeline can do.
    pub fn pass(&mut self, port: u16, bytes: &[u8]) -> Result<Outcome, Refusal> {
        let mut outcome = Outcome { passes: 1, ..Outcome::default() };
        let pipeline = self.loopbacks.get(&port).copied().unwrap_or(0);
        let known = [(Intrinsic::Around.field(), u64::from(self.loopbacks.contains_key(&port)))];
        let Some(mut packet) = Packet::parse(&self.program, StateId(0), &known, bytes) else {
            return Ok(outcome);
        };
        self.run(Gress::Ingress, pipeline, &mut packet)?;
        let reason = packet.get(Intrinsic::Report.field());
        if reason != 0 {
            let fields = self.program.report.iter().map(|field| packet.get(*field)).collect();
            outcome.reports.push(Report { reason, fields });
        }
        if packet.get(Intrinsic::Drop.field()) == 1 {
            return Ok(outcome);
        }
        let leaving = packet.deparse(&self.program);
        for Replica { port, number } in self.replicas(&packet) {
            let known = [
                (Intrinsic::LeavesBy.field(), u64::from(port)),
                (Intrinsic::Replica.field(), u64::from(number)),
            ];
            let Some(mut copy) =
                Packet::parse(&self.program, self.program.egress_parser, &known, &leaving)
            else {
                continue;
            };
            self.run(Gress::Egress, pipeline, &mut copy)?;
            if copy.get(Intrinsic::Drop.field()) == 0 {
                copy.seal(&self.program);
                outcome.sent.push(Sent { port, bytes: copy.deparse(&self.program) });
            }
        }
        Ok(outcome)
    }

    fn replicas(&self, packet: &Packet) -> Vec<Replica> {
        match packet.get(Intrinsic::Group.field()) {
            0 => {
                vec![Replica { port: packet.get(Intrinsic::EgressPort.field()) as u16, number: 0 }]
            }
            group => self.groups.get(&(group as u16)).cloned().unwrap_or_default(),
        }
    }

    /// All stages of one sequence. A stage reads what the one before has left, and writes for the
    /// next.
    fn run(&mut self, gress: Gress, pipeline: usize, packet: &mut Packet) -> Result<(), Refusal> {
        let Self { program, registers, entries, .. } = self;
        let mut pass =
            Pass { program, registers: &mut registers[pipeline], touched: BTreeSet::new() };
        let tables = program.tables(gress);
        let stages: BTreeSet<usize> = tables.iter().map(|table| table.stage).collect();
        for stage in stages {
            let before = packet.clone();
            let mut written = BTreeSet::new();
            for table in tables.iter().filter(|table| table.stage == stage) {
                if !table
                    .gates
                    .iter()
                    .all(|gate| (before.get(gate.field) == gate.value) == gate.equal)
                {
                    continue;
                }
                let own = entries.get(&table.name).map_or(&[][..], Vec::as_slice);
                let Some((action, values)) = lookup(program, table, own, &before) else { continue };
                for (field, value) in pass.act(table, &table.actions[action], &values, &before)? {
                    if !written.insert(field) {
                        return Err(Refusal::WrittenTwice {
                            table: table.name.clone(),
                            stage,
                            field: program.field_name(field),
                            source_line: table.source,
                        });
                    }
                    packet.write(program, field, value);
                }
            }
        }
        Ok(())
    }
}

/// The action of the entry that matches: the longest prefix, or else the first.
fn lookup(
    program: &Program,
    table: &Table,
    own: &[Entry],
    packet: &Packet,
) -> Option<(usize, Vec<u64>)> {
    let matches = |entry: &&Entry| {
        entry.patterns.iter().zip(&table.keys).all(|(pattern, (field, _))| {
            pattern.matches(packet.get(*field), program.field(*field).bits)
        })
    };
    let length = |entry: &Entry| {
        let lengths =
            entry.patterns.iter().zip(&table.keys).filter(|(_, (_, how))| *how == Match::Prefix);
        lengths
            .map(|(pattern, _)| if let Pattern::Prefix(_, length) = pattern { *length } else { 0 })
            .sum::<u32>()
    };
    let candidates = own.iter().chain(&table.entries).filter(matches);
    // Of equal ones `max_by_key` takes the last, and the first is wanted.
    let best = candidates.rev().max_by_key(|entry| length(entry));
    best.map(|entry| (entry.action, entry.values.clone())).or_else(|| table.otherwise.clone())
}

/// One packet's way through one sequence of stages.
struct Pass<'m> {
    program: &'m Program,
    registers: &'m mut [Vec<Stored>],
    touched: BTreeSet<ArrayId>,
}

impl Pass<'_> {
    /// Returns the writes of an action, computed from the fields as they were before its stage.
    fn act(
        &mut self,
        table: &Table,
        action: &Action,
        values: &[u64],
        packet: &Packet,
    ) -> Result<Vec<(FieldId, u64)>, Refusal> {
        let input = |operand: Operand| match operand {
            Operand::Field(field) => packet.get(field),
            Operand::Const(value) => value,
            Operand::Param(index) => values[index],
        };
        let mut writes: Vec<_> = action
            .ops
            .iter()
            .map(|op| (op.writes(), evaluate(self.program, op, packet, input)))
            .collect();
        let Some(access) = &action.access else { return Ok(writes) };
        let array = self.program.array(access.array);
        let (name, stage, source_line) = (array.name.clone(), table.stage, table.source);
        if !self.touched.insert(access.array) {
            return Err(Refusal::TouchedTwice {
                array: name,
                stage,
                table: table.name.clone(),
                source_line,
            });
        }
        let index = packet.get(access.index);
        let word = usize::try_from(index)
            .ok()
            .and_then(|index| self.registers[access.array.0].get_mut(index));
        let Some(word) = word else {
            let (size, table) = (array.size, table.name.clone());
            return Err(Refusal::Index { array: name, stage, size, index, table, source_line });
        };
        // Narrow registers take the lower bits of what they are given.
        let narrow = |operand| input(operand) & mask(array.word.half_bits());
        let output = alu::access(access, array.word, word, narrow);
        writes.extend(access.output.map(|(to, _)| (to, output)));
        Ok(writes)
    }
}

fn evaluate(program: &Program, op: &Op, packet: &Packet, input: impl Fn(Operand) -> u64) -> u64 {
    match op {
        Op::Set { from, .. } => input(*from),
        Op::Binary { op, left, right, .. } => alu::binary(*op, input(*left), input(*right)),
        Op::Shift { shift, from, by, .. } => {
            alu::shift(*shift, packet.get(*from), program.field(*from).bits, input(*by))
        }
        Op::Slice { from, low, .. } => packet.get(*from) >> low,
        Op::Concat { from, .. } => {
            from.iter().fold(0, |value, part| value << part.bits() | part_value(*part, packet))
        }
        Op::Crc32 { from, form, .. } => {
            let bits = from.iter().flat_map(|part| {
                let value = part_value(*part, packet);
                (0..part.bits()).rev().map(move |bit| value.checked_shr(bit).unwrap_or(0) as u8 & 1)
            });
            let bits: Vec<u8> = bits.collect();
            u64::from(alu::crc32(
                *form,
                bits.chunks(8).map(|byte| byte.iter().fold(0, |byte, bit| byte << 1 | bit)),
            ))
        }
    }
}

fn part_value(part: Part, packet: &Packet) -> u64 {
    match part {
        Part::Bits { field, low, bits } => packet.get(field) >> low & mask(bits),
        Part::Const { value, .. } => value,
    }
}
