//! The most slots that a job can have (R-CTRL-2): 32,768 for bulk on each flow, which is 65,536 on
//! two, and those for urgent calls on top.

use std::collections::BTreeSet;

use crate::support::{WAIT_LIMIT, Way, bytes, call, integers, joining, workers};
use netfold_net::{
    Collective, ElementType, Error, JoinRequest, Operation, Pool, Protocol, SwitchOptions,
};

const FLOWS: u16 = 2;
const SLOTS: u16 = 1 << 15;
const ALL_SLOTS: usize = 1 << 16;
const LANES: u16 = 8;

fn ask(request: &mut JoinRequest) {
    request.terms.protocol = Protocol::Acked;
    (request.slots, request.packet_elements) = (Some(SLOTS), Some(LANES));
}

fn options(memory_bytes: u64) -> SwitchOptions {
    SwitchOptions { cores: FLOWS, memory_bytes, times_rounds: true, ..SwitchOptions::default() }
}

/// Returns the reason for which a switch refuses the job.
fn refused(memory_bytes: u64, change: impl Fn(&mut JoinRequest) + Sync) -> String {
    let switch = Way::Udp.switch(options(memory_bytes));
    let errors = joining(&switch, Way::Udp, 2, change, |joined| {
        joined.err().map(|error: Error| error.to_string())
    });
    errors.into_iter().next().flatten().expect("it is refused")
}

#[test]
fn a_job_uses_all_of_65536_slots() {
    let said = refused(8, ask);
    let needed: u64 =
        said.split_once("needs ").unwrap().1.split_once(' ').unwrap().0.parse().unwrap();
    // One copy of the lanes of each slot, and registers beside it.
    let lanes = ALL_SLOTS as u64 * u64::from(LANES) * 4;
    assert!(lanes < needed && needed < 8 * lanes, "{said}");
    assert!(refused(needed - 1, ask).contains("bytes of switch memory"));

    let switch = Way::Udp.switch(options(needed));
    let elements = ALL_SLOTS * usize::from(LANES);
    let sum = call(Collective::AllReduce, Operation::Sum, ElementType::I32, elements as u64);
    workers(&switch, Way::Udp, 2, ask, |comm| {
        let stats = comm.stats().unwrap();
        assert_eq!((stats.flows, stats.slots), (FLOWS, SLOTS));
        let value = |rank: usize, index: usize| (index * (rank + 3)) as i32;
        let mut tensor =
            bytes(&(0..elements).map(|index| value(comm.rank().into(), index)).collect::<Vec<_>>());
        comm.run_in_place(sum, &mut tensor, WAIT_LIMIT).unwrap();
        assert!(
            integers(&tensor)
                .into_iter()
                .eq((0..elements).map(|index| value(0, index) + value(1, index)))
        );
    });
    let rounds = switch.root.stop();
    let used: BTreeSet<_> = rounds
        .iter()
        .filter(|round| round.pool == Pool::Even)
        .map(|round| (round.flow, round.slot))
        .collect();
    assert_eq!(used.len(), ALL_SLOTS);
}

#[test]
fn more_are_refused() {
    for slots in [SLOTS + 1, u16::MAX] {
        let said = refused(64 << 20, |request| request.slots = Some(slots));
        assert!(said.contains("a power of two from 1 to 32768"), "{said}");
    }
}
