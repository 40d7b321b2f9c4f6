//! Errors of sums over trees of switches beside the exact sum: R-FPI-24 to 27.

extern crate std;

use super::exact::{Model, value};
use crate::fpisa::{Adder, Format, Movement, Register, Rounding, Variant};
use proptest::prelude::*;
use std::boxed::Box;
use std::vec::Vec;

/// A worker with its operand, or a switch with its members.
#[derive(Clone, Debug)]
enum Node {
    Worker(u32),
    Switch(Vec<Node>),
}

/// Result of a node, and the error that the rules allow it, in units of the exact sums.
struct Outcome {
    /// The pattern that goes up.
    bits: u32,
    /// The exact sum of the workers below.
    exact: i128,
    /// The sum of R-FPI-25 or 26, in u(X).
    allowed: i128,
    /// Magnitudes of what has been overwritten, at most (R-FPI-15).
    overwritten: i128,
    /// The `lift` of a switch above, as far as this member goes.
    lift: u32,
    workers: i128,
    largest: i32,
}

/// Folds a tree as its switches do; `None` after an overflow, or where a switch reads an infinity.
fn fold(adder: Adder, base: i32, node: &Node) -> Option<Outcome> {
    let (format, model) = (adder.format(), Model::new(adder, base));
    let members = match node {
        &Node::Worker(bits) => {
            let (exact, largest) =
                (value(format, bits, base), i32::from(format.extract(bits).exponent));
            return Some(Outcome {
                bits,
                exact,
                allowed: 0,
                overwritten: 0,
                lift: 0,
                workers: 1,
                largest,
            });
        }
        Node::Switch(members) => {
            members.iter().map(|node| fold(adder, base, node)).collect::<Option<Vec<_>>>()?
        }
    };
    let mut register = Register::EMPTY;
    let mut overwritten = members.iter().map(|member| member.overwritten).sum();
    for member in &members {
        let step = adder.add(&mut register, member.bits);
        if step.overflow {
            return None;
        }
        if step.movement == Movement::Overwritten {
            overwritten += model.unit(i32::from(format.extract(member.bits).exponent))
                << format.mantissa_bits();
        }
    }
    let bits = adder.read(&register, Rounding::TowardZero);
    if bits & (u32::MAX >> (33 - format.bits())) > format.largest() {
        return None;
    }
    let (k, lift) = (members.len() as i128, members.iter().map(|member| member.lift).max()?);
    // The smallest power of two that is not below k: 2^c.
    let c = (members.len() as u128).next_power_of_two().trailing_zeros();
    let own = match adder.variant() {
        Variant::Full => k - 2 + (1 << c),
        Variant::Approximate if k == 1 => 0,
        Variant::Approximate => k - 1 + (1 << c),
    };
    Some(Outcome {
        bits,
        exact: members.iter().map(|member| member.exact).sum(),
        allowed: members.iter().map(|member| member.allowed).sum::<i128>() + (own << lift),
        overwritten,
        lift: lift + c,
        workers: members.iter().map(|member| member.workers).sum(),
        largest: members.iter().map(|member| member.largest).max()?,
    })
}

/// Returns the error of the result, and its bound.
fn error(adder: Adder, base: i32, found: &Outcome) -> (i128, i128) {
    let error = (value(adder.format(), found.bits, base) - found.exact).abs();
    (error, found.allowed * Model::new(adder, base).unit(found.largest) + found.overwritten)
}

/// Returns the bound of R-FPI-14 and R-FPI-18 for one switch with all the workers.
fn flat(adder: Adder, base: i32, found: &Outcome) -> i128 {
    let unit = |exponent| Model::new(adder, base).unit(exponent);
    let read = i32::from(adder.format().extract(found.bits).exponent);
    (found.workers - 1) * unit(found.largest) + unit(read)
}

/// A format with 32 bits of register, a unit for exact sums, and a tree of its finite operands, at
/// most four switches deep.
fn trees() -> impl Strategy<Value = (Adder, i32, Node)> {
    let format = prop::sample::select(std::vec![Format::FP32, Format::FP16, Format::BF16]);
    (format, prop::sample::select(Variant::ALL.to_vec()), 1u32..=200, 1u32..=40).prop_flat_map(
        |(format, variant, top, spread)| {
            let adder = Adder::new(format, variant, 32, 0).unwrap();
            let top = top.min((1 << format.exponent_bits()) - 8);
            let (bottom, mantissa_bits) =
                (top.saturating_sub(spread).max(1), format.mantissa_bits());
            let fraction =
                prop_oneof![Just(0), Just((1 << mantissa_bits) - 1), 0u32..1 << mantissa_bits];
            // Of one sign more often than not, so that sums grow.
            let worker =
                (0u32..8, bottom..=top, fraction).prop_map(move |(sign, exponent, fraction)| {
                    Node::Worker(
                        u32::from(sign == 0) << (format.bits() - 1)
                            | exponent << mantissa_bits
                            | fraction,
                    )
                });
            let tree = worker.prop_recursive(4, 96, 8, |node| {
                prop::collection::vec(node, 1..=8).prop_map(Node::Switch)
            });
            // The last place of the smallest operand, and of the smallest result: one such unit,
            // normalised.
            let base = bottom as i32 - format.bias() - 2 * mantissa_bits as i32;
            (Just(adder), Just(base), prop::collection::vec(tree, 1..=8).prop_map(Node::Switch))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// R-FPI-25, R-FPI-26
    #[test]
    fn sums_over_a_tree_are_within_their_bounds((adder, base, tree) in trees()) {
        if let Some(found) = fold(adder, base, &tree) {
            let (error, allowed) = error(adder, base, &found);
            prop_assert!(error < allowed || error == 0, "{} of {}: {:?}", error, allowed, tree);
            prop_assert!(adder.variant() == Variant::Approximate || found.overwritten == 0);
        }
    }
}

/// A pattern of FP32 with this exponent and signed mantissa of 24 bits.
fn pattern(exponent: u32, mantissa: i32) -> u32 {
    assert!((1 << 23..1 << 24).contains(&mantissa.abs()), "{mantissa} is normal");
    u32::from(mantissa < 0) << 31 | exponent << 23 | (mantissa.unsigned_abs() & 0x007F_FFFF)
}

/// 19 workers in five leaves, chosen so that nearly every step loses. In u(X): of the first leaf
/// three operands lose 1/2 when they are shifted, and its read 3. The other leaves lose nearly 1
/// with each of their tiny negative operands, whose floors are -1, and 3 each when the root shifts
/// them under the exponent of the first. The root's own read loses 4.
fn five_leaves() -> Node {
    let x = 150;
    let half = pattern(x - 1, (1 << 24) - 1);
    let tiny = pattern(x - 50, -(1 << 23));
    let leaf =
        |operands: &[u32]| Node::Switch(operands.iter().map(|bits| Node::Worker(*bits)).collect());
    let other = |mantissa, tinies| {
        leaf(&[&[pattern(x, (1 << 23) + mantissa)], &[tiny; 3][..tinies]].concat())
    };
    Node::Switch(std::vec![
        leaf(&[pattern(x, (1 << 24) - 2), half, half, half]),
        other(10, 3),
        other(6, 3),
        other(6, 3),
        other(5, 2),
    ])
}

/// The same workers at one switch, in the same order.
fn at_one_switch(tree: &Node) -> Node {
    fn workers(node: &Node) -> Box<dyn Iterator<Item = Node> + '_> {
        match node {
            Node::Worker(_) => Box::new(core::iter::once(node.clone())),
            Node::Switch(members) => Box::new(members.iter().flat_map(workers)),
        }
    }
    Node::Switch(workers(tree).collect())
}

#[test]
fn the_bound_of_one_switch_does_not_hold_for_a_tree() {
    // R-FPI-24, R-FPI-25
    let (adder, base) = (Adder::FP32, -80);
    let tree = five_leaves();
    let found = fold(adder, base, &tree).expect("nothing overflows");
    let unit = Model::new(adder, base).unit(150);
    let ((off, allowed), flat_bound) = (error(adder, base, &found), flat(adder, base, &found));
    assert_eq!((found.workers, allowed, flat_bound), (19, 73 * unit, 26 * unit));
    // 4.5 + 18 + 5 + 4 units, less than 2^-20 each for the tiny operands themselves.
    assert!(31 * unit < off && off < 32 * unit, "{off} of {unit}");
    // One switch adds the same within its own bound, which is that of a tree of one switch as well.
    let found = fold(adder, base, &at_one_switch(&tree)).expect("nothing overflows");
    let ((off, allowed), flat_bound) = (error(adder, base, &found), flat(adder, base, &found));
    assert!(off < flat_bound && allowed == 49 * unit, "{off} of {flat_bound}");
}

#[test]
fn a_tree_has_room_where_one_switch_has_none() {
    // R-FPI-27: 16 leaves of 16 of the largest mantissas, twice the operands that one register
    // holds.
    let largest = Node::Worker(0x3FFF_FFFF);
    let tree = Node::Switch(std::vec![Node::Switch(std::vec![largest; 16]); 16]);
    assert!(
        fold(Adder::FP32, -60, &at_one_switch(&tree)).is_none(),
        "256 of the largest mantissas"
    );
    let found = fold(Adder::FP32, -60, &tree).expect("nothing overflows");
    let (error, allowed) = error(Adder::FP32, -60, &found);
    assert!(error < allowed);
}
