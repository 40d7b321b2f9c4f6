"""Results of the measurement, and their form as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ..stats import Spread, speedup, spread


@dataclass(frozen=True)
class Row:
    """A contender's epochs."""

    samples: str
    """The data set's name."""
    features: int
    rows: int
    workers: int
    engines: int
    batch: int
    way: str
    loss: float
    """Loss of the first epoch, which begins with zeros."""
    bytes: int
    """Bytes that a worker submits in an epoch."""
    seconds: list[float]
    """Time of an epoch, by round, of the slowest worker."""

    @property
    def seconds_spread(self) -> Spread:
        """Time of an epoch, in seconds."""
        return spread(self.seconds)

    @property
    def iteration_us(self) -> Spread:
        """Time of a mini-batch, in microseconds: an epoch's time over its mini-batches."""
        return spread(np.asarray(self.seconds) * 1e6 / self.mini_batches)

    @property
    def mini_batches(self) -> int:
        """Mini-batches of an epoch."""
        return -(-self.rows // self.batch)


@dataclass(frozen=True)
class Curve:
    """A contender's losses over epochs, and when each epoch had ended."""

    samples: str
    batch: int
    way: str
    losses: list[float]
    seconds: list[list[float]]
    """Time of each epoch, by round."""

    @property
    def ends(self) -> list[float]:
        """Seconds at which epochs end: the sum of the median times up to there."""
        return [float(end) for end in np.cumsum(np.median(self.seconds, axis=0))]


@dataclass
class Results:
    """Everything that a run has measured."""

    machine: dict[str, Any]
    mpi: str | None
    rows: list[Row] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)

    def row(self, samples: str, workers: int, batch: int, way: str, engines: int = 1) -> Row | None:
        """The row, if it was measured."""
        wanted = (samples, workers, batch, way, engines)
        return next(
            (
                row
                for row in self.rows
                if (row.samples, row.workers, row.batch, row.way, row.engines) == wanted
            ),
            None,
        )

    def faster(self, row: Row | None, than: Row | None) -> Spread | None:
        """Return the speedup over another row, if both were measured."""
        return None if row is None or than is None else speedup(row.seconds, than.seconds)

    def write(self, path: Path) -> None:
        """Write everything as JSON."""
        path.write_text(json.dumps(asdict(self), indent=1) + "\n")

    @classmethod
    def read(cls, path: Path) -> Results:
        """Read a file that :meth:`write` has stored."""
        content = json.loads(path.read_text())
        rows = [Row(**row) for row in content["rows"]]
        return cls(
            content["machine"],
            content["mpi"],
            rows,
            [Curve(**curve) for curve in content["curves"]],
        )
