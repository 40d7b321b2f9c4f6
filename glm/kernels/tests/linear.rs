//! The kernels of linear models at every level, against sums written one by one, and exact
//! integers.

use netfold_glm_kernels::{Between, Ends, Found, Kernels, LANES, Levels, OnGrid, Scaled, Storage};
use proptest::prelude::*;

/// The dot product as it is defined: element i in sum i modulo `lanes`, then the upper half onto
/// the lower one.
fn dot(pairs: impl Iterator<Item = (f32, f32)>, lanes: usize) -> f32 {
    let mut sums = vec![0.0f32; lanes];
    for (index, (x, w)) in pairs.enumerate() {
        sums[index % lanes] += x * w;
    }
    while sums.len() > 1 {
        let upper = sums.split_off(sums.len() / 2);
        sums.iter_mut().zip(upper).for_each(|(sum, upper)| *sum += upper);
    }
    sums[0]
}

/// Integers of `bits` bits, as planes of `depth` words a group.
fn planes(integers: &[i64], bits: u8) -> Vec<u64> {
    let mut words = vec![0; integers.len().div_ceil(LANES) * usize::from(bits)];
    for (index, integer) in integers.iter().enumerate() {
        for plane in 0..bits {
            let bit = (integer >> (bits - 1 - plane)) & 1;
            words[index / LANES * usize::from(bits) + usize::from(plane)] |=
                (bit as u64) << (index % LANES);
        }
    }
    words
}

fn nibbles(integers: &[i64]) -> Vec<u8> {
    let mut bytes = vec![0; integers.len().div_ceil(LANES) * LANES / 2];
    for (index, integer) in integers.iter().enumerate() {
        let (group, place) = (index / LANES, index % LANES);
        bytes[group * LANES / 2 + place % 32] |= ((*integer as u8) & 15) << (4 * (place / 32));
    }
    bytes
}

/// Checks all operations on levels that have known integers.
fn check(
    x: Levels<'_>,
    integers: &[i64],
    w: &[f32],
    exact: &[i32],
    a: f32,
) -> Result<(), TestCaseError> {
    let as_floats: Vec<f32> = integers.iter().map(|&integer| integer as f32).collect();
    let expected = dot(as_floats.iter().copied().zip(w.iter().copied()), LANES);
    let sums: Vec<f32> = w.iter().zip(&as_floats).map(|(w, x)| w + a * x).collect();
    let fits = integers.iter().all(|&integer| i32::try_from(integer).is_ok());
    for kernels in Kernels::available() {
        prop_assert_eq!(
            kernels.dot_levels(x, w).to_bits(),
            expected.to_bits(),
            "{:?} {:?}",
            kernels,
            x.storage
        );
        let mut y = w.to_vec();
        kernels.axpy_levels(a, x, &mut y);
        prop_assert_eq!(&y, &sums, "{:?}", kernels);
        if fits && !matches!(x.storage, Storage::Planes { read: 32, .. }) {
            let whole: i128 =
                integers.iter().zip(exact).map(|(&x, &w)| i128::from(x) * i128::from(w)).sum();
            // Some of these are beyond 63 bits.
            prop_assert_eq!(kernels.dot_levels_exact(x, exact), whole as i64);
            let mut y: Vec<i64> = exact.iter().map(|&w| i64::from(w)).collect();
            let sums: Vec<i64> = y.iter().zip(integers).map(|(y, x)| y - 7 * x).collect();
            kernels.axpy_levels_exact(-7, x, &mut y);
            prop_assert_eq!(y, sums);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn dense(pairs in prop::collection::vec((-1e3f32..1e3, -1e3f32..1e3), 0..300), a in -10f32..10.0) {
        let (x, w): (Vec<f32>, Vec<f32>) = pairs.iter().copied().unzip();
        let expected = dot(pairs.iter().copied(), LANES);
        let sums: Vec<f32> = pairs.iter().map(|(x, w)| w + a * x).collect();
        for kernels in Kernels::available() {
            prop_assert_eq!(kernels.dot(&x, &w).to_bits(), expected.to_bits());
            let mut y = w.clone();
            kernels.axpy(a, &x, &mut y);
            prop_assert_eq!(&y, &sums);
        }
    }

    #[test]
    fn sparse(
        w in prop::collection::vec(-1e3f32..1e3, 1..200),
        entries in prop::collection::btree_map(0u32..200, -1e3f32..1e3, 0..100),
        a in -10f32..10.0,
    ) {
        let entries: std::collections::BTreeMap<u32, f32> =
            entries.into_iter().filter(|(index, _)| (*index as usize) < w.len()).collect();
        let (indices, values): (Vec<u32>, Vec<f32>) = entries.iter().map(|(&i, &v)| (i, v)).unzip();
        let expected = dot(indices.iter().zip(&values).map(|(&i, &v)| (v, w[i as usize])), 8);
        for kernels in Kernels::available() {
            prop_assert_eq!(kernels.dot_sparse(&indices, &values, &w).to_bits(), expected.to_bits());
            let mut y = w.clone();
            kernels.axpy_sparse(a, &indices, &values, &mut y);
            for (index, y) in y.iter().enumerate() {
                let expected = entries.get(&(index as u32)).map_or(w[index], |value| w[index] + a * value);
                prop_assert_eq!(*y, expected);
            }
        }
    }

    /// R-GLM-21: planes, read to any depth, are the integers shifted right.
    #[test]
    fn bit_planes(
        rows in prop::collection::vec((any::<u32>(), -1e3f32..1e3, any::<i32>()), 1..200),
        depth in 1u8..=32,
        read in any::<prop::sample::Index>(),
        signed: bool,
        a in -10f32..10.0,
    ) {
        let read = read.index(usize::from(depth)) as u8 + 1;
        let w: Vec<f32> = rows.iter().map(|row| row.1).collect();
        let exact: Vec<i32> = rows.iter().map(|row| row.2).collect();
        let stored: Vec<i64> = rows
            .iter()
            .map(|row| if signed { i64::from(row.0.cast_signed() >> (32 - depth)) } else { i64::from(row.0 >> (32 - depth)) })
            .collect();
        let words = planes(&stored, depth);
        let integers: Vec<i64> = stored.iter().map(|x| x >> (depth - read)).collect();
        check(Levels { storage: Storage::Planes { words: &words, depth, read }, signed }, &integers, &w, &exact, a)?;
    }

    /// R-GLM-22.
    #[test]
    fn packed(rows in prop::collection::vec((any::<u8>(), -1e3f32..1e3, any::<i32>()), 1..200), signed: bool, a in -10f32..10.0) {
        let w: Vec<f32> = rows.iter().map(|row| row.1).collect();
        let exact: Vec<i32> = rows.iter().map(|row| row.2).collect();
        let bytes: Vec<u8> = rows.iter().map(|row| row.0).collect();
        let integers: Vec<i64> =
            bytes.iter().map(|&x| if signed { i64::from(x.cast_signed()) } else { i64::from(x) }).collect();
        check(Levels { storage: Storage::Bytes(&bytes), signed }, &integers, &w, &exact, a)?;
        let integers: Vec<i64> = integers.iter().map(|x| x >> 4).collect();
        let packed = nibbles(&integers);
        check(Levels { storage: Storage::Nibbles(&packed), signed }, &integers, &w, &exact, a)?;
    }
}

/// 2^31 - 1 times 2^31 - 1, four times, is 2^64 - 2^34 + 4.
#[test]
fn sums_beyond_63_bits_wrap_around() {
    let words = planes(&[i64::from(i32::MAX); 4], 31);
    let x =
        Levels { storage: Storage::Planes { words: &words, depth: 31, read: 31 }, signed: false };
    for kernels in Kernels::available() {
        assert_eq!(kernels.dot_levels_exact(x, &[i32::MAX; 4]), 4 - (1 << 34));
    }
}

#[test]
#[should_panic(expected = "one weight for each feature")]
fn weights_of_another_length() {
    Kernels::best().dot(&[1.0; 3], &[1.0; 4]);
}

#[test]
#[should_panic(expected = "one weight for each feature")]
fn planes_of_another_length() {
    let x =
        Levels { storage: Storage::Planes { words: &[0; 4], depth: 4, read: 4 }, signed: false };
    Kernels::best().dot_levels(x, &[1.0; 65]);
}

/// Values with their grids: low, span above 0, and the summand before rounding down.
fn on_grid() -> impl Strategy<Value = (f32, f32, f32, f64)> {
    let spans = prop_oneof![1e-3f32..4.0, Just(1.0), Just(f32::MIN_POSITIVE), Just(f32::MAX)];
    // Also the ends and the middle of a grid, where rounding is decided.
    let values = prop_oneof![-4f32..4.0, Just(0.0), Just(-1.0), Just(0.5), Just(f32::MAX)];
    (values, -2f32..2.0, spans, prop_oneof![Just(0.0), Just(0.5), 0.0..1.0])
}

proptest! {
    /// R-GLM-19, R-GLM-20.
    #[test]
    fn values_are_on_their_integers(
        all in prop::collection::vec(on_grid(), 0..70),
        bits in 1u32..=32,
        symmetric: bool,
    ) {
        let (point, least, most) = match symmetric {
            false => (bits, 0, (1i64 << bits) - 1),
            true => (bits - 1, -(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1),
        };
        let ends = Ends { scale: f64::from(point).exp2(), least, most };
        let expected: Vec<u32> = all.iter().map(|&(value, low, span, shift)| {
            let x = (f64::from(value) - f64::from(low)) / f64::from(span) * f64::from(point).exp2();
            ((x + shift).floor() as i64).clamp(least, most) as u32
        }).collect();
        let (values, low): (Vec<f32>, Vec<f32>) = all.iter().map(|&(value, low, _, _)| (value, low)).unzip();
        let (span, shift): (Vec<f32>, Vec<f64>) = all.iter().map(|&(_, _, span, shift)| (span, shift)).unzip();
        for kernels in Kernels::available() {
            let mut levels = vec![7; all.len()];
            let of = OnGrid { values: &values, low: &low, span: &span, shift: &shift };
            kernels.to_levels(of, ends, &mut levels);
            prop_assert_eq!(&levels, &expected, "{:?}", kernels);
        }
    }
}

/// Sparse values and spans, among them values that are on a grid of a few bits, or halfway between
/// two of its numbers, or next to that.
fn scaled() -> impl Strategy<Value = (f32, f32)> {
    let spans = prop_oneof![
        1e-3f32..4.0,
        Just(1.0),
        Just(3.0),
        Just(f32::MIN_POSITIVE),
        Just(1e-42),
        Just(f32::MAX)
    ];
    let shares = prop_oneof![-1.5f32..1.5, (-600i32..600).prop_map(|half| half as f32 / 512.0)];
    (shares, spans, -1i32..=1).prop_map(|(share, span, beside)| {
        let value = (share * span).clamp(f32::MIN, f32::MAX);
        let beside = f32::from_bits(value.to_bits().wrapping_add_signed(beside));
        (if beside.is_finite() { beside } else { value }, span)
    })
}

proptest! {
    /// R-GLM-19, R-GLM-20: what is rounded is the quotient in f32, times the scale, which is exact
    /// in f64, as is the half that is taken from an integer that it reaches. A shift is added to
    /// it, and the sum rounded.
    #[test]
    fn sparse_values_are_on_their_integers(
        all in prop::collection::vec((scaled(), prop_oneof![0f64..1.0, Just(0.0)]), 0..70),
        bits in 1u32..=8,
        symmetric: bool,
    ) {
        let (point, least, most) =
            if symmetric { (bits - 1, -(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1) } else { (bits, 0, (1i64 << bits) - 1) };
        let scale = f64::from(point).exp2();
        let ends = Ends { scale, least, most };
        let (both, shift): (Vec<(f32, f32)>, Vec<f64>) = all.into_iter().unzip();
        let (values, span): (Vec<f32>, Vec<f32>) = both.into_iter().unzip();
        type Reached = fn(f64, f64, f64) -> bool;
        let ways: [(Between<'_>, Reached); 3] = [
            (Between::Below, |n, x, _| n <= x),
            (Between::Nearest, |n, x, _| n - 0.5 <= x),
            (Between::Shifted(&shift), |n, x, shift| n <= x + shift),
        ];
        for (rounding, reached) in ways {
            let expected: Vec<u8> = values.iter().zip(&span).zip(&shift).map(|((value, span), &shift)| {
                let reached = |n: &i64| reached(*n as f64, f64::from(value / span) * scale, shift);
                (least + (least + 1..=most).take_while(reached).count() as i64) as u8
            }).collect();
            for kernels in Kernels::available() {
                let mut levels = vec![7; values.len()];
                kernels.scaled_to_levels(Scaled { values: &values, span: &span, rounding }, ends, &mut levels);
                prop_assert_eq!(&levels, &expected, "{:?}, {:?}", kernels, rounding);
            }
        }
    }

    #[test]
    fn what_is_looked_for_is_found(
        mut values in prop::collection::vec(prop_oneof![0f32..4.0, Just(0.0), Just(-0.0)], 0..200),
        odd in prop_oneof![Just(None), Just(Some(f32::NAN)), Just(Some(f32::INFINITY)), Just(Some(f32::NEG_INFINITY)), Just(Some(-1e-42))],
        place in any::<prop::sample::Index>(),
    ) {
        if let (Some(odd), false) = (odd, values.is_empty()) {
            let place = place.index(values.len());
            values[place] = odd;
        }
        let expected = Found {
            not_finite: values.iter().any(|value| !value.is_finite()),
            below_zero: values.iter().any(|value| *value < 0.0),
        };
        for kernels in Kernels::available() {
            prop_assert_eq!(kernels.look_through(&values), expected);
        }
    }

    #[test]
    fn falls_are_counted(numbers in prop::collection::vec(0u32..1000, 0..300), repeated in 1usize..400) {
        let numbers = numbers.repeat(repeated);
        let expected = numbers.windows(2).filter(|pair| pair[1] <= pair[0]).count();
        for kernels in Kernels::available() {
            prop_assert_eq!(kernels.falls(&numbers), expected);
        }
    }
}
