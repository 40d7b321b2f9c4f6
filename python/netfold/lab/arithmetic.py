"""Sums of vectors of several workers, by the name of the arithmetic, and exact ones to compare them
with.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

import numpy as np
import numpy.typing as npt

from .. import num

Floats = npt.NDArray[np.floating]

FOR_TYPE = {
    "fp32": ("native", "fpisa", "fpisa-a", "logtable", "block"),
    "fp16": ("native", "fpisa", "fpisa-a", "block"),
}
"""Arithmetics that sum each type (R-NUM-2). `native` is default addition, one rounding for each
step (R-NUM-4).
"""

TYPES: dict[str, np.dtype[np.floating]] = {
    "fp32": np.dtype(np.float32),
    "fp16": np.dtype(np.float16),
}


@dataclass(frozen=True)
class Sum:
    """A sum over workers."""

    values: Floats
    """Sums in the type of the operands; NaN where the mantissa register has overflowed."""
    overflow: npt.NDArray[np.bool_]
    """True where it has overflowed (R-FPI-9), which happens only in `fpisa` and `fpisa-a`."""


def total(operands: Floats, arithmetic: str) -> Sum:
    """Sum vectors of FP32 or FP16, of shape (workers, elements), in order, as a switch does in this
    arithmetic.
    """
    none = np.zeros(operands.shape[1:], np.bool_)
    match arithmetic:
        case "native":
            return Sum(reduce(np.add, operands), none)
        case "logtable":
            return Sum(num.fold_by_tables(operands), none)
        case "block":
            return Sum(num.sum_blocks(operands).values, none)
        case _:
            folded = num.fold(patterns(operands), arithmetic, format_of(operands))
            unsigned = np.dtype(f"u{operands.itemsize}")
            return Sum(folded.bits.astype(unsigned).view(operands.dtype), folded.overflow)


def patterns(values: Floats) -> npt.NDArray[np.unsignedinteger]:
    """The bit patterns of FP32 or FP16."""
    return values.view(np.dtype(f"u{values.itemsize}"))


def format_of(values: Floats) -> str:
    """`fp32` or `fp16`."""
    return next(name for name, dtype in TYPES.items() if dtype == values.dtype)


@dataclass(frozen=True)
class Exact:
    """A sum as the unevaluated sum of two doubles, exact to 2^-88 of the largest operand for up to
    64 operands.
    """

    high: npt.NDArray[np.float64]
    low: npt.NDArray[np.float64]

    def error_of(self, values: Floats) -> npt.NDArray[np.float64]:
        """`values` minus the exact sum."""
        difference, rest = _two_sum(values.astype(np.float64), -self.high)
        return difference + (rest - self.low)


def exact(operands: Floats) -> Exact:
    """The exact sum along the first axis: what an addition rounds off is summed apart (Knuth's
    two-sum).

    With n operands the second sum is at most n^2 2^-53 of the largest one, and its n additions lose
    2^-53 of that each.
    """
    high: npt.NDArray[np.float64] = np.zeros(operands.shape[1:])
    low: npt.NDArray[np.float64] = np.zeros(operands.shape[1:])
    for operand in operands:
        high, rest = _two_sum(high, operand.astype(np.float64))
        low += rest
    return Exact(high, low)


def register_value(folded: num.Folded) -> npt.NDArray[np.float64]:
    """Return the exact value of FP32 registers of up to 53 bits (R-FPI-2): the mantissa times
    2^(exponent - 127 - 23).
    """
    return np.ldexp(folded.mantissa.astype(np.float64), folded.exponent.astype(np.int32) - 150)


def _two_sum(
    a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """a + b rounded to nearest, and what the rounding has lost, exactly."""
    total = a + b
    of_b = total - a
    return total, (a - (total - of_b)) + (b - of_b)
