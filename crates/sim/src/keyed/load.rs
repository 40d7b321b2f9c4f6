//! The mini-batches of a sparse model: the keys that workers push, after Zipf's law.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::setup::TableSetup;

/// Ranks that stand for themselves, unless more are hot; colder ones are in bins.
const SINGLE_RANKS: u64 = 1 << 10;

/// Bins of colder ranks, each wider than the one before by the same factor.
const BINS: u32 = 1 << 11;

/// A key with this many expected draws, or more, is in every mini-batch.
const SURE: f64 = 40.0;

/// Halvings in the search for a number of draws: as many as a float tells apart.
const HALVINGS: u32 = 53;

/// The law of a table's keys: that of rank r, from 0, has the weight that x^-s has between r + 1
/// and r + 2. A mini-batch has so many draws that it has the wanted number of different keys, each
/// of which is pushed once (R-HOT-1).
#[derive(Clone, Debug)]
pub(crate) struct Load {
    /// For each hot rank the mean number of draws up to it that a call has, of which each makes the
    /// key one of the call's.
    draws: Vec<f64>,
    pairs: u64,
    width: u16,
    seed: u64,
}

/// Pushes of a worker in a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Batch {
    /// Hot keys, each once.
    pub(crate) ranks: Vec<u32>,
    /// A row for each of them.
    pub(crate) rows: Vec<i32>,
    /// Number of cold keys.
    pub(crate) cold: u64,
}

impl Batch {
    /// Adds its rows of hot keys to sums of their lanes.
    pub(crate) fn add_to(&self, sums: &mut [i64]) {
        let width = self.rows.len() / self.ranks.len().max(1);
        for (rank, row) in self.ranks.iter().zip(self.rows.chunks(width.max(1))) {
            let sums = sums[*rank as usize * width..].iter_mut();
            sums.zip(row).for_each(|(sum, lane)| *sum += i64::from(*lane));
        }
    }
}

impl Load {
    /// The load of a table whose workers have mini-batches of `pairs`, or of more if the table says
    /// so.
    pub(crate) fn new(table: &TableSetup, pairs: u64, seed: u64) -> Self {
        let whole = table.mini_batch.unwrap_or(pairs).max(pairs);
        let slice = pairs as f64 / whole.max(1) as f64;
        let shares = Shares::new(table.keys, table.exponent, table.hot.into());
        let draws = shares.draws_for(whole as f64);
        let mut sum = 0.0;
        let of_hot = shares.bins.iter().take(table.hot as usize).map(|(share, _)| {
            let is_there = -(-draws * share).exp_m1() * slice;
            sum += (-(-is_there).ln_1p()).min(SURE);
            sum
        });
        Self { draws: of_hot.collect(), pairs, width: table.width, seed }
    }

    /// Pairs of a call.
    pub(crate) fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The pairs that a worker pushes in a call.
    pub(crate) fn batch(&self, rank: u16, call: u32) -> Batch {
        let pairs = self.pairs;
        let own = u64::from(rank) << 32 | u64::from(call);
        let mut rng = Pcg64Mcg::seed_from_u64(mix(self.seed ^ mix(own)));
        let (mut ranks, mut at) = (Vec::new(), 0.0);
        loop {
            at -= (1.0 - rng.random::<f64>()).ln();
            let drawn = self.draws.partition_point(|sum| *sum <= at);
            if drawn == self.draws.len() || ranks.len() as u64 == pairs {
                break;
            }
            if ranks.last() != Some(&(drawn as u32)) {
                ranks.push(drawn as u32);
            }
        }
        let width = u32::from(self.width);
        let lanes = ranks.iter().flat_map(|rank| (0..width).map(move |lane| rank * width + lane));
        let rows = lanes.map(|lane| 1 + (mix(own ^ mix(lane.into())) % 1000) as i32).collect();
        Batch { cold: pairs - ranks.len() as u64, ranks, rows }
    }
}

/// The law, as shares of all draws.
struct Shares {
    /// For each key, and then for each bin of colder ones, the share of a key, and the keys.
    bins: Vec<(f64, f64)>,
}

impl Shares {
    fn new(keys: u64, exponent: f64, hot: u64) -> Self {
        let end = keys as f64 + 1.0;
        // The integral of x^-s from 1 on.
        let integral = |x: f64| {
            if exponent == 1.0 { x.ln() } else { (x.powf(1.0 - exponent) - 1.0) / (1.0 - exponent) }
        };
        let single = SINGLE_RANKS.max(hot).min(keys);
        let first = single as f64 + 1.0;
        let bin = |number: u32| first * (end / first).powf(f64::from(number) / f64::from(BINS));
        let singles = (1..=single + 1).map(|place| place as f64);
        let colder = if keys > single { BINS } else { 0 };
        let places: Vec<f64> = singles.chain((1..=colder).map(bin)).collect();
        let whole = integral(end);
        let bins = places.windows(2).map(|pair| {
            let keys = pair[1] - pair[0];
            ((integral(pair[1]) - integral(pair[0])) / whole / keys, keys)
        });
        Self { bins: bins.collect() }
    }

    /// The mean number of different keys of so many draws.
    fn different(&self, draws: f64) -> f64 {
        self.bins.iter().map(|(share, keys)| -keys * (-draws * share).exp_m1()).sum()
    }

    /// The number of draws that have so many different keys.
    fn draws_for(&self, different: f64) -> f64 {
        let (mut least, mut most) = (0.0, 1.0);
        while self.different(most) < different && most < 1e18 {
            (least, most) = (most, most * 2.0);
        }
        for _ in 0..HALVINGS {
            let middle = (least + most) / 2.0;
            if self.different(middle) < different { least = middle } else { most = middle }
        }
        most
    }
}

/// A number that depends on all bits of another (the finaliser of SplitMix64).
pub(crate) fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let number = (number ^ number >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    number ^ number >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(keys: u64, exponent: f64, hot: u32) -> TableSetup {
        TableSetup { keys, exponent, hot, ..TableSetup::default() }
    }

    /// Libra, section 3.1: 30,000 parameters have over half of the updates of OA, and about 70 % of
    /// those of SE. Mini-batches of 100 keys leave the law nearly as it is; the share of hot keys
    /// among them is a mean of 40,000, whose deviation is below 0.0025.
    #[test]
    fn small_mini_batches_follow_the_law() {
        for (keys, exponent, least, most) in
            [(150_000_000, 0.975, 0.44, 0.5), (9_000_000, 1.024, 0.62, 0.7)]
        {
            let load = Load::new(&table(keys, exponent, 30_000), 100, 1);
            let hot: usize = (0..400).map(|call| load.batch(0, call).ranks.len()).sum();
            let share = hot as f64 / 40_000.0;
            assert!((least..most).contains(&share), "{keys}: {share}");
        }
    }

    /// The weight of the first ranks by sums of the law's integral, added up here by itself.
    #[test]
    fn shares_are_those_of_the_integral() {
        let shares = Shares::new(9_000_000, 1.024, 30_000);
        let first: f64 = shares.bins[..30_000].iter().map(|(share, _)| share).sum();
        let to = |x: f64| 1.0 - x.powf(-0.024);
        assert!((first - to(30_001.0) / to(9_000_001.0)).abs() < 1e-9, "{first}");
        let all: f64 = shares.bins.iter().map(|(share, keys)| share * keys).sum();
        assert!((all - 1.0).abs() < 1e-9, "{all}");
        let few = Shares::new(1000, 1.0, 10);
        assert_eq!(few.bins.len(), 1000);
        assert!((few.bins[0].0 - 2_f64.ln() / 1001_f64.ln()).abs() < 1e-12);
    }

    /// A mini-batch of most keys has every hot one; a part of it has that part of them.
    #[test]
    fn large_mini_batches_have_every_hot_key_once() {
        let all = TableSetup { mini_batch: Some(90_000), ..table(100_000, 1.0, 1000) };
        assert_eq!(Load::new(&all, 90_000, 1).batch(3, 0).ranks, Vec::from_iter(0..1000));
        let load = Load::new(&all, 9_000, 1);
        let ranks: Vec<_> = (0..100).map(|call| load.batch(3, call).ranks.len()).collect();
        let mean = ranks.iter().sum::<usize>() as f64 / 100.0;
        // A tenth of 1000, with a deviation of 9.5, a tenth of that for the mean.
        assert!((96.0..104.0).contains(&mean), "{mean}");
    }

    #[test]
    fn batches_differ_by_worker_call_and_seed_and_are_the_same_again() {
        let load = Load::new(&table(1_000_000, 0.975, 500), 200, 1);
        let batch = load.batch(1, 2);
        assert_eq!(batch, load.batch(1, 2));
        let other = Load::new(&table(1_000_000, 0.975, 500), 200, 2);
        for differs in [load.batch(2, 1), load.batch(1, 3), other.batch(1, 2)] {
            assert_ne!(batch, differs);
        }
        assert!(batch.ranks.windows(2).all(|pair| pair[0] < pair[1]));
        assert!(batch.rows.iter().all(|row| (1..=1000).contains(row)));
        assert_eq!(batch.ranks.len() as u64 + batch.cold, 200);
    }
}
