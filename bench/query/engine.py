"""Engine as the measurement sees it: what answers a query."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

TOLERANCE = 2**-22
"""Largest relative difference of two numbers that are the same: DataFusion rounds the product of
FP32 and a decimal to FP32, which takes two roundings of 2^-24 each, and Spark to a double.
"""

_FRACTION = re.compile(r"-?\d+\.\d+([eE][-+]?\d+)?")


@dataclass(frozen=True)
class Exchange:
    """Rows of one exchange of a query."""

    program: str
    offered: int
    forwarded: int


@dataclass(frozen=True)
class Answer:
    """Answer to a query."""

    seconds: float
    """Time of the query, without the start of the engine."""
    exchanges: list[Exchange]
    cells: list[list[str]]
    """Cells of each row as text; NULL is empty."""

    def agrees(self, other: Answer) -> bool:
        """True if both have the same rows, in any order, with numbers within `TOLERANCE`."""
        own, others = (sorted(map(_parts, answer.cells)) for answer in (self, other))
        return len(own) == len(others) and all(
            texts == other_texts
            and len(numbers) == len(other_numbers)
            and all(map(_close, numbers, other_numbers))
            for (texts, numbers), (other_texts, other_numbers) in zip(own, others, strict=True)
        )


def _parts(cells: list[str]) -> tuple[list[str], list[float]]:
    """The cells of a row that each engine prints alike, and its numbers with a fraction."""
    texts = [cell for cell in cells if not _FRACTION.fullmatch(cell)]
    return texts, [float(cell) for cell in cells if _FRACTION.fullmatch(cell)]


def _close(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=TOLERANCE)


class Engine(Protocol):
    """An engine between the hosts of a rack."""

    def ask(self, query: Path, options: Sequence[str]) -> Answer:
        """Run a query once; the options are those of a contender."""
