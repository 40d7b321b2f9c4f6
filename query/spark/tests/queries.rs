//! Attempts beside a switch, over UDP on loopback (R-QRY-36).

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use netfold_net::{Switch, SwitchOptions, Token, Totals};
use netfold_num::{ExactFormat, Sum, hash_key};
use netfold_spark::{Attempt, AttemptSpec, Batch, DriverSwitch, Kind, Program, Role, Values};
use netfold_wire::Sums;

const TIMEOUT: Duration = Duration::from_secs(20);
const PARTITIONS: u32 = 4;
const ROWS: u64 = 5000;

/// A row: key, value, and whether the value is NULL.
type Line = (u64, f64, bool);

fn lines(partition: u32) -> Vec<Line> {
    let line = |number| {
        let hash = hash_key(number, partition.into());
        let hard = [0.0, -0.0, f64::NAN, f64::NEG_INFINITY];
        let value = match hash % 50 {
            at @ 0..4 => hard[at as usize],
            _ => (hash >> 8) as i32 as f64 / 256.0,
        };
        (hash >> 40 & 0xff, value, hash.is_multiple_of(31))
    };
    (0..ROWS).map(line).collect()
}

fn driver_switch() -> DriverSwitch {
    DriverSwitch::start("127.0.0.1:0", "localhost", 8 << 20, TIMEOUT).unwrap()
}

/// A switch that runs already, and an application's view of it.
fn switch_elsewhere() -> (Switch, DriverSwitch) {
    let token = Token::new("of the switch").unwrap();
    let options = SwitchOptions {
        memory_bytes: 8 << 20,
        tokens: vec![token.clone()],
        ..SwitchOptions::default()
    };
    let switch = Switch::start(&options).unwrap();
    let address = switch.address().to_string();
    (switch, DriverSwitch::at(&address, Some(token), 8 << 20, TIMEOUT))
}

fn spec(switch: &DriverSwitch, query: u16, partition: u32, attempt: u64) -> AttemptSpec {
    AttemptSpec {
        // As its text, which tasks get.
        place: switch.place(query).unwrap().to_string().parse().unwrap(),
        partition,
        attempt,
        role: Role::Pruned(None),
        keys: false,
        timeout: TIMEOUT,
    }
}

/// Offers all rows of a partition, and returns those that survive.
fn survivors(spec: &AttemptSpec, lines: &[Line]) -> Vec<Line> {
    let mut attempt = Attempt::open(spec).unwrap();
    let mut left = Vec::new();
    for part in lines.chunks(777) {
        let keys: Vec<u64> = part.iter().map(|line| line.0).collect();
        let words: Vec<i64> = part.iter().map(|line| line.1.to_bits() as i64).collect();
        let flags: Vec<u8> = part.iter().map(|line| u8::from(line.2) * Batch::NULL).collect();
        let batch = Batch { keys: &keys, words: &words, flags: &flags };
        let mut bits = vec![0; part.len().div_ceil(64)];
        attempt.offer(&batch, &mut bits).unwrap();
        let here = (0..part.len()).filter(|at| bits[at / 64] >> (at % 64) & 1 == 1);
        left.extend(here.map(|at| part[at]));
    }
    left
}

fn all(of: impl Fn(u32) -> Vec<Line>) -> Vec<Line> {
    (0..PARTITIONS).flat_map(of).collect()
}

/// The largest n values as Spark sorts them, NULL last.
fn top(lines: &[Line], n: usize) -> Vec<String> {
    let mut values: Vec<Option<f64>> =
        lines.iter().map(|line| (!line.2).then_some(line.1)).collect();
    let rank = |value: &Option<f64>| match value {
        None => (0, 0.0),
        Some(x) if x.is_nan() => (2, 0.0),
        Some(x) => (1, *x),
    };
    values.sort_by(|a, b| rank(b).partial_cmp(&rank(a)).unwrap());
    values.truncate(n);
    values.iter().map(|value| format!("{:?}", value.map(|x| x + 0.0))).collect()
}

#[test]
fn the_first_rows_survive() {
    let mut switch = driver_switch();
    // By a matrix, and by thresholds.
    for n in [10, 300, 5000] {
        let kind = Kind::Double;
        let job = switch.admit(Program::Top { n, kind }, PARTITIONS).unwrap();
        let values = Values { kind, descending: true, nulls_first: false, exact: false };
        let left = all(|partition| {
            let spec = AttemptSpec {
                role: Role::Pruned(Some(values)),
                ..spec(&switch, job, partition, 9)
            };
            survivors(&spec, &lines(partition))
        });
        assert_eq!(top(&left, n as usize), top(&all(lines), n as usize));
        let counters = switch.counters(job).unwrap();
        assert_eq!(counters.forwarded, left.len() as u64);
        // The smallest of the first 5000 rows is NULL, so thresholds drop nothing.
        assert!(n == 5000 || left.len() < 2000, "{} survive", left.len());
        // Another attempt of a partition has all of its rows.
        let again = AttemptSpec { role: Role::Pruned(Some(values)), ..spec(&switch, job, 1, 10) };
        assert_eq!(survivors(&again, &lines(1)).len(), lines(1).len());
        switch.release(job);
        assert!(switch.counters(job).is_none());
    }
}

/// R-QRY-12; zeros of both signs go past, since a maximum shows which it was.
#[test]
fn the_largest_of_each_key_survives() {
    let mut switch = driver_switch();
    let program = Program::Extreme { rows: 128, width: 4, exact: true };
    let job = switch.admit(program, PARTITIONS).unwrap();
    let values = Values { kind: Kind::Double, descending: true, nulls_first: false, exact: true };
    let left = all(|partition| {
        let spec = AttemptSpec {
            keys: true,
            role: Role::Pruned(Some(values)),
            ..spec(&switch, job, partition, 1)
        };
        survivors(&spec, &lines(partition))
    });
    let zeros = |lines: &[Line]| lines.iter().filter(|line| line.1 == 0.0 && !line.2).count();
    assert_eq!(zeros(&left), zeros(&all(lines)));
    let largest = |lines: &[Line]| {
        let mut groups: BTreeMap<u64, Vec<Line>> = BTreeMap::new();
        lines.iter().for_each(|line| groups.entry(line.0).or_default().push(*line));
        groups.into_iter().map(|(key, lines)| (key, top(&lines, 1))).collect::<BTreeMap<_, _>>()
    };
    assert_eq!(largest(&left), largest(&all(lines)));
    assert!(left.len() < all(lines).len() / 2, "{} survive", left.len());
}

/// R-QRY-13: nothing is dropped before all partitions have filled the filter.
#[test]
fn a_filter_is_sealed_when_it_is_full() {
    let mut switch = driver_switch();
    let job = switch.admit(Program::Join { words: 1 << 10 }, 1).unwrap();
    let fill = |partition: u32, attempt: u64, ends: bool| {
        let spec =
            AttemptSpec { role: Role::Fills, keys: true, ..spec(&switch, job, partition, attempt) };
        let mut attempt = Attempt::open(&spec).unwrap();
        let keys: Vec<u64> = (0..100).map(|key| key * 3 + u64::from(partition) * 300).collect();
        attempt.send(&Batch { keys: &keys, flags: &[0; 100], ..Batch::default() }).unwrap();
        if ends {
            attempt.finish().unwrap();
        }
    };
    // Each time another partition: only the first attempt of one is pruned.
    let probe = |number: u32| {
        let partition = DriverSwitch::first_probe() + number;
        let spec = AttemptSpec { keys: true, ..spec(&switch, job, partition, 50) };
        let lines: Vec<Line> = (0..600).map(|key| (key, 0.0, false)).collect();
        let left = survivors(&spec, &lines);
        left.into_iter().map(|line| line.0).collect::<BTreeSet<u64>>()
    };
    fill(0, 1, true);
    // A task that dies has not filled its part.
    fill(1, 2, false);
    assert_eq!(probe(0).len(), 600);
    assert_eq!(switch.seal(job).unwrap().wait(Duration::from_millis(1)), None);
    switch.fills(job, 2);
    fill(1, 4, true);
    switch.seal(job).unwrap().wait(Duration::from_secs(20)).expect("it is sealed");
    let sealed = probe(1);
    assert!((0..600).step_by(3).all(|key| sealed.contains(&key)), "no match is lost");
    assert!(sealed.len() < 300, "{} of 600 pass", sealed.len());
}

#[test]
fn a_switch_that_is_silent_drops_nothing() {
    let mut switch = driver_switch();
    let job = switch.admit(Program::Distinct { rows: 16, width: 4 }, 1).unwrap();
    let timeout = Duration::from_millis(50);
    let spec = AttemptSpec { keys: true, timeout, ..spec(&switch, job, 0, 1) };
    // No such query is there any more.
    switch.release(job);
    assert_eq!(switch.place(job), None);
    let mut attempt = Attempt::open(&spec).unwrap();
    let mut bits = [0; 2];
    let batch = Batch { keys: &[5; 66], words: &[], flags: &[0; 66] };
    attempt.offer(&batch, &mut bits).unwrap_err();
    assert_eq!(bits, [u64::MAX, 3]);
}

/// Programs take memory, and give it back.
#[test]
fn a_switch_without_memory_refuses() {
    let mut switch = DriverSwitch::start("127.0.0.1:0", "localhost", 1 << 20, TIMEOUT).unwrap();
    let program = Program::Distinct { rows: 1 << 14, width: 4 };
    let first = switch.admit(program, 1).unwrap();
    let refused = switch.admit(program, 1).unwrap_err();
    assert!(refused.to_string().contains("bytes of switch memory"), "{refused}");
    switch.release(first);
    let second = switch.admit(program, 1).unwrap();
    // One that is retired makes room, and no earlier than that is needed.
    switch.retire(second);
    assert!(switch.place(second).is_some());
    let third = switch.admit(program, 1).unwrap();
    assert_eq!(switch.place(second), None);
    assert!(switch.place(third).is_some());
}

/// A row of sums: key, integer, and a float whose sums are exact in any order.
fn addends(partition: u32) -> Vec<(u64, i64, f64)> {
    let addend = |number| {
        let hash = hash_key(number, u64::from(partition) + 100);
        // More groups than slots, and integers whose sums need more than 64 bits.
        (hash % 3000, i64::MAX - (hash >> 20) as i64, f64::from((hash >> 32) as i16) / 8.0)
    };
    (0..ROWS).map(addend).collect()
}

/// Has the rows of an attempt added, the first so many of them, and ends it if it should.
fn add(switch: &DriverSwitch, job: u16, partition: u32, attempt: u64, rows: usize, ends: bool) {
    let role = Role::Added(2);
    let spec = AttemptSpec { role, keys: true, ..spec(switch, job, partition, attempt) };
    let mut attempt = Attempt::open(&spec).unwrap();
    for part in addends(partition)[..rows].chunks(500) {
        let keys: Vec<u64> = part.iter().map(|row| row.0).collect();
        let words: Vec<i64> = part.iter().flat_map(|row| [row.1, row.2.to_bits() as i64]).collect();
        let flags = vec![0; part.len()];
        attempt.send(&Batch { keys: &keys, words: &words, flags: &flags }).unwrap();
    }
    if ends {
        attempt.finish().unwrap();
    }
}

/// The sums of all rows by key.
fn wanted() -> BTreeMap<u64, (i128, f64)> {
    let mut wanted: BTreeMap<u64, (i128, f64)> = BTreeMap::new();
    for (key, integer, float) in (0..PARTITIONS).flat_map(addends) {
        let (integers, floats) = wanted.entry(key).or_default();
        *integers += i128::from(integer);
        *floats += float;
    }
    wanted
}

fn groups(totals: &Totals) -> BTreeMap<u64, (i128, f64)> {
    let longs = netfold_spark::longs(totals);
    let group = |group: &[i64]| {
        let integer = i128::from(group[2]) << 64 | i128::from(group[1] as u64);
        (group[0] as u64, (integer, f64::from_bits(group[3] as u64)))
    };
    longs.chunks(netfold_spark::longs_of_group(totals)).map(group).collect()
}

/// R-QRY-38: each row is added once, whatever attempts there are, and the totals tell which they
/// are of.
#[test]
fn sums_are_of_one_attempt_of_each_partition() {
    let mut switch = driver_switch();
    let sums = Sums::new(&[Sum::Integer, Sum::Exact(ExactFormat::F64)]).unwrap();
    let program = Program::Sum { rows: 256, width: 4, sums };
    let job = switch.admit(program, PARTITIONS).unwrap();
    let totals = switch.totals(job).unwrap();
    // A task that dies, one that is run again, and one that is run twice.
    add(&switch, job, 0, 1, 1200, false);
    add(&switch, job, 0, 2, ROWS as usize, true);
    add(&switch, job, 1, 3, ROWS as usize, true);
    add(&switch, job, 1, 4, ROWS as usize, true);
    add(&switch, job, 2, 5, ROWS as usize, true);
    assert!(totals.wait(Duration::from_millis(1)).is_none(), "a partition is missing");
    add(&switch, job, 3, 6, ROWS as usize, true);
    let totals = totals.wait(Duration::from_secs(20)).expect("all are committed").unwrap();
    let numbers = [2, 3, 5, 6].map(Attempt::number);
    assert_eq!(totals.mismatch(&numbers), None);
    assert_eq!(totals.mismatch(&[2, 4, 5, 6].map(Attempt::number)), Some(1));
    assert_eq!(totals.mismatch(&numbers[..3]), Some(3));
    assert_eq!(groups(&totals), wanted());
    assert_eq!(groups(&totals).len(), totals.len(), "each group is there once");
    let counters = switch.counters(job).unwrap();
    assert!(counters.forwarded < counters.offered, "the switch adds some");
}

/// R-QRY-39: a switch that runs already does the same, for those who know its token.
#[test]
fn a_switch_elsewhere_adds_and_prunes() {
    let (running, mut switch) = switch_elsewhere();
    let sums = Sums::new(&[Sum::Integer, Sum::Exact(ExactFormat::F64)]).unwrap();
    let job = switch.admit(Program::Sum { rows: 256, width: 4, sums }, PARTITIONS).unwrap();
    let totals = switch.totals(job).unwrap();
    (0..PARTITIONS).for_each(|at| add(&switch, job, at, 1, ROWS as usize, true));
    let totals = totals.wait(TIMEOUT).expect("all are committed").unwrap();
    assert_eq!(groups(&totals), wanted());
    let distinct = switch.admit(Program::Distinct { rows: 128, width: 4 }, PARTITIONS).unwrap();
    let left = all(|partition| {
        let spec = AttemptSpec { keys: true, ..spec(&switch, distinct, partition, 1) };
        survivors(&spec, &lines(partition))
    });
    let keys = |lines: &[Line]| lines.iter().map(|line| line.0).collect::<BTreeSet<u64>>();
    assert_eq!(keys(&left), keys(&all(lines)));
    assert!(left.len() < 2000, "{} survive", left.len());
    let stranger = DriverSwitch::at(&running.address().to_string(), None, 8 << 20, TIMEOUT)
        .admit(Program::Distinct { rows: 128, width: 4 }, 1)
        .unwrap_err();
    assert!(stranger.to_string().contains("NETFOLD_TOKEN"), "{stranger}");
}

/// R-QRY-39: totals of a sum whose switch has gone are an error, not a wait without end; a row that
/// is pruned survives. Another query finds the switch that is there by then.
#[test]
fn a_switch_elsewhere_that_goes_in_mid_query_is_done_without() {
    let (running, mut switch) = switch_elsewhere();
    let address = running.address().to_string();
    let sums = Sums::new(&[Sum::Integer, Sum::Exact(ExactFormat::F64)]).unwrap();
    let sum = Program::Sum { rows: 256, width: 4, sums };
    let job = switch.admit(sum, PARTITIONS).unwrap();
    let totals = switch.totals(job).unwrap();
    let distinct = switch.admit(Program::Distinct { rows: 128, width: 4 }, PARTITIONS).unwrap();
    add(&switch, job, 0, 1, ROWS as usize, true);
    add(&switch, job, 1, 1, 1200, false);
    let timeout = Duration::from_millis(100);
    let late = AttemptSpec { keys: true, timeout, ..spec(&switch, distinct, 0, 1) };
    let mut late = Attempt::open(&late).unwrap();
    let mut bits = [0];
    let batch = Batch { keys: &[5; 64], words: &[], flags: &[0; 64] };
    late.offer(&batch, &mut bits).unwrap();
    assert_eq!(bits, [1], "the first of 64 equal rows survives");
    drop(running);
    let lost = totals.wait(TIMEOUT).expect("an answer in time").unwrap_err();
    assert!(lost.contains("is lost"), "{lost}");
    late.offer(&batch, &mut bits).unwrap_err();
    assert_eq!(bits, [u64::MAX]);
    let nobody = switch.admit(sum, PARTITIONS).unwrap_err();
    assert!(nobody.to_string().contains("no netfold switch answers"), "{nobody}");
    let token = Token::new("of the switch").unwrap();
    let again = SwitchOptions { listen: address, tokens: vec![token], ..SwitchOptions::default() };
    let _running = Switch::start(&again).unwrap();
    let job = switch.admit(sum, PARTITIONS).unwrap();
    let totals = switch.totals(job).unwrap();
    (0..PARTITIONS).for_each(|at| add(&switch, job, at, 1, ROWS as usize, true));
    assert_eq!(groups(&totals.wait(TIMEOUT).unwrap().unwrap()), wanted());
}

/// A sum takes no more of the switch's memory than its share, with fewer groups if need be.
#[test]
fn sums_leave_memory_to_others() {
    let mut switch = driver_switch();
    let sums = Sums::new(&[Sum::Exact(ExactFormat::F64); 7]).unwrap();
    let program = Program::Sum { rows: 1 << 20, width: 8, sums };
    for _ in 0..3 {
        switch.admit(program, 100).unwrap();
    }
}
