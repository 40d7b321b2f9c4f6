//! Queries over UDP on loopback (R-QRY).

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use netfold_net::{
    Epoch, Error, Integrity, JobId, MasterConfig, MasterEvent, QueryMaster, QuerySender, QuerySpec,
    QueryTerms, RemoteQuery, Report, SenderConfig, Switch, SwitchOptions, Token, Totals, WorkerId,
};
use netfold_num::{Sum, hash_key};
use netfold_wire::{QueryKind, QueryRepr, RowProgram, Steps, Sums, Ties};

const PARTITIONS: u32 = 3;
const ROWS: u64 = 20_000;
const DATAGRAM_BYTES: u32 = 1400;
const TIMEOUT: Duration = Duration::from_secs(20);

/// A row's key and value.
fn row(partition: u32, number: u64) -> (u64, i64) {
    let hash = hash_key(number, partition.into());
    (hash % 1000, (hash >> 40) as i64)
}

/// A slot's key, and its accumulators.
type Slot = (u64, Vec<u64>);

/// Runs a query, and returns all survivors and slots.
fn run(program: RowProgram) -> (Vec<(u64, i64)>, Vec<Slot>) {
    let switch = Switch::start(&SwitchOptions::default()).unwrap();
    let shard = switch.shard_addresses()[0];
    let (job, epoch, integrity) = (JobId(7), Epoch(1), Integrity::Token([3; 16]));
    let master = MasterConfig {
        job,
        epoch,
        partitions: PARTITIONS,
        sum_words: match program {
            RowProgram::GroupSum { sums, .. } => sums.words(),
            _ => 0,
        },
        rto_us: 20_000,
        memory_bytes: 1 << 30,
        integrity,
    };
    let mut master = QueryMaster::open(shard, master).unwrap();
    let spec = QuerySpec {
        job,
        epoch,
        workers: 2,
        partitions: PARTITIONS,
        // A sum's attempt that finds no table passes.
        attempts: PARTITIONS as u16,
        datagram_bytes: DATAGRAM_BYTES,
        program,
        integrity,
    };
    switch.admit_query(spec.clone(), master.address().unwrap()).unwrap();
    switch.admit_query(spec, master.address().unwrap()).expect_err("it is there already");
    let workers: Vec<_> = (0..PARTITIONS)
        .map(|partition| thread::spawn(move || stream(shard, attempt(partition, false), partition)))
        .collect();
    let (mut rows, mut slots) = (Vec::new(), Vec::new());
    let mut over = false;
    while !over {
        match master.next_event(TIMEOUT).unwrap().expect("an event in time") {
            MasterEvent::Committed { survivors, slots: more, .. } => {
                for packet in survivors {
                    rows.extend(packet.keys.iter().copied().zip(packet.columns[0].clone()));
                }
                slots.extend(more);
            }
            MasterEvent::Done { slots: more } => {
                slots.extend(more);
                over = true;
            }
            event => panic!("{event:?} is of no such query"),
        }
    }
    // Acknowledgements of the last packets may be lost: workers ask again.
    while workers.iter().any(|worker| !worker.is_finished()) {
        assert_eq!(master.next_event(Duration::from_millis(5)).unwrap(), None);
    }
    workers.into_iter().for_each(|worker| worker.join().unwrap());
    let offered = switch.query_counters(job, epoch).unwrap().offered;
    assert_eq!(offered, ROWS * u64::from(PARTITIONS), "each row is offered once");
    switch.release_query(job, epoch);
    assert_eq!(switch.query_counters(job, epoch), None);
    (rows, slots.into_iter().map(|slot| (slot.key, slot.accumulators)).collect())
}

fn attempt(partition: u32, verdicts: bool) -> SenderConfig {
    SenderConfig {
        job: JobId(7),
        epoch: Epoch(1),
        worker: WorkerId((partition % 2) as u16),
        partition,
        attempt: 1,
        build: false,
        verdicts,
        keys: true,
        columns: 1,
        datagram_bytes: DATAGRAM_BYTES,
        window: 32,
        rto_us: 20_000,
        integrity: Integrity::Token([3; 16]),
    }
}

fn stream(shard: SocketAddr, config: SenderConfig, partition: u32) {
    let mut sender = QuerySender::open(shard, config, TIMEOUT).unwrap();
    for first in (0..ROWS).step_by(777) {
        let rows = (first..(first + 777).min(ROWS)).map(|number| row(partition, number));
        let (keys, values): (Vec<u64>, Vec<i64>) = rows.unzip();
        sender.send(&keys, &[&values]).unwrap();
    }
    let counters = sender.finish().unwrap();
    assert_eq!(counters.rows, ROWS);
}

fn all_rows() -> impl Iterator<Item = (u64, i64)> {
    (0..PARTITIONS).flat_map(|partition| (0..ROWS).map(move |number| row(partition, number)))
}

#[test]
fn the_largest_rows_come_through() {
    let (rows, _) = run(RowProgram::TopThresholds { n: 10, width: 16, steps: Steps::Integer });
    let top = |rows: &mut dyn Iterator<Item = (u64, i64)>| {
        let mut values: Vec<i64> = rows.map(|row| row.1).collect();
        values.sort_unstable_by(|a, b| b.cmp(a));
        values.truncate(10);
        values
    };
    assert_eq!(top(&mut rows.iter().copied()), top(&mut all_rows()));
    assert!(rows.len() < all_rows().count(), "some were pruned");
}

#[test]
fn sums_come_through_once() {
    let sums = Sums::new(&[Sum::Integer]).unwrap();
    let (rows, slots) = run(RowProgram::GroupSum { rows: 128, width: 4, seed: 9, sums });
    assert!(!slots.is_empty() && rows.len() < 60_000, "some were absorbed");
    let mut found: BTreeMap<u64, i128> = BTreeMap::new();
    for (key, value) in rows {
        *found.entry(key).or_default() += i128::from(value);
    }
    for (key, words) in slots {
        *found.entry(key).or_default() += Sum::Integer.to_i128(&words).unwrap();
    }
    let mut wanted: BTreeMap<u64, i128> = BTreeMap::new();
    for (key, value) in all_rows() {
        *wanted.entry(key).or_default() += i128::from(value);
    }
    assert_eq!(found, wanted);
}

/// R-QRY-36: without a master; a switch that is silent drops nothing.
#[test]
fn rows_that_stay_are_told_which_survive() {
    let switch = Switch::start(&SwitchOptions::default()).unwrap();
    let shard = switch.shard_addresses()[0];
    let (n, seed) = (10, 5);
    let spec = QuerySpec {
        job: JobId(7),
        epoch: Epoch(1),
        workers: 2,
        partitions: PARTITIONS,
        attempts: 0,
        datagram_bytes: DATAGRAM_BYTES,
        program: RowProgram::TopMatrix { rows: 1, width: n, seed, ties: Ties::Keep },
        integrity: Integrity::Token([3; 16]),
    };
    switch.admit_query(spec, None).unwrap();
    let mut top = Vec::new();
    for partition in 0..PARTITIONS {
        let mut sender = QuerySender::open(shard, attempt(partition, true), TIMEOUT).unwrap();
        for first in (0..ROWS).step_by(1777) {
            let rows = (first..(first + 1777).min(ROWS)).map(|number| row(partition, number));
            let (keys, values): (Vec<u64>, Vec<i64>) = rows.unzip();
            let mut bits = vec![0; keys.len().div_ceil(64)];
            sender.offer(&keys, &[&values], &mut bits).unwrap();
            let survives = |at: &usize| bits[at / 64] >> (at % 64) & 1 == 1;
            top.extend((0..keys.len()).filter(survives).map(|at| values[at]));
        }
        sender.offer(&[], &[&[]], &mut []).unwrap();
    }
    assert!(top.len() < 1000, "{} of 60000 rows in random order survive", top.len());
    let largest = |mut values: Vec<i64>| {
        values.sort_unstable_by(|a, b| b.cmp(a));
        values.truncate(n.into());
        values
    };
    assert_eq!(largest(top), largest(all_rows().map(|row| row.1).collect()));

    let mut late = QuerySender::open(shard, attempt(0, true), Duration::from_millis(50)).unwrap();
    drop(switch);
    let mut bits = [0; 2];
    late.offer(&[1; 70], &[&[i64::MIN; 70]], &mut bits).unwrap_err();
    assert_eq!(bits, [u64::MAX, 0x3f], "all of 70 rows survive");
}

/// The queries that a switch tells of: their programs and the rows that were offered.
fn told(switch: &Switch) -> Vec<(String, u64)> {
    let asked =
        netfold_net::query(&switch.address().to_string(), netfold_net::Query::Stats, TIMEOUT);
    let Report::Stats(stats) = asked.unwrap() else { panic!("another report") };
    let told = |query: netfold_management::QueryReport| (query.program, query.counters["offered"]);
    stats.queries.into_iter().map(told).collect()
}

/// R-CTRL-24: a query of another program, with a master, from its admission to its end.
#[test]
fn a_switch_elsewhere_adds_for_whoever_knows_its_token() {
    let token = Token::new("secret").unwrap();
    let options = SwitchOptions { tokens: vec![token.clone()], ..SwitchOptions::default() };
    let switch = Switch::start(&options).unwrap();
    let address = switch.address().to_string();
    let sums = Sums::new(&[Sum::Integer]).unwrap();
    let terms = QueryTerms {
        program: RowProgram::GroupSum { rows: 128, width: 4, seed: 9, sums },
        workers: 2,
        partitions: PARTITIONS,
        attempts: PARTITIONS as u16,
        datagram_bytes: DATAGRAM_BYTES,
    };
    let strangers = [None, Some(Token::new("another").unwrap())];
    for stranger in &strangers {
        let refused = RemoteQuery::admit(&address, stranger.as_ref(), &terms, TIMEOUT);
        let error = refused.err().expect("it is refused").to_string();
        assert!(error.contains("NETFOLD_TOKEN"), "{error}");
    }
    let huge = RowProgram::GroupSum { rows: 1 << 30, width: 255, seed: 9, sums };
    let huge = QueryTerms { program: huge, ..terms.clone() };
    let refused = RemoteQuery::admit(&address, Some(&token), &huge, TIMEOUT).err().unwrap();
    assert!(refused.to_string().contains("bytes of switch memory"), "{refused}");
    let admitted = RemoteQuery::admit_with_master(&address, Some(&token), &terms, TIMEOUT, 1 << 30);
    let (query, mut master) = admitted.unwrap();
    let sender = |partition| SenderConfig {
        job: query.job(),
        epoch: query.epoch(),
        integrity: query.integrity(),
        ..attempt(partition, false)
    };
    let workers: Vec<_> = (0..PARTITIONS)
        .map(|partition| (query.shard(), sender(partition), partition))
        .map(|(shard, config, partition)| thread::spawn(move || stream(shard, config, partition)))
        .collect();
    let mut totals = BTreeMap::new();
    let mut add = |key: u64, value: i128| *totals.entry(key).or_insert(0) += value;
    let mut over = false;
    while !over {
        let event = master.next_event(TIMEOUT).unwrap().expect("an event in time");
        let (survivors, slots) = match event {
            MasterEvent::Committed { survivors, slots, .. } => (survivors, slots),
            MasterEvent::Done { slots } => {
                over = true;
                (vec![], slots)
            }
            event => panic!("{event:?} is of no such query"),
        };
        for packet in survivors {
            for (key, value) in packet.keys.iter().zip(&packet.columns[0]) {
                add(*key, (*value).into());
            }
        }
        for slot in slots {
            let [low, high] = slot.accumulators[..] else { panic!("two words") };
            add(slot.key, i128::from(low) | i128::from(high as i64) << 64);
        }
    }
    while workers.iter().any(|worker| !worker.is_finished()) {
        assert_eq!(master.next_event(Duration::from_millis(5)).unwrap(), None);
    }
    workers.into_iter().for_each(|worker| worker.join().unwrap());
    let mut expected = BTreeMap::new();
    all_rows().for_each(|(key, value)| *expected.entry(key).or_insert(0) += i128::from(value));
    assert_eq!(totals, expected);
    assert_eq!(told(&switch), [("group-sum".to_owned(), ROWS * u64::from(PARTITIONS))]);
    let place = (query.job(), query.epoch());
    drop(query);
    assert_eq!(switch.query_counters(place.0, place.1), None, "it is forgotten at once");
    assert_eq!(told(&switch), []);
}

/// R-CTRL-24: the client learns that the switch is gone, and its sender does not wait for ever.
#[test]
fn a_switch_elsewhere_that_goes_is_missed() {
    let switch = Switch::start(&SwitchOptions::default()).unwrap();
    let address = switch.address().to_string();
    let terms = QueryTerms {
        program: RowProgram::TopMatrix { rows: 4, width: 16, seed: 5, ties: Ties::Drop },
        workers: 2,
        partitions: PARTITIONS,
        attempts: 0,
        datagram_bytes: DATAGRAM_BYTES,
    };
    let query = RemoteQuery::admit(&address, None, &terms, TIMEOUT).unwrap();
    let config = SenderConfig {
        job: query.job(),
        epoch: query.epoch(),
        integrity: query.integrity(),
        ..attempt(0, true)
    };
    let patience = Duration::from_millis(200);
    let mut sender = QuerySender::open(query.shard(), config, patience).unwrap();
    let (keys, values): (Vec<u64>, Vec<i64>) = (0..500).map(|number| row(0, number)).unzip();
    let mut bits = [0; 8];
    sender.offer(&keys, &[&values], &mut bits).unwrap();
    assert!(bits.iter().map(|word| word.count_ones()).sum::<u32>() < 500, "some were pruned");
    assert!(!query.is_lost());
    drop(switch);
    while !query.is_lost() {
        thread::yield_now();
    }
    let silent = sender.offer(&keys, &[&values], &mut bits);
    assert!(matches!(silent, Err(Error::Timeout { .. })), "{silent:?}");
    assert_eq!(bits.iter().map(|word| word.count_ones()).sum::<u32>(), 500, "all rows survive");
    let error = RemoteQuery::admit(&address, None, &terms, TIMEOUT).err().unwrap().to_string();
    assert!(error.contains("no netfold switch answers"), "{error}");
}

/// R-QRY-39: a standby has the query when the first switch does not answer. One that refuses has
/// answered.
#[test]
fn a_standby_is_asked_when_the_switch_is_gone() {
    let token = Token::new("secret").unwrap();
    let options = SwitchOptions { tokens: vec![token.clone()], ..SwitchOptions::default() };
    let (first, standby) = (Switch::start(&options).unwrap(), Switch::start(&options).unwrap());
    let list = format!("{}, {}", first.address(), standby.address());
    let terms = QueryTerms {
        program: RowProgram::TopMatrix { rows: 4, width: 16, seed: 5, ties: Ties::Drop },
        workers: 2,
        partitions: PARTITIONS,
        attempts: 0,
        datagram_bytes: DATAGRAM_BYTES,
    };
    let ask = |token: &Token| RemoteQuery::admit(&list, Some(token), &terms, TIMEOUT);
    let query = ask(&token).unwrap();
    assert_eq!((told(&first).len(), told(&standby).len()), (1, 0));
    drop(query);
    let stranger = Token::new("another").unwrap();
    let refused = ask(&stranger).err().expect("it is refused").to_string();
    assert!(refused.contains("NETFOLD_TOKEN"), "{refused}");
    drop(first);
    let query = ask(&token).unwrap();
    assert_eq!(query.shard(), standby.shard_addresses()[0]);
    assert_eq!(told(&standby).len(), 1);
    drop((query, standby));
    let error = ask(&token).err().expect("nobody answers").to_string();
    assert!(error.contains("no netfold switch answers"), "{error}");
    assert!(error.contains(list.split(',').next().unwrap()), "{error}");
}

/// R-QRY-39: the master of a sum gives up when the switch owes it an answer for the time-out, also
/// where the connection of the query is still there. It does not while a worker has nothing to say.
#[test]
fn a_master_gives_up_on_a_silent_switch() {
    let token = Token::new("secret").unwrap();
    let options = SwitchOptions { tokens: vec![token.clone()], ..SwitchOptions::default() };
    let switch = Switch::start(&options).unwrap();
    let sums = Sums::new(&[Sum::Integer]).unwrap();
    let terms = QueryTerms {
        program: RowProgram::GroupSum { rows: 16, width: 2, seed: 9, sums },
        workers: 2,
        partitions: PARTITIONS,
        attempts: 1,
        datagram_bytes: DATAGRAM_BYTES,
    };
    let address = switch.address().to_string();
    let admitted = RemoteQuery::admit_with_master(&address, Some(&token), &terms, TIMEOUT, 1 << 20);
    let (query, master) = admitted.unwrap();
    let query = Arc::new(query);
    let port = master.address().unwrap().port();
    let timeout = Duration::from_millis(300);
    let (sender, receiver) = mpsc::channel();
    let its = Arc::downgrade(&query);
    let adding = thread::spawn(move || {
        let totals = Totals::new(sums, PARTITIONS);
        master.add(&its, totals, 1 << 20, timeout, |done| sender.send(done).unwrap());
    });
    let quiet = receiver.recv_timeout(3 * timeout);
    assert!(matches!(quiet, Err(mpsc::RecvTimeoutError::Timeout)), "nothing is owed: {quiet:?}");
    switch.release_query(query.job(), query.epoch());
    let fin = QueryRepr {
        forwarded: true,
        counted: true,
        ..QueryRepr::request(QueryKind::Fin, query.job(), query.epoch(), WorkerId(0))
    };
    let mut datagram = vec![0; fin.datagram_bytes()];
    fin.seal(&query.integrity(), &mut datagram);
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    socket.send_to(&datagram, (Ipv4Addr::LOCALHOST, port)).unwrap();
    let reason = receiver.recv_timeout(TIMEOUT).expect("it gives up").unwrap_err();
    assert!(reason.contains("is silent for 0.3 s"), "{reason}");
    assert!(!query.is_lost());
    adding.join().unwrap();
}
