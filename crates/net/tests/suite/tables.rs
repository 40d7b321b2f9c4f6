//! The table of a job over real sockets (R-KEY), beside its dense calls.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};
use std::time::Duration;

use crate::support::{
    Switches, WAIT_LIMIT, Way, bytes, call, integers, joining, over_each, workers,
};
use netfold_net::{
    Arithmetic, Collective, Communicator, ElementType, Error, JoinRequest, Operation, Query,
    Report, SwitchOptions, TableAddress, TableClient, TableRead, TableReader, TableTerms,
    Transport, query,
};

const ROWS: u32 = 5_000;
const WIDTH: u16 = 3;
const LIMIT: Duration = Duration::from_secs(20);
const ALL_PARTS: u64 = u64::MAX;

over_each!(
    sums_reach_the_server_beside_dense_calls,
    resident_rows_are_pulled,
    sums_outlive_their_job
);

fn with_table(arithmetic: Arithmetic, resident: bool) -> impl Fn(&mut JoinRequest) + Sync {
    move |request| {
        let element_type =
            if arithmetic == Arithmetic::Block { ElementType::I32 } else { ElementType::F32 };
        request.terms.arithmetic = arithmetic;
        request.terms.table = Some(TableTerms { rows: ROWS, width: WIDTH, element_type, resident });
        request.timeout = Duration::from_secs(5);
    }
}

/// Ranks and rows of a push: integers, so that sums of floats are exact.
fn pairs(worker: u16, round: u32) -> (Vec<u32>, Vec<f32>) {
    let ranks: Vec<u32> =
        (0..ROWS).filter(|rank| (rank * 7 + round + u32::from(worker)).is_multiple_of(3)).collect();
    let value = |rank: &u32, lane: u32| ((rank + lane + round * 5) % 11) as f32 - 4.0;
    let rows = ranks.iter().flat_map(|rank| (0..3).map(move |lane| value(rank, lane))).collect();
    (ranks, rows)
}

/// Adds rows to sums by rank.
fn add(sums: &mut BTreeMap<u32, [f64; 3]>, ranks: &[u32], rows: &[f32]) {
    for (rank, row) in ranks.iter().zip(rows.chunks_exact(3)) {
        let sum = sums.entry(*rank).or_default();
        sum.iter_mut().zip(row).for_each(|(sum, lane)| *sum += f64::from(*lane));
    }
}

fn expected(workers: u16, rounds: u32) -> BTreeMap<u32, [f64; 3]> {
    let mut sums = BTreeMap::new();
    for (worker, round) in (0..workers).flat_map(|worker| (0..rounds).map(move |r| (worker, r))) {
        let (ranks, rows) = pairs(worker, round);
        add(&mut sums, &ranks, &rows);
    }
    sums
}

/// Reads generations until there are no more, at the end of which `last` has become true. A switch
/// with others below it says that nothing was there when it was asked before (R-KEY-18): so it is
/// asked twice.
fn read_all(reader: &mut TableReader, last: impl Fn() -> bool) -> BTreeMap<u32, [f64; 3]> {
    let (mut sums, mut empty_since_last) = (BTreeMap::new(), false);
    loop {
        // Asked before the read, so that an empty generation is empty after the last push.
        let is_last = last();
        match reader.read(true, LIMIT).unwrap().expect("the switch answers") {
            TableRead { open, generation: Some(generation), .. } => {
                assert_eq!(open, generation.number + 1);
                add(&mut sums, &generation.ranks, &generation.rows);
                reader.note_stored(generation.number);
            }
            TableRead { empty: true, .. } if empty_since_last => return sums,
            TableRead { empty, .. } => empty_since_last |= empty && is_last,
        }
    }
}

fn sums_reach_the_server_beside_dense_calls(way: Way) {
    for arithmetic in [Arithmetic::Native, Arithmetic::Block, Arithmetic::Fpisa] {
        let switch = way.switch(SwitchOptions::default());
        let (found, barrier) = (Mutex::new(None::<TableAddress>), Barrier::new(4));
        let pushed = AtomicUsize::new(0);
        let sums = std::thread::scope(|scope| {
            let server = scope.spawn(|| {
                barrier.wait();
                let address = found.lock().unwrap().clone().unwrap();
                let mut reader = TableReader::open(&address, ALL_PARTS, 0).unwrap();
                let last = || pushed.load(Ordering::SeqCst) == 3;
                let sums = read_all(&mut reader, last);
                barrier.wait();
                sums
            });
            workers(&switch, way, 3, with_table(arithmetic, false), |comm| {
                let client = TableClient::open(&comm, 4).unwrap();
                *found.lock().unwrap() = Some(client.address().clone());
                barrier.wait();
                for round in 0..20 {
                    let (ranks, rows) = pairs(comm.rank(), round);
                    client.push(&ranks, &rows).unwrap();
                    let sum = call(Collective::AllReduce, Operation::Sum, ElementType::I32, 2);
                    let mut tensor = bytes(&[round as i32, i32::from(comm.rank())]);
                    comm.run_in_place(sum, &mut tensor, WAIT_LIMIT).unwrap();
                    assert_eq!(integers(&tensor), [3 * round as i32, 3]);
                }
                assert!(client.wait_acknowledged(LIMIT).unwrap());
                pushed.fetch_add(1, Ordering::SeqCst);
                barrier.wait();
                // What the server has stored need not be kept.
                client.note_stored(ALL_PARTS, client.made());
                assert_eq!(client.kept::<f32>(ALL_PARTS), []);
                assert!(client.stats().pairs > 0);
            });
            server.join().unwrap()
        });
        assert_eq!(sums, expected(3, 20), "{arithmetic}");
    }
}

fn resident_rows_are_pulled(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let barrier = Barrier::new(3);
    workers(&switch, way, 3, with_table(Arithmetic::Native, true), |comm| {
        let client = TableClient::open(&comm, 0).unwrap();
        let (ranks, rows) = pairs(comm.rank(), 0);
        let mut values = vec![f32::NAN; 6];
        let server = (comm.rank() == 0).then(|| {
            assert_eq!(client.pull(&[3, 4], &mut values).unwrap(), [0, 1]);
            let mut reader = TableReader::open(client.address(), ALL_PARTS, 0).unwrap();
            let loaded: Vec<f32> = (0..3 * ROWS).map(|lane| lane as f32).collect();
            let all: Vec<u32> = (0..ROWS).collect();
            assert!(reader.load(&all, &loaded, LIMIT).unwrap());
            reader
        });
        client.push(&ranks, &rows).unwrap();
        assert!(client.wait_acknowledged(LIMIT).unwrap());
        barrier.wait();
        // R-KEY-17: in a tree the values have what servers have read.
        if let Some(mut reader) = server {
            assert_eq!(read_all(&mut reader, || true), expected(3, 1));
        }
        barrier.wait();
        // A rank may be asked for twice.
        let asked: Vec<u32> = (0..ROWS).rev().chain([9]).collect();
        let mut values = vec![f32::NAN; 3 * asked.len()];
        assert_eq!(client.pull(&asked, &mut values).unwrap(), [0_usize; 0]);
        let sums = expected(3, 1);
        for (rank, row) in asked.iter().zip(values.chunks_exact(3)) {
            let pushed = sums.get(rank).copied().unwrap_or_default();
            for (lane, value) in row.iter().enumerate() {
                let loaded = f64::from(3 * rank) + lane as f64;
                assert_eq!(f64::from(*value), loaded + pushed[lane], "rank {rank}, lane {lane}");
            }
        }
        barrier.wait();
    });
}

/// R-KEY-11, R-KEY-19: a job that is over leaves its sums to the server.
fn sums_outlive_their_job(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let addresses = workers(&switch, way, 2, with_table(Arithmetic::Native, false), |comm| {
        let client = TableClient::open(&comm, 0).unwrap();
        let (ranks, rows) = pairs(comm.rank(), 0);
        client.push(&ranks, &rows).unwrap();
        assert!(client.wait_acknowledged(LIMIT).unwrap());
        client.address().clone()
    });
    let mut reader = TableReader::open(&addresses[0], ALL_PARTS, 0).unwrap();
    // Switches below have to hand theirs up first.
    let generation = loop {
        let read = reader.read::<f32>(true, LIMIT).unwrap().expect("the switch answers");
        if let Some(generation) = read.generation {
            break generation;
        }
    };
    let mut sums = BTreeMap::new();
    add(&mut sums, &generation.ranks, &generation.rows);
    assert_eq!(sums, expected(2, 1));
    reader.note_stored(1);
    // Once the server has stored it all, the table is gone. In a tree a question that is repeated
    // may get the answer that says so after that to the first one, and the next one gets none.
    while let Some(read) = reader.read::<f32>(true, LIMIT).unwrap() {
        let TableRead { open, empty, going, generation } = read;
        assert_eq!((open, going, generation), (2, false, None));
        if empty {
            break;
        }
        assert!(way == Way::Tree, "nothing has to be handed up");
    }
    assert_eq!(reader.read::<f32>(true, Duration::from_millis(50)).unwrap(), None);
}

/// R-KEY-10: what a lost switch may not have handed over is kept.
#[test]
fn a_lost_switch_is_noticed_and_pushes_are_kept() {
    let switch = Way::Udp.switch(SwitchOptions::default());
    let (barrier, switch) = (Barrier::new(3), Mutex::new(Some(switch)));
    let entrance = switch.lock().unwrap().as_ref().unwrap().address();
    std::thread::scope(|scope| {
        for rank in 0..2 {
            let barrier = &barrier;
            scope.spawn(move || {
                let mut request = JoinRequest::new("test", rank, 2);
                request.transport = Some(Transport::Udp);
                with_table(Arithmetic::Native, false)(&mut request);
                request.timeout = Duration::from_millis(600);
                let comm = Communicator::connect(&entrance.to_string(), request, |_| {
                    ControlFlow::Continue(())
                })
                .unwrap();
                let client = TableClient::open(&comm, 0).unwrap();
                let (ranks, rows) = pairs(rank, 1);
                client.push(&ranks, &rows).unwrap();
                assert!(client.wait_acknowledged(LIMIT).unwrap());
                barrier.wait();
                barrier.wait();
                client.push(&ranks, &rows).unwrap();
                let lost = client.wait_acknowledged(LIMIT).unwrap_err();
                assert!(matches!(lost, Error::SwitchLost { .. }), "{lost}");
                assert!(client.lost().is_some());
                let mut sums = BTreeMap::new();
                for (_, ranks, rows) in client.kept(ALL_PARTS) {
                    add(&mut sums, &ranks, &rows);
                }
                let mut twice = BTreeMap::new();
                add(&mut twice, &ranks, &rows);
                add(&mut twice, &ranks, &rows);
                assert_eq!(sums, twice);
                let numbers: Vec<u32> =
                    client.kept::<f32>(1).into_iter().map(|(q, ..)| q).collect();
                assert!(numbers.is_sorted() && !numbers.is_empty());
            });
        }
        barrier.wait();
        drop(switch.lock().unwrap().take());
        barrier.wait();
    });
}

/// R-KEY-20: workers that share the switch's memory push and pull without a datagram, and ways to
/// the table are handed out once: another client of the same rank has a socket.
#[test]
fn what_goes_through_memory_passes_no_socket() {
    let received = |switch: &Switches| {
        let stats = query(&switch.address().to_string(), Query::Stats, LIMIT).unwrap();
        let Report::Stats(stats) = stats else { panic!("another report") };
        let counters = &stats.shards[0].counters;
        (counters["pushes"], counters["receive_calls"])
    };
    for (way, sockets) in [(Way::Shm, false), (Way::Udp, true)] {
        let switch = way.switch(SwitchOptions::default());
        let barrier = Barrier::new(2);
        workers(&switch, way, 2, with_table(Arithmetic::Native, true), |comm| {
            let client = TableClient::open(&comm, 0).unwrap();
            let mut values = [0.0_f32; 6];
            let push = |client: &TableClient| {
                let (ranks, rows) = pairs(comm.rank(), 0);
                client.push(&ranks, &rows).unwrap();
                assert!(client.wait_acknowledged(LIMIT).unwrap());
            };
            for _ in 0..20 {
                push(&client);
                assert_eq!(client.pull(&[1, 2], &mut values).unwrap(), [0, 1], "not loaded");
            }
            barrier.wait();
            if comm.rank() == 0 {
                let (pushes, calls) = received(&switch);
                assert!(pushes >= 40, "{pushes}");
                assert_eq!(calls > 0, sockets, "{calls} reads of sockets");
            }
            barrier.wait();
            if !sockets && comm.rank() == 1 {
                // Its numbers begin anew, which the windows take for repetitions.
                let again = TableClient::open(&comm, 0).unwrap();
                push(&again);
                let (_, calls) = received(&switch);
                assert!(calls > 0, "it has a socket");
            }
            barrier.wait();
        });
    }
}

/// R-KEY-20: where the switch has no memory for the ways of all workers, there are sockets.
#[test]
fn without_room_in_memory_tables_have_sockets() {
    let options = SwitchOptions { memory_bytes: 2 << 20, ..SwitchOptions::default() };
    let switch = Way::Shm.switch(options);
    let change = |request: &mut JoinRequest| {
        with_table(Arithmetic::Native, false)(request);
        request.slots = Some(4);
    };
    workers(&switch, Way::Shm, 2, change, |comm| {
        let client = TableClient::open(&comm, 0).unwrap();
        let (ranks, rows) = pairs(comm.rank(), 0);
        client.push(&ranks, &rows).unwrap();
        assert!(client.wait_acknowledged(LIMIT).unwrap());
        let stats = query(&switch.address().to_string(), Query::Stats, LIMIT).unwrap();
        let Report::Stats(stats) = stats else { panic!("another report") };
        assert!(stats.shards[0].counters["receive_calls"] > 0, "{stats:?}");
    });
}

/// R-KEY-10: a pull that waits for a switch gives way when the epoch is sealed, long before the
/// switch counts as lost.
#[test]
fn a_pull_gives_way_to_a_seal() {
    let switch = Way::Udp.switch(SwitchOptions::default());
    let entrance = switch.address();
    let mut request = JoinRequest::new("test", 0, 1);
    request.transport = Some(Transport::Udp);
    with_table(Arithmetic::Native, true)(&mut request);
    request.timeout = WAIT_LIMIT.unwrap();
    let comm = Communicator::connect(&entrance.to_string(), request, |_| ControlFlow::Continue(()))
        .unwrap();
    let client = TableClient::open(&comm, 0).unwrap();
    drop(switch);
    std::thread::scope(|scope| {
        let pull = scope.spawn(|| client.pull(&[1, 2], &mut [0.0; 6]));
        // It is under way when something was sent.
        while client.stats().bytes_sent == 0 {
            std::thread::yield_now();
        }
        client.seal();
        assert!(matches!(pull.join().unwrap(), Err(Error::SwitchLost { .. })));
    });
    assert!(client.lost().is_none(), "the seal has ended the pull");
}

/// R-CTRL-1, R-KEY-1: what cannot be is refused, with names.
#[test]
fn tables_that_cannot_be_are_refused() {
    let options = SwitchOptions { memory_bytes: 1 << 20, ..SwitchOptions::default() };
    let switch = Way::Udp.switch(options);
    let refused = |switch: &Switches, way, arithmetic, rows| {
        let change = |request: &mut JoinRequest| {
            let element_type = ElementType::F32;
            request.terms.arithmetic = arithmetic;
            request.terms.table =
                Some(TableTerms { rows, width: 8, element_type, resident: false });
        };
        let errors = joining(switch, way, 1, change, |joined| joined.err().unwrap().to_string());
        errors.into_iter().next().unwrap()
    };
    let memory = refused(&switch, Way::Udp, Arithmetic::Native, 1 << 20);
    assert!(memory.contains("bytes"), "{memory}");
    let block = refused(&switch, Way::Udp, Arithmetic::Block, 9);
    assert!(block.contains("block") && block.contains("i32"), "{block}");
}

/// R-CTRL-1: workers must want the same table.
#[test]
fn workers_agree_on_the_table() {
    let switch = Way::Udp.switch(SwitchOptions::default());
    let first_is_there = Barrier::new(2);
    let join = |rank: u16, waiting: &mut dyn FnMut() -> ControlFlow<()>| {
        let mut request = JoinRequest::new("test", rank, 2);
        with_table(Arithmetic::Native, false)(&mut request);
        request.terms.table.as_mut().unwrap().rows = 10 + u32::from(rank);
        let address = switch.address().to_string();
        Communicator::connect(&address, request, |_| waiting()).err().unwrap().to_string()
    };
    std::thread::scope(|scope| {
        let first = scope.spawn(|| {
            let mut told = false;
            join(0, &mut || {
                // It is known to the switch when it is told who is missing; then it goes away.
                if !std::mem::replace(&mut told, true) {
                    first_is_there.wait();
                    first_is_there.wait();
                }
                ControlFlow::Break(())
            })
        });
        first_is_there.wait();
        let differ = join(1, &mut || ControlFlow::Continue(()));
        first_is_there.wait();
        assert!(differ.contains("10 drained rows of 3 f32"), "{differ}");
        assert!(
            differ.contains("11 drained rows of 3 f32") && differ.contains("table"),
            "{differ}"
        );
        first.join().unwrap();
    });
}
