"""The tables of docs/p4sgd.md: claims beside measurements, and the equations' residuals."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from .. import machine
from ..launch import ROOT
from . import figures
from .claims import CLAIMS
from .equations import time_text
from .folds import COLUMNS as HEADER
from .folds import Folds
from .plan import ACKED, MPI, MPI_WHOLE, NETFOLD, SHADOW
from .results import Results

PAGE = ROOT / "docs" / "p4sgd.md"

COLUMNS = 100
"""Longest line of a page's prose."""

EPOCH_WAYS = (NETFOLD, ACKED, SHADOW, MPI, MPI_WHOLE)
EPOCH_BATCHES = (16, 64, 256, 1024)
"""Ways and mini-batches of figure 13."""


def tables(results: Results, folds: Folds) -> dict[str, str]:
    """Markdown tables by section."""
    found = {
        "machine": _told(results.machine, f"; {results.mpi or 'without Open MPI'}."),
        "machine-traces": _told(folds.machine, "."),
        "figure-2": markdown(HEADER, list(folds.cells())),
    }
    for name, claims in CLAIMS.items():
        rows = [
            (f"{claim.what} ({claim.section})", claim.paper, claim.ours(results), claim.why)
            for claim in claims
        ]
        found[name] = markdown(("claim (section)", "paper", "ours", "why"), rows)
    found["epochs"] = markdown(
        ("data set", "mini-batch", "workers", *(way.name for way in EPOCH_WAYS)),
        list(_epochs(results)),
    )
    residuals = [
        (
            f"{fit.equation.name} {fit.equation.what}",
            way.name,
            ", ".join(f"{name} {time_text(value)}" for name, value in fit.parameters.items()),
            str(fit.rows),
            f"{100 * fit.residual:.0f} %",
            f"{100 * fit.worst:.0f} %",
        )
        for way, fit in figures.fits(results)
    ]
    found["equations"] = markdown(
        ("equation", "way", "parameters", "points", "residual", "worst"), residuals
    )
    return found


def _told(described: dict[str, Any], end: str) -> str:
    """A machine and its load, in lines."""
    load = described.get("load", [])
    text = machine.summary(described) + (f", load average {max(load):.1f}" if load else "") + end
    return textwrap.fill(text, COLUMNS, break_on_hyphens=False)


def _epochs(results: Results) -> Iterator[list[str]]:
    """Figure 13: milliseconds of an epoch, by data set, mini-batch and workers."""
    points = {
        (row.samples, row.batch, row.workers): None
        for row in results.rows
        if row.engines == 1 and row.workers > 1 and row.batch in EPOCH_BATCHES
    }
    for samples, batch, workers in sorted(points, key=lambda point: point[1:]):
        rows = [results.row(samples, workers, batch, way.name) for way in EPOCH_WAYS]
        times = ["" if row is None else f"{1e3 * row.seconds_spread.median:.3g}" for row in rows]
        yield [samples, str(batch), str(workers), *times]


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def filled(text: str, tables: dict[str, str]) -> str:
    """The page with these tables between their marks, `<!-- NAME -->` and `<!-- end -->`.

    Raises:
        ValueError: marks are missing, or there is one of something else.
    """
    marks = re.findall(r"<!-- (?!end )(\S+) -->", text)
    if sorted(marks) != sorted(tables):
        raise ValueError(
            f"the page has marks for {', '.join(marks)}, but there are tables for {', '.join(tables)}; "
            "change the marks or the claims"
        )

    def fill(mark: re.Match[str]) -> str:
        return f"<!-- {mark[1]} -->\n\n{tables[mark[1]]}\n\n<!-- end -->"

    return re.sub(r"<!-- (?!end )(\S+) -->.*?<!-- end -->", fill, text, flags=re.S)


def write(results: Results, folds: Folds, page: Path = PAGE) -> None:
    """Put the tables into the page."""
    page.write_text(filled(page.read_text(), tables(results, folds)))
