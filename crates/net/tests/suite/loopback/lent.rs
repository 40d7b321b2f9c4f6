//! Slots that jobs have only while they use them (R-STREAM-21, R-CTRL-25).

use std::sync::Barrier;
use std::time::{Duration, Instant};

use super::switch;
use crate::support::{WAIT_LIMIT, Way, bytes, call, integers, workers};
use netfold_net::{
    Collective, Communicator, ElementType, JoinRequest, Operation, Query, Report, Switch, query,
};

/// Workers look at their calls eight times as often.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Longer than anything takes here.
const LIMIT: Duration = Duration::from_secs(60);

/// Elements of a call that is long on one flow: 4 MiB.
const LONG: usize = 1 << 20;

fn memory_used(switch: &Switch) -> u64 {
    let address = switch.address().to_string();
    let Ok(Report::Stats(stats)) = query(&address, Query::Stats, LIMIT) else { panic!("no stats") };
    stats.shards.iter().map(|shard| shard.memory_used).sum()
}

/// Waits until this holds of the bytes of memory that the switch uses.
fn await_memory(switch: &Switch, holds: impl Fn(u64) -> bool) {
    let begin = Instant::now();
    loop {
        let used = memory_used(switch);
        if holds(used) {
            return;
        }
        assert!(begin.elapsed() < LIMIT, "{used} bytes");
        std::thread::yield_now();
    }
}

/// An all-reduce and an all-to-all of so many elements, each with right results.
fn sum_and_exchange(comm: &Communicator, elements: usize, turn: usize) {
    let value = |rank: u16, i: usize| (i * (turn + 1) + 1000 * usize::from(rank)) as i32;
    let mine = |i| value(comm.rank(), i);
    let sum = call(Collective::AllReduce, Operation::Sum, ElementType::I32, elements as u64);
    let mut tensor = bytes(&(0..elements).map(mine).collect::<Vec<_>>());
    comm.run_in_place(sum, &mut tensor, WAIT_LIMIT).unwrap();
    let expected = |i| (0..comm.size()).map(|rank| value(rank, i)).sum::<i32>();
    assert!(integers(&tensor).into_iter().eq((0..elements).map(expected)));

    let part = elements / usize::from(comm.size());
    let input = bytes(&(0..part * usize::from(comm.size())).map(mine).collect::<Vec<_>>());
    let part_bytes = 4 * part as u64;
    let moves = call(Collective::AllToAll, Operation::Copy, ElementType::U8, part_bytes);
    let mut output = vec![0; input.len()];
    comm.run(moves, &input, &mut output, WAIT_LIMIT).unwrap();
    let from = |rank| (0..part).map(move |i| value(rank, usize::from(comm.rank()) * part + i));
    assert!(integers(&output).into_iter().eq((0..comm.size()).flat_map(from)));
}

/// A job takes memory for long calls with its first one, gives it back when it makes no call for a
/// while, and takes it again. All results are right.
#[test]
fn a_job_that_is_idle_takes_little_memory() {
    const WORKERS: u16 = 3;
    let (switch, all) = (switch(), Barrier::new(WORKERS.into()));
    let ask = |request: &mut JoinRequest| request.timeout = TIMEOUT;
    workers(&switch, Way::Udp, WORKERS, ask, |comm| {
        let stats = comm.stats().unwrap();
        assert!(stats.long_slots > stats.slots && stats.exchange_slots > 0, "{stats:?}");
        let idle = memory_used(&switch);
        for turn in 0..2 {
            all.wait();
            // The call of the others goes on until this one makes it.
            if comm.rank() == 0 {
                await_memory(&switch, |used| used > 2 * idle);
            }
            sum_and_exchange(&comm, LONG, turn);
            all.wait();
            await_memory(&switch, |used| used == idle);
        }
    });
}
