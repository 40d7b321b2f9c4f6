//! Faults that comparisons have to find.

use std::cell::RefCell;

use netfold_pisa::Pipeline;
use netfold_pisa::program::Pattern;

/// Has rounds of the odd pool, which this pattern of table `jobs` stands for, use the copies of the
/// even one, so many words before their own.
pub fn without_shadow(pipeline: &mut Pipeline, odd: Pattern, words: u64) {
    let found = RefCell::new(Vec::new());
    pipeline.remove("jobs", |entry| {
        let is_odd = entry.patterns[2] == odd;
        found.borrow_mut().extend(is_odd.then(|| entry.clone()));
        is_odd
    });
    let found = found.into_inner();
    assert!(!found.is_empty());
    for mut entry in found {
        entry.values[0] -= words;
        pipeline.insert("jobs", &entry.patterns, "find", &entry.values).unwrap();
    }
}
