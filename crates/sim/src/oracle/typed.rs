//! Expected results of calls by users' operations: by what the operations mean, and not by what
//! they do step by step.

use super::WrongElement;
use crate::operations::SampleOperation;

/// 2^32, at which the numbers wrap.
const MODULUS: i128 = 1 << 32;

/// Compares a result with the fold of the operands of some workers, in the order of ranks.
pub(super) fn wrong_elements(
    operation: SampleOperation,
    operands: &[&[u8]],
    output: &[u8],
) -> Vec<WrongElement> {
    let bytes = 4 * operation.numbers();
    let at = |element: usize| element * bytes..(element + 1) * bytes;
    let check = |element: usize| {
        let values = operands.iter().map(|operand| numbers(&operand[at(element)])).collect();
        let (wanted, got) = (folded(operation, values), numbers(&output[at(element)]));
        (wanted != got).then(|| WrongElement {
            element: element as u64,
            wanted: format!("{wanted:?}"),
            got: format!("{got:?}"),
        })
    };
    (0..output.len() / bytes).filter_map(check).collect()
}

/// Compares the replies to a worker with the counters that the requests of all leave behind. A
/// request is a counter's name, a number for it, and its value before the call, as the caller knows
/// it; requests are answered in the order of ranks, each once.
pub(super) fn wrong_replies(rank: u16, requests: &[&[u8]], output: &[u8]) -> Vec<WrongElement> {
    let bytes = 4 * SampleOperation::Counters.numbers();
    let check = |element: usize| {
        let at = element * bytes..(element + 1) * bytes;
        let of_rank = |requests: &&[u8]| numbers(&requests[at.clone()]);
        let (earlier, own) = requests[..=usize::from(rank)].split_at(rank.into());
        let own = of_rank(&own[0]);
        let before: i128 =
            own[2] + earlier.iter().map(|requests| of_rank(requests)[1]).sum::<i128>();
        let wanted = vec![own[0], before.rem_euclid(MODULUS), rank.into()];
        let got = numbers(&output[at.clone()]);
        (wanted != got).then(|| WrongElement {
            element: element as u64,
            wanted: format!("{wanted:?}"),
            got: format!("{got:?}"),
        })
    };
    (0..output.len() / bytes).filter_map(check).collect()
}

/// The result for one element.
fn folded(operation: SampleOperation, values: Vec<Vec<i128>>) -> Vec<i128> {
    let result = match operation {
        SampleOperation::MappedSum => {
            vec![3 * values.iter().map(|value| value[0]).sum::<i128>() + 1]
        }
        // One that does not fit has no result, and so none that is right.
        SampleOperation::CheckedSum => {
            return vec![values.iter().map(|value| value[0]).sum::<i128>()];
        }
        SampleOperation::Coded => {
            let sum: i128 = values.iter().map(|value| 3 * value[0] + 1).sum();
            vec![sum.rem_euclid(MODULUS) / 2]
        }
        SampleOperation::Difference => {
            vec![2 * values[0][0] - values.iter().map(|value| value[0]).sum::<i128>()]
        }
        SampleOperation::Lines | SampleOperation::MappedLines => {
            // A line is known from its values at 0 and at 1.
            let at = |x: i128| {
                values.iter().fold(x, |x, line| (line[0] * x + line[1]).rem_euclid(MODULUS))
            };
            let (slope, start) = (at(1) - at(0), at(0));
            match operation {
                SampleOperation::Lines => vec![slope, start],
                _ => vec![3 * slope + 1, 5 * start + 2],
            }
        }
        SampleOperation::Counters => unreachable!("counters fold nothing"),
    };
    result.into_iter().map(|number| number.rem_euclid(MODULUS)).collect()
}

fn numbers(element: &[u8]) -> Vec<i128> {
    let number = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes).into();
    element.as_chunks().0.iter().map(number).collect()
}
