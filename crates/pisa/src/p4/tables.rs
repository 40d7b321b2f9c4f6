//! Actions, tables with their entries, and the order in which they are applied.

use super::expr::{Scope, number, safe};
use super::registers;
use super::units::Units;
use super::{Arch, EmitError, Text, names};
use crate::check::mask;
use crate::program::{FieldId, Gress, Home, Match, Op, Pattern, Program, Table};

/// The P4 name of a table's action.
pub(crate) fn action_name(table: &Table, action: &str) -> String {
    format!("{}_{}", table.name, safe(action))
}

/// The names of a table's keys, all different: the field's, with its header's where two keys would
/// have one.
pub(crate) fn key_names(program: &Program, table: &Table) -> Vec<String> {
    let name = |field: &FieldId| program.field(*field).name.clone();
    let alike = |name: &str| {
        table.keys.iter().filter(|(field, _)| program.field(*field).name == name).count() > 1
    };
    let keys =
        table.keys.iter().map(|(field, _)| match (name(field), program.field(*field).home) {
            (name, Home::Header(header) | Home::Validity(header)) if alike(&name) => {
                format!("{}_{name}", program.header(header).name)
            }
            (name, _) => name,
        });
    keys.collect()
}

/// Every table with its actions, or its unit.
pub(crate) fn tables(text: &mut Text, scope: &Scope<'_>, units: &Units) -> Result<(), EmitError> {
    let tables = scope.program.tables(scope.gress);
    for instances in tables.chunk_by(|one, next| units.have_table(one) && units.have_table(next)) {
        if instances.iter().any(|table| units.have_table(table)) {
            text.begin(instances[0].name.clone());
            instances.iter().for_each(|table| units.declare(text, table));
            text.end();
            continue;
        }
        let table = &instances[0];
        text.begin(table.name.clone());
        text.begin(format!("{}_actions", table.name));
        text.line(format!("// {}", table.doc));
        for action in &table.actions {
            let params: Vec<_> = action
                .params
                .iter()
                .map(|(name, bits)| format!("bit<{bits}> {}", safe(name)))
                .collect();
            if let (Arch::Tna, Some(access)) = (scope.arch, &action.access) {
                registers::register_action(text, scope, table, action, access);
            }
            text.line(format!(
                "action {}({}) {{",
                action_name(table, &action.name),
                params.join(", ")
            ));
            // bmv2 writes zeros into a header that comes to be there (R-PISA-1).
            let of_validity =
                |op: &&Op| matches!(scope.program.field(op.writes()).home, Home::Validity(_));
            let (first, others): (Vec<_>, Vec<_>) = action.ops.iter().partition(of_validity);
            for op in first {
                text.line(scope.op(op, table, action)?);
            }
            if let Some(access) = &action.access {
                match scope.arch {
                    Arch::V1Model => registers::access(text, scope, action, access),
                    Arch::Tna => registers::execute(text, scope, table, action, access),
                }
            }
            for op in others {
                text.line(scope.op(op, table, action)?);
            }
            text.line("}");
        }
        text.end();
        if !is_call(table) {
            text.begin(format!("{}_table", table.name));
            declaration(text, scope, table);
            text.end();
        }
        text.end();
    }
    Ok(())
}

/// Returns whether a table is nothing but a call of its one action.
fn is_call(table: &Table) -> bool {
    let always = table.otherwise.as_ref().is_some_and(|(_, values)| values.is_empty());
    let [action] = &table.actions[..] else { return false };
    always && table.keys.is_empty() && action.access.is_none()
}

/// Applies a table that stands in no unit.
pub(crate) fn application(table: &Table) -> String {
    match &table.actions[..] {
        [action] if is_call(table) => format!("{}();", action_name(table, &action.name)),
        _ => format!("{}.apply();", table.name),
    }
}

fn declaration(text: &mut Text, scope: &Scope<'_>, table: &Table) {
    text.line(format!("table {} {{", table.name));
    if !table.keys.is_empty() {
        text.line("key = {");
        for ((field, how), name) in table.keys.iter().zip(key_names(scope.program, table)) {
            let how = match how {
                Match::Exact => "exact",
                Match::Ternary => "ternary",
                Match::Prefix => "lpm",
                Match::Range => "range",
            };
            // The control plane finds keys by their names.
            let name = match table.capacity {
                0 => String::new(),
                _ => format!(" @name(\"{name}\")"),
            };
            text.line(format!("{} : {how}{name};", scope.read(*field)));
        }
        text.line("}");
    }
    text.line("actions = {");
    for action in &table.actions {
        text.line(format!("{};", action_name(table, &action.name)));
    }
    if table.otherwise.is_none() {
        text.line("@defaultonly NoAction;");
    }
    text.line("}");
    let default = match &table.otherwise {
        Some((action, values)) => {
            let values: Vec<_> = values.iter().map(|value| number(*value)).collect();
            format!("{}({})", action_name(table, &table.actions[*action].name), values.join(", "))
        }
        None => "NoAction()".into(),
    };
    text.line(format!("const default_action = {default};"));
    if table.entries.is_empty() {
        text.line(format!("size = {};", table.capacity.max(1)));
    } else {
        text.line(format!("{}({})", names::ENTRIES, table.entries.len()));
    }
    let listed = is_listed(table);
    if listed {
        text.line(entry_macro(table));
    }
    if !table.entries.is_empty() {
        text.line("const entries = {");
        let mut entries = Vec::new();
        for entry in &table.entries {
            let keys: Vec<_> = entry
                .patterns
                .iter()
                .zip(&table.keys)
                .map(|(one, (field, how))| pattern(*one, *how, scope.program.field(*field).bits))
                .collect();
            let values: Vec<_> = entry.values.iter().map(|value| number(*value)).collect();
            let action = action_name(table, &table.actions[entry.action].name);
            if listed {
                let name =
                    (table.actions.len() > 1).then(|| safe(&table.actions[entry.action].name));
                let words = [keys, name.into_iter().collect(), values].concat();
                entries.push(format!("{ENTRY}({})", words.join(",")));
                continue;
            }
            let keys =
                if keys.len() == 1 { keys[0].clone() } else { format!("({})", keys.join(", ")) };
            entries.push(format!("{keys} : {action}({});", values.join(", ")));
        }
        text.entries(&table.name, entries);
        text.line("}");
        if listed {
            text.line(format!("#undef {ENTRY}"));
        }
    }
    text.line("}");
}

/// Entries from which a table is a list, whose entries say nothing but their numbers.
const LIST: usize = 64;

/// The macro for an entry of a list, short as C has it: the numbers are what is read.
const ENTRY: &str = "E";

/// Returns whether a table is a list: all its actions take as many values.
fn is_listed(table: &Table) -> bool {
    let values = |action: usize| table.actions[action].params.len();
    table.entries.len() >= LIST
        && table.entries.iter().all(|entry| values(entry.action) == values(0))
}

/// Defines the macro: keys, the action without the table's name if there are several, and values.
fn entry_macro(table: &Table) -> String {
    let keys: Vec<String> = (0..table.keys.len()).map(|at| format!("k{at}")).collect();
    let values: Vec<String> =
        (0..table.actions[0].params.len()).map(|at| format!("v{at}")).collect();
    let (name, action) = match &table.actions[..] {
        [only] => (None, action_name(table, &only.name)),
        _ => (Some("action".to_owned()), format!("{}_##action", table.name)),
    };
    let all = [keys.clone(), name.into_iter().collect(), values.clone()].concat();
    let keys = if keys.len() == 1 { keys[0].clone() } else { format!("({})", keys.join(", ")) };
    format!("#define {ENTRY}({}) {keys} : {action}({});", all.join(", "), values.join(", "))
}

/// A pattern of an entry, in the form that its kind of match wants.
fn pattern(pattern: Pattern, how: Match, bits: u32) -> String {
    match (pattern, how) {
        (Pattern::Any, Match::Range) => format!("0..{}", number(mask(bits))),
        (Pattern::Any, _) => "_".into(),
        (Pattern::Is(value), Match::Range) => format!("{}..{}", number(value), number(value)),
        (Pattern::Is(value), _) => number(value),
        (Pattern::Masked(value, mask), _) => format!("{} &&& {}", number(value), number(mask)),
        (Pattern::Range(low, high), _) => format!("{}..{}", number(low), number(high)),
        (Pattern::Prefix(value, length), _) => {
            format!("{} &&& {}", number(value), number(mask(bits) & !mask(bits - length)))
        }
    }
}

/// The tables in the order in which they are applied, each behind its gates.
pub(crate) fn apply(text: &mut Text, scope: &Scope<'_>, units: &Units) {
    units.macros(text);
    text.line("apply {");
    if (scope.arch, scope.gress) == (Arch::V1Model, Gress::Ingress) {
        text.line("// R-PISA-1: what the parser rejects, or finds too short, is dropped.");
        text.line("if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {");
        text.line("mark_to_drop(standard_metadata);");
        text.line("return;");
        text.line("}");
    }
    let mut tables = scope.program.tables(scope.gress);
    let (mut stage, mut last) = (None, None);
    // Those of one stage that a packet can reach only one of, as a chain of conditions.
    let mut chain: Vec<&Table> = Vec::new();
    while let Some(table) = tables.first() {
        let alike = tables
            .iter()
            .take_while(|other| (other.stage, &other.gates) == (table.stage, &table.gates))
            .count();
        let (group, rest) = tables.split_at(alike);
        tables = rest;
        if stage != Some(table.stage) || !chain.iter().all(|other| other.excludes(table)) {
            if !chain.is_empty() {
                text.line("}");
            }
            chain.clear();
        }
        if stage != Some(table.stage) {
            if stage.is_some() {
                text.end();
            }
            text.begin(format!("stage{}", table.stage));
            // bmv2 runs one lane after the other.
            if last < Some(table.stage) {
                text.line(format!("// Stage {}", table.stage));
            } else if stage > Some(table.stage) {
                text.line(format!("// From stage {} again", table.stage));
            }
            stage = Some(table.stage);
            last = last.max(stage);
        }
        let gates: Vec<_> = table.gates.iter().map(|gate| scope.gate(gate)).collect();
        if !gates.is_empty() {
            match chain[..] {
                [] => text.line(format!("if ({}) {{", gates.join(" && "))),
                [only] if only.complements(table) => text.line("} else {"),
                _ => text.line(format!("}} else if ({}) {{", gates.join(" && "))),
            }
            chain.push(table);
        }
        group.iter().for_each(|table| units.apply(text, table));
    }
    if !chain.is_empty() {
        text.line("}");
    }
    if stage.is_some() {
        text.end();
    }
}
