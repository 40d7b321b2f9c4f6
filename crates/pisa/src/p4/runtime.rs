//! Steps of the control plane, for bmv2's command line and for Tofino's shell.

use std::fmt::Write as _;

use super::registers::array_name;
use super::tables::action_name;
use crate::check::mask;
use crate::control::Control;
use crate::program::{Gress, Match, Pattern, Program, Table, Word};

/// Where a table stands: the control and the table.
fn place<'p>(program: &'p Program, name: &str) -> (&'static str, &'p Table) {
    for (gress, control) in [(Gress::Ingress, "Ingress"), (Gress::Egress, "Egress")] {
        if let Some(table) = program.tables(gress).iter().find(|table| table.name == name) {
            return (control, table);
        }
    }
    panic!("the control plane names table `{name}`, which `{}` does not have", program.name)
}

/// The steps as commands for `simple_switch_CLI`, for a switch that has just started: all its registers are 0.
///
/// # Panics
/// If a step names a table or an action that the program does not have.
pub fn commands(program: &Program, controls: &[Control]) -> String {
    let mut text = format!("# Table entries and multicast groups of {} for simple_switch_CLI.\n", program.name);
    text.push_str("# The switch has just started, so that its registers are 0 (R-PISA-5).\n");
    let mut nodes = 0;
    for control in controls {
        match control {
            Control::Insert { table, patterns, action, values } => {
                let (place, table) = place(program, table);
                let keys: Vec<_> = patterns
                    .iter()
                    .zip(&table.keys)
                    .map(|(one, (field, how))| key(*one, *how, program.field(*field).bits))
                    .collect();
                let values: Vec<_> = values.iter().map(|value| format!("{value:#x}")).collect();
                let priority = if table.keys.iter().all(|(_, how)| *how == Match::Exact) { "" } else { " 1" };
                let line = format!(
                    "table_add {place}.{} {place}.{} {} => {}",
                    table.name,
                    action_name(table, action),
                    keys.join(" "),
                    values.join(" ")
                );
                let _ = writeln!(text, "{}{priority}", line.trim_end());
            }
            Control::Group { group, replicas } => {
                let _ = writeln!(text, "mc_mgrp_create {group}");
                for replica in replicas {
                    let _ = writeln!(text, "mc_node_create {} {}", replica.number, replica.port);
                    let _ = writeln!(text, "mc_node_associate {group} {nodes}");
                    nodes += 1;
                }
            }
            Control::Clear { .. } => {}
        }
    }
    text
}

/// A key as bmv2's command line takes it.
fn key(pattern: Pattern, how: Match, bits: u32) -> String {
    let (value, bits_set) = masked(pattern, bits);
    match how {
        Match::Exact => format!("{value:#x}"),
        Match::Ternary => format!("{value:#x}&&&{bits_set:#x}"),
        Match::Prefix => format!("{value:#x}/{}", bits_set.count_ones()),
        Match::Range => {
            let (low, high) = range(pattern, bits);
            format!("{low:#x}->{high:#x}")
        }
    }
}

/// A pattern as a value and a mask.
fn masked(pattern: Pattern, bits: u32) -> (u64, u64) {
    match pattern {
        Pattern::Any => (0, 0),
        Pattern::Is(value) => (value, mask(bits)),
        Pattern::Masked(value, mask) => (value & mask, mask),
        Pattern::Prefix(value, length) => (value, mask(bits) & !mask(bits - length)),
        Pattern::Range(low, _) => (low, mask(bits)),
    }
}

/// A pattern as a first and a last value.
fn range(pattern: Pattern, bits: u32) -> (u64, u64) {
    match pattern {
        Pattern::Range(low, high) => (low, high),
        Pattern::Is(value) => (value, value),
        Pattern::Any | Pattern::Masked(..) | Pattern::Prefix(..) => (0, mask(bits)),
    }
}

/// The steps as a Python script for Tofino's `bfshell` (BFRuntime). The switch calls the program `name`, as its file is called.
///
/// # Panics
/// If a step names a table or an action that the program does not have.
pub fn bfrt(program: &Program, name: &str, controls: &[Control]) -> String {
    let mut text = format!("# Registers, multicast groups and table entries of {}, in this order, for\n", program.name);
    text.push_str("# bfshell -b FILE, with the program loaded.\n\n");
    text.push_str("pipe = bfrt.");
    let _ = writeln!(text, "{name}.pipe");
    text.push_str("pre = bfrt.pre\n\n");
    let mut nodes = 0;
    for control in controls {
        match control {
            Control::Insert { table, patterns, action, values } => {
                let (place, table) = place(program, table);
                let mut arguments = Vec::new();
                for (one, (field, how)) in patterns.iter().zip(&table.keys) {
                    arguments.extend(named(&program.field(*field).name, *one, *how, program.field(*field).bits));
                }
                if table.keys.iter().any(|(_, how)| *how != Match::Exact) {
                    arguments.push("match_priority=1".into());
                }
                let found = table.actions.iter().find(|candidate| candidate.name == *action);
                let params = found.map_or(&[][..], |action| &action.params);
                for ((name, _), value) in params.iter().zip(values) {
                    arguments.push(format!("{}={value:#x}", super::expr::safe(name)));
                }
                let action = action_name(table, action);
                let _ = writeln!(text, "pipe.{place}.{}.add_with_{action}({})", table.name, arguments.join(", "));
            }
            Control::Group { group, replicas } => {
                let first = nodes + 1;
                for replica in replicas {
                    nodes += 1;
                    let _ = writeln!(
                        text,
                        "pre.node.entry(MULTICAST_NODE_ID={nodes}, MULTICAST_RID={}, MULTICAST_LAG_ID=[], DEV_PORT=[{}]).push()",
                        replica.number, replica.port
                    );
                }
                let _ = writeln!(
                    text,
                    "pre.mgid.entry(MGID={group}, MULTICAST_NODE_ID=list(range({first}, {})), MULTICAST_NODE_L1_XID_VALID=[False] * {}, MULTICAST_NODE_L1_XID=[0] * {}).push()",
                    nodes + 1,
                    replicas.len(),
                    replicas.len()
                );
            }
            Control::Clear { array, first, words } => {
                let zeros = if program.array(*array).word == Word::Pair { "0, 0" } else { "0" };
                let name = array_name(program, *array);
                let place = if uses(program, Gress::Ingress, *array) { "Ingress" } else { "Egress" };
                let _ = writeln!(text, "for word in range({first}, {}):", first + words);
                let _ = writeln!(text, "    pipe.{place}.{name}.mod(word, {zeros})");
            }
        }
    }
    text.push_str("bfrt.complete_operations()\n");
    text
}

fn uses(program: &Program, gress: Gress, array: crate::program::ArrayId) -> bool {
    let actions = program.tables(gress).iter().flat_map(|table| &table.actions);
    actions.filter_map(|action| action.access.as_ref()).any(|access| access.array == array)
}

/// A key as BFRuntime's Python takes it.
fn named(name: &str, pattern: Pattern, how: Match, bits: u32) -> Vec<String> {
    let (value, bits_set) = masked(pattern, bits);
    match how {
        Match::Exact => vec![format!("{name}={value:#x}")],
        Match::Ternary => vec![format!("{name}={value:#x}"), format!("{name}_mask={bits_set:#x}")],
        Match::Prefix => vec![format!("{name}={value:#x}"), format!("{name}_p_length={}", bits_set.count_ones())],
        Match::Range => {
            let (low, high) = range(pattern, bits);
            vec![format!("{name}_start={low:#x}"), format!("{name}_end={high:#x}")]
        }
    }
}
