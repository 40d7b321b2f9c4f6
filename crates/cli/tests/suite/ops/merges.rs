//! The examples that merge messages, sketches and structs, beside results that are had otherwise.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use netfold_ops::Instance;

use super::{instance, random};

const WORKERS: usize = 5;

/// Folds the operands of all workers, from left to right.
fn folded(instance: &mut Instance, operands: &[Vec<u8>]) -> Vec<u8> {
    let mut accumulator = operands[0].clone();
    operands[1..].iter().for_each(|operand| instance.fold(&mut accumulator, operand).unwrap());
    accumulator
}

/// Operands that workers make of their shares of random numbers.
fn operands(share: usize, make: impl Fn(&[u64]) -> Vec<u8>) -> Vec<Vec<u8>> {
    random(WORKERS * share).chunks(share).map(make).collect()
}

fn words(words: impl IntoIterator<Item = u64>) -> Vec<u8> {
    words.into_iter().flat_map(u64::to_le_bytes).collect()
}

/// The oracle sorts the entries of all workers. Values are few, so that many are equal.
#[test]
fn top_k() {
    let Some(mut instance) = instance("top_k.c") else { return };
    for k in [1, 2, 7, 1024] {
        let entry = |bits: &u64| ((bits % 64) as f32 - 32.0, (bits >> 8) as u32 % 500);
        let bytes = |entries: &[(f32, u32)]| -> Vec<u8> {
            let pairs = entries.iter();
            pairs.flat_map(|(value, at)| [value.to_le_bytes(), at.to_le_bytes()].concat()).collect()
        };
        let share = |bits: &[u64]| bits.iter().map(entry).collect::<Vec<_>>();
        let result = folded(&mut instance, &operands(k, |bits| bytes(&share(bits))));
        let mut all = share(&random(WORKERS * k));
        all.sort_by_key(|(value, at)| (Reverse(value.abs() as u32), *at, *value > 0.0));
        assert!(result == bytes(&all[..k]), "the {k} largest");
    }
}

/// The oracle is a tree of the library's.
#[test]
fn sparse_pairs() {
    let Some(mut instance) = instance("sparse_pairs.rs") else { return };
    const PLACES: usize = 1024;
    let bytes = |pairs: &mut dyn Iterator<Item = (u32, i32)>| -> Vec<u8> {
        let unused = std::iter::repeat((u32::MAX, 0));
        let message = pairs.chain(unused).take(PLACES);
        message.flat_map(|(at, value)| [at.to_le_bytes(), value.to_le_bytes()].concat()).collect()
    };
    // At most 5 * 200 indices; at most 5 * 1024, of which the smallest stay.
    for (used, indices) in [(200, 3000), (200, 250), (PLACES, 1 << 20)] {
        let pair = |bits: &u64| ((bits >> 33) as u32 % indices, *bits as i32);
        let sent = operands(used, |bits| bytes(&mut bits.iter().map(pair)));
        let mut sums = BTreeMap::new();
        for (at, value) in random(WORKERS * used).iter().map(pair) {
            let sum: &mut i32 = sums.entry(at).or_default();
            *sum = sum.wrapping_add(value);
        }
        assert_eq!(sums.len() > PLACES, used == PLACES, "{} indices", sums.len());
        assert!(
            folded(&mut instance, &sent) == bytes(&mut sums.into_iter()),
            "{used} of {indices}"
        );
    }
}

/// The oracle adds the products in another order: both round at most 40 times, by 2^-53 of at most
/// the sum of all magnitudes.
#[test]
fn dot_product() {
    let Some(mut instance) = instance("dot_product.c") else { return };
    const PARTS: usize = 2000;
    let number = |bits: &u64| (bits % 20_001) as f32 / 97.0 - 100.0;
    let sent = operands(16 * PARTS, |bits| {
        let part = |bits: &[u64]| -> Vec<u8> {
            let pairs = bits.iter().flat_map(|bits| number(bits).to_le_bytes());
            0_f64.to_le_bytes().into_iter().chain(pairs).collect()
        };
        bits.chunks(16).flat_map(part).collect()
    });
    let result = folded(&mut instance, &sent);
    let numbers: Vec<f64> =
        random(WORKERS * 16 * PARTS).iter().map(|bits| number(bits).into()).collect();
    for (part, result) in result.chunks(72).enumerate() {
        let products = (0..WORKERS).rev().flat_map(|worker| {
            let at = 16 * (worker * PARTS + part);
            (0..8).rev().map(move |lane| (at + lane, at + 8 + lane))
        });
        let products: Vec<f64> = products.map(|(x, y)| numbers[x] * numbers[y]).collect();
        let magnitude: f64 = products.iter().map(|product| product.abs()).sum();
        let sum = f64::from_le_bytes(result[..8].try_into().unwrap());
        let difference = (sum - products.iter().sum::<f64>()).abs();
        assert!(difference <= 80.0 * magnitude * f64::EPSILON / 2.0, "{part}: {difference}");
        assert!(result[8..].iter().all(|byte| *byte == 0));
    }
}

/// The oracle multiplies integers, the last two matrices first. All products are below 2^53.
#[test]
fn matrix_chain() {
    let Some(mut instance) = instance("matrix_chain.c") else { return };
    const MATRICES: usize = 1000;
    let entry = |bits: &u64| (bits % 7) as i64 - 3;
    let bytes = |entries: &[i64]| words(entries.iter().map(|entry| (*entry as f64).to_bits()));
    let share = |bits: &[u64]| bytes(&bits.iter().map(entry).collect::<Vec<_>>());
    let result = folded(&mut instance, &operands(16 * MATRICES, share));
    let entries: Vec<i64> = random(WORKERS * 16 * MATRICES).iter().map(entry).collect();
    for (matrix, result) in result.chunks(128).enumerate() {
        let of = |worker: usize| entries[16 * (worker * MATRICES + matrix)..][..16].to_vec();
        let product = (0..WORKERS).rev().map(of).reduce(|right, left| {
            let at = |place: usize| {
                let (row, column) = (place / 4, place % 4);
                (0..4).map(|k| left[4 * row + k] * right[4 * k + column]).sum()
            };
            (0..16).map(at).collect()
        });
        // Zeros have no sign in integers.
        let read = |bits: &[u8]| f64::from_le_bytes(bits.try_into().unwrap()) as i64;
        assert_eq!(Some(result.chunks(8).map(read).collect()), product);
    }
}

/// The oracle counts the workers that have a bit.
#[test]
fn bitwise() {
    let Some(mut instance) = instance("bitwise.c") else { return };
    const MASKS: usize = 3000;
    let mask = |bits: &u64| bits | bits.rotate_left(20);
    let triple = |bits: &[u64]| words(bits.iter().flat_map(|bits| [mask(bits); 3]));
    let result = folded(&mut instance, &operands(MASKS, triple));
    let masks: Vec<u64> = random(WORKERS * MASKS).iter().map(mask).collect();
    let expected = (0..MASKS).flat_map(|at| {
        let (mut all, mut any, mut odd) = (0, 0, 0);
        for bit in 0..64 {
            let set = masks[at..].iter().step_by(MASKS).filter(|mask| *mask >> bit & 1 == 1);
            let count = set.count();
            all |= u64::from(count == WORKERS) << bit;
            any |= u64::from(count > 0) << bit;
            odd |= (count as u64 % 2) << bit;
        }
        [all, any, odd]
    });
    assert_eq!(result, words(expected));
}

/// The merge of the workers' sketches is the sketch of all that any of them has seen.
#[test]
fn hyperloglog() {
    let Some(mut instance) = instance("hyperloglog.c") else { return };
    const REGISTERS: usize = 1 << 14;
    // The numbers are 48 bits long, and random already: they are hashes of themselves.
    let sketch = |seen: &BTreeSet<u64>| {
        let mut registers = vec![0; REGISTERS];
        for hash in seen {
            let register = &mut registers[*hash as usize % REGISTERS];
            *register = (hash >> 14).trailing_zeros().min(34).max((*register).into()) as u8;
        }
        registers
    };
    let numbers = random(100_000);
    // Each has seen some that its neighbour has seen, too.
    let seen = |worker: usize| numbers[worker * 15_000..][..40_000].iter().copied();
    let sent: Vec<_> = (0..WORKERS).map(|worker| sketch(&seen(worker).collect())).collect();
    let union = (0..WORKERS).flat_map(seen).collect();
    assert_eq!(folded(&mut instance, &sent), sketch(&union));
}

#[test]
fn count_min() {
    let Some(mut instance) = instance("count_min.c") else { return };
    const COUNTERS: usize = 20_000;
    // About a half of the sums is beyond 32 bits.
    let counter = |bits: &u64| (bits % (1 << 32)) * 2 / 5;
    let bytes = |counters: &mut dyn Iterator<Item = u64>| -> Vec<u8> {
        counters.flat_map(|counter| (counter as u32).to_le_bytes()).collect()
    };
    let share = |bits: &[u64]| bytes(&mut bits.iter().map(counter));
    let result = folded(&mut instance, &operands(COUNTERS, share));
    let counters: Vec<u64> = random(WORKERS * COUNTERS).iter().map(counter).collect();
    let sum = |at: usize| counters[at..].iter().step_by(COUNTERS).sum::<u64>();
    let full = (0..COUNTERS).filter(|at| sum(*at) > u32::MAX.into()).count();
    assert!((COUNTERS / 4..COUNTERS).contains(&full), "{full}");
    let expected = bytes(&mut (0..COUNTERS).map(|at| sum(at).min(u32::MAX.into())));
    assert_eq!(result, expected);
}

/// The histogram of all values together.
#[test]
fn histogram() {
    let Some(mut instance) = instance("histogram.c") else { return };
    const VALUES: usize = 5000;
    let value = |bits: &u64| (bits % 3200) as i64 - 1600;
    let histogram = |bits: &[u64]| {
        let values = || bits.iter().map(value);
        let mut counts = [0; 32];
        values().for_each(|value| counts[(value + 1600) as usize / 100] += 1);
        let ends = [values().min().unwrap(), values().max().unwrap()];
        words(ends.map(i64::cast_unsigned).into_iter().chain(counts))
    };
    let result = folded(&mut instance, &operands(VALUES, histogram));
    assert_eq!(result, histogram(&random(WORKERS * VALUES)));
}

/// The oracle adds gradients in the order of ranks, and takes the step as a worker would.
#[test]
fn sgd_step() {
    let Some(mut instance) = instance("sgd_step.c") else { return };
    const PARAMETERS: usize = 900;
    let gradient = |bits: &u64| (*bits as i32 as f32) / 65_536.0;
    let weights: Vec<f32> = (0..PARAMETERS).map(|at| at as f32 / 7.0 - 50.0).collect();
    let sent = operands(PARAMETERS, |bits| {
        let pairs = bits.iter().map(gradient).zip(&weights);
        pairs
            .flat_map(|(gradient, weight)| [gradient.to_le_bytes(), weight.to_le_bytes()].concat())
            .collect()
    });
    let mut result = folded(&mut instance, &sent);
    instance.map(&mut result).unwrap();
    let bits = random(WORKERS * PARAMETERS);
    for (at, (pair, weight)) in result.chunks_exact(8).zip(&weights).enumerate() {
        let own = bits.chunks(PARAMETERS).map(|of_worker| gradient(&of_worker[at]));
        let sum = own.reduce(|sum, gradient| sum + gradient).unwrap();
        let expected = [sum, weight - 0.125 * sum].map(f32::to_le_bytes).concat();
        assert_eq!(pair, expected, "parameter {at}");
    }
}
