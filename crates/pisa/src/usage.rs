//! The resources that a program takes of a switch: stage by stage, and altogether (R-PISA-4).

use std::collections::BTreeSet;

use crate::check::{access_inputs, extracted, fields_of, part_field};
use crate::program::{FieldId, HeaderId, Home, Match, Op, Program, StateId, Table};
use crate::refusal::Refusal;
use crate::target::{Limits, Target};

/// The contents of one stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageUsage {
    /// SRAM blocks.
    pub sram_blocks: u32,
    /// Those of them that hold register arrays.
    pub register_blocks: u32,
    /// TCAM blocks.
    pub tcam_blocks: u32,
    /// Stateful ALUs, one for each register array.
    pub stateful_alus: u32,
    /// Most actions that one array has.
    pub stateful_instructions: u32,
    /// Most fields that one array is given by its actions together, beside the word's index.
    pub stateful_inputs: u32,
    /// VLIW instruction words, one for each action that writes a field.
    pub vliw_slots: u32,
    /// Tables.
    pub tables: u32,
    /// Bytes brought to exact matches, stateful ALUs and hash units.
    pub crossbar_bytes: u32,
    /// Bytes brought to ternary matches.
    pub ternary_crossbar_bytes: u32,
    /// Most bits that the tests before one table look at.
    pub gateway_bits: u32,
    /// Most bits that hash units bring to the actions of one table.
    pub hashed_bits: u32,
    /// Parts of 16 bits that hash units bring: what they compute, and the index of each array.
    pub hash_parts: u32,
    /// Bits of hash units: what they compute, the index of each array, and a row for each exact
    /// match.
    pub hash_bits: u32,
    /// Buses that bring the entries found to the actions: one for each table with keys.
    pub result_buses: u32,
}

impl StageUsage {
    /// Bytes brought to matches of both kinds, stateful ALUs and hash units.
    pub const fn input_crossbar_bytes(&self) -> u32 {
        self.crossbar_bytes + self.ternary_crossbar_bytes
    }
}

/// The resources that a program takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// Each stage up to the last that is used.
    pub stages: Vec<StageUsage>,
    /// Bits of the packet header vector: headers and metadata, those that egress parses once more.
    pub header_vector_bits: u32,
    /// Bytes of all register arrays.
    pub register_bytes: u64,
}

/// Bits that a hash unit brings at once.
const HASH_PART_BITS: u32 = 16;

/// Rows and blocks where a target does not say them: those of a Tofino-like one, so that reports
/// have a unit.
pub(crate) const NOMINAL: Limits = match Target::tofino().limits {
    Some(limits) => limits,
    None => panic!("a switch made of stages has limits"),
};

impl Usage {
    /// Returns the resources that a program takes of a target; of one without limits, in the units
    /// of a Tofino-like one.
    pub fn of(program: &Program, target: &Target) -> Self {
        let limits = target.limits.unwrap_or(NOMINAL);
        let last = program.ingress.iter().chain(&program.egress).map(|table| table.stage).max();
        let stages = (0..last.map_or(0, |last| last + 1))
            .map(|stage| stage_usage(program, &tables_of(program, stage), &limits))
            .collect();
        let register_bytes = program
            .arrays
            .iter()
            .map(|array| u64::from(array.size) * u64::from(array.word.bits()) / 8)
            .sum();
        Self { stages, header_vector_bits: header_vector_bits(program), register_bytes }
    }

    /// Holds it to the target's limits.
    pub(crate) fn within(&self, program: &Program, target: &Target) -> Result<(), Refusal> {
        let Some(limits) = target.limits else { return Ok(()) };
        if self.header_vector_bits > limits.header_vector_bits {
            let (bits, limit) = (self.header_vector_bits, limits.header_vector_bits);
            return Err(Refusal::HeaderVector { bits, limit, target: target.name });
        }
        for (stage, used) in self.stages.iter().enumerate() {
            let beyond = |used: &StageUsage| limits.beyond(used);
            let Some((resource, used, limit)) = beyond(used) else { continue };
            // The first table, in the program's order, with which the stage has more of it than it
            // can.
            let tables = tables_of(program, stage);
            let first = (1..tables.len()).find(|count| {
                let found = beyond(&stage_usage(program, &tables[..*count], &limits));
                found.is_some_and(|(found, ..)| found == resource)
            });
            let table = tables[first.map_or(tables.len(), |count| count) - 1];
            return Err(Refusal::Budget {
                stage,
                resource,
                used: used.into(),
                limit: limit.into(),
                target: target.name,
                table: table.name.clone(),
                source_line: table.source,
            });
        }
        Ok(())
    }

    /// The sum of a resource over all stages.
    pub fn total(&self, of: impl Fn(&StageUsage) -> u32) -> u32 {
        self.stages.iter().map(of).sum()
    }

    /// The most of a resource in one stage.
    pub fn most(&self, of: impl Fn(&StageUsage) -> u32) -> u32 {
        self.stages.iter().map(of).max().unwrap_or(0)
    }
}

impl Limits {
    /// Returns a resource that goes beyond a stage's limit, with its amount and the limit.
    pub(crate) fn beyond(&self, used: &StageUsage) -> Option<(&'static str, u32, u32)> {
        let resources = [
            ("SRAM blocks", used.sram_blocks, self.sram_blocks),
            ("SRAM blocks for registers", used.register_blocks, self.register_blocks),
            ("TCAM blocks", used.tcam_blocks, self.tcam_blocks),
            ("stateful ALUs", used.stateful_alus, self.stateful_alus),
            (
                "instructions of one stateful ALU",
                used.stateful_instructions,
                self.stateful_instructions,
            ),
            ("fields of one stateful ALU", used.stateful_inputs, self.stateful_inputs),
            ("VLIW slots", used.vliw_slots, self.vliw_slots),
            ("tables", used.tables, self.tables),
            ("crossbar bytes", used.crossbar_bytes, self.crossbar_bytes),
            ("ternary crossbar bytes", used.ternary_crossbar_bytes, self.ternary_crossbar_bytes),
            ("gateway bits before one table", used.gateway_bits, self.gateway_bits),
            ("hashed bits of one table", used.hashed_bits, self.hashed_bits),
            ("parts of hash units", used.hash_parts, self.hash_parts),
            ("hash bits", used.hash_bits, self.hash_bits),
            ("result buses", used.result_buses, self.result_buses),
        ];
        resources.into_iter().find(|(_, used, limit)| used > limit)
    }
}

/// Tables of a stage in the order in which packets meet them.
fn tables_of(program: &Program, stage: usize) -> Vec<&Table> {
    program.ingress.iter().chain(&program.egress).filter(|table| table.stage == stage).collect()
}

/// Returns the resources that these tables take, which are all in one stage.
pub(crate) fn stage_usage(program: &Program, tables: &[&Table], limits: &Limits) -> StageUsage {
    let mut usage = StageUsage::default();
    let (mut arrays, mut indices) = (BTreeSet::new(), BTreeSet::new());
    let (mut exact, mut ternary) = (BTreeSet::new(), BTreeSet::new());
    for table in tables {
        usage.tables += 1;
        let gate_bits = table.gates.iter().map(|gate| program.field(gate.field).bits).sum();
        usage.gateway_bits = usage.gateway_bits.max(gate_bits);
        let hashed =
            table.actions.iter().flat_map(|action| &action.ops).filter(|op| op.is_hashed());
        let hashed = hashed.map(|op| program.field(op.writes()).bits).sum();
        usage.hashed_bits = usage.hashed_bits.max(hashed);
        usage.hash_parts += hashed.div_ceil(HASH_PART_BITS);
        usage.hash_bits += hashed;
        let writing = table.actions.iter().filter(|action| {
            !action.ops.is_empty()
                || action.access.as_ref().is_some_and(|access| access.output.is_some())
        });
        usage.vliw_slots += writing.count() as u32;
        for action in &table.actions {
            if let Some(access) = &action.access {
                arrays.insert(access.array);
                indices.insert((access.index, access.array));
                exact.extend(fields_of(&access_inputs(access)));
                exact.insert(access.index);
            }
            for op in &action.ops {
                if let Op::Concat { from, .. } | Op::Crc32 { from, .. } = op {
                    exact.extend(from.iter().filter_map(|part| part_field(*part)));
                }
            }
        }
        let in_tcam = table.keys.iter().any(|(_, how)| *how != Match::Exact);
        if in_tcam { &mut ternary } else { &mut exact }
            .extend(table.keys.iter().map(|(field, _)| *field));
        table_memory(program, table, limits, &mut usage);
    }
    usage.hash_parts += indices.len() as u32;
    for array in arrays {
        let source = program.array(array);
        let bits = u64::from(source.size) * u64::from(source.word.bits());
        // One block more than the words need: a write goes there while the others are read.
        let blocks =
            bits.div_ceil(u64::from(limits.sram_block_width * limits.sram_block_rows)) as u32 + 1;
        usage.register_blocks += blocks;
        usage.sram_blocks += blocks;
        usage.hash_bits += index_bits(source.size);
        let actions = tables.iter().flat_map(|table| &table.actions);
        let accesses: Vec<_> = actions
            .filter_map(|action| action.access.as_ref())
            .filter(|access| access.array == array)
            .collect();
        let forms: BTreeSet<String> = accesses
            .iter()
            .map(|access| {
                format!(
                    "{:?}",
                    (&access.conditions, &access.updates, access.output.map(|(_, output)| output))
                )
            })
            .collect();
        let inputs: BTreeSet<FieldId> =
            accesses.iter().flat_map(|access| fields_of(&access_inputs(access))).collect();
        usage.stateful_instructions = usage.stateful_instructions.max(forms.len() as u32);
        usage.stateful_inputs = usage.stateful_inputs.max(inputs.len() as u32);
        usage.stateful_alus += 1;
    }
    usage.crossbar_bytes = bytes(program, &exact);
    usage.ternary_crossbar_bytes = bytes(program, &ternary);
    usage
}

/// Returns the number of bits that say which of so many words is meant; a hash unit brings them.
const fn index_bits(words: u32) -> u32 {
    words.next_power_of_two().trailing_zeros()
}

fn bytes(program: &Program, fields: &BTreeSet<FieldId>) -> u32 {
    fields.iter().map(|field| program.field(*field).bits.div_ceil(8)).sum()
}

/// Counts the blocks for the patterns that a table matches, and for the parameters of its entries.
fn table_memory(program: &Program, table: &Table, limits: &Limits, usage: &mut StageUsage) {
    /// Beside key and parameters an entry says which action it means, and whether it is there.
    const OVERHEAD_BITS: u32 = 8;
    if table.keys.is_empty() {
        return;
    }
    let entries = table.capacity + table.entries.len() as u32;
    let rows = entries.div_ceil(limits.sram_block_rows).max(1);
    let params = table
        .actions
        .iter()
        .map(|action| action.params.iter().map(|(_, bits)| bits).sum::<u32>())
        .max();
    let params = params.unwrap_or(0);
    let key_bits = |how: Match, bits: u32| if how == Match::Range { 2 * bits } else { bits };
    let keys: u32 =
        table.keys.iter().map(|(field, how)| key_bits(*how, program.field(*field).bits)).sum();
    usage.result_buses += 1;
    if table.keys.iter().all(|(_, how)| *how == Match::Exact) {
        usage.hash_bits += index_bits(entries);
        usage.sram_blocks +=
            (keys + params + OVERHEAD_BITS).div_ceil(limits.sram_block_width) * rows;
    } else {
        usage.tcam_blocks += keys.div_ceil(limits.tcam_block_width)
            * entries.div_ceil(limits.tcam_block_entries).max(1);
        usage.sram_blocks += (params + OVERHEAD_BITS).div_ceil(limits.sram_block_width) * rows;
    }
}

/// Both sequences of stages have header vectors of their own out of the same containers.
fn header_vector_bits(program: &Program) -> u32 {
    let headers = |start| {
        extracted(program, start)
            .into_iter()
            .map(|header| program.header_bits(header) + 1)
            .sum::<u32>()
    };
    let parsed: u32 = headers(StateId(0)) + headers(program.egress_parser);
    let metadata: u32 = program
        .fields
        .iter()
        .filter(|field| matches!(field.home, Home::Metadata | Home::Intrinsic(_)))
        .map(|field| field.bits)
        .sum();
    let made = program
        .headers
        .iter()
        .enumerate()
        .filter(|(at, _)| !extracted(program, StateId(0)).iter().any(|header| header.0 == *at));
    let made: u32 = made.map(|(at, _)| program.header_bits(HeaderId(at)) + 1).sum();
    parsed + metadata + made
}
