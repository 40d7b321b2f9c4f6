//! Vectors and memory by their bytes: lanes of any width are seen in them, and an exchange of bytes
//! costs nothing.

use std::collections::BTreeMap;

use super::pool::{Address, Expression, Id, Pool};
use crate::op::{Op, Ty};

/// A byte of a vector or of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Byte {
    /// A value's byte, the lowest one first.
    Of(Id, u8),
    /// A byte of memory before or after the effects that precede `version`.
    Memory { address: Address, version: u32 },
}

/// The integer type of so many bytes.
pub(crate) const fn of_bytes(bytes: usize) -> Ty {
    match bytes {
        1 => Ty::I8,
        2 => Ty::I16,
        8 => Ty::I64,
        _ => Ty::I32,
    }
}

/// Bytes that have been written, by their places.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Written(BTreeMap<(Option<Id>, i64), Byte>);

impl Written {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn get(&self, at: Address, version: u32) -> Byte {
        let known = self.0.get(&(at.base, at.offset)).copied();
        known.unwrap_or(Byte::Memory { address: at, version })
    }

    pub(crate) fn put(&mut self, at: Address, byte: Byte) {
        self.0.insert((at.base, at.offset), byte);
    }

    pub(crate) fn places(&self) -> impl Iterator<Item = Address> + '_ {
        self.0.keys().map(|(base, offset)| Address { base: *base, offset: *offset })
    }

    /// Takes the bytes out for which `is` holds.
    pub(crate) fn take(&mut self, is: impl Fn(Address) -> bool) -> Self {
        let all = std::mem::take(&mut self.0);
        let (taken, left) = all
            .into_iter()
            .partition(|((base, offset), _)| is(Address { base: *base, offset: *offset }));
        self.0 = left;
        Self(taken)
    }

    /// Cuts the bytes into stores: places, bytes of a value.
    pub(crate) fn stores(&self) -> Vec<(Address, Vec<Byte>)> {
        let all: Vec<_> = self.0.iter().collect();
        let (mut found, mut at) = (Vec::new(), 0);
        while at < all.len() {
            let ((base, offset), first) = all[at];
            let contiguous = all[at..]
                .iter()
                .enumerate()
                .take_while(|(step, ((next, place), _))| {
                    next == base && *place == offset + *step as i64
                })
                .map(|(_, (_, byte))| **byte);
            let run: Vec<Byte> = contiguous.take(8).collect();
            let most = usize::max(1, run_length(&run));
            // A copy of memory is cut where words are.
            let whole =
                matches!(first, Byte::Of(..)) || offset.rem_euclid(most as i64) == 0 && most <= 8;
            let length = if whole { most } else { 1 };
            let address = Address { base: *base, offset: *offset };
            found.push((address, run[..length].to_vec()));
            at += length;
        }
        found
    }
}

impl Byte {
    /// Returns whether `next` is the byte behind this one, of the same value or memory.
    fn precedes(self, next: Self) -> bool {
        match (self, next) {
            (Self::Of(a, k), Self::Of(b, l)) => a == b && l == k + 1,
            (Self::Memory { address: a, version: v }, Self::Memory { address: b, version: w }) => {
                a.base == b.base && b.offset == a.offset + 1 && v == w
            }
            _ => false,
        }
    }
}

/// Number of bytes at the beginning that are of one value or of adjacent memory: 1, 2, 4 or 8.
pub(crate) fn run_length(bytes: &[Byte]) -> usize {
    let run = 1 + bytes.windows(2).take_while(|pair| pair[0].precedes(pair[1])).count();
    [8, 4, 2, 1].into_iter().find(|length| *length <= run.min(bytes.len())).unwrap_or(1)
}

/// Returns the value of a lane: its bytes, the lowest one first.
pub(crate) fn lane(pool: &mut Pool, bytes: &[Byte]) -> Id {
    let constant = bytes.iter().rev().try_fold(0_u64, |sum, byte| match byte {
        Byte::Of(id, k) => pool.value(*id).map(|bits| sum << 8 | bits >> (8 * k) & 255),
        Byte::Memory { .. } => None,
    });
    if let Some(bits) = constant {
        return pool.constant(bits);
    }
    let ty = of_bytes(bytes.len());
    let (mut whole, mut at) = (None, 0);
    while at < bytes.len() {
        let length = run_length(&bytes[at..]);
        let piece = piece(pool, &bytes[at..at + length]);
        let distance = pool.constant(8 * at as u64);
        let shifted = pool.binary(Op::Shl, ty, piece, distance);
        whole = Some(match whole {
            None => shifted,
            Some(before) => pool.binary(Op::Or, ty, before, shifted),
        });
        at += length;
    }
    whole.unwrap_or_else(|| pool.constant(0))
}

/// The value of bytes that lie beside each other.
fn piece(pool: &mut Pool, bytes: &[Byte]) -> Id {
    match bytes[0] {
        Byte::Memory { address, version } => {
            pool.add(Expression::Load { address, bytes: bytes.len() as u8, version })
        }
        Byte::Of(id, first) => {
            let width = pool.width(id).unwrap_or(8) as usize;
            let ty = of_bytes(width);
            let distance = pool.constant(8 * u64::from(first));
            let shifted = pool.binary(Op::ShrU, ty, id, distance);
            if usize::from(first) + bytes.len() >= width {
                return shifted;
            }
            let mask = pool.constant(of_bytes(bytes.len()).mask());
            pool.binary(Op::And, ty, shifted, mask)
        }
    }
}

/// Bytes of a value.
pub(crate) fn of_value(id: Id, bytes: usize) -> impl Iterator<Item = Byte> {
    (0..bytes).map(move |k| Byte::Of(id, k as u8))
}
