//! A switch and its workers over real sockets on loopback, and through shared memory.

mod collectives;
mod eager;
mod elastic;
mod exchange;
mod failover;
mod fused;
mod jobs;
mod lent;
mod slots;
mod tree;

use std::net::UdpSocket;
use std::ops::ControlFlow;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use netfold_net::{
    Arithmetic, Call, Collective, Communicator, ElementType, Error, JoinRequest, Operation, Query,
    Reduction, Report, Switch, SwitchOptions, Token, Transport, query,
};

use crate::support::{WAIT_LIMIT, Way, bytes, call, integers, joining, over_each, workers};

over_each! {
    floats_over_two_cores_agree_bit_for_bit,
    different_calls_are_told_to_everyone,
    a_worker_that_goes_is_named,
    what_a_worker_has_called_before_it_left_completes_and_the_rest_fails,
    a_job_with_a_token_runs_and_one_without_it_is_refused,
    what_the_arithmetic_cannot_do_is_refused_and_the_job_goes_on,
}

fn switch() -> Switch {
    Switch::start(&SwitchOptions::default()).unwrap()
}

/// A result would overwrite what has still to be sent.
#[test]
fn what_cannot_be_in_place_is_refused_and_the_job_goes_on() {
    let switch = switch();
    workers(
        &switch,
        Way::Shm,
        2,
        |_| (),
        |comm| {
            let gather = call(Collective::AllGather, Operation::Copy, ElementType::U8, 8);
            let refused =
                comm.run_in_place(gather, &mut [0; 16], WAIT_LIMIT).unwrap_err().to_string();
            assert!(refused.contains("all_gather cannot be in place"), "{refused}");
            comm.run(Call::BARRIER, &[], &mut [], WAIT_LIMIT).unwrap();
        },
    );
}

/// R-CTRL-9: the switch sends each result once, and every worker gets it.
#[test]
fn a_result_for_all_is_sent_once() {
    let switch = switch();
    let (size, rounds) = (4, 50);
    workers(
        &switch,
        Way::Udp,
        size,
        |_| (),
        |comm| {
            for round in 0..rounds {
                let mut tensor = bytes(&[round, i32::from(comm.rank())]);
                let sum = call(Collective::AllReduce, Operation::Sum, ElementType::I32, 2);
                comm.run_in_place(sum, &mut tensor, WAIT_LIMIT).unwrap();
                assert_eq!(integers(&tensor), [4 * round, 6]);
            }
            // Nobody leaves before all have their results: a shard forgets a job with its last
            // worker.
            comm.run(Call::BARRIER, &[], &mut [], WAIT_LIMIT).unwrap();
        },
    );
    let Report::Stats(stats) =
        query(&switch.address().to_string(), Query::Stats, Duration::from_secs(5)).unwrap()
    else {
        panic!("another report")
    };
    let counter = |name| stats.shards[0].counters[name];
    let completed = counter("rounds_completed");
    assert_eq!(completed, rounds as u64 + 1);
    // What is asked for again goes to the one worker that asks.
    assert!(
        (completed..=completed + counter("results_repeated")).contains(&counter("send_calls")),
        "{stats:?}"
    );
}

/// R-CTRL-11: workers of one host send one stream, and the switch folds it with those of the
/// others.
#[test]
fn a_host_sends_one_stream() {
    let switch = Way::Host.switch(SwitchOptions::default());
    let (size, elements) = (4, 50_000);
    let stats = workers(
        &switch,
        Way::Host,
        size,
        |_| (),
        |comm| {
            let mut tensor = bytes(&vec![1 << comm.rank(); elements]);
            let sum =
                call(Collective::AllReduce, Operation::Sum, ElementType::I32, elements as u64);
            comm.run_in_place(sum, &mut tensor, WAIT_LIMIT).unwrap();
            assert!(integers(&tensor).iter().all(|&x| x == 15));
            comm.run(Call::BARRIER, &[], &mut [], WAIT_LIMIT).unwrap();
            comm.stats().unwrap()
        },
    );
    assert_eq!(stats.iter().map(|stats| stats.host_workers).collect::<Vec<_>>(), [3, 3, 3, 1]);
    let Report::Stats(report) =
        query(&switch.address().to_string(), Query::Stats, Duration::from_secs(5)).unwrap()
    else {
        panic!("another report")
    };
    let counter = |name| report.shards[0].counters[name];
    assert_eq!(counter("contributions"), 2 * counter("rounds_completed"), "{report:?}");
    assert_eq!(counter("rounds_completed"), stats[3].counters.rounds);
}

/// R-CTRL-11: where no worker is elsewhere, nothing leaves the host.
#[test]
fn a_job_of_one_host_stays_there() {
    let switch = Way::Host.switch(SwitchOptions { cores: 2, ..SwitchOptions::default() });
    let alone = |request: &mut JoinRequest| request.transport = None;
    let stats = workers(&switch, Way::Host, 3, alone, |comm| {
        let mut tensor = bytes(&[1 << comm.rank(); 5000]);
        let sum = call(Collective::AllReduce, Operation::Sum, ElementType::I32, 5000);
        comm.run_in_place(sum, &mut tensor, WAIT_LIMIT).unwrap();
        assert!(integers(&tensor).iter().all(|&x| x == 7));
        comm.run(Call::BARRIER, &[], &mut [], WAIT_LIMIT).unwrap();
        comm.stats().unwrap()
    });
    for stats in stats {
        assert_eq!((stats.host_workers, stats.flows, stats.transport), (3, 1, Transport::Shm));
    }
    let Report::Stats(report) =
        query(&switch.address().to_string(), Query::Stats, Duration::from_secs(5)).unwrap()
    else {
        panic!("another report")
    };
    assert!(
        report.shards.iter().all(|shard| shard.counters["datagrams_received"] == 0),
        "{report:?}"
    );
}

fn floats_over_two_cores_agree_bit_for_bit(way: Way) {
    let options = SwitchOptions { cores: 2, ..SwitchOptions::default() };
    let switch = way.switch(options);
    let n = 50_001;
    let value =
        |rank: u16, i: usize| (f64::from(rank) + 1.0).sin() as f32 * (i as f32 * 0.37).cos();
    let average = Call {
        reduction: Reduction::Average,
        ..call(Collective::AllReduce, Operation::Sum, ElementType::F32, n as u64)
    };
    let results = workers(
        &switch,
        way,
        4,
        |_| (),
        |comm| {
            let mut tensor: Vec<u8> =
                (0..n).flat_map(|i| value(comm.rank(), i).to_ne_bytes()).collect();
            comm.run_in_place(average, &mut tensor, WAIT_LIMIT).unwrap();
            tensor
        },
    );
    assert!(results.iter().all(|result| *result == results[0]));
    for (i, bytes) in results[0].chunks_exact(4).enumerate() {
        let exact: f64 = (0..4).map(|rank| f64::from(value(rank, i))).sum::<f64>() / 4.0;
        let got = f64::from(f32::from_ne_bytes(bytes.try_into().unwrap()));
        // n/f of the sum, over n, with the block's magnitude at most 1; and one rounding to f32.
        let bound = 4.0 / (2f64.powi(31) - 1.0) + exact.abs() * 2f64.powi(-24);
        assert!((got - exact).abs() <= bound, "element {i}: {got} {exact}");
    }
}

/// R-CTRL-6: both ranks and both calls, at every worker, at once.
fn different_calls_are_told_to_everyone(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let start = Instant::now();
    let messages = joining(
        &switch,
        way,
        3,
        |_| (),
        |joined| {
            let failed = joined.and_then(|comm| {
                let elements = if comm.rank() == 1 { 2000 } else { 1000 };
                let mut tensor = vec![0; 4 * elements];
                let made =
                    call(Collective::AllReduce, Operation::Sum, ElementType::F32, elements as u64);
                comm.run_in_place(made, &mut tensor, WAIT_LIMIT)
            });
            failed.unwrap_err().to_string()
        },
    );
    assert!(start.elapsed() < Duration::from_secs(5));
    for message in messages {
        for part in [
            "rank 1 called all_reduce(sum, f32, 2000 elements)",
            "called all_reduce(sum, f32, 1000 elements)",
        ] {
            assert!(message.contains(part), "{message}");
        }
    }
}

fn a_worker_that_goes_is_named(way: Way) {
    /// More than all slots hold: what rank 2 has sent before it gives up completes no call.
    const ELEMENTS: u64 = 1 << 22;
    let switch = way.switch(SwitchOptions::default());
    let [all_joined, gave_up] = [(); 2].map(|()| Barrier::new(3));
    let messages = workers(
        &switch,
        way,
        3,
        |_| (),
        |comm| {
            all_joined.wait();
            let mut tensor = vec![0; 4 << 22];
            let made = call(Collective::AllReduce, Operation::Sum, ElementType::I32, ELEMENTS);
            // The call of rank 2 is in progress when it gives up: the job cannot go on.
            let is_rank_2 = comm.rank() == 2;
            if !is_rank_2 {
                gave_up.wait();
            }
            let patience = if is_rank_2 { Some(Duration::from_millis(50)) } else { WAIT_LIMIT };
            let message = comm.run_in_place(made, &mut tensor, patience).unwrap_err().to_string();
            if is_rank_2 {
                gave_up.wait();
            }
            message
        },
    );
    assert!(
        messages[2].contains(&format!("all_reduce(sum, i32, {ELEMENTS} elements) was not done")),
        "{}",
        messages[2]
    );
    // In a tree rank 0 is on its host, so that nothing has left that for any switch, and nobody
    // knows of rank 1.
    let missing = if way == Way::Tree { "waiting for rank 0)" } else { "waiting for rank 0, 1)" };
    assert!(messages[2].contains(missing), "{}", messages[2]);
    for message in &messages[..2] {
        assert!(message.contains("rank 2 was lost"), "{message}");
    }
}

/// R-CTRL-5
fn what_a_worker_has_called_before_it_left_completes_and_the_rest_fails(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let made = call(Collective::AllReduce, Operation::Sum, ElementType::I32, 100_000);
    workers(
        &switch,
        way,
        3,
        |_| (),
        |comm| {
            let mut tensor = bytes(&vec![1; 100_000]);
            comm.run_in_place(made, &mut tensor, WAIT_LIMIT).unwrap();
            assert!(integers(&tensor).iter().all(|&x| x == 3));
            if comm.rank() == 0 {
                return comm.close();
            }
            let error = comm.run_in_place(made, &mut tensor, WAIT_LIMIT).unwrap_err();
            assert!(
                matches!(error, Error::PeerLeft { rank: 0, calls: 1 } | Error::Failed(_)),
                "{error}"
            );
        },
    );
}

/// R-CTRL-7
#[test]
fn a_switch_that_dies_is_named() {
    let switch = std::sync::Mutex::new(Some(switch()));
    let address = switch.lock().unwrap().as_ref().unwrap().address().to_string();
    let all_joined = Barrier::new(2);
    std::thread::scope(|scope| {
        for rank in 0..2 {
            let (address, all_joined, switch) = (&address, &all_joined, &switch);
            scope.spawn(move || {
                let request = JoinRequest::new("test", rank, 2);
                let comm =
                    Communicator::connect(address, request, |_| ControlFlow::Continue(())).unwrap();
                all_joined.wait();
                if rank == 0 {
                    drop(switch.lock().unwrap().take());
                }
                let mut tensor = vec![0; 40];
                // Rank 1 may get a call through before the switch has gone.
                let made = call(Collective::AllReduce, Operation::Sum, ElementType::I32, 10);
                let error = loop {
                    if let Err(error) = comm.run_in_place(made, &mut tensor, WAIT_LIMIT) {
                        break error.to_string();
                    }
                };
                assert!(error.contains("the switch"), "{error}");
            });
        }
    });
}

/// R-PKT-1, R-PKT-4: what strangers send to the switch's port is counted and harms nothing.
#[test]
fn garbage_at_the_port_harms_nothing() {
    let switch = switch();
    let target = switch.shard_addresses()[0];
    let made = call(Collective::AllReduce, Operation::Sum, ElementType::I32, 200_000);
    let running = AtomicBool::new(true);
    let sent = std::thread::scope(|scope| {
        let stranger = scope.spawn(|| {
            let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
            let (mut sent, mut state) = (0u64, 1u64);
            while running.load(Ordering::Relaxed) || sent < 1000 {
                // An arbitrary but fixed sequence; every other datagram pretends to be of this
                // version.
                let bytes: Vec<u8> = (0..sent % 200)
                    .map(|_| {
                        state = state
                            .wrapping_mul(6364136223846793005)
                            .wrapping_add(1442695040888963407);
                        (state >> 56) as u8
                    })
                    .collect();
                let datagram =
                    if sent.is_multiple_of(2) { bytes } else { [&[1], &bytes[..]].concat() };
                socket.send_to(&datagram, target).unwrap();
                sent += 1;
            }
            sent
        });
        workers(
            &switch,
            Way::Udp,
            2,
            |_| (),
            |comm| {
                for _ in 0..5 {
                    let mut tensor = bytes(&vec![i32::from(comm.rank()); 200_000]);
                    comm.run_in_place(made, &mut tensor, WAIT_LIMIT).unwrap();
                    assert!(integers(&tensor).iter().all(|&x| x == 1));
                }
            },
        );
        running.store(false, Ordering::Relaxed);
        stranger.join().unwrap()
    });
    assert!(sent >= 1000);
    let address = switch.address().to_string();
    let Report::Stats(stats) = query(&address, Query::Stats, Duration::from_secs(5)).unwrap()
    else {
        panic!()
    };
    let dropped: u64 = stats.shards[0]
        .counters
        .iter()
        .filter(|(name, _)| name.starts_with("dropped_"))
        .map(|(_, n)| n)
        .sum();
    assert!(dropped > 0, "{stats:?}");
}

/// R-CTRL-3, R-CTRL-7: jobs of a switch that restarts fail, and can be started again under the same
/// name.
#[test]
fn a_job_can_be_started_again_after_its_switch() {
    let first = switch();
    let listen = first.address().to_string();
    let made = call(Collective::AllReduce, Operation::Sum, ElementType::I32, 1000);
    let request = || JoinRequest::new("test", 0, 1);
    let old = Communicator::connect(&listen, request(), |_| ControlFlow::Continue(())).unwrap();
    old.run_in_place(made, &mut vec![0; 4000], WAIT_LIMIT).unwrap();
    drop(first);
    let second =
        Switch::start(&SwitchOptions { listen: listen.clone(), ..SwitchOptions::default() })
            .unwrap();
    let new = Communicator::connect(&listen, request(), |_| ControlFlow::Continue(())).unwrap();
    let mut tensor = bytes(&[7; 1000]);
    new.run_in_place(made, &mut tensor, WAIT_LIMIT).unwrap();
    assert!(integers(&tensor).iter().all(|&x| x == 7));
    let error = old.run_in_place(made, &mut tensor, WAIT_LIMIT).unwrap_err().to_string();
    assert!(error.contains("the switch"), "{error}");
    drop(second);
}

/// Two listeners cannot have one port, and the message says which.
#[test]
fn a_port_that_is_taken_is_named() {
    let switch = switch();
    let listen = switch.address().to_string();
    let error =
        Switch::start(&SwitchOptions { listen: listen.clone(), ..SwitchOptions::default() })
            .err()
            .unwrap();
    assert!(error.to_string().contains(&listen), "{error}");
}

fn a_job_with_a_token_runs_and_one_without_it_is_refused(way: Way) {
    let token = Token::new("secret").unwrap();
    let options = SwitchOptions { tokens: vec![token.clone()], ..SwitchOptions::default() };
    let switch = way.switch(options);
    let made = call(Collective::AllReduce, Operation::Sum, ElementType::I32, 5000);
    workers(
        &switch,
        way,
        2,
        |request| request.token = Some(token.clone()),
        |comm| {
            let mut tensor = bytes(&vec![2; 5000]);
            comm.run_in_place(made, &mut tensor, WAIT_LIMIT).unwrap();
            assert!(integers(&tensor).iter().all(|&x| x == 4));
        },
    );
    let request = JoinRequest::new("other", 0, 1);
    let refused =
        Communicator::connect(
            &switch.address().to_string(),
            request,
            |_| ControlFlow::Continue(()),
        );
    assert!(refused.err().unwrap().to_string().contains("NETFOLD_TOKEN"));
}

fn what_the_arithmetic_cannot_do_is_refused_and_the_job_goes_on(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    workers(
        &switch,
        way,
        2,
        |request| request.terms.arithmetic = Arithmetic::Block,
        |comm| {
            let mut tensor = vec![0; 8];
            let product = call(Collective::AllReduce, Operation::Product, ElementType::F32, 2);
            let error = comm.run_in_place(product, &mut tensor, WAIT_LIMIT).unwrap_err();
            assert!(matches!(error, Error::Unsupported(_)), "{error}");
            let sum = call(Collective::AllReduce, Operation::Sum, ElementType::F32, 2);
            comm.run_in_place(sum, &mut tensor, WAIT_LIMIT).unwrap();
            let short = call(Collective::AllReduce, Operation::Sum, ElementType::F32, 3);
            assert!(matches!(
                comm.run_in_place(short, &mut tensor, WAIT_LIMIT),
                Err(Error::Memory { input: 12, output: 12 })
            ));
        },
    );
}

/// R-CTRL-10: unasked, workers on the switch's host share memory, unless one of them insists on
/// UDP.
#[test]
fn memory_is_shared_by_itself() {
    let switch = switch();
    let address = switch.address().to_string();
    for (job, wish, expected) in
        [("a", None, Transport::Shm), ("b", Some(Transport::Udp), Transport::Udp)]
    {
        let join = |rank: u16, transport| {
            let request = JoinRequest { transport, ..JoinRequest::new(job, rank, 2) };
            let comm =
                Communicator::connect(&address, request, |_| ControlFlow::Continue(())).unwrap();
            assert_eq!(comm.stats().unwrap().transport, expected);
        };
        std::thread::scope(|scope| {
            scope.spawn(|| join(0, None));
            scope.spawn(|| join(1, wish));
        });
    }
}

/// R-CTRL-10: a process that does not show the ticket of a job gets no memory.
#[test]
fn a_stranger_gets_no_memory() {
    use std::io::{Read, Write};
    use std::os::linux::net::SocketAddrExt;

    let switch = switch();
    let request = JoinRequest::new("test", 0, 1);
    let comm =
        Communicator::connect(
            &switch.address().to_string(),
            request,
            |_| ControlFlow::Continue(()),
        )
        .unwrap();
    assert_eq!(comm.stats().unwrap().transport, Transport::Shm);
    let server =
        std::os::unix::net::SocketAddr::from_abstract_name(switch.memory_server().unwrap())
            .unwrap();
    for guess in [0u64, 1, u64::MAX] {
        let mut stranger = std::os::unix::net::UnixStream::connect_addr(&server).unwrap();
        stranger.write_all(&guess.to_be_bytes()).unwrap();
        assert_eq!(stranger.read(&mut [0; 16]).unwrap(), 0, "the server closes the connection");
    }
}

/// A worker's own threads stay where they are told to.
#[test]
fn threads_of_a_worker_are_pinned_when_asked() {
    // The kernel shows a range for more than one core; the last one is any that this process may
    // use.
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let allowed =
        status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap().trim();
    let core = allowed.rsplit([',', '-']).next().unwrap();
    let switch = switch();
    let request = JoinRequest::new("pinned", 0, 1);
    let (cores, address) = (core.parse().unwrap(), switch.address().to_string());
    let comm = Communicator::connect_on(Some(&cores), &address, request.clone(), |_| {
        ControlFlow::Continue(())
    })
    .unwrap();
    let on_the_core = std::fs::read_dir("/proc/self/task").unwrap().filter(|task| {
        let file = |name| {
            std::fs::read_to_string(task.as_ref().unwrap().path().join(name)).unwrap_or_default()
        };
        let alone = format!("Cpus_allowed_list:\t{core}\n");
        file("comm").trim() == "netfold-flow-0" && file("status").contains(&alone)
    });
    assert!(on_the_core.count() >= 1);
    drop(comm);
    let nowhere = "1023".parse().unwrap();
    let refused =
        Communicator::connect_on(Some(&nowhere), &address, request, |_| ControlFlow::Continue(()));
    assert!(refused.err().unwrap().to_string().contains("core 1023"));
}
