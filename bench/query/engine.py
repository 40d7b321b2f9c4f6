"""Engine as the measurement sees it: what answers a query."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol

TOLERANCE = 2**-22
"""Largest relative difference of two numbers that are the same: DataFusion rounds the product of
FP32 and a decimal to FP32, which takes two roundings of 2^-24 each, and Spark to a double.
"""

TIES = {"top-n": (3,), "tpch-q3": (1, 2)}
"""Columns, by query, whose order leaves open which of equal rows are the last ones."""

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
    repeated: int = 0
    """Packets that workers have sent again to a switch elsewhere, as far as the engine tells."""
    without: int = 0
    """Reasons told why the query went on without the switch."""

    def agrees(self, other: Answer, tolerance: float = TOLERANCE) -> bool:
        """True if both have the same rows, in any order, with numbers within the tolerance."""
        if sorted(self.cells) == sorted(other.cells):
            return True
        own, others = (sorted(map(_parts, answer.cells)) for answer in (self, other))
        close = partial(math.isclose, rel_tol=tolerance)
        return len(own) == len(others) and all(
            texts == other_texts
            and len(numbers) == len(other_numbers)
            and all(close(*pair) for pair in zip(numbers, other_numbers, strict=True))
            for (texts, numbers), (other_texts, other_numbers) in zip(own, others, strict=True)
        )

    def answers(self, query: str, other: Answer, tolerance: float = TOLERANCE) -> bool:
        """True if both answer a query alike: they agree, but for rows that are equal to the last
        one in the columns of the order. Of these both have as many.
        """
        if query not in TIES or not self.cells or not other.cells:
            return self.agrees(other, tolerance)

        def parts(answer: Answer) -> tuple[Answer, Answer]:
            ordered = [[row[column] for column in TIES[query]] for row in answer.cells]
            tied = [columns == ordered[-1] for columns in ordered]
            above = [row for row, ties in zip(answer.cells, tied, strict=True) if not ties]
            return replace(answer, cells=above), replace(answer, cells=[ordered[-1]] * sum(tied))

        pairs = zip(parts(self), parts(other), strict=True)
        return all(own.agrees(others, tolerance) for own, others in pairs)


def _parts(cells: list[str]) -> tuple[list[str], list[float]]:
    """The cells of a row that each engine prints alike, and its numbers with a fraction."""
    texts = [cell for cell in cells if not _FRACTION.fullmatch(cell)]
    return texts, [float(cell) for cell in cells if _FRACTION.fullmatch(cell)]


class Engine(Protocol):
    """An engine between the hosts of a rack."""

    def ask(self, query: Path, options: Sequence[str]) -> Answer:
        """Run a query once; the options are those of a contender."""
