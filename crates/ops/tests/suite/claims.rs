//! Claims that are false are found, and those that are true are not denied.

use netfold_ops::{Claim, Counterexample, examine};

use super::support::{bytes, folding, integers, load, module};

const CLAIMS: &str = "associative yes\ncommutative yes\nidentity 00000000\n";

/// An operation on single elements: `value` gives the result from `$l` and `$r`.
fn operation(declaration: &str, scalar: &str, value: &str) -> Vec<u8> {
    let body = folding(&format!(
        "(local $l {scalar}) (local $r {scalar})
         (loop $next
            (local.set $l ({scalar}.load (local.get $left)))
            (local.set $r ({scalar}.load (local.get $right)))
            ({scalar}.store (local.get $left) {value})
            (local.set $left (i32.add (local.get $left) (i32.const 4)))
            (local.set $right (i32.add (local.get $right) (i32.const 4)))
            (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))"
    ));
    module(&format!("abi 1\nname x\nelement {scalar}\n{declaration}"), &body)
}

fn examined(bytes: &[u8]) -> Vec<Counterexample> {
    let operation = load(bytes).unwrap();
    let found = examine(&operation, 200, 7).unwrap();
    // A counterexample says what it says of the operation itself.
    for example in &found {
        let text = example.describe(operation.declaration());
        assert!(text.contains(" = "), "{text}");
        assert_ne!(example.left, example.right);
    }
    found
}

fn claims(found: &[Counterexample]) -> Vec<Claim> {
    found.iter().map(|example| example.claim).collect()
}

fn of_integers(value: &str) -> Vec<Counterexample> {
    examined(&operation(CLAIMS, "i32", value))
}

const L: &str = "(local.get $l)";
const R: &str = "(local.get $r)";

#[test]
fn true_claims_hold() {
    assert_eq!(of_integers(&format!("(i32.add {L} {R})")), []);
    assert_eq!(of_integers(&format!("(i32.or {L} {R})")), []);
    assert_eq!(of_integers(&format!("(i32.xor {L} {R})")), []);
    let none = "associative no\ncommutative no\n";
    assert_eq!(examined(&operation(none, "i32", &format!("(i32.sub {L} {R})"))), []);
}

#[test]
fn a_difference_is_neither() {
    let found = of_integers(&format!("(i32.sub {L} {R})"));
    assert_eq!(claims(&found), [Claim::Associative, Claim::Commutative, Claim::LeftIdentity]);
    // (a - b) - c and a - (b - c) differ if c does not vanish, as little as can be by c = 1; a - b
    // and b - a, if a and b differ; 0 - a and a, if a is not 0.
    let operands: Vec<Vec<i32>> =
        found[0].operands.iter().map(|operand| integers(operand)).collect();
    assert_eq!(operands, [[0], [0], [1]]);
    assert_eq!((integers(&found[0].left), integers(&found[0].right)), (vec![-1], vec![1]));
    let sizes = |example: &Counterexample| -> i32 {
        example.operands.iter().map(|operand| integers(operand)[0].abs()).sum()
    };
    assert_eq!((sizes(&found[1]), sizes(&found[2])), (1, 1));
}

#[test]
fn a_mean_commutes_and_is_not_associative() {
    let mean = format!("(i32.shr_u (i32.add {L} {R}) (i32.const 1))");
    let found = of_integers(&mean);
    assert!(claims(&found).starts_with(&[Claim::Associative, Claim::LeftIdentity]));
    assert!(!claims(&found).contains(&Claim::Commutative));
}

#[test]
fn the_left_operand_is_associative_and_does_not_commute() {
    assert_eq!(claims(&of_integers(L)), [Claim::Commutative, Claim::LeftIdentity]);
}

/// Associative but for one rare value.
#[test]
fn a_rare_exception_is_found() {
    let value =
        format!("(select (i32.const 1) (i32.add {L} {R}) (i32.eq {L} (i32.const 2147483647)))");
    let found = of_integers(&value);
    assert!(claims(&found).contains(&Claim::RightIdentity));
    let right = found.iter().find(|example| example.claim == Claim::RightIdentity).unwrap();
    assert_eq!(right.operands, [bytes(&[i32::MAX])]);
}

/// R-OP-4: sums of floats are associative up to rounding: by 4 of 2^-24 at most, each of the three
/// magnitudes, of an addition each; not by bits.
#[test]
fn rounding_needs_a_tolerance() {
    let sum = format!("(f32.add {L} {R})");
    let claimed = |claim: &str| {
        let text = format!("associative {claim}\ncommutative yes\nidentity 00000080\n");
        claims(&examined(&operation(&text, "f32", &sum)))
    };
    assert_eq!(claimed("yes"), [Claim::Associative]);
    assert_eq!(claimed("within 2.4e-7"), []);
    assert_eq!(claimed("within 1e-9"), [Claim::Associative]);
    // 0 + -0 = 0
    let zero = "associative yes\ncommutative yes\nidentity 00000000\nrange 0 0 0\n";
    assert_eq!(claims(&examined(&operation(zero, "f32", &sum))), []);
}

/// R-OP-6: a claim holds in its range.
#[test]
fn ranges_bound_claims() {
    // A sum that ends at 100, from both ends; of numbers that are not negative it is associative.
    let sum = format!("(i32.add {L} {R})");
    let most = "(i32.const 100)";
    let saturating = format!("(select {most} {sum} (i32.gt_s {sum} {most}))");
    let bounded = format!("{CLAIMS}range 0 0 100\n");
    assert_eq!(examined(&operation(&bounded, "i32", &saturating)), []);
    let signed = format!("{CLAIMS}range 0 -100 100\n");
    let found = examined(&operation(&signed, "i32", &saturating));
    assert_eq!(claims(&found), [Claim::Associative]);
    for operand in &found[0].operands {
        assert!((-100..=100).contains(&integers(operand)[0]));
    }
}

/// R-OP-6: a counterexample that is made smaller stays in its range.
#[test]
fn small_operands_are_those_of_the_range() {
    let mean = format!("(i32.shr_u (i32.add {L} {R}) (i32.const 1))");
    let found = examined(&operation("associative yes\nrange 0 5 50\n", "i32", &mean));
    let operands: Vec<i32> =
        found[0].operands.iter().flat_map(|operand| integers(operand)).collect();
    assert!(operands.iter().all(|operand| (5..=50).contains(operand)), "{operands:?}");
    let float = format!("(f32.mul (f32.add {L} {R}) (f32.const 0.5))");
    let found = examined(&operation("associative yes\nrange 0 2.5 9\n", "f32", &float));
    let operands = found[0]
        .operands
        .iter()
        .map(|operand| f32::from_le_bytes([0, 1, 2, 3].map(|at| operand[at])));
    assert!(operands.into_iter().all(|operand| (2.5..=9.0).contains(&operand)));
}

/// R-OP-3
#[test]
fn neighbours_that_matter_are_found() {
    // Each element becomes the sum of the first ones.
    let value = "(local.get $first)";
    let body = folding(&format!(
        "(local $first i32)
         (local.set $first (i32.add (i32.load (local.get $left)) (i32.load (local.get $right))))
         (loop $next
            (i32.store (local.get $left) {value})
            (local.set $left (i32.add (local.get $left) (i32.const 4)))
            (br_if $next (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))"
    ));
    let text = |scope: &str| format!("abi 1\nname x\nelement i32\nscope {scope}\n");
    let found = examined(&module(&text("element"), &body));
    assert_eq!(claims(&found), [Claim::Elements]);
    assert_eq!(found[0].operands[0].len(), 8, "{found:?}");
    assert_eq!(examined(&module(&text("message 100"), &body)), []);
}

/// R-OP-7
#[test]
fn a_state_is_found() {
    let body = folding(
        "(global.set $calls (i32.add (global.get $calls) (i32.const 1)))
         (i32.store (local.get $left) (global.get $calls))",
    );
    let global = "(global $calls (mut i32) (i32.const 0))";
    let found = examined(&module(
        "abi 1\nname x\nelement i32\nscope message 1\n",
        &format!("{body} {global}"),
    ));
    assert_eq!(claims(&found), [Claim::Stateless]);
}

#[test]
fn the_same_seed_finds_the_same() {
    let bytes = operation(CLAIMS, "i32", &format!("(i32.mul {L} (i32.add {R} (i32.const 1)))"));
    let operation = load(&bytes).unwrap();
    let found = examine(&operation, 100, 3).unwrap();
    assert!(!found.is_empty());
    assert_eq!(found, examine(&operation, 100, 3).unwrap());
}

/// A trap with operands of the ranges is no counterexample: the operation is of no use.
#[test]
fn a_trap_ends_the_examination() {
    // One in 2^20 operands traps, and the trial draws fewer than that.
    let rare = format!("(i32.div_u {L} (i32.xor {R} (i32.const 123456789)))");
    let never = operation("", "i32", &rare);
    assert_eq!(examined(&never), []);
    let ranged = operation("range 0 123456700 123456800\n", "i32", &rare);
    assert_eq!(load(&ranged).unwrap_err().name(), "trap");
    // A division of what a division gives: the trial folds no results.
    let divide = format!("(i32.div_u {L} {R})");
    let claimed = operation("associative yes\nrange 0 1 9\n", "i32", &divide);
    let error = examine(&load(&claimed).unwrap(), 50, 1).unwrap_err();
    assert!(error.to_string().contains("arithmetic"), "{error}");
}
