//! Actions, tables with their entries, and the order in which they are applied.

use super::expr::{Scope, number, safe};
use super::registers;
use super::units::Units;
use super::{Arch, EmitError, Text};
use crate::check::mask;
use crate::program::{FieldId, Gress, Home, Match, Pattern, Program, Table};

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
    for table in scope.program.tables(scope.gress) {
        if let Some(control) = units.control(table) {
            text.begin(table.name.clone());
            text.line(format!("{control}() {};", table.name));
            text.end();
            continue;
        }
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
            if let Some(access) = &action.access {
                match scope.arch {
                    Arch::V1Model => registers::access(text, scope, action, access),
                    Arch::Tna => registers::execute(text, scope, table, action, access),
                }
            }
            for op in &action.ops {
                text.line(scope.op(op, table, action)?);
            }
            text.line("}");
        }
        text.end();
        text.begin(format!("{}_table", table.name));
        declaration(text, scope, table);
        text.end();
        text.end();
    }
    Ok(())
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
            text.line(format!("{} : {how} @name(\"{name}\");", scope.read(*field)));
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
            let keys =
                if keys.len() == 1 { keys[0].clone() } else { format!("({})", keys.join(", ")) };
            entries.push(format!("{keys} : {action}({});", values.join(", ")));
        }
        text.entries(&table.name, entries);
        text.line("}");
    }
    // Constant entries are all that such a table has; for Tofino that has to be said.
    if table.entries.is_empty() {
        text.line(format!("size = {};", table.capacity.max(1)));
    } else if scope.arch == Arch::Tna {
        text.line(format!("size = {};", table.entries.len()));
    }
    text.line("}");
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
    let mut stage = None;
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
            text.line(format!("// Stage {}", table.stage));
            stage = Some(table.stage);
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
