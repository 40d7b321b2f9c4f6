//! FPISA and Libra's tables as the arithmetic of a job, over real sockets, shared memory and a host's leaf (R-FPI, R-LOG).

mod support;

use std::sync::Barrier;

use netfold_net::{
    Arithmetic, ByteOrder, Call, Collective, ElementType, Error, Failure, Operation, Overflow, Protocol, SwitchOptions,
};
use support::{PATIENCE, Way, bytes, call, integers, over_each, workers};

over_each! {
    sums_of_integers_are_exact_in_every_arithmetic,
    sums_by_table_are_close,
    nan_and_infinity_are_what_they_are_in_ieee,
    an_overflow_is_told_to_everyone,
    blocks_that_overflow_are_folded_again,
    sums_do_not_depend_on_the_byte_order,
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

/// Integers of up to seven bits: no exponent is more than 7 above another, so that FPISA-A overwrites nothing, and all sums fit the mantissa.
fn sums_of_integers_are_exact_in_every_arithmetic(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let n = 30_000;
    let value = |rank: u16, i: usize| (i * 31 + usize::from(rank) * 77) as i32 % 41 - 20;
    for arithmetic in FOLDED_IN_THE_SWITCH {
        workers(
            &switch,
            way,
            3,
            |request| request.arithmetic = arithmetic,
            |comm| {
                let mut tensor = floats((0..n).map(|i| value(comm.rank(), i) as f32));
                comm.run_in_place(sum(ElementType::F32, n), &mut tensor, PATIENCE).unwrap();
                for (i, sum) in read(&tensor).into_iter().enumerate() {
                    assert_eq!(sum, (0..3).map(|rank| value(rank, i)).sum::<i32>() as f32, "{arithmetic} element {i}");
                }
                // Integers fold as in any arithmetic, in the same slots.
                let mut tensor = bytes(&(0..n as i32).collect::<Vec<_>>());
                comm.run_in_place(sum(ElementType::I32, n), &mut tensor, PATIENCE).unwrap();
                assert!(integers(&tensor).iter().enumerate().all(|(i, &x)| x == 3 * i as i32));
                // R-NUM-16: one worker's bytes are not folded at all, not even signalling NaNs.
                let nans = |rank| (0..n as i32).map(move |i| 0x7F80_0001 + i + n as i32 * i32::from(rank));
                let root = netfold_net::WorkerId(1);
                let copy = |collective| call(collective, Operation::Copy, ElementType::U8, 4 * n as u64);
                let mut moved = bytes(&nans(comm.rank()).collect::<Vec<_>>());
                let mut gathered = vec![0; 3 * moved.len()];
                comm.run(copy(Collective::AllGather), &moved, &mut gathered, PATIENCE).unwrap();
                assert!(integers(&gathered) == (0..3).flat_map(nans).collect::<Vec<_>>(), "{arithmetic}");
                comm.run_in_place(copy(Collective::Broadcast { root }), &mut moved, PATIENCE).unwrap();
                assert!(integers(&moved) == nans(1).collect::<Vec<_>>(), "{arithmetic}");
            },
        );
    }
}

/// R-LOG-6, for two additions, or three where two switches add: each is within 1.2e-4 of its larger operand, which is below the sum of magnitudes.
fn sums_by_table_are_close(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let n = 20_000;
    let value = |rank: u16, i: usize| ((i as f32 + 1.0) * 0.37 + f32::from(rank)).sin();
    let results = workers(
        &switch,
        way,
        3,
        |request| request.arithmetic = Arithmetic::LogTable,
        |comm| {
            let mut tensor = floats((0..n).map(|i| value(comm.rank(), i)));
            comm.run_in_place(sum(ElementType::F32, n), &mut tensor, PATIENCE).unwrap();
            let half = sum(ElementType::F16, 2);
            assert!(matches!(comm.run_in_place(half, &mut [0; 4], PATIENCE), Err(Error::Unsupported(_))));
            read(&tensor)
        },
    );
    assert!(results.iter().all(|result| *result == results[0]));
    for (i, &sum) in results[0].iter().enumerate() {
        let exact: f64 = (0..3).map(|rank| f64::from(value(rank, i))).sum();
        let magnitude: f64 = (0..3).map(|rank| f64::from(value(rank, i).abs())).sum();
        assert!((f64::from(sum) - exact).abs() <= 3.0 * 1.2e-4 * magnitude * 1.001, "element {i}: {sum} {exact}");
    }
}

/// R-FPI-4, R-LOG-5
fn nan_and_infinity_are_what_they_are_in_ieee(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let (nan, infinity) = (f32::NAN, f32::INFINITY);
    let vectors =
        [[1.0, nan, infinity, -infinity, 2.0], [1.0, 1.0, 1.0, infinity, -2.0], [1.0, 1.0, infinity, 1.0, 0.0]];
    for arithmetic in [Arithmetic::Fpisa, Arithmetic::FpisaA, Arithmetic::LogTable] {
        workers(
            &switch,
            way,
            3,
            |request| request.arithmetic = arithmetic,
            |comm| {
                let mut tensor = floats(vectors[usize::from(comm.rank())]);
                comm.run_in_place(sum(ElementType::F32, 5), &mut tensor, PATIENCE).unwrap();
                let [three, not, above, neither, zero] = read(&tensor)[..] else { panic!("five elements") };
                assert!(not.is_nan() && neither.is_nan(), "{arithmetic}");
                assert_eq!((above, zero), (infinity, 0.0), "{arithmetic}");
                // 1 + 1 + 1 by table is off by two steps of 7e-5 at most.
                assert!(
                    (three - 3.0).abs() < if arithmetic == Arithmetic::LogTable { 5e-4 } else { f32::MIN_POSITIVE }
                );
            },
        );
    }
}

/// R-FPI-9, R-CTRL-13: FPISA-A shifts what is larger than the first to the left, and 255.9 does not fit under the exponent of 1 beside it. Whoever comes
/// first, one of three elements has its small value there and the large ones of the others. Every worker learns which.
fn an_overflow_is_told_to_everyone(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let (n, first) = (9_000, 8_121);
    // Two are enough for it, and the job would fail while the other one still comes to it.
    let all_joined = Barrier::new(3);
    let errors = workers(
        &switch,
        way,
        3,
        |request| request.arithmetic = Arithmetic::FpisaA,
        |comm| {
            all_joined.wait();
            let small_at = first + usize::from(comm.rank());
            let is_large = |i: usize| (first..first + 3).contains(&i) && i != small_at;
            let mut tensor = floats((0..n).map(|i| if is_large(i) { 255.9 } else { 1.0 }));
            comm.run_in_place(sum(ElementType::F32, n), &mut tensor, PATIENCE).unwrap_err()
        },
    );
    for error in errors {
        let Error::Failed(Failure::Overflow { job, arithmetic, rank: 0..=2, element }) = &error else {
            panic!("{error}")
        };
        assert_eq!((&**job, &**arithmetic), ("test", "fpisa-a"));
        let of = "of all_reduce(sum, f32, 9000 elements)";
        assert!((0..3).any(|rank| element.starts_with(&format!("element {} {of}", first + rank))), "{element}");
    }
}

/// R-SLOT-11: the same job goes on if that is its policy. Whoever comes first, a block has an element that overflows, and all of its sums are IEEE's: these
/// are multiples of 1/2 below 2^24, which f32 adds exactly in every order, here as at the switch. Reductions to one worker do the same.
fn blocks_that_overflow_are_folded_again(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let n = 9_000;
    for protocol in Protocol::ALL {
        let refolded = workers(
            &switch,
            way,
            3,
            |request| {
                (request.arithmetic, request.overflow) = (Arithmetic::FpisaA, Overflow::Native);
                request.protocol = protocol;
            },
            |comm| {
                let value = |rank: u16, i: usize| if i % 3 == usize::from(rank) { 1.0 } else { 255.5 };
                let reduce = call(
                    Collective::Reduce { root: netfold_net::WorkerId(1) },
                    Operation::Sum,
                    ElementType::F32,
                    n as u64,
                );
                for call in [sum(ElementType::F32, n), reduce, sum(ElementType::F32, n)] {
                    let mut tensor = floats((0..n).map(|i| value(comm.rank(), i)));
                    comm.run_in_place(call, &mut tensor, PATIENCE).unwrap();
                    if call.collective == Collective::AllReduce || comm.rank() == 1 {
                        assert!(read(&tensor).iter().all(|sum| *sum == 512.0), "{protocol}");
                    }
                }
                comm.stats().unwrap().counters.blocks_refolded
            },
        );
        assert!(refolded[0] > 0 && refolded.iter().all(|count| *count == refolded[0]), "{protocol}: {refolded:?}");
    }
}

/// R-NUM-19: numbers of the same exponent sum up exactly in any order of arrival, in `native` and in FPISA; `block` and integers do not depend on it. So jobs
/// that differ in nothing but the order of their lanes' bytes give the same bits.
fn sums_do_not_depend_on_the_byte_order(way: Way) {
    let switch = way.switch(SwitchOptions::default());
    let n = 50_001;
    let value = |rank: u16, i: usize| 1.0 + ((i * 37 + usize::from(rank) * 11) % 1000) as f32 / 1024.0;
    for arithmetic in [Arithmetic::Block, Arithmetic::Native, Arithmetic::Fpisa, Arithmetic::FpisaA] {
        let run = |byte_order| {
            workers(
                &switch,
                way,
                3,
                |request| (request.arithmetic, request.byte_order) = (arithmetic, byte_order),
                |comm| {
                    let sums = |specials: bool| {
                        let special = |i: usize| specials && i % 1_000 == 7;
                        let value = |i| if special(i) { f32::INFINITY } else { value(comm.rank(), i) };
                        let mut tensor = floats((0..n).map(value));
                        comm.run_in_place(sum(ElementType::F32, n), &mut tensor, PATIENCE).unwrap();
                        tensor
                    };
                    let mut integers = bytes(&(0..n as i32).map(|i| i * 1_000 + 1).collect::<Vec<_>>());
                    comm.run_in_place(sum(ElementType::I32, n), &mut integers, PATIENCE).unwrap();
                    let mut largest = floats((0..n).map(|i| value(comm.rank(), i)));
                    let max = call(Collective::AllReduce, Operation::Max, ElementType::F32, n as u64);
                    comm.run_in_place(max, &mut largest, PATIENCE).unwrap();
                    [sums(false), sums(true), integers, largest]
                },
            )
        };
        let (little, network) = (run(ByteOrder::Little), run(ByteOrder::Network));
        assert!(little == network, "{arithmetic}");
        let [sums, _, tripled, largest] = &network[0];
        let exact = |i: usize| (0..3).map(|rank| value(rank, i)).sum::<f32>();
        // R-NUM-12: within n/f, 9 * 2^m / (2^31 - 1) with m = 1, and the rounding to f32 of a sum below 8; the others are exact.
        let bound = if arithmetic == Arithmetic::Block { 18.0 / 2_147_483_647.0 + 2f32.powi(-22) } else { 0.0 };
        assert!(read(sums).iter().enumerate().all(|(i, sum)| (sum - exact(i)).abs() <= bound), "{arithmetic}");
        assert!(integers(tripled).iter().enumerate().all(|(i, &x)| x == 3 * (i as i32 * 1_000 + 1)), "{arithmetic}");
        let most = |i: usize| (0..3).map(|rank| value(rank, i)).fold(0.0, f32::max);
        assert!(read(largest).iter().enumerate().all(|(i, &x)| x == most(i)), "{arithmetic}");
    }
}
