//! Workers of the programs that have packets of their own, RoCE and P4SGD's: each is a thread with
//! a cable to bmv2, which loses some of what it sends and receives, and asks again after a time.

use std::thread;
use std::time::Duration;

use libtest_mimic::Failed;
use netfold_conformance::hardware::bmv2::Cable;
use netfold_pisa::catalog::{Name, Request};
use netfold_pisa::programs::Arithmetic;
use netfold_pisa::programs::fpisa::Variant;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::replay::{Switch, WORKERS, ethernet, floats_over_roce, request, roce_packet};
use crate::roce::frame::Write;
use crate::roce::nic::Nic;
use crate::roce::read;

/// Rounds of each worker.
const ROUNDS: u32 = 40;

/// Share of packets that a worker's end of its cable loses, in each direction.
const LOSS: f64 = 0.03;

/// The time after which a worker sends again.
const TIME_LIMIT: Duration = Duration::from_millis(100);

/// Times that a worker sends a packet: by then it has waited for minutes.
const MOST_ATTEMPTS: u32 = 1000;

/// The end of a worker, counted from 1.
struct End {
    worker: u16,
    cable: Cable,
    rng: Pcg64Mcg,
    /// Packets that were sent again.
    again: u32,
}

impl End {
    fn send(&mut self, frame: &[u8]) {
        if !self.rng.random_bool(LOSS) {
            self.cable.send(frame);
        }
    }

    /// The next frame that is not lost, if one comes in time.
    fn receive(&mut self) -> Option<Vec<u8>> {
        loop {
            let frame = self.cable.receive(TIME_LIMIT).ok()?;
            if !self.rng.random_bool(LOSS) {
                return Some(frame);
            }
        }
    }

    /// Sends frames until `take` has found in what comes what it waits for.
    fn ask<T>(
        &mut self,
        mut frames: impl FnMut(&mut Pcg64Mcg) -> Vec<Vec<u8>>,
        mut take: impl FnMut(&[u8]) -> Option<T>,
    ) -> Result<T, String> {
        for attempt in 0..MOST_ATTEMPTS {
            self.again += u32::from(attempt > 0);
            for frame in frames(&mut self.rng) {
                self.send(&frame);
            }
            while let Some(frame) = self.receive() {
                if let Some(found) = take(&frame) {
                    return Ok(found);
                }
            }
        }
        Err(format!("worker {} waits in vain", self.worker))
    }
}

/// Runs a worker in a thread for each cable.
fn run(
    request: Request,
    work: impl Fn(&mut End) -> Result<(), String> + Sync,
) -> Result<(), Failed> {
    let mut switch = Switch::start(request)?;
    let cables = std::mem::take(&mut switch.cables);
    let work = &work;
    let again = thread::scope(|scope| {
        let start = |(worker, cable)| {
            let rng = Pcg64Mcg::seed_from_u64(u64::from(worker));
            let mut end = End { worker, cable, rng, again: 0 };
            scope.spawn(move || work(&mut end).map(|()| end.again))
        };
        let threads: Vec<_> = (1..).zip(cables).map(start).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, _>| {
            thread.join().map_err(|_| "a worker panicked".to_owned())?
        };
        threads.into_iter().map(join).collect::<Result<Vec<u32>, String>>()
    })?;
    if again.iter().all(|again| *again == 0) {
        return Err("nothing was lost".into());
    }
    Ok(())
}

/// The lanes of a worker's packet in a round.
fn lanes(arithmetic: Arithmetic, worker: u16, round: u32, place: u32, count: u16) -> Vec<u32> {
    let seed = u64::from(worker) << 40 | u64::from(round) << 8 | u64::from(place);
    let rng = &mut Pcg64Mcg::seed_from_u64(seed);
    let lane = |_| match arithmetic {
        Arithmetic::Block => rng.next_u32(),
        // Sums of these are exact, whatever moves.
        Arithmetic::Fpisa(_) => (rng.random_range(512..1024u16) as f32).to_bits(),
    };
    (0..count).map(lane).collect()
}

fn sum(arithmetic: Arithmetic, all: impl Iterator<Item = Vec<u32>>) -> Option<Vec<u32>> {
    let add = |one: u32, other: u32| match arithmetic {
        Arithmetic::Block => one.wrapping_add(other),
        Arithmetic::Fpisa(_) => (f32::from_bits(one) + f32::from_bits(other)).to_bits(),
    };
    all.reduce(|sum, lanes| sum.iter().zip(lanes).map(|(one, other)| add(*one, other)).collect())
}

/// Sums of integers, in messages of three packets.
pub fn integers_over_roce() -> Result<(), Failed> {
    let arithmetic = Arithmetic::Block;
    run(request(Name::SwitchMlRoce(arithmetic), 64), |end| over_roce(end, arithmetic, 64, 3))
}

/// Sums of floats, in messages of one packet of a length that is no path MTU.
pub fn floats_in_roce() -> Result<(), Failed> {
    let variant = Variant::Full;
    run(floats_over_roce(variant), |end| over_roce(end, Arithmetic::Fpisa(variant), 6, 1))
}

/// R-PISA-56: a worker sends its message until it has the result of its round, whole.
fn over_roce(end: &mut End, arithmetic: Arithmetic, count: u16, most: u32) -> Result<(), String> {
    let mut nic = Nic::default();
    let (worker, mut psn) = (end.worker, end.rng.next_u32() & 0xFF_FFFF);
    for round in 1..=ROUNDS {
        let packets = if round.is_multiple_of(3) { 1 } else { most };
        let message = |worker| {
            let of = |place| lanes(arithmetic, worker, round, place, count);
            (0..packets).map(of).collect::<Vec<_>>()
        };
        let frames = |_: &mut Pcg64Mcg| {
            let packet = |(place, lanes)| {
                psn = (psn + 1) & 0xFF_FFFF;
                roce_packet(worker, round, psn, (place, packets), lanes)
            };
            (0..).zip(message(worker)).map(packet).collect()
        };
        let take = |frame: &[u8]| {
            let write: Write = read::parse(frame);
            let (_, lanes, immediate) = nic.take(&write)?;
            (immediate >> 16 == round).then_some(lanes)
        };
        let got = end.ask(frames, take)?;
        let wanted = sum(arithmetic, (1..=WORKERS).map(|worker| message(worker).concat()));
        if Some(&got) != wanted.as_ref() {
            return Err(format!("round {round} of worker {worker}: {got:x?}, not {wanted:x?}"));
        }
    }
    Ok(())
}

/// P4SGD's algorithms 1 and 2: in one slot, sums that all acknowledge before the next.
pub fn sums_by_p4sgd() -> Result<(), Failed> {
    const VALUES: u16 = 3;
    const AT: usize = 14;
    let of = |worker, round| lanes(Arithmetic::Block, worker, round, 0, VALUES);
    run(request(Name::P4Sgd, VALUES), |end| {
        let worker = end.worker;
        for round in 0..ROUNDS {
            for is_agg in [1, 0] {
                let mut frame = ethernet(worker, netfold_pisa::programs::p4sgd::ETHER_TYPE);
                frame.extend([is_agg, 0, 0, 0]);
                frame.extend((1u32 << (worker - 1)).to_be_bytes());
                frame.extend(of(worker, round).iter().flat_map(|lane| lane.to_be_bytes()));
                let take = |answer: &[u8]| {
                    (answer.len() == frame.len() && answer[AT] == is_agg)
                        .then(|| answer[AT + 8..].to_vec())
                };
                let got = end.ask(|_| vec![frame.clone()], take)?;
                let sum = sum(Arithmetic::Block, (1..=WORKERS).map(|other| of(other, round)));
                let sum: Vec<u8> = sum.into_iter().flatten().flat_map(u32::to_be_bytes).collect();
                if is_agg == 1 && got != sum {
                    return Err(format!(
                        "round {round} of worker {worker}: {got:x?}, not {sum:x?}"
                    ));
                }
            }
        }
        Ok(())
    })
}
