"""Compute a job's arithmetics on arrays, as a switch does, without a switch.

These functions show what an arithmetic does to your numbers; jobs use the same ones by name
(`arithmetic="fpisa"`). The rules, with the bounds of the errors, are in `spec/numerics.md`;
`docs/num.md` has an example of each.

- :func:`sum_native`: IEEE sums in the order of arrival, and the bound of their error (R-NUM-4).
- :func:`sum_blocks`: SwitchML's block fixed point (R-NUM-6 to R-NUM-11, R-NUM-20 to R-NUM-22;
  NSDI 2021, section 4.6).
- :func:`fold`: FPISA's registers of exponent and mantissa, one for each element or one exponent for
  a block of them; guard bits and rounding modes (R-FPI; NSDI 2022, sections 3 and 4, appendix A.1).
- :func:`multiply`, :func:`log2`, :func:`square_root`: FPISA's other operations (appendix A.2).
- :func:`fold_by_tables`: Libra's sum in the logarithmic domain (R-LOG; section 3.5).
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from .errors import ConfigurationError


class Movement(IntEnum):
    """Movement in the addition of one operand (R-FPI-13)."""

    ZERO = 0
    """The operand was zero: nothing."""
    SPECIAL = 1
    """The operand was NaN or infinite: it only set a flag."""
    FIRST = 2
    """The register was zero and took the operand."""
    INCOMING_RIGHT = 3
    """The operand moved right, or the exponents were equal."""
    STORED_RIGHT = 4
    """The register moved right."""
    INCOMING_LEFT = 5
    """The operand moved left, into the headroom."""
    OVERWRITTEN = 6
    """The register was replaced: the operand would have moved left by more than the headroom."""


@dataclass(frozen=True)
class Folded:
    """Registers after a fold. Every array but `movement` has the shape of one operand."""

    bits: npt.NDArray[np.uint32]
    """The floats that the registers stand for, as patterns right-aligned in 32 bits (R-FPI-10 to
    R-FPI-12).
    """
    exponent: npt.NDArray[np.uint8]
    """Biased exponents; the same for all elements of a block."""
    mantissa: npt.NDArray[np.int64]
    """Mantissas in two's complement, not normalised."""
    overflow: npt.NDArray[np.bool_]
    """True where a sum did not fit the register (R-FPI-9); such an element reads as NaN."""
    movement: npt.NDArray[np.uint8] | None = None
    """The :class:`Movement` of each step, in the shape of the operands, that of an element's block
    where elements share an exponent; None unless `trace` asked for it.
    """


def fold(  # noqa: PLR0913 - keywords of a public call
    bits: npt.NDArray[np.unsignedinteger],
    arithmetic: str = "fpisa",
    format: str = "fp32",
    register_bits: int = 32,
    trace: bool = False,
    guard_bits: int = 0,
    rounding: str = "toward-zero",
    block_elements: int = 1,
) -> Folded:
    """Fold bit patterns along the first axis, in order, as the switch would.

    With `block_elements` above 1 this is block floating point (R-FPI-19; FPISA, section 3.3):
    consecutive elements of an operand share the largest of their exponents, and so one alignment in
    each step. An element that is smaller than its block's largest loses as many of its low bits as
    the exponents differ. The error is below (2n - 1) u(X) for n operands, where X is the largest
    exponent in any of the blocks, against (n - 1) u(X) with X the element's own.

    Args:
        bits: patterns of the format, right-aligned in an unsigned integer of up to 32 bits; shape
            (operands, ...).
        arithmetic: `fpisa`, which shifts whichever operand is smaller, or `fpisa-a`, which moves
            only the incoming one.
        format: `fp32`, `fp16`, `bf16`, `tf32`, `e5m2` or `e4m3`.
        register_bits: width of the mantissa register, up to 64.
        trace: also say what moved in each step.
        guard_bits: bits of the register below the format's last place (appendix A.1). Each takes a
            bit of the headroom above it, so that half as many operands fit (R-FPI-16).
        rounding: how the register is read: `toward-zero`, as a switch that only shifts does,
            `toward-negative`, `toward-positive`, `nearest-even` or `nearest-away` (R-FPI-11).
        block_elements: elements that share an exponent, in the order of the flattened operand; the
            last block may be shorter.

    Raises:
        ConfigurationError: an argument is not one of these; the message says what it may be.
    """
    words, operands = _words(bits)
    read, exponent, mantissa, overflow, movement = _native.fpisa_fold(
        words,
        math.prod(operands[1:]),
        _count("block_elements", block_elements),
        arithmetic,
        format,
        _count("register_bits", register_bits),
        _count("guard_bits", guard_bits),
        rounding,
        trace,
    )
    shape = operands[1:]
    return Folded(
        np.frombuffer(read, np.uint32).reshape(shape),
        np.frombuffer(exponent, np.uint8).reshape(shape),
        np.frombuffer(mantissa, np.int64).reshape(shape),
        np.frombuffer(overflow, np.bool_).reshape(shape),
        np.frombuffer(movement, np.uint8).reshape(operands) if trace else None,
    )


def multiply(
    left: npt.NDArray[np.unsignedinteger],
    right: npt.NDArray[np.unsignedinteger],
    format: str = "fp32",
    rounding: str = "nearest-even",
) -> npt.NDArray[np.uint32]:
    """Multiply bit patterns element by element, with one rounding each (R-FPI-21; FPISA, appendix
    A.2).

    Args:
        left: patterns of the format, right-aligned in an unsigned integer of up to 32 bits.
        right: the same, of the same shape.
        format: as for :func:`fold`.
        rounding: as for :func:`fold`.

    Raises:
        ConfigurationError: an argument is not one of these, or the shapes differ.
    """
    if np.shape(left) != np.shape(right):
        shapes = f"{np.shape(left)} and {np.shape(right)}"
        raise ConfigurationError(f"shapes {shapes} differ; give as many patterns of each")
    (a, shape), (b, _) = _elements(left), _elements(right)
    return np.frombuffer(_native.fpisa_multiply(a, b, format, rounding), np.uint32).reshape(shape)


def log2(bits: npt.NDArray[np.unsignedinteger], format: str = "fp32") -> npt.NDArray[np.float64]:
    """Look up logarithms to base 2 in a table of 1025 entries (R-FPI-22; FPISA, appendix A.2).

    They are multiples of 2^-16. The error is at most 7.7e-6 for formats of up to 10 bits of
    mantissa and 7.13e-4 for wider ones. Elements of zeros, negative values, infinities and NaN are
    NaN.

    Args:
        bits: patterns of the format, right-aligned in an unsigned integer of up to 32 bits.
        format: as for :func:`fold`.

    Raises:
        ConfigurationError: an argument is not one of these.
    """
    words, shape = _elements(bits)
    units = np.frombuffer(_native.fpisa_log2(words, format), np.int64).reshape(shape)
    return np.where(units == np.iinfo(np.int64).min, np.nan, units / 2.0**16)


def square_root(
    bits: npt.NDArray[np.unsignedinteger], format: str = "fp32"
) -> npt.NDArray[np.uint32]:
    """Look up square roots in a table of 2049 entries (R-FPI-23; FPISA, appendix A.2).

    For formats of up to 10 bits of mantissa they are the nearest values. For wider ones, of M bits,
    the relative error is at most 2^-12 + 2^-22 + 2^-(M+1). Negative values have the root NaN, but
    for -0, which is its own.

    Args:
        bits: patterns of the format, right-aligned in an unsigned integer of up to 32 bits.
        format: as for :func:`fold`.

    Raises:
        ConfigurationError: an argument is not one of these.
    """
    words, shape = _elements(bits)
    return np.frombuffer(_native.fpisa_square_root(words, format), np.uint32).reshape(shape)


@dataclass(frozen=True)
class NativeSum:
    """A sum of IEEE floats. Both arrays have the shape of one operand."""

    values: npt.NDArray[Any]
    """The sums, in the type of the operands; patterns of `bf16` as patterns."""
    bound: npt.NDArray[np.float64]
    """The most by which a sum may differ from the exact one, in any order and any tree of switches
    (R-NUM-4). Infinite where the rule gives none: at a sum that is not finite, or where
    (n - 1) u >= 1.
    """


def sum_native(values: npt.NDArray[Any], format: str | None = None) -> NativeSum:
    """Sum floats along the first axis, in order, with one rounding for each step, as a switch of a
    `native` job does (R-NUM-4).

    The exact sum of n finite operands x is within `bound` = g (|x_1| + .. + |x_n|) of the result,
    g = (n - 1) u / (1 - (n - 1) u), as long as no step overflows; u is 2^-53 for float64, 2^-24 for
    float32, 2^-11 for float16 and 2^-8 for bf16 (Higham, *Accuracy and Stability of Numerical
    Algorithms*, section 4.2).

    Args:
        values: float16, float32 or float64, or patterns of bf16 in uint16; shape (operands, ...),
            one operand or more.
        format: None for floats, `bf16` for patterns.

    Raises:
        ConfigurationError: the type is not one of these, or there are no operands.
    """
    array = np.asarray(values)
    name = array.dtype.name if format is None else format
    if name not in _ROUNDOFF or (format is not None and array.dtype != np.uint16):
        raise ConfigurationError(
            f"values have the type {array.dtype} and the format {format}; give float16, float32 or "
            "float64 without a format, or patterns in uint16 with the format 'bf16'"
        )
    if array.ndim == 0 or len(array) == 0:
        raise ConfigurationError("there are no operands; give an array of shape (operands, ...)")
    shape = array.shape[1:]
    operands = np.ascontiguousarray(array, array.dtype.newbyteorder("="))
    summed = _native.native_fold(operands.tobytes(), math.prod(shape), name)
    sums = np.frombuffer(summed, operands.dtype).reshape(shape)
    return NativeSum(sums, _native_bound(_wide(operands, format), _wide(sums, format), name))


_ROUNDOFF = {"float64": 2.0**-53, "float32": 2.0**-24, "float16": 2.0**-11, "bf16": 2.0**-8}
"""u: half the distance from 1 to the next larger number of each type (R-NUM-4)."""


def _wide(values: npt.NDArray[Any], format: str | None) -> npt.NDArray[np.float64]:
    """The numbers in float64, patterns of bf16 included."""
    if format is not None:
        values = (values.astype(np.uint32) << 16).view(np.float32)
    with np.errstate(invalid="ignore"):
        return values.astype(np.float64)


def _native_bound(
    operands: npt.NDArray[np.float64], sums: npt.NDArray[np.float64], name: str
) -> npt.NDArray[np.float64]:
    """R-NUM-4 in float64, rounded up."""
    n = len(operands)
    lost = (n - 1) * _ROUNDOFF[name]
    if lost >= 1:
        return np.full(sums.shape, np.inf)
    with np.errstate(over="ignore", invalid="ignore"):
        magnitude = np.abs(operands).sum(0)
        # The n - 1 additions of magnitudes, the division and the two products are off by 2^-53
        # each; twice as much covers what those n + 2 errors make of each other. In the subnormal
        # range a product may be off by half of the smallest number.
        bound = magnitude * (lost / (1 - lost)) * (1 + (n + 3) * 2.0**-52)
        bound = np.where((magnitude == 0) | (n == 1), 0.0, np.nextafter(bound, np.inf))
    return np.where(np.isfinite(sums), bound, np.inf)


def fold_by_tables(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Sum FP32 values along the first axis, in order, by table lookup (R-LOG); shape (operands,
    ...).

    Raises:
        ConfigurationError: the values are not float32.
    """
    words, operands = _words(_patterns(np.asarray(values)))
    sums = _native.logtable_fold(words, math.prod(operands[1:]))
    return np.frombuffer(sums, np.float32).reshape(operands[1:])


@dataclass(frozen=True)
class BlockSum:
    """A sum in block fixed point."""

    values: npt.NDArray[np.float32] | npt.NDArray[np.float16]
    """The sums, in the shape of one operand and of its type."""
    unit: npt.NDArray[np.float64]
    """Value of one unit of the element's integer, 1/f (R-NUM-8, R-NUM-20); 0 in a block of
    zeros.
    """


def sum_blocks(
    values: npt.NDArray[np.float32] | npt.NDArray[np.float16], block_elements: int = 256
) -> BlockSum:
    """Sum finite FP32 or FP16 values along the first axis as one switch of a job with as many
    workers does.

    FP32 travels as integers (R-NUM-6 to R-NUM-11), FP16 in lanes of 16 bits (R-NUM-20 to R-NUM-22).

    Args:
        values: shape (workers, ...); blocks are consecutive elements of a worker, the last one may
            be shorter.
        block_elements: elements that share a factor, those of a packet.

    Raises:
        ConfigurationError: the values are not float32 or float16, or not finite, or there are none
            or more than 32767 workers.
    """
    array = np.asarray(values)
    halves = array.dtype == np.float16
    singles = array.astype(np.float32) if halves else array
    words, operands = _words(_patterns(singles))
    elements = math.prod(operands[1:])
    block_elements = _count("block_elements", block_elements)
    sums, units = _native.block_fold(words, elements, block_elements, halves)
    shape = operands[1:]
    # A block is no longer than the vector.
    unit = np.repeat(np.frombuffer(units, np.float64), min(block_elements, elements))[:elements]
    total = np.frombuffer(sums, np.float32).reshape(shape)
    if halves:
        # A sum beyond the range of the type is infinite (R-NUM-11).
        with np.errstate(over="ignore"):
            return BlockSum(total.astype(np.float16), unit.reshape(shape))
    return BlockSum(total, unit.reshape(shape))


def _count(name: str, value: int) -> int:
    """A number of bits or elements that fits the native module's integers."""
    if not 0 <= operator.index(value) < 2**32:
        raise ConfigurationError(f"{name} is {value}; give a number from 0 to {2**32 - 1}")
    return operator.index(value)


def _patterns(array: npt.NDArray[np.generic]) -> npt.NDArray[np.uint32]:
    """The patterns of FP32 values; refuses values of any other type."""
    if array.dtype != np.float32:
        raise ConfigurationError(f"values have the type {array.dtype}; convert them to float32")
    return array.view(np.uint32)


def _elements(bits: npt.NDArray[np.unsignedinteger]) -> tuple[bytes, tuple[int, ...]]:
    """Patterns widened to 32 bits, whatever their shape is, and the shape."""
    array = np.asarray(bits)
    return _words(array.reshape(1, *array.shape))[0], array.shape


def _words(bits: npt.NDArray[np.unsignedinteger]) -> tuple[bytes, tuple[int, ...]]:
    """Patterns widened to 32 bits, one operand after the other, and their shape."""
    patterns = np.asarray(bits)
    if patterns.dtype.kind != "u" or patterns.dtype.itemsize > 4:
        raise ConfigurationError(
            f"bits have the type {patterns.dtype}; give patterns in uint8, uint16 or uint32"
        )
    if patterns.ndim == 0:
        raise ConfigurationError(
            "bits have no axis to fold along; give an array of shape (operands, ...)"
        )
    return np.ascontiguousarray(patterns, dtype=np.uint32).tobytes(), patterns.shape
