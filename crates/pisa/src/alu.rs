//! Arithmetic of the ALUs (R-PISA-3): those of actions on fields, and those of stages on registers.

use crate::check::mask;
use crate::program::{
    Access, AluOp, BinOp, Crc, Half, Operand, Output, Relation, Shift, Word, outcome,
};

/// A word of a register array: its number, or both of a pair.
pub(crate) type Stored = [u64; 2];

/// Runs one access on a word, and returns its output. `input` gives the value of an operand.
pub(crate) fn access(
    access: &Access,
    word: Word,
    stored: &mut Stored,
    input: impl Fn(Operand) -> u64,
) -> u64 {
    let bits = word.half_bits();
    let old = *stored;
    let condition = |at: usize| {
        access.conditions.get(at).is_some_and(|condition| {
            let difference = {
                let difference = old[index(condition.half)].wrapping_sub(input(condition.with));
                signed(difference.wrapping_add(condition.plus.into()), bits)
            };
            match condition.relation {
                Relation::Behind => difference < 0,
                Relation::Equal => difference == 0,
                Relation::Ahead => difference > 0,
            }
        })
    };
    let (first, second) = (condition(0), condition(1));
    for half in [Half::Lo, Half::Hi] {
        let update = access
            .updates
            .iter()
            .find(|update| update.half == half && update.when.holds(first, second));
        if let Some(update) = update {
            let (stored_before, operand) = (old[index(half)], input(update.with));
            stored[index(half)] =
                compute(update.op, stored_before, operand, bits, &input) & mask(bits);
        }
    }
    match access.output.map(|(_, output)| output) {
        Some(Output::Old(half)) => old[index(half)],
        Some(Output::New(half)) => stored[index(half)],
        Some(Output::Outcome) => 1 << outcome(first, second),
        None => 0,
    }
}

fn compute(
    op: AluOp,
    stored: u64,
    operand: u64,
    bits: u32,
    input: &impl Fn(Operand) -> u64,
) -> u64 {
    match op {
        AluOp::Set => operand,
        AluOp::Add => stored.wrapping_add(operand),
        AluOp::Sub => stored.wrapping_sub(operand),
        AluOp::Or => stored | operand,
        AluOp::And => stored & operand,
        AluOp::AndNot => stored & !operand,
        AluOp::MinSigned => signed(stored, bits).min(signed(operand, bits)) as u64,
        AluOp::MaxSigned => signed(stored, bits).max(signed(operand, bits)) as u64,
        AluOp::ShiftAdd { by } => {
            let distance = input(by.into()).min(u64::from(bits) - 1);
            ((signed(stored, bits) >> distance) as u64).wrapping_add(operand)
        }
    }
}

/// Computes an action's binary operation on two operands, `bits` wide.
pub(crate) fn binary(op: BinOp, left: u64, right: u64) -> u64 {
    match op {
        BinOp::Add => left.wrapping_add(right),
        BinOp::Sub => left.wrapping_sub(right),
        BinOp::SaturatingSub => left.saturating_sub(right),
        BinOp::And => left & right,
        BinOp::Or => left | right,
        BinOp::Xor => left ^ right,
    }
}

/// A field of `bits` bits, shifted.
pub(crate) fn shift(shift: Shift, value: u64, bits: u32, by: u64) -> u64 {
    let beyond = by >= u64::from(bits);
    match shift {
        Shift::Left | Shift::Right if beyond => 0,
        Shift::Left => value << by,
        Shift::Right => value >> by,
        Shift::RightSigned => (signed(value, bits) >> by.min(u64::from(bits) - 1)) as u64,
    }
}

/// CRC-32 with the polynomial of IEEE 802.3, 0x04C11DB7, reflected.
pub(crate) fn crc32(form: Crc, bytes: impl IntoIterator<Item = u8>) -> u32 {
    match form {
        Crc::Ethernet => !crc32_from(u32::MAX, bytes),
        Crc::Linear => crc32_from(0, bytes),
    }
}

/// The state of a CRC-32 behind these bytes, from the one before them.
pub(crate) fn crc32_from(state: u32, bytes: impl IntoIterator<Item = u8>) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
    bytes
        .into_iter()
        .fold(state, |crc, byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| step(crc)))
}

fn index(half: Half) -> usize {
    match half {
        Half::Lo => 0,
        Half::Hi => 1,
    }
}

/// The lowest `bits` bits as a number in two's complement.
pub(crate) const fn signed(value: u64, bits: u32) -> i64 {
    let unused = u64::BITS - bits;
    ((value << unused) as i64) >> unused
}
