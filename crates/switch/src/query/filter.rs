//! Filters: comparisons with constants, and a truth table (R-QRY-6).

use netfold_kernels::Kernels;
use netfold_wire::{MOST_PREDICATES, Predicate};

use super::rows::Rows;

/// A filter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Filter {
    predicates: Vec<Predicate>,
    truth: u64,
}

impl Filter {
    pub(super) fn new(predicates: Vec<Predicate>, truth: u64) -> Self {
        Self { predicates, truth }
    }

    pub(super) fn forwards(&self, columns: &[i64]) -> bool {
        let outcome = |(i, predicate): (usize, &Predicate)| {
            let code = columns[usize::from(predicate.column)];
            usize::from(predicate.comparison.holds(code, predicate.constant)) << i
        };
        let index: usize = self.predicates.iter().enumerate().map(outcome).sum();
        self.truth >> index & 1 == 1
    }

    pub(super) fn offer(&self, rows: &Rows<'_>, bits: &mut [u64]) {
        let kernels = Kernels::best();
        // The outcomes of each comparison for 64 rows.
        let mut outcomes = [0; MOST_PREDICATES];
        for (chunk, word) in bits.iter_mut().enumerate() {
            let len = (rows.len() - chunk * 64).min(64);
            for (predicate, outcome) in self.predicates.iter().zip(&mut outcomes) {
                let codes = &rows.columns[usize::from(predicate.column)][chunk * 64..][..len];
                let outcome = std::slice::from_mut(outcome);
                kernels.compare(predicate.comparison, codes, predicate.constant, outcome);
            }
            let used = &outcomes[..self.predicates.len()];
            let all = u64::MAX >> (64 - len);
            *word = choose(used, self.truth) & all;
        }
    }
}

/// Looks up the truth table for 64 rows at once: the last comparison tells its upper half from its
/// lower one.
fn choose(outcomes: &[u64], truth: u64) -> u64 {
    let Some((last, others)) = outcomes.split_last() else {
        return if truth & 1 == 1 { u64::MAX } else { 0 };
    };
    let half = 1 << others.len();
    let lower = truth & (u64::MAX >> (64 - half));
    let upper = truth >> half & (u64::MAX >> (64 - half));
    if lower == upper {
        return choose(others, lower);
    }
    choose(others, upper) & last | choose(others, lower) & !last
}
