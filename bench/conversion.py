"""Cores that a worker's conversion, or mere copying, takes at a link's rate when nothing else is
done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import kernels
from .plan import ELEMENT_BYTES, Cores
from .rack import bits_per_second


@dataclass(frozen=True)
class Conversion:
    """One way of a vector into packets and back, by kernels of one level of the processor."""

    element_type: str
    way: str
    """Treatment of each element."""
    level: str
    """The processor's instructions that the kernels use."""
    cache_cores: float
    """Cores that the conversion keeps busy at the rate, on blocks that stay in the first-level
    cache.
    """
    memory_cores: float
    """The same on vectors larger than the cache."""


def measure(cores: Cores) -> list[Conversion]:
    """Measure the kernels that the element types of the plan need, on one core.

    Raises:
        KernelsError: they cannot be measured here.
    """
    needed = [
        kernel
        for element_type in cores.conversions
        for way in _ways(element_type).values()
        for kernel in way
    ]
    rows = kernels.throughput(*dict.fromkeys(needed))["rows"] if needed else []
    return conversions(rows, cores)


def conversions(rows: Sequence[Mapping[str, Any]], cores: Cores) -> list[Conversion]:
    """Derive the conversions from the rates of single kernels, in GB/s read and written."""
    gb_per_s = bits_per_second(cores.rate) / 8e9
    levels = list(dict.fromkeys(row["level"] for row in rows))
    rates: dict[tuple[str, str], Mapping[str, float]] = {
        (row["kernel"], row["level"]): row for row in rows
    }

    def busy(way: Mapping[str, float], level: str, where: str) -> float:
        return sum(gb_per_s * moved / rates[kernel, level][where] for kernel, moved in way.items())

    return [
        Conversion(element_type, name, level, busy(way, level, "cache"), busy(way, level, "memory"))
        for element_type in cores.conversions
        for name, way in _ways(element_type).items()
        for level in levels
    ]


def _ways(element_type: str) -> dict[str, dict[str, float]]:
    """The kernels of each way of an element, and the bytes that each of them reads and writes for a
    byte of vector.
    """
    swapped = {2: "f16", 4: "f32"}[ELEMENT_BYTES[element_type]]
    return {
        "block: exponent, quantise, dequantise": {
            f"exponent {element_type}": 1.0,
            # A lane is as long as its element (R-NUM-9, R-NUM-20).
            f"quantise {element_type}": 2.0,
            f"dequantise {element_type}": 2.0,
        },
        # A copy is one of bytes, so it takes the same for every element type.
        "as it is: two copies": {"to_wire f32": 2.0, "from_wire f32": 2.0},
        "network order: two copies, bytes swapped": {
            f"to_wire {swapped} network": 2.0,
            f"from_wire {swapped} network": 2.0,
        },
    }
