//! Elastic jobs, which go on without workers that are lost (R-RES-8, R-RES-9, R-RES-11).

mod gate;

use std::ops::ControlFlow;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use netfold_management::{JobPhase, JobReport};
use netfold_net::{
    Call, CallMemory, Collective, Communicator, ElementType, Error, JoinRequest, Operation,
    Priority, Query, Report, Switch, SwitchOptions, query,
};
use netfold_wire::Terms;

use self::gate::Gate;
use crate::support::{Entrance, WAIT_LIMIT, Way, bytes, call, integers, over_each};

over_each!(
    the_others_go_on,
    one_is_lost_after_the_others_have_joined_again,
    one_is_lost_before_the_others_join_again,
    several_are_lost_between_two_calls,
);

/// Time-out of the jobs. What waits for it fails, since calls do not.
const TIMEOUT: Duration = Duration::from_secs(18);

const CALLS: i32 = 60;
const ELEMENTS: usize = 2_000;

fn value(worker: u16, number: i32, element: usize) -> i32 {
    i32::from(worker) * 1_000 + number * 17 + element as i32
}

/// A worker of a training, as it were: it knows the others by the ranks with which all began, and
/// where all of them stand.
struct Trainer {
    comm: Communicator,
    me: u16,
    members: Vec<u16>,
    /// Those of whom each loss has told.
    told: Vec<Vec<u16>>,
}

impl Trainer {
    /// Takes note of a loss. `false` for any other error.
    fn heeds(&mut self, error: &Error) -> bool {
        let Error::Regrouped { lost, rank, workers, .. } = error else { return false };
        if usize::from(*workers) < self.members.len() {
            self.told.push(lost.clone());
            // Ranks are those of the previous epoch, and so are places in the list.
            let mut place = 0;
            self.members.retain(|_| {
                place += 1;
                !lost.contains(&(place - 1))
            });
        }
        assert_eq!(self.members.len(), usize::from(*workers));
        assert_eq!(self.members[usize::from(*rank)], self.me);
        assert_eq!((self.comm.rank(), self.comm.size()), (*rank, *workers));
        true
    }

    /// Returns the next step of the slowest of all.
    fn agree(&mut self, next: i32) -> i32 {
        loop {
            let mut all = vec![0; 4 * self.members.len()];
            let gather = call(Collective::AllGather, Operation::Sum, ElementType::U8, 4);
            match self.comm.run(gather, &next.to_ne_bytes(), &mut all, WAIT_LIMIT) {
                Ok(()) => return integers(&all).into_iter().min().unwrap(),
                Err(error) => assert!(self.heeds(&error), "{error}"),
            }
        }
    }

    fn sum(&self, number: i32) -> Result<Vec<i32>, Error> {
        let own: Vec<i32> = (0..ELEMENTS).map(|i| value(self.me, number, i)).collect();
        if number % 5 == 1 {
            // R-STREAM-16: each takes what the others have and adds it up. The smaller job has its
            // own slots for that. Nobody falls at such a number, since the barrier would be in the
            // same stream.
            let input = bytes(&own.repeat(self.members.len()));
            let mut output = vec![0; input.len()];
            let exchange =
                call(Collective::AllToAll, Operation::Copy, ElementType::U8, 4 * ELEMENTS as u64);
            let exchange = Call { priority: Some(Priority::Bulk), ..exchange };
            self.comm.run(exchange, &input, &mut output, WAIT_LIMIT)?;
            let all = integers(&output);
            let sum = |i| all.chunks(ELEMENTS).map(|part| part[i]).sum();
            return Ok((0..ELEMENTS).map(sum).collect());
        }
        let mut tensor = bytes(&own);
        let all_reduce =
            call(Collective::AllReduce, Operation::Sum, ElementType::I32, ELEMENTS as u64);
        self.comm.run_in_place(all_reduce, &mut tensor, WAIT_LIMIT)?;
        Ok(integers(&tensor))
    }

    /// Makes all calls, over again where need be. Every sum that comes back is that of all who were
    /// there.
    fn train(mut self) -> Left {
        let mut next = 0;
        while next < CALLS {
            match self.sum(next) {
                Ok(sums) => {
                    for (i, sum) in sums.into_iter().enumerate() {
                        let expected: i32 =
                            self.members.iter().map(|worker| value(*worker, next, i)).sum();
                        assert_eq!(sum, expected, "element {i} of call {next}");
                    }
                    next += 1;
                }
                Err(error) => {
                    assert!(self.heeds(&error), "{error}");
                    next = self.agree(next);
                }
            }
        }
        (self.members, self.told)
    }

    /// [`Trainer::train`], but makes no call before so few are left.
    fn rest_and_train(self, left: u16) -> Left {
        let begin = Instant::now();
        while self.comm.size() > left {
            assert!(begin.elapsed() < TIMEOUT, "nobody is lost");
            thread::yield_now();
        }
        self.train()
    }

    /// Goes in the middle of a call, which is to be lost. Another may have gone before.
    fn fall(mut self, at: i32) {
        for number in 0..at {
            if let Err(error) = self.sum(number) {
                assert!(self.heeds(&error), "{error}");
                break;
            }
        }
        // SAFETY: a barrier has no memory.
        let nothing =
            || unsafe { CallMemory::from_raw(std::ptr::null(), 0, std::ptr::null_mut(), 0) };
        // A barrier goes through another stream than the others' calls, so that nothing differs in
        // a slot.
        while let Err(error) = self.comm.submit(Call::BARRIER, nothing(), false) {
            assert!(self.heeds(&error), "{error}");
        }
    }

    /// Has the others wait in the middle of a call until the gate is cut: then it is out.
    fn is_cut_off(&self, at: i32, gate: &Gate) {
        let made = (0..at).try_for_each(|number| self.sum(number).map(drop));
        gate.wait_until_cut(TIMEOUT);
        let error = made.and_then(|()| self.sum(at)).unwrap_err();
        assert!(matches!(error, Error::SwitchLost { .. } | Error::NotResumed { .. }), "{error}");
    }
}

/// Part of a worker that does not just train.
#[derive(Clone, Copy)]
enum Part {
    /// It falls at this call.
    Falls(i32),
    /// It makes no call before so few are left.
    Rests(u16),
    /// It stops at this call, and its gate is cut.
    IsCutOff(i32),
}

/// Whom a worker is left with, and those of whom each loss has told it.
type Left = (Vec<u16>, Vec<Vec<u16>>);

/// Has workers do what is theirs to do, and gives what those are left with that do not fall.
fn run(way: Way, size: u16, parts: &[(u16, Part)]) -> Vec<Vec<u16>> {
    let left = run_through(way, size, parts, None);
    left.into_iter().map(|(members, _)| members).collect()
}

/// A course of losses: called with the root, and the gate of each worker.
type Script<'a> = &'a dyn Fn(&Switch, &[Gate]);

/// The same. Where there is a script, each worker joins through a gate. It is called when all have.
fn run_through(way: Way, size: u16, parts: &[(u16, Part)], script: Option<Script>) -> Vec<Left> {
    let switch = way.switch(SwitchOptions::default());
    let gates = (0..size).filter(|_| script.is_some()).map(|rank| Gate::new(switch.of(rank)));
    let gates: Vec<_> = gates.collect();
    let connected = Barrier::new(usize::from(size) + 1);
    thread::scope(|scope| {
        let connected = &connected;
        let worker = |me: u16| {
            let (gate, part) =
                (gates.get(usize::from(me)), parts.iter().find(|(rank, _)| *rank == me));
            let address = gate.map_or(switch.of(me), Gate::address).to_string();
            let request = JoinRequest {
                transport: way.of(me, size),
                terms: Terms { elastic: true, ..Terms::new(None) },
                timeout: TIMEOUT,
                ..JoinRequest::new("test", me, size)
            };
            scope.spawn(move || {
                let comm = Communicator::connect(&address, request, |_| ControlFlow::Continue(()))
                    .unwrap();
                // Nobody joins any more when the first falls.
                connected.wait();
                let trainer = Trainer { comm, me, members: (0..size).collect(), told: Vec::new() };
                match part.map(|(_, part)| *part) {
                    Some(Part::Falls(at)) => {
                        trainer.fall(at);
                        None
                    }
                    Some(Part::IsCutOff(at)) => {
                        trainer.is_cut_off(at, gate.unwrap());
                        None
                    }
                    Some(Part::Rests(left)) => Some(trainer.rest_and_train(left)),
                    None => Some(trainer.train()),
                }
            })
        };
        let threads: Vec<_> = (0..size).map(worker).collect();
        connected.wait();
        if let Some(direct) = script {
            direct(&switch.root, &gates);
        }
        threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
    })
}

fn the_others_go_on(way: Way) {
    for fallen in [0, 2] {
        let left: Vec<u16> = (0..4).filter(|rank| *rank != fallen).collect();
        assert_eq!(run(way, 4, &[(fallen, Part::Falls(20))]), [left.clone(), left.clone(), left]);
    }
    // Down to the last worker.
    assert_eq!(run(way, 2, &[(0, Part::Falls(7))]), [[1]]);
}

/// Waits for a report for which the condition holds.
fn wait_for(switch: &Switch, what: Query, holds: impl Fn(Report) -> bool) {
    let (address, begin) = (switch.address().to_string(), Instant::now());
    while !holds(query(&address, what, TIMEOUT).unwrap()) {
        assert!(begin.elapsed() < TIMEOUT, "{what:?}");
    }
}

/// Waits until the condition holds for the one job that there is, or is not.
fn wait_for_job(switch: &Switch, holds: impl Fn(Option<JobReport>) -> bool) {
    wait_for(switch, Query::Jobs, |report| {
        let Report::Jobs { jobs, .. } = report else { panic!("another report") };
        holds(jobs.into_iter().next())
    });
}

/// Waits until those that go on have joined again, but for these.
fn wait_for_all_but(switch: &Switch, missing: &[u16]) {
    wait_for_job(switch, |job| {
        job.is_some_and(|job| job.phase == JobPhase::Forming && job.missing == missing)
    });
}

/// Loses two of four workers: the others' calls tell of both at once (R-RES-9). The end of a
/// connection is heard at once; to wait for a worker would take twice the time-out (R-RES-3).
fn two_of_four_are_lost(way: Way, lost: [u16; 2], script: Script) {
    let begin = Instant::now();
    let left: Vec<u16> = (0..4).filter(|rank| !lost.contains(rank)).collect();
    let left = (left, vec![lost.to_vec()]);
    let parts = lost.map(|rank| (rank, Part::IsCutOff(20)));
    assert_eq!(run_through(way, 4, &parts, Some(script)), [left.clone(), left]);
    assert!(begin.elapsed() < TIMEOUT / 3, "{:?} for all calls", begin.elapsed());
}

/// R-RES-11: those that have joined again are refused at once.
fn one_is_lost_after_the_others_have_joined_again(way: Way) {
    two_of_four_are_lost(way, [1, 3], &|switch, gates| {
        // It does not hear of the loss, and does not join again.
        gates[3].hold();
        gates[1].cut();
        // Rank 3 of the epoch that has ended.
        wait_for_all_but(switch, &[2]);
        gates[3].cut();
    });
}

/// R-RES-11: those that join are told of whom they do not know to be lost.
fn one_is_lost_before_the_others_join_again(way: Way) {
    two_of_four_are_lost(way, [1, 3], &|switch, gates| {
        [0, 2, 3].iter().for_each(|rank: &usize| gates[*rank].hold());
        gates[1].cut();
        wait_for_job(switch, |job| job.is_none());
        let connections = |report| {
            let Report::Stats(stats) = report else { panic!("another report") };
            stats.connections
        };
        let before =
            connections(query(&switch.address().to_string(), Query::Stats, TIMEOUT).unwrap());
        gates[3].cut();
        wait_for(switch, Query::Stats, |report| connections(report) < before);
        [0, 2].iter().for_each(|rank: &usize| gates[*rank].open());
    });
}

/// R-RES-11: those that cannot come into the epoch that they have joined, since its memory was lost
/// with another, keep their connections to it.
#[test]
fn the_next_leader_is_lost_before_the_others_have_its_memory() {
    // Rank 3 is the one beside the leaf.
    two_of_four_are_lost(Way::Host, [0, 3], &|switch, gates| {
        [1, 2].iter().for_each(|rank: &usize| gates[*rank].hold());
        gates[3].cut();
        wait_for_all_but(switch, &[1, 2]);
        // It is not told that it is welcome.
        gates[0].hold();
        [1, 2].iter().for_each(|rank: &usize| gates[*rank].open());
        wait_for_job(switch, |job| job.is_some_and(|job| job.phase == JobPhase::Running));
        gates[0].cut();
        wait_for_job(switch, |job| job.is_none_or(|job| job.size < 3));
        // It is told that it is out, and gives up.
        gates[0].open();
    });
}

/// A worker that makes no call meanwhile is told of both by its next call.
fn several_are_lost_between_two_calls(way: Way) {
    // The second falls when the first is lost: it has a call in progress with all.
    let parts = [(0, Part::Rests(2)), (1, Part::Falls(0)), (3, Part::Falls(20))];
    assert_eq!(run(way, 4, &parts), [[0, 2], [0, 2]]);
}
