//! Joining: R-CTRL-1, R-CTRL-2, R-CTRL-3, R-CTRL-8, R-CTRL-9, R-CTRL-10, R-CTRL-11.

use core::net::SocketAddr;

use netfold_wire::{Integrity, IntegrityKind};

use super::*;

/// R-CTRL-1, R-CTRL-2.
#[test]
fn a_job_runs_when_all_have_joined() {
    let mut rig = Rig::new();
    let first = rig.join(join("a", 1, 2));
    let heard = rig.heard(first);
    assert!(matches!(heard[0], Message::Hello { version: netfold_wire::VERSION, shards: 2, .. }));
    assert_eq!(heard[1..], [waiting(1, 2, [0])]);
    assert!(rig.plane.admitted.is_empty());

    let second = rig.join(join("a", 0, 2));
    let welcome = rig.welcome(first).unwrap();
    assert_eq!(rig.welcome(second), Some(welcome.clone()));
    // 352 lanes fit an Ethernet path; 1 MiB of them would be 744 slots, more than the most, and a
    // third of 4 MiB of buffer holds 482 of each of two workers' datagrams of 1448 bytes.
    assert_eq!((welcome.workers, welcome.payload_bytes, welcome.slots), (2, 1408, 256));
    assert_eq!(welcome.shards.len(), 2);

    let admission = &rig.plane.admitted[&welcome.job];
    // R-CTRL-23: half as many exchange slots, for two workers.
    assert_eq!((admission.epoch, admission.slots), (welcome.epoch, 256 + 64 + 128));
    assert_eq!((welcome.urgent_slots, welcome.exchange_slots), (64, 128));
    assert_eq!(admission.exchange_slots, 128);
    let ports: Vec<Vec<u16>> = admission
        .members
        .iter()
        .map(|member| member.addresses.iter().map(SocketAddr::port).collect())
        .collect();
    assert_eq!(ports, [[5000, 6000], [5001, 6001]], "by rank, then by flow");
}

/// R-CTRL-2: of a job of 200 all are told when the number has changed by more than 200 / 64, the
/// newcomer at once, and the others with their heartbeat.
#[test]
fn who_waits_in_a_large_job_is_told_at_intervals() {
    let mut rig = Rig::new();
    let waiting = |joined: u16| waiting(joined, 200, joined..joined + 16);
    let first = rig.join(join("a", 0, 200));
    let others: Vec<_> = (1..6).map(|rank| rig.join(join("a", rank, 200))).collect();
    assert_eq!(rig.heard(first)[1..], [waiting(1), waiting(4)]);
    assert_eq!(rig.heard(others[4])[1..], [waiting(6)]);
    rig.advance(TIMEOUT_MS * 1000 / 4);
    assert_eq!(rig.heard(first), [waiting(6)]);
    rig.join(join("a", 6, 200));
    rig.join(join("a", 7, 200));
    assert_eq!(rig.heard(first), [waiting(8)]);
    rig.advance(TIMEOUT_MS * 1000 / 4);
    assert_eq!(rig.heard(first), [], "nothing is new");
}

/// R-CTRL-9.
#[test]
fn workers_on_loopback_listen_together_and_others_do_not() {
    const NETWORK: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));
    const LOOPBACK: [IpAddr; 2] =
        [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V4(Ipv4Addr::new(127, 0, 0, 9))];
    let loopback_6 = IpAddr::from(core::net::Ipv6Addr::LOCALHOST);
    let together: [SocketAddr; 2] =
        [([127, 255, 255, 255], 5000).into(), ([127, 255, 255, 255], 6000).into()];
    for (from, groups) in [
        (&LOOPBACK[..], &together[..]),
        (&[LOOPBACK[0], NETWORK], &[]),
        (&[NETWORK, LOOPBACK[0]], &[]),
        (&[NETWORK, NETWORK], &[]),
        (&[loopback_6, loopback_6], &[]),
        // One worker needs no group.
        (&LOOPBACK[..1], &[]),
    ] {
        let mut rig = Rig::new();
        let size = from.len() as u16;
        let conns: Vec<_> = (0..size)
            .map(|rank| {
                rig.from = from[usize::from(rank)];
                rig.join(join("a", rank, size))
            })
            .collect();
        for conn in conns {
            assert_eq!(rig.welcome(conn).unwrap().groups, groups, "{from:?}");
        }
        assert_eq!(rig.plane.admitted.values().next().unwrap().groups, groups, "{from:?}");
    }
}

/// R-CTRL-10: shared memory needs everyone, and one that wants UDP is enough to have it.
#[test]
fn memory_is_shared_when_all_can_and_none_insists_on_udp() {
    let (udp, shm) = (Some(Transport::Udp), Some(Transport::Shm));
    for (workers, shared) in [
        ([(true, None), (true, None)], true),
        ([(true, None), (true, shm)], true),
        ([(true, shm), (true, shm)], true),
        ([(true, None), (false, None)], false),
        ([(false, None), (true, None)], false),
        ([(true, udp), (true, None)], false),
        ([(true, None), (false, udp)], false),
    ] {
        let mut rig = Rig::new();
        let conns: Vec<_> = (0..)
            .zip(workers)
            .map(|(rank, (shares_memory, transport))| {
                rig.join(Join { shares_memory, transport, ..join("a", rank, 2) })
            })
            .collect();
        let tickets: Vec<_> = conns.iter().map(|&conn| rig.welcome(conn).unwrap().ticket).collect();
        assert_eq!(tickets[0].is_some(), shared, "{workers:?}");
        assert!(
            tickets
                .iter()
                .chain([&rig.plane.admitted[&0].ticket])
                .all(|ticket| *ticket == tickets[0])
        );
    }
}

/// For each rank the member that stands for it.
fn names(admission: &Admission) -> Vec<u16> {
    let of =
        |rank| admission.members.iter().find(|member| member.ranks.contains(&rank)).unwrap().rank;
    (0..admission.workers).map(of).collect()
}

/// R-CTRL-11: workers that name one host fold there, those that name none or are alone send by
/// themselves.
#[test]
fn workers_of_one_host_have_one_member() {
    let offers = [Some(7), None, Some(8), Some(7), Some(9), Some(8), Some(7)];
    let offer = |rank: u16| {
        let id = offers[usize::from(rank)]?;
        Some(HostOffer { id, memory_server: format!("server-{rank}") })
    };
    let mut rig = Rig::new();
    let conns: Vec<_> =
        (0..7).map(|rank| rig.join(Join { host: offer(rank), ..join("a", rank, 7) })).collect();
    let hosts: Vec<_> = conns.iter().map(|conn| rig.welcome(*conn).unwrap().host).collect();
    assert_eq!(names(&rig.plane.admitted[&0]), [0, 1, 2, 0, 4, 2, 0]);
    for (rank, host) in hosts.iter().enumerate() {
        let expected = match rank {
            0 | 3 | 6 => Some((0, vec![0, 3, 6], "server-0")),
            2 | 5 => Some((2, vec![2, 5], "server-2")),
            _ => None,
        };
        assert_eq!(
            host.as_ref().map(|host| (host.leader, host.ranks.clone(), &*host.memory_server)),
            expected
        );
    }
    let tickets: BTreeSet<_> = hosts.iter().flatten().map(|host| host.ticket.0).collect();
    assert_eq!(tickets.len(), 1);
}

/// R-CTRL-10, R-CTRL-11: where all reach the switch's memory, nothing is between.
#[test]
fn no_host_folds_by_itself_beside_the_switch() {
    let host = |memory_server: &str| Some(HostOffer { id: 7, memory_server: memory_server.into() });
    let mut rig = Rig::new();
    let join = |rank, memory_server| Join {
        shares_memory: true,
        host: host(memory_server),
        ..join("a", rank, 2)
    };
    let conns = [rig.join(join(0, "x")), rig.join(join(1, "y"))];
    for conn in conns {
        let welcome = rig.welcome(conn).unwrap();
        assert!(welcome.ticket.is_some() && welcome.host.is_none());
    }
    assert_eq!(names(&rig.plane.admitted[&0]), [0, 1]);
}

/// R-CTRL-10, R-CTRL-11: a memory has at most 64 workers. On a larger host each 64 of them form a
/// group; a job that insists on memory is refused.
#[test]
fn a_large_host_has_several_groups() {
    let mut rig = Rig::new();
    let offer = || Some(HostOffer { id: 7, memory_server: "memory_server".into() });
    let worker = |rank| Join { shares_memory: true, host: offer(), ..join("a", rank, 150) };
    let conns: Vec<_> = (0..150).map(|rank| rig.join(worker(rank))).collect();
    for (rank, conn) in (0..).zip(conns) {
        let welcome = rig.welcome(conn).unwrap();
        let (leader, end) = [(0, 64), (64, 128), (128, 150)][usize::from(rank / 64u16)];
        let host = welcome.host.unwrap();
        assert_eq!((host.leader, host.ranks), (leader, (leader..end).collect::<Vec<_>>()));
        assert!(welcome.ticket.is_none());
    }
    let leaders: Vec<u16> =
        rig.plane.admitted[&0].members.iter().map(|member| member.rank).collect();
    assert_eq!(leaders, [0, 64, 128]);
    let zero = rig.join(Join { transport: Some(Transport::Shm), ..join("b", 0, 65) });
    assert!(rig.refusal(zero).to_string().contains("at most 64"));
}

/// R-CTRL-11: where all workers share a host and not the switch's memory, the slots are on that
/// host alone.
#[test]
fn a_job_of_one_host_has_no_slots_at_the_switch() {
    let host = |id| Some(HostOffer { id, memory_server: "memory_server".into() });
    for (hosts, wish, elsewhere) in [
        ([host(7), host(7)], None, true),
        ([host(7), host(8)], None, false),
        ([host(7), None], Some(Transport::Udp), false),
        ([None, None], None, false),
    ] {
        let mut rig = Rig::new();
        let joins = [(0, None), (1, wish)].map(|(rank, transport)| Join {
            host: hosts[usize::from(rank)].clone(),
            transport,
            ..join("a", rank, 2)
        });
        let conns = joins.map(|join| rig.join(join));
        for conn in conns {
            let welcome = rig.welcome(conn).unwrap();
            assert_eq!(
                (welcome.has_one_host(), welcome.transport() == Transport::Shm),
                (elsewhere, elsewhere)
            );
            // Packets as for any shared memory: nothing has to fit a datagram's path.
            assert_eq!(welcome.payload_bytes > 1472, elsewhere);
        }
        assert_eq!(rig.plane.admitted[&0].elsewhere, elsewhere);
    }
}

/// R-CTRL-10: the worker that comes second is refused.
#[test]
fn shared_memory_that_somebody_cannot_have_is_refused() {
    let (udp, shm) = (Some(Transport::Udp), Some(Transport::Shm));
    let with =
        |rank, shares_memory, transport| Join { shares_memory, transport, ..join("a", rank, 2) };
    for (first, second, refused) in [
        (with(0, true, shm), with(1, false, None), 1),
        (with(1, false, None), with(0, true, shm), 1),
        (with(1, false, None), with(0, false, shm), 1),
    ] {
        let mut rig = Rig::new();
        rig.join(first);
        let conn = rig.join(second);
        assert_eq!(rig.refusal(conn), Refusal::NoSharedMemory { rank: refused });
    }
    let mut rig = Rig::new();
    rig.join(with(0, true, shm));
    let conn = rig.join(with(1, true, udp));
    let Refusal::Disagreement { what, value_a, value_b, .. } = rig.refusal(conn) else {
        panic!("another refusal")
    };
    assert_eq!((&*what, &*value_a, &*value_b), ("transport", "shm", "udp"));
}

#[test]
fn a_job_of_one_runs_at_once() {
    let mut rig = Rig::new();
    let conn = rig.join(join("alone", 0, 1));
    assert_eq!(rig.welcome(conn).unwrap().workers, 1);
}

/// R-CTRL-2: the narrowest path decides.
#[test]
fn the_smallest_path_and_buffer_decide() {
    let mut rig = Rig::new();
    rig.join(Join { max_datagram: 8972, receive_buffer: 1 << 20, ..join("a", 0, 2) });
    let conn = rig.join(Join { max_datagram: 700, receive_buffer: 1 << 14, ..join("a", 1, 2) });
    let welcome = rig.welcome(conn).unwrap();
    // 160 lanes and the header are 680 bytes, 168 lanes would be 712; half of 16 KiB holds 12
    // datagrams, so 8 slots.
    assert_eq!((welcome.payload_bytes, welcome.slots), (640, 8));
}

#[test]
fn preferences_are_granted_and_one_is_enough() {
    let mut rig = Rig::new();
    rig.join(Join { packet_elements: Some(64), ..join("a", 0, 2) });
    let conn = rig.join(Join { slots: Some(4), ..join("a", 1, 2) });
    let welcome = rig.welcome(conn).unwrap();
    assert_eq!((welcome.payload_bytes, welcome.slots), (256, 4));
}

/// R-CTRL-1: both ranks and both values are named, and the job goes on.
#[test]
fn who_differs_is_refused_with_both_ranks_and_both_values() {
    let base = || Join { packet_elements: Some(64), slots: Some(32), ..join("a", 0, 3) };
    let differing = [
        ("size", "3", "4", Join { size: 4, ..base() }),
        ("arithmetic", "block", "native", on(base(), |terms| terms.arithmetic = "native".into())),
        (
            "byte order",
            "little",
            "network",
            on(base(), |terms| terms.byte_order = "network".into()),
        ),
        ("protocol", "shadow", "acked", on(base(), |terms| terms.protocol = "acked".into())),
        (
            "integrity",
            "transport",
            "checksum",
            on(base(), |terms| terms.integrity = IntegrityKind::Checksum),
        ),
        ("time-out", "1000 ms", "2000 ms", Join { timeout_ms: 2000, ..base() }),
        ("packet elements", "64", "128", Join { packet_elements: Some(128), ..base() }),
        ("slots", "32", "16", Join { slots: Some(16), ..base() }),
        ("weight", "1", "2", on(base(), |terms| terms.weight = 2)),
    ];
    for (what, value_a, value_b, other) in differing {
        let mut rig = Rig::new();
        let zero = rig.join(base());
        let refused = rig.join(Join { rank: 2, ..other });
        let refusal = rig.refusal(refused);
        let (what, value_a, value_b) = (what.to_owned(), value_a.to_owned(), value_b.to_owned());
        assert_eq!(
            refusal,
            Refusal::Disagreement {
                job: "a".into(),
                what: what.clone(),
                rank_a: 0,
                value_a,
                rank_b: 2,
                value_b
            },
        );
        let text = refusal.to_string();
        assert!(
            text.contains("rank 0") && text.contains("rank 2") && text.contains(&what),
            "{text}"
        );

        rig.join(Join { rank: 1, ..base() });
        rig.join(Join { rank: 2, ..base() });
        assert!(rig.welcome(zero).is_some(), "the job forms all the same");
    }
}

/// R-CTRL-3.
#[test]
fn a_taken_rank_is_refused_while_the_job_forms_and_while_it_runs() {
    let mut rig = Rig::new();
    rig.join(join("a", 0, 2));
    let taken = Refusal::RankTaken { job: "a".into(), rank: 0, by: "10.0.0.1".into() };
    let conn = rig.join(join("a", 0, 2));
    assert_eq!(rig.refusal(conn), taken);
    let last = rig.join(join("a", 1, 2));
    assert!(rig.welcome(last).is_some());
    let conn = rig.join(join("a", 0, 2));
    assert_eq!(rig.refusal(conn), taken);
    assert!(!rig.closed.contains(&last));
}

#[test]
fn a_worker_that_goes_while_the_job_forms_frees_its_rank() {
    let mut rig = Rig::new();
    let zero = rig.join(join("a", 0, 3));
    for end in [Rig::hang_up, |rig: &mut Rig, conn| rig.say(conn, Message::Leave { calls: 0 })] {
        let one = rig.join(join("a", 1, 3));
        end(&mut rig, one);
        assert_eq!(rig.heard(zero).pop(), Some(waiting(1, 3, [1, 2])));
    }
    rig.join(join("a", 1, 3));
    rig.join(join("a", 2, 3));
    assert!(rig.welcome(zero).is_some());
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    let cases = [
        (Join { version: 99, ..join("a", 0, 2) }, "version 99"),
        (Join { job: String::new(), ..join("a", 0, 2) }, "1 to 128 bytes"),
        (
            Join { job: "a\nb".into(), ..join("a", 0, 2) },
            "cannot be \"a\\nb\"; it must be 1 to 128 bytes without control",
        ),
        (
            Join { job: "x".repeat(129), ..join("a", 0, 2) },
            "\" and 1 more characters; it must be 1 to 128 bytes",
        ),
        (join("a", 2, 2), "rank 2 cannot be in a job of 2"),
        (join("a", 0, 0), "the number of workers cannot be 0; it must be a whole number from 1"),
        (join("a", 0, 32_768), "at most 32767 workers, not 32768"),
        (on(join("a", 0, 2), |terms| terms.arithmetic = "magic".into()), "one of block, native"),
        (on(join("a", 0, 2), |terms| terms.byte_order = "big".into()), "one of little, network"),
        (on(join("a", 0, 2), |terms| terms.protocol = "none".into()), "one of shadow, acked"),
        (on(join("a", 0, 2), |terms| terms.overflow = "wrap".into()), "one of error, native"),
        (on(join("a", 0, 2), |terms| terms.overflow = "native".into()), "block has no registers"),
        (Join { packet_elements: Some(100), ..join("a", 0, 2) }, "a multiple of 8 from 8 to 8192"),
        (Join { packet_elements: Some(8200), ..join("a", 0, 2) }, "a multiple of 8 from 8 to 8192"),
        (Join { packet_elements: Some(0), ..join("a", 0, 2) }, "a multiple of 8 from 8 to 8192"),
        (Join { slots: Some(0), ..join("a", 0, 2) }, "a power of two from 1 to 32768"),
        (on(join("a", 0, 2), |terms| terms.weight = 0), "1 to 100"),
        (on(join("a", 0, 2), |terms| terms.weight = 101), "1 to 100"),
        (
            Join { timeout_ms: 1, ..join("a", 0, 2) },
            "the time-out in seconds cannot be 0.001; it must be 0.1 to 86400",
        ),
        (Join { udp_ports: vec![1], ..join("a", 0, 2) }, "2 ports above 0"),
        (Join { udp_ports: vec![1, 0], ..join("a", 0, 2) }, "2 ports above 0"),
        (on(join("a", 0, 2), |terms| terms.integrity = IntegrityKind::Token), "NETFOLD_TOKEN"),
        (
            Join { packet_elements: Some(512), ..join("a", 0, 2) },
            "takes datagrams of 1472 bytes and so at most 352",
        ),
        (Join { max_datagram: 71, ..join("a", 0, 2) }, "at most 0 elements"),
    ];
    let mut rig = Rig::new();
    for (bad, expected) in cases {
        let conn = rig.join(bad.clone());
        let text = rig.refusal(conn).to_string();
        assert!(text.contains(expected), "{bad:?}: {text}");
    }
    assert_eq!(rig.jobs(), [], "none of them founds a job");
}

/// The worker with the narrow path is named, whichever came first.
#[test]
fn a_packet_that_does_not_fit_another_workers_path_is_refused() {
    let wide = Join { packet_elements: Some(1024), max_datagram: 8972, ..join("a", 0, 2) };
    let narrow = join("a", 1, 2);
    for (first, second) in [(&wide, &narrow), (&narrow, &wide)] {
        let mut rig = Rig::new();
        rig.join(first.clone());
        let conn = rig.join(second.clone());
        let expected =
            Refusal::PacketTooLarge { asked: 1024, fits: 352, rank: 1, max_datagram: 1472 };
        assert_eq!(rig.refusal(conn), expected);
    }
}

/// R-CTRL-2: a job that does not fit is refused to everyone, and nothing stays behind.
#[test]
fn a_job_without_room_is_refused_by_name() {
    let mut rig = Rig::new();
    rig.plane.budget = 12_000;
    let conns = [0, 1].map(|rank| rig.join(join("a", rank, 2)));
    // R-CTRL-20: at least two copies of 64 bulk slots and 16 urgent ones, of 1408 bytes, at two
    // shards.
    for conn in conns {
        assert_eq!(
            rig.refusal(conn),
            Refusal::OutOfMemory { job: "a".into(), needed: 450_560, free: 12_000 }
        );
    }
    assert_eq!(rig.jobs(), []);
    let small = rig.join(Join { slots: Some(1), ..join("a", 0, 1) });
    assert!(rig.welcome(small).is_some(), "a smaller job fits");
}

/// R-CTRL-20: jobs become smaller as memory does, one that asks gets the slots that it asks for,
/// and memory that is free again serves the next.
#[test]
fn default_slots_shrink_with_the_memory_that_is_left() {
    let mut rig = Rig::new();
    // A flow's share of each of two shards: two copies of the lanes of 512 slots and 64 urgent
    // ones, and no byte for registers.
    rig.plane.budget = 2 * 6 * 2 * 576 * 1408;
    let (first, welcome) = rig.running("first", 1);
    assert_eq!((welcome.slots, welcome.urgent_slots), (256, 64));
    let asks = rig.join(Join { slots: Some(512), ..join("asks", 0, 1) });
    assert_eq!(rig.welcome(asks).unwrap().slots, 512);
    // Beside what those two jobs have, 200 slots for each of them and of 6 more.
    rig.plane.budget = 2 * 8 * 2 * 200 * 1408 + 2 * 2 * (320 + 576) * 1408;
    let (_, welcome) = rig.running("small", 1);
    assert_eq!((welcome.slots, welcome.urgent_slots), (128, 32));
    rig.plane.budget = 1 << 30;
    rig.say(first[0], Message::Leave { calls: 0 });
    let (_, welcome) = rig.running("large", 1);
    assert_eq!((welcome.slots, welcome.urgent_slots), (512, 64));
}

/// R-CTRL-20
#[test]
fn a_switch_takes_as_many_jobs_as_its_memory_is_for() {
    assert_eq!([0, 4 << 20, 64 << 20, u64::MAX].map(Limits::jobs_of), [64, 64, 1024, 32_768]);
}

#[test]
fn jobs_and_connections_are_limited() {
    let mut rig = Rig::with(Limits { jobs: 1, connections: 3, ..Limits::default() }, &[]);
    rig.join(join("a", 0, 2));
    let conn = rig.join(join("b", 0, 2));
    assert_eq!(rig.refusal(conn), Refusal::TooManyJobs { limit: 1 });
    rig.connect();
    rig.connect();
    let conn = rig.connect();
    assert_eq!(rig.refusal(conn), Refusal::TooManyConnections { limit: 3 });
}

#[test]
fn workers_that_wait_too_long_are_told_who_is_missing() {
    let many: Vec<u16> = [1].into_iter().chain(3..66).collect();
    for (size, missing, more, told) in
        [(4, vec![1, 3], 0, "missing: 1, 3;"), (1002, many, 936, "and 984 more;")]
    {
        let mut rig = Rig::new();
        let conns = [0, 2].map(|rank| rig.join(join("a", rank, size)));
        rig.advance_alive(299 * SECOND_US, &conns);
        assert!(rig.closed.is_empty());
        rig.advance_alive(SECOND_US, &conns);
        for conn in conns {
            let refusal = rig.refusal(conn);
            let (job, missing) = ("a".into(), missing.clone());
            assert_eq!(refusal, Refusal::JoinTimeout { job, size, missing, more, waited_s: 300 });
            assert!(refusal.to_string().contains(told), "{refusal}");
        }
        assert_eq!(rig.jobs(), []);
    }
}

/// R-CTRL-8.
#[test]
fn a_token_is_proven_over_the_connections_own_challenge() {
    let mut rig = Rig::with(Limits::default(), &["one", "two"]);
    let proven = |token: &str, over, rank| Join {
        proof: Some(Token::new(token).unwrap().prove(&Rig::challenge(over))),
        ..on(join("a", rank, 2), |terms| terms.integrity = IntegrityKind::Token)
    };
    let none = rig.join(join("a", 0, 2));
    assert_eq!(rig.refusal(none), Refusal::NoToken);
    let conn = rig.connect();
    rig.say(conn, Message::Join(proven("three", conn, 0).into()));
    assert_eq!(rig.refusal(conn), Refusal::WrongToken);
    let conn = rig.connect();
    rig.say(conn, Message::Join(proven("one", none, 0).into()));
    assert_eq!(
        rig.refusal(conn),
        Refusal::WrongToken,
        "a proof that was recorded on another connection"
    );

    let zero = rig.connect();
    rig.say(zero, Message::Join(proven("one", zero, 0).into()));
    let other = rig.connect();
    rig.say(other, Message::Join(proven("two", other, 1).into()));
    assert!(rig.refusal(other).to_string().contains("do not agree on its token"));
    let one = rig.connect();
    rig.say(one, Message::Join(proven("one", one, 1).into()));
    let welcome = rig.welcome(zero).unwrap();
    let key = Token::new("one").unwrap().packet_key(welcome.epoch);
    assert_eq!(rig.plane.admitted[&welcome.job].terms.integrity, Integrity::Token(key));
}

/// R-CTRL-8.
#[test]
fn a_token_that_the_switch_does_not_have_is_refused() {
    let mut rig = Rig::new();
    let conn = rig.join(Join { proof: Some([0; 32]), ..join("a", 0, 2) });
    assert_eq!(rig.refusal(conn), Refusal::TokenNotExpected);
}
