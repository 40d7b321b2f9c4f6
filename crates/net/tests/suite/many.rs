//! Jobs of more workers than a word has bits: longer bitmaps at the switch, and several groups on
//! one host.

use crate::support::{WAIT_LIMIT, Way, bytes, call, integers, joining, over_each, workers};
use netfold_net::{Collective, ElementType, Operation, SwitchOptions};

over_each! {
    sums_are_exact,
}

const WORKERS: u16 = 80;

fn sums_are_exact(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    if way == Way::Shm {
        // R-CTRL-10: one memory has no room for so many.
        let refusals =
            joining(&switch, way, WORKERS, |_| (), |joined| joined.err().unwrap().to_string());
        assert!(refusals.iter().all(|text| text.contains("at most 64")), "{refusals:?}");
        return;
    }
    let n = 3000;
    let value = |rank: u16, i: usize| i as i32 * 7 + i32::from(rank) * 1003;
    let expected: Vec<i32> =
        (0..n).map(|i| (0..WORKERS).map(|rank| value(rank, i)).sum()).collect();
    let sum = call(Collective::AllReduce, Operation::Sum, ElementType::I32, n as u64);
    let hosts = workers(
        &switch,
        way,
        WORKERS,
        |_| (),
        |comm| {
            for _ in 0..3 {
                let mut tensor = bytes(&(0..n).map(|i| value(comm.rank(), i)).collect::<Vec<_>>());
                comm.run_in_place(sum, &mut tensor, WAIT_LIMIT).unwrap();
                assert!(integers(&tensor) == expected, "at {}", comm.rank());
            }
            comm.stats().unwrap().host_workers
        },
    );
    let expected = |rank: u16| match way {
        Way::Host if rank < 64 => 64,
        Way::Host if rank < WORKERS - 1 => WORKERS - 1 - 64,
        // Those at one of the four switches of a tree.
        Way::Tree => hosts[usize::from(rank)].clamp(2, 64),
        _ => 1,
    };
    assert_eq!(hosts, (0..WORKERS).map(expected).collect::<Vec<_>>());
}
