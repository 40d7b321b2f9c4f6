//! All-to-alls and scans: turns of pairs, and rounds in exchange slots.

use super::*;

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
