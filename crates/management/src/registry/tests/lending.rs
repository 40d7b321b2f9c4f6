//! Slots that a job has only while it uses them: R-CTRL-25.

use std::collections::VecDeque;

use proptest::prelude::*;

use super::*;

fn rig() -> Rig {
    let mut rig = Rig::new();
    rig.plane.lends = true;
    rig
}

/// A worker that asks for lent slots.
fn asking(rank: u16, size: u16) -> Join {
    Join { asks_for_slots: true, ..join("a", rank, size) }
}

/// The connections of a job with lent slots, and its number.
fn lending(rig: &mut Rig, size: u16) -> (Vec<ConnectionId>, u16) {
    let conns: Vec<_> = (0..size).map(|rank| rig.join(asking(rank, size))).collect();
    let welcomes: Vec<_> = conns.iter().map(|conn| rig.welcome(*conn).unwrap()).collect();
    assert!(welcomes.iter().all(|welcome| *welcome == welcomes[0] && welcome.long_slots > 0));
    (conns, welcomes[0].job)
}

/// Returns the switch's answer about a call.
fn ask(rig: &mut Rig, conn: ConnectionId, number: u64) -> bool {
    rig.say(conn, Message::NeedSlots { call: number });
    let heard = rig.heard(conn);
    let [Message::Slots { call, lent, .. }] = heard[..] else { panic!("{heard:?}") };
    assert_eq!(call, number);
    lent
}

/// An eighth of the slots stays, and no fewer than hold 65,280 bytes. A job that would have no more
/// keeps them all.
#[test]
fn an_eighth_of_the_slots_stays() {
    for (elements, fewest) in [(64, 256), (256, 64), (1024, 16), (2048, 8)] {
        for budget in [1 << 30, 8 << 20, 2 << 20] {
            let mut rig = rig();
            rig.plane.budget = budget;
            let join = |rank| Join {
                packet_elements: Some(elements),
                max_datagram: 65_507,
                ..asking(rank, 2)
            };
            let conns = [join(0), join(1)].map(|join| rig.join(join));
            let heard = rig.heard(conns[0]);
            let Some(Message::Welcome(welcome)) = heard.last() else { panic!("{heard:?}") };
            let admission = &rig.plane.admitted[&welcome.job];
            assert_eq!(welcome.all_slots(), admission.slots);
            if welcome.long_slots == 0 {
                assert!(welcome.slots <= fewest, "{welcome:?}");
                assert_eq!(admission.lent_slots, 0);
            } else {
                assert!(welcome.long_slots > fewest);
                assert_eq!(welcome.slots, fewest.max(welcome.long_slots / 8));
                let lent = welcome.long_slots + welcome.exchange_slots;
                assert_eq!(admission.lent_slots, lent);
            }
        }
    }
}

/// Nothing is lent where a worker cannot ask or has asked for a number of slots, to jobs that are
/// resumable or elastic or in memory that processes share, where a member is no worker, or by a
/// data plane that does not lend.
#[test]
fn other_jobs_have_all_their_slots() {
    type Change = fn(Join) -> Join;
    let host = |id| Some(HostOffer { id, memory_server: "memory_server".into() });
    let same: Change = |join| join;
    let others: [(Change, Change); 5] = [
        (same, |join| Join { asks_for_slots: false, ..join }),
        (same, |join| Join { slots: Some(256), ..join }),
        (|join| Join { transport: Some(Transport::Shm), shares_memory: true, ..join }, same),
        (|join| on(join, |terms| terms.resumable = true), same),
        (|join| on(join, |terms| terms.elastic = true), same),
    ];
    let long_slots = |rig: &mut Rig, joins: [Join; 3]| {
        let conns = joins.map(|join| rig.join(join));
        let welcome = rig.welcome(conns[0]).expect("everyone is welcome");
        let lent = rig.plane.admitted[&welcome.job].lent_slots;
        assert_eq!(lent > 0, welcome.long_slots > 0);
        welcome.long_slots
    };
    let plain = [0, 1, 2].map(|rank| asking(rank, 3));
    assert!(long_slots(&mut rig(), plain.clone()) > 0);
    for (all, one) in others {
        let [first, second, third] = plain.clone().map(all);
        let joins = [first, one(second), third];
        assert_eq!(long_slots(&mut rig(), joins), 0);
    }
    let one_host = [7, 7, 8].into_iter().zip(plain.clone());
    let on_hosts: Vec<_> = one_host.map(|(id, join)| Join { host: host(id), ..join }).collect();
    assert_eq!(long_slots(&mut rig(), on_hosts.try_into().unwrap()), 0);
    assert_eq!(long_slots(&mut Rig::new(), plain), 0);
}

/// Slots are lent if they take at most half of what is free, and what one worker was told of a call
/// every worker is told, even if memory has come free since.
#[test]
fn every_worker_gets_the_same_answer() {
    let mut rig = rig();
    let ([first, second, third], job) = three(&mut rig);
    let admission = rig.plane.admitted[&job].clone();
    let lent_bytes = admission.spec().lent_bytes();
    let used = (1 << 30) - rig.plane.free();
    // Of the two shards, each with half of the memory.
    rig.plane.budget = used + 2 * (2 * lent_bytes - 1);
    assert!(!ask(&mut rig, first, 0));
    rig.plane.budget += 2;
    assert!(!ask(&mut rig, second, 0));
    assert!(ask(&mut rig, second, 1));
    assert_eq!(rig.plane.lent, [job].into());
    assert!(!ask(&mut rig, third, 0));
    assert!(ask(&mut rig, third, 1));
    // As they are lent, memory does not matter any more.
    rig.plane.budget = used + 2 * lent_bytes;
    assert!(ask(&mut rig, first, 1));
}

/// The slots are the job's until every worker that is there has returned them after the same
/// calls. Whoever asks again has returned nothing, and what was said before does not count.
#[test]
fn slots_go_back_when_nobody_has_them() {
    let mut rig = rig();
    let (conns, job) = three(&mut rig);
    let lent = |rig: &Rig| rig.plane.lent.contains(&job);
    let give_back = |rig: &mut Rig, conn, calls| rig.say(conn, Message::ReturnSlots { calls });
    conns.iter().for_each(|conn| assert!(ask(&mut rig, *conn, 0)));
    let [first, second, third] = conns;
    give_back(&mut rig, first, 1);
    give_back(&mut rig, second, 1);
    assert!(lent(&rig));
    // The first asks again before the last one returns them.
    assert!(ask(&mut rig, first, 1));
    give_back(&mut rig, third, 1);
    assert!(lent(&rig));
    // It was about to return them, and its question has overtaken that.
    give_back(&mut rig, first, 1);
    assert!(lent(&rig));
    assert!(ask(&mut rig, second, 1));
    assert!(ask(&mut rig, third, 1));
    give_back(&mut rig, third, 2);
    give_back(&mut rig, first, 2);
    assert!(lent(&rig));
    give_back(&mut rig, second, 3);
    assert!(lent(&rig), "others have made fewer calls");
    give_back(&mut rig, second, 2);
    assert!(!lent(&rig));
    // A worker that has left needs none.
    assert!(ask(&mut rig, first, 2));
    assert!(ask(&mut rig, second, 2));
    give_back(&mut rig, first, 3);
    give_back(&mut rig, second, 3);
    assert!(lent(&rig));
    rig.say(third, Message::Leave { calls: 9 });
    assert!(!lent(&rig));
}

/// Whatever a worker asks for and returns, the job ends as others do.
#[test]
fn lent_slots_end_with_the_job() {
    let mut rig = rig();
    let ([first, second, third], job) = three(&mut rig);
    for call in (0..200).rev().chain([u64::MAX, 0, u64::MAX]) {
        rig.plane.budget = if call % 3 == 0 { 1 << 30 } else { (1 << 30) - rig.plane.free() };
        ask(&mut rig, first, call);
        rig.say(first, Message::ReturnSlots { calls: call });
        rig.say(second, Message::ReturnSlots { calls: call });
        rig.say(third, Message::ReturnSlots { calls: call });
    }
    [first, second, third].into_iter().for_each(|conn| rig.hang_up(conn));
    rig.advance(60 * SECOND_US);
    assert!(rig.plane.admitted.is_empty() && !rig.plane.lent.contains(&job));
}

fn three(rig: &mut Rig) -> ([ConnectionId; 3], u16) {
    let (conns, job) = lending(rig, 3);
    (conns.try_into().expect("three workers"), job)
}

/// A worker by the rules, whose messages wait to be delivered, and the answers to them.
#[derive(Default)]
struct Borrower {
    made: u64,
    begun: Vec<bool>,
    has_slots: bool,
    asked: bool,
    out: VecDeque<Message>,
    answers: VecDeque<(u64, bool)>,
}

impl Borrower {
    /// Begins calls with the slots that it has, or asks.
    fn go_on(&mut self) {
        if self.has_slots {
            self.begun.resize(self.made as usize, true);
        } else if !self.asked && (self.begun.len() as u64) < self.made {
            self.asked = true;
            self.out.push_back(Message::NeedSlots { call: self.begun.len() as u64 });
        }
    }

    fn take_answer(&mut self, (call, lent): (u64, bool)) {
        assert_eq!(call, self.begun.len() as u64);
        self.asked = false;
        self.has_slots = lent;
        if !lent {
            self.begun.push(false);
        }
        self.go_on();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// However calls, questions, answers and returns of workers interleave, and whenever there is
    /// memory: all workers carry out a call in the same way, and the memory is there while any of
    /// them carries one out that needs it. When all is said, nobody has any.
    #[test]
    fn memory_is_there_while_a_call_needs_it(
        steps in prop::collection::vec((0..3_usize, 0..6_u8), 0..300),
    ) {
        let mut rig = rig();
        let (conns, job) = three(&mut rig);
        let full = (1 << 30) - rig.plane.free();
        let mut workers: [Borrower; 3] = Default::default();
        let all = (0..3).flat_map(|worker| [2, 3, 2, 3, 2, 3, 4, 2].map(|what| (worker, what)));
        let to_the_end: Vec<_> = (0..400).flat_map(|_| all.clone()).collect();
        for (worker, what) in steps.into_iter().chain(to_the_end) {
            let in_progress = {
                let done = workers.iter().map(|worker| worker.begun.len()).min().unwrap_or(0);
                workers.iter().any(|worker| worker.begun[done..].contains(&true))
            };
            prop_assert!(!in_progress || rig.plane.lent.contains(&job));
            let others = workers.iter().map(|worker| worker.begun.len()).min().unwrap_or(0);
            let this = &mut workers[worker];
            match what {
                0 if this.made < 100 => {
                    this.made += 1;
                    this.go_on();
                }
                1 => rig.plane.budget = if rig.plane.budget > full { full } else { 1 << 30 },
                2 => if let Some(message) = this.out.pop_front() {
                    rig.say(conns[worker], message);
                    for message in rig.heard(conns[worker]) {
                        let Message::Slots { call, lent, .. } = message else { continue };
                        this.answers.push_back((call, lent));
                    }
                },
                3 => if let Some(answer) = this.answers.pop_front() {
                    this.take_answer(answer);
                },
                4 | 5 => {
                    // A worker is idle when all have begun its calls, and so have ended them.
                    let idle = this.begun.len() as u64 == this.made && others == this.begun.len();
                    if idle && this.has_slots {
                        this.has_slots = false;
                        this.out.push_back(Message::ReturnSlots { calls: this.made });
                        // Its next question may overtake this.
                        if what == 5 && this.made < 100 {
                            this.made += 1;
                            this.go_on();
                            this.out.swap(0, 1);
                        }
                    }
                }
                _ => {}
            }
            if what == 5 {
                // Others catch up, or nobody would be idle again.
                let most = workers.iter().map(|worker| worker.made).max().unwrap_or(0);
                workers.iter_mut().for_each(|worker| {
                    worker.made = most;
                    worker.go_on();
                });
            }
        }
        let [first, second, third] = workers;
        let fewest = first.begun.len().min(second.begun.len()).min(third.begun.len());
        prop_assert_eq!(&first.begun[..fewest], &second.begun[..fewest]);
        prop_assert_eq!(&first.begun[..fewest], &third.begun[..fewest]);
        if [first.made, second.made, third.made] == [fewest as u64; 3] {
            prop_assert!(!rig.plane.lent.contains(&job), "nobody needs them");
        }
    }
}
