"""Engine as the measurement sees it: what answers a query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

DIGITS = 6
"""Digits of a float that answers are compared with: columns of FP32 have seven, and Spark's sums
depend on the order of rows.
"""


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

    def rows(self) -> list[tuple[str, ...]]:
        """Rows without their order, with `DIGITS` digits of each number."""
        return sorted(tuple(_text(cell) for cell in row) for row in self.cells)


def _text(cell: str) -> str:
    try:
        return f"{float(cell):.{DIGITS}g}"
    except ValueError:
        return cell


class Engine(Protocol):
    """An engine between the hosts of a rack."""

    def ask(self, query: Path, options: Sequence[str]) -> Answer:
        """Run a query once; the options are those of a contender."""
