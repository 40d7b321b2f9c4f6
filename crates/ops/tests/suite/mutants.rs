//! Modules that are wrong in one place. The fuzz target `operation` looks for more of them.

use std::collections::BTreeMap;

use netfold_ops::{Limits, Operation, Refused, check};

use super::sections::{joined, split};
use super::seeds::SEEDS;
use super::support::{SUM, SUM_BODY, bytes, integers, load, module, runtime};

/// Most work of the calls of a trial: a mutant that loops is refused soon.
const LIMITS: Limits = Limits {
    module_bytes: 4096,
    functions: 8,
    body_bytes: 1024,
    locals: 64,
    items: 8,
    table_elements: 16,
    memory_bytes: 1 << 20,
    time: std::time::Duration::from_millis(100),
    work: 1000,
    work_per_byte: 16,
};

/// Mutants of each seed.
const MUTANTS: u32 = 700;

/// Numbers from xorshift64 (Marsaglia, 2003).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % bound
    }
}

/// Changes a section: one of its bytes, most often, or its length, or its place in the module.
fn mutate(sections: &mut Vec<(u8, Vec<u8>)>, random: &mut Random) {
    let at = random.below(sections.len());
    let content = &mut sections[at].1;
    let place = random.below(content.len() + 1);
    match random.below(16) {
        0 => content.truncate(place),
        1 => content.insert(place, random.below(256) as u8),
        2 => {
            sections.remove(at);
        }
        3 => {
            let twice = sections[at].clone();
            sections.insert(at, twice);
        }
        4 => {
            let other = random.below(sections.len());
            sections.swap(at, other);
        }
        5 => sections[at].0 = random.below(14) as u8,
        6..=10 if place < content.len() => content[place] ^= 1 << random.below(8),
        _ if place < content.len() => content[place] = random.below(256) as u8,
        _ => content.push(0),
    }
}

/// An admitted module folds, or traps; nothing else happens, and an instance can be had again.
fn folds(operation: &Operation) {
    let element = operation.declaration().element.bytes();
    let mut instance = operation.instance().unwrap();
    for _ in 0..2 {
        let before = vec![1; element];
        let mut accumulator = before.clone();
        if instance.fold(&mut accumulator, &vec![2; element]).is_err() {
            assert_eq!(accumulator, before);
        }
    }
}

#[test]
fn mutants_are_refused_by_name_or_fold() {
    let (mut refused, mut admitted) = (BTreeMap::<_, u32>::new(), 0);
    for (seed, text) in (1..).zip(SEEDS) {
        let whole = wat::parse_str(text).unwrap();
        let sections = split(&whole).unwrap();
        assert_eq!(joined(&sections), whole);
        let mut random = Random(seed);
        for number in 0..MUTANTS {
            let mut mutant = sections.clone();
            mutate(&mut mutant, &mut random);
            let mutant = joined(&mutant);
            // Printed when the test fails, or a panic ends it.
            println!("seed {seed}, mutant {number}");
            match Operation::load(runtime(), &mutant, &LIMITS) {
                Ok(operation) => {
                    admitted += 1;
                    folds(&operation);
                }
                Err(why) => {
                    *refused.entry(why.name()).or_default() += 1;
                    // What a check refuses is refused before anything is compiled.
                    let late = matches!(
                        why,
                        Refused::Compile(_) | Refused::Work { .. } | Refused::Trap(_)
                    );
                    assert_eq!(check(&mutant, &LIMITS).is_ok(), late, "{why}");
                }
            }
        }
    }
    println!("{admitted} admitted, {refused:?}");
    assert!(admitted > MUTANTS / 4, "{admitted} were admitted");
    for name in ["count", "declaration", "export", "invalid", "memory", "trap", "truncated"] {
        assert!(refused.contains_key(name), "{name}: {refused:?}");
    }
    // The runtime is as it was.
    let operation = load(&module(SUM, SUM_BODY)).unwrap();
    let mut sum = bytes(&[1, 2]);
    operation.instance().unwrap().fold(&mut sum, &bytes(&[3, 4])).unwrap();
    assert_eq!(integers(&sum), [4, 6]);
}
