//! Steps of the control plane for bmv2's command line.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::runtime::{masked, place, range};
use super::tables::action_name;
use super::units::array_path;
use crate::control::Control;
use crate::machine::Replica;
use crate::program::{ArrayId, Match, Pattern, Program};

/// The control plane of a bmv2 that has just started, as commands for `simple_switch_CLI`.
///
/// bmv2 numbers entries and nodes itself, and wants those numbers when they are to go: the lowest
/// that is free, and for an entry how often the number has been given before.
#[derive(Clone, Debug)]
pub struct Commands {
    program: Program,
    /// By table, for each number, the entry that has it.
    entries: BTreeMap<&'static str, Vec<Numbered>>,
    /// For each number, the multicast group of the node that has it.
    nodes: Vec<Option<u16>>,
    /// Words that a job may have written. All others are 0 (R-PISA-5).
    used: BTreeSet<(ArrayId, u32)>,
}

/// A number of an entry.
#[derive(Clone, Debug)]
struct Numbered {
    /// The patterns of the entry that has it; `None` if it is free.
    patterns: Option<Vec<Pattern>>,
    /// Number of entries that have had it before.
    times: u64,
}

impl Commands {
    /// Makes the commands for a switch with this program, of which nothing has been asked yet.
    pub const fn new(program: Program) -> Self {
        Self { program, entries: BTreeMap::new(), nodes: Vec::new(), used: BTreeSet::new() }
    }

    /// The next steps, a command a line.
    ///
    /// # Panics
    /// If a step names a table, an action, an entry or a group that there is not.
    pub fn text(&mut self, controls: &[Control]) -> String {
        let mut text = String::new();
        for control in controls {
            match control {
                Control::Insert { table, patterns, action, values } => {
                    self.insert(&mut text, table, patterns, action, values);
                }
                Control::Remove { table, patterns } => self.remove(&mut text, table, patterns),
                Control::Group { group, replicas } => self.group(&mut text, *group, replicas),
                Control::Dissolve { group } => self.dissolve(&mut text, *group),
                Control::Fill { array, values } => self.fill(&mut text, *array, values),
                Control::Clear { array, first, words } => {
                    self.clear(&mut text, *array, *first..first + words)
                }
            }
        }
        text
    }

    fn insert(
        &mut self,
        text: &mut String,
        name: &'static str,
        patterns: &[Pattern],
        action: &'static str,
        values: &[u64],
    ) {
        let (place, table) = place(&self.program, name);
        let keys: Vec<_> = patterns
            .iter()
            .zip(&table.keys)
            .map(|(one, (field, how))| key(*one, *how, self.program.field(*field).bits))
            .collect();
        let values: Vec<_> = values.iter().map(|value| format!("{value:#x}")).collect();
        let priority =
            if table.keys.iter().all(|(_, how)| *how == Match::Exact) { "" } else { " 1" };
        let action = action_name(table, action);
        let line = format!(
            "table_add {place}.{name} {place}.{action} {} => {}",
            keys.join(" "),
            values.join(" ")
        );
        let _ = writeln!(text, "{}{priority}", line.trim_end());
        let entries = self.entries.entry(name).or_default();
        let patterns = Some(patterns.to_vec());
        match entries.iter_mut().find(|numbered| numbered.patterns.is_none()) {
            Some(free) => *free = Numbered { patterns, times: free.times + 1 },
            None => entries.push(Numbered { patterns, times: 0 }),
        }
    }

    fn remove(&mut self, text: &mut String, name: &'static str, patterns: &[Pattern]) {
        let (place, _) = place(&self.program, name);
        let mut entries = self.entries.get_mut(name).into_iter().flatten().zip(0u64..);
        let found = entries.find(|(numbered, _)| numbered.patterns.as_deref() == Some(patterns));
        let (numbered, number) = found.expect("an entry that is removed was added");
        numbered.patterns = None;
        let _ = writeln!(text, "table_delete {place}.{name} {}", numbered.times << 24 | number);
    }

    fn group(&mut self, text: &mut String, group: u16, replicas: &[Replica]) {
        let _ = writeln!(text, "mc_mgrp_create {group}");
        for replica in replicas {
            let free = self.nodes.iter().position(Option::is_none);
            let node = free.unwrap_or(self.nodes.len());
            self.nodes.resize(self.nodes.len().max(node + 1), None);
            self.nodes[node] = Some(group);
            let _ = writeln!(text, "mc_node_create {} {}", replica.number, replica.port);
            let _ = writeln!(text, "mc_node_associate {group} {node}");
        }
    }

    fn dissolve(&mut self, text: &mut String, group: u16) {
        for (node, of) in self.nodes.iter_mut().enumerate().filter(|(_, of)| **of == Some(group)) {
            *of = None;
            let _ = writeln!(text, "mc_node_dissociate {group} {node}");
            let _ = writeln!(text, "mc_node_destroy {node}");
        }
        let _ = writeln!(text, "mc_mgrp_destroy {group}");
    }

    fn fill(&mut self, text: &mut String, array: ArrayId, values: &[u64]) {
        let (place, name) = array_path(&self.program, array);
        for (word, value) in (0..).zip(values) {
            // The first job finds zeros.
            let fresh = self.used.insert((array, word));
            if !fresh || *value != 0 {
                let _ = writeln!(text, "register_write {place}.{name} {word} {value}");
            }
        }
    }

    fn clear(&mut self, text: &mut String, array: ArrayId, words: std::ops::Range<u32>) {
        let (place, name) = array_path(&self.program, array);
        for word in words {
            // The first job finds zeros.
            if !self.used.insert((array, word)) {
                let _ = writeln!(text, "register_write {place}.{name} {word} 0");
            }
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::programs::switchml::SwitchMl;

    /// The numbers are those that bmv2 1.15 has given: the lowest that is free, times 2^24 for each
    /// entry that has had it before.
    #[test]
    fn what_goes_is_called_by_the_number_that_bmv2_has_given_it() {
        let mut commands = Commands::new(SwitchMl::new(8).program());
        let patterns = |worker| vec![Pattern::Is(1), Pattern::Is(worker)];
        let add = |worker| Control::Insert {
            table: "members",
            patterns: patterns(worker),
            action: "know",
            values: vec![0, 1],
        };
        let remove = |worker| Control::Remove { table: "members", patterns: patterns(worker) };
        let deleted = |text: String| {
            let lines = text
                .lines()
                .filter_map(|line| line.strip_prefix("table_delete SwitchIngress.members "));
            lines.map(|number| number.parse::<u64>().unwrap()).collect::<Vec<_>>()
        };
        let steps: Vec<_> = (0..4)
            .map(add)
            .chain([remove(3), add(3), remove(3), add(7), remove(7), remove(0)])
            .collect();
        assert_eq!(deleted(commands.text(&steps)), [3, 16_777_219, 33_554_435, 0]);
        let group =
            |group, port| Control::Group { group, replicas: vec![Replica { port, number: 0 }] };
        let text =
            commands.text(&[group(1, 4), group(2, 5), Control::Dissolve { group: 1 }, group(3, 6)]);
        assert!(
            text.contains("mc_node_dissociate 1 0\nmc_node_destroy 0\nmc_mgrp_destroy 1\n"),
            "{text}"
        );
        assert!(text.ends_with("mc_node_create 0 6\nmc_node_associate 3 0\n"), "{text}");
    }

    /// R-PISA-5: words that a job may have written are set to 0 for the next, and no others.
    #[test]
    fn a_word_is_cleared_once_it_was_used() {
        let program = SwitchMl::new(8).program();
        let array = program.array_named("last").unwrap();
        let mut commands = Commands::new(program);
        let clear = |first, words| [Control::Clear { array, first, words }];
        assert_eq!(commands.text(&clear(2, 2)), "");
        assert_eq!(commands.text(&clear(3, 2)), "register_write SwitchIngress.reg_last 3 0\n");
    }
}
