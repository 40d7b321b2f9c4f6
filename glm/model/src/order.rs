//! The order in which samples are seen: the same on every worker (R-GLM-12).

use crate::targets::Targets;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

/// Streams of random numbers that must not be the same.
#[derive(Clone, Copy)]
enum Purpose {
    Epoch = 0,
    Validation = 1,
}

/// The rows for training and those that are held back, both ascending.
pub(crate) fn split(targets: &Targets<'_>, validation: f64, seed: u64) -> (Vec<u32>, Vec<u32>) {
    let mut all: Vec<u32> = (0..targets.len() as u32).collect();
    if let (Some(held), true) = (targets.held(), validation > 0.0) {
        return all.into_iter().partition(|&row| !held[row as usize]);
    }
    let held = (all.len() as f64 * validation).round() as usize;
    if held == 0 {
        return (all, Vec::new());
    }
    all.shuffle(&mut generator(seed, Purpose::Validation, 0));
    let mut training = all.split_off(held);
    training.sort_unstable();
    all.sort_unstable();
    (training, all)
}

/// Puts rows, which must be ascending, into the order of an epoch.
pub(crate) fn shuffle(rows: &mut [u32], seed: u64, epoch: u64) {
    rows.shuffle(&mut generator(seed, Purpose::Epoch, epoch));
}

/// 64 well-mixed bits of a number.
pub(crate) fn mix(number: u64) -> u64 {
    // SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
    let mut z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

fn generator(seed: u64, purpose: Purpose, number: u64) -> Pcg64Mcg {
    Pcg64Mcg::seed_from_u64(mix(mix(seed ^ mix(purpose as u64)) ^ number))
}
