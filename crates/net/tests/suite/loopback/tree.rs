//! Switches below each other over real sockets (R-TREE, R-CTRL-14 to 19): what goes over the links
//! between them, and how jobs end. What a job does is tested in all ways to the slots, a tree among
//! them, in the other files.

use std::iter;
use std::ops::ControlFlow;
use std::sync::{Barrier, Mutex};
use std::time::{Duration, Instant};

use netfold_net::{
    Arithmetic, Call, Collective, Communicator, ElementType, Error, Failure, Finding, JoinRequest,
    Operation, Query, Report, Switch, SwitchOptions, Transport, query,
};

use crate::support::{WAIT_LIMIT, below, bytes, call, integers};

/// A root and two switches below it.
fn racks(options: &SwitchOptions) -> (Switch, [Switch; 2]) {
    let root = Switch::start(&SwitchOptions { parent: None, ..options.clone() }).unwrap();
    let racks = [below(&root, options.clone()), below(&root, options.clone())];
    (root, racks)
}

/// Joins with one worker for each of the switches, which go by UDP, and runs `body` at each.
fn run<R: Send>(
    homes: &[&Switch],
    change: impl Fn(&mut JoinRequest) + Sync,
    body: impl Fn(Result<Communicator, Error>) -> R + Sync,
) -> Vec<R> {
    let (size, change, body) = (homes.len() as u16, &change, &body);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..size)
            .zip(homes)
            .map(|(rank, home)| {
                let address = home.address().to_string();
                scope.spawn(move || {
                    let mut request = JoinRequest::new("tree", rank, size);
                    request.transport = Some(Transport::Udp);
                    change(&mut request);
                    body(Communicator::connect(&address, request, |_| ControlFlow::Continue(())))
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn sum(elements: usize) -> Call {
    call(Collective::AllReduce, Operation::Sum, ElementType::I32, elements as u64)
}

fn counter(switch: &Switch, name: &str) -> u64 {
    let report =
        query(&switch.address().to_string(), Query::Stats, Duration::from_secs(5)).unwrap();
    let Report::Stats(stats) = report else { panic!("another report") };
    stats.shards.iter().map(|shard| shard.counters[name]).sum()
}

/// R-TREE-2: each rack sends one stream up, whatever the arithmetic, and everyone has the same
/// bits.
#[test]
fn a_rack_sends_one_stream() {
    for (cores, arithmetic) in
        [(1, Arithmetic::Block), (2, Arithmetic::Native), (2, Arithmetic::Fpisa)]
    {
        let (root, racks) = racks(&SwitchOptions { cores, ..SwitchOptions::default() });
        let homes = [&racks[0], &racks[0], &racks[1], &racks[1], &racks[1]];
        let n = 40_000;
        // Integers below 2^8: whatever is shifted for the sake of another exponent, no bit of them
        // is lost. In block fixed point each is off by half a unit of 5 * 2^8 / 2^31 at most
        // (R-NUM), which all five together is less than half of the last place of these sums, all
        // above 2^6: 2^-18.
        let value = |rank: u16, i: usize| ((i * 37 + usize::from(rank) * 11) % 256) as f32;
        let rounds = run(
            &homes,
            |request| request.terms.arithmetic = arithmetic,
            |comm| {
                let comm = comm.unwrap();
                let mut tensor: Vec<u8> =
                    (0..n).flat_map(|i| value(comm.rank(), i).to_ne_bytes()).collect();
                let sum = call(Collective::AllReduce, Operation::Sum, ElementType::F32, n as u64);
                comm.run_in_place(sum, &mut tensor, WAIT_LIMIT).unwrap();
                for (i, got) in tensor.chunks_exact(4).enumerate() {
                    let exact: f32 = (0..5).map(|rank| value(rank, i)).sum();
                    assert_eq!(got, exact.to_ne_bytes(), "{arithmetic} element {i}");
                }
                comm.run(Call::BARRIER, &[], &mut [], WAIT_LIMIT).unwrap();
                comm.stats().unwrap().counters.rounds
            },
        );
        assert!(rounds[0] > 0 && rounds.iter().all(|&count| count == rounds[0]));
        let contributions =
            [&root, &racks[0], &racks[1]].map(|switch| counter(switch, "contributions"));
        assert_eq!(contributions, [2 * rounds[0], 2 * rounds[0], 3 * rounds[0]]);
    }
}

/// R-CTRL-16: a job of one rack stays there.
#[test]
fn what_concerns_one_rack_does_not_leave_it() {
    let (root, racks) = racks(&SwitchOptions::default());
    let results = run(
        &[&racks[1]; 3],
        |_| (),
        |comm| {
            let (comm, mut tensor) = (comm.unwrap(), bytes(&[1; 5000]));
            comm.run_in_place(sum(5000), &mut tensor, WAIT_LIMIT).unwrap();
            integers(&tensor)
        },
    );
    assert!(results.into_iter().flatten().all(|x| x == 3));
    assert_eq!([&root, &racks[0]].map(|switch| counter(switch, "contributions")), [0, 0]);
    assert!(counter(&racks[1], "contributions") > 0);
}

/// R-CTRL-6, R-CTRL-18: two racks that make different calls, and two workers of one.
#[test]
fn different_calls_are_told_to_everyone_wherever_they_meet() {
    for (odd, homes) in [(2u16, [0, 0, 1]), (1, [0, 0, 1])] {
        let (_root, racks) = racks(&SwitchOptions::default());
        let errors = run(
            &homes.map(|home: usize| &racks[home]),
            |_| (),
            |comm| {
                let comm = comm.unwrap();
                let n = if comm.rank() == odd { 2000 } else { 1000 };
                comm.run_in_place(sum(n), &mut vec![0; 4 * n], WAIT_LIMIT).unwrap_err().to_string()
            },
        );
        for error in errors {
            assert!(
                error.contains("different calls") && error.contains(&format!("rank {odd}")),
                "{error}"
            );
            assert!(error.contains("1000 elements") && error.contains("2000 elements"), "{error}");
        }
    }
}

/// Runs calls until one fails, in a job of two racks from which `go` takes something away.
fn ends(go: impl FnOnce(&Mutex<Option<Switch>>, &Mutex<Option<Switch>>) + Send) -> Vec<Error> {
    let (root, [first, second]) = racks(&SwitchOptions::default());
    let homes =
        [first.address(), first.address(), second.address()].map(|address| address.to_string());
    let (root, second) = (Mutex::new(Some(root)), Mutex::new(Some(second)));
    let (joined, go) = (Barrier::new(3), Mutex::new(Some(go)));
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..3u16)
            .zip(&homes)
            .map(|(rank, home)| {
                let (joined, go, root, second) = (&joined, &go, &root, &second);
                scope.spawn(move || {
                    let mut request = JoinRequest::new("tree", rank, 3);
                    request.timeout = Duration::from_secs(2);
                    let comm = Communicator::connect(home, request, |_| ControlFlow::Continue(()))
                        .unwrap();
                    comm.run_in_place(sum(100), &mut [0; 400], WAIT_LIMIT).unwrap();
                    joined.wait();
                    if rank == 0 {
                        let go = go.lock().unwrap().take().unwrap();
                        go(root, second);
                    }
                    loop {
                        if let Err(error) = comm.run_in_place(sum(100), &mut [0; 400], WAIT_LIMIT) {
                            return error;
                        }
                    }
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// R-CTRL-18
#[test]
fn a_rack_that_goes_is_named() {
    let start = Instant::now();
    let errors = ends(|_root, second| drop(second.lock().unwrap().take()));
    assert!(Some(start.elapsed()) < WAIT_LIMIT);
    for error in &errors[..2] {
        assert!(matches!(error, Error::Failed(Failure::WorkerLost { rank: 2, .. })), "{error}");
        assert!(error.to_string().contains("through which it had joined"), "{error}");
    }
    assert!(errors[2].to_string().contains("the switch"), "{}", errors[2]);
}

/// R-CTRL-18
#[test]
fn a_root_that_goes_is_told_to_everyone() {
    let errors = ends(|root, _second| drop(root.lock().unwrap().take()));
    for error in &errors {
        assert!(
            matches!(error, Error::Failed(Failure::SwitchStopping | Failure::ParentLost { .. })),
            "{error}"
        );
    }
}

/// R-CTRL-17
#[test]
fn a_rack_without_memory_is_named() {
    let root = Switch::start(&SwitchOptions::default()).unwrap();
    let racks = [64 << 20, 100].map(|memory_bytes| {
        below(&root, SwitchOptions { memory_bytes, ..SwitchOptions::default() })
    });
    let small = racks[1].address().to_string();
    let errors = run(
        &[&racks[0], &racks[1]],
        |_| (),
        |joined| match joined {
            Err(error) => error.to_string(),
            Ok(comm) => {
                comm.run_in_place(sum(10), &mut [0; 40], WAIT_LIMIT).unwrap_err().to_string()
            }
        },
    );
    for error in errors {
        assert!(error.contains(&small) && error.contains("bytes"), "{error}");
    }
}

/// R-CTRL-14, R-CTRL-18: a parent that is not there, and one that is the switch itself.
#[test]
fn a_switch_without_a_root_says_so() {
    let join = |switch: &Switch| {
        let request = JoinRequest::new("tree", 0, 1);
        let address = switch.address().to_string();
        Communicator::connect(&address, request, |_| ControlFlow::Continue(()))
            .err()
            .unwrap()
            .to_string()
    };
    let root = Switch::start(&SwitchOptions::default()).unwrap();
    let (parent, orphan) = (root.address().to_string(), below(&root, SwitchOptions::default()));
    drop(root);
    let error = join(&orphan);
    assert!(
        error.contains("has no connection to its parent") && error.contains(&parent),
        "{error}"
    );

    let listen = orphan.address().to_string();
    drop(orphan);
    let options =
        SwitchOptions { listen: listen.clone(), parent: Some(listen), ..SwitchOptions::default() };
    let error = join(&Switch::start(&options).unwrap());
    assert!(error.contains("in a circle"), "{error}");

    let nowhere = SwitchOptions { parent: Some("no port".into()), ..SwitchOptions::default() };
    assert!(Switch::start(&nowhere).err().unwrap().to_string().contains("no port"));
}

/// R-CTRL-19
#[test]
fn questions_to_a_rack_are_answered() {
    let (_root, racks) = racks(&SwitchOptions::default());
    run(
        &[&racks[0], &racks[1]],
        |_| (),
        |comm| {
            let comm = comm.unwrap();
            comm.run(Call::BARRIER, &[], &mut [], WAIT_LIMIT).unwrap();
            let address = racks[usize::from(comm.rank())].address().to_string();
            let Ok(Report::Jobs { jobs, .. }) =
                query(&address, Query::Jobs, Duration::from_secs(5))
            else {
                panic!()
            };
            assert_eq!((&*jobs[0].name, jobs[0].size), ("tree", 2));
            let Ok(Report::Stats(stats)) = query(&address, Query::Stats, Duration::from_secs(5))
            else {
                panic!()
            };
            assert_eq!((stats.jobs_running, stats.workers), (1, 1));
            // Nobody leaves before both have asked.
            comm.run(Call::BARRIER, &[], &mut [], WAIT_LIMIT).unwrap();
        },
    );
}

/// R-CTRL-19: a time-out names all who are late, of its own rack and of others, and so does the
/// root if it is asked.
#[test]
fn whoever_is_late_is_named_in_whichever_rack() {
    let (root, racks) = racks(&SwitchOptions::default());
    let homes = [&racks[0], &racks[0], &racks[0], &racks[1], &racks[1]];
    let late = [1, 2, 4];
    let over = Barrier::new(homes.len());
    let told = run(
        &homes,
        |_| (),
        |comm| {
            let comm = comm.unwrap();
            let told = match comm.rank() {
                0 => comm
                    .run_in_place(sum(1000), &mut vec![0; 4000], Some(Duration::from_secs(4)))
                    .err()
                    .map(|e| e.to_string()),
                3 => comm
                    .run_in_place(sum(1000), &mut vec![0; 4000], WAIT_LIMIT)
                    .err()
                    .map(|e| e.to_string()),
                1 => {
                    let until = Instant::now() + Duration::from_secs(3);
                    let mut findings =
                        iter::repeat_with(|| doctor(&root)).take_while(|_| Instant::now() < until);
                    findings.find(|found| *found == late).map(|found| format!("{found:?}"))
                }
                _ => None,
            };
            over.wait();
            told
        },
    );
    assert_eq!(told[1].as_deref(), Some("[1, 2, 4]"), "by the root");
    let timeout = told[0].as_deref().unwrap();
    assert!(timeout.contains("waiting for rank 1, 2, 4)"), "{timeout}");
}

/// The ranks that a switch names one by one, of those for whom slots wait.
fn doctor(switch: &Switch) -> Vec<u16> {
    let report =
        query(&switch.address().to_string(), Query::Doctor, Duration::from_secs(5)).unwrap();
    let Report::Doctor { findings, .. } = report else { panic!("another report") };
    let mut ranks: Vec<u16> = findings
        .iter()
        .filter_map(|finding| match finding {
            Finding::WaitingFor { rank, with, .. } if with.is_empty() => Some(*rank),
            _ => None,
        })
        .collect();
    ranks.sort_unstable();
    ranks
}
