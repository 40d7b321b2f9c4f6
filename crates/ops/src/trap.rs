//! A call that has not ended well.

use std::sync::Arc;

use netfold_switch::TrapCause;
use thiserror::Error;
use wasmtime::Trap;

/// A fold that has trapped or was stopped (R-OP-19). The accumulator is as it was.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("operation {operation}: {cause}")]
pub struct Trapped {
    /// The operation's name.
    pub operation: Arc<str>,
    /// The cause.
    pub cause: TrapCause,
}

/// Returns the cause of an error that wasmtime has given.
pub(crate) fn cause(error: &wasmtime::Error) -> TrapCause {
    match error.downcast_ref::<Trap>() {
        Some(Trap::UnreachableCodeReached) => TrapCause::Unreachable,
        Some(Trap::MemoryOutOfBounds) => TrapCause::Memory,
        Some(
            Trap::TableOutOfBounds
            | Trap::IndirectCallToNull
            | Trap::BadSignature
            | Trap::NullReference,
        ) => TrapCause::Table,
        Some(Trap::StackOverflow) => TrapCause::Stack,
        Some(
            Trap::IntegerOverflow | Trap::IntegerDivisionByZero | Trap::BadConversionToInteger,
        ) => TrapCause::Arithmetic,
        Some(Trap::Interrupt) => TrapCause::Time,
        Some(Trap::OutOfFuel) => TrapCause::Work,
        _ => TrapCause::Other,
    }
}
