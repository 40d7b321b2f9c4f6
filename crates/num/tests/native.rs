//! The bound of sums in `native` (R-NUM-4), against exact sums.
//!
//! All operands and partial sums of a case are multiples of one power of two: as such they are
//! integers of 128 bits, and so is the bound, without its divisor. Nothing is rounded but by the
//! code that is tested.

use half::{bf16, f16};
use netfold_num::{Fold, Operation};
use proptest::prelude::*;

/// A float of a format: `P` bits of precision, a bias of `B`, a largest finite exponent of `2 B`.
trait Float: Fold + std::fmt::Debug {
    const P: u32;
    const B: u32;
    /// The place of the sign.
    const SIGN: u32 = Self::P + Self::B.ilog2() + 1;

    fn from_pattern(pattern: u32) -> Self;
    fn pattern(self) -> u32;

    /// The float with this sign, exponent field and fraction, which is cut to the format's.
    fn of(negative: bool, exponent: u32, fraction: u32) -> Self {
        let sign = u32::from(negative) << Self::SIGN;
        let fraction = fraction & ((1 << (Self::P - 1)) - 1);
        Self::from_pattern(sign | exponent << (Self::P - 1) | fraction)
    }

    /// A finite number in units of the last place of the exponent field `lowest`.
    fn units(self, lowest: u32) -> i128 {
        let pattern = self.pattern();
        let fraction = i128::from(pattern & ((1 << (Self::P - 1)) - 1));
        let exponent = pattern >> (Self::P - 1) & (2 * Self::B + 1);
        assert!(exponent <= 2 * Self::B, "{self:?} is not finite");
        let leading = if exponent == 0 { 0 } else { 1 << (Self::P - 1) };
        let negative = pattern >> Self::SIGN & 1 == 1;
        let (digits, place, unit) = (leading + fraction, exponent.max(1), lowest.max(1));
        // Zero is a multiple of every unit, however far the two are apart.
        let magnitude = if place >= unit || digits == 0 {
            digits << place.saturating_sub(unit)
        } else {
            let distance = unit - place;
            assert!(digits.trailing_zeros() >= distance, "{self:?} has digits below the unit");
            digits >> distance
        };
        if negative { -magnitude } else { magnitude }
    }
}

macro_rules! float {
    ($float:ty, $precision:literal, $bias:literal) => {
        impl Float for $float {
            const P: u32 = $precision;
            const B: u32 = $bias;

            fn from_pattern(pattern: u32) -> Self {
                Self::from_bits(pattern as _)
            }
            fn pattern(self) -> u32 {
                self.to_bits().into()
            }
        }
    };
}

float!(f32, 24, 127);
float!(f16, 11, 15);
float!(bf16, 8, 127);

/// An operand, as it is drawn.
#[derive(Clone, Copy, Debug)]
enum Draw {
    /// Sign, exponent above the lowest (cut to the span), fraction.
    Any(bool, u32, u32),
    /// The largest power of two of the case, times 2^-P: half of the last place of that power.
    Tie(bool),
    /// An earlier operand with the other sign.
    Opposite(prop::sample::Index),
    /// All that has come before, added up by the code, with the other sign.
    Cancel,
}

fn draws() -> impl Strategy<Value = Vec<Draw>> {
    let draw = prop_oneof![
        6 => (any::<bool>(), any::<u32>(), any::<u32>()).prop_map(|(s, e, f)| Draw::Any(s, e, f)),
        2 => any::<bool>().prop_map(Draw::Tie),
        2 => any::<prop::sample::Index>().prop_map(Draw::Opposite),
        1 => Just(Draw::Cancel),
    ];
    // Few operands use most of the bound.
    prop_oneof![prop::collection::vec(draw.clone(), 1..=4), prop::collection::vec(draw, 1..=200)]
}

/// A case: the operands, and the lowest exponent field among those that are drawn.
fn operands<F: Float>(draws: &[Draw], lowest: u32, span: u32) -> Vec<F> {
    let mut operands: Vec<F> = Vec::new();
    for draw in draws {
        let operand = match *draw {
            Draw::Any(negative, above, fraction) => {
                F::of(negative, lowest + above % (span + 1), fraction)
            }
            Draw::Tie(negative) => {
                F::of(negative, (lowest + span).saturating_sub(F::P).max(lowest), 0)
            }
            Draw::Opposite(index) if !operands.is_empty() => negated(*index.get(&operands)),
            // A sum that has grown above the span would not leave room for others.
            Draw::Cancel if operands.len() < 8 => {
                let sum = operands.iter().copied().reduce(add);
                sum.map_or_else(|| F::of(false, lowest, 0), negated)
            }
            Draw::Opposite(_) | Draw::Cancel => F::of(true, lowest + span, 0),
        };
        operands.push(operand);
    }
    operands
}

fn add<F: Float>(a: F, b: F) -> F {
    a.fold(Operation::Sum, b)
}

fn negated<F: Float>(x: F) -> F {
    F::from_pattern(x.pattern() ^ 1 << F::SIGN)
}

/// The sum by merging two partial sums at a time, chosen by `choices`: any order and any tree.
fn merged<F: Float>(operands: &[F], choices: &[u32]) -> F {
    let mut partial = operands.to_vec();
    let mut choices = choices.iter().cycle();
    while partial.len() > 1 {
        let mut take = || {
            let choice = *choices.next().expect("a cycle of some") as usize;
            partial.swap_remove(choice % partial.len())
        };
        let (a, b) = (take(), take());
        partial.push(add(a, b));
    }
    partial[0]
}

/// Fails unless |sum - exact| (1 - (n - 1) u) <= (n - 1) u A, both sides times 2^P.
fn within_bound<F: Float>(operands: &[F], sum: F, lowest: u32) -> Result<(), TestCaseError> {
    let exact: i128 = operands.iter().map(|x| x.units(lowest)).sum();
    let magnitude: i128 = operands.iter().map(|x| x.units(lowest).abs()).sum();
    let error = (sum.units(lowest) - exact).abs();
    let steps = operands.len() as i128 - 1;
    prop_assert!(
        error * ((1 << F::P) - steps) <= steps * magnitude,
        "{sum:?}: {error} of {magnitude} in {steps} steps"
    );
    Ok(())
}

/// Checks the bound in the order of arrival, from the smallest, from the largest, and in a tree.
fn check<F: Float>(
    draws: &[Draw],
    lowest: u32,
    span: u32,
    choices: &[u32],
) -> Result<(), TestCaseError> {
    let mut operands: Vec<F> = operands(draws, lowest, span);
    within_bound(&operands, merged(&operands, choices), lowest)?;
    let in_order = |operands: &[F]| operands.iter().copied().reduce(add).expect("one or more");
    within_bound(&operands, in_order(&operands), lowest)?;
    operands.sort_by_key(|x| x.units(lowest).abs());
    within_bound(&operands, in_order(&operands), lowest)?;
    operands.reverse();
    within_bound(&operands, in_order(&operands), lowest)
}

proptest! {
    // The largest exponent leaves room for 200 operands and a cancelling sum of seven more bits
    // (8 in all); at the lowest ones, operands and sums are subnormal.
    #[test]
    fn sums_of_f32_are_within_the_bound(
        draws in draws(), lowest in prop_oneof![Just(0u32), 0u32..=254 - 40 - 12],
        span in 0u32..=40, choices in prop::collection::vec(any::<u32>(), 1..50)
    ) {
        check::<f32>(&draws, lowest, span, &choices)?;
    }

    #[test]
    fn sums_of_f16_are_within_the_bound(
        draws in draws(), lowest in 0u32..=6, span in 0u32..=12,
        choices in prop::collection::vec(any::<u32>(), 1..50)
    ) {
        check::<f16>(&draws, lowest, span, &choices)?;
    }

    #[test]
    fn sums_of_bf16_are_within_the_bound(
        draws in draws(), lowest in prop_oneof![Just(0u32), 0u32..=254 - 40 - 12],
        span in 0u32..=40, choices in prop::collection::vec(any::<u32>(), 1..50)
    ) {
        check::<bf16>(&draws, lowest, span, &choices)?;
    }
}

/// 1, and then n - 1 times half of its last place: each is a tie and is lost. So the error is
/// (n - 1) u, which is the bound but for its terms of second order.
fn reaches<F: Float>(operands: usize) {
    let half = F::of(false, F::B - F::P, 0);
    let mut sum = F::of(false, F::B, 0);
    let one = sum;
    for _ in 1..operands {
        sum = add(sum, half);
    }
    assert_eq!(sum.pattern(), one.pattern());
    let lowest = F::B - F::P;
    let all: Vec<F> = std::iter::once(one).chain(vec![half; operands - 1]).collect();
    within_bound(&all, sum, lowest).expect("within the bound");
    let exact: i128 = all.iter().map(|x| x.units(lowest)).sum();
    let lost = exact - sum.units(lowest);
    // (n - 1) u of 1, in units of the last place of 2^-P.
    assert_eq!(lost, (operands as i128 - 1) << (F::P - 1));
}

#[test]
fn the_bound_is_reached_but_for_its_second_order() {
    reaches::<f32>(1000);
    reaches::<f16>(200);
    reaches::<bf16>(100);
}
