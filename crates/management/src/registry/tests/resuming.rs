//! Jobs that go on here after another switch was lost: R-RES-3, R-RES-4.

use super::*;
use crate::{FlowRounds, HostOffer, MAX_RESUMABLE_SLOTS, Regroup, Replay, Resume};

const OLD_EPOCH: u32 = 0xA11CE;
/// Eight bulk slots, and as many urgent ones.
const SLOTS: u16 = 8;

/// A join that brings `rounds` of the first slots of each flow, and nothing done in the others.
fn resuming(rank: u16, size: u16, rounds: &[&[u64]]) -> Join {
    let all = |rounds: &&[u64]| {
        FlowRounds::new(rounds.iter().copied().chain(std::iter::repeat(0)).take(16))
    };
    Join {
        packet_elements: Some(256),
        slots: Some(SLOTS),
        udp_ports: (0..rounds.len() as u16).map(|flow| 5000 + 100 * flow + rank).collect(),
        resume: Some(Resume {
            epoch: OLD_EPOCH,
            flows: rounds.iter().map(all).collect(),
            regroup: None,
        }),
        ..on(join("a", rank, size), |terms| terms.resumable = true)
    }
}

/// R-RES-4: of each slot in which not all are equally far, the latest round and the lowest rank
/// that has done it.
#[test]
fn everyone_hears_what_is_to_be_replayed() {
    let mut rig = Rig::new();
    let conns = [
        rig.join(resuming(0, 3, &[&[3, 7, 11], &[0, 7]])),
        rig.join(resuming(1, 3, &[&[3, 39, 11], &[0, 7]])),
        rig.join(resuming(2, 3, &[&[3, 39, 11], &[3, 7]])),
    ];
    let replays = [
        Replay { flow: 0, slot: 1, round: 39, source: 1 },
        Replay { flow: 1, slot: 0, round: 3, source: 2 },
    ];
    for conn in conns {
        let welcome = rig.welcome(conn).expect("everyone is welcome");
        assert_eq!(welcome.replays, replays);
        assert_eq!(
            (welcome.slots, welcome.urgent_slots, welcome.payload_bytes),
            (SLOTS, SLOTS, 1024)
        );
        assert_ne!(welcome.epoch, OLD_EPOCH);
    }
}

/// R-RES-3: a job keeps its flows where there are more shards, and does not begin where there are
/// fewer.
#[test]
fn a_job_keeps_its_flows() {
    let mut rig = Rig::new();
    let conn = rig.join(resuming(0, 1, &[&[3]]));
    let welcome = rig.welcome(conn).unwrap();
    assert_eq!((welcome.shards.len(), rig.plane.admitted[&welcome.job].flows), (1, 1));

    let mut rig = Rig::new();
    let conn = rig.join(resuming(0, 1, &[&[3], &[3], &[3]]));
    assert_eq!(rig.refusal(conn), Refusal::FewerShards { flows: 3, shards: 2 });
}

/// R-RES-3: several flows stay where they are, although all workers could share memory, which has
/// one.
#[test]
fn several_flows_do_not_become_one() {
    for (flows, memory) in [(&[&[3u64][..]][..], true), (&[&[3], &[3]], false)] {
        let mut rig = Rig::new();
        rig.registry = Registry::new(
            Limits::default(),
            [9000, 9001].map(|p| (Ipv4Addr::LOCALHOST, p).into()).into(),
            vec![],
        )
        .offer_shared_memory("memory_server".into());
        let offer = |rank| Some(HostOffer { id: 1, memory_server: format!("server-{rank}") });
        let here =
            |rank| Join { shares_memory: true, host: offer(rank), ..resuming(rank, 2, flows) };
        let conns = [rig.join(here(0)), rig.join(here(1))];
        for conn in conns {
            let welcome = rig.welcome(conn).unwrap();
            assert_eq!((welcome.ticket.is_some(), welcome.has_one_host()), (memory, false));
        }
    }
}

/// R-RES-3: a worker that begins anew is not taken for one that goes on, nor is one that comes from
/// another epoch.
#[test]
fn an_epoch_goes_on_with_its_own_workers_alone() {
    let new = |rank| Join { resume: None, udp_ports: vec![1, 2], ..resuming(rank, 2, &[]) };
    let other = |rank| {
        let mut join = resuming(rank, 2, &[&[3], &[3]]);
        join.resume.as_mut().unwrap().epoch += 1;
        join
    };
    let same = |rank| resuming(rank, 2, &[&[3], &[3]]);
    for (first, second) in [(same(0), new(1)), (new(0), same(1)), (same(0), other(1))] {
        let mut rig = Rig::new();
        rig.join(first);
        let conn = rig.join(second);
        let Refusal::Disagreement { what, rank_a: 0, rank_b: 1, .. } = rig.refusal(conn) else {
            panic!("refused otherwise")
        };
        assert_eq!(what, "epoch");
    }
    let mut rig = Rig::new();
    rig.join(on(join("a", 0, 2), |terms| terms.resumable = true));
    let conn = rig.join(join("a", 1, 2));
    assert!(matches!(rig.refusal(conn), Refusal::Disagreement { rank_a: 0, rank_b: 1, .. }));
}

/// R-RES-3: within twice the time-out, everyone has noticed and is there.
#[test]
fn who_does_not_come_is_named_after_twice_the_time_out() {
    let mut rig = Rig::new();
    let conn = rig.join(resuming(1, 3, &[&[3]]));
    let alive = [conn];
    rig.advance_alive(2 * TIMEOUT_MS * 1000 - 250_000, &alive);
    assert!(!rig.closed.contains(&conn));
    rig.advance_alive(500_000, &alive);
    let Refusal::JoinTimeout { missing, .. } = rig.refusal(conn) else {
        panic!("refused otherwise")
    };
    assert_eq!(missing, [0, 2]);
}

/// R-RES-3: the state that a worker brings must be of a job like the one that it asks for.
#[test]
fn what_does_not_fit_is_refused() {
    let bad = [
        on(resuming(0, 1, &[&[3]]), |terms| terms.resumable = false),
        Join { slots: None, ..resuming(0, 1, &[&[3]]) },
        Join { packet_elements: None, ..resuming(0, 1, &[&[3]]) },
        // Twice as many slots as it brings.
        Join { slots: Some(2 * SLOTS), ..resuming(0, 1, &[&[3]]) },
        Join { udp_ports: vec![1, 2], ..resuming(0, 1, &[&[3]]) },
        Join { udp_ports: vec![], ..resuming(0, 1, &[]) },
    ];
    for join in bad {
        let mut rig = Rig::new();
        let conn = rig.join(join.clone());
        assert!(
            matches!(rig.refusal(conn), Refusal::BadValue { .. } | Refusal::FewerShards { .. }),
            "{join:?}"
        );
        assert!(rig.plane.admitted.is_empty());
    }
}

/// R-RES-3: a job that could not say how far it has come does not begin as one that goes on.
#[test]
fn a_resumable_job_has_so_many_slots_at_most() {
    let limits = Limits { slots: 32_768, ..Limits::default() };
    for (slots, fits) in [(8192, true), (16_384, false)] {
        let mut rig = Rig::with(limits.clone(), &[]);
        rig.plane.budget = 1 << 40;
        let conn = rig.join(on(Join { slots: Some(slots), ..join("a", 0, 1) }, |terms| {
            terms.resumable = true
        }));
        // On two flows, with the urgent ones.
        assert_eq!(2 * (u32::from(slots) + 64) <= MAX_RESUMABLE_SLOTS, fits);
        match rig.welcome(conn) {
            Some(welcome) => assert!(fits && welcome.slots == slots),
            None => assert!(!fits),
        }
    }
}

/// A join of a worker that has lost another, at a switch that does not know its last epoch.
fn regrouping(rank: u16, size: u16, made: u64, idle: bool) -> Join {
    let mut join = resuming(rank, size, &[&[], &[]]);
    join.resume = Some(Resume {
        epoch: OLD_EPOCH,
        flows: vec![FlowRounds::new([]), FlowRounds::new([])],
        regroup: Some(Regroup { made, idle }),
    });
    on(join, |terms| terms.elastic = true)
}

/// R-RES-8, R-RES-9
#[test]
fn workers_go_on_without_one() {
    for (calls, first) in
        [([(7, false), (7, false)], 7), ([(7, false), (6, true)], 7), ([(7, true), (7, false)], 8)]
    {
        let mut rig = Rig::new();
        let join =
            |rank: u16| regrouping(rank, 2, calls[usize::from(rank)].0, calls[usize::from(rank)].1);
        let conns = [rig.join(join(0)), rig.join(join(1))];
        for conn in conns {
            let welcome = rig.welcome(conn).expect("everyone is welcome");
            assert_eq!((welcome.first_call, welcome.workers, welcome.replays.len()), (first, 2, 0));
        }
    }
}

/// R-RES-3, R-RES-8: some that have lost their switch and some that have lost a worker do not go on
/// together, nor do those that have not agreed to it.
#[test]
fn all_have_lost_the_same() {
    let both = |join: Join| on(join, |terms| terms.elastic = true);
    let mut rig = Rig::new();
    rig.join(both(resuming(0, 2, &[&[3], &[3]])));
    let conn = rig.join(regrouping(1, 2, 3, true));
    assert!(matches!(rig.refusal(conn), Refusal::Disagreement { rank_a: 0, rank_b: 1, .. }));
    for join in [
        on(regrouping(0, 2, 3, true), |terms| terms.elastic = false),
        on(resuming(0, 2, &[&[3]]), |terms| (terms.resumable, terms.elastic) = (false, true)),
    ] {
        let mut rig = Rig::new();
        let conn = rig.join(join);
        assert!(matches!(rig.refusal(conn), Refusal::BadValue { .. }));
    }
}
