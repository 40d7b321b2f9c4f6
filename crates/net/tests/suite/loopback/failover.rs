//! Jobs that go on at another switch when theirs is lost (R-RES), over real sockets and shared
//! memory.

use std::net::{SocketAddr, TcpListener};
use std::ops::ControlFlow;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{Entrance, Switches, WAIT_LIMIT, Way, call, over_each};
use netfold_net::{
    Arithmetic, Collective, Communicator, ElementType, Error, JoinRequest, Operation, Switch,
    SwitchOptions,
};
use netfold_wire::Terms;

over_each!(a_job_goes_on_at_the_next_switch_and_the_next);

const WORKERS: u16 = 4;
/// So short that losses are noticed while a test lasts.
const TIMEOUT: Duration = Duration::from_secs(3);

fn request(way: Way, rank: u16, size: u16) -> JoinRequest {
    JoinRequest {
        transport: way.of(rank, size),
        timeout: TIMEOUT,
        terms: Terms { arithmetic: Arithmetic::Native, ..Terms::new(None) },
        ..JoinRequest::new("test", rank, size)
    }
}

fn connect(switches: &str, way: Way, rank: u16, size: u16) -> Communicator {
    Communicator::connect(switches, request(way, rank, size), |_| ControlFlow::Continue(()))
        .unwrap()
}

/// Returns an address at which nobody listens any more.
fn nowhere() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// Makes calls until one fails.
fn error(comm: &Communicator) -> Error {
    loop {
        let mut tensor = vec![0; 40];
        let all_reduce = call(Collective::AllReduce, Operation::Sum, ElementType::F32, 10);
        if let Err(error) = comm.run_in_place(all_reduce, &mut tensor, WAIT_LIMIT) {
            return error;
        }
    }
}

/// Waits for a condition that comes soon, or never.
fn until(condition: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !condition() {
        assert!(Instant::now() < deadline, "the calls did not get there within a minute");
        thread::yield_now();
    }
}

/// Returns a worker's contribution to element i of a call. Sums of these depend on the order in
/// which they are added.
fn value(rank: u16, call: u64, element: u64) -> f32 {
    let mixed = (u64::from(rank) * 7_919 + call * 104_729 + element * 31) % 1_000;
    0.1 + mixed as f32 * 1e-3
}

/// Makes a call, and gives the bits of its result. They are near the exact sum.
fn sum(comm: &Communicator, number: u64, elements: u64) -> Vec<u8> {
    let mut tensor: Vec<u8> =
        (0..elements).flat_map(|i| value(comm.rank(), number, i).to_ne_bytes()).collect();
    let all_reduce = call(Collective::AllReduce, Operation::Sum, ElementType::F32, elements);
    comm.run_in_place(all_reduce, &mut tensor, WAIT_LIMIT).unwrap();
    for (i, bytes) in (0..).zip(tensor.chunks_exact(4)) {
        let exact: f64 = (0..comm.size()).map(|rank| f64::from(value(rank, number, i))).sum();
        let got = f64::from(f32::from_ne_bytes(bytes.try_into().unwrap()));
        // Three additions of values below 2, and sums below 8: an error of 2^-24 of each.
        assert!(
            (got - exact).abs() <= 3.0 * 8.0 * 2f64.powi(-24),
            "element {i} of call {number}: {got}, not {exact}"
        );
    }
    tensor
}

/// Results are right and the same bits at every worker, be a switch lost in whatever moment: two of
/// three are.
fn a_job_goes_on_at_the_next_switch_and_the_next(way: Way) {
    const CALLS: u64 = 150;
    let mut switches: Vec<Switches> = (0..3)
        .map(|_| way.switch(SwitchOptions { cores: 2, ..SwitchOptions::default() }))
        .collect();
    let lists: Vec<String> = (0..WORKERS)
        .map(|rank| {
            switches.iter().map(|switch| switch.of(rank).to_string()).collect::<Vec<_>>().join(",")
        })
        .collect();
    let made = AtomicU64::new(0);
    let results: Vec<Vec<Vec<u8>>> = thread::scope(|scope| {
        let worker = |rank: u16| {
            let (made, list) = (&made, &lists[usize::from(rank)]);
            scope.spawn(move || {
                let comm = connect(list, way, rank, WORKERS);
                (0..CALLS)
                    .map(|number| {
                        let result = sum(&comm, number, [1, 300, 20_000][number as usize % 3]);
                        made.fetch_add(1, Ordering::SeqCst);
                        result
                    })
                    .collect()
            })
        };
        let threads: Vec<_> = (0..WORKERS).map(worker).collect();
        for third in 1..3 {
            let due = third * CALLS / 3 * u64::from(WORKERS);
            until(|| made.load(Ordering::SeqCst) >= due || threads[0].is_finished());
            drop(switches.remove(0));
        }
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for others in &results[1..] {
        assert!(*others == results[0], "workers have different bits");
    }
}

/// R-RES-2: with one switch alone, the job waits for it to come back, if its workers ask for that.
#[test]
fn a_job_waits_for_its_switch_to_start_again() {
    const CALLS: u64 = 200;
    // The system gives ports below its range to nobody who asks for any, so that this one can be
    // had again.
    let at = |port: u16| SwitchOptions {
        listen: format!("127.0.0.1:{port}"),
        ..SwitchOptions::default()
    };
    let (again, first) = (20_000 + std::process::id() as u16 % 10_000..32_000)
        .find_map(|port| Some((at(port), Switch::start(&at(port)).ok()?)))
        .unwrap();
    let address = first.address().to_string();
    let made = AtomicU64::new(0);
    thread::scope(|scope| {
        let threads = [0, 1].map(|rank| {
            let (address, made) = (&address, &made);
            scope.spawn(move || {
                let request = JoinRequest {
                    terms: Terms { resumable: true, ..request(Way::Udp, rank, 2).terms },
                    ..request(Way::Udp, rank, 2)
                };
                let comm =
                    Communicator::connect(address, request, |_| ControlFlow::Continue(())).unwrap();
                let result = |number| {
                    made.fetch_add(1, Ordering::SeqCst);
                    sum(&comm, number, 5_000)
                };
                (0..CALLS).map(result).collect::<Vec<_>>()
            })
        });
        until(|| {
            made.load(Ordering::SeqCst) > CALLS || threads.iter().any(|thread| thread.is_finished())
        });
        drop(first);
        let second = Switch::start(&again).unwrap();
        let [a, b] = threads.map(|thread| thread.join().unwrap());
        assert!(a == b, "workers have different bits");
        drop(second);
    });
}

/// R-RES-7: nobody waits for ever for a switch that is not there.
#[test]
fn where_no_switch_takes_over_the_error_names_all() {
    let switch = Switch::start(&SwitchOptions::default()).unwrap();
    let nowhere = nowhere();
    let list = format!("{},{nowhere}", switch.address());
    let comm = connect(&list, Way::Udp, 0, 1);
    sum(&comm, 0, 10);
    let lost = switch.address().to_string();
    drop(switch);
    let start = Instant::now();
    let error = error(&comm);
    assert!(start.elapsed() < TIMEOUT + Duration::from_secs(2), "{:?}", start.elapsed());
    let Error::NotResumed { lost: what, why } = &error else { panic!("{error}") };
    assert!(what.contains(&lost) || what.contains("stopping"), "{error}");
    assert!(why.contains(&nowhere.to_string()) || why.contains(&lost), "{error}");
}

/// R-RES-3: a worker that does not come along is named, to all others and within three time-outs.
#[test]
fn a_worker_that_does_not_come_along_is_named() {
    let (first, second) = (
        Switch::start(&SwitchOptions::default()).unwrap(),
        Switch::start(&SwitchOptions::default()).unwrap(),
    );
    // The last knows of another switch than the others.
    let lists = [second.address(), second.address(), nowhere()]
        .map(|next| format!("{},{next}", first.address()));
    let joined = Barrier::new(4);
    let start = thread::scope(|scope| {
        let threads: Vec<_> = (0..3)
            .map(|rank| {
                let (list, joined) = (&lists[usize::from(rank)], &joined);
                scope.spawn(move || {
                    let comm = connect(list, Way::Udp, rank, 3);
                    joined.wait();
                    error(&comm)
                })
            })
            .collect();
        joined.wait();
        let start = Instant::now();
        drop(first);
        for (rank, thread) in threads.into_iter().enumerate() {
            let error = thread.join().unwrap();
            let missing = if rank < 2 { "missing: 2" } else { "no netfold switch answers" };
            assert!(
                matches!(error, Error::NotResumed { .. }) && error.to_string().contains(missing),
                "{error}"
            );
        }
        start
    });
    assert!(start.elapsed() < 3 * TIMEOUT + Duration::from_secs(1), "{:?}", start.elapsed());
}
