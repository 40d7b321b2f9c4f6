//! The stages that a compiler chooses: each table as early as its dependencies and the budgets of a
//! stage allow (R-PISA-41).
//!
//! The programs say themselves which stage a table is in, and the interpreter holds them to it. A
//! compiler reads dependencies and gates alone. Its placement is modelled here by list scheduling:
//! stage by stage, of the tables that may be in it those first that the longest chain follows.

use std::collections::BTreeSet;

use crate::check::{reads, writes};
use crate::program::{ArrayId, Gress, Program, Table};
use crate::target::{Limits, Target};
use crate::usage::{NOMINAL, StageUsage, stage_usage};

/// Numbers of stages that have tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stages {
    /// Those with tables of ingress.
    pub ingress: usize,
    /// Those with tables of egress, among the same stages.
    pub egress: usize,
    /// The stages up to the last that has a table.
    pub last: usize,
}

impl Stages {
    /// Counts the stages that a program says.
    pub fn of(program: &Program) -> Self {
        let stages = |gress: Gress| -> BTreeSet<usize> {
            program.tables(gress).iter().map(|table| table.stage).collect()
        };
        let (ingress, egress) = (stages(Gress::Ingress), stages(Gress::Egress));
        let last = ingress.iter().chain(&egress).max().map_or(0, |last| last + 1);
        Self { ingress: ingress.len(), egress: egress.len(), last }
    }
}

/// Tables that use the same arrays, and so belong to one stage.
struct Group {
    tables: Vec<usize>,
    /// Groups that have to be placed, and how many stages before this one.
    after: Vec<(usize, usize)>,
    /// Stages of the longest chain that follows.
    height: usize,
}

/// Returns the program with each table in the stage that a compiler chooses, whether the target has
/// it or not.
pub fn scheduled(program: &Program, target: &Target) -> Program {
    let limits = target.limits.unwrap_or(NOMINAL);
    let tables: Vec<&Table> = program.ingress.iter().chain(&program.egress).collect();
    let groups = groups(program, &tables);
    let mut stages: Vec<Option<usize>> = vec![None; groups.len()];
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|group| std::cmp::Reverse(groups[*group].height));
    let mut stage = 0;
    while stages.iter().any(Option::is_none) {
        let mut inside: Vec<usize> = Vec::new();
        // A table that only has to stay behind a reader may follow it into the same stage.
        while let Some(group) = order.iter().copied().find(|group| {
            let ready = |(before, distance): &(usize, usize)| {
                stages[*before].is_some_and(|at| at + distance <= stage)
            };
            let joined = || [&inside[..], &groups[*group].tables].concat();
            stages[*group].is_none()
                && groups[*group].after.iter().all(ready)
                // What no stage can hold has one alone.
                && (inside.is_empty() || limits.beyond(&usage(program, &joined(), &limits)).is_none())
        }) {
            stages[group] = Some(stage);
            inside.extend(&groups[group].tables);
        }
        stage += 1;
    }
    let mut placed = program.clone();
    let all = placed.ingress.iter_mut().chain(&mut placed.egress);
    for (at, table) in all.enumerate() {
        let group = groups.iter().position(|group| group.tables.contains(&at));
        table.stage = group.and_then(|group| stages[group]).unwrap_or(table.stage);
    }
    placed
}

/// Returns the budgets of a stage that these tables use. Tables of ingress have the first numbers.
/// Ingress and egress have VLIW words of their own.
fn usage(program: &Program, numbers: &[usize], limits: &Limits) -> StageUsage {
    let (ingress, egress): (Vec<_>, Vec<_>) = program
        .ingress
        .iter()
        .chain(&program.egress)
        .enumerate()
        .filter(|(at, _)| numbers.contains(at))
        .partition(|(at, _)| *at < program.ingress.len());
    let of = |tables: &[(usize, &Table)]| {
        let tables: Vec<_> = tables.iter().map(|(_, table)| *table).collect();
        stage_usage(program, &tables, limits)
    };
    let vliw_slots = of(&ingress).vliw_slots.max(of(&egress).vliw_slots);
    StageUsage { vliw_slots, ..of(&[ingress, egress].concat()) }
}

fn arrays(table: &Table) -> impl Iterator<Item = ArrayId> {
    table.actions.iter().filter_map(|action| action.access.as_ref()).map(|access| access.array)
}

fn groups(program: &Program, tables: &[&Table]) -> Vec<Group> {
    // Tables of one array say the same stage; a table has at most one array.
    let mut groups: Vec<Group> = Vec::new();
    let mut group_of = Vec::new();
    for (at, table) in tables.iter().enumerate() {
        let shares = |group: &Group| {
            group.tables.iter().any(|other| {
                arrays(tables[*other]).any(|array| arrays(table).any(|other| other == array))
            })
        };
        let group = groups.iter().position(shares).unwrap_or_else(|| {
            groups.push(Group { tables: Vec::new(), after: Vec::new(), height: 0 });
            groups.len() - 1
        });
        groups[group].tables.push(at);
        group_of.push(group);
    }
    let starts = [0, program.ingress.len()];
    for (gress, start) in [Gress::Ingress, Gress::Egress].into_iter().zip(starts) {
        for (later, earlier, distance) in dependencies(program.tables(gress)) {
            let (later, earlier) = (group_of[start + later], group_of[start + earlier]);
            if later != earlier {
                groups[later].after.push((earlier, distance));
            }
        }
    }
    heights(&mut groups);
    groups
}

/// Numbers of tables, the later one first, and of the stages between them.
fn dependencies(tables: &[Table]) -> Vec<(usize, usize, usize)> {
    let mut found = Vec::new();
    let all: Vec<_> = tables.iter().map(|table| (reads(table), writes(table))).collect();
    for (later, (reads, writes)) in all.iter().enumerate() {
        for (earlier, (reads_before, writes_before)) in all[..later].iter().enumerate() {
            // Gates are compared within a stage of the program, where they are written as one chain
            // of conditions.
            let (table, before) = (&tables[later], &tables[earlier]);
            let apart = table.stage == before.stage && table.excludes(before);
            let needs = |field| reads.contains(field) || writes.contains(field);
            if !apart && writes_before.iter().any(needs) {
                found.push((later, earlier, 1));
            } else if reads_before.iter().any(|field| writes.contains(field)) {
                found.push((later, earlier, 0));
            }
        }
    }
    found
}

fn heights(groups: &mut [Group]) {
    // As often as a chain can have links.
    for _ in 0..groups.len() {
        let mut raised = false;
        for group in 0..groups.len() {
            for (before, distance) in groups[group].after.clone() {
                let height = groups[group].height + distance;
                if groups[before].height < height {
                    groups[before].height = height;
                    raised = true;
                }
            }
        }
        if !raised {
            return;
        }
    }
}
