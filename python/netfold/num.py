"""The arithmetics of a job on arrays, as a switch computes them.

For whoever studies what they do to numbers; jobs use them by name (`arithmetic="fpisa"`).
:func:`fold` is FPISA with one register for each element (rules R-FPI in `spec/numerics.md`;
"Unlocking the Power of Inline Floating-Point Operations on Programmable Switches", NSDI 2022),
:func:`fold_by_tables` is Libra's sum in the logarithmic domain (R-LOG), and :func:`sum_blocks`
SwitchML's fixed point (R-NUM-6 to R-NUM-11).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import IntEnum

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
    """Biased exponents."""
    mantissa: npt.NDArray[np.int64]
    """Mantissas in two's complement, not normalised."""
    overflow: npt.NDArray[np.bool_]
    """True where a sum did not fit the register (R-FPI-9); such an element reads as NaN."""
    movement: npt.NDArray[np.uint8] | None = None
    """The :class:`Movement` of each step, in the shape of the operands; None unless `trace` asked
    for it.
    """


def fold(
    bits: npt.NDArray[np.unsignedinteger],
    arithmetic: str = "fpisa",
    format: str = "fp32",
    register_bits: int = 32,
    trace: bool = False,
    guard_bits: int = 0,
    rounding: str = "toward-zero",
) -> Folded:
    """Fold bit patterns along the first axis, in order, as the switch would.

    Args:
        bits: patterns of the format, right-aligned in an unsigned integer of up to 32 bits; shape
            (operands, ...).
        arithmetic: `fpisa`, which shifts whichever operand is smaller, or `fpisa-a`, which moves
            only the incoming one.
        format: `fp32`, `fp16`, `bf16`, `tf32`, `e5m2` or `e4m3`.
        register_bits: width of the mantissa register, up to 64.
        trace: also say what moved in each step.
        guard_bits: bits of the register below the format's last place (appendix A.1).
        rounding: how the register is read: `toward-zero`, as a switch that only shifts does,
            `toward-negative`, `toward-positive`, `nearest-even` or `nearest-away` (R-FPI-11).

    Raises:
        ConfigurationError: an argument is none of these; the message says what it may be.
    """
    words, operands = _words(bits)
    read, exponent, mantissa, overflow, movement = _native.fpisa_fold(
        words,
        math.prod(operands[1:]),
        arithmetic,
        format,
        register_bits,
        guard_bits,
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
        ConfigurationError: an argument is none of these, or the shapes differ.
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
        ConfigurationError: an argument is none of these.
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
        ConfigurationError: an argument is none of these.
    """
    words, shape = _elements(bits)
    return np.frombuffer(_native.fpisa_square_root(words, format), np.uint32).reshape(shape)


def fold_by_tables(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Sum FP32 values along the first axis, in order, by table lookup (R-LOG); shape (operands,
    ...).

    Raises:
        ConfigurationError: the values are not float32.
    """
    words, operands = _words(_patterns(values))
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
    words, operands = _words(_patterns(array.astype(np.float32) if halves else array))
    elements = math.prod(operands[1:])
    sums, units = _native.block_fold(words, elements, block_elements, halves)
    shape = operands[1:]
    unit = np.repeat(np.frombuffer(units, np.float64), block_elements)[:elements]
    total = np.frombuffer(sums, np.float32).reshape(shape)
    if halves:
        # A sum beyond the range of the type is infinite (R-NUM-11).
        with np.errstate(over="ignore"):
            return BlockSum(total.astype(np.float16), unit.reshape(shape))
    return BlockSum(total, unit.reshape(shape))


def _patterns(values: npt.NDArray[np.float32]) -> npt.NDArray[np.uint32]:
    """The patterns of FP32 values."""
    array = np.asarray(values)
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
