//! WebAssembly's instructions on vectors of 128 bits, lane by lane (R-CGRA-2).

use wasmparser::Operator;

use super::bytes::{Byte, lane, of_bytes, of_value};
use super::execute::Executor;
use super::pool::Id;
use super::state::{State, Value};
use crate::op::Ty::{F32, F64, I8, I16, I32, I64};
use crate::op::{Op, Ty};
use crate::refusal::Refusal;

/// Effect of an instruction on each lane.
enum Lanewise {
    /// Two operands; whether they change places, and whether the result is a mask.
    Binary(Op, Ty, bool, bool),
    Unary(Op, Ty),
    /// A shift of all lanes by a word.
    Shift(Op, Ty),
}

fn lanewise(operator: &Operator<'_>) -> Option<Lanewise> {
    use Lanewise::{Shift, Unary};
    use Operator::*;
    let two = |op, ty| Some(Lanewise::Binary(op, ty, false, false));
    let mask = |op, ty| Some(Lanewise::Binary(op, ty, false, true));
    let swapped = |op, ty| Some(Lanewise::Binary(op, ty, true, true));
    match operator {
        I8x16Add => two(Op::Add, I8),
        I16x8Add => two(Op::Add, I16),
        I32x4Add => two(Op::Add, I32),
        I64x2Add => two(Op::Add, I64),
        I8x16Sub => two(Op::Sub, I8),
        I16x8Sub => two(Op::Sub, I16),
        I32x4Sub => two(Op::Sub, I32),
        I64x2Sub => two(Op::Sub, I64),
        I16x8Mul => two(Op::Mul, I16),
        I32x4Mul => two(Op::Mul, I32),
        I64x2Mul => two(Op::Mul, I64),
        I8x16MinS => two(Op::MinS, I8),
        I8x16MinU => two(Op::MinU, I8),
        I8x16MaxS => two(Op::MaxS, I8),
        I8x16MaxU => two(Op::MaxU, I8),
        I16x8MinS => two(Op::MinS, I16),
        I16x8MinU => two(Op::MinU, I16),
        I16x8MaxS => two(Op::MaxS, I16),
        I16x8MaxU => two(Op::MaxU, I16),
        I32x4MinS => two(Op::MinS, I32),
        I32x4MinU => two(Op::MinU, I32),
        I32x4MaxS => two(Op::MaxS, I32),
        I32x4MaxU => two(Op::MaxU, I32),
        I8x16Eq => mask(Op::Eq, I8),
        I16x8Eq => mask(Op::Eq, I16),
        I32x4Eq => mask(Op::Eq, I32),
        I64x2Eq => mask(Op::Eq, I64),
        I8x16Ne => mask(Op::Ne, I8),
        I16x8Ne => mask(Op::Ne, I16),
        I32x4Ne => mask(Op::Ne, I32),
        I64x2Ne => mask(Op::Ne, I64),
        I32x4LtS => mask(Op::LtS, I32),
        I32x4LtU => mask(Op::LtU, I32),
        I64x2LtS => mask(Op::LtS, I64),
        I32x4LeS => mask(Op::LeS, I32),
        I32x4LeU => mask(Op::LeU, I32),
        I64x2LeS => mask(Op::LeS, I64),
        I32x4GtS => swapped(Op::LtS, I32),
        I32x4GtU => swapped(Op::LtU, I32),
        I64x2GtS => swapped(Op::LtS, I64),
        I32x4GeS => swapped(Op::LeS, I32),
        I32x4GeU => swapped(Op::LeU, I32),
        I64x2GeS => swapped(Op::LeS, I64),
        F32x4Eq => mask(Op::FEq, F32),
        F64x2Eq => mask(Op::FEq, F64),
        F32x4Ne => mask(Op::FNe, F32),
        F64x2Ne => mask(Op::FNe, F64),
        F32x4Lt => mask(Op::FLt, F32),
        F64x2Lt => mask(Op::FLt, F64),
        F32x4Le => mask(Op::FLe, F32),
        F64x2Le => mask(Op::FLe, F64),
        F32x4Gt => swapped(Op::FLt, F32),
        F64x2Gt => swapped(Op::FLt, F64),
        F32x4Ge => swapped(Op::FLe, F32),
        F64x2Ge => swapped(Op::FLe, F64),
        F32x4Add => two(Op::FAdd, F32),
        F64x2Add => two(Op::FAdd, F64),
        F32x4Sub => two(Op::FSub, F32),
        F64x2Sub => two(Op::FSub, F64),
        F32x4Mul => two(Op::FMul, F32),
        F64x2Mul => two(Op::FMul, F64),
        F32x4Div => two(Op::FDiv, F32),
        F64x2Div => two(Op::FDiv, F64),
        F32x4Min => two(Op::FMin, F32),
        F64x2Min => two(Op::FMin, F64),
        F32x4Max => two(Op::FMax, F32),
        F64x2Max => two(Op::FMax, F64),
        F32x4Abs => Some(Unary(Op::FAbs, F32)),
        F64x2Abs => Some(Unary(Op::FAbs, F64)),
        F32x4Neg => Some(Unary(Op::FNeg, F32)),
        F64x2Neg => Some(Unary(Op::FNeg, F64)),
        F32x4Sqrt => Some(Unary(Op::FSqrt, F32)),
        F64x2Sqrt => Some(Unary(Op::FSqrt, F64)),
        F32x4Nearest => Some(Unary(Op::FNearest, F32)),
        F64x2Nearest => Some(Unary(Op::FNearest, F64)),
        F32x4ConvertI32x4S => Some(Unary(Op::OfS32, F32)),
        F32x4ConvertI32x4U => Some(Unary(Op::OfU32, F32)),
        I32x4TruncSatF32x4S => Some(Unary(Op::ToS32, F32)),
        I32x4TruncSatF32x4U => Some(Unary(Op::ToU32, F32)),
        I8x16Shl => Some(Shift(Op::Shl, I8)),
        I16x8Shl => Some(Shift(Op::Shl, I16)),
        I32x4Shl => Some(Shift(Op::Shl, I32)),
        I64x2Shl => Some(Shift(Op::Shl, I64)),
        I16x8ShrU => Some(Shift(Op::ShrU, I16)),
        I32x4ShrU => Some(Shift(Op::ShrU, I32)),
        I64x2ShrU => Some(Shift(Op::ShrU, I64)),
        I16x8ShrS => Some(Shift(Op::ShrS, I16)),
        I32x4ShrS => Some(Shift(Op::ShrS, I32)),
        I64x2ShrS => Some(Shift(Op::ShrS, I64)),
        _ => None,
    }
}

/// Bytes of a lane that an instruction takes out, puts in or makes all lanes of, and whether it
/// extends the sign.
fn of_lane(operator: &Operator<'_>) -> Option<(Lane, usize)> {
    use Operator::*;
    Some(match *operator {
        I8x16ExtractLaneU { lane } => (Lane::Out(lane, None), 1),
        I16x8ExtractLaneU { lane } => (Lane::Out(lane, None), 2),
        I8x16ExtractLaneS { lane } => (Lane::Out(lane, Some(Op::Extend8)), 1),
        I16x8ExtractLaneS { lane } => (Lane::Out(lane, Some(Op::Extend16)), 2),
        I32x4ExtractLane { lane } | F32x4ExtractLane { lane } => (Lane::Out(lane, None), 4),
        I64x2ExtractLane { lane } | F64x2ExtractLane { lane } => (Lane::Out(lane, None), 8),
        I8x16ReplaceLane { lane } => (Lane::In(lane), 1),
        I16x8ReplaceLane { lane } => (Lane::In(lane), 2),
        I32x4ReplaceLane { lane } | F32x4ReplaceLane { lane } => (Lane::In(lane), 4),
        I64x2ReplaceLane { lane } | F64x2ReplaceLane { lane } => (Lane::In(lane), 8),
        I8x16Splat => (Lane::All, 1),
        I16x8Splat => (Lane::All, 2),
        I32x4Splat | F32x4Splat => (Lane::All, 4),
        I64x2Splat | F64x2Splat => (Lane::All, 8),
        _ => return None,
    })
}

enum Lane {
    Out(u8, Option<Op>),
    In(u8),
    All,
}

impl Executor<'_, '_> {
    /// Carries out an instruction on vectors. `false` if it is not one that is known.
    pub(super) fn vector(
        &mut self,
        operator: &Operator<'_>,
        state: &mut State,
    ) -> Result<bool, Refusal> {
        if let Some(what) = lanewise(operator) {
            self.lanewise(&what, state)?;
        } else if let Some((what, bytes)) = of_lane(operator) {
            self.of_lane(&what, bytes, state)?;
        } else {
            match operator {
                Operator::V128Const { value } => {
                    let mut bytes = [Byte::Of(self.constant(0), 0); 16];
                    for (quarter, lane) in value.bytes().chunks(4).enumerate() {
                        let bits =
                            lane.iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
                        let id = self.constant(bits);
                        bytes[4 * quarter..][..4]
                            .copy_from_slice(&of_value(id, 4).collect::<Vec<_>>());
                    }
                    state.stack.push(Value::Vector(bytes));
                }
                Operator::I8x16Shuffle { lanes } => {
                    let (b, a) = (vector(state)?, vector(state)?);
                    let both = [a, b].concat();
                    state.stack.push(Value::Vector(lanes.map(|from| both[usize::from(from)])));
                }
                Operator::V128Not => {
                    let (a, ones) = (vector(state)?, self.constant(u64::MAX));
                    let ones = [Byte::Of(ones, 0); 16];
                    let result = self.bitwise(Op::Xor, &a, &ones);
                    state.stack.push(Value::Vector(result));
                }
                Operator::V128And | Operator::V128Or | Operator::V128Xor | Operator::V128AndNot => {
                    let op = match operator {
                        Operator::V128Or => Op::Or,
                        Operator::V128Xor => Op::Xor,
                        _ => Op::And,
                    };
                    let (mut b, a) = (vector(state)?, vector(state)?);
                    if matches!(operator, Operator::V128AndNot) {
                        let ones = [Byte::Of(self.constant(u64::MAX), 0); 16];
                        b = self.bitwise(Op::Xor, &b, &ones);
                    }
                    let result = self.bitwise(op, &a, &b);
                    state.stack.push(Value::Vector(result));
                }
                Operator::V128Bitselect => {
                    let (mask, b, a) = (vector(state)?, vector(state)?, vector(state)?);
                    let result = self.bitselect(&a, &b, &mask);
                    state.stack.push(Value::Vector(result));
                }
                _ => return self.vector_memory(operator, state),
            }
        }
        Ok(true)
    }

    fn lanewise(&mut self, what: &Lanewise, state: &mut State) -> Result<(), Refusal> {
        let (ty, right) = match what {
            Lanewise::Binary(_, ty, ..) => (*ty, Some(vector(state)?)),
            Lanewise::Unary(_, ty) => (*ty, None),
            Lanewise::Shift(_, ty) => {
                let distance = word(state)?;
                (*ty, Some([Byte::Of(distance, 0); 16]))
            }
        };
        let left = vector(state)?;
        let bytes = ty.bits() as usize / 8;
        let mut result = left;
        let pool = &mut self.terms.pool;
        for at in (0..16).step_by(bytes) {
            let a = lane(pool, &left[at..at + bytes]);
            let other = |pool: &mut _| right.map(|right| lane(pool, &right[at..at + bytes]));
            let made = match *what {
                Lanewise::Unary(op, ty) => pool.unary(op, ty, a),
                Lanewise::Shift(op, ty) => {
                    let Some([Byte::Of(distance, _), ..]) = right else { continue };
                    pool.binary(op, ty, a, distance)
                }
                Lanewise::Binary(op, ty, swapped, mask) => {
                    let b = other(pool).unwrap_or(a);
                    let (a, b) = if swapped { (b, a) } else { (a, b) };
                    let bit = pool.binary(op, ty, a, b);
                    if mask {
                        let (ones, zero) =
                            (pool.constant(of_bytes(bytes).mask()), pool.constant(0));
                        pool.apply(Op::Select, of_bytes(bytes), [ones, zero, bit])
                    } else {
                        bit
                    }
                }
            };
            result[at..at + bytes].copy_from_slice(&of_value(made, bytes).collect::<Vec<_>>());
        }
        state.stack.push(Value::Vector(result));
        Ok(())
    }

    fn of_lane(&mut self, what: &Lane, bytes: usize, state: &mut State) -> Result<(), Refusal> {
        let result = match *what {
            Lane::Out(number, extend) => {
                let from = vector(state)?;
                let at = usize::from(number) * bytes;
                let id = lane(&mut self.terms.pool, &from[at..at + bytes]);
                Value::Word(extend.map_or(id, |op| self.terms.pool.unary(op, I32, id)))
            }
            Lane::In(number) => {
                let id = word(state)?;
                let mut into = vector(state)?;
                let at = usize::from(number) * bytes;
                into[at..at + bytes].copy_from_slice(&of_value(id, bytes).collect::<Vec<_>>());
                Value::Vector(into)
            }
            Lane::All => {
                let id = word(state)?;
                Value::Vector(std::array::from_fn(|at| Byte::Of(id, (at % bytes) as u8)))
            }
        };
        state.stack.push(result);
        Ok(())
    }

    /// Cuts two vectors where lanes of both begin.
    fn cuts(&self, of: &[&[Byte; 16]]) -> Vec<(usize, usize)> {
        let mut cuts = Vec::new();
        let mut at = 0;
        while at < 16 {
            let length = of
                .iter()
                .map(|bytes| match bytes[at] {
                    Byte::Of(id, _) => self.terms.pool.width(id).unwrap_or(8) as usize,
                    Byte::Memory { .. } => 4,
                })
                .min()
                .unwrap_or(4)
                .min(16 - at);
            let length = if at % length == 0 { length } else { 1 };
            cuts.push((at, length));
            at += length;
        }
        cuts
    }

    fn bitwise(&mut self, op: Op, a: &[Byte; 16], b: &[Byte; 16]) -> [Byte; 16] {
        let mut result = *a;
        for (at, bytes) in self.cuts(&[a, b]) {
            let pool = &mut self.terms.pool;
            let (x, y) = (lane(pool, &a[at..at + bytes]), lane(pool, &b[at..at + bytes]));
            let made = pool.binary(op, of_bytes(bytes), x, y);
            result[at..at + bytes].copy_from_slice(&of_value(made, bytes).collect::<Vec<_>>());
        }
        result
    }

    fn bitselect(&mut self, a: &[Byte; 16], b: &[Byte; 16], mask: &[Byte; 16]) -> [Byte; 16] {
        let mut result = *a;
        for (at, bytes) in self.cuts(&[mask]) {
            let pool = &mut self.terms.pool;
            let [a, b, mask] = [a, b, mask].map(|of| lane(pool, &of[at..at + bytes]));
            let ty = of_bytes(bytes);
            let made = match self.terms.as_mask(mask, ty) {
                Some(bit) => self.terms.pool.apply(Op::Select, ty, [a, b, bit]),
                None => {
                    let pool = &mut self.terms.pool;
                    let ones = pool.constant(ty.mask());
                    let others = pool.binary(Op::Xor, ty, mask, ones);
                    let (a, b) =
                        (pool.binary(Op::And, ty, a, mask), pool.binary(Op::And, ty, b, others));
                    pool.binary(Op::Or, ty, a, b)
                }
            };
            result[at..at + bytes].copy_from_slice(&of_value(made, bytes).collect::<Vec<_>>());
        }
        result
    }

    /// Loads and stores of vectors and of their lanes.
    fn vector_memory(
        &mut self,
        operator: &Operator<'_>,
        state: &mut State,
    ) -> Result<bool, Refusal> {
        use Operator::*;
        match *operator {
            V128Load { memarg } => {
                let bytes = self.read(state, memarg.offset, 16)?;
                state.stack.push(whole(bytes));
            }
            V128Store { memarg } => {
                let from = vector(state)?;
                self.write(state, memarg.offset, &from)?;
            }
            V128Load8Splat { memarg } => self.spread(state, memarg.offset, 1)?,
            V128Load16Splat { memarg } => self.spread(state, memarg.offset, 2)?,
            V128Load32Splat { memarg } => self.spread(state, memarg.offset, 4)?,
            V128Load64Splat { memarg } => self.spread(state, memarg.offset, 8)?,
            V128Load32Zero { memarg } => self.padded(state, memarg.offset, 4)?,
            V128Load64Zero { memarg } => self.padded(state, memarg.offset, 8)?,
            V128Load8x8U { memarg } => self.widened(state, memarg.offset, 1)?,
            V128Load16x4U { memarg } => self.widened(state, memarg.offset, 2)?,
            V128Load32x2U { memarg } => self.widened(state, memarg.offset, 4)?,
            V128Load8Lane { memarg, lane } => self.load_lane(state, memarg.offset, lane, 1)?,
            V128Load16Lane { memarg, lane } => self.load_lane(state, memarg.offset, lane, 2)?,
            V128Load32Lane { memarg, lane } => self.load_lane(state, memarg.offset, lane, 4)?,
            V128Load64Lane { memarg, lane } => self.load_lane(state, memarg.offset, lane, 8)?,
            V128Store8Lane { memarg, lane } => self.store_lane(state, memarg.offset, lane, 1)?,
            V128Store16Lane { memarg, lane } => self.store_lane(state, memarg.offset, lane, 2)?,
            V128Store32Lane { memarg, lane } => self.store_lane(state, memarg.offset, lane, 4)?,
            V128Store64Lane { memarg, lane } => self.store_lane(state, memarg.offset, lane, 8)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn spread(&mut self, state: &mut State, offset: u64, bytes: usize) -> Result<(), Refusal> {
        let from = self.read(state, offset, bytes)?;
        state.stack.push(Value::Vector(std::array::from_fn(|at| from[at % bytes])));
        Ok(())
    }

    fn padded(&mut self, state: &mut State, offset: u64, bytes: usize) -> Result<(), Refusal> {
        let from = self.read(state, offset, bytes)?;
        let zero = Byte::Of(self.constant(0), 0);
        state.stack.push(Value::Vector(std::array::from_fn(|at| *from.get(at).unwrap_or(&zero))));
        Ok(())
    }

    fn widened(&mut self, state: &mut State, offset: u64, bytes: usize) -> Result<(), Refusal> {
        let from = self.read(state, offset, 8)?;
        let zero = Byte::Of(self.constant(0), 0);
        let byte = |at: usize| match at % (2 * bytes) {
            low if low < bytes => from[at / (2 * bytes) * bytes + low],
            _ => zero,
        };
        state.stack.push(Value::Vector(std::array::from_fn(byte)));
        Ok(())
    }

    fn load_lane(
        &mut self,
        state: &mut State,
        offset: u64,
        lane: u8,
        bytes: usize,
    ) -> Result<(), Refusal> {
        let mut into = vector(state)?;
        let from = self.read(state, offset, bytes)?;
        into[usize::from(lane) * bytes..][..bytes].copy_from_slice(&from);
        state.stack.push(Value::Vector(into));
        Ok(())
    }

    fn store_lane(
        &mut self,
        state: &mut State,
        offset: u64,
        lane: u8,
        bytes: usize,
    ) -> Result<(), Refusal> {
        let from = vector(state)?;
        self.write(state, offset, &from[usize::from(lane) * bytes..][..bytes])
    }
}

fn whole(bytes: Vec<Byte>) -> Value {
    Value::Vector(std::array::from_fn(|at| bytes[at]))
}

pub(super) fn vector(state: &mut State) -> Result<[Byte; 16], Refusal> {
    match state.stack.pop() {
        Some(Value::Vector(bytes)) => Ok(bytes),
        _ => Err(Refusal::Module("a vector is missing on the stack".into())),
    }
}

pub(super) fn word(state: &mut State) -> Result<Id, Refusal> {
    match state.stack.pop() {
        Some(Value::Word(id)) => Ok(id),
        _ => Err(Refusal::Module("a number is missing on the stack".into())),
    }
}
