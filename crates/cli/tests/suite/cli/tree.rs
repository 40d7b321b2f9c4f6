//! Switches below each other, each a process (R-CTRL-14 to 19).

use std::sync::{Barrier, Mutex};

use netfold_net::{Call, Collective, ElementType, Operation, Reduction, Transport};

use super::drain::{HOT_ROWS, join};
use super::server::{ROWS, Running, on, options, rows};
use super::*;

/// A root with two switches below it, one of which is told so by a flag and the other by the
/// environment.
fn racks() -> (RunningSwitch, [RunningSwitch; 2]) {
    let root = switch();
    let flags = ["switch", "--listen", "127.0.0.1:0", "--parent", &root.address];
    let first = RunningSwitch::start(&mut netfold(&flags));
    let second = RunningSwitch::start(netfold(&flags[..3]).env("NETFOLD_PARENT", &root.address));
    (root, [first, second])
}

fn connect(switch: &RunningSwitch, rank: u16, size: u16) -> Communicator {
    let request =
        JoinRequest { transport: Some(Transport::Udp), ..JoinRequest::new("tree", rank, size) };
    Communicator::connect(&switch.address, request, |_| ControlFlow::Continue(())).unwrap()
}

/// Sums each rank's power of two over both racks.
fn sum(comm: &Communicator) -> Result<(), Error> {
    let reduction = Reduction::Fold(Operation::Sum);
    let (collective, element_type) = (Collective::AllReduce, ElementType::I32);
    let call = Call { collective, reduction, element_type, elements: 10_000, priority: None };
    let mut tensor: Vec<u8> =
        (0..10_000).flat_map(|_| (1i32 << comm.rank()).to_ne_bytes()).collect();
    comm.run_in_place(call, &mut tensor, Some(WAIT_LIMIT))?;
    let all = (1i32 << comm.size()) - 1;
    assert!(tensor.chunks_exact(4).all(|lane| lane == all.to_ne_bytes()));
    Ok(())
}

#[test]
fn workers_of_two_racks_fold_together() {
    let (root, racks) = racks();
    for rack in &racks {
        assert!(
            rack.greeting.contains(&format!("below the switch at {}", root.address)),
            "{}",
            rack.greeting
        );
    }
    let shown = Barrier::new(4);
    std::thread::scope(|scope| {
        for rank in 0..4u16 {
            let (racks, root, shown) = (&racks, &root, &shown);
            scope.spawn(move || {
                let comm = connect(&racks[usize::from(rank / 2)], rank, 4);
                for _ in 0..5 {
                    sum(&comm).unwrap();
                }
                shown.wait();
                if rank == 0 {
                    // The root knows the job, whichever switch is asked.
                    let ask = |switch: &str| {
                        ended(&mut netfold(&["ctl", "jobs", "--json", "--switch", switch])).stdout
                    };
                    let jobs: Value = serde_json::from_str(&ask(&racks[1].address)).unwrap();
                    assert_eq!(
                        (&jobs["jobs"][0]["name"], &jobs["jobs"][0]["size"]),
                        (&"tree".into(), &4.into())
                    );
                    let doctor =
                        ended(&mut netfold(&["ctl", "doctor", "--switch", &racks[0].address]));
                    assert_eq!((doctor.status, &*doctor.stdout), (Some(0), "nothing to report\n"));
                    let stats = ended(&mut netfold(&["ctl", "stats", "--switch", &root.address]));
                    assert!(
                        stats.stdout.contains("jobs running: 1, forming: 0; workers: 4"),
                        "{}",
                        stats.stdout
                    );
                }
                shown.wait();
            });
        }
    });
    for switch in racks.into_iter().chain([root]) {
        let ended = switch.stop(Signal::TERM);
        assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    }
}

/// R-CTRL-18: killed, so that nobody says anything.
#[test]
fn who_is_killed_is_named() {
    for victim in ["rack", "root"] {
        let (root, [first, second]) = racks();
        let (root_address, lost_address) = (root.address.clone(), second.address.clone());
        let (sender, going) = mpsc::channel();
        std::thread::scope(|scope| {
            let workers = [&first.address, &second.address].map(|address| address.clone());
            let spawn = |rank: u16| {
                let (sender, address) = (sender.clone(), workers[usize::from(rank)].clone());
                scope.spawn(move || {
                    let request = JoinRequest {
                        transport: Some(Transport::Udp),
                        ..JoinRequest::new("tree", rank, 2)
                    };
                    let comm =
                        Communicator::connect(&address, request, |_| ControlFlow::Continue(()))
                            .unwrap();
                    sum(&comm).unwrap();
                    sender.send(()).unwrap();
                    loop {
                        if let Err(error) = sum(&comm) {
                            return error.to_string();
                        }
                    }
                })
            };
            let threads = [spawn(0), spawn(1)];
            for _ in 0..2 {
                going.recv_timeout(WAIT_LIMIT).unwrap();
            }
            match victim {
                "rack" => second.stop(Signal::KILL),
                _ => root.stop(Signal::KILL),
            };
            let [stays, other] = threads.map(|thread| thread.join().unwrap());
            if victim == "rack" {
                assert!(
                    stays.contains("rank 1 was lost") && stays.contains(&lost_address),
                    "{stays}"
                );
                assert!(
                    other.contains("the connection to the switch") && other.contains(&lost_address),
                    "{other}"
                );
            } else {
                for error in [stays, other] {
                    assert!(
                        error.contains("has lost its parent") && error.contains(&root_address),
                        "{error}"
                    );
                }
            }
        });
    }
}

/// R-KEY-10, R-KEY-19: a rack's switch, or the root, is killed while workers push hot and cold
/// rows. Sums of whole numbers are exact: each push is in them once.
#[test]
fn a_switch_that_is_killed_costs_a_table_nothing() {
    const STEPS: u32 = 60;
    for victim in 0..2 {
        let folder = tempfile::tempdir().unwrap();
        let (root, [rack, _]) = racks();
        let server = Running::start("127.0.0.1:0", folder.path());
        let addresses = [&rack, &rack, &root].map(|switch| switch.address.clone());
        let switches = [rack, root].map(|switch| Mutex::new(Some(switch)));
        let half = Barrier::new(3);
        let keys: Vec<u32> = (0..2 * HOT_ROWS).collect();
        std::thread::scope(|scope| {
            for (rank, address) in (0..3).zip(&addresses) {
                let (half, keys, server, switches) = (&half, &keys, &server, &switches);
                scope.spawn(move || {
                    let member = join(address, options(rank, 3, None, &[server]));
                    let table = member.table();
                    for step in 0..STEPS {
                        if step == STEPS / 2 {
                            half.wait();
                            if rank == 0 {
                                drop(switches[victim].lock().unwrap().take());
                            }
                        }
                        let gradient = |key: &u32| -((key * 3 + u32::from(rank) + step) as f32);
                        let gradients: Vec<f32> = keys.iter().map(gradient).collect();
                        table.push(keys, &gradients, &mut on).unwrap();
                    }
                    table.flush(&mut on).unwrap();
                    assert!(!table.stats().unwrap().at_switch, "the servers carry on");
                    half.wait();
                    // Three ranks, 0 to 2, and steps 0 to 59.
                    let sum = |key| (STEPS * (9 * key + 3) + 3 * (STEPS * (STEPS - 1) / 2)) as f32;
                    let expected = |key| if key < 2 * HOT_ROWS { sum(key) } else { 0.0 };
                    assert_eq!(rows(table), (0..ROWS).map(expected).collect::<Vec<_>>());
                    half.wait();
                });
            }
        });
    }
}
