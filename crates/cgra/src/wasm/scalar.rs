//! WebAssembly's instructions on numbers, as operations of units.

use wasmparser::Operator;

use crate::op::Ty::{F32, F64, I32, I64};
use crate::op::{Op, Ty};

/// An instruction of two operands: its operation, its type, and whether operands change places.
pub(super) fn binary(operator: &Operator<'_>) -> Option<(Op, Ty, bool)> {
    use Operator::*;
    let straight = |op, ty| Some((op, ty, false));
    let swapped = |op, ty| Some((op, ty, true));
    match operator {
        I32Add => straight(Op::Add, I32),
        I64Add => straight(Op::Add, I64),
        I32Sub => straight(Op::Sub, I32),
        I64Sub => straight(Op::Sub, I64),
        I32Mul => straight(Op::Mul, I32),
        I64Mul => straight(Op::Mul, I64),
        I32And => straight(Op::And, I32),
        I64And => straight(Op::And, I64),
        I32Or => straight(Op::Or, I32),
        I64Or => straight(Op::Or, I64),
        I32Xor => straight(Op::Xor, I32),
        I64Xor => straight(Op::Xor, I64),
        I32Shl => straight(Op::Shl, I32),
        I64Shl => straight(Op::Shl, I64),
        I32ShrS => straight(Op::ShrS, I32),
        I64ShrS => straight(Op::ShrS, I64),
        I32ShrU => straight(Op::ShrU, I32),
        I64ShrU => straight(Op::ShrU, I64),
        I32Rotl => straight(Op::Rotl, I32),
        I64Rotl => straight(Op::Rotl, I64),
        I32Eq => straight(Op::Eq, I32),
        I64Eq => straight(Op::Eq, I64),
        I32Ne => straight(Op::Ne, I32),
        I64Ne => straight(Op::Ne, I64),
        I32LtS => straight(Op::LtS, I32),
        I64LtS => straight(Op::LtS, I64),
        I32LtU => straight(Op::LtU, I32),
        I64LtU => straight(Op::LtU, I64),
        I32LeS => straight(Op::LeS, I32),
        I64LeS => straight(Op::LeS, I64),
        I32LeU => straight(Op::LeU, I32),
        I64LeU => straight(Op::LeU, I64),
        I32GtS => swapped(Op::LtS, I32),
        I64GtS => swapped(Op::LtS, I64),
        I32GtU => swapped(Op::LtU, I32),
        I64GtU => swapped(Op::LtU, I64),
        I32GeS => swapped(Op::LeS, I32),
        I64GeS => swapped(Op::LeS, I64),
        I32GeU => swapped(Op::LeU, I32),
        I64GeU => swapped(Op::LeU, I64),
        F32Add => straight(Op::FAdd, F32),
        F64Add => straight(Op::FAdd, F64),
        F32Sub => straight(Op::FSub, F32),
        F64Sub => straight(Op::FSub, F64),
        F32Mul => straight(Op::FMul, F32),
        F64Mul => straight(Op::FMul, F64),
        F32Div => straight(Op::FDiv, F32),
        F64Div => straight(Op::FDiv, F64),
        F32Min => straight(Op::FMin, F32),
        F64Min => straight(Op::FMin, F64),
        F32Max => straight(Op::FMax, F32),
        F64Max => straight(Op::FMax, F64),
        F32Copysign => straight(Op::FCopysign, F32),
        F64Copysign => straight(Op::FCopysign, F64),
        F32Eq => straight(Op::FEq, F32),
        F64Eq => straight(Op::FEq, F64),
        F32Ne => straight(Op::FNe, F32),
        F64Ne => straight(Op::FNe, F64),
        F32Lt => straight(Op::FLt, F32),
        F64Lt => straight(Op::FLt, F64),
        F32Le => straight(Op::FLe, F32),
        F64Le => straight(Op::FLe, F64),
        F32Gt => swapped(Op::FLt, F32),
        F64Gt => swapped(Op::FLt, F64),
        F32Ge => swapped(Op::FLe, F32),
        F64Ge => swapped(Op::FLe, F64),
        _ => None,
    }
}

/// A quotient or a remainder, which traps where the divisor is zero.
pub(super) fn quotient(operator: &Operator<'_>) -> Option<(Op, Ty)> {
    use Operator::*;
    Some(match operator {
        I32DivS => (Op::DivS, I32),
        I64DivS => (Op::DivS, I64),
        I32DivU => (Op::DivU, I32),
        I64DivU => (Op::DivU, I64),
        I32RemS => (Op::RemS, I32),
        I64RemS => (Op::RemS, I64),
        I32RemU => (Op::RemU, I32),
        I64RemU => (Op::RemU, I64),
        _ => return None,
    })
}

/// An instruction of one operand.
pub(super) fn unary(operator: &Operator<'_>) -> Option<(Op, Ty)> {
    use Operator::*;
    Some(match operator {
        I32Clz => (Op::Clz, I32),
        I64Clz => (Op::Clz, I64),
        I32Ctz => (Op::Ctz, I32),
        I64Ctz => (Op::Ctz, I64),
        I32Popcnt => (Op::Popcnt, I32),
        I64Popcnt => (Op::Popcnt, I64),
        I32Extend8S => (Op::Extend8, I32),
        I64Extend8S => (Op::Extend8, I64),
        I32Extend16S => (Op::Extend16, I32),
        I64Extend16S => (Op::Extend16, I64),
        I64Extend32S | I64ExtendI32S => (Op::Extend32, I64),
        I64ExtendI32U | I32ReinterpretF32 | F32ReinterpretI32 => (Op::Wrap, I64),
        I64ReinterpretF64 | F64ReinterpretI64 => (Op::Wrap, I64),
        I32WrapI64 => (Op::Wrap, I32),
        F32Abs => (Op::FAbs, F32),
        F64Abs => (Op::FAbs, F64),
        F32Neg => (Op::FNeg, F32),
        F64Neg => (Op::FNeg, F64),
        F32Ceil => (Op::FCeil, F32),
        F64Ceil => (Op::FCeil, F64),
        F32Floor => (Op::FFloor, F32),
        F64Floor => (Op::FFloor, F64),
        F32Trunc => (Op::FTrunc, F32),
        F64Trunc => (Op::FTrunc, F64),
        F32Nearest => (Op::FNearest, F32),
        F64Nearest => (Op::FNearest, F64),
        F32Sqrt => (Op::FSqrt, F32),
        F64Sqrt => (Op::FSqrt, F64),
        F32ConvertI32S => (Op::OfS32, F32),
        F32ConvertI32U => (Op::OfU32, F32),
        F32ConvertI64S => (Op::OfS64, F32),
        F32ConvertI64U => (Op::OfU64, F32),
        F64ConvertI32S => (Op::OfS32, F64),
        F64ConvertI32U => (Op::OfU32, F64),
        F64ConvertI64S => (Op::OfS64, F64),
        F64ConvertI64U => (Op::OfU64, F64),
        F32DemoteF64 => (Op::Demote, F64),
        F64PromoteF32 => (Op::Promote, F32),
        I32TruncSatF32S | I32TruncF32S => (Op::ToS32, F32),
        I32TruncSatF32U | I32TruncF32U => (Op::ToU32, F32),
        I32TruncSatF64S | I32TruncF64S => (Op::ToS32, F64),
        I32TruncSatF64U | I32TruncF64U => (Op::ToU32, F64),
        I64TruncSatF32S | I64TruncF32S => (Op::ToS64, F32),
        I64TruncSatF32U | I64TruncF32U => (Op::ToU64, F32),
        I64TruncSatF64S | I64TruncF64S => (Op::ToS64, F64),
        I64TruncSatF64U | I64TruncF64U => (Op::ToU64, F64),
        _ => return None,
    })
}

/// A conversion that traps beyond a range: the bits of the magnitude from which on it may, and
/// whether numbers below zero do.
pub(super) fn bounded(operator: &Operator<'_>) -> Option<(u64, bool)> {
    use Operator::*;
    Some(match operator {
        I32TruncF32S => (0x4f00_0000, false),
        I32TruncF32U => (0x4f80_0000, true),
        I64TruncF32S => (0x5f00_0000, false),
        I64TruncF32U => (0x5f80_0000, true),
        I32TruncF64S => (0x41e0_0000_0000_0000, false),
        I32TruncF64U => (0x41f0_0000_0000_0000, true),
        I64TruncF64S => (0x43e0_0000_0000_0000, false),
        I64TruncF64U => (0x43f0_0000_0000_0000, true),
        _ => return None,
    })
}

/// The address, the bytes, and the operation that extends their sign, of a load.
type Load = (wasmparser::MemArg, usize, Option<(Op, Ty)>);

/// Returns what an operator loads, if it is a load.
pub(super) fn load(operator: &Operator<'_>) -> Option<Load> {
    use Operator::*;
    Some(match *operator {
        I32Load { memarg } | F32Load { memarg } | I64Load32U { memarg } => (memarg, 4, None),
        I64Load { memarg } | F64Load { memarg } => (memarg, 8, None),
        I32Load8U { memarg } | I64Load8U { memarg } => (memarg, 1, None),
        I32Load16U { memarg } | I64Load16U { memarg } => (memarg, 2, None),
        I32Load8S { memarg } => (memarg, 1, Some((Op::Extend8, I32))),
        I64Load8S { memarg } => (memarg, 1, Some((Op::Extend8, I64))),
        I32Load16S { memarg } => (memarg, 2, Some((Op::Extend16, I32))),
        I64Load16S { memarg } => (memarg, 2, Some((Op::Extend16, I64))),
        I64Load32S { memarg } => (memarg, 4, Some((Op::Extend32, I64))),
        _ => return None,
    })
}

/// A store, and its bytes.
pub(super) fn store(operator: &Operator<'_>) -> Option<(wasmparser::MemArg, usize)> {
    use Operator::*;
    Some(match *operator {
        I32Store8 { memarg } | I64Store8 { memarg } => (memarg, 1),
        I32Store16 { memarg } | I64Store16 { memarg } => (memarg, 2),
        I32Store { memarg } | F32Store { memarg } | I64Store32 { memarg } => (memarg, 4),
        I64Store { memarg } | F64Store { memarg } => (memarg, 8),
        _ => return None,
    })
}
