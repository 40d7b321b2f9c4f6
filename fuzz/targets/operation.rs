//! Any bytes are either refused as a module by name, or have a declaration that keeps to its limits
//! (R-OP-2, R-OP-3, R-OP-16). Modules are changed section by section, so that the search gets past
//! their lengths. With the feature `run` what is not refused is compiled, tried and run, too.
#![no_main]
#![forbid(unsafe_code)]

#[path = "../../crates/ops/tests/suite/sections.rs"]
mod sections;

use std::sync::LazyLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use netfold_ops::{Declaration, Limits, MAX_ELEMENT_BYTES, check};

/// The modules that the search begins with.
static SEEDS: [&[u8]; 3] = [
    include_bytes!(concat!(env!("OUT_DIR"), "/seed0.wasm")),
    include_bytes!(concat!(env!("OUT_DIR"), "/seed1.wasm")),
    include_bytes!(concat!(env!("OUT_DIR"), "/seed2.wasm")),
];

/// A memory that has room for the buffers of the longest batches, and not much more.
static LIMITS: LazyLock<Limits> =
    LazyLock::new(|| Limits { memory_bytes: 1 << 20, work: 1000, ..Limits::default() });

fuzz_target!(|module: &[u8]| {
    let checked = check(module, &LIMITS);
    assert_eq!(checked, check(module, &LIMITS));
    if let Ok(declaration) = &checked {
        keeps_to_its_limits(declaration);
    }
    #[cfg(feature = "run")]
    run::load(module, &checked);
});

fn keeps_to_its_limits(declaration: &Declaration) {
    let element = &declaration.element;
    assert!((1..=MAX_ELEMENT_BYTES).contains(&element.bytes()));
    for pair in element.fields().windows(2) {
        assert!(pair[0].offset + pair[0].scalars * pair[0].scalar.bytes() <= pair[1].offset);
    }
    let last = element.fields().last().expect("an element has a field");
    assert!(last.offset + last.scalars * last.scalar.bytes() <= element.bytes());
    let batch = declaration.batch_bytes();
    assert!(batch > 0 && batch.is_multiple_of(element.bytes()));
    assert!(batch <= netfold_ops::BATCH_BYTES.max(element.bytes()));
    assert!(declaration.identity.as_ref().is_none_or(|bytes| bytes.len() == element.bytes()));
    assert_eq!(declaration.ranges.len(), element.fields().len());
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut chance = seed as usize;
    let mut below = |bound: usize| {
        let drawn = chance % bound;
        chance /= bound;
        drawn
    };
    // Without sections there is nothing to keep: most of these begin anew.
    let Some(mut sections) = sections::split(&data[..size]).filter(|all| !all.is_empty()) else {
        let module = SEEDS[below(SEEDS.len())];
        if below(4) == 0 || module.len() > max_size {
            return fuzzer_mutate(data, size, max_size);
        }
        data[..module.len()].copy_from_slice(module);
        return module.len();
    };
    let (kind, at) = (below(16), below(sections.len()));
    match kind {
        0 => {
            sections.remove(at);
        }
        1 => {
            let other = SEEDS[below(SEEDS.len())];
            let others = sections::split(other).expect("a module");
            sections.insert(at, others[below(others.len())].clone());
        }
        2 => {
            let other = below(sections.len());
            sections.swap(at, other);
        }
        3 => return fuzzer_mutate(data, size, max_size),
        _ => {
            let content = &mut sections[at].1;
            let (before, room) = (content.len(), max_size.saturating_sub(size));
            content.resize(before + room.clamp(1, 64), 0);
            let most = content.len();
            let after = fuzzer_mutate(content, before, most);
            content.truncate(after);
        }
    }
    let module = sections::joined(&sections);
    if module.len() > max_size {
        return size;
    }
    data[..module.len()].copy_from_slice(&module);
    module.len()
});

#[cfg(feature = "run")]
mod run {
    use std::sync::LazyLock;

    use netfold_ops::{Declaration, Operation, Refused, Runtime};

    use super::LIMITS;

    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime"));

    /// An admitted module folds or traps. One that is refused after the checks was tried.
    pub fn load(module: &[u8], checked: &Result<Declaration, Refused>) {
        match Operation::load(&RUNTIME, module, &LIMITS) {
            Ok(operation) => {
                assert_eq!(checked.as_ref(), Ok(operation.declaration()));
                let before = vec![1; operation.declaration().element.bytes()];
                let mut accumulator = before.clone();
                let mut instance = operation.instance().expect("an instance");
                if instance.fold(&mut accumulator, &before).is_err() {
                    assert_eq!(accumulator, before);
                }
            }
            Err(Refused::Compile(_) | Refused::Work { .. } | Refused::Trap(_)) => {
                assert!(checked.is_ok());
            }
            Err(why) => assert_eq!(checked.as_ref().err(), Some(&why)),
        }
    }
}
