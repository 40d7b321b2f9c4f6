//! The addition of a contribution's lanes to those that a copy holds, in the job's arithmetic.

use netfold_kernels::{self as kernels, Lanes};
use netfold_num::fpisa::Variant;
use netfold_num::{Arithmetic, ElementType, Operation, UserOperation};
use netfold_wire::{Kind, Repr, Terms};

use crate::apart::Operands;
use crate::job::JobSpec;
use crate::typed::{Instances, TrapCause};

/// All memory of one copy of a slot that folds.
#[derive(Debug)]
pub struct CopyMemory<'a> {
    /// The lanes as they travel, in the job's byte order, or as they are kept until the round is
    /// complete (R-NUM-21); [`payload_bytes`](crate::JobSpec::payload_bytes) long.
    pub lanes: &'a mut [u8],
    /// The part of a sum, or the operands, that are kept until the round is complete;
    /// [`register_bytes`](crate::JobSpec::register_bytes) long.
    pub registers: &'a mut [u8],
}

/// The memory of one copy of a slot, by what the slot does with operands.
#[derive(Debug)]
pub enum Memory<'a> {
    /// It folds them.
    Folded(CopyMemory<'a>),
    /// It keeps them apart (R-SLOT-13).
    Apart(Operands<'a>),
}

impl<'a> From<CopyMemory<'a>> for Memory<'a> {
    fn from(memory: CopyMemory<'a>) -> Self {
        Self::Folded(memory)
    }
}

/// The stage of a round, when lanes come to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stage {
    /// These are the round's first lanes: what the copy holds is of another round.
    pub(crate) first: bool,
    /// No more contributions come.
    pub(crate) last: bool,
    /// Lanes have come in the round.
    pub(crate) filled: bool,
}

/// The reason why a fold has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A lane, the first one, has overflowed its register (R-FPI-9).
    Overflow(usize),
    /// An operation of a user has trapped (R-OP-19).
    Trap(UserOperation, TrapCause),
}

/// Returns the variant of FPISA's adder that an arithmetic has.
pub(crate) const fn variant(arithmetic: Arithmetic) -> Option<Variant> {
    match arithmetic {
        Arithmetic::Fpisa => Some(Variant::Full),
        Arithmetic::FpisaA => Some(Variant::Approximate),
        _ => None,
    }
}

/// Folds the lanes of a contribution, none if it is EMPTY, into a copy (R-SLOT-2). After the last
/// one the copy's lanes are the result.
///
/// # Errors
/// The reason why they do not fold.
pub(crate) fn fold(
    spec: &JobSpec,
    header: &Repr,
    input: Option<Lanes<'_>>,
    stage: Stage,
    memory: CopyMemory<'_>,
) -> Result<(), Fault> {
    let Terms { arithmetic, byte_order: order, .. } = spec.terms;
    let (lane, operation) = (header.element_type, header.operation);
    let CopyMemory { lanes, registers } = memory;
    // R-SLOT-12
    let Some(variant) = adder(arithmetic, lane, operation).filter(|_| header.kind != Kind::Refold)
    else {
        let lanes =
            &mut lanes[..usize::from(header.elements) * arithmetic.slot_bytes(lane, operation)];
        match input {
            Some(Lanes::Ready(input)) => {
                fold_lanes(spec, lane, operation, stage.first, lanes, input)
            }
            Some(Lanes::Quantised(input)) if stage.first => input.write(lanes),
            Some(Lanes::Quantised(input)) => input.add(lanes),
            None => {}
        }
        if stage.last && stage.filled {
            finish_lanes(spec, lane, operation, lanes);
        }
        return Ok(());
    };
    let overflow = input.and_then(|input| {
        let Lanes::Ready(input) = input else { panic!("lanes of i32 need no registers") };
        kernels::add_to_registers(lane, order, variant, stage.first, registers, input)
    });
    if stage.last && stage.filled {
        let len = usize::from(header.elements) * lane.bytes();
        kernels::read_registers(lane, order, registers, &mut lanes[..len]);
    }
    overflow.map_or(Ok(()), |lane| Err(Fault::Overflow(lane)))
}

/// Folds the operand of the member with this `number`, none if it is EMPTY, by an operation of a
/// user: as it arrives, or with the others in rank order when the round is complete (R-OP-13,
/// R-OP-25).
///
/// # Errors
/// The reason why the operation has trapped.
pub(crate) fn fold_typed(
    spec: &JobSpec,
    instances: &mut Instances,
    (operation, number): (UserOperation, u16),
    header: &Repr,
    input: Option<Lanes<'_>>,
    stage: Stage,
    memory: CopyMemory<'_>,
) -> Result<(), Fault> {
    let CopyMemory { lanes, registers } = memory;
    let lanes = &mut lanes[..header.elements.into()];
    let fault = |cause| Fault::Trap(operation, cause);
    // R-OP-26: a leaf has a part of the fold.
    let whole = spec.place.parent().is_none();
    if spec.keeps_order(header.operation) {
        let (members, payload_bytes) = (spec.place.count(), spec.payload_bytes);
        let room = &mut registers[..Operands::bytes(members, payload_bytes)];
        let mut operands = Operands::of(room, members, payload_bytes);
        operands.put(number, input);
        if stage.last
            && let Some((first, mut rest)) = operands.in_rank_order(lanes.len())
        {
            instances.fold(operation, first, &mut rest, whole).map_err(fault)?;
            drop(rest);
            lanes.copy_from_slice(first);
        }
        return Ok(());
    }
    match input {
        Some(Lanes::Quantised(_)) => panic!("operations of users have bytes"),
        Some(Lanes::Ready(input)) if !stage.first => {
            let mut operands = [input].into_iter();
            let complete = stage.last && whole;
            return instances.fold(operation, lanes, &mut operands, complete).map_err(fault);
        }
        Some(Lanes::Ready(input)) => lanes.copy_from_slice(input),
        None => {}
    }
    if stage.last && stage.filled && whole {
        instances.finish(operation, lanes).map_err(fault)?;
    }
    Ok(())
}

/// Returns whether a fold needs no more memory than its lanes, so that [`fold_lanes`] does all of
/// it.
#[inline]
pub fn folds_in_lanes(arithmetic: Arithmetic, lane: ElementType, operation: Operation) -> bool {
    adder(arithmetic, lane, operation).is_none() && !matches!(operation, Operation::User(_))
}

/// Returns whether a copy holds a fold as the lanes that travel, from the first of them on.
pub(crate) fn keeps_lanes(arithmetic: Arithmetic, lane: ElementType, operation: Operation) -> bool {
    folds_in_lanes(arithmetic, lane, operation) && !arithmetic.widens(lane, operation)
}

/// Folds lanes into others where they are (R-SLOT-2), both in the job's byte order; the `first`
/// ones take their place. Those that are kept as integers (R-NUM-21) are lanes again after
/// [`finish_lanes`].
///
/// # Panics
/// If `lanes` has not [`slot_bytes`](Arithmetic::slot_bytes) for each lane of the input.
pub fn fold_lanes(
    spec: &JobSpec,
    lane: ElementType,
    operation: Operation,
    first: bool,
    lanes: &mut [u8],
    input: &[u8],
) {
    let order = spec.terms.byte_order;
    if spec.terms.arithmetic.widens(lane, operation) {
        return kernels::add_halves(order, first, lanes, input);
    }
    let operation = if first { Operation::Copy } else { operation };
    kernels::fold_in(spec.terms.arithmetic, lane, operation, order, lanes, input);
}

/// Makes lanes of all that has been folded where they are, in the job's byte order: integers that
/// stand for lanes become those, in the first half of their memory (R-NUM-21). Other lanes stay as
/// they are.
pub fn finish_lanes(spec: &JobSpec, lane: ElementType, operation: Operation, lanes: &mut [u8]) {
    if spec.terms.arithmetic.widens(lane, operation) {
        kernels::read_halves(spec.terms.byte_order, lanes);
    }
}

/// Returns the adder that keeps a sum in registers until its round is complete, if that is how it
/// is folded.
fn adder(arithmetic: Arithmetic, lane: ElementType, operation: Operation) -> Option<Variant> {
    variant(arithmetic).filter(|_| operation == Operation::Sum && is_narrow_float(lane))
}

/// Returns whether FPISA's registers hold this type.
fn is_narrow_float(lane: ElementType) -> bool {
    matches!(lane, ElementType::F32 | ElementType::F16 | ElementType::Bf16)
}
