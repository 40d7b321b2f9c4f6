//! Orders in which two workers may post, read and overwrite the messages of the eager path
//! (R-EAGER), as far as some preemptions make them, with the memory model of C11: loom runs the
//! cells with its own atomics, in memory that panics when a read and a write meet.
//!
//! It is a program without a harness: with one, the module's own tests would be compiled, too.

#![expect(unused, reason = "modules of the crate, of which a part is used here")]

#[path = "../../src/eager/cell.rs"]
mod cell;
mod error;
mod layout;
mod mapping;
mod sync;

use std::sync::Arc;

use loom::model::Builder;
use loom::thread;
use netfold_wire::{CallDigest, EAGER_CELLS, EAGER_OUTSTANDING, EagerRound};

use cell::EagerCell;
use layout::{CELL_BYTES, MESSAGE_BYTES};
use mapping::Mapping;

/// Switches from a thread that could go on, at most in one order.
const PREEMPTIONS: usize = 3;

const WORKERS: usize = 2;

/// Rounds under way and cells of a worker: few, in the proportion of R-EAGER-3.
const OUTSTANDING: u64 = 2;
const CELLS: u64 = 4;
const _: () = assert!(EAGER_CELLS as u64 * OUTSTANDING == EAGER_OUTSTANDING * CELLS);

/// Some cells are used twice.
const ROUNDS: u64 = CELLS + OUTSTANDING;

fn main() {
    run("cells are used again when nobody reads them", || {
        both(Worker::exchange);
    });
    run("another call is seen by both", || {
        both(|worker| {
            let Worker { memory, member } = worker;
            let own = EagerRound { call: CallDigest(*member as u32), ..round(0) };
            worker.post(&own, MESSAGE_BYTES);
            let other = worker.await_cell(1 - member, 0);
            assert!(matches!(other.has_contents(&own), Ok(None)), "worker {member}");
        });
    });
}

fn run(name: &str, scenario: impl Fn() + Send + Sync + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(PREEMPTIONS);
    builder.check(scenario);
    println!("{name}: ok");
}

/// Runs both workers, each in a thread.
fn both(work: fn(&Worker)) {
    let memory = Arc::new(Mapping::new(WORKERS * CELLS as usize));
    let [first, second] = [0, 1].map(|member| Worker { memory: memory.clone(), member });
    let second = thread::spawn(move || work(&second));
    work(&first);
    second.join().unwrap();
}

/// Returns a round whose call is that of no other.
fn round(number: u64) -> EagerRound {
    EagerRound { queue: 0, number, call: CallDigest(number as u32 + 1), bytes: MESSAGE_BYTES }
}

/// Returns the length of a message: in one round, the second worker is no contributor.
fn len(member: usize, number: u64) -> usize {
    if (member, number) == (1, 1) { 0 } else { MESSAGE_BYTES }
}

/// Returns each byte of a message.
fn content(member: usize, number: u64) -> u8 {
    (10 * number) as u8 + member as u8
}

struct Worker {
    memory: Arc<Mapping>,
    member: usize,
}

impl Worker {
    fn cell(&self, member: usize, number: u64) -> EagerCell<'_> {
        let cell = member * CELLS as usize + (number % CELLS) as usize;
        EagerCell::new(&self.memory, cell * CELL_BYTES)
    }

    fn post(&self, round: &EagerRound, len: usize) {
        let content = content(self.member, round.number);
        // SAFETY: the cell is this worker's. Loom panics if somebody reads it.
        unsafe {
            self.cell(self.member, round.number).post(round, len, |to| to.fill(content), || None);
        }
    }

    /// Returns a worker's cell when the message of a round is in it.
    fn await_cell(&self, member: usize, number: u64) -> EagerCell<'_> {
        let cell = self.cell(member, number);
        while !cell.has(number) {
            thread::yield_now();
        }
        cell
    }

    /// Posts the messages of all rounds, as early as R-EAGER-3 has it, and reads those of both.
    fn exchange(&self) {
        let mut posted = 0;
        for collected in 0..ROUNDS {
            while posted < ROUNDS.min(collected + OUTSTANDING) {
                self.post(&round(posted), len(self.member, posted));
                posted += 1;
            }
            self.collect(collected);
        }
    }

    fn collect(&self, number: u64) {
        let round = round(number);
        for member in 0..WORKERS {
            let (cell, len) = (self.await_cell(member, number), len(member, number));
            assert!(
                matches!(cell.has_contents(&round), Ok(Some(full)) if full == (len > 0)),
                "worker {} reads round {number} of {member}",
                self.member
            );
            // SAFETY: the message is there. Loom panics if it is written to.
            let bytes = unsafe { cell.contents(len) };
            assert!(bytes.iter().all(|byte| *byte == content(member, number)), "{bytes:?}");
        }
    }
}
