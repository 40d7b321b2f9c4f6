//! The search for operands that disprove what a declaration claims.

use std::fmt;

use crate::declaration::{Associative, Declaration, Scope};
use crate::draw::Draw;
use crate::instance::Instance;
use crate::operation::Operation;
use crate::refused::Refused;
use crate::shrink::shrink;
use crate::trap::Trapped;

/// Elements that a round folds at a time, of an operation that combines elements.
const ELEMENTS: u64 = 64;

/// Most elements of the messages that are drawn.
const MOST_MESSAGE: u64 = 64;

/// A claim about an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Claim {
    /// (a b) c = a (b c) (R-OP-4).
    Associative,
    /// a b = b a (R-OP-4).
    Commutative,
    /// e a = a (R-OP-5).
    LeftIdentity,
    /// a e = a (R-OP-5).
    RightIdentity,
    /// The fold of a sequence is the sequence of the folds (R-OP-3).
    Elements,
    /// The same operands give the same result, whatever was folded before (R-OP-7).
    Stateless,
    /// A fold is the same after it has travelled (R-OP-44).
    Lossless,
}

impl Claim {
    const ALL: [Self; 7] = [
        Self::Associative,
        Self::Commutative,
        Self::LeftIdentity,
        Self::RightIdentity,
        Self::Elements,
        Self::Stateless,
        Self::Lossless,
    ];

    /// Returns whether a declaration makes the claim.
    fn made_by(self, declaration: &Declaration) -> bool {
        match self {
            Self::Associative => declaration.associative != Associative::No,
            Self::Commutative => declaration.commutative,
            Self::LeftIdentity | Self::RightIdentity => declaration.identity.is_some(),
            Self::Elements => declaration.scope == Scope::Element,
            Self::Stateless => true,
            Self::Lossless => declaration.lossless,
        }
    }

    /// The operands that it is about.
    fn operands(self) -> usize {
        match self {
            Self::Associative => 3,
            Self::Commutative | Self::Elements | Self::Stateless | Self::Lossless => 2,
            Self::LeftIdentity | Self::RightIdentity => 1,
        }
    }

    /// The two sides of the claim, for people.
    fn sides(self) -> (&'static str, &'static str) {
        match self {
            Self::Associative => ("(a b) c", "a (b c)"),
            Self::Commutative => ("a b", "b a"),
            Self::LeftIdentity => ("e a", "a"),
            Self::RightIdentity => ("a e", "a"),
            Self::Elements => ("a b, in a sequence", "a b, alone"),
            Self::Stateless => ("a b, at first", "a b, later"),
            Self::Lossless => ("a b, encoded and decoded", "a b"),
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Associative => "associative",
            Self::Commutative => "commutative",
            Self::LeftIdentity => "identity on the left",
            Self::RightIdentity => "identity on the right",
            Self::Elements => "elements are independent",
            Self::Stateless => "without a state",
            Self::Lossless => "lossless",
        })
    }
}

/// Operands that disprove a claim, as small as could be found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Counterexample {
    /// The claim.
    pub claim: Claim,
    /// The operands a, b and c, as many as the claim has.
    pub operands: Vec<Vec<u8>>,
    /// One side of the claim.
    pub left: Vec<u8>,
    /// The other side.
    pub right: Vec<u8>,
}

impl Counterexample {
    /// Writes operands and results for people to read.
    pub fn describe(&self, declaration: &Declaration) -> String {
        let show = |bytes: &[u8]| {
            let elements = bytes.chunks_exact(declaration.element.bytes());
            let shown: Vec<_> = elements.map(|one| declaration.element.describe(one)).collect();
            shown.join(" ")
        };
        let mut lines: Vec<_> = ["a", "b", "c"]
            .iter()
            .zip(&self.operands)
            .map(|(name, operand)| format!("{name} = {}", show(operand)))
            .collect();
        if let (Claim::LeftIdentity | Claim::RightIdentity, Some(identity)) =
            (self.claim, &declaration.identity)
        {
            lines.push(format!("e = {}", show(identity)));
        }
        let (left, right) = self.claim.sides();
        lines.push(format!("{left} = {}", show(&self.left)));
        lines.push(format!("{right} = {}", show(&self.right)));
        lines.join("\n")
    }
}

/// An examination that could not be carried out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Unexamined {
    /// There is no instance.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The operation trapped with operands that it should take.
    #[error(transparent)]
    Trapped(#[from] Trapped),
}

/// Draws operands from a seed, in as many rounds as are asked for, and gives a counterexample for
/// each claim that is false: those that were found.
///
/// # Errors
/// [`Unexamined`]
pub fn examine(
    operation: &Operation,
    rounds: u32,
    seed: u64,
) -> Result<Vec<Counterexample>, Unexamined> {
    if !operation.folds() {
        return Ok(Vec::new());
    }
    let mut bench = Bench { instance: operation.instance()?, declaration: operation.declaration() };
    let mut found = Vec::new();
    for claim in Claim::ALL {
        if !claim.made_by(operation.declaration()) {
            continue;
        }
        let mut draw = Draw::new(seed);
        for _ in 0..rounds {
            let operands = bench.operands(claim, &mut draw);
            if let Some(counterexample) = bench.disproved(claim, operands)? {
                found.push(shrink(&mut bench, counterexample)?);
                break;
            }
        }
    }
    Ok(found)
}

/// Results that a claim compares.
struct Sides {
    left: Vec<u8>,
    right: Vec<u8>,
    /// Further results on the way to them.
    others: Vec<Vec<u8>>,
}

/// An instance, and what is claimed of it.
pub(crate) struct Bench<'o> {
    instance: Instance,
    pub(crate) declaration: &'o Declaration,
}

impl Bench<'_> {
    fn operands(&self, claim: Claim, draw: &mut Draw) -> Vec<Vec<u8>> {
        let count = match self.declaration.scope {
            Scope::Element => {
                let most = self.declaration.batch_bytes() / self.declaration.element.bytes();
                ELEMENTS.min(most as u64)
            }
            Scope::Message { elements } => 1 + draw.below(MOST_MESSAGE.min(elements as u64)),
        };
        let one = |_| draw.elements(self.declaration, count as usize);
        (0..claim.operands()).map(one).collect()
    }

    /// Tries a claim with operands. A counterexample of an operation that combines elements has
    /// one element, if one alone disproves the claim.
    fn disproved(
        &mut self,
        claim: Claim,
        operands: Vec<Vec<u8>>,
    ) -> Result<Option<Counterexample>, Trapped> {
        let Some(counterexample) = self.attempt(claim, operands)? else { return Ok(None) };
        if self.declaration.scope == Scope::Element && claim != Claim::Elements {
            let element = self.declaration.element.bytes();
            for at in (0..counterexample.left.len()).step_by(element) {
                let cut = |operand: &Vec<u8>| operand[at..][..element].to_vec();
                let alone = counterexample.operands.iter().map(cut).collect();
                if let Some(smaller) = self.attempt(claim, alone)? {
                    return Ok(Some(smaller));
                }
            }
        }
        Ok(Some(counterexample))
    }

    /// Tries a claim with operands, as they are.
    pub(crate) fn attempt(
        &mut self,
        claim: Claim,
        operands: Vec<Vec<u8>>,
    ) -> Result<Option<Counterexample>, Trapped> {
        let Sides { left, right, others } = self.both_sides(claim, &operands)?;
        let exact = matches!(claim, Claim::Elements | Claim::Stateless | Claim::Lossless);
        let tolerance = if exact { 0.0 } else { self.declaration.associative.tolerance() };
        let seen: Vec<&[u8]> = operands.iter().chain(&others).map(Vec::as_slice).collect();
        let differs = self.differ(&left, &right, &seen, tolerance);
        Ok(differs.then_some(Counterexample { claim, operands, left, right }))
    }

    /// Folds what a claim compares.
    fn both_sides(&mut self, claim: Claim, operands: &[Vec<u8>]) -> Result<Sides, Trapped> {
        let one = &operands[0];
        let element = self.declaration.element.bytes();
        let declared = self.declaration.identity.as_deref().unwrap_or_default();
        let identity = || declared.repeat(one.len() / element);
        let mut others = Vec::new();
        let (left, right) = match claim {
            Claim::Associative => {
                let ab = self.fold(one, &operands[1])?;
                let bc = self.fold(&operands[1], &operands[2])?;
                let sides = (self.fold(&ab, &operands[2])?, self.fold(one, &bc)?);
                others.extend([ab, bc]);
                sides
            }
            Claim::Commutative => (self.fold(one, &operands[1])?, self.fold(&operands[1], one)?),
            Claim::LeftIdentity => (self.fold(&identity(), one)?, one.clone()),
            Claim::RightIdentity => (self.fold(one, &identity())?, one.clone()),
            Claim::Elements => {
                let mut alone = Vec::with_capacity(one.len());
                for (left, right) in one.chunks(element).zip(operands[1].chunks(element)) {
                    alone.extend(self.fold(left, right)?);
                }
                (self.fold(one, &operands[1])?, alone)
            }
            Claim::Stateless => {
                let first = self.fold(one, &operands[1])?;
                self.fold(&operands[1], one)?;
                (first, self.fold(one, &operands[1])?)
            }
            Claim::Lossless => {
                let folded = self.fold(one, &operands[1])?;
                let sent = self.instance.encode(&folded)?;
                (self.instance.decode(&sent)?, folded)
            }
        };
        Ok(Sides { left, right, others })
    }

    fn fold(&mut self, left: &[u8], right: &[u8]) -> Result<Vec<u8>, Trapped> {
        let mut accumulator = left.to_vec();
        self.instance.fold(&mut accumulator, right)?;
        Ok(accumulator)
    }

    /// Returns whether two results differ in a field: in its bits, or a float by more than the
    /// tolerance times its largest magnitude anywhere (R-OP-4).
    fn differ(&self, left: &[u8], right: &[u8], others: &[&[u8]], tolerance: f64) -> bool {
        let element = &self.declaration.element;
        for field in element.fields() {
            for (index, (l, r)) in
                left.chunks(element.bytes()).zip(right.chunks(element.bytes())).enumerate()
            {
                let bytes = field.scalars * field.scalar.bytes();
                if l[field.offset..][..bytes] == r[field.offset..][..bytes] {
                    continue;
                }
                if !field.scalar.is_float() || tolerance == 0.0 {
                    return true;
                }
                let begin = index * element.bytes();
                let largest = others
                    .iter()
                    .map(|other| &other[begin..])
                    .chain([l, r])
                    .flat_map(|one| field.offsets().map(|at| field.scalar.read(&one[at..])))
                    .map(|value| value.to_f64().abs())
                    .fold(0.0, f64::max);
                let beyond = field.offsets().any(|at| {
                    let left = field.scalar.read(&l[at..]).to_f64();
                    let right = field.scalar.read(&r[at..]).to_f64();
                    let same = left == right || left.is_nan() && right.is_nan();
                    // Written so that a NaN on one side alone differs.
                    let near = (left - right).abs() <= tolerance * largest;
                    !same && !near
                });
                if beyond {
                    return true;
                }
            }
        }
        false
    }
}
