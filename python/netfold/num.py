"""The arithmetic of FPISA on arrays, one register for each element, as a switch keeps them.

For whoever studies what it does to numbers; jobs use it by their name (`arithmetic="fpisa"` or `"fpisa-a"`). The rules
are R-FPI in `spec/numerics.md`; the source is "Unlocking the Power of Inline Floating-Point Operations on Programmable
Switches", NSDI 2022.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from . import _native
from .errors import ConfigurationError


@dataclass(frozen=True)
class Folded:
    """What registers hold after a fold. Every array has the shape of one operand."""

    bits: npt.NDArray[np.uint32]
    """The floats that the registers stand for, as patterns right-aligned in 32 bits (R-FPI-10 to R-FPI-12)."""
    exponent: npt.NDArray[np.uint8]
    """Biased exponents."""
    mantissa: npt.NDArray[np.int64]
    """Mantissas in two's complement, not normalised."""
    overflow: npt.NDArray[np.bool_]
    """Whether a sum did not fit the register (R-FPI-9); such an element reads as NaN."""


def fold(
    bits: npt.NDArray[np.unsignedinteger], arithmetic: str = "fpisa", format: str = "fp32", register_bits: int = 32
) -> Folded:
    """Fold bit patterns along the first axis, in order, as the switch would.

    Args:
        bits: patterns of the format, right-aligned in an unsigned integer of up to 32 bits; shape (operands, ...).
        arithmetic: `fpisa`, which shifts whichever operand is smaller, or `fpisa-a`, which moves only the incoming one.
        format: `fp32`, `fp16`, `bf16`, `tf32`, `e5m2` or `e4m3`.
        register_bits: width of the mantissa register, up to 64.

    Raises:
        ConfigurationError: an argument is none of these; the message says what it may be.
    """
    patterns = np.asarray(bits)
    if patterns.dtype.kind != "u" or patterns.dtype.itemsize > 4:
        raise ConfigurationError(f"bits have the type {patterns.dtype}; give patterns in uint8, uint16 or uint32")
    if patterns.ndim == 0:
        raise ConfigurationError("bits have no axis to fold along; give an array of shape (operands, ...)")
    shape = patterns.shape[1:]
    elements = int(np.prod(shape, dtype=np.int64))
    words = np.ascontiguousarray(patterns, dtype=np.uint32).tobytes()
    read, exponent, mantissa, overflow = _native.fpisa_fold(words, elements, arithmetic, format, register_bits)
    return Folded(
        np.frombuffer(read, np.uint32).reshape(shape),
        np.frombuffer(exponent, np.uint8).reshape(shape),
        np.frombuffer(mantissa, np.int64).reshape(shape),
        np.frombuffer(overflow, np.bool_).reshape(shape),
    )
