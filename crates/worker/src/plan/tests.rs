//! Tests of plans.

use netfold_wire::Delivery;
use proptest::prelude::*;

use super::*;

mod exchanges;
mod refusals;

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
pub(crate) fn collectives(root: WorkerId) -> [Collective; 12] {
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
pub(crate) fn element(rank: usize, at: usize) -> u64 {
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
pub(crate) fn wanted(
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

pub(crate) fn call_of(collective: Collective, elements: usize) -> Call {
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
