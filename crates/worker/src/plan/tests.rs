//! Tests of plans.

use netfold_wire::Delivery;
use proptest::prelude::*;

use super::*;

fn plan(collective: Collective, elements: u64, rank: u16) -> Plan {
    let element_type = if collective.only_moves() { ElementType::U8 } else { ElementType::I32 };
    let call = Call {
        collective,
        reduction: Reduction::Fold(Operation::Sum),
        element_type,
        elements,
        priority: None,
    };
    Plan::new(call, Arithmetic::Block, 3, WorkerId(rank), 64).unwrap()
}

/// Every collective that moves or folds a vector.
fn collectives(root: WorkerId) -> [Collective; 12] {
    [
        Collective::AllReduce,
        Collective::Reduce { root },
        Collective::Broadcast { root },
        Collective::AllGather,
        Collective::ReduceScatter,
        Collective::Gather { root },
        Collective::Scatter { root },
        Collective::AllToAll,
        Collective::Scan,
        Collective::ExScan,
        Collective::Prefixes,
        Collective::ScanTotal,
    ]
}

/// Element of an input: no two of a case are equal, nor are sums of different ones.
fn element(rank: usize, at: usize) -> u64 {
    (1000 + at as u64) << (12 * rank)
}

/// Carries a call out, block by block as a switch does, in exact arithmetic. Returns each worker's
/// output, in which no element is missing.
fn carried_out(plans: &[Plan]) -> Vec<Vec<u64>> {
    let inputs: Vec<Vec<u64>> = (0..)
        .zip(plans)
        .map(|(rank, plan)| {
            (0..plan.input_output_elements().0 as usize).map(|at| element(rank, at)).collect()
        })
        .collect();
    let mut outputs: Vec<Vec<Option<u64>>> =
        plans.iter().map(|plan| vec![None; plan.input_output_elements().1 as usize]).collect();
    let write = |output: &mut Vec<Option<u64>>, at: u64, values: &[u64]| {
        for (at, value) in (at as usize..).zip(values) {
            assert_eq!(output[at].replace(*value), None, "an element is written once");
        }
    };
    for index in 0..plans[0].blocks() {
        let blocks: Vec<Block> = plans.iter().map(|plan| plan.block(index)).collect();
        let mut fold = vec![0; blocks[0].elements.into()];
        for (block, input) in blocks.iter().zip(&inputs) {
            assert_eq!((block.elements, block.delivery), (blocks[0].elements, blocks[0].delivery));
            assert!(block.sent.max(block.taken) <= block.elements);
            let sums = fold.iter_mut().take(block.sent.into());
            for (at, sum) in (block.input.unwrap_or(0) as usize..).zip(sums) {
                *sum += if block.input.is_some() { input[at] } else { 0 };
            }
        }
        for (rank, (block, output)) in (0..).zip(blocks.iter().zip(&mut outputs)) {
            if let Delivery::Shift(distance) = block.delivery {
                // R-SLOT-13: a worker that has nothing for another gives it nothing to take.
                let from = (plans.len() + rank - usize::from(distance)) % plans.len();
                let (there, input) = (&blocks[from], &inputs[from]);
                assert_eq!(
                    (there.input.is_some(), there.sent),
                    (block.output.is_some(), block.taken)
                );
                if let (Some(from), Some(to)) = (there.input, block.output) {
                    write(output, to, &input[from as usize..][..there.sent.into()]);
                }
            } else if let (Delivery::Prefix { own }, Some(at)) = (block.delivery, block.output) {
                let end = rank + usize::from(own);
                let operand = |of: usize| {
                    let from = blocks[of].input.expect("it is in a result") as usize;
                    inputs[of][from..from + usize::from(block.elements)].to_vec()
                };
                let sum = (0..end).map(operand).reduce(|sum, operand| {
                    sum.iter().zip(operand).map(|(sum, operand)| sum + operand).collect()
                });
                write(output, at, &sum.expect("rank 0 gets nothing"));
            } else if let Delivery::Prefixes | Delivery::PrefixAndTotal = block.delivery {
                // R-SLOT-13: the folds of a result, and what becomes of them.
                let sums: Vec<Vec<u64>> = (0..plans.len())
                    .map(|last| {
                        let operands = blocks[..=last].iter().zip(&inputs).map(|(block, input)| {
                            &input[block.input.expect("all contribute") as usize..]
                        });
                        operands.fold(vec![0; block.elements.into()], |mut sum, operand| {
                            sum.iter_mut().zip(operand).for_each(|(sum, element)| *sum += element);
                            sum
                        })
                    })
                    .collect();
                let (all, last) = (0..plans.len(), plans.len() - 1);
                let result: Vec<usize> = match block.delivery {
                    Delivery::Prefixes => all.filter(|of| *of != rank).collect(),
                    _ if rank == 0 || rank == last => vec![last],
                    _ => vec![last, rank],
                };
                let elements = usize::from(plans[rank].result_elements(block));
                assert_eq!(elements, result.len() * usize::from(block.elements));
                let own = block.input.expect("all contribute") as usize;
                for (fold, origin) in plans[rank].folds(block) {
                    let there = |number: u16| &sums[result[usize::from(number)]];
                    let prefix = match origin {
                        Fold::At(number) => there(number).clone(),
                        Fold::Own(below) => {
                            let operand = inputs[rank][own..].iter().take(block.elements.into());
                            let below = below.map_or(vec![0; block.elements.into()], |number| {
                                there(number).clone()
                            });
                            operand.zip(below).map(|(operand, below)| operand + below).collect()
                        }
                    };
                    write(output, fold.output.expect("it has a place"), &prefix);
                }
            } else if let Some(at) = block.output {
                let rank = WorkerId(rank as u16);
                assert!(block.delivery.addresses(rank), "its lanes come to its receiver");
                write(output, at, &fold);
            }
        }
    }
    for ((plan, input), output) in plans.iter().zip(&inputs).zip(&mut outputs) {
        if let Some(kept) = plan.kept() {
            write(output, kept.output, &input[kept.input as usize..][..kept.elements as usize]);
        }
    }
    let whole = |output: Vec<Option<u64>>| output.into_iter().collect::<Option<Vec<u64>>>();
    outputs.into_iter().map(|output| whole(output).expect("the output is complete")).collect()
}

/// The output of `rank` by what the collective is for; `part(r, s)` is the length of the part of
/// rank r, in an all-to-all of that for rank s.
fn wanted(
    collective: Collective,
    workers: usize,
    rank: usize,
    part: &dyn Fn(usize, usize) -> usize,
) -> Vec<u64> {
    let vector =
        |of: usize, from: usize, len: usize| (from..from + len).map(move |at| element(of, at));
    let start = |of: usize| (0..of).map(|other| part(other, 0)).sum::<usize>();
    let sum = |ranks: std::ops::Range<usize>, from: usize, len: usize| -> Vec<u64> {
        (from..from + len).map(|at| ranks.clone().map(|of| element(of, at)).sum()).collect()
    };
    let (all, own) = (0..workers, part(rank, 0));
    match collective {
        Collective::AllReduce => sum(all, 0, own),
        Collective::Reduce { root } if usize::from(root.0) == rank => sum(all, 0, own),
        Collective::Broadcast { root } if usize::from(root.0) != rank => {
            vector(root.0.into(), 0, own).collect()
        }
        Collective::AllGather => all.flat_map(|of| vector(of, 0, part(of, 0))).collect(),
        Collective::ReduceScatter => sum(all, start(rank), own),
        Collective::Gather { root } if usize::from(root.0) == rank => {
            all.flat_map(|of| vector(of, 0, part(of, 0))).collect()
        }
        Collective::Scatter { root } => vector(root.0.into(), start(rank), own).collect(),
        Collective::AllToAll => {
            let before = |of: usize| (0..rank).map(|to| part(of, to)).sum::<usize>();
            all.flat_map(|of| vector(of, before(of), part(of, rank))).collect()
        }
        Collective::Scan => sum(0..rank + 1, 0, own),
        Collective::ExScan if rank > 0 => sum(0..rank, 0, own),
        Collective::Prefixes => (0..workers).flat_map(|of| sum(0..of + 1, 0, own)).collect(),
        Collective::ScanTotal if rank + 1 == workers => sum(all, 0, own),
        Collective::ScanTotal => [sum(all, 0, own), sum(0..rank + 1, 0, own)].concat(),
        _ => Vec::new(),
    }
}

fn call_of(collective: Collective, elements: usize) -> Call {
    let element_type = if collective.only_moves() { ElementType::U8 } else { ElementType::I64 };
    let (reduction, elements) = (Reduction::Fold(Operation::Sum), elements as u64);
    Call { collective, reduction, element_type, elements, priority: None }
}

proptest! {
    /// R-STREAM-4: whatever the collective, each worker gets what the collective is for, each
    /// element once.
    #[test]
    fn blocks_carry_out_the_collective(
        elements in 0..150usize,
        workers in 1..5u16,
        root in any::<prop::sample::Index>(),
        payload in prop::sample::select(vec![8_u32, 16, 64]),
        priority in prop::sample::select(vec![None, Some(Priority::Bulk)]),
    ) {
        let root = WorkerId(root.index(workers.into()) as u16);
        for collective in collectives(root) {
            let call = Call { priority, ..call_of(collective, elements) };
            let plan = |rank| Plan::new(call, Arithmetic::Native, workers, WorkerId(rank), payload).unwrap();
            let plans: Vec<_> = (0..workers).map(plan).collect();
            let exchanges: Vec<_> = plans.iter().cloned().map(Plan::in_exchange_slots).collect();
            for got in [carried_out(&plans), carried_out(&exchanges)] {
                for (rank, got) in got.iter().enumerate() {
                    let wanted = wanted(collective, workers.into(), rank, &|_, _| elements);
                    prop_assert_eq!(got, &wanted, "{} at rank {}", collective.name(), rank);
                }
            }
        }
    }

    /// R-STREAM-13: so it is where parts differ, and where some have no elements.
    #[test]
    fn parts_may_differ_in_length(
        lengths in prop::collection::vec(prop_oneof![Just(0), 1..200usize], 16),
        workers in 1..5usize,
        root in any::<prop::sample::Index>(),
    ) {
        let root = WorkerId(root.index(workers) as u16);
        let all = collectives(root);
        for collective in all.into_iter().filter(|of| Lengths::needed(*of, 1).is_some()) {
            let pairs = collective == Collective::AllToAll;
            let needed = if pairs { workers * workers } else { workers };
            let given: Lengths = lengths[..needed].iter().map(|len| *len as u64).collect::<Vec<_>>().into();
            let plan = |rank| {
                let call = Call { priority: Some(Priority::Bulk), ..call_of(collective, 0) };
                let n = workers as u16;
                Plan::with_lengths(call, given.clone(), Arithmetic::Native, n, WorkerId(rank), 8).unwrap()
            };
            let plans: Vec<_> = (0..workers as u16).map(plan).collect();
            let part = |of, to| if pairs { lengths[of * workers + to] } else { lengths[of] };
            let exchanges: Vec<_> = plans.iter().cloned().map(Plan::in_exchange_slots).collect();
            for got in [carried_out(&plans), carried_out(&exchanges)] {
                for (rank, got) in got.iter().enumerate() {
                    let wanted = wanted(collective, workers, rank, &part);
                    prop_assert_eq!(got, &wanted, "{} at rank {}", collective.name(), rank);
                }
            }
        }
    }
}

/// R-STREAM-13: pairs take turns of eight blocks, so that no worker's link rests while another's is
/// busy, and what one worker sends in a turn has one length.
#[test]
fn pairs_of_an_all_to_all_take_turns() {
    let sources = |plan: &dyn Fn(u16) -> Plan| -> Vec<u16> {
        let plans: Vec<_> = (0..3).map(plan).collect();
        let source = |index| plans.iter().position(|plan| plan.block(index).input.is_some());
        (0..plans[0].blocks()).map(|index| source(index).unwrap() as u16).collect()
    };
    let turns = |lengths: [usize; 3]| -> Vec<u16> {
        (0..3).zip(lengths).flat_map(|(rank, blocks)| vec![rank; blocks]).collect()
    };
    let call = call_of(Collective::AllToAll, 80);
    let even = sources(&|rank| Plan::new(call, Arithmetic::Native, 3, WorkerId(rank), 8).unwrap());
    let group = [turns([8, 8, 8]), turns([2, 2, 2])].concat();
    assert_eq!(even, [group.clone(), group].concat());
    // From rank 0 to 1, 1 to 2, 2 to 0; then the other pairs. Longer parts go first in a round.
    let lengths: Lengths = vec![0, 160, 0, 0, 0, 80, 16, 0, 0].into();
    let uneven = sources(&|rank| {
        Plan::with_lengths(call, lengths.clone(), Arithmetic::Native, 3, WorkerId(rank), 8).unwrap()
    });
    assert_eq!(uneven, [turns([8, 8, 2]), turns([8, 2, 0]), turns([4, 0, 0])].concat());
}

/// R-STREAM-16
#[test]
fn bulk_all_to_alls_are_exchanges_in_exchange_slots() {
    let is_exchange = |collective, elements, priority| {
        let call = Call { priority, ..call_of(collective, elements) };
        let plan = Plan::new(call, Arithmetic::Native, 3, WorkerId(1), 64).unwrap();
        assert!(!plan.is_exchange());
        plan.in_exchange_slots().is_exchange()
    };
    // Six parts of 16 KiB / 6 are urgent.
    let all_to_all = |elements, priority| is_exchange(Collective::AllToAll, elements, priority);
    assert_eq!([2730, 2731].map(|elements| all_to_all(elements, None)), [false, true]);
    assert!(all_to_all(1, Some(Priority::Bulk)) && !all_to_all(1 << 20, Some(Priority::Urgent)));
    assert!(!all_to_all(0, Some(Priority::Bulk)), "R-STREAM-7");
    for collective in collectives(WorkerId(0)) {
        let is_one = collective == Collective::AllToAll || collective.prefix_delivery().is_some();
        assert_eq!(is_exchange(collective, 1 << 20, None), is_one, "{}", collective.name());
    }
}

/// R-STREAM-18: scans are exchanges where the switch folds lanes as they travel.
#[test]
fn a_scan_whose_lanes_take_more_than_their_place_is_none() {
    let is_exchange = |arithmetic, element_type, operation| {
        let reduction = Reduction::Fold(operation);
        let call = Call { reduction, element_type, ..call_of(Collective::Scan, 1 << 20) };
        let plan = Plan::new(call, arithmetic, 3, WorkerId(1), 64).unwrap();
        plan.in_exchange_slots().is_exchange()
    };
    use Arithmetic::{Block, Fpisa, FpisaA, LogTable, Native};
    use ElementType::{F16, F32, I64};
    for (arithmetic, element_type, operation, expected) in [
        (Native, F32, Operation::Sum, true),
        (LogTable, F32, Operation::Sum, true),
        (Block, I64, Operation::Sum, true),
        (Block, F32, Operation::Max, true),
        (Fpisa, F32, Operation::Min, true),
        (Fpisa, I64, Operation::Sum, true),
        // R-WORK-4, R-NUM-21, R-FPI-2
        (Block, F32, Operation::Sum, false),
        (Block, F16, Operation::Sum, false),
        (Fpisa, F32, Operation::Sum, false),
        (FpisaA, F16, Operation::Sum, false),
    ] {
        let got = is_exchange(arithmetic, element_type, operation);
        assert_eq!(got, expected, "{arithmetic:?}, {element_type:?}, {operation:?}");
    }
}

/// R-STREAM-18: a short scan folds as a long one does, unless its caller makes it urgent.
#[test]
fn short_scans_are_exchanges_too() {
    let of = |collective, workers, priority| {
        let call = Call { priority, ..call_of(collective, 1) };
        let plan = Plan::new(call, Arithmetic::Native, workers, WorkerId(0), 64).unwrap();
        assert_eq!(plan.priority(), priority.unwrap_or(Priority::Urgent));
        let plan = plan.in_exchange_slots();
        assert_eq!(plan.is_exchange(), plan.priority() == Priority::Bulk);
        // R-CTRL-12: what goes through another stream has another description.
        let name = plan.to_string();
        assert_eq!(name.starts_with("urgent "), !plan.is_exchange(), "{name}");
        (plan.is_exchange(), name.starts_with("bulk "))
    };
    for collective in
        [Collective::Scan, Collective::ExScan, Collective::Prefixes, Collective::ScanTotal]
    {
        assert_eq!(of(collective, 3, None), (true, false));
        assert_eq!(of(collective, 3, Some(Priority::Bulk)), (true, false));
        assert_eq!(of(collective, 3, Some(Priority::Urgent)), (false, false));
    }
    let alone = Call { ..call_of(Collective::Prefixes, 1 << 20) };
    let plan = Plan::new(alone, Arithmetic::Native, 1, WorkerId(0), 64).unwrap();
    assert!(!plan.in_exchange_slots().is_exchange());
}

/// R-STREAM-19, R-STREAM-20: a block has as many lanes as results have room for.
#[test]
fn the_folds_of_a_result_fit_a_packet() {
    let lanes = |collective, workers, payload, reduction: Reduction| {
        let element_type = if matches!(reduction, Reduction::User(_)) {
            ElementType::U8
        } else {
            ElementType::I64
        };
        let call = Call { reduction, element_type, ..call_of(collective, 120) };
        let plan = Plan::new(call, Arithmetic::Native, workers, WorkerId(1), payload).unwrap();
        let plan = plan.in_exchange_slots();
        plan.is_exchange().then(|| plan.block(0).elements)
    };
    let sum = Reduction::Fold(Operation::Sum);
    assert_eq!(lanes(Collective::Prefixes, 2, 64, sum), Some(8));
    assert_eq!(lanes(Collective::Prefixes, 4, 64, sum), Some(2));
    assert_eq!(lanes(Collective::Prefixes, 9, 64, sum), Some(1));
    assert_eq!(lanes(Collective::Prefixes, 10, 64, sum), None);
    assert_eq!(lanes(Collective::ScanTotal, 2, 64, sum), Some(8));
    assert_eq!(lanes(Collective::ScanTotal, 10, 64, sum), Some(4));
    // All n prefixes, in whole elements of 12 bytes.
    let number = netfold_num::UserOperation::new(0).unwrap();
    let user = |message| Reduction::User(crate::call::UserFold::new(number, "mine", 12, message));
    assert_eq!(lanes(Collective::Prefixes, 2, 64, user(None)), Some(24));
    assert_eq!(lanes(Collective::Prefixes, 5, 64, user(None)), Some(12));
    assert_eq!(lanes(Collective::Prefixes, 6, 64, user(None)), None);
    assert_eq!(lanes(Collective::ScanTotal, 6, 64, user(None)), Some(24));
    assert_eq!(lanes(Collective::Scan, 6, 64, user(None)), Some(60));
    // A message of ten elements is one block.
    assert_eq!(lanes(Collective::Prefixes, 2, 240, user(Some(10))), Some(120));
    assert_eq!(lanes(Collective::Prefixes, 2, 232, user(Some(10))), None);
}

/// R-STREAM-16, R-STREAM-17: one block for each full packet of the longest pair of a group, and a
/// contribution of every worker that has something left.
#[test]
fn an_exchange_has_a_round_for_each_packet_of_its_longest_parts() {
    // From rank 0 to 1 20 elements, from 1 to 2 3, from 2 to 0 none; the other pairs 8, 9 and 0.
    let lengths: Lengths = vec![5, 20, 8, 9, 0, 3, 0, 0, 7].into();
    let call = Call { priority: Some(Priority::Bulk), ..call_of(Collective::AllToAll, 0) };
    let plans = [0, 1, 2].map(|rank| {
        let rank = WorkerId(rank);
        let plan = Plan::with_lengths(call, lengths.clone(), Arithmetic::Native, 3, rank, 8);
        plan.unwrap().in_exchange_slots()
    });
    let round = |index| {
        let blocks = plans.each_ref().map(|plan| plan.block(index));
        assert!(blocks.iter().all(|block| block.elements == blocks[0].elements));
        (
            blocks[0].elements,
            blocks[0].delivery,
            blocks.map(|block| block.input.map(|_| block.sent)),
        )
    };
    let (first, second) = (Delivery::Shift(1), Delivery::Shift(2));
    let expected = [
        (8, first, [Some(8), Some(3), None]),
        (8, first, [Some(8), None, None]),
        (4, first, [Some(4), None, None]),
        (8, second, [Some(8), Some(8), None]),
        (1, second, [None, Some(1), None]),
    ];
    assert_eq!(plans[0].blocks(), 5);
    assert_eq!([0, 1, 2, 3, 4].map(round), expected);
}

/// R-STREAM-15
#[test]
fn a_message_goes_from_worker_0_to_worker_1() {
    let call = call_of(Collective::Message, 100);
    let of = |workers, rank| Plan::new(call, Arithmetic::Native, workers, WorkerId(rank), 8);
    let plans = [of(2, 0).unwrap(), of(2, 1).unwrap()];
    let message: Vec<u64> = (0..100).map(|at| element(0, at)).collect();
    assert_eq!(carried_out(&plans), [Vec::new(), message]);
    assert_eq!(of(3, 0), Err(PlanError::Message(3)));
}

/// R-OP-24: blocks have whole elements, and the call is another one than without the operation.
#[test]
fn a_message_may_be_transformed() {
    let number = netfold_num::UserOperation::new(2).unwrap();
    let reduction = Reduction::User(crate::call::UserFold::new(number, "mine", 12, None));
    let plain = call_of(Collective::Message, 36);
    let of = |call| Plan::new(call, Arithmetic::Native, 2, WorkerId(1), 32);
    let plan = of(Call { reduction, ..plain }).unwrap();
    assert_eq!(plan.operation(), Operation::User(number));
    assert_eq!((plan.blocks(), plan.block(0).elements), (2, 24));
    assert_eq!(plan.to_string(), "message(mine, 36 bytes)");
    assert_ne!(plan.digest(3), of(plain).unwrap().digest(3));
    let fraction = of(Call { reduction, elements: 35, ..plain });
    assert!(matches!(fraction, Err(PlanError::Fraction { bytes: 35, .. })), "{fraction:?}");
}

#[test]
fn lengths_that_do_not_fit_are_refused_by_name() {
    let refused = |collective, lengths: Vec<u64>| {
        let call = call_of(collective, 0);
        let plan = Plan::with_lengths(call, lengths.into(), Arithmetic::Native, 3, WorkerId(0), 8);
        plan.unwrap_err().to_string()
    };
    let message = refused(Collective::AllToAll, vec![1; 3]);
    assert!(["all_to_all", "9", "3"].iter().all(|word| message.contains(word)), "{message}");
    let message = refused(Collective::AllReduce, vec![1; 3]);
    assert!(["all_reduce", "0"].iter().all(|word| message.contains(word)), "{message}");
    assert!(refused(Collective::AllGather, vec![1 << 62; 3]).contains("more than a call can have"));
    assert!(refused(Collective::AllGather, vec![1 << 63; 3]).contains("more than a call can have"));
    let call = call_of(Collective::AllToAll, 1 << 48);
    let plan = Plan::new(call, Arithmetic::Native, 1024, WorkerId(0), 8);
    assert_eq!(plan, Err(PlanError::TooLong(1 << 48)));
    let call = Call { reduction: Reduction::Average, element_type: ElementType::F32, ..call };
    let scan = Call { collective: Collective::Scan, elements: 1, ..call };
    let plan = Plan::new(scan, Arithmetic::Native, 3, WorkerId(0), 8);
    assert_eq!(plan, Err(PlanError::PrefixAverage("scan")));
}

#[test]
fn a_barrier_is_one_block_without_lanes() {
    let plan = Plan::new(Call::BARRIER, Arithmetic::Block, 3, WorkerId(0), 64).unwrap();
    assert_eq!(plan.blocks(), 1);
    assert_eq!(plan.block(0), Block::BARE);
}

/// R-STREAM-7: whatever the collective, the operation and the arithmetic.
#[test]
fn a_call_without_elements_is_carried_out_as_a_barrier() {
    let root = WorkerId(1);
    let barrier = Plan::new(Call::BARRIER, Arithmetic::Block, 3, WorkerId(0), 64).unwrap();
    // R-STREAM-11: whatever the length of its description.
    let elsewhere = Call::elsewhere(&"gather".repeat(4_000));
    let elsewhere = Plan::new(elsewhere, Arithmetic::Block, 3, WorkerId(0), 64).unwrap();
    assert_eq!((elsewhere.blocks(), elsewhere.block(0)), (1, barrier.block(0)));
    assert_eq!(
        (elsewhere.operation(), elsewhere.coding()),
        (barrier.operation(), barrier.coding())
    );
    assert_eq!(
        (elsewhere.priority(), elsewhere.input_output_elements()),
        (Priority::Urgent, (24_000, 0))
    );
    let mut digests = vec![barrier.digest(0)];
    for collective in collectives(root) {
        for operation in [Operation::Sum, Operation::Max] {
            let element_type =
                if collective.only_moves() { ElementType::U8 } else { ElementType::F32 };
            let reduction = Reduction::Fold(operation);
            let call = Call { collective, reduction, element_type, elements: 0, priority: None };
            let plan = Plan::new(call, Arithmetic::Block, 3, WorkerId(0), 64).unwrap();
            assert_eq!((plan.blocks(), plan.block(0)), (1, barrier.block(0)));
            assert_eq!((plan.operation(), plan.coding()), (barrier.operation(), barrier.coding()));
            assert!(!plan.needs_exponent());
            digests.push(plan.digest(0));
        }
    }
    digests.sort_unstable_by_key(|digest| digest.0);
    digests.dedup();
    // Seven of them have an operation, and five have none.
    assert_eq!(digests.len(), 1 + 7 * 2 + 5);
}

/// R-STREAM-6: any difference between two calls shows in the digest.
#[test]
fn a_digest_differs_where_calls_differ() {
    let base = plan(Collective::AllReduce, 100, 0);
    let of =
        |call: Call| Plan::new(call, Arithmetic::Native, 3, WorkerId(0), 64).unwrap().digest(0);
    let call = *base.call();
    let moved = Call { element_type: ElementType::U8, priority: Some(Priority::Urgent), ..call };
    let of_parts = |collective, lengths: Vec<u64>| {
        let call = Call { collective, ..moved };
        let plan = Plan::with_lengths(call, lengths.into(), Arithmetic::Native, 3, WorkerId(0), 64);
        plan.unwrap().digest(0)
    };
    let digests = [
        base.digest(0),
        base.digest(1),
        of(Call { elements: 101, ..call }),
        of(Call { element_type: ElementType::I64, ..call }),
        of(Call { reduction: Reduction::Fold(Operation::Max), ..call }),
        of(Call { element_type: ElementType::F32, ..call }),
        of(Call { element_type: ElementType::F32, reduction: Reduction::Average, ..call }),
        of(Call { collective: Collective::ReduceScatter, ..call }),
        of(Call { priority: Some(Priority::Bulk), ..call }),
        of(Call { collective: Collective::Reduce { root: WorkerId(0) }, ..call }),
        of(Call { collective: Collective::Reduce { root: WorkerId(1) }, ..call }),
        of(Call { collective: Collective::Broadcast { root: WorkerId(0) }, ..moved }),
        of(Call { collective: Collective::AllGather, ..moved }),
        of(Call { collective: Collective::Gather { root: WorkerId(0) }, ..moved }),
        of(Call { collective: Collective::Scatter { root: WorkerId(0) }, ..moved }),
        of(Call { collective: Collective::AllToAll, ..moved }),
        of(Call { collective: Collective::Scan, ..call }),
        of(Call { collective: Collective::ExScan, ..call }),
        of(Call { collective: Collective::Prefixes, ..call }),
        of(Call { collective: Collective::ScanTotal, ..call }),
        of_parts(Collective::AllGather, vec![30, 30, 40]),
        of_parts(Collective::AllGather, vec![30, 40, 30]),
        of(Call::elsewhere("gather(8 bytes, root 0)")),
        of(Call::elsewhere("gather(8 bytes, root 1)")),
        // Nothing but the collective is another here.
        of(Call { collective: Collective::Barrier, ..moved }),
    ];
    for (i, a) in digests.iter().enumerate() {
        assert!(digests[i + 1..].iter().all(|b| a != b), "digest {i}");
    }
    // Parts that differ between ranks are not in it.
    assert_eq!(base.digest(5), plan(Collective::AllReduce, 100, 2).digest(5));
    // Nor is the caller's choice of a priority.
    assert_eq!(base.digest(0), of(Call { priority: Some(Priority::Urgent), ..call }));
}

/// R-STREAM-9: the length of the whole call decides, where its caller does not.
#[test]
fn short_calls_are_urgent() {
    let sum = |collective, bytes: u64| plan(collective, bytes / 4, 0).priority();
    assert_eq!(sum(Collective::AllReduce, 16 * 1024), Priority::Urgent);
    assert_eq!(sum(Collective::AllReduce, 16 * 1024 + 4), Priority::Bulk);
    // Three workers have a part each.
    assert_eq!(sum(Collective::ReduceScatter, 5460), Priority::Urgent);
    assert_eq!(sum(Collective::ReduceScatter, 5464), Priority::Bulk);
    let barrier = Plan::new(Call::BARRIER, Arithmetic::Block, 3, WorkerId(0), 64).unwrap();
    assert_eq!(barrier.priority(), Priority::Bulk);
    let chosen = |elements, priority| {
        let call =
            Call { priority: Some(priority), ..*plan(Collective::AllReduce, elements, 0).call() };
        Plan::new(call, Arithmetic::Block, 3, WorkerId(0), 64).unwrap()
    };
    for priority in [Priority::Urgent, Priority::Bulk] {
        assert!(
            [1, 1_000_000]
                .iter()
                .all(|&elements| chosen(elements, priority).priority() == priority)
        );
    }
    assert_eq!(chosen(1, Priority::Bulk).to_string(), "bulk all_reduce(sum, i32, 1 elements)");
    assert_eq!(chosen(1, Priority::Urgent).to_string(), "all_reduce(sum, i32, 1 elements)");
}

#[test]
fn what_cannot_be_done_is_refused_by_name() {
    let call = Call {
        collective: Collective::AllReduce,
        reduction: Reduction::Average,
        element_type: ElementType::I32,
        elements: 1,
        priority: None,
    };
    let refused =
        |call, arithmetic| Plan::new(call, arithmetic, 3, WorkerId(0), 64).unwrap_err().to_string();
    assert!(refused(call, Arithmetic::Native).contains("average of i32"));
    let product = Call {
        reduction: Reduction::Fold(Operation::Product),
        element_type: ElementType::F32,
        ..call
    };
    let message = refused(product, Arithmetic::Block);
    assert!(["block", "product", "f32"].iter().all(|word| message.contains(word)), "{message}");
    let moved = Call { collective: Collective::AllGather, ..product };
    let message = refused(moved, Arithmetic::Native);
    assert!(["all_gather", "u8", "f32"].iter().all(|word| message.contains(word)), "{message}");
    let root = Call { collective: Collective::Broadcast { root: WorkerId(3) }, ..product };
    assert!(refused(root, Arithmetic::Block).contains("root 3 is not a rank"));
}
