//! netfold's folds and conversions over whole buffers, compiled for the processor that they run on.
//!
//! Every kernel is written once and compiled for each [`Level`] of the processor. Most are plain
//! loops that the compiler vectorises; those that convert 16-bit floats, pass through `f64` or hold
//! FPISA's registers are made of operations on groups of elements (`simd.rs`), which are intrinsics
//! of AVX2 with F16C, intrinsics of AVX-512, or the scalar twin of both. All levels give the same
//! bits, those of the scalar reference in `netfold-num` (R-NUM-18). The functions of this module
//! use the best level that the processor has; [`Kernels`] has the same functions at a level of
//! choice. AArch64 has one level, the scalar twin, as the compiler vectorises it; nothing has been
//! tested or measured there.
//!
//! With AVX-512 every kernel but those of a block's lanes of f16 keeps up with memory, and with
//! AVX2 each of them has at least 0.7 of memcpy's speed there: `examples/throughput.rs` measures
//! all of them beside memcpy. To convert to and from lanes of f16 takes more steps for half the
//! bytes. With SSE2 alone those that convert 16-bit floats do not keep up: it has neither
//! conversions nor selections, and a division of `f16` takes some fifteen instructions for an
//! element. Nor do those of FPISA, which shift every element by a distance of its own.
//! [`add_by_table`] waits for its lookups on every processor. Stores are ordinary ones, since lanes
//! and results are read again soon: by the system call that sends them, and by the caller.
//!
//! This crate refuses to allocate, to read or write anything but the buffers it is given, and to
//! look at them when their lengths do not match. It is the only place with code for particular
//! processors, and its only unsafe code is intrinsics (`simd/`, and prefetches) and the call of a
//! function compiled for a level that was tested for (`dispatch.rs`).
//!
//! Buffers are bytes, without alignment: tensors in the processor's order; lanes that fold, or that
//! are copied from and to tensors, in the order that is named (R-NUM-19); lanes of a block, which
//! are converted, in little-endian order, for which [`Kernels::swap`] is there. A product has
//! kernels of its own, [`PlainKernel`]s, and this crate compiles them for each level. Open
//! [`Kernels`] first.
#![deny(unsafe_code)]

mod average;
mod block;
mod byte_order;
mod classes;
mod codes;
mod dispatch;
mod float;
mod fold;
mod fpisa;
mod halves;
mod lane;
mod logtable;
mod ordered;
mod plain;
mod prefetch;
mod rows;
mod simd;
mod sum;

pub use block::{Lanes, Quantised};
use byte_order::differs;
use dispatch::run;
pub use dispatch::{Level, PlainKernel};
pub use prefetch::{prefetch, prefetch_to_write};

use netfold_num::fpisa::Variant;
use netfold_num::{Arithmetic, ByteOrder, Comparison, ElementType, Exponent, Operation, Scale};

/// The kernels, compiled for one level of the processor.
///
/// # Panics
/// The functions that convert panic, besides what each says, if they do not take the element type,
/// if a tensor is not a whole number of elements, or if there is not a lane for each of them: of 4
/// bytes, or of 2 where a scale has lanes of f16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernels {
    level: Level,
}

impl Kernels {
    /// The kernels for the best level of this processor, found out once.
    pub fn best() -> Self {
        Self { level: Level::best() }
    }

    /// The kernels for every level that this processor has, slowest first.
    pub fn available() -> impl Iterator<Item = Self> {
        Level::available().map(|level| Self { level })
    }

    /// The level that these kernels are compiled for.
    pub fn level(self) -> Level {
        self.level
    }

    /// Folds a packet's lanes into a slot, both in the same byte order: `acc` = `acc` operation
    /// `input`, lane by lane (R-NUM-3 to R-NUM-5). [`Operation::Copy`] overwrites.
    ///
    /// # Panics
    /// If the lengths differ, or are not a whole number of lanes.
    pub fn fold(
        self,
        lane: ElementType,
        operation: Operation,
        order: ByteOrder,
        acc: &mut [u8],
        input: &[u8],
    ) {
        run(self.level, fold::FoldLanes { lane, operation, order, acc, input });
    }

    /// Adds rows to sums, which lie one after the other with `row_bytes` each: for each pair of
    /// `pairs` the number of the sum, whether the row takes its place, and the row.
    ///
    /// # Panics
    /// If a sum does not exist, or a row has another length.
    pub fn add_rows<'i>(
        self,
        lane: ElementType,
        order: ByteOrder,
        sums: &mut [u8],
        row_bytes: usize,
        pairs: impl Iterator<Item = (usize, bool, &'i [u8])>,
    ) {
        run(self.level, rows::AddRows { lane, order, sums, row_bytes, pairs });
    }

    /// Adds a packet's lanes of f16 to the integers of a slot, four little-endian bytes for each
    /// (R-NUM-21). With `first` the integers become those of the lanes, whatever they were.
    ///
    /// # Panics
    /// If there are not as many, or if the input is not a whole number of lanes.
    pub fn add_halves(self, order: ByteOrder, first: bool, sums: &mut [u8], input: &[u8]) {
        run(self.level, halves::AddHalves { order, first, sums, input });
    }

    /// Makes lanes of f16 of the integers of a slot (R-NUM-20). They stand in the first half of the
    /// memory.
    ///
    /// # Panics
    /// If the memory is not a whole number of integers.
    pub fn read_halves(self, order: ByteOrder, sums: &mut [u8]) {
        run(self.level, halves::ReadHalves { order, sums });
    }

    /// Adds a packet's floats (f32, f16 or bf16) to FPISA's registers, lane by lane (R-FPI-3 to
    /// R-FPI-9, in 32 bits without guard bits). With `first` the registers are empty before. Gives
    /// the first lane whose mantissa has overflowed, now or before.
    ///
    /// `registers` has [`FPISA_REGISTER_BYTES`] for each lane at least, in three planes: mantissas,
    /// exponents, flags.
    ///
    /// # Panics
    /// If there are not as many, for another element type, or if the input is not a whole number of
    /// lanes.
    pub fn add_to_registers(
        self,
        lane: ElementType,
        order: ByteOrder,
        variant: Variant,
        first: bool,
        registers: &mut [u8],
        input: &[u8],
    ) -> Option<usize> {
        run(self.level, fpisa::AddToRegisters { lane, order, variant, first, registers, input })
    }

    /// Writes the floats that FPISA's registers stand for (R-FPI-10 to R-FPI-12, truncating). The
    /// registers stay as they are.
    ///
    /// # Panics
    /// As [`add_to_registers`](Self::add_to_registers).
    pub fn read_registers(
        self,
        lane: ElementType,
        order: ByteOrder,
        registers: &[u8],
        lanes: &mut [u8],
    ) {
        run(self.level, fpisa::ReadRegisters { lane, order, registers, lanes });
    }

    /// Compares a column of codes with a constant (R-QRY-6), and sets the bit of each row for which
    /// it holds, the first row's lowest; bits behind the last row are cleared.
    ///
    /// # Panics
    /// If there are not as many words as the rows need.
    pub fn compare(self, comparison: Comparison, column: &[i64], constant: i64, bits: &mut [u64]) {
        run(self.level, codes::Compare { comparison, column, constant, bits });
    }

    /// Hashes keys (R-QRY-16).
    ///
    /// # Panics
    /// If there is not a hash for each key.
    pub fn hash_keys(self, keys: &[u64], seed: u64, hashes: &mut [u64]) {
        run(self.level, codes::HashKeys { keys, seed, hashes });
    }

    /// The exponent of a block of f32, f16 or bf16 (R-NUM-6): [`Exponent::SPECIAL`] if it holds a
    /// NaN or an infinity, [`Exponent::ZERO`] if it holds only zeros, or nothing.
    pub fn exponent(self, element_type: ElementType, tensor: &[u8]) -> Exponent {
        run(self.level, block::FindExponent { element_type, tensor, finite_only: false })
    }

    /// The exponent of the finite elements of a block of f32, f16 or bf16, for the round after its
    /// classes (R-WORK-5).
    pub fn finite_exponent(self, element_type: ElementType, tensor: &[u8]) -> Exponent {
        run(self.level, block::FindExponent { element_type, tensor, finite_only: true })
    }

    /// Quantises a block of f32, f16 or bf16 into the lanes of a scale: i32 (R-NUM-9) or f16
    /// (R-NUM-20). NaN and infinity become 0.
    pub fn quantise(
        self,
        element_type: ElementType,
        tensor: &[u8],
        scale: &Scale,
        lanes: &mut [u8],
    ) {
        run(self.level, block::Quantise { element_type, tensor, scale, lanes });
    }

    /// Does what [`Quantised::add`] does, by this level.
    ///
    /// # Panics
    /// As [`Quantised::add`].
    pub fn add_quantised(self, quantised: &Quantised<'_>, lanes: &mut [u8]) {
        run(self.level, block::AddQuantised { quantised, lanes });
    }

    /// Writes the sums that a scale's lanes stand for into a block of f32, f16 or bf16, divided by
    /// `divisor`: 1, or n for an average (R-NUM-11, R-NUM-22).
    ///
    /// # Panics
    /// Also if `divisor` is 0.
    pub fn dequantise(
        self,
        element_type: ElementType,
        lanes: &[u8],
        scale: &Scale,
        divisor: u32,
        tensor: &mut [u8],
    ) {
        run(
            self.level,
            block::Dequantise {
                element_type,
                lanes,
                lane: scale.lane(),
                unit: scale.unit(divisor),
                tensor,
                finite_only: false,
            },
        );
    }

    /// As [`dequantise`](Self::dequantise), but leaves the elements of `tensor` that are NaN or
    /// infinite as they are: a Classes round has settled them (R-NUM-14).
    ///
    /// # Panics
    /// Also if `divisor` is 0.
    pub fn dequantise_finite(
        self,
        element_type: ElementType,
        lanes: &[u8],
        scale: &Scale,
        divisor: u32,
        tensor: &mut [u8],
    ) {
        run(
            self.level,
            block::Dequantise {
                element_type,
                lanes,
                lane: scale.lane(),
                unit: scale.unit(divisor),
                tensor,
                finite_only: true,
            },
        );
    }

    /// Writes the sum of blocks of f32, one of each worker that has one, divided by `divisor`: what
    /// comes of their exponents, lanes and sums where all of them meet (R-NUM-6 to R-NUM-11).
    /// `blocks` gives the blocks, each time from the first one on. Gives the exponent of all; if
    /// that is [`Exponent::SPECIAL`], nothing is written.
    ///
    /// # Panics
    /// If the blocks and `tensor` are not of one length, if there is no scale for so many
    /// `workers`, or if `divisor` is 0.
    pub fn sum_blocks<'b, B: Iterator<Item = &'b [u8]>>(
        self,
        blocks: &impl Fn() -> B,
        workers: u16,
        divisor: u32,
        tensor: &mut [u8],
    ) -> Exponent {
        run(self.level, sum::SumBlocks { blocks, workers, divisor, tensor })
    }

    /// Writes the classes of a block of f32, f16 or bf16 as i32 lanes (R-NUM-13).
    pub fn classify(self, element_type: ElementType, tensor: &[u8], lanes: &mut [u8]) {
        run(self.level, classes::Classify { element_type, tensor, lanes });
    }

    /// Writes NaN or infinity into a block of f32, f16 or bf16 wherever the sum of classes says so
    /// (R-NUM-14). The other elements are left as they are if the tensor is reduced `in_place`, and
    /// become 0 otherwise.
    pub fn resolve(
        self,
        element_type: ElementType,
        lanes: &[u8],
        tensor: &mut [u8],
        in_place: bool,
    ) {
        run(self.level, classes::Resolve { element_type, lanes, tensor, in_place });
    }

    /// Writes a block of f32, f16 or bf16 as i32 lanes that compare as its elements do (R-NUM-15).
    ///
    /// # Panics
    /// Also if the operation is neither [`Operation::Min`] nor [`Operation::Max`].
    pub fn to_ordered(
        self,
        element_type: ElementType,
        operation: Operation,
        tensor: &[u8],
        lanes: &mut [u8],
    ) {
        run(self.level, ordered::ToOrdered { element_type, operation, tensor, lanes });
    }

    /// Writes the elements that ordered lanes stand for into a block of f32, f16 or bf16
    /// (R-NUM-15).
    pub fn from_ordered(self, element_type: ElementType, lanes: &[u8], tensor: &mut [u8]) {
        run(self.level, ordered::FromOrdered { element_type, lanes, tensor });
    }

    /// Copies a tensor's elements into lanes of the same type (R-NUM-19).
    ///
    /// # Panics
    /// If the lengths differ, or are not a whole number of elements.
    pub fn to_wire(
        self,
        element_type: ElementType,
        order: ByteOrder,
        tensor: &[u8],
        lanes: &mut [u8],
    ) {
        self.copy(element_type, differs(order), tensor, lanes);
    }

    /// Copies lanes into a tensor's elements of the same type (R-NUM-19).
    ///
    /// # Panics
    /// If the lengths differ, or are not a whole number of elements.
    pub fn from_wire(
        self,
        element_type: ElementType,
        order: ByteOrder,
        lanes: &[u8],
        tensor: &mut [u8],
    ) {
        self.copy(element_type, differs(order), lanes, tensor);
    }

    /// Copies lanes from one byte order to the other (R-NUM-19).
    ///
    /// # Panics
    /// If the lengths differ, or are not a whole number of lanes.
    pub fn swap(self, lane: ElementType, from: &[u8], to: &mut [u8]) {
        self.copy(lane, true, from, to);
    }

    fn copy(self, element_type: ElementType, swap: bool, from: &[u8], to: &mut [u8]) {
        run(self.level, plain::Copy { element_type, swap, from, to });
    }

    /// Divides a tensor of any float type, for the average of a plain sum (R-NUM-17).
    ///
    /// # Panics
    /// Also if `divisor` is 0.
    pub fn divide(self, element_type: ElementType, tensor: &mut [u8], divisor: u32) {
        run(self.level, average::Divide { element_type, tensor, divisor });
    }
}

/// [`Kernels::fold`] at the best level.
pub fn fold(
    lane: ElementType,
    operation: Operation,
    order: ByteOrder,
    acc: &mut [u8],
    input: &[u8],
) {
    Kernels::best().fold(lane, operation, order, acc, input);
}

/// [`Kernels::add_rows`] at the best level.
pub fn add_rows<'i>(
    lane: ElementType,
    order: ByteOrder,
    sums: &mut [u8],
    row_bytes: usize,
    pairs: impl Iterator<Item = (usize, bool, &'i [u8])>,
) {
    Kernels::best().add_rows(lane, order, sums, row_bytes, pairs);
}

/// [`Kernels::add_halves`] at the best level.
pub fn add_halves(order: ByteOrder, first: bool, sums: &mut [u8], input: &[u8]) {
    Kernels::best().add_halves(order, first, sums, input);
}

/// [`Kernels::read_halves`] at the best level.
pub fn read_halves(order: ByteOrder, sums: &mut [u8]) {
    Kernels::best().read_halves(order, sums);
}

/// Bytes of one of FPISA's registers: 32 bits of mantissa, 8 of exponent, 8 of flags.
pub const FPISA_REGISTER_BYTES: usize = fpisa::REGISTER_BYTES;

/// [`Kernels::add_to_registers`] at the best level.
pub fn add_to_registers(
    lane: ElementType,
    order: ByteOrder,
    variant: Variant,
    first: bool,
    registers: &mut [u8],
    input: &[u8],
) -> Option<usize> {
    Kernels::best().add_to_registers(lane, order, variant, first, registers, input)
}

/// [`Kernels::read_registers`] at the best level.
pub fn read_registers(lane: ElementType, order: ByteOrder, registers: &[u8], lanes: &mut [u8]) {
    Kernels::best().read_registers(lane, order, registers, lanes);
}

/// Adds a packet's f32 lanes to those of a slot, in the same byte order, by Libra's tables (R-LOG-2
/// to R-LOG-5). There is one form for all levels.
///
/// # Panics
/// If the lengths differ, or are not a whole number of lanes.
pub fn add_by_table(order: ByteOrder, acc: &mut [u8], input: &[u8]) {
    logtable::add(order, acc, input);
}

/// Folds lanes into others as they travel, in a job of this arithmetic: of those whose folds need
/// neither registers (R-FPI-2) nor wider lanes (R-NUM-21).
///
/// # Panics
/// If the lengths differ, or are not a whole number of lanes.
pub fn fold_in(
    arithmetic: Arithmetic,
    lane: ElementType,
    operation: Operation,
    order: ByteOrder,
    acc: &mut [u8],
    input: &[u8],
) {
    match (arithmetic, lane, operation) {
        (Arithmetic::LogTable, ElementType::F32, Operation::Sum) => {
            add_by_table(order, acc, input);
        }
        _ => fold(lane, operation, order, acc, input),
    }
}

/// [`Kernels::exponent`] at the best level.
pub fn exponent(element_type: ElementType, tensor: &[u8]) -> Exponent {
    Kernels::best().exponent(element_type, tensor)
}

/// [`Kernels::finite_exponent`] at the best level.
pub fn finite_exponent(element_type: ElementType, tensor: &[u8]) -> Exponent {
    Kernels::best().finite_exponent(element_type, tensor)
}

/// [`Kernels::quantise`] at the best level.
pub fn quantise(element_type: ElementType, tensor: &[u8], scale: &Scale, lanes: &mut [u8]) {
    Kernels::best().quantise(element_type, tensor, scale, lanes);
}

/// [`Kernels::dequantise`] at the best level.
pub fn dequantise(
    element_type: ElementType,
    lanes: &[u8],
    scale: &Scale,
    divisor: u32,
    tensor: &mut [u8],
) {
    Kernels::best().dequantise(element_type, lanes, scale, divisor, tensor);
}

/// [`Kernels::dequantise_finite`] at the best level.
pub fn dequantise_finite(
    element_type: ElementType,
    lanes: &[u8],
    scale: &Scale,
    divisor: u32,
    tensor: &mut [u8],
) {
    Kernels::best().dequantise_finite(element_type, lanes, scale, divisor, tensor);
}

/// [`Kernels::sum_blocks`] at the best level.
pub fn sum_blocks<'b, B: Iterator<Item = &'b [u8]>>(
    blocks: &impl Fn() -> B,
    workers: u16,
    divisor: u32,
    tensor: &mut [u8],
) -> Exponent {
    Kernels::best().sum_blocks(blocks, workers, divisor, tensor)
}

/// [`Kernels::classify`] at the best level.
pub fn classify(element_type: ElementType, tensor: &[u8], lanes: &mut [u8]) {
    Kernels::best().classify(element_type, tensor, lanes);
}

/// [`Kernels::resolve`] at the best level.
pub fn resolve(element_type: ElementType, lanes: &[u8], tensor: &mut [u8], in_place: bool) {
    Kernels::best().resolve(element_type, lanes, tensor, in_place);
}

/// [`Kernels::to_ordered`] at the best level.
pub fn to_ordered(
    element_type: ElementType,
    operation: Operation,
    tensor: &[u8],
    lanes: &mut [u8],
) {
    Kernels::best().to_ordered(element_type, operation, tensor, lanes);
}

/// [`Kernels::from_ordered`] at the best level.
pub fn from_ordered(element_type: ElementType, lanes: &[u8], tensor: &mut [u8]) {
    Kernels::best().from_ordered(element_type, lanes, tensor);
}

/// [`Kernels::to_wire`] at the best level.
pub fn to_wire(element_type: ElementType, order: ByteOrder, tensor: &[u8], lanes: &mut [u8]) {
    Kernels::best().to_wire(element_type, order, tensor, lanes);
}

/// [`Kernels::from_wire`] at the best level.
pub fn from_wire(element_type: ElementType, order: ByteOrder, lanes: &[u8], tensor: &mut [u8]) {
    Kernels::best().from_wire(element_type, order, lanes, tensor);
}

/// [`Kernels::swap`] at the best level.
pub fn swap(lane: ElementType, from: &[u8], to: &mut [u8]) {
    Kernels::best().swap(lane, from, to);
}

/// [`Kernels::divide`] at the best level.
pub fn divide(element_type: ElementType, tensor: &mut [u8], divisor: u32) {
    Kernels::best().divide(element_type, tensor, divisor);
}
