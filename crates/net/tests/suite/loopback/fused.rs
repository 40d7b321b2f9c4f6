//! Calls that take the place of several (R-STREAM-19, R-STREAM-20), against those.

use netfold_net::{
    Arithmetic, Call, Collective, Communicator, ElementType, Operation, SwitchOptions,
};

use crate::support::{WAIT_LIMIT, Way, call, over_each, workers};

over_each! {
    fused_calls_have_the_same_bits,
}

/// A worker's vector: any mantissa, with magnitudes that make sums round; in f32 also an infinity
/// and NaNs. Signs are those bits of 0x80 that are in `signs`.
fn vector(element_type: ElementType, rank: u16, elements: usize, signs: u8) -> Vec<u8> {
    let width = element_type.bytes();
    let mut state = 12_345 + u64::from(rank) * 977 + elements as u64;
    let byte = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as u8
    };
    let mut vector: Vec<u8> = std::iter::repeat_with(byte).take(elements * width).collect();
    if element_type.is_float() {
        for element in vector.chunks_exact_mut(width) {
            element[width - 1] = element[width - 1] & signs | 0x3F;
        }
    }
    if element_type == ElementType::F32 {
        let special = [f32::INFINITY, f32::NAN, f32::from_bits(0xFFC1_2345)];
        vector[4 * usize::from(rank)..][..4]
            .copy_from_slice(&special[usize::from(rank) % 3].to_le_bytes());
    }
    vector
}

fn run(comm: &Communicator, call: Call, input: &[u8], bytes: usize) -> Vec<u8> {
    let mut output = vec![0; bytes];
    comm.run(call, input, &mut output, WAIT_LIMIT).unwrap();
    output
}

/// Returns whether a fold has the same bits in every run: others depend on the order of arrival,
/// unless operands are kept apart.
fn has_one_result(way: Way, arithmetic: Arithmetic, element: ElementType, op: Operation) -> bool {
    let adds = matches!(op, Operation::Sum | Operation::Product) && element.is_float();
    let by_block = arithmetic == Arithmetic::Block && op == Operation::Sum;
    let in_registers = arithmetic.has_registers() && op == Operation::Sum;
    !adds || by_block || (matches!(way, Way::Udp) && !in_registers)
}

/// Whatever the arithmetic and the type, in one block and in many.
fn fused_calls_have_the_same_bits(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let jobs = Arithmetic::ALL.into_iter().flat_map(|of| [2_u16, 5].map(|size| (of, size)));
    for (number, (arithmetic, size)) in jobs.enumerate() {
        let change = |request: &mut netfold_net::JoinRequest| {
            (request.job, request.terms.arithmetic) = (format!("bits {number}"), arithmetic);
        };
        // What a leaf has read is an operand of the switch above. If signs cancel, it may be so
        // small that `fpisa-a` has no room for the next one (R-FPI-16).
        let signs = if arithmetic == Arithmetic::FpisaA { 0 } else { 0x80 };
        workers(&switch, way, size, change, |comm| {
            for (element_type, operation, elements) in [
                (ElementType::F32, Operation::Sum, 3_001),
                (ElementType::F32, Operation::Sum, 9),
                (ElementType::F32, Operation::Max, 9),
                (ElementType::F64, Operation::Product, 1_000),
                (ElementType::Bf16, Operation::Sum, 6_007),
                (ElementType::Bf16, Operation::Min, 6_007),
                (ElementType::I64, Operation::Sum, 2_000),
            ] {
                let of = |collective| call(collective, operation, element_type, elements as u64);
                if comm.plan(of(Collective::Scan), None).is_err() {
                    continue;
                }
                let input = vector(element_type, comm.rank(), elements, signs);
                let prefix = run(&comm, of(Collective::Scan), &input, input.len());
                let (bytes, is_last) = (prefix.len(), comm.rank() + 1 == size);
                let gather = Call {
                    collective: Collective::AllGather,
                    element_type: ElementType::U8,
                    elements: bytes as u64,
                    ..of(Collective::AllGather)
                };
                let wanted = run(&comm, gather, &prefix, bytes * usize::from(size));
                let got = run(&comm, of(Collective::Prefixes), &input, wanted.len());
                let both = if is_last { bytes } else { 2 * bytes };
                let with_total = run(&comm, of(Collective::ScanTotal), &input, both);
                if has_one_result(way, arithmetic, element_type, operation) {
                    let what = format!("{arithmetic:?} {element_type:?} {operation:?} of {size}");
                    assert!(got == wanted, "{what}: prefixes");
                    let total = &wanted[wanted.len() - bytes..];
                    let own = if is_last { &[][..] } else { &prefix };
                    assert!(with_total == [total, own].concat(), "{what}: scan_total");
                }
            }
        });
    }
}
