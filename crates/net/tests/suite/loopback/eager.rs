//! Short calls through shared memory, beside those that go through slots (R-EAGER).

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use netfold_net::{
    Arithmetic, Call, CallMemory, Collective, Communicator, ElementType, Error, InFlight,
    JoinRequest, Operation, Priority, Reduction, SwitchOptions, WorkerId,
};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::support::{WAIT_LIMIT, Way, bytes, call, integers, workers};

/// Elements of `i32` that fit a message of up to four workers, as many as do.
const MOST: u64 = 512;

fn sum(elements: u64) -> Call {
    call(Collective::AllReduce, Operation::Sum, ElementType::I32, elements)
}

/// A worker's vector in a call.
fn input(rank: u16, number: usize, elements: u64) -> Vec<i32> {
    (0..elements as i32)
        .map(|element| element ^ ((i32::from(rank) + 3) * (number as i32 + 1)))
        .collect()
}

/// Returns what the call leaves in a worker's vector, which is input and output in one.
fn expected(rank: u16, size: u16, number: usize, made: &Call) -> Vec<i32> {
    let inputs = (0..size).map(|rank| input(rank, number, made.elements));
    let mut all = inputs
        .reduce(|sum, input| sum.iter().zip(&input).map(|(sum, value)| sum + value).collect());
    match made.collective {
        Collective::Reduce { root } if root.0 != rank => input(rank, number, made.elements),
        _ => all.take().unwrap_or_default(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Calls by the eager path, through slots, and barriers of both kinds, each of which a worker
    /// makes as it likes: at once, or begun with others under way. All have their sums.
    #[test]
    fn calls_of_all_kinds_go_side_by_side(size in 1..=4u16, calls in 1..120usize, seed: u64) {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let mut draw = || -> Call {
            let lengths = [1, 8, MOST - 1, MOST, MOST + 1, 5000, 40_000];
            let made = sum(lengths[rng.next_u32() as usize % lengths.len()]);
            match rng.next_u32() % 8 {
                0 => Call::BARRIER,
                1 => Call { priority: Some(Priority::Urgent), ..Call::BARRIER },
                2 => Call { priority: Some(Priority::Bulk), ..made },
                3 => Call { collective: Collective::Reduce { root: WorkerId(rng.next_u32() as u16 % size) }, ..made },
                _ => made,
            }
        };
        let made: Vec<Call> = (0..calls).map(|_| draw()).collect();
        let switch = Way::Shm.switch(SwitchOptions::default());
        let native = |request: &mut JoinRequest| request.terms.arithmetic = Arithmetic::Native;
        workers(&switch, Way::Shm, size, native, |comm| {
            let (rank, comm) = (comm.rank(), Arc::new(comm));
            let mut rng = Pcg64Mcg::seed_from_u64(seed ^ u64::from(rank) << 32);
            let mut under_way: VecDeque<(usize, InFlight)> = VecDeque::new();
            let check = |number: usize, memory: &[u8]| {
                let made = &made[number];
                if made.collective != Collective::Barrier {
                    assert!(integers(memory) == expected(rank, size, number, made), "{made} as call {number} at {rank}");
                }
            };
            for (number, made) in made.iter().enumerate() {
                let mut memory = bytes(&input(rank, number, made.elements));
                if rng.next_u32().is_multiple_of(2) {
                    comm.run_in_place(*made, &mut memory, WAIT_LIMIT).unwrap();
                    check(number, &memory);
                } else {
                    under_way.push_back((number, comm.begin_owned(*made, memory).unwrap()));
                }
                while !under_way.is_empty() && (under_way.len() > 20 || rng.next_u32().is_multiple_of(3)) {
                    let any = rng.next_u32() as usize % under_way.len();
                    let (number, call) = under_way.remove(any).unwrap();
                    check(number, &call.wait(WAIT_LIMIT).unwrap().0);
                }
            }
            for (number, call) in under_way {
                check(number, &call.wait(WAIT_LIMIT).unwrap().0);
            }
        });
    }
}

/// An element of a type, from a draw: mostly near the others, some of any magnitude, some NaN and
/// infinite.
fn element(element_type: ElementType, draw: u32) -> Vec<u8> {
    let near = |bits: u32| f32::from_bits(bits & 0x803F_FFFF | 0x3F80_0000);
    let any =
        [draw.rotate_left(7), 0, 1 << 31, 0x7FC0_0000, 0x7F80_0000, 0xFF80_0000, 0x7F7F_FFFF, 1];
    let float = match draw % 40 {
        kind @ 0..8 => f32::from_bits(any[kind as usize]),
        _ => near(draw),
    };
    match element_type {
        ElementType::F32 => float.to_ne_bytes().to_vec(),
        ElementType::Bf16 => ((float.to_bits() >> 16) as u16).to_ne_bytes().to_vec(),
        ElementType::F64 => f64::from(float).to_ne_bytes().to_vec(),
        // What else a pattern is: any float of half the width, and any integer.
        _ => {
            draw.wrapping_mul(0x9E37_79B1).to_ne_bytes().repeat(2)[..element_type.bytes()].to_vec()
        }
    }
}

/// A sum, a minimum, a maximum, a product or an average of each type, and of each three lengths, as
/// far as a worker's job has it. The last length is the longest of a message, if a message holds
/// elements.
fn calls_of_every_kind(comm: &Communicator) -> Vec<Call> {
    let folds =
        [Operation::Sum, Operation::Min, Operation::Max, Operation::Product].map(Reduction::Fold);
    let reductions: Vec<_> = folds.into_iter().chain([Reduction::Average]).collect();
    let longest = 8192 / u64::from(comm.size().next_power_of_two().max(4));
    let mut made = Vec::new();
    for (element_type, reduction) in
        ElementType::ALL.iter().flat_map(|t| reductions.iter().map(move |r| (*t, *r)))
    {
        for elements in [1, 7, longest / element_type.bytes() as u64] {
            let root = WorkerId(elements as u16 % comm.size());
            let collective =
                if elements == 7 { Collective::Reduce { root } } else { Collective::AllReduce };
            made.push(Call { collective, reduction, element_type, elements, priority: None });
        }
    }
    made.retain(|call| comm.plan(*call, None).is_ok());
    made
}

/// R-EAGER-1, R-EAGER-8: calls of every type, operation and length have the bits by the eager path
/// that they have through slots, which a bulk call takes.
#[test]
fn a_call_has_the_same_bits_by_message_and_through_slots() {
    for size in 1..=8 {
        let switch = Way::Shm.switch(SwitchOptions::default());
        let run_all = |comm: Communicator| {
            let mut rng = Pcg64Mcg::seed_from_u64(u64::from(size) << 32 | u64::from(comm.rank()));
            let mut by_message = 0;
            for made in calls_of_every_kind(&comm) {
                let input: Vec<u8> = (0..made.elements)
                    .flat_map(|_| element(made.element_type, rng.next_u32()))
                    .collect();
                let run = |priority| {
                    let (mut memory, before) = (input.clone(), comm.stats().unwrap().counters);
                    comm.run_in_place(Call { priority, ..made }, &mut memory, WAIT_LIMIT).unwrap();
                    (
                        memory,
                        comm.stats().unwrap().counters.exponent_rounds - before.exponent_rounds,
                    )
                };
                let fits = comm.plan(made, None).unwrap().is_eager();
                let ((message, rounds), (slots, _)) = (run(None), run(Some(Priority::Bulk)));
                assert_eq!(message, slots, "{made} at {}", comm.rank());
                assert!(!fits || rounds == 0, "{made} takes a slot");
                by_message += u32::from(fits);
            }
            by_message
        };
        // Of three float types the sum and the average of each length, of f32 the minimum and the
        // maximum of each and of the two with lanes twice as long of two, and four operations of
        // three types of integers.
        let expected = 3 * 2 * 3 + 2 * (3 + 2 + 2) + 3 * 4 * 3;
        assert_eq!(workers(&switch, Way::Shm, size, |_| (), run_all), vec![expected; size.into()]);
    }
}

/// R-EAGER-1: so have those of all collectives, whose parts and prefixes are blocks of their own.
#[test]
fn every_collective_has_the_same_bits_by_message_and_through_slots() {
    let folds = [ElementType::F32, ElementType::Bf16, ElementType::I32, ElementType::I64];
    for size in 1..=8 {
        let switch = Way::Shm.switch(SwitchOptions::default());
        workers(
            &switch,
            Way::Shm,
            size,
            |_| (),
            |comm| {
                let mut rng =
                    Pcg64Mcg::seed_from_u64(u64::from(size) << 32 | u64::from(comm.rank()));
                let root = WorkerId(size - 1);
                let moves = [
                    Collective::AllGather,
                    Collective::Gather { root },
                    Collective::Scatter { root },
                    Collective::AllToAll,
                ];
                let moved = moves.map(|collective| (collective, ElementType::U8));
                let sums = [Collective::ReduceScatter, Collective::Scan, Collective::ExScan]
                    .into_iter()
                    .flat_map(|collective| folds.map(|element_type| (collective, element_type)));
                for (collective, element_type) in moved.into_iter().chain(sums) {
                    for elements in [1, 5, 14] {
                        let made = call(collective, Operation::Sum, element_type, elements);
                        let plan = comm.plan(made, None).unwrap();
                        assert!(plan.is_eager(), "{plan}");
                        let (sent, taken) = plan.input_output_elements();
                        let input: Vec<u8> =
                            (0..sent).flat_map(|_| element(element_type, rng.next_u32())).collect();
                        let run = |priority| {
                            let mut output = vec![0xEE; taken as usize * element_type.bytes()];
                            let made = Call { priority, ..made };
                            let before = comm.stats().unwrap().counters;
                            comm.run(made, &input, &mut output, WAIT_LIMIT).unwrap();
                            let after = comm.stats().unwrap().counters;
                            (output, after.rounds - before.rounds)
                        };
                        let ((message, rounds), (slots, _)) =
                            (run(None), run(Some(Priority::Bulk)));
                        assert_eq!(message, slots, "{made} at {}", comm.rank());
                        assert_eq!(rounds, 1, "{made}");
                    }
                }
            },
        );
    }
}

/// R-EAGER-4: floating point is added in the order of ranks, whichever worker comes first.
#[test]
fn floats_are_added_in_the_order_of_ranks() {
    let size = 5;
    let value = |rank: u16, call: u32| {
        (f64::from(rank) * 0.7 + f64::from(call)).sin() as f32 * 10f32.powi(i32::from(rank) - 2)
    };
    let switch = Way::Shm.switch(SwitchOptions::default());
    let native = |request: &mut JoinRequest| request.terms.arithmetic = Arithmetic::Native;
    workers(&switch, Way::Shm, size, native, |comm| {
        for number in 0..200 {
            let mut tensor = value(comm.rank(), number).to_ne_bytes();
            let made = Call { element_type: ElementType::F32, ..sum(1) };
            comm.run_in_place(made, &mut tensor, WAIT_LIMIT).unwrap();
            let expected = (1..size).fold(value(0, number), |sum, rank| sum + value(rank, number));
            assert_eq!(f32::from_ne_bytes(tensor).to_bits(), expected.to_bits(), "call {number}");
        }
    });
}

/// R-EAGER-6: a barrier comes after the long calls before it, and short calls wait for neither.
#[test]
fn a_barrier_keeps_its_place_and_short_calls_pass_it() {
    let switch = Way::Shm.switch(SwitchOptions::default());
    workers(
        &switch,
        Way::Shm,
        2,
        |_| (),
        |comm| {
            let comm = Arc::new(comm);
            for _ in 0..20 {
                let long = comm.begin_owned(sum(100_000), bytes(&[1; 100_000])).unwrap();
                let barrier = comm.begin_owned::<u8>(Call::BARRIER, Vec::new()).unwrap();
                let short = comm.begin_owned(sum(1), bytes(&[1])).unwrap();
                assert_eq!(integers(&short.wait(WAIT_LIMIT).unwrap().0), [2]);
                barrier.wait(WAIT_LIMIT).unwrap();
                // What was called before the barrier is done with it.
                let (memory, _) = long.wait(Some(Duration::ZERO)).unwrap();
                assert!(integers(&memory).iter().all(|&value| value == 2));
            }
        },
    );
}

/// R-CTRL-5: what a worker has called before it left completes, also if its leave is heard of
/// before its message is read.
#[test]
fn an_eager_message_outlives_its_worker() {
    let switch = Way::Shm.switch(SwitchOptions::default());
    let connect = |rank| {
        let address = switch.address().to_string();
        Communicator::connect(&address, JoinRequest::new("leaving", rank, 2), |_| {
            ControlFlow::Continue(())
        })
        .unwrap()
    };
    thread::scope(|scope| {
        let leaving = scope.spawn(|| {
            let comm = connect(1);
            let mut tensor = bytes(&[2]);
            comm.run_in_place(sum(1), &mut tensor, WAIT_LIMIT).unwrap();
            integers(&tensor)
        });
        let stays = Arc::new(connect(0));
        let first = stays.begin_owned(sum(1), bytes(&[1])).unwrap();
        assert_eq!(leaving.join().unwrap(), [3]);
        let second = stays.run_in_place(sum(1), &mut bytes(&[1]), WAIT_LIMIT);
        assert!(matches!(second, Err(Error::PeerLeft { rank: 1, calls: 1 })), "{second:?}");
        assert_eq!(integers(&first.wait(WAIT_LIMIT).unwrap().0), [3]);
    });
}

/// All workers are told what they have called, when rank 1 sums other numbers of elements than the
/// others.
fn assert_told(size: u16, change: impl Fn(&mut JoinRequest) + Sync, rank_1: u64, others: u64) {
    let switch = Way::Shm.switch(SwitchOptions::default());
    let (start, all_joined) = (Instant::now(), Barrier::new(size.into()));
    let messages = workers(&switch, Way::Shm, size, change, |comm| {
        all_joined.wait();
        let elements = if comm.rank() == 1 { rank_1 } else { others };
        let mut memory = bytes(&vec![1; elements as usize]);
        comm.run_in_place(sum(elements), &mut memory, WAIT_LIMIT).unwrap_err().to_string()
    });
    assert!(start.elapsed() < Duration::from_secs(5));
    let called = |elements| format!("called all_reduce(sum, i32, {elements} elements)");
    for message in messages {
        for part in [format!("rank 1 {}", called(rank_1)), called(others)] {
            assert!(message.contains(&part), "{message}");
        }
    }
}

/// R-EAGER-5, R-CTRL-6: two short calls that differ are told to everyone at once.
#[test]
fn short_calls_that_differ_are_told_at_once() {
    assert_told(3, |_| (), 9, 8);
}

/// R-CTRL-12: and so are two of which one is eager and the other is not, by an eighth of the job's
/// time-out.
#[test]
fn a_call_that_is_eager_at_some_workers_only_is_told() {
    assert_told(2, |request| request.timeout = Duration::from_secs(4), MOST + 1, MOST);
}

/// R-EAGER-7, R-CTRL-12: a worker that has not posted is named when the time is over.
#[test]
fn a_time_out_names_the_workers_without_an_eager_message() {
    let switch = Way::Shm.switch(SwitchOptions::default());
    let [all_joined, over] = [(); 2].map(|()| Barrier::new(3));
    workers(
        &switch,
        Way::Shm,
        3,
        |_| (),
        |comm| {
            all_joined.wait();
            if comm.rank() == 0 {
                let error = comm
                    .run_in_place(sum(1), &mut bytes(&[1]), Some(Duration::from_millis(100)))
                    .unwrap_err();
                assert!(error.to_string().contains("waiting for rank 1, 2"), "{error}");
            }
            over.wait();
        },
    );
}

/// A call that is submitted, and not waited for, goes on by itself.
#[test]
fn an_eager_message_is_read_though_nobody_waits() {
    let switch = Way::Shm.switch(SwitchOptions::default());
    workers(
        &switch,
        Way::Shm,
        3,
        |_| (),
        |comm| {
            let mut memories: Vec<_> = (0..40).map(|number| bytes(&[number])).collect();
            let submit = |memory: &mut Vec<u8>| {
                let start = memory.as_mut_ptr();
                // SAFETY: the memory outlives the call, which is waited for below, and is not
                // touched until then.
                let raw = unsafe { CallMemory::from_raw(start, 4, start, 4) };
                comm.submit(sum(1), raw, true).unwrap()
            };
            let ids: Vec<_> = memories.iter_mut().map(submit).collect();
            for id in ids {
                let (done, outcome) =
                    comm.next_completion(WAIT_LIMIT.unwrap()).expect("they are done by and by");
                outcome.unwrap();
                assert_eq!(done, id, "short calls are done in their order");
            }
            let sums: Vec<_> = memories.iter().flat_map(|memory| integers(memory)).collect();
            assert_eq!(sums, (0..40).map(|number| 3 * number).collect::<Vec<_>>());
        },
    );
}
