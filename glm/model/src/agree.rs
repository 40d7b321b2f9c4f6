//! Sums of integers over all workers, for what must be exact: counts, votes, whether all do the
//! same (R-GLM-17).

use crate::config::Config;
use crate::data::Data;
use crate::error::Error;
use crate::exchange::Exchange;
use crate::model::FeatureScaling;
use std::hash::Hasher;

/// Bits of an integer that a lane carries: 2^16 workers may add them without an overflow.
const LANE_BITS: u32 = 15;

/// The sum of integers over all workers, exact modulo 2^64.
pub(crate) fn sum(exchange: &mut impl Exchange, numbers: &[i64]) -> Result<Vec<i64>, Error> {
    let wide: Vec<i128> = numbers.iter().map(|&number| number.into()).collect();
    Ok(sum_in_lanes::<5>(exchange, &wide)?.into_iter().map(|sum| sum as i64).collect())
}

/// Returns the same as [`sum`], modulo 2^128.
pub(crate) fn sum_wide(exchange: &mut impl Exchange, numbers: &[i128]) -> Result<Vec<i128>, Error> {
    sum_in_lanes::<9>(exchange, numbers)
}

/// The lowest bits of sums: those of so many lanes.
fn sum_in_lanes<const LANES: usize>(
    exchange: &mut impl Exchange,
    numbers: &[i128],
) -> Result<Vec<i128>, Error> {
    if exchange.workers() == 1 || numbers.is_empty() {
        return Ok(numbers.to_vec());
    }
    let part = |number: i128, lane: usize| {
        (number >> (LANE_BITS * lane as u32)) as i32 & ((1 << LANE_BITS) - 1)
    };
    let mut lanes: Vec<i32> =
        numbers.iter().flat_map(|&number| (0..LANES).map(move |lane| part(number, lane))).collect();
    let submission = exchange.submit(&lanes).map_err(Error::exchange)?;
    exchange.collect(submission, &mut lanes).map_err(Error::exchange)?;
    let whole = |lanes: &[i32]| {
        let shifted = lanes
            .iter()
            .enumerate()
            .map(|(lane, &part)| i128::from(part) << (LANE_BITS * lane as u32));
        shifted.fold(0, i128::wrapping_add)
    };
    Ok(lanes.chunks_exact(LANES).map(whole).collect())
}

/// Checks that all workers have the same configuration and, where asked, the same number of rows
/// and the same grid.
pub(crate) fn check(
    exchange: &mut impl Exchange,
    config: &Config,
    outputs: usize,
    data: &Data<'_>,
    rows: Option<usize>,
    grid: Option<&FeatureScaling>,
) -> Result<(), Error> {
    let bits = grid
        .into_iter()
        .flat_map(|grid| &grid.features)
        .flat_map(|(low, span)| [low.to_bits(), span.to_bits()]);
    let precision = data.precision();
    // What was not cut does not say of how many features it is a part.
    let features = if data.whole().parts() > 1 { data.whole().features() } else { 0 };
    let told = [
        (digest(format!("{config:?} {outputs} {precision:?}").bytes()), "the configuration"),
        (features as i64, "the number of features"),
        (rows.unwrap_or(0) as i64, "the number of samples"),
        (
            digest(bits.flat_map(u32::to_le_bytes)),
            "how far features reach; quantise them over all samples",
        ),
    ];
    // Squares too, so that differences do not cancel out by chance.
    let numbers: Vec<i64> =
        told.iter().flat_map(|&(number, _)| [number, number.wrapping_mul(number)]).collect();
    let (workers, found) = (exchange.workers() as i64, sum(exchange, &numbers)?);
    let same = |(own, all): (&i64, &i64)| own.wrapping_mul(workers) == *all;
    for ((own, all), (_, what)) in numbers.chunks(2).zip(found.chunks(2)).zip(told) {
        if !own.iter().zip(all).all(same) {
            return Err(Error::Disagreement(what));
        }
    }
    Ok(())
}

/// A number of 20 bits, whose sums and squares are small.
fn digest(bytes: impl Iterator<Item = u8>) -> i64 {
    let mut hasher = Fnv(0xCBF2_9CE4_8422_2325);
    bytes.for_each(|byte| hasher.write_u8(byte));
    (hasher.finish() % (1 << 20)) as i64
}

/// FNV-1a, the same on every machine.
struct Fnv(u64);

impl Hasher for Fnv {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
    fn finish(&self) -> u64 {
        self.0
    }
}
