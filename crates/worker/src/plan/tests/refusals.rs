//! Calls that are refused, by name.

use super::*;

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
