"""P4SGD's figure 2 from traces: how much of the time of folds workers compute in (R-GLM-30)."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .. import machine
from ..stats import spread
from .crew import Crew
from .measure import Tell, started, store
from .plan import (
    ACKED,
    AMAZON,
    AVAZU,
    AVAZU_SPARSE,
    GISETTE,
    NETFOLD,
    NETFOLD_WHOLE,
    RCV1,
    RCV1_SPARSE,
    REAL_SIM,
    SCALE_OUT_BATCH,
    SCALE_UP_BATCH,
    Contender,
    DataSet,
    Stage,
)

DATA_SETS = (GISETTE, REAL_SIM, RCV1, AMAZON, AVAZU, RCV1_SPARSE, AVAZU_SPARSE)
WORKERS = (2, 4)
BATCHES = (SCALE_OUT_BATCH, SCALE_UP_BATCH)
WAYS = (NETFOLD, ACKED, NETFOLD_WHOLE)
"""The pipeline with short sums by the eager path and through slots, and what has none."""
ROUNDS = 5
"""Traced epochs of each crew, after one that is not counted."""


@dataclass(frozen=True)
class Hiding:
    """A contender's folds. A value of a list is that of a round, of all workers together."""

    samples: str
    """The data set's name."""
    features: int
    rows: int
    workers: int
    batch: int
    way: str
    hidden: list[float]
    """The hidden share of the time with a fold under way."""
    under_way: list[float]
    """The share of an epoch with a fold under way."""
    seconds: list[float]
    """Time of an epoch, of the slowest worker."""

    @property
    def medians(self) -> dict[str, float]:
        """Medians of both, for those who point to the record."""
        return {
            "hidden_share": spread(self.hidden).median,
            "under_way_share": spread(self.under_way).median,
        }

    def __str__(self) -> str:
        of = 100 * self.medians["under_way_share"]
        hidden = spread(self.hidden)
        low, middle, high = (100 * share for share in (hidden.p5, hidden.median, hidden.p95))
        return f"{middle:.0f} % [{low:.0f}, {high:.0f}] of {of:.0f} %"


@dataclass
class Folds:
    """Everything that the traces have shown."""

    machine: dict[str, Any]
    rows: list[Hiding] = field(default_factory=list)

    def cells(self) -> Iterator[list[str]]:
        """Lines of a table: data set, mini-batch, workers, and the ways."""
        found = {(row.samples, row.batch, row.workers, row.way): row for row in self.rows}
        for samples, batch, workers in dict.fromkeys(key[:3] for key in found):
            rows = (found.get((samples, batch, workers, way.name)) for way in WAYS)
            yield [samples, str(batch), str(workers), *(str(row or "") for row in rows)]

    def write(self, path: Path) -> None:
        """Write everything as JSON."""
        rows = [asdict(row) | row.medians for row in self.rows]
        path.write_text(json.dumps({"machine": self.machine, "rows": rows}, indent=1) + "\n")

    @classmethod
    def read(cls, path: Path) -> Folds:
        """Read a file that :meth:`write` has stored."""
        content = json.loads(path.read_text())
        names = [each.name for each in fields(Hiding)]
        rows = [Hiding(**{name: row[name] for name in names}) for row in content["rows"]]
        return cls(content["machine"], rows)


COLUMNS = ("data set", "mini-batch", "workers", *(way.name for way in WAYS))


def measure(program: Path, crews: int, folder: Path, tell: Tell) -> Folds:
    """Trace all data sets; `folder` is for sockets and files. Workers are started anew so often.

    Raises:
        CrewError: workers fail.
    """
    folds = Folds(machine.describe())
    for done, samples in enumerate(DATA_SETS):
        if samples.sparse:
            store(samples, folder)
        contenders = (
            Contender(way, batch, workers)
            for batch in BATCHES
            for workers in WORKERS
            for way in WAYS
        )
        stage = Stage(samples, tuple(contenders))
        traces: defaultdict[Contender, list[list[dict[str, float]]]] = defaultdict(list)
        for part in range(crews):
            tell(f"traces, {samples.name}", done * crews + part, len(DATA_SETS) * crews)
            with started(program, stage, folder) as crew_of:
                for contender, trace in traced(stage, crew_of):
                    traces[contender].append(trace)
        folds.rows += [_hiding(samples, *each) for each in traces.items()]
    return folds


def traced(
    stage: Stage, crews: Mapping[int, Crew]
) -> Iterator[tuple[Contender, list[dict[str, float]]]]:
    """Traces of a stage's contenders, which take turns."""
    for round_ in range(1 + ROUNDS):
        for contender in stage.contenders:
            trace = crews[contender.workers].trace(stage, contender)
            if round_:
                yield contender, trace


def _hiding(samples: DataSet, contender: Contender, traces: list[list[dict[str, float]]]) -> Hiding:
    def share(part: str, whole: str) -> list[float]:
        return [
            sum(worker[part] for worker in trace) / sum(worker[whole] for worker in trace)
            for trace in traces
        ]

    return Hiding(
        samples=samples.name,
        features=samples.features,
        rows=samples.rows,
        workers=contender.workers,
        batch=contender.batch,
        way=contender.way.name,
        hidden=share("hidden", "folds"),
        under_way=share("folds", "seconds"),
        seconds=[max(worker["seconds"] for worker in trace) for trace in traces],
    )


def show(folds: Folds, console: Console) -> None:
    """Print a table."""
    title = (
        "Figure 2: the part of the time with a fold under way in which the worker computes, and "
        "how much of an epoch that time is"
    )
    table = Table(title=title, title_justify="left")
    for name in COLUMNS:
        table.add_column(name, justify="left" if name == COLUMNS[0] else "right")
    for line in folds.cells():
        table.add_row(*line)
    console.print()
    console.print(table)
    console.print(Text(f"{machine.summary(folds.machine)}; load {folds.machine.get('load')}"))
