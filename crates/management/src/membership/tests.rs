//! A worker's end, with a switch made of the messages that one would send.

use core::net::IpAddr;

use super::*;
use crate::registry::{ConnectionId, Output, Registry, tests::Books};
use crate::{Limits, Loss};
use netfold_wire::IntegrityKind;

const SWITCH: ([u8; 4], u16) = ([10, 0, 0, 9], 5555);
const NAME: &str = "switch.example:5555";
const TIMEOUT_US: u64 = 800_000;

fn request() -> JoinRequest {
    let (timeout, connect_timeout) =
        (Duration::from_micros(TIMEOUT_US), Duration::from_millis(300));
    JoinRequest { timeout, connect_timeout, ..JoinRequest::new("job", 0, 2) }
}

fn sockets() -> LocalSockets {
    LocalSockets {
        udp_ports: vec![7],
        max_datagram: 1472,
        receive_buffer: 1 << 20,
        shares_memory: false,
        host: None,
    }
}

fn hello(version: u8) -> Message {
    Message::Hello { version, challenge: [3; 16], shards: 1, shared_memory: None }
}

fn welcome() -> Welcome {
    Welcome {
        job: 4,
        epoch: 77,
        workers: 2,
        slots: 16,
        urgent_slots: 8,
        long_slots: 0,
        exchange_slots: 0,
        payload_bytes: 64,
        block_bytes: None,
        shards: vec![([0; 4], 5555).into()],
        groups: Vec::new(),
        ticket: None,
        host: None,
        below: Vec::new(),
        table_top: None,
        replays: Vec::new(),
        first_call: 0,
        integrity: IntegrityKind::Transport,
        timeout_ms: TIMEOUT_US / 1000,
    }
}

fn outputs(machine: &mut Membership) -> Vec<Outgoing> {
    std::iter::from_fn(|| machine.poll_output()).collect()
}

fn progress(machine: &mut Membership) -> Vec<Progress> {
    std::iter::from_fn(|| machine.poll_progress()).collect()
}

fn connecting(now_us: u64) -> Membership {
    let mut machine = Membership::new(now_us, SWITCH.into(), NAME, request());
    assert_eq!(outputs(&mut machine), [Outgoing::Send(Message::Greet { path: Vec::new() })]);
    machine
}

fn connected(now_us: u64) -> Membership {
    let mut machine = connecting(now_us);
    machine.connected(now_us);
    machine
}

fn joining(now_us: u64) -> Membership {
    let mut machine = connected(now_us);
    machine.handle(now_us, hello(VERSION));
    assert!(matches!(&*progress(&mut machine), [Progress::Greeted(Greeting { shards: 1, .. })]));
    machine.join(now_us, sockets());
    assert!(
        matches!(&*outputs(&mut machine), [Outgoing::Send(Message::Join(join))] if join.udp_ports == [7])
    );
    machine
}

fn running(now_us: u64) -> Membership {
    let mut machine = joining(now_us);
    let waiting = Waiting { joined: 1, size: 2, missing: vec![1] };
    machine.handle(now_us, Message::Waiting(waiting.clone()));
    machine.handle(now_us, Message::Welcome(welcome().into()));
    let reached = Welcome { shards: vec![SWITCH.into()], ..welcome() };
    assert_eq!(progress(&mut machine), [Progress::Waiting(waiting), Progress::Welcome(reached)]);
    machine
}

/// Lets time pass until `until_us`, and gives what the machine has wanted at what time.
fn pass(machine: &mut Membership, until_us: u64) -> Vec<(u64, Outgoing)> {
    let mut done = Vec::new();
    while let Some(at_us) = machine.poll_timeout().filter(|at_us| *at_us <= until_us) {
        machine.handle_timeout(at_us);
        done.extend(outputs(machine).into_iter().map(|output| (at_us, output)));
        assert!(
            machine.poll_timeout().is_none_or(|next_us| next_us > at_us),
            "it makes no progress"
        );
    }
    done
}

/// R-CTRL-4: a heartbeat each quarter of the time-out; R-CTRL-12: a pulse each eighth. A switch
/// that says something is there.
#[test]
fn a_worker_lives_and_looks_at_its_calls() {
    let mut machine = running(1_000);
    let mut beats = Vec::new();
    for quarter in 1..=8 {
        let now_us = 1_000 + quarter * TIMEOUT_US / 4;
        beats.extend(pass(&mut machine, now_us));
        machine.handle(now_us, Message::Heartbeat);
    }
    let expected: Vec<_> =
        (1..=8).map(|n| (1_000 + n * TIMEOUT_US / 4, Outgoing::Send(Message::Heartbeat))).collect();
    assert_eq!(beats, expected);
    assert_eq!(progress(&mut machine), vec![Progress::Notice(Notice::Pulse); 16]);
}

/// R-CTRL-12: a job with a long time-out does not look at its calls less often than each second.
#[test]
fn a_worker_looks_at_its_calls_each_second_at_least() {
    let timeout = Duration::from_secs(3600);
    let mut machine = Membership::new(0, SWITCH.into(), NAME, JoinRequest { timeout, ..request() });
    machine.connected(0);
    machine.handle(0, hello(VERSION));
    machine.join(0, sockets());
    machine.handle(0, Message::Welcome(Welcome { timeout_ms: 3_600_000, ..welcome() }.into()));
    pass(&mut machine, 7_999_999);
    let pulses =
        progress(&mut machine).into_iter().filter(|it| *it == Progress::Notice(Notice::Pulse));
    assert_eq!(pulses.count(), 7);
}

/// R-CTRL-7: a switch that is silent for the time-out is lost, and not before.
#[test]
fn a_silent_switch_is_lost_at_the_time_out() {
    let mut machine = running(0);
    machine.handle(5, Message::Heartbeat);
    pass(&mut machine, TIMEOUT_US + 4);
    assert!(!machine.is_over());
    let done = pass(&mut machine, TIMEOUT_US + 5);
    assert_eq!(done, [(TIMEOUT_US + 5, Outgoing::Close)]);
    assert!(machine.is_over() && machine.poll_timeout().is_none());
    let why = "nothing was heard from it for 800ms".to_owned();
    let lost = Progress::Notice(Notice::SwitchLost { address: NAME.into(), why });
    assert_eq!(progress(&mut machine).last(), Some(&lost));
}

/// Messages that have come are handled before silence is judged, however late. The process may have
/// been stopped.
#[test]
fn a_process_that_was_stopped_hears_first() {
    let mut machine = running(0);
    machine.handle(10 * TIMEOUT_US, Message::Left { rank: 1, calls: 3 });
    machine.handle_timeout(10 * TIMEOUT_US);
    let left = Notice::Left { rank: 1, calls: 3 };
    assert_eq!(progress(&mut machine), [Progress::Notice(left), Progress::Notice(Notice::Pulse)]);
    assert_eq!(outputs(&mut machine), [Outgoing::Send(Message::Heartbeat)]);
}

#[test]
fn why_a_worker_is_not_in_a_job_is_told_once() {
    let closed = || "it closed the connection".to_owned();
    type Begin = fn(u64) -> Membership;
    type Act = fn(&mut Membership);
    let cases: [(Begin, Act, Rejection); 12] = [
        (
            connecting,
            |m| m.disconnected("it closed the connection"),
            Rejection::NoSwitch { why: closed() },
        ),
        (
            connecting,
            |m| m.handle_timeout(300_000),
            Rejection::NoSwitch { why: "it does not answer".into() },
        ),
        // Its time to greet begins when the connection is there.
        (
            connecting,
            |m| {
                m.connected(200_000);
                m.handle_timeout(499_999);
                assert_eq!(progress(m), []);
                m.handle_timeout(500_000);
            },
            Rejection::not_a_switch("it says nothing"),
        ),
        (
            connected,
            |m| m.handle(0, hello(VERSION + 1)),
            Rejection::Version { switch: VERSION + 1 },
        ),
        (
            connected,
            |m| m.handle(0, Message::Heartbeat),
            Rejection::not_a_switch("it does not begin with a greeting"),
        ),
        (connected, |m| m.handle_timeout(300_000), Rejection::not_a_switch("it says nothing")),
        (
            connected,
            |m| m.disconnected("it closed the connection"),
            Rejection::NotASwitch { why: closed() },
        ),
        (
            connected,
            |m| m.handle(0, Message::Refused { reason: Refusal::SwitchStopping }),
            Rejection::Refused(Refusal::SwitchStopping),
        ),
        (
            joining,
            |m| m.handle(0, Message::Refused { reason: Refusal::NoToken }),
            Rejection::Refused(Refusal::NoToken),
        ),
        (
            joining,
            |m| m.handle(0, Message::Failed { cause: Failure::SwitchStopping }),
            Rejection::Failed(Failure::SwitchStopping),
        ),
        (
            joining,
            |m| m.disconnected("it closed the connection"),
            Rejection::Lost { why: closed() },
        ),
        (
            joining,
            |m| m.handle(0, Message::Left { rank: 0, calls: 0 }),
            Rejection::not_a_switch("its answer to a join has no place there"),
        ),
    ];
    for (begin, act, why) in cases {
        let mut machine = begin(0);
        act(&mut machine);
        assert_eq!(progress(&mut machine), [Progress::Rejected(why)]);
        assert_eq!(outputs(&mut machine), [Outgoing::Close]);
        // Nothing follows, whatever comes.
        machine.handle(1, Message::Welcome(welcome().into()));
        machine.disconnected("it closed the connection");
        machine.leave(1, 0);
        machine.abandon();
        machine.handle_timeout(u64::MAX);
        assert_eq!(
            (progress(&mut machine), outputs(&mut machine), machine.poll_timeout()),
            (vec![], vec![], None)
        );
    }
}

/// R-CTRL-5: a worker has left when the switch closes the connection, or when it could have.
#[test]
fn a_leave_ends_when_the_switch_has_taken_note_or_could_have() {
    let mut machine = running(0);
    machine.leave(50, 6);
    assert_eq!(outputs(&mut machine), [Outgoing::Send(Message::Leave { calls: 6 })]);
    machine.handle(60, Message::Failed { cause: Failure::SwitchStopping });
    assert_eq!(progress(&mut machine), [], "who leaves is not told any more");
    machine.disconnected("it closed the connection");
    assert_eq!((progress(&mut machine), machine.is_over()), (vec![Progress::Left], true));

    let mut machine = running(0);
    machine.leave(50, 6);
    outputs(&mut machine);
    assert_eq!(machine.poll_timeout(), Some(50 + micros(LEAVE_WAIT_LIMIT)));
    machine.handle_timeout(50 + micros(LEAVE_WAIT_LIMIT));
    assert_eq!(
        (progress(&mut machine), outputs(&mut machine)),
        (vec![Progress::Left], vec![Outgoing::Close])
    );
}

/// R-CTRL-4
#[test]
fn who_abandons_a_job_closes_and_hears_nothing() {
    let mut machine = running(0);
    machine.handle(1, Message::AskInProgress { calls: vec![0] });
    machine.abandon();
    assert_eq!((progress(&mut machine), outputs(&mut machine)), (vec![], vec![Outgoing::Close]));
}

/// Meaning of a notice for calls: R-CTRL-5, R-CTRL-7.
#[test]
fn a_loss_ends_every_call_and_a_leave_those_that_are_left_over() {
    let failed = Notice::Failed(Failure::WorkerLost { rank: 1, why: Loss::Closed });
    let (first, ending) = failed.ending().unwrap();
    assert!(first == 0 && ending.ends_the_job());
    let (first, ending) =
        Notice::SwitchLost { address: NAME.into(), why: String::new() }.ending().unwrap();
    assert!(first == 0 && ending.ends_the_job());
    let (first, ending) = Notice::Left { rank: 2, calls: 5 }.ending().unwrap();
    assert!(first == 5 && !ending.ends_the_job());
    assert_eq!(Notice::Pulse.ending(), None);
}

/// The machine and a registry understand each other: two workers join, one describes a call, both
/// leave, and nothing is left.
#[test]
fn a_registry_and_its_members_understand_each_other() {
    let (mut plane, mut registry) = (
        Books { budget: 1 << 30, ..Books::default() },
        Registry::new(Limits::default(), vec![([0; 4], 5555).into()], Vec::new()),
    );
    let mut members: Vec<_> = (0..2)
        .map(|rank| {
            let conn = ConnectionId(rank);
            registry.connected(0, conn, IpAddr::from([10, 0, 0, rank as u8]), [rank as u8; 16]);
            let mut member = Membership::new(
                0,
                SWITCH.into(),
                NAME,
                JoinRequest { rank: rank as u16, ..request() },
            );
            member.connected(0);
            member
        })
        .collect();
    let mut seen = [Vec::new(), Vec::new()];
    let mut talk = |registry: &mut Registry, members: &mut Vec<Membership>, now_us: u64| loop {
        let mut quiet = true;
        for (rank, member) in members.iter_mut().enumerate() {
            while let Some(output) = member.poll_output() {
                quiet = false;
                if let Outgoing::Send(message) = output {
                    registry.handle(
                        now_us,
                        ConnectionId(rank as u64),
                        message,
                        &mut plane,
                        0x1234_5678_9ABC,
                    );
                }
            }
            while let Some(progress) = member.poll_progress() {
                quiet = false;
                if let Progress::Greeted(_) = progress {
                    member.join(now_us, sockets());
                }
                seen[rank].push(progress);
            }
        }
        while let Some(output) = registry.poll_output() {
            quiet = false;
            match output {
                Output::Send(conn, message) => members[conn.0 as usize].handle(now_us, message),
                Output::Close(conn) => {
                    members[conn.0 as usize].disconnected("it closed the connection")
                }
                Output::Dial(_) => panic!("a registry has no parent"),
                Output::Load(..) => panic!("no worker has operations"),
            }
        }
        if quiet {
            return std::mem::take(&mut seen);
        }
    };
    let [first, second] = talk(&mut registry, &mut members, 0);
    assert_eq!(first[1], Progress::Waiting(Waiting { joined: 1, size: 2, missing: vec![1] }));
    let (Some(Progress::Welcome(one)), Some(Progress::Welcome(two))) =
        (first.last(), second.last())
    else {
        panic!("{first:?} {second:?}")
    };
    assert_eq!((one.epoch, &one.shards), (two.epoch, &vec![SWITCH.into()]));
    members[0].in_progress(vec![(3, "a barrier".into())]);
    let [_, second] = talk(&mut registry, &mut members, 1);
    assert_eq!(second, [Progress::Notice(Notice::AskInProgress { calls: vec![3] })]);
    members[0].leave(2, 3);
    let [first, second] = talk(&mut registry, &mut members, 2);
    assert_eq!(first, [Progress::Left]);
    assert_eq!(second, [Progress::Notice(Notice::Left { rank: 0, calls: 3 })]);
    members[1].leave(3, 3);
    assert_eq!(talk(&mut registry, &mut members, 3)[1], [Progress::Left]);
    assert_eq!(registry.poll_timeout(), None, "nothing is left");
}

/// R-RES-11: while the job goes on without another worker its connection shows that this one lives,
/// and says nothing more.
#[test]
fn who_goes_on_keeps_its_connection() {
    let told = Failure::WorkerLost { rank: 1, why: Loss::Closed };
    let gone = Loss::SwitchGone { switch: SWITCH.into() };
    for (elastic, resumable, cause, stays) in [
        (true, false, told.clone(), true),
        (true, true, told.clone(), true),
        (false, false, told, false),
        (true, false, Failure::WorkerLost { rank: 1, why: gone.clone() }, true),
        // It goes on elsewhere (R-RES-2).
        (true, true, Failure::WorkerLost { rank: 1, why: gone }, false),
        (true, false, Failure::Expelled { rank: 0, why: Loss::Closed }, false),
        (true, false, Failure::SwitchStopping, false),
    ] {
        let mut machine = running(0);
        (machine.request.terms.elastic, machine.request.terms.resumable) = (elastic, resumable);
        machine.handle(5, Message::Failed { cause: cause.clone() });
        assert_eq!(progress(&mut machine), [Progress::Notice(Notice::Failed(cause.clone()))]);
        assert_eq!(
            (machine.is_over(), outputs(&mut machine).is_empty()),
            (!stays, stays),
            "{cause}"
        );
        if stays {
            let beats = pass(&mut machine, TIMEOUT_US);
            let beat = |quarter| (quarter * TIMEOUT_US / 4, Outgoing::Send(Message::Heartbeat));
            assert_eq!(beats, (1..=4).map(beat).collect::<Vec<_>>());
            assert_eq!(
                pass(&mut machine, TIMEOUT_US + 5),
                [(TIMEOUT_US + 5, Outgoing::Close)],
                "the switch is silent"
            );
            assert_eq!((progress(&mut machine), machine.is_over()), (vec![], true));
        }
    }
    // A switch that closes it has heard of the worker elsewhere.
    let mut machine = running(0);
    machine.request.terms.elastic = true;
    let cause = Failure::WorkerLost { rank: 1, why: Loss::Closed };
    machine.handle(5, Message::Failed { cause: cause.clone() });
    machine.disconnected("it closed the connection");
    assert_eq!(
        (progress(&mut machine), machine.is_over()),
        (vec![Progress::Notice(Notice::Failed(cause))], true)
    );
}

/// R-RES-8: a worker of an elastic job that was stopped for the time-out is lost itself, whatever
/// was sent to it before; one that hears in time is not, nor one of another job.
#[test]
fn who_was_stopped_for_the_time_out_is_lost_itself() {
    let told = Failure::WorkerLost { rank: 1, why: Loss::Closed };
    for (elastic, stopped_us, own) in
        [(true, TIMEOUT_US, true), (true, TIMEOUT_US - 1, false), (false, TIMEOUT_US, false)]
    {
        let mut machine = running(0);
        machine.request.terms.elastic = elastic;
        let at_us = stopped_us;
        // Messages that have come meanwhile are read first, in their order.
        machine.handle(at_us, Message::Heartbeat);
        machine.handle(at_us + 1, Message::Failed { cause: told.clone() });
        let lost = Failure::WorkerLost {
            rank: request().rank,
            why: Loss::Silent { for_ms: stopped_us / 1000 },
        };
        let expected = if own { lost } else { told.clone() };
        assert_eq!(
            progress(&mut machine),
            [Progress::Notice(Notice::Failed(expected))],
            "{elastic} {stopped_us}"
        );
    }
}
