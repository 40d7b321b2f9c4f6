//! Operations of users, as their authors build, test and time them.

mod arrays;
mod merges;
mod signed;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use netfold_ops::{Hash, Instance, Limits, Operation, Runtime};

use crate::support::{Ended, ended, netfold};

/// Runs `netfold op` with these arguments.
fn op(arguments: &[&str]) -> Ended {
    ended(&mut netfold(&[&["op"], arguments].concat()))
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// The source of an example.
fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/ops").join(name)
}

/// Returns the output of a tool, or nothing where it is not on the path.
fn printed(tool: &str, arguments: &[&str]) -> String {
    let output = Command::new(tool).args(arguments).output();
    output.map_or_else(|_| String::new(), |output| String::from_utf8(output.stdout).unwrap())
}

/// Builds an example. `None` on a machine without the compiler, where it says so.
fn built(name: &str, folder: &Path) -> Option<PathBuf> {
    let present = if name.ends_with(".c") {
        printed("clang", &["--print-targets"]).contains("wasm32")
    } else {
        let target = ["--print", "target-libdir", "--target", "wasm32-unknown-unknown"];
        Path::new(printed("rustc", &target).trim_end()).is_dir()
    };
    if !present {
        eprintln!("skipped: {name} is not built, since there is no compiler for wasm32");
        return None;
    }
    let out = folder.join(name).with_extension("wasm");
    let build = op(&["build", text(&example(name)), "--out", text(&out)]);
    assert_eq!(build.status, Some(0), "{}", build.stderr);
    let hash = Hash::of(&fs::read(&out).unwrap()).to_string();
    assert!(build.stdout.contains(&hash), "{}", build.stdout);
    Some(out)
}

/// An instance of an example, whose claims hold. `None` on a machine without the compiler.
fn instance(name: &str) -> Option<Instance> {
    let folder = tempfile::tempdir().unwrap();
    let module = built(name, folder.path())?;
    let test = op(&["test", text(&module), "--rounds", "300", "--seed", "11"]);
    assert_eq!(test.status, Some(0), "{}{}", test.stdout, test.stderr);
    let bytes = fs::read(module).unwrap();
    let operation = Operation::load(&Runtime::new().unwrap(), &bytes, &Limits::default()).unwrap();
    Some(operation.instance().unwrap())
}

/// Numbers from a linear congruential generator (Knuth, MMIX).
fn random(count: usize) -> Vec<u64> {
    let mut state = 42_u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 16
    };
    (0..count).map(|_| next()).collect()
}

const COUNT: usize = 20_000;

#[test]
fn sum_of_integers() {
    let Some(mut instance) = instance("sum_i32.c") else { return };
    let numbers: Vec<i32> = random(2 * COUNT).iter().map(|bits| *bits as i32).collect();
    let (left, right) = numbers.split_at(COUNT);
    let bytes = |numbers: &[i32]| numbers.iter().flat_map(|one| one.to_le_bytes()).collect();
    let (mut accumulator, operand): (Vec<u8>, Vec<u8>) = (bytes(left), bytes(right));
    let mut expected = accumulator.clone();
    netfold_kernels::fold(
        netfold_num::ElementType::I32,
        netfold_num::Operation::Sum,
        netfold_num::ByteOrder::Little,
        &mut expected,
        &operand,
    );
    instance.fold(&mut accumulator, &operand).unwrap();
    assert_eq!(accumulator, expected);
}

#[test]
fn complex_sum() {
    let Some(mut instance) = instance("complex_sum.c") else { return };
    let parts: Vec<f32> = random(4 * COUNT).iter().map(|bits| *bits as i16 as f32 / 77.0).collect();
    let (left, right) = parts.split_at(2 * COUNT);
    let bytes = |parts: &[f32]| parts.iter().flat_map(|part| part.to_le_bytes()).collect();
    let (mut accumulator, operand): (Vec<u8>, Vec<u8>) = (bytes(left), bytes(right));
    instance.fold(&mut accumulator, &operand).unwrap();
    let sums: Vec<f32> = left.iter().zip(right).map(|(left, right)| left + right).collect();
    let expected: Vec<u8> = bytes(&sums);
    assert_eq!(accumulator, expected);
}

/// The oracle sorts all entries of a position, instead of comparing two at a time.
#[test]
fn argmax_with_index() {
    let Some(mut instance) = instance("argmax.c") else { return };
    let operands: Vec<Vec<(f32, u32)>> = (0..5_u32)
        .map(|worker| {
            let values = random(COUNT * 5).split_off(COUNT * worker as usize);
            values[..COUNT].iter().map(|bits| ((bits % 7) as f32 - 3.0, 10 - worker)).collect()
        })
        .collect();
    let bytes = |entries: &[(f32, u32)]| -> Vec<u8> {
        let pairs = entries.iter();
        pairs.flat_map(|(value, at)| [value.to_le_bytes(), at.to_le_bytes()].concat()).collect()
    };
    let mut accumulator = bytes(&operands[0]);
    for operand in &operands[1..] {
        instance.fold(&mut accumulator, &bytes(operand)).unwrap();
    }
    let expected: Vec<(f32, u32)> = (0..COUNT)
        .map(|position| {
            let mut entries: Vec<_> = operands.iter().map(|operand| operand[position]).collect();
            entries.sort_by(|(one, at), (other, other_at)| {
                other.total_cmp(one).then(at.cmp(other_at))
            });
            entries[0]
        })
        .collect();
    assert_eq!(accumulator, bytes(&expected));
}

/// A fold in Rust: of equal values the one of the lowest rank stays, wherever operands are grouped.
#[test]
fn first_maximum_in_rust() {
    let Some(mut instance) = instance("first_maximum.rs") else { return };
    let values: Vec<i32> = random(3 * COUNT).iter().map(|bits| (bits % 5) as i32 - 2).collect();
    let operands: Vec<Vec<u8>> = (0_u32..)
        .zip(values.chunks(COUNT))
        .map(|(rank, values)| {
            let pairs = values.iter();
            pairs.flat_map(|value| [value.to_le_bytes(), rank.to_le_bytes()].concat()).collect()
        })
        .collect();
    let mut accumulator = operands[0].clone();
    operands[1..].iter().for_each(|operand| instance.fold(&mut accumulator, operand).unwrap());
    for (position, entry) in accumulator.chunks_exact(8).enumerate() {
        let value = i32::from_le_bytes(entry[..4].try_into().unwrap());
        let rank = u32::from_le_bytes(entry[4..].try_into().unwrap());
        let all: Vec<i32> = (0..3).map(|rank| values[rank * COUNT + position]).collect();
        assert_eq!(Some(&value), all.iter().max());
        assert_eq!(Some(rank as usize), all.iter().position(|other| *other == value));
    }
}

/// The oracle is log(exp(a) + exp(b)) by the library's functions. Each exponential is right to an
/// ulp, their sum to half of one more, and the logarithm turns these shares into as much of an
/// absolute error, and adds an ulp of its own: at most 2.5 * 2^-52 and 2^-52 of the result. The
/// example adds three roundings, of the largest operand, log1p and the sum: twice that is allowed.
#[test]
fn log_sum_exp() {
    let Some(mut instance) = instance("log_sum_exp.c") else { return };
    let number = |bits: &u64| (bits % (1 << 30)) as f64 / f64::from(1 << 30) * 60.0 - 30.0;
    let numbers: Vec<f64> = random(2 * COUNT).iter().map(number).collect();
    let (left, right) = numbers.split_at(COUNT);
    let bytes = |numbers: &[f64]| numbers.iter().flat_map(|one| one.to_le_bytes()).collect();
    let (mut accumulator, operand): (Vec<u8>, Vec<u8>) = (bytes(left), bytes(right));
    instance.fold(&mut accumulator, &operand).unwrap();
    for ((left, right), result) in left.iter().zip(right).zip(accumulator.chunks_exact(8)) {
        let result = f64::from_le_bytes(result.try_into().unwrap());
        let expected = (left.exp() + right.exp()).ln();
        let bound = 2.0 * f64::EPSILON * (2.5 + expected.abs());
        assert!((result - expected).abs() <= bound, "{left} {right}: {result}, {expected}");
    }
    // Far apart, infinite, and not a number.
    let infinity = f64::INFINITY;
    for (left, right, expected) in [
        (-1e300, 5.0, 5.0),
        (5.0, -745.5, 5.0),
        (-infinity, 3.0, 3.0),
        (-infinity, -infinity, -infinity),
        (infinity, 1.0, infinity),
        (infinity, infinity, infinity),
    ] {
        let mut accumulator = bytes(&[left]);
        instance.fold(&mut accumulator, &bytes(&[right])).unwrap();
        assert_eq!(accumulator, bytes(&[expected]), "{left} {right}");
    }
}

/// A module that subtracts, and claims that its order does not matter.
fn difference(folder: &Path) -> PathBuf {
    let path = folder.join("minus.wasm");
    let module = r#"(module
        (@custom "netfold.operation" "abi 1\nname minus\nelement i32\ncommutative yes\n")
        (memory (export "memory") 1)
        (func (export "fold") (param i32 i32 i32)
            (loop $next
                (i32.store (local.get 0)
                    (i32.sub (i32.load (local.get 0)) (i32.load (local.get 1))))
                (local.set 0 (i32.add (local.get 0) (i32.const 4)))
                (local.set 1 (i32.add (local.get 1) (i32.const 4)))
                (br_if $next (local.tee 2 (i32.sub (local.get 2) (i32.const 1)))))))"#;
    fs::write(&path, wat::parse_str(module).unwrap()).unwrap();
    path
}

#[test]
fn a_false_claim_is_reported_with_operands() {
    let folder = tempfile::tempdir().unwrap();
    let module = difference(folder.path());
    let test = op(&["test", text(&module)]);
    assert_eq!(test.status, Some(1));
    assert!(test.stdout.contains("minus: a claim is false: commutative\na = "), "{}", test.stdout);
    let show = op(&["show", text(&module)]);
    assert_eq!(show.status, Some(0));
    assert!(
        show.stdout.contains("not associative, commutative, no identity; folded in rank order")
    );
    let bench = op(&["bench", text(&module)]);
    assert_eq!(bench.status, Some(0), "{}", bench.stderr);
    assert!(bench.stdout.contains("minus, 1024 bytes"), "{}", bench.stdout);
}

#[test]
fn what_cannot_be_loaded_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.wasm");
    let missing = op(&["show", text(&path)]);
    assert_eq!(missing.status, Some(2));
    fs::write(&path, "(module)").unwrap();
    let refused = op(&["test", text(&path)]);
    assert_eq!(refused.status, Some(1));
    assert!(refused.stderr.contains("this is no WebAssembly module"), "{}", refused.stderr);
}

#[test]
fn what_cannot_be_built_says_what_to_install() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("x.rs");
    fs::write(&source, "#![no_std]").unwrap();
    let built = |source: &Path| {
        let mut command = netfold(&["op", "build", text(source)]);
        ended(command.env("PATH", folder.path()))
    };
    let sum = example("sum_i32.c");
    let out = folder.path().join("x.wasm");
    let mut command = netfold(&["op", "build", text(&sum), "--out", text(&out)]);
    let no_clang = ended(command.env("PATH", folder.path()));
    assert_eq!(no_clang.status, Some(1));
    assert!(no_clang.stderr.contains("apt-get install clang"), "{}", no_clang.stderr);
    assert!(built(&source).stderr.contains("rustup.rs"));
    // A Rust without the target: the folder that it names is not there.
    let rustc = folder.path().join("rustc");
    fs::write(&rustc, "#!/bin/sh\necho /nowhere/lib\n").unwrap();
    fs::set_permissions(&rustc, fs::Permissions::from_mode(0o755)).unwrap();
    let no_target = built(&source);
    assert_eq!(no_target.status, Some(1));
    assert!(no_target.stderr.contains("rustup target add wasm32-unknown-unknown"));
    let other = folder.path().join("x.zig");
    fs::write(&other, "").unwrap();
    assert_eq!(built(&other).status, Some(2));
}
