//! Checks of a program before the first packet (R-PISA-2, R-PISA-3).

mod order;

use std::collections::BTreeMap;

use netfold_num::ByteOrder;

use crate::program::{
    Access, Action, AluOp, ArrayId, Entry, FieldId, Gress, Half, HeaderId, Op, Operand, Output,
    Part, Program, StateId, Table, Transition, Word,
};
use crate::refusal::Refusal;
use crate::target::Target;
use crate::usage::Usage;

/// Comparisons of a stateful ALU.
const MOST_CONDITIONS: usize = 2;

/// Writes to one number of a word.
const MOST_UPDATES: usize = 2;

/// Holds a program to a target.
///
/// # Errors
/// The first reason for which the target does not run it.
pub fn check(program: &Program, target: &Target) -> Result<(), Refusal> {
    widths(program)?;
    byte_orders(program, target)?;
    let mut homes = BTreeMap::new();
    for gress in [Gress::Ingress, Gress::Egress] {
        let tables = program.tables(gress);
        for table in tables {
            entries(table)?;
            stage(table, target)?;
            miss(table, target)?;
            for action in &table.actions {
                ops(program, table, action, target)?;
                if let Some(access) = &action.access {
                    stateful(program, table, action, access, target)?;
                    one_stage(program, &mut homes, gress, table, access.array)?;
                }
                within_action(program, table, action)?;
            }
        }
        order::dependencies(program, tables)?;
        if target.limits.is_some() {
            order::one_writer(program, tables)?;
        }
    }
    Usage::of(program, target).within(program, target)
}

fn widths(program: &Program) -> Result<(), Refusal> {
    for array in &program.arrays {
        let fits = matches!(array.word, Word::Pair | Word::Single(8 | 16 | 32));
        if !fits || array.size == 0 {
            return Err(Refusal::Malformed {
                what: array.name.clone(),
                why: "a register array has at least one word of 8, 16 or 32 bits, or a pair of 32"
                    .into(),
                source_line: array.source,
            });
        }
    }
    Ok(())
}

/// Checks that the target's parser takes the headers in the order in which they travel
/// (R-PISA-39).
fn byte_orders(program: &Program, target: &Target) -> Result<(), Refusal> {
    for header in program.headers.iter().filter(|one| one.byte_order == ByteOrder::Little) {
        let name = header.name.clone();
        if !target.converts_byte_order {
            return Err(Refusal::ByteOrder { header: name, target: target.name });
        }
        let parts = |field: &&FieldId| !program.field(**field).bits.is_multiple_of(8);
        if let Some(field) = header.fields.iter().find(parts) {
            let field = program.field_name(*field);
            return Err(Refusal::Bytes { header: name, field });
        }
    }
    Ok(())
}

/// Checks that an entry fits its table and its action.
pub(crate) fn entry(table: &Table, entry: &Entry) -> Result<(), Refusal> {
    let why = if entry.patterns.len() != table.keys.len() {
        format!("an entry has {} patterns for {} keys", entry.patterns.len(), table.keys.len())
    } else if let Some(action) = table.actions.get(entry.action) {
        let fits = |((_, bits), value): (&(String, u32), &u64)| value & !mask(*bits) == 0;
        if action.params.len() == entry.values.len()
            && action.params.iter().zip(&entry.values).all(fits)
        {
            return Ok(());
        }
        format!(
            "an entry's values {:?} are not those that action `{}` takes",
            entry.values, action.name
        )
    } else {
        "an entry names an action that is not there".into()
    };
    Err(Refusal::Malformed { what: table.name.clone(), why, source_line: table.source })
}

fn entries(table: &Table) -> Result<(), Refusal> {
    table.entries.iter().try_for_each(|one| entry(table, one))
}

fn stage(table: &Table, target: &Target) -> Result<(), Refusal> {
    match target.limits {
        Some(limits) if table.stage >= limits.stages => Err(Refusal::NoSuchStage {
            table: table.name.clone(),
            stage: table.stage,
            last: limits.stages - 1,
            target: target.name,
            source_line: table.source,
        }),
        _ => Ok(()),
    }
}

/// Checks that the action where no entry matches uses no array and no hash unit. It has no entry to
/// say which word of an array, or which hash.
fn miss(table: &Table, target: &Target) -> Result<(), Refusal> {
    let otherwise =
        table.otherwise.as_ref().filter(|_| target.limits.is_some() && !table.keys.is_empty());
    let Some(action) = otherwise.map(|(action, _)| &table.actions[*action]) else { return Ok(()) };
    if action.access.is_none() && !action.ops.iter().any(Op::is_hashed) {
        return Ok(());
    }
    let what = "where nothing matches, neither an array nor a hash unit is used; make it an entry that matches all";
    let (table_name, action_name) = (table.name.clone(), action.name.clone());
    let (stage, what, source_line) = (table.stage, what.into(), action.source);
    Err(Refusal::Operation { table: table_name, stage, action: action_name, what, source_line })
}

fn ops(program: &Program, table: &Table, action: &Action, target: &Target) -> Result<(), Refusal> {
    let refuse = |what: String| {
        let (table, stage, action, source_line) =
            (table.name.clone(), table.stage, action.name.clone(), action.source);
        Err(Refusal::Operation { table, stage, action, what, source_line })
    };
    for op in &action.ops {
        let to = program.field(op.writes()).bits;
        match op {
            Op::Shift { by: Operand::Field(_) | Operand::Param(_), .. }
                if !target.shift_by_field =>
            {
                return refuse(format!(
                    "`{}` shifts by a number that it is given; use a table with an action for each distance",
                    target.name
                ));
            }
            Op::Slice { from, low, .. } if low + to > program.field(*from).bits => {
                return refuse(format!("the slice is beyond `{}`", program.field_name(*from)));
            }
            Op::Concat { from, .. } if from.iter().map(|part| part.bits()).sum::<u32>() != to => {
                return refuse(format!(
                    "the parts are not as wide as `{}`",
                    program.field_name(op.writes())
                ));
            }
            Op::Crc32 { from, .. }
                if !from.iter().map(|part| part.bits()).sum::<u32>().is_multiple_of(8) =>
            {
                return refuse("the parts are not whole bytes".into());
            }
            Op::Concat { from, .. } | Op::Crc32 { from, .. }
                if from.iter().any(|part| is_beyond(program, *part)) =>
            {
                return refuse("a part is beyond its field".into());
            }
            _ => {}
        }
        for operand in operands(op) {
            match operand {
                Operand::Param(index) if index >= action.params.len() => {
                    return refuse(format!("there is no parameter {index}"));
                }
                Operand::Const(value) if value & !mask(to) != 0 => {
                    return refuse(format!(
                        "{value:#x} does not fit `{}`",
                        program.field_name(op.writes())
                    ));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn stateful(
    program: &Program,
    table: &Table,
    action: &Action,
    access: &Access,
    target: &Target,
) -> Result<(), Refusal> {
    let array = program.array(access.array);
    let refuse = |what: String| {
        Err(Refusal::Stateful {
            array: array.name.clone(),
            stage: table.stage,
            action: action.name.clone(),
            what,
            source_line: action.source,
        })
    };
    let halves = access
        .conditions
        .iter()
        .map(|condition| condition.half)
        .chain(access.updates.iter().map(|update| update.half));
    let outputs = access.output.and_then(|(_, output)| match output {
        Output::Old(half) | Output::New(half) => Some(half),
        Output::Outcome => None,
    });
    if array.word != Word::Pair && halves.chain(outputs).any(|half| half == Half::Hi) {
        return refuse("its words have no second number".into());
    }
    if access.conditions.len() > MOST_CONDITIONS {
        return refuse(format!("a stateful ALU has {MOST_CONDITIONS} conditions"));
    }
    for half in [Half::Lo, Half::Hi] {
        if access.updates.iter().filter(|update| update.half == half).count() > MOST_UPDATES {
            return refuse(format!("a stateful ALU has {MOST_UPDATES} ways to write each number"));
        }
    }
    if !target.shift_and_add
        && access.updates.iter().any(|update| matches!(update.op, AluOp::ShiftAdd { .. }))
    {
        return refuse(format!(
            "`{}` does not shift and add in one access; move the other operand",
            target.name
        ));
    }
    let inputs = access_inputs(access);
    if inputs.iter().any(|operand| matches!(operand, Operand::Param(_))) {
        return refuse(
            "a stateful ALU is given fields and constants; copy the parameter to a field one stage before".into(),
        );
    }
    Ok(())
}

fn one_stage<'p>(
    program: &Program,
    homes: &mut BTreeMap<ArrayId, (Gress, &'p Table)>,
    gress: Gress,
    table: &'p Table,
    array: ArrayId,
) -> Result<(), Refusal> {
    let (home, first) = *homes.entry(array).or_insert((gress, table));
    if (home, first.stage) == (gress, table.stage) {
        return Ok(());
    }
    Err(Refusal::TwoStages {
        array: program.array(array).name.clone(),
        first_table: first.name.clone(),
        first: first.stage,
        second_table: table.name.clone(),
        second: table.stage,
        source_line: table.source,
    })
}

/// Checks that all parts of an action read before any writes.
fn within_action(program: &Program, table: &Table, action: &Action) -> Result<(), Refusal> {
    let mut parts: Vec<(Vec<FieldId>, FieldId)> =
        action.ops.iter().map(|op| (fields_of(&operands(op)), op.writes())).collect();
    if let Some(access) = &action.access {
        let mut reads = fields_of(&access_inputs(access));
        reads.push(access.index);
        // An access without output writes nothing that another part could read.
        parts.push((reads, access.output.map_or(access.index, |(to, _)| to)));
    }
    for (at, (_, written)) in parts.iter().enumerate() {
        let mut others = parts.iter().enumerate().filter(|(other, _)| *other != at);
        let is_write = at < action.ops.len()
            || action.access.as_ref().is_some_and(|access| access.output.is_some());
        if is_write
            && others.any(|(_, (reads, writes))| reads.contains(written) || writes == written)
        {
            return Err(Refusal::WithinAction {
                table: table.name.clone(),
                stage: table.stage,
                action: action.name.clone(),
                field: program.field_name(*written),
                source_line: action.source,
            });
        }
    }
    Ok(())
}

/// Fields that a table looks at.
pub(crate) fn reads(table: &Table) -> Vec<FieldId> {
    let mut fields: Vec<FieldId> = table.gates.iter().map(|gate| gate.field).collect();
    fields.extend(table.keys.iter().map(|(field, _)| field));
    for action in &table.actions {
        fields.extend(action.ops.iter().flat_map(|op| fields_of(&operands(op))));
        if let Some(access) = &action.access {
            fields.extend(fields_of(&access_inputs(access)));
            fields.push(access.index);
        }
    }
    fields
}

/// Fields that a table may write.
pub(crate) fn writes(table: &Table) -> Vec<FieldId> {
    let of = |action: &Action| {
        let output = action.access.as_ref().and_then(|access| access.output).map(|(to, _)| to);
        action.ops.iter().map(Op::writes).chain(output).collect::<Vec<_>>()
    };
    table.actions.iter().flat_map(of).collect()
}

/// Returns the operands of an instruction.
pub(crate) fn operands(op: &Op) -> Vec<Operand> {
    match op {
        Op::Set { from, .. } => vec![*from],
        Op::Binary { left, right, .. } => vec![*left, *right],
        Op::Shift { from, by, .. } => vec![(*from).into(), *by],
        Op::Slice { from, .. } => vec![(*from).into()],
        Op::Concat { from, .. } | Op::Crc32 { from, .. } => {
            from.iter().filter_map(|part| part_field(*part)).map(Operand::Field).collect()
        }
    }
}

/// The field of a part.
pub(crate) fn part_field(part: Part) -> Option<FieldId> {
    match part {
        Part::Bits { field, .. } => Some(field),
        Part::Const { .. } => None,
    }
}

fn is_beyond(program: &Program, part: Part) -> bool {
    match part {
        Part::Bits { field, low, bits } => low + bits > program.field(field).bits,
        Part::Const { value, bits } => value & !mask(bits) != 0,
    }
}

/// Returns the inputs of a stateful ALU, beside the index.
pub(crate) fn access_inputs(access: &Access) -> Vec<Operand> {
    let shifts = access.updates.iter().filter_map(|update| match update.op {
        AluOp::ShiftAdd { by } => Some(by.into()),
        _ => None,
    });
    let conditions = access.conditions.iter().map(|condition| condition.with);
    conditions.chain(access.updates.iter().map(|update| update.with)).chain(shifts).collect()
}

pub(crate) fn fields_of(operands: &[Operand]) -> Vec<FieldId> {
    let field = |operand: &Operand| match operand {
        Operand::Field(field) => Some(*field),
        Operand::Const(_) | Operand::Param(_) => None,
    };
    operands.iter().filter_map(field).collect()
}

/// Headers that a parser can extract from this state on.
pub(crate) fn extracted(program: &Program, start: StateId) -> Vec<HeaderId> {
    let (mut pending, mut seen, mut headers) = (vec![start], Vec::new(), Vec::new());
    while let Some(state) = pending.pop() {
        if seen.contains(&state) {
            continue;
        }
        seen.push(state);
        let state = &program.parser[state.0];
        headers.extend(&state.extracts);
        match &state.next {
            Transition::Accept | Transition::Reject => {}
            Transition::To(next) => pending.push(*next),
            Transition::Select { cases, otherwise, .. } => {
                pending.extend(cases.iter().map(|(_, next)| *next).chain(*otherwise));
            }
        }
    }
    headers.sort_unstable();
    headers.dedup();
    headers
}

/// The lowest bits.
pub(crate) const fn mask(bits: u32) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}
