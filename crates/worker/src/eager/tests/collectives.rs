//! Every collective by the eager path, beside what it is for.

use std::ops::Range;

use netfold_num::{Arithmetic, ByteOrder};
use netfold_wire::WorkerId;
use proptest::prelude::*;

use super::super::EagerPath;
use super::Arrived;
use crate::call::Collective;
use crate::calls::CallId;
use crate::dense::{Dense, Memory};
use crate::plan::tests::{call_of, collectives, element, wanted};
use crate::plan::{Lengths, Plan};

/// An input, and an output apart from it.
struct Apart {
    input: Vec<u8>,
    output: Vec<u8>,
}

impl Memory for Apart {
    fn input(&self, range: Range<usize>) -> &[u8] {
        &self.input[range]
    }

    fn output(&mut self, range: Range<usize>) -> &mut [u8] {
        &mut self.output[range]
    }

    fn keep(&mut self, range: Range<usize>, to: usize) {
        self.output[to..to + range.len()].copy_from_slice(&self.input[range]);
    }

    fn in_place(&self) -> bool {
        false
    }
}

/// Returns numbers in memory: as such, or a byte of each that is moved.
fn in_memory(collective: Collective, numbers: impl IntoIterator<Item = u64>) -> Vec<u8> {
    let bytes = |number: u64| {
        if collective.only_moves() {
            vec![(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as u8]
        } else {
            number.to_le_bytes().to_vec()
        }
    };
    numbers.into_iter().flat_map(bytes).collect()
}

/// Carries a call out in one round, and returns each worker's output.
fn carried_out(collective: Collective, plans: &[Plan]) -> Vec<Vec<u8>> {
    let mut messages = Vec::new();
    let mut paths = Vec::new();
    for (rank, plan) in plans.iter().enumerate() {
        let (sent, taken) = plan.input_output_elements();
        let input = in_memory(collective, (0..sent as usize).map(|at| element(rank, at)));
        let output = vec![0xEE; taken as usize * plan.call().element_type.bytes()];
        let mut path = EagerPath::default();
        path.submit(CallId(0), plan.clone(), Dense::new(plan.clone(), Apart { input, output }));
        let message = path.poll_post(None).expect("it may go");
        // What is not written may be anything.
        messages.push(vec![0xDD; message.bytes()]);
        message.pack(messages.last_mut().expect("this one"));
        paths.push(path);
    }
    let posted = Arrived(messages, ByteOrder::Little);
    let outputs = paths.iter_mut().map(|path| {
        let round = path.awaited(0).or(path.awaited(1)).expect("its message is posted");
        path.take(&round, &posted).1.into_memory().output
    });
    outputs.collect()
}

proptest! {
    /// R-EAGER-1, R-EAGER-2, R-EAGER-4: a short call takes one round, however many blocks and parts
    /// it has, and parts may differ in length.
    #[test]
    fn short_calls_of_all_collectives_take_one_round(
        workers in 1..=5usize,
        lengths in prop::collection::vec(0..=20usize, 25),
        even: bool,
        payload in prop::sample::select(vec![8_u32, 24, 1024]),
        root in any::<prop::sample::Index>(),
    ) {
        let (n, root) = (workers as u16, WorkerId(root.index(workers) as u16));
        // R-STREAM-19
        for collective in collectives(root).into_iter().filter(|of| *of != Collective::Prefixes) {
            let pairs = collective == Collective::AllToAll;
            let needed = Lengths::needed(collective, n).filter(|_| !even);
            let of_parts = |of: usize, to| if pairs { lengths[of * workers + to] } else { lengths[of] };
            let part = |of, to| if needed.is_some() { of_parts(of, to) } else { lengths[0] };
            let plan = |rank| {
                let call = call_of(collective, lengths[0]);
                let Some(needed) = needed else {
                    return Plan::new(call, Arithmetic::Native, n, WorkerId(rank), payload);
                };
                let given: Vec<u64> = lengths[..needed].iter().map(|len| *len as u64).collect();
                Plan::with_lengths(call, given.into(), Arithmetic::Native, n, WorkerId(rank), payload)
            };
            let plans: Vec<Plan> = (0..n).map(|rank| plan(rank).unwrap()).collect();
            prop_assert!(plans.iter().all(Plan::is_eager), "{}", plans[0]);
            for (rank, got) in carried_out(collective, &plans).into_iter().enumerate() {
                let numbers = wanted(collective, workers, rank, &part);
                prop_assert_eq!(got, in_memory(collective, numbers), "{} at rank {}", plans[0], rank);
            }
        }
    }
}
