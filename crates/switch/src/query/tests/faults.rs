//! Exact answers, whatever packets, tasks and switches are lost (R-QRY-24 to 35).

use std::collections::{BTreeMap, BTreeSet};

use netfold_num::{Comparison, ExactFormat, Sum, hash_key};
use netfold_wire::{
    Predicate, Predicates, Replacement, RowProgram, Steps, Sums, Ties, row_identity,
};
use netfold_worker::rows::MatrixCheck;

use super::cluster::{Cluster, Line, Outcome, Random, Scenario};

const N: usize = 5;

fn programs(seed: u64) -> [RowProgram; 7] {
    let predicate = |comparison, constant| Predicate { column: 0, comparison, constant };
    let (below, above) = (predicate(Comparison::Less, 0), predicate(Comparison::Greater, 150));
    // Either holds.
    let (predicates, truth) = (Predicates::new(&[below, above]).unwrap(), 0b1110);
    let sums = Sums::new(&[Sum::Integer, Sum::Exact(ExactFormat::F32)]).unwrap();
    let (rows, width) = (4, 2);
    [
        RowProgram::Filter { predicates, truth },
        RowProgram::TopThresholds { n: N as u32, width: 8, steps: Steps::Integer },
        RowProgram::TopMatrix { rows: 2, width: 2, seed, ties: Ties::Drop },
        RowProgram::Distinct { rows, width, seed, replacement: Replacement::Lru },
        RowProgram::GroupExtreme { rows, width, seed, ties: Ties::Drop },
        RowProgram::BloomJoin { words: 8, bits: 3, seed, forwards_build: true },
        RowProgram::GroupSum { rows, width, seed, sums },
    ]
}

/// Rows of four partitions: few keys; values are small floats.
fn partitions(random: &mut Random) -> Vec<Vec<Line>> {
    let mut line = || {
        let value = random.below(1 << 20) as f32 / 1024.0;
        (random.below(25), random.below(400) as i64 - 200, value.to_bits().into())
    };
    [90, 0, 55, 130].map(|rows| (0..rows).map(|_| line()).collect()).to_vec()
}

fn top(codes: impl Iterator<Item = i64>) -> Vec<i64> {
    let mut codes: Vec<i64> = codes.collect();
    codes.sort_unstable_by(|a, b| b.cmp(a));
    codes.truncate(N);
    codes
}

fn largest<'a>(lines: impl Iterator<Item = &'a Line>) -> BTreeMap<u64, i64> {
    lines.fold(BTreeMap::new(), |mut all, (key, code, _)| {
        let known = all.entry(*key).or_insert(*code);
        *known = (*code).max(*known);
        all
    })
}

/// Sums by group, from all rows: f32 of 10 fractional bits are exact in units of 2^-10.
fn sums<'a>(lines: impl Iterator<Item = &'a Line>) -> BTreeMap<u64, (i128, i128)> {
    lines.fold(BTreeMap::new(), |mut all, (key, code, value)| {
        let known = all.entry(*key).or_default();
        known.0 += i128::from(*code);
        known.1 += (f64::from(f32::from_bits(*value as u32)) * 1024.0) as i128;
        all
    })
}

/// The same from survivors and slots.
fn sums_of(outcome: &Outcome) -> BTreeMap<u64, (i128, i128)> {
    let kinds = [Sum::Integer, Sum::Exact(ExactFormat::F32)];
    let mut groups: BTreeMap<u64, [Vec<u64>; 2]> = BTreeMap::new();
    let zero = || kinds.map(|sum| vec![0; sum.words()]);
    for (_, _, (key, code, value)) in &outcome.rows {
        let group = groups.entry(*key).or_insert_with(zero);
        kinds[0].add(&mut group[0], *code);
        kinds[1].add(&mut group[1], *value);
    }
    for (key, words) in &outcome.slots {
        let group = groups.entry(*key).or_insert_with(zero);
        kinds[0].merge(&mut group[0], &words[..2]);
        kinds[1].merge(&mut group[1], &words[2..]);
    }
    let sum = |group: &[Vec<u64>; 2]| {
        let float = kinds[1].to_f64(&group[1]) * 1024.0;
        (kinds[0].to_i128(&group[0]).unwrap(), float as i128)
    };
    groups.iter().map(|(key, group)| (*key, sum(group))).collect()
}

/// The first columns are those of a sum: its code is an integer, its value an f32.
fn check(program: &RowProgram, outcome: Outcome, all: &[Vec<Line>], build: usize, seed: u64) {
    let lines = || all.iter().flatten();
    let rows = || outcome.rows.iter().map(|row| &row.2);
    match program {
        RowProgram::Filter { .. } => {
            let is_one = |line: &Line| line.1 < 0 || line.1 > 150;
            let mut wanted: Vec<Line> = lines().copied().filter(is_one).collect();
            let mut found: Vec<Line> = rows().copied().filter(is_one).collect();
            wanted.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, wanted, "seed {seed}");
        }
        RowProgram::TopThresholds { .. } => {
            assert_eq!(top(rows().map(|row| row.1)), top(lines().map(|row| row.1)), "seed {seed}");
        }
        RowProgram::TopMatrix { .. } => {
            let mut check = MatrixCheck::new(program, N).unwrap();
            for (partition, number, line) in &outcome.rows {
                check.note(row_identity(*partition, *number), line.1);
            }
            if outcome.mixed {
                check.note_mixed();
            }
            let mut codes: Vec<i64> = rows().map(|row| row.1).collect();
            if let Some(recall) = check.recall() {
                let known: BTreeSet<(u32, u64)> =
                    outcome.rows.iter().map(|row| (row.0, row.1)).collect();
                for (partition, order) in &outcome.attempts {
                    for (number, line) in (0..).zip(order) {
                        let identity = row_identity(*partition, number);
                        if !known.contains(&(*partition, number)) && recall.wants(identity, line.1)
                        {
                            codes.push(line.1);
                        }
                    }
                }
            }
            assert_eq!(top(codes.into_iter()), top(lines().map(|row| row.1)), "seed {seed}");
        }
        RowProgram::Distinct { .. } => {
            let keys: BTreeSet<u64> = rows().map(|row| row.0).collect();
            assert_eq!(keys, lines().map(|row| row.0).collect(), "seed {seed}");
        }
        RowProgram::GroupExtreme { .. } => {
            assert_eq!(largest(rows()), largest(lines()), "seed {seed}");
        }
        RowProgram::BloomJoin { .. } => {
            let (builds, probes) = all.split_at(build);
            let keys: BTreeSet<u64> = builds.iter().flatten().map(|row| row.0).collect();
            let mut wanted: Vec<Line> = probes.iter().flatten().copied().collect();
            wanted.retain(|row| keys.contains(&row.0));
            let of_probe = outcome.rows.iter().filter(|row| row.0 as usize >= build);
            let mut found: Vec<Line> = of_probe.map(|row| row.2).collect();
            found.retain(|row| keys.contains(&row.0));
            wanted.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, wanted, "seed {seed}");
        }
        _ => assert_eq!(sums_of(&outcome), sums(lines()), "seed {seed}"),
    }
}

/// The programs, each for attempts whose rows stay at the worker: no recall, and no sums.
fn programs_for_verdicts(seed: u64) -> impl Iterator<Item = RowProgram> {
    programs(seed).into_iter().filter_map(move |program| match program {
        RowProgram::GroupSum { .. } => None,
        RowProgram::TopMatrix { .. } => {
            Some(RowProgram::TopMatrix { rows: 1, width: N as u16, seed, ties: Ties::Keep })
        }
        other => Some(other),
    })
}

/// Faults of a run.
#[derive(Clone, Copy, Default)]
struct Faults {
    loss: u64,
    kills: u64,
    failover: bool,
    verdicts: bool,
}

fn run(seeds: std::ops::Range<u64>, faults: Faults) {
    let mut pruned = 0;
    for seed in seeds {
        let programs: Vec<RowProgram> = match faults.verdicts {
            false => programs(hash_key(seed, 3)).into(),
            true => programs_for_verdicts(hash_key(seed, 3)).collect(),
        };
        for program in programs {
            let mut random = Random::new(seed);
            let partitions = partitions(&mut random);
            let join = matches!(program, RowProgram::BloomJoin { .. });
            let build = if join { 2 } else { 0 };
            let all = partitions.clone();
            let Faults { loss, kills, failover, verdicts } = faults;
            let failover = failover && seed % 2 == 0;
            let scenario = Scenario { program, partitions, build, loss, kills, failover, verdicts };
            let outcome = Cluster::new(scenario, seed).run();
            pruned += 275 - outcome.rows.len().min(275);
            check(&program, outcome, &all, build, seed);
        }
    }
    assert!(pruned > 0, "the switch has pruned or absorbed some rows");
}

#[test]
fn answers_are_exact_on_a_network_without_faults() {
    run(0..4, Faults::default());
}

#[test]
fn answers_are_exact_when_packets_are_lost_repeated_and_reordered() {
    run(100..130, Faults { loss: 10, ..Faults::default() });
}

#[test]
fn answers_are_exact_when_tasks_are_killed_and_run_twice() {
    run(200..240, Faults { loss: 5, kills: 6, ..Faults::default() });
}

#[test]
fn answers_are_exact_when_the_switch_is_lost() {
    run(300..330, Faults { loss: 5, kills: 4, failover: true, ..Faults::default() });
}

/// R-QRY-36: the engine takes any attempt, loses what it took, and does without the switch.
#[test]
fn answers_are_exact_when_rows_stay_at_the_workers() {
    run(400..440, Faults { loss: 10, kills: 8, verdicts: true, ..Faults::default() });
    run(500..530, Faults { loss: 5, kills: 4, failover: true, verdicts: true });
}
