//! Leaves in shared memory below a switch (R-TREE), and links between them that lose datagrams from
//! a seed.

use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::driver::{Driver, spec};
use netfold_num::{Arithmetic, ElementType};
use netfold_shm::{Downlink, Error, PortError, Segment, Uplink, WaitOutcome};
use netfold_switch::{JobSpec, Place, Shard};
use netfold_wire::{Ecn, HEADER_BYTES, Packet, Repr, WorkerId};
use netfold_worker::Timing;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Losses are mended soon.
const TIMING: Timing = Timing { rto_initial_us: 2_000, rto_min_us: 500, rto_max_us: 10_000 };

/// The switch above the leaves, and its links to them.
struct Above {
    shard: Mutex<Shard>,
    /// For each leaf the rank that it is called by, and where its results go.
    leaves: Mutex<Vec<(WorkerId, Sender<Vec<u8>>)>>,
    loss: f64,
}

impl Above {
    /// Carries folds up, and the switch's answers down again, until `stopped`.
    fn carry(&self, mut uplink: Uplink, spec: &JobSpec, seed: u64, stopped: &AtomicBool) {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        // Room for three datagrams, so that batches form.
        let mut burst = vec![0; 3 * (HEADER_BYTES + spec.payload_bytes as usize)];
        while !stopped.load(Ordering::SeqCst) {
            let Some(transmit) = uplink.poll_transmit(&mut burst, 3).expect("the job goes on")
            else {
                uplink.wait().expect("the job goes on");
                continue;
            };
            let mut shard = self.shard.lock().unwrap();
            for datagram in burst[..transmit.len].chunks(transmit.segment) {
                if !rng.random_bool(self.loss) {
                    shard.handle(datagram, Ecn::Clear);
                }
            }
            while let Some(transmit) = shard.poll_transmit(&mut burst, 1) {
                for (_, results) in self
                    .leaves
                    .lock()
                    .unwrap()
                    .iter()
                    .filter(|(name, _)| transmit.to.include(*name))
                {
                    if !rng.random_bool(self.loss) {
                        results.send(burst[..transmit.len].to_vec()).expect("every leaf listens");
                    }
                }
            }
        }
    }
}

fn take_results(mut downlink: Downlink, results: &Receiver<Vec<u8>>) -> u64 {
    while let Ok(first) = results.recv() {
        for datagram in std::iter::once(first).chain(results.try_iter()) {
            downlink.settle(&datagram, Ecn::Clear).expect("the job goes on");
        }
        downlink.flush();
    }
    downlink.counters().results_taken
}

/// The sum of every worker's lanes at every worker of every leaf, exactly, whatever is lost between
/// leaves and switch.
fn sums_are_exact(homes: &[usize], spec: &JobSpec, lengths: &[usize], loss: f64, seed: u64) {
    let names: Vec<usize> =
        (0..=1).filter_map(|leaf| homes.iter().position(|home| *home == leaf)).collect();
    let named = |rank: usize| {
        names
            .iter()
            .copied()
            .find(|name| homes[*name] == homes[rank])
            .expect("every leaf has a name")
    };
    let pairs = |wanted: &dyn Fn(usize) -> Option<usize>| -> Vec<(WorkerId, WorkerId)> {
        (0..homes.len())
            .filter_map(|rank| Some((WorkerId(rank as u16), WorkerId(wanted(rank)? as u16))))
            .collect()
    };
    let mut shard = Shard::new(1 << 24);
    shard
        .admit(JobSpec { place: Place::root(pairs(&|rank| Some(named(rank)))), ..spec.clone() })
        .expect("there is room");
    let (senders, receivers): (Vec<_>, Vec<_>) = names.iter().map(|_| channel()).unzip();
    let leaves = names.iter().map(|name| WorkerId(*name as u16)).zip(senders).collect();
    let leaves = Mutex::new(leaves);
    let (above, stopped) =
        (Above { shard: Mutex::new(shard), leaves, loss }, AtomicBool::new(false));
    let segments: Vec<Arc<Segment>> = names
        .iter()
        .map(|&name| {
            let members = pairs(&|rank| (named(rank) == name).then_some(rank));
            let place = Place::root(members).below(WorkerId(name as u16));
            Segment::create(&JobSpec { place, ..spec.clone() }, 1).expect("memory to share")
        })
        .collect();
    let input = |rank: usize, call: usize, lane: usize| (rank * 31 + call * 7 + lane) as i32;
    thread::scope(|scope| {
        let mut wakers = Vec::new();
        let (above, stopped) = (&above, &stopped);
        let mut downward = Vec::new();
        for (seed, (segment, results)) in (seed..).zip(segments.iter().zip(receivers)) {
            let uplink = Uplink::new(segment.clone(), 0).expect("a leaf has one");
            wakers.push(uplink.waker());
            scope.spawn(move || above.carry(uplink, spec, seed, stopped));
            let downlink = Downlink::new(segment.clone(), 0).expect("a leaf has one");
            downward.push(scope.spawn(move || take_results(downlink, &results)));
        }
        let workers: Vec<_> = (0..homes.len())
            .map(|rank| {
                let segment = &segments
                    [names.iter().position(|name| *name == named(rank)).expect("it has one")];
                scope.spawn(move || {
                    let (number, native) = (rank as u16, Arithmetic::Native);
                    let mut driver = if loss > 0.0 {
                        Driver::with_timing(segment, spec, number, native, TIMING)
                    } else {
                        Driver::new(segment, spec, number, native)
                    };
                    for (call, &lanes) in lengths.iter().enumerate() {
                        let tensor = (0..lanes)
                            .flat_map(|lane| input(rank, call, lane).to_ne_bytes())
                            .collect();
                        let sum =
                            driver.all_reduce(ElementType::I32, tensor).expect("nobody fails");
                        for (lane, sum) in sum.chunks_exact(4).enumerate() {
                            let expected: i32 =
                                (0..homes.len()).map(|rank| input(rank, call, lane)).sum();
                            let sum = i32::from_ne_bytes(sum.try_into().expect("four bytes"));
                            assert_eq!(
                                sum, expected,
                                "lane {lane} of call {call} at {rank}, seed {seed}"
                            );
                        }
                    }
                    assert_eq!(driver.reports, []);
                })
            })
            .collect();
        for worker in workers {
            worker.join().expect("a worker's sums are exact");
        }
        stopped.store(true, Ordering::SeqCst);
        wakers.iter().for_each(netfold_shm::Waker::wake);
        above.leaves.lock().unwrap().clear();
        let taken: Vec<u64> =
            downward.into_iter().map(|thread| thread.join().expect("results are taken")).collect();
        assert!(
            lengths.iter().all(|lanes| *lanes == 0) || taken.iter().all(|taken| *taken > 0),
            "{taken:?}"
        );
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// R-TREE-2 to 4.
    #[test]
    fn two_hosts_get_exact_sums(
        homes in prop::collection::vec(0..2usize, 1..=5),
        slots in 1..=9u16,
        payload_words in 1..=40u32,
        lengths in prop::collection::vec(0..300usize, 1..8),
        lossy in any::<bool>(),
        seed: u64,
    ) {
        let spec = spec(homes.len() as u16, slots, 8 * payload_words);
        sums_are_exact(&homes, &spec, &lengths, if lossy { 0.05 } else { 0.0 }, seed);
    }
}

#[test]
fn only_a_leaf_has_a_way_up() {
    let segment = Segment::create(&spec(2, 4, 64), 1).expect("memory to share");
    assert!(matches!(Uplink::new(segment.clone(), 0), Err(Error::NoParent)));
    assert!(matches!(Downlink::new(segment, 0), Err(Error::NoParent)));
    let place = Place::only(2).below(WorkerId(0));
    let segment =
        Segment::create(&JobSpec { place, ..spec(2, 4, 64) }, 1).expect("memory to share");
    assert!(matches!(Uplink::new(segment.clone(), 1), Err(Error::Range { flow: 1, .. })));
    assert!(Uplink::new(segment, 0).is_ok());
}

/// R-TREE-2: what a buffer has no room for is sent with the next one.
#[test]
fn folds_wait_for_room() {
    let job = JobSpec { place: Place::only(1).below(WorkerId(0)), ..spec(1, 4, 64) };
    let segment = Segment::create(&job, 1).expect("memory to share");
    let mut driver = Driver::new(&segment, &job, 0, Arithmetic::Native);
    let mut uplink = Uplink::new(segment.clone(), 0).expect("a leaf has one");
    driver.begin(ElementType::U8, vec![1; 4 * 64]).expect("the job goes on");
    let mut buffer = [0; HEADER_BYTES + 64];
    let slots = std::iter::from_fn(|| {
        let transmit = uplink.poll_transmit(&mut buffer, 3).expect("the job goes on")?;
        assert_eq!(transmit.len, buffer.len());
        Some(Repr::parse(&Packet::new_checked(&buffer[..]).expect("a leaf sends packets")).slot.0)
    });
    assert_eq!(slots.take(5).collect::<Vec<_>>(), [0, 1, 2, 3]);
}

/// A worker that goes need not wait for a slot with which another has died; one that stays has the
/// job as before.
#[test]
fn a_way_up_can_be_abandoned_while_it_waits_for_a_slot() {
    const HELD: u32 = 1;
    const AWAITED: u32 = 2;
    let job = JobSpec { place: Place::only(1).below(WorkerId(0)), ..spec(1, 2, 64) };
    let segment = Segment::create(&job, 1).expect("memory to share");
    let copy = || segment.descriptor().try_clone_to_owned().expect("a descriptor is left");
    let stays = Segment::attach(copy(), &job, 1).expect("it is the job's");
    let mut driver = Driver::new(&stays, &job, 0, Arithmetic::Native);
    let memory = std::fs::File::from(copy());
    // The line of the first slot, with the lock behind its registers.
    let at = crate::places::SLOTS_AT + 56;
    let lock = || {
        let mut word = [0; 4];
        memory.read_exact_at(&mut word, at).expect("it is there");
        u32::from_ne_bytes(word)
    };
    let mut uplink = Uplink::new(segment.clone(), 0).expect("a leaf has one");
    thread::scope(|scope| {
        let worker = scope.spawn(move || driver.all_reduce(ElementType::U8, vec![1]));
        assert_eq!(uplink.wait(), Ok(WaitOutcome::Results));
        memory.write_all_at(&HELD.to_ne_bytes(), at).expect("a member can write");
        let leader = scope.spawn(move || uplink.poll_transmit(&mut [0; 200], 1));
        while lock() != AWAITED {
            thread::yield_now();
        }
        segment.abandon();
        assert_eq!(leader.join().expect("no panic"), Err(PortError::Failed));
        assert!(segment.has_failed() && !stays.has_failed());
        stays.fail();
        assert_eq!(worker.join().expect("no panic"), Err(PortError::Failed));
    });
}
