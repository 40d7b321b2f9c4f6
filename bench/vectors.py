"""Vectors of a rank's collective call: what goes in, and what must come out."""

from __future__ import annotations

import numpy as np

COLLECTIVES = ("all_reduce", "all_gather", "gather", "scatter", "all_to_all", "scan", "prefixes")
"""Collectives that can be compared. `prefixes` is an all-gather, a prefix sum over the ranks and an
all-gather of the prefixes (ACiS, figure 5).
"""

ROOT = 0
"""Rank that gathers or scatters."""

PERIOD = 7
"""Period of the pattern in a vector whose sum is known. It is prime, so that a block in a wrong
place does not look right.
"""

TOLERANCE = 0.01
"""Largest allowed error of that sum. Elements are whole numbers, so whatever is left out, taken
twice or misplaced changes a sum by at least 1. The rounding of block arithmetic is far below: n/f
with f = (2^31 - 1) / (n 2^m) and 2^m <= 1024 is 0.002 for the largest job, of 64 workers.
"""


class Vectors:
    """Input and output of one rank, of a whole vector of `size` bytes: that which is reduced,
    scanned, gathered, scattered, or sent to all ranks in parts.

    Args:
        collective: one of COLLECTIVES.
        size: bytes of the whole vector; a rest that cannot be divided among the ranks is left out.
        rank: this worker's rank.
        ranks: number of ranks.
    """

    def __init__(self, collective: str, size: int, rank: int, ranks: int) -> None:
        self.collective = collective
        self.bytes = size
        self._rank = rank
        self._ranks = ranks
        self._part = size // 4 // ranks
        folded = collective in ("all_reduce", "scan", "prefixes")
        whole = size // 4 if folded else self._part * ranks
        lengths = {
            "all_reduce": (whole, whole),
            "all_gather": (self._part, whole),
            "gather": (self._part, whole if rank == ROOT else 0),
            "scatter": (whole if rank == ROOT else 0, self._part),
            "all_to_all": (whole, whole),
            "scan": (whole, whole),
            "prefixes": (whole, whole * ranks),
        }
        given, taken = lengths[collective]
        self.output = np.empty(taken, np.float32)
        # An all-reduce is in place.
        self.input = self.output if collective == "all_reduce" else np.empty(given, np.float32)

    def refill(self) -> None:
        """Prepare the input for more calls: sums that are summed again would overflow."""
        self.input[:] = 1

    def fill(self) -> None:
        """Fill the input with the pattern."""
        self.input[:] = self._given(self._rank)

    def check(self) -> str:
        """Compare the output with the pattern; `ok`, or what is wrong."""
        wanted = self._wanted()
        wrong = np.flatnonzero(~(np.abs(self.output - wanted) <= TOLERANCE))
        if len(wrong) == 0:
            return "ok"
        index = int(wrong[0])
        return f"failed the result is wrong: element {index} is {self.output[index]}, not {wanted[index]}"

    def _given(self, rank: int) -> np.ndarray:
        """The input of a rank: (rank + 1) p(i) for element i of the whole vector."""
        elements = {
            "all_reduce": (0, len(self.output)),
            "all_gather": (rank * self._part, self._part),
            "gather": (rank * self._part, self._part),
            "scatter": (0, self._part * self._ranks if rank == ROOT else 0),
            "all_to_all": (0, self._part * self._ranks),
            "scan": (0, len(self.output)),
            "prefixes": (0, self.bytes // 4),
        }
        first, count = elements[self.collective]
        pattern = 1 + np.arange(first, first + count, dtype=np.int32) % PERIOD
        return pattern.astype(np.float32) * np.float32(rank + 1)

    def _sum(self, ranks: range) -> np.ndarray:
        """The sum of these ranks' inputs, without having all of them in memory: so do all ranks at
        a time, and their machine has room for a few vectors of each.
        """
        total = np.zeros(len(self.output), np.float32)
        for rank in ranks:
            total += self._given(rank)
        return total

    def _wanted(self) -> np.ndarray:
        everyone = range(self._ranks)
        own = slice(self._rank * self._part, (self._rank + 1) * self._part)
        match self.collective:
            case "all_reduce":
                return self._sum(everyone)
            case "scan":
                return self._sum(everyone[: self._rank + 1])
            case "prefixes":
                every: np.ndarray = np.stack([self._given(rank) for rank in everyone])
                return every.cumsum(axis=0).reshape(-1)
            case "scatter":
                return self._given(ROOT)[own]
            case "all_to_all":
                return np.concatenate([self._given(rank)[own] for rank in everyone])
            case "gather" if self._rank != ROOT:
                return np.empty(0)
        return np.concatenate([self._given(rank) for rank in everyone])
