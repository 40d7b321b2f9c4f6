//! Steps of the control plane for Tofino's shell.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::runtime::{masked, place, range};
use super::tables::{action_name, key_names};
use super::units::array_path;
use crate::control::Control;
use crate::program::{Match, Pattern, Program, Table, Word};

/// The steps as a Python script for Tofino's `bfshell` (BFRuntime). The switch calls the program
/// `name`, as its file is called.
///
/// # Panics
/// If a step names a table or an action that the program does not have.
pub fn bfrt(program: &Program, name: &str, controls: &[Control]) -> String {
    let mut text = format!(
        "# Registers, multicast groups and table entries of {}, in this order, for\n",
        program.name
    );
    text.push_str("# bfshell -b FILE, with the program loaded.\n\n");
    text.push_str("pipe = bfrt.");
    let _ = writeln!(text, "{name}.pipe");
    text.push_str("pre = bfrt.pre\n\n");
    let (mut nodes, mut groups) = (0, BTreeMap::new());
    for control in controls {
        match control {
            Control::Insert { table, patterns, action, values } => {
                let (place, table) = place(program, table);
                let mut arguments = keys(program, table, patterns);
                let found = table.actions.iter().find(|candidate| candidate.name == *action);
                let params = found.map_or(&[][..], |action| &action.params);
                for ((name, _), value) in params.iter().zip(values) {
                    arguments.push(format!("{}={value:#x}", super::expr::safe(name)));
                }
                let action = action_name(table, action);
                let _ = writeln!(
                    text,
                    "pipe.{place}.{}.add_with_{action}({})",
                    table.name,
                    arguments.join(", ")
                );
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
                groups.insert(*group, first..nodes + 1);
                let _ = writeln!(
                    text,
                    "pre.mgid.entry(MGID={group}, MULTICAST_NODE_ID=list(range({first}, {})), MULTICAST_NODE_L1_XID_VALID=[False] * {}, MULTICAST_NODE_L1_XID=[0] * {}).push()",
                    nodes + 1,
                    replicas.len(),
                    replicas.len()
                );
            }
            Control::Remove { table, patterns } => {
                let (place, table) = place(program, table);
                let keys = keys(program, table, patterns).join(", ");
                let _ = writeln!(text, "pipe.{place}.{}.delete({keys})", table.name);
            }
            Control::Dissolve { group } => {
                let _ = writeln!(text, "pre.mgid.delete(MGID={group})");
                for node in groups.remove(group).into_iter().flatten() {
                    let _ = writeln!(text, "pre.node.delete(MULTICAST_NODE_ID={node})");
                }
            }
            Control::Fill { array, values } => {
                let (place, name) = array_path(program, *array);
                let values: Vec<String> = values.iter().map(ToString::to_string).collect();
                let _ = writeln!(text, "for word, value in enumerate([{}]):", values.join(", "));
                let _ = writeln!(text, "    pipe.{place}.{name}.mod(word, value)");
            }
            Control::Clear { array, first, words } => {
                let zeros = if program.array(*array).word == Word::Pair { "0, 0" } else { "0" };
                let (place, name) = array_path(program, *array);
                let _ = writeln!(text, "for word in range({first}, {}):", first + words);
                let _ = writeln!(text, "    pipe.{place}.{name}.mod(word, {zeros})");
            }
        }
    }
    text.push_str("bfrt.complete_operations()\n");
    text
}

/// The keys of an entry, and its priority where it has one: no two entries of the control plane
/// overlap.
fn keys(program: &Program, table: &Table, patterns: &[Pattern]) -> Vec<String> {
    let keys = patterns.iter().zip(&table.keys);
    let mut arguments: Vec<_> = keys
        .zip(key_names(program, table))
        .flat_map(|((one, (field, how)), name)| {
            named(&name, *one, *how, program.field(*field).bits)
        })
        .collect();
    if table.keys.iter().any(|(_, how)| *how != Match::Exact) {
        arguments.push("match_priority=1".into());
    }
    arguments
}

/// A key as BFRuntime's Python takes it.
fn named(name: &str, pattern: Pattern, how: Match, bits: u32) -> Vec<String> {
    let (value, bits_set) = masked(pattern, bits);
    match how {
        Match::Exact => vec![format!("{name}={value:#x}")],
        Match::Ternary => vec![format!("{name}={value:#x}"), format!("{name}_mask={bits_set:#x}")],
        Match::Prefix => {
            vec![format!("{name}={value:#x}"), format!("{name}_p_length={}", bits_set.count_ones())]
        }
        Match::Range => {
            let (low, high) = range(pattern, bits);
            vec![format!("{name}_start={low:#x}"), format!("{name}_end={high:#x}")]
        }
    }
}
