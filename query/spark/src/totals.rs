//! The totals of a sum's groups as Spark's driver takes them (R-QRY-38).

use std::sync::Arc;

use netfold_net::Totals;
use netfold_num::Sum;

use crate::master::Outcome;

/// Totals that are awaited, or the reason why they will not come.
pub type TotalsOutcome = Outcome<Result<Arc<Totals>, String>>;

/// Returns the longs of a group: its key, and for each sum two of an integer, the lower one first,
/// or one of a float's bits.
pub fn longs_of_group(totals: &Totals) -> usize {
    let longs = |sum: &Sum| if *sum == Sum::Integer { 2 } else { 1 };
    1 + totals.sums().iter().map(longs).sum::<usize>()
}

/// Returns the longs of all groups, one after the other.
pub fn longs(totals: &Totals) -> Vec<i64> {
    let mut all = Vec::with_capacity(totals.len() * longs_of_group(totals));
    for (key, mut rest) in totals.groups() {
        all.push(key as i64);
        for sum in totals.sums() {
            let (own, behind) = rest.split_at(sum.words());
            rest = behind;
            match sum {
                Sum::Integer => all.extend([own[0] as i64, own[1] as i64]),
                sum => all.push(sum.to_f64(own).to_bits() as i64),
            }
        }
    }
    all
}
