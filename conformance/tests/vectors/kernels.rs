//! The kernels: registers in planes, for lanes in either byte order.

use netfold_kernels::{FPISA_REGISTER_BYTES, Kernels};
use netfold_num::ByteOrder;

use crate::{Batch, batches, read, reversed};

fn check(batch: &Batch, kernels: Kernels, order: ByteOrder) {
    let &Batch { lane, adder, ref vectors } = batch;
    let count = vectors.len();
    let in_order =
        |lanes: Vec<u8>| if order == ByteOrder::Network { reversed(lane, &lanes) } else { lanes };
    let words = format!("{lane} {} {order} {}", adder.variant().name(), kernels.level());
    let mut registers = vec![0; count * FPISA_REGISTER_BYTES];
    let mut of_overflow = vec![None; count];
    for step in 0..batch.steps() {
        let input = in_order(batch.lanes(step));
        let overflow = kernels.add_to_registers(
            lane,
            order,
            adder.variant(),
            step == 0,
            &mut registers,
            &input,
        );
        let expected =
            vectors.iter().position(|vector| vector.overflows_at().is_some_and(|at| at <= step));
        assert_eq!(
            overflow, expected,
            "{words}: the first lane that has overflowed after step {step}"
        );
        for (index, vector) in
            vectors.iter().enumerate().filter(|(_, vector)| vector.overflows_at() == Some(step))
        {
            of_overflow[index] = Some(register(&registers, count, index));
            assert_eq!(
                of_overflow[index],
                Some((vector.register.0, vector.mantissa())),
                "{words}: vector {index}"
            );
        }
    }
    for (index, vector) in vectors.iter().enumerate() {
        // An overflow ends a vector, and the other lanes go on.
        let last = of_overflow[index].unwrap_or_else(|| register(&registers, count, index));
        assert_eq!(last, (vector.register.0, vector.mantissa()), "{words}: vector {index}");
    }
    let mut sums = vec![0; count * lane.bytes()];
    kernels.read_registers(lane, order, &registers, &mut sums);
    assert_eq!(sums, in_order(batch.expected()), "{words}");
}

/// Exponent and mantissa of one of `count` registers.
fn register(registers: &[u8], count: usize, index: usize) -> (u8, i64) {
    let mantissa = i32::from_ne_bytes(registers[4 * index..][..4].try_into().expect("four bytes"));
    (registers[4 * count + index], mantissa.into())
}

#[test]
fn kernels_agree_with_an_independent_program() {
    for batch in read().iter().flat_map(|vectors| batches(vectors)) {
        for kernels in Kernels::available() {
            ByteOrder::ALL.into_iter().for_each(|order| check(&batch, kernels, order));
        }
    }
}
