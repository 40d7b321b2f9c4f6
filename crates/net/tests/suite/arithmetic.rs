//! The arithmetics of a job over real sockets, shared memory, a host's leaf and a tree: FPISA,
//! Libra's tables, and `block` with lanes of f16 (R-FPI, R-LOG, R-NUM-20 to R-NUM-25).

use std::sync::Barrier;

use crate::support::{WAIT_LIMIT, Way, bytes, call, integers, over_each, workers};
use netfold_net::{
    Arithmetic, ByteOrder, Call, Collective, ElementType, Error, Failure, Operation, Overflow,
    Protocol, SwitchOptions,
};
use netfold_num::{
    Exponent, Scale, bf16_from_f32, bf16_to_f32, f16_from_f32, f16_to_f32, half_of_sum, sum_of_half,
};

over_each! {
    sums_of_integers_are_exact_in_every_arithmetic,
    sums_by_table_are_close,
    nan_and_infinity_are_what_they_are_in_ieee,
    an_overflow_is_told_to_everyone,
    blocks_that_overflow_are_folded_again,
    sums_do_not_depend_on_the_byte_order,
    sums_of_16_bits_have_the_bits_of_the_reference_in_half_the_bytes,
}

const FOLDED_IN_THE_SWITCH: [Arithmetic; 2] = [Arithmetic::Fpisa, Arithmetic::FpisaA];

fn sum(element_type: ElementType, elements: usize) -> Call {
    call(Collective::AllReduce, Operation::Sum, element_type, elements as u64)
}

fn floats(values: impl IntoIterator<Item = f32>) -> Vec<u8> {
    values.into_iter().flat_map(f32::to_ne_bytes).collect()
}

fn read(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|bytes| f32::from_ne_bytes(bytes.try_into().unwrap())).collect()
}

/// Integers of up to seven bits: no exponent is more than 7 above another, so that FPISA-A
/// overwrites nothing, and all sums fit the mantissa.
fn sums_of_integers_are_exact_in_every_arithmetic(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let n = 30_000;
    let value = |rank: u16, i: usize| (i * 31 + usize::from(rank) * 77) as i32 % 41 - 20;
    for arithmetic in FOLDED_IN_THE_SWITCH {
        workers(
            &switch,
            way,
            3,
            |request| request.terms.arithmetic = arithmetic,
            |comm| {
                let mut tensor = floats((0..n).map(|i| value(comm.rank(), i) as f32));
                comm.run_in_place(sum(ElementType::F32, n), &mut tensor, WAIT_LIMIT).unwrap();
                for (i, sum) in read(&tensor).into_iter().enumerate() {
                    assert_eq!(
                        sum,
                        (0..3).map(|rank| value(rank, i)).sum::<i32>() as f32,
                        "{arithmetic} element {i}"
                    );
                }
                // Integers fold as in any arithmetic, in the same slots.
                let mut tensor = bytes(&(0..n as i32).collect::<Vec<_>>());
                comm.run_in_place(sum(ElementType::I32, n), &mut tensor, WAIT_LIMIT).unwrap();
                assert!(integers(&tensor).iter().enumerate().all(|(i, &x)| x == 3 * i as i32));
                // R-NUM-16: one worker's bytes are not folded at all, not even signalling NaNs.
                let nans =
                    |rank| (0..n as i32).map(move |i| 0x7F80_0001 + i + n as i32 * i32::from(rank));
                let root = netfold_net::WorkerId(1);
                let copy =
                    |collective| call(collective, Operation::Copy, ElementType::U8, 4 * n as u64);
                let mut moved = bytes(&nans(comm.rank()).collect::<Vec<_>>());
                let mut gathered = vec![0; 3 * moved.len()];
                comm.run(copy(Collective::AllGather), &moved, &mut gathered, WAIT_LIMIT).unwrap();
                assert!(
                    integers(&gathered) == (0..3).flat_map(nans).collect::<Vec<_>>(),
                    "{arithmetic}"
                );
                comm.run_in_place(copy(Collective::Broadcast { root }), &mut moved, WAIT_LIMIT)
                    .unwrap();
                assert!(integers(&moved) == nans(1).collect::<Vec<_>>(), "{arithmetic}");
            },
        );
    }
}

/// R-LOG-6, for two additions, or three where two switches add: each is within 1.2e-4 of its larger
/// operand, which is below the sum of magnitudes.
fn sums_by_table_are_close(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let n = 20_000;
    let value = |rank: u16, i: usize| ((i as f32 + 1.0) * 0.37 + f32::from(rank)).sin();
    let results = workers(
        &switch,
        way,
        3,
        |request| request.terms.arithmetic = Arithmetic::LogTable,
        |comm| {
            let mut tensor = floats((0..n).map(|i| value(comm.rank(), i)));
            comm.run_in_place(sum(ElementType::F32, n), &mut tensor, WAIT_LIMIT).unwrap();
            let half = sum(ElementType::F16, 2);
            assert!(matches!(
                comm.run_in_place(half, &mut [0; 4], WAIT_LIMIT),
                Err(Error::Unsupported(_))
            ));
            read(&tensor)
        },
    );
    assert!(results.iter().all(|result| *result == results[0]));
    for (i, &sum) in results[0].iter().enumerate() {
        let exact: f64 = (0..3).map(|rank| f64::from(value(rank, i))).sum();
        let magnitude: f64 = (0..3).map(|rank| f64::from(value(rank, i).abs())).sum();
        assert!(
            (f64::from(sum) - exact).abs() <= 3.0 * 1.2e-4 * magnitude * 1.001,
            "element {i}: {sum} {exact}"
        );
    }
}

/// R-FPI-4, R-LOG-5
fn nan_and_infinity_are_what_they_are_in_ieee(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let (nan, infinity) = (f32::NAN, f32::INFINITY);
    let vectors = [
        [1.0, nan, infinity, -infinity, 2.0],
        [1.0, 1.0, 1.0, infinity, -2.0],
        [1.0, 1.0, infinity, 1.0, 0.0],
    ];
    for arithmetic in [Arithmetic::Fpisa, Arithmetic::FpisaA, Arithmetic::LogTable] {
        workers(
            &switch,
            way,
            3,
            |request| request.terms.arithmetic = arithmetic,
            |comm| {
                let mut tensor = floats(vectors[usize::from(comm.rank())]);
                comm.run_in_place(sum(ElementType::F32, 5), &mut tensor, WAIT_LIMIT).unwrap();
                let [three, not, above, neither, zero] = read(&tensor)[..] else {
                    panic!("five elements")
                };
                assert!(not.is_nan() && neither.is_nan(), "{arithmetic}");
                assert_eq!((above, zero), (infinity, 0.0), "{arithmetic}");
                // 1 + 1 + 1 by table is off by two steps of 7e-5 at most.
                assert!(
                    (three - 3.0).abs()
                        < if arithmetic == Arithmetic::LogTable { 5e-4 } else { f32::MIN_POSITIVE }
                );
            },
        );
    }
}

/// R-FPI-9, R-CTRL-13: FPISA-A shifts what is larger than the first to the left, and 255.9 does not
/// fit under the exponent of 1 beside it. Whichever worker comes first, one of three elements has
/// its small value there and the large ones of the others. Every worker learns which.
fn an_overflow_is_told_to_everyone(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let (n, first) = (9_000, 8_121);
    // Two are enough for it, and the job would fail while the other one still comes to it.
    let all_joined = Barrier::new(3);
    let errors = workers(
        &switch,
        way,
        3,
        |request| request.terms.arithmetic = Arithmetic::FpisaA,
        |comm| {
            all_joined.wait();
            let small_at = first + usize::from(comm.rank());
            let is_large = |i: usize| (first..first + 3).contains(&i) && i != small_at;
            let mut tensor = floats((0..n).map(|i| if is_large(i) { 255.9 } else { 1.0 }));
            comm.run_in_place(sum(ElementType::F32, n), &mut tensor, WAIT_LIMIT).unwrap_err()
        },
    );
    for error in errors {
        let Error::Failed(Failure::Overflow { job, arithmetic, rank: 0..=2, element }) = &error
        else {
            panic!("{error}")
        };
        assert_eq!((&**job, &**arithmetic), ("test", "fpisa-a"));
        let of = "of all_reduce(sum, f32, 9000 elements)";
        assert!(
            (0..3).any(|rank| element.starts_with(&format!("element {} {of}", first + rank))),
            "{element}"
        );
    }
}

/// R-SLOT-11: the same job goes on if that is its policy. Whichever worker comes first, a block has
/// an element that overflows, and all of its sums are IEEE's: these are multiples of 1/2 below
/// 2^24, which f32 adds exactly in every order, here as at the switch. Reductions to one worker do
/// the same.
fn blocks_that_overflow_are_folded_again(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let n = 9_000;
    for protocol in Protocol::ALL {
        let refolded = workers(
            &switch,
            way,
            3,
            |request| {
                (request.terms.arithmetic, request.terms.overflow) =
                    (Arithmetic::FpisaA, Overflow::Native);
                request.terms.protocol = protocol;
            },
            |comm| {
                let value =
                    |rank: u16, i: usize| if i % 3 == usize::from(rank) { 1.0 } else { 255.5 };
                let reduce = call(
                    Collective::Reduce { root: netfold_net::WorkerId(1) },
                    Operation::Sum,
                    ElementType::F32,
                    n as u64,
                );
                for call in [sum(ElementType::F32, n), reduce, sum(ElementType::F32, n)] {
                    let mut tensor = floats((0..n).map(|i| value(comm.rank(), i)));
                    comm.run_in_place(call, &mut tensor, WAIT_LIMIT).unwrap();
                    if call.collective == Collective::AllReduce || comm.rank() == 1 {
                        assert!(read(&tensor).iter().all(|sum| *sum == 512.0), "{protocol}");
                    }
                }
                comm.stats().unwrap().counters.blocks_refolded
            },
        );
        assert!(
            refolded[0] > 0 && refolded.iter().all(|count| *count == refolded[0]),
            "{protocol}: {refolded:?}"
        );
    }
}

/// R-NUM-19: numbers of the same exponent sum up exactly in any order of arrival, in `native` and
/// in FPISA; `block` and integers do not depend on it. So jobs that differ in nothing but the order
/// of their lanes' bytes give the same bits.
fn sums_do_not_depend_on_the_byte_order(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let n = 50_001;
    let value =
        |rank: u16, i: usize| 1.0 + ((i * 37 + usize::from(rank) * 11) % 1000) as f32 / 1024.0;
    for arithmetic in [Arithmetic::Block, Arithmetic::Native, Arithmetic::Fpisa, Arithmetic::FpisaA]
    {
        let run = |byte_order| {
            workers(
                &switch,
                way,
                3,
                |request| {
                    (request.terms.arithmetic, request.terms.byte_order) = (arithmetic, byte_order)
                },
                |comm| {
                    let sums = |specials: bool| {
                        let special = |i: usize| specials && i % 1_000 == 7;
                        let value =
                            |i| if special(i) { f32::INFINITY } else { value(comm.rank(), i) };
                        let mut tensor = floats((0..n).map(value));
                        comm.run_in_place(sum(ElementType::F32, n), &mut tensor, WAIT_LIMIT)
                            .unwrap();
                        tensor
                    };
                    let mut integers =
                        bytes(&(0..n as i32).map(|i| i * 1_000 + 1).collect::<Vec<_>>());
                    comm.run_in_place(sum(ElementType::I32, n), &mut integers, WAIT_LIMIT).unwrap();
                    let mut largest = floats((0..n).map(|i| value(comm.rank(), i)));
                    let max =
                        call(Collective::AllReduce, Operation::Max, ElementType::F32, n as u64);
                    comm.run_in_place(max, &mut largest, WAIT_LIMIT).unwrap();
                    [sums(false), sums(true), integers, largest]
                },
            )
        };
        let (little, network) = (run(ByteOrder::Little), run(ByteOrder::Network));
        assert!(little == network, "{arithmetic}");
        let [sums, _, tripled, largest] = &network[0];
        let exact = |i: usize| (0..3).map(|rank| value(rank, i)).sum::<f32>();
        // R-NUM-12: within n/f, 9 * 2^m / (2^31 - 1) with m = 1, and the rounding to f32 of a sum
        // below 8; the others are exact.
        let bound = if arithmetic == Arithmetic::Block {
            18.0 / 2_147_483_647.0 + 2f32.powi(-22)
        } else {
            0.0
        };
        assert!(
            read(sums).iter().enumerate().all(|(i, sum)| (sum - exact(i)).abs() <= bound),
            "{arithmetic}"
        );
        assert!(
            integers(tripled).iter().enumerate().all(|(i, &x)| x == 3 * (i as i32 * 1_000 + 1)),
            "{arithmetic}"
        );
        let most = |i: usize| (0..3).map(|rank| value(rank, i)).fold(0.0, f32::max);
        assert!(read(largest).iter().enumerate().all(|(i, &x)| x == most(i)), "{arithmetic}");
    }
}

/// The value of an element of 16 bits.
fn widen(element_type: ElementType, bits: u16) -> f32 {
    if element_type == ElementType::F16 { f16_to_f32(bits) } else { bf16_to_f32(bits) }
}

/// The element of 16 bits nearest to a value.
fn narrow(element_type: ElementType, x: f32) -> u16 {
    if element_type == ElementType::F16 { f16_from_f32(x) } else { bf16_from_f32(x) }
}

/// Elements of a worker, of many sizes, zeros and subnormals among them; each is its bits.
fn halves(element_type: ElementType, rank: u16, elements: usize) -> Vec<u16> {
    // Of every block's size, and blocks are of every size.
    let size =
        |i: usize| if element_type == ElementType::F16 { 4 } else { 60 - (i / 1000) as i32 % 120 };
    let value = |i: usize| {
        ((i as f32 + 1.0) * 0.37 + f32::from(rank)).sin()
            * f32::powi(2.0, size(i) - (i % 29) as i32)
    };
    (0..elements).map(|i| narrow(element_type, if i % 13 == 0 { 0.0 } else { value(i) })).collect()
}

/// R-NUM-20 to R-NUM-22: the sum of workers' elements at one switch, by the scalar reference.
/// Blocks have so many lanes.
fn reference(element_type: ElementType, inputs: &[Vec<u16>], lanes: usize) -> Vec<u16> {
    let block = |start: usize| {
        let places = start..inputs[0].len().min(start + lanes);
        let all = inputs.iter().flat_map(|input| &input[places.clone()]);
        let exponent = all
            .map(|x| Exponent::of_magnitude_bits(widen(element_type, *x).to_bits()))
            .max()
            .expect("a block has elements");
        let scale = Scale::of_halves(inputs.len() as u16, exponent).expect("all are finite");
        places.map(move |place| {
            let sum =
                inputs.iter().map(|input| scale.quantise(widen(element_type, input[place]))).sum();
            narrow(element_type, scale.dequantise(sum_of_half(half_of_sum(sum)), 1))
        })
    };
    (0..inputs[0].len()).step_by(lanes).flat_map(block).collect()
}

/// R-NUM-21, R-NUM-25: whatever the way and whichever worker comes first, all have the same bits,
/// and at one switch those of the reference. Lanes take half of the bytes.
fn sums_of_16_bits_have_the_bits_of_the_reference_in_half_the_bytes(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let (n, size) = (50_000, 3);
    let types = [ElementType::F32, ElementType::F16, ElementType::Bf16];
    let results = workers(
        &switch,
        way,
        size,
        |_| (),
        |comm| {
            let run = |element_type: ElementType| {
                let mut tensor: Vec<u8> = match element_type {
                    ElementType::F32 => floats((0..n).map(|i| i as f32)),
                    _ => halves(element_type, comm.rank(), n)
                        .into_iter()
                        .flat_map(u16::to_ne_bytes)
                        .collect(),
                };
                let sent = || {
                    let counters = comm.stats().unwrap().counters;
                    counters.bytes_sent - counters.bytes_resent
                };
                let before = sent();
                comm.run_in_place(sum(element_type, n), &mut tensor, WAIT_LIMIT).unwrap();
                (tensor, sent() - before)
            };
            (types.map(run), comm.stats().unwrap().payload_bytes as usize / 4)
        },
    );
    let (first, lanes) = &results[0];
    for (results, _) in &results {
        let [full, rest @ ..] = results;
        for (half, same) in rest.iter().zip(&first[1..]) {
            assert!(half.0 == same.0, "all have the same bits");
            // Headers, and rounds without lanes, are as many.
            let share = half.1 as f64 / full.1 as f64;
            assert!((0.5..0.56).contains(&share), "{share} of the bytes in f32");
        }
    }
    for (element_type, (result, _)) in types.into_iter().zip(first).skip(1) {
        let inputs: Vec<_> = (0..size).map(|rank| halves(element_type, rank, n)).collect();
        let result: Vec<u16> =
            result.as_chunks().0.iter().map(|bytes| u16::from_ne_bytes(*bytes)).collect();
        if matches!(way, Way::Udp | Way::Shm) {
            assert!(result == reference(element_type, &inputs, *lanes), "{element_type}");
        }
        check_bound(element_type, &inputs, *lanes, &result);
    }
}

/// R-NUM-25, with four switches on a way at most. The exact sums are those of `f64`: of three
/// elements of 11 bits, whose exponents in a block are within 32 of each other.
fn check_bound(element_type: ElementType, inputs: &[Vec<u16>], lanes: usize, result: &[u16]) {
    let (u_of_type, tiny) = match element_type {
        ElementType::F16 => (f64::exp2(-11.0), f64::exp2(-25.0)),
        _ => (f64::exp2(-8.0), f64::exp2(-134.0)),
    };
    let column =
        |place: usize| inputs.iter().map(move |input| f64::from(widen(element_type, input[place])));
    let u = f64::exp2(-11.0) + f64::exp2(-23.0);
    for start in (0..result.len()).step_by(lanes) {
        let places = start..result.len().min(start + lanes);
        let largest = places.clone().flat_map(column).fold(0.0, |most: f64, x| most.max(x.abs()));
        // 3 / (2f), with c = 2 for three workers.
        let e = 1.5 * largest.log2().ceil().exp2() * f64::exp2(2.0 - 30.0);
        for place in places {
            let (exact, magnitude): (f64, f64) =
                (column(place).sum(), column(place).map(f64::abs).sum());
            let off = e + ((1.0 + u).powi(4) - 1.0) * (magnitude + e);
            // By way of f32 (R-NUM-12).
            let rounding = (exact.abs() + off) * (u_of_type + f64::exp2(-24.0)) + tiny;
            let got = f64::from(widen(element_type, result[place]));
            assert!(
                (got - exact).abs() <= off + rounding,
                "{element_type}: {got:e} for {exact:e} at {place}"
            );
        }
    }
}
