//! As many jobs as a switch has memory for (R-CTRL-20).

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::time::Duration;

use super::switch;
use crate::support::{WAIT_LIMIT, below, bytes, call, integers};
use netfold_net::{
    Collective, Communicator, ElementType, JoinRequest, Operation, Query, Report, Switch,
    SwitchOptions, Transport, query,
};

const JOBS: usize = 100;

/// R-CTRL-20: a hundred jobs that ask for nothing have room in the default memory, all at once, and
/// each has right sums.
fn a_hundred_jobs_have_room(switches: [&Switch; 2], transport: Transport) {
    let connect = |job: usize, rank: u16| {
        let address = switches[usize::from(rank)].address().to_string();
        let request = JoinRequest {
            transport: Some(transport),
            ..JoinRequest::new(format!("job {job}"), rank, 2)
        };
        Communicator::connect(&address, request, |_| ControlFlow::Continue(())).unwrap()
    };
    let jobs: Vec<[Communicator; 2]> = (0..JOBS)
        .map(|job| {
            std::thread::scope(|scope| {
                let other = scope.spawn(|| connect(job, 1));
                [connect(job, 0), other.join().unwrap()]
            })
        })
        .collect();
    for switch in switches {
        let report =
            query(&switch.address().to_string(), Query::Stats, Duration::from_secs(20)).unwrap();
        assert!(
            matches!(&report, Report::Stats(stats) if stats.jobs_running == JOBS),
            "{report:?}"
        );
    }
    let bulk_slots = |[comm, _]: &[Communicator; 2]| {
        let stats = comm.stats().unwrap();
        stats.slots.max(stats.long_slots)
    };
    let slots: Vec<u16> = jobs.iter().map(bulk_slots).collect();
    // The first has what it would have alone, and none has more than one before it.
    let lanes = jobs[0][0].stats().unwrap().payload_bytes;
    assert!(
        u32::from(slots[0]) * lanes >= 512 * 1024 && slots.is_sorted_by(|a, b| a >= b),
        "{slots:?}"
    );

    let n = 30_000;
    let value = |job: usize, rank: u16, i: usize| (i + 1000 * job) as i32 * (i32::from(rank) + 1);
    let left = Mutex::new(jobs.iter().enumerate().collect::<Vec<_>>());
    let sum_all = || {
        while let Some((job, pair)) = { left.lock().unwrap().pop() } {
            std::thread::scope(|scope| {
                for comm in pair {
                    scope.spawn(move || {
                        let sum =
                            call(Collective::AllReduce, Operation::Sum, ElementType::I32, n as u64);
                        let mut tensor =
                            bytes(&(0..n).map(|i| value(job, comm.rank(), i)).collect::<Vec<_>>());
                        comm.run_in_place(sum, &mut tensor, WAIT_LIMIT).unwrap();
                        let expected = |i| value(job, 0, i) + value(job, 1, i);
                        assert!(
                            integers(&tensor).into_iter().eq((0..n).map(expected)),
                            "job {job}"
                        );
                    });
                }
            });
        }
    };
    // Several jobs at a time.
    std::thread::scope(|scope| (0..4).for_each(|_| drop(scope.spawn(sum_all))));
}

#[test]
fn a_hundred_jobs_have_room_over_udp() {
    let switch = switch();
    a_hundred_jobs_have_room([&switch; 2], Transport::Udp);
}

#[test]
fn a_hundred_jobs_have_room_in_shared_memory() {
    let switch = switch();
    a_hundred_jobs_have_room([&switch; 2], Transport::Shm);
}

/// Each job has one worker at each of two switches below the root.
#[test]
fn a_hundred_jobs_have_room_at_every_switch_of_a_tree() {
    let root = switch();
    let racks = [0, 1].map(|_| below(&root, SwitchOptions::default()));
    a_hundred_jobs_have_room([&racks[0], &racks[1]], Transport::Udp);
}
