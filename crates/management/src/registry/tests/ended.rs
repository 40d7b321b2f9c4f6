//! Workers of elastic jobs that are lost together, or come from an epoch that is over: R-RES-11,
//! R-RES-12.

use super::*;
use crate::{FlowRounds, Regroup, Resume};

fn elastic(rank: u16, size: u16) -> Join {
    on(join("a", rank, size), |terms| terms.elastic = true)
}

/// A join of a worker that goes on from this epoch.
fn regrouping(rank: u16, size: u16, epoch: u32) -> Join {
    let flows = vec![FlowRounds::new([]), FlowRounds::new([])];
    let regroup = Some(Regroup { made: 3, idle: true });
    let resume = Some(Resume { epoch, flows, regroup });
    Join { packet_elements: Some(256), slots: Some(16), resume, ..elastic(rank, size) }
}

/// An elastic job of `size` that runs, without the worker of rank 1: its connections by rank, and
/// its epoch.
fn bereft(rig: &mut Rig, size: u16) -> (Vec<ConnectionId>, u32) {
    let conns: Vec<_> = (0..size).map(|rank| rig.join(elastic(rank, size))).collect();
    let welcomes: Vec<_> =
        conns.iter().map(|&conn| rig.welcome(conn).expect("everyone is welcome")).collect();
    rig.hang_up(conns[1]);
    for conn in others(&conns) {
        assert_eq!(
            rig.heard(conn),
            [Message::Failed { cause: Failure::WorkerLost { rank: 1, why: Loss::Closed } }]
        );
    }
    (conns, welcomes[0].epoch)
}

/// All but the worker of rank 1.
fn others(conns: &[ConnectionId]) -> Vec<ConnectionId> {
    conns.iter().copied().filter(|conn| *conn != conns[1]).collect()
}

fn out() -> Refusal {
    Refusal::GoneOn { job: "a".into() }
}

fn lost(ranks: &[u16]) -> Refusal {
    Refusal::OthersLost { job: "a".into(), lost: ranks.to_vec() }
}

/// R-RES-11: whether the others have joined again by then or not, no time passes until they go on
/// without both.
#[test]
fn workers_that_are_lost_together_cost_no_time() {
    for joined in 0..=2 {
        let mut rig = Rig::new();
        let (conns, epoch) = bereft(&mut rig, 4);
        assert!(
            others(&conns).iter().all(|conn| !rig.closed.contains(conn)),
            "their connections stay"
        );
        // Ranks 0, 2 and 3 of the epoch that has ended.
        let join = |rig: &mut Rig, place: u16| rig.join(regrouping(place, 3, epoch));
        let before: Vec<_> = (0..joined).map(|place| join(&mut rig, place)).collect();
        rig.hang_up(conns[3]);
        let after = (joined..2).map(|place| join(&mut rig, place));
        for conn in before.into_iter().chain(after.collect::<Vec<_>>()) {
            assert_eq!(rig.refusal(conn), lost(&[3]), "{joined}");
        }
        for place in 0..2 {
            rig.join(regrouping(place, 2, epoch));
        }
        assert_eq!((rig.jobs().len(), rig.plane.admitted[&0].workers), (1, 2));
        assert!(conns.iter().all(|conn| rig.closed.contains(conn)), "they have others now");
        assert_eq!(rig.now_us, 0);
    }
}

/// R-RES-11: names come in the order of the losses, and each worker is told those of which it has
/// not heard.
#[test]
fn everyone_is_told_whom_it_does_not_know_to_be_lost() {
    let mut rig = Rig::new();
    let (conns, epoch) = bereft(&mut rig, 6);
    rig.hang_up(conns[4]);
    rig.hang_up(conns[0]);
    // Rank 5 of six knows of one loss, of two and of all three.
    for (place, size, told) in [(4, 5, &[4, 0][..]), (3, 4, &[0])] {
        let conn = rig.join(regrouping(place, size, epoch));
        assert_eq!(rig.refusal(conn), lost(told));
    }
    let conn = rig.join(regrouping(2, 3, epoch));
    assert_eq!(rig.heard(conn).last(), Some(&waiting(1, 3, [0, 1])));
    // Nobody leaves out a worker that is not lost.
    let conn = rig.join(regrouping(1, 2, epoch));
    let refusal = rig.refusal(conn);
    assert!(
        matches!(&refusal, Refusal::BadValue { allowed, .. } if allowed.contains("at least 3")),
        "{refusal}"
    );
}

/// R-RES-11: a worker that takes leave instead of joining again is not waited for.
#[test]
fn who_leaves_instead_is_lost() {
    let mut rig = Rig::new();
    let (conns, epoch) = bereft(&mut rig, 3);
    let conn = rig.join(regrouping(0, 2, epoch));
    // Its messages from before it heard of the loss change nothing.
    rig.say(conns[2], Message::InProgress { calls: vec![(1, "a barrier".into())] });
    assert!(!rig.closed.contains(&conns[2]));
    rig.say(conns[2], Message::Leave { calls: 2 });
    assert_eq!(rig.refusal(conn), lost(&[2]));
    assert!(rig.closed.contains(&conns[2]));
}

/// R-RES-11: a host that has gone without a word is lost within the time-out after that was heard
/// last, and not after twice.
#[test]
fn who_is_silent_meanwhile_is_lost_after_the_time_out() {
    let mut rig = Rig::new();
    let (conns, epoch) = bereft(&mut rig, 4);
    let joined: Vec<_> = [0, 1].map(|place| rig.join(regrouping(place, 3, epoch))).into();
    let alive: Vec<_> = joined.iter().chain([&conns[0], &conns[2]]).copied().collect();
    rig.advance_alive(SECOND_US * 3 / 4, &alive);
    assert!(joined.iter().all(|conn| !rig.closed.contains(conn)));
    assert_eq!([0, 2].map(|rank| rig.heartbeats(conns[rank])), [3, 3], "the switch lives, too");
    rig.advance_alive(SECOND_US / 4, &alive);
    for conn in joined {
        assert_eq!(rig.refusal(conn), lost(&[3]));
    }
    // It has only been stopped.
    let conn = rig.join(regrouping(2, 3, epoch));
    assert_eq!(rig.refusal(conn), out());
}

/// R-RES-8, R-RES-12: a worker that is there and does not join is lost after twice the time-out,
/// and out.
#[test]
fn who_does_not_join_again_is_out() {
    let mut rig = Rig::new();
    let (conns, epoch) = bereft(&mut rig, 4);
    let conn = rig.join(regrouping(1, 3, epoch));
    rig.advance_alive(2 * SECOND_US, &[&others(&conns)[..], &[conn]].concat());
    let Refusal::JoinTimeout { missing, .. } = rig.refusal(conn) else {
        panic!("refused otherwise")
    };
    assert_eq!(missing, [0, 2]);
    assert_eq!([0, 2, 3].map(|rank| rig.closed.contains(&conns[rank])), [true, false, true]);
    for place in [0, 2] {
        let late = rig.join(regrouping(place, 3, epoch));
        assert_eq!(rig.refusal(late), out());
    }
    let conn = rig.join(regrouping(0, 1, epoch));
    assert_eq!(rig.welcome(conn).expect("it goes on alone").workers, 1);
}

/// R-RES-12: nobody begins another epoch where one has begun, whether that still runs or not.
#[test]
fn an_epoch_goes_on_once() {
    let mut rig = Rig::new();
    let (_, epoch) = bereft(&mut rig, 3);
    let next = [0, 1].map(|place| rig.join(regrouping(place, 2, epoch)));
    for ends in [false, true] {
        if ends {
            next.iter().for_each(|conn| rig.say(*conn, Message::Leave { calls: 9 }));
            assert_eq!(rig.jobs(), []);
        }
        for (place, size) in [(0, 2), (1, 2), (0, 1)] {
            let late = rig.join(regrouping(place, size, epoch));
            assert_eq!(rig.refusal(late), out(), "{ends} {place} {size}");
        }
    }
}

/// R-RES-12: an epoch that is not known here goes on only if another switch may have had it.
#[test]
fn an_epoch_that_nobody_knows_does_not_go_on() {
    let mut rig = Rig::new();
    let conn = rig.join(regrouping(0, 1, 0xA11CE));
    assert_eq!(rig.refusal(conn), out());
    let conn = rig.join(on(regrouping(0, 1, 0xA11CE), |terms| terms.resumable = true));
    assert!(rig.welcome(conn).is_some());
}

/// R-RES-12: as many epochs as jobs.
#[test]
fn the_oldest_epoch_is_forgotten() {
    let mut rig = Rig::with(Limits { jobs: 2, ..Limits::default() }, &[]);
    let jobs: Vec<_> = (0..3).map(|_| bereft(&mut rig, 3)).collect();
    let kept = |rig: &Rig, job: usize| [0, 2].map(|rank| !rig.closed.contains(&jobs[job].0[rank]));
    assert_eq!([0, 1, 2].map(|job| kept(&rig, job)), [[false; 2], [true; 2], [true; 2]]);
    let refused = |rig: &mut Rig, job: usize| {
        let conn = rig.join(regrouping(0, 2, jobs[job].1));
        rig.closed.contains(&conn)
    };
    assert_eq!((refused(&mut rig, 0), refused(&mut rig, 2)), (true, false));
}

/// R-RES-7, R-RES-2: no connection stays where nobody goes on, or all go on at another switch.
#[test]
fn connections_close_where_nobody_joins_again() {
    let gone = Loss::SwitchGone { switch: ([10, 0, 0, 9], 5555).into() };
    for (change, leaves, why) in [
        ((|_| ()) as fn(&mut Join), false, Loss::Closed),
        (|join| join.terms.elastic = true, true, Loss::Closed),
        (|join| (join.terms.elastic, join.terms.resumable) = (true, true), false, gone),
    ] {
        let mut rig = Rig::new();
        let conns: Vec<_> = (0..4)
            .map(|rank| {
                let mut join = join("a", rank, 4);
                change(&mut join);
                rig.join(join)
            })
            .collect();
        if leaves {
            rig.say(conns[3], Message::Leave { calls: 1 });
        }
        rig.registry.disconnected(0, conns[1], why.clone(), &mut rig.plane);
        rig.drain();
        assert!(conns.iter().all(|conn| rig.closed.contains(conn)), "{why}");
    }
}
