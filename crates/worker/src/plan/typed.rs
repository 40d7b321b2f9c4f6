//! Calls that fold by an operation of a user: blocks of whole elements, and whole messages
//! (R-OP-24).

use netfold_num::ElementType;

use super::error::PlanError;
use super::lengths::Parts;
use crate::call::{Call, Collective, UserFold};

/// Returns the bytes of a block, of which a packet holds so many.
///
/// # Errors
/// The reason why the operation cannot fold the call's elements.
pub(super) fn lanes_per_block(
    fold: &UserFold,
    call: &Call,
    parts: &Parts,
    packet_bytes: u16,
) -> Result<u16, PlanError> {
    let element_bytes = fold.element_bytes();
    let operation = || fold.name().to_owned();
    if call.element_type != ElementType::U8 {
        let element_type = call.element_type.name();
        return Err(PlanError::UserElements { operation: operation(), element_type });
    }
    let traits = fold.traits();
    let can = if call.collective == Collective::LookAside { traits.answers } else { traits.folds };
    if !can {
        return Err(PlanError::NotItsCall { operation: operation(), answers: traits.answers });
    }
    let passes =
        !matches!(call.collective, Collective::Scan | Collective::Prefixes | Collective::ScanTotal);
    if traits.finishes() && !passes {
        return Err(PlanError::MappedScan(operation()));
    }
    let longest = |bytes: u64| match fold.message_elements() {
        Some(_) => bytes,
        None => element_bytes.into(),
    };
    let lengths: &[u64] = match parts.lengths() {
        Some(lengths) if call.collective == Collective::ReduceScatter => lengths.all(),
        _ => &[call.elements],
    };
    let batch_bytes = traits.batch_bytes.map_or(u16::MAX, |most| most.min(u16::MAX.into()) as u16);
    let room = packet_bytes.min(batch_bytes) / element_bytes * element_bytes;
    let declared = fold.message_elements().map(|most| u64::from(most) * u64::from(element_bytes));
    for &bytes in lengths {
        if !bytes.is_multiple_of(element_bytes.into()) {
            return Err(PlanError::Fraction { operation: operation(), element_bytes, bytes });
        }
        let (bytes, most) = (longest(bytes), declared.unwrap_or(u64::MAX).min(room.into()));
        if bytes > most {
            let in_packet = declared.is_none_or(|declared| declared > u64::from(room));
            return Err(PlanError::Whole { operation: operation(), bytes, most, in_packet });
        }
    }
    Ok(room)
}
