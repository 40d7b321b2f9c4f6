//! Times at which calls were done, and rounds began and ended, over real sockets on loopback and
//! through shared memory.

use std::collections::BTreeSet;
use std::sync::{Arc, Barrier};
use std::time::Instant;

use crate::support::{WAIT_LIMIT, Way, bytes, call, integers, over_each, workers};
use netfold_net::{Collective, ElementType, Operation, Pool, Protocol, RoundTimes, SwitchOptions};

const WORKERS: u16 = 3;
/// So many that the call takes no eager path (R-EAGER-1).
const LANES: u16 = 128;
const BLOCKS: usize = 5;

over_each! {
    a_call_is_done_when_its_sums_have_come_and_not_when_they_are_fetched,
    nothing_is_timed_unasked,
}

/// Outcome of a call whose first worker fetches its result long after all others have theirs.
struct Seen {
    /// Before the others begin, and after they have their results.
    between: [Instant; 2],
    /// Time at which the first worker's result had come.
    at: Option<Instant>,
    fetched: Instant,
    rounds: Vec<RoundTimes>,
}

fn late_fetch(way: Way, protocol: Protocol, timed: bool) -> Seen {
    let switch = way.switch(SwitchOptions { times_rounds: timed, ..SwitchOptions::default() });
    let barrier = Barrier::new(WORKERS.into());
    let sum = call(
        Collective::AllReduce,
        Operation::Sum,
        ElementType::I32,
        BLOCKS as u64 * u64::from(LANES),
    );
    let input = bytes(&vec![1; BLOCKS * usize::from(LANES)]);
    let ended = workers(
        &switch,
        way,
        WORKERS,
        |request| (request.terms.protocol, request.packet_elements) = (protocol, Some(LANES)),
        |comm| {
            let comm = Arc::new(comm);
            if timed {
                comm.time_rounds().unwrap();
            }
            barrier.wait();
            let seen = if comm.rank() == 0 {
                let begun = comm.begin_owned(sum, input.clone()).unwrap();
                let start = Instant::now();
                barrier.wait();
                barrier.wait();
                let end = Instant::now();
                let (result, at) = begun.wait(WAIT_LIMIT).unwrap();
                assert!(integers(&result).iter().all(|&value| value == i32::from(WORKERS as i16)));
                Some(([start, end], at, Instant::now()))
            } else {
                barrier.wait();
                comm.begin_owned(sum, input.clone()).unwrap().wait(WAIT_LIMIT).unwrap();
                barrier.wait();
                None
            };
            (seen, comm.take_rounds().unwrap())
        },
    );
    let (seen, rounds): (Vec<_>, Vec<_>) = ended.into_iter().unzip();
    let rounds = rounds.into_iter().flatten().chain(switch.root.stop()).collect();
    let (between, at, fetched) = seen.into_iter().flatten().next().unwrap();
    Seen { between, at, fetched, rounds }
}

fn a_call_is_done_when_its_sums_have_come_and_not_when_they_are_fetched(way: Way) {
    for protocol in Protocol::ALL {
        let Seen { between: [start, end], at, fetched, rounds } = late_fetch(way, protocol, true);
        let at = at.expect("completions are timed");
        // Below other switches, another worker may have its result before the first one has.
        let latest = if matches!(way, Way::Udp | Way::Shm) { end } else { fetched };
        assert!(
            start <= at && at <= latest,
            "{:?} and {:?} after the start",
            at - start,
            latest - start
        );
        if way == Way::Host || way == Way::Tree {
            continue;
        }
        let with_data =
            |round: &&RoundTimes| protocol == Protocol::Shadow || round.pool == Pool::Even;
        let data: Vec<_> = rounds.iter().filter(with_data).collect();
        let positions: BTreeSet<_> = data.iter().map(|round| round.position.0).collect();
        assert_eq!((data.len(), positions.len()), (BLOCKS, BLOCKS), "each block once: {data:?}");
        for round in &rounds {
            assert!(round.start <= round.end, "{round:?}");
        }
        assert!(
            data.iter().all(|round| start <= round.end),
            "rounds need the workers that begin last: {data:?}"
        );
        if way == Way::Shm {
            assert!(
                data.iter().all(|round| round.start <= start),
                "the first worker's contributions were there: {data:?}"
            );
        }
        // Over UDP a round has ended when its result has been sent, and so is there.
        assert!(data.iter().any(|round| at <= round.end), "{at:?} {data:?}");
    }
}

fn nothing_is_timed_unasked(way: Way) {
    let Seen { at, rounds, .. } = late_fetch(way, Protocol::Shadow, false);
    assert!(at.is_none() && rounds.is_empty());
}
