//! Elastic jobs, which go on without workers that are lost (R-RES-8, R-RES-9).

use std::ops::ControlFlow;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use netfold_net::{
    Call, CallMemory, Collective, Communicator, ElementType, Error, JoinRequest, Operation, SwitchOptions,
};

use crate::support::{Entrance, PATIENCE, Way, bytes, call, integers, over_each};

over_each!(the_others_go_on, several_are_lost_at_once, several_are_lost_between_two_calls);

/// Time-out of the jobs. What waits for it fails, since calls do not.
const TIMEOUT: Duration = Duration::from_secs(18);

const CALLS: i32 = 60;
const ELEMENTS: usize = 2_000;

fn value(worker: u16, number: i32, element: usize) -> i32 {
    i32::from(worker) * 1_000 + number * 17 + element as i32
}

/// A worker of a training, as it were: it knows the others by the ranks with which all began, and where all of them stand.
struct Trainer {
    comm: Communicator,
    me: u16,
    members: Vec<u16>,
}

impl Trainer {
    /// Takes note of a loss. `false` for any other error.
    fn heeds(&mut self, error: &Error) -> bool {
        let Error::Regrouped { lost, rank, workers, .. } = error else { return false };
        if usize::from(*workers) < self.members.len() {
            // Ranks are those of the life before, and so are places in the list.
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

    /// What the slowest of all is to do next.
    fn agree(&mut self, next: i32) -> i32 {
        loop {
            let mut all = vec![0; 4 * self.members.len()];
            let gather = call(Collective::AllGather, Operation::Sum, ElementType::U8, 4);
            match self.comm.run(gather, &next.to_ne_bytes(), &mut all, PATIENCE) {
                Ok(()) => return integers(&all).into_iter().min().unwrap(),
                Err(error) => assert!(self.heeds(&error), "{error}"),
            }
        }
    }

    fn sum(&self, number: i32) -> Result<Vec<i32>, Error> {
        let own: Vec<i32> = (0..ELEMENTS).map(|i| value(self.me, number, i)).collect();
        let mut tensor = bytes(&own);
        let all_reduce = call(Collective::AllReduce, Operation::Sum, ElementType::I32, ELEMENTS as u64);
        self.comm.run_in_place(all_reduce, &mut tensor, PATIENCE)?;
        Ok(integers(&tensor))
    }

    /// Makes all calls, over again where need be. Every sum that comes back is that of all who were there.
    fn train(mut self) -> Vec<u16> {
        let mut next = 0;
        while next < CALLS {
            match self.sum(next) {
                Ok(sums) => {
                    for (i, sum) in sums.into_iter().enumerate() {
                        let expected: i32 = self.members.iter().map(|worker| value(*worker, next, i)).sum();
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
        self.members
    }

    /// [`Trainer::train`], but makes no call before so few are left.
    fn rest_and_train(self, left: u16) -> Vec<u16> {
        while self.comm.size() > left {
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
        let nothing = unsafe { CallMemory::from_raw(std::ptr::null(), 0, std::ptr::null_mut(), 0) };
        // A barrier goes through another stream than the others' calls, so that nothing differs in a slot.
        while let Err(error) = self.comm.submit(Call::BARRIER, nothing, false) {
            assert!(self.heeds(&error), "{error}");
        }
    }
}

/// What a worker does that does not just train.
#[derive(Clone, Copy)]
enum Part {
    /// It falls at this call.
    Falls(i32),
    /// It makes no call before so few are left.
    Rests(u16),
}

/// Has workers do what is theirs to do, and gives what those are left with that do not fall.
fn run(way: Way, size: u16, parts: &[(u16, Part)]) -> Vec<Vec<u16>> {
    let switch = way.switch(SwitchOptions::default());
    let connected = Barrier::new(usize::from(size));
    thread::scope(|scope| {
        let (switch, connected) = (&switch, &connected);
        let worker = |me: u16| {
            let (address, part) = (switch.of(me).to_string(), parts.iter().find(|(rank, _)| *rank == me));
            let request = JoinRequest {
                transport: way.of(me, size),
                elastic: true,
                timeout: TIMEOUT,
                ..JoinRequest::new("test", me, size)
            };
            scope.spawn(move || {
                let comm = Communicator::connect(&address, request, |_| ControlFlow::Continue(())).unwrap();
                // Nobody joins any more when the first falls.
                connected.wait();
                let trainer = Trainer { comm, me, members: (0..size).collect() };
                match part.map(|(_, part)| *part) {
                    Some(Part::Falls(at)) => {
                        trainer.fall(at);
                        None
                    }
                    Some(Part::Rests(left)) => Some(trainer.rest_and_train(left)),
                    None => Some(trainer.train()),
                }
            })
        };
        let threads: Vec<_> = (0..size).map(worker).collect();
        threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
    })
}

fn the_others_go_on(way: Way) {
    for fallen in [0, 2] {
        let left: Vec<u16> = (0..4).filter(|rank| *rank != fallen).collect();
        assert_eq!(run(way, 4, &[(fallen, Part::Falls(20))]), [left.clone(), left.clone(), left]);
    }
}

/// R-RES-11: those that are lost together cost less than a third of the time-out. Or one after the other is, down to the last worker.
fn several_are_lost_at_once(way: Way) {
    let begin = Instant::now();
    assert_eq!(run(way, 4, &[(1, Part::Falls(20)), (3, Part::Falls(20))]), [[0, 2], [0, 2]]);
    assert!(begin.elapsed() < TIMEOUT / 3, "{:?} for all calls", begin.elapsed());
    assert_eq!(run(way, 2, &[(0, Part::Falls(7))]), [[1]]);
}

/// Whoever makes none meanwhile is told of both by its next call.
fn several_are_lost_between_two_calls(way: Way) {
    // The second falls when the first is lost: it has a call in progress with all.
    let parts = [(0, Part::Rests(2)), (1, Part::Falls(0)), (3, Part::Falls(20))];
    assert_eq!(run(way, 4, &parts), [[0, 2], [0, 2]]);
}
