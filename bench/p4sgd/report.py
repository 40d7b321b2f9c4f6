"""Tables of results."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from .. import machine
from ..stats import Spread
from . import figures
from .equations import time_text
from .figures import Line
from .plan import (
    ACKED,
    DATA,
    DATA_ACKED,
    DATA_MPI,
    MODEL,
    SCALE_OUT_BATCH,
    SCALE_UP_BATCH,
    SHADOW,
    WORKERS,
)
from .results import Results


def show(results: Results, console: Console) -> None:
    """Print everything."""
    console.print(Text(machine.summary(results.machine)))
    load = results.machine.get("load")
    if load is not None:
        console.print(
            Text(f"load average at the beginning and at the end: {load[0]:.1f}, {load[1]:.1f}")
        )
    console.print(
        Text(
            results.mpi or "without Open MPI, which scripts/bench-peers.sh installs, or says how to"
        )
    )
    for name in figures.compared(results):
        console.print()
        console.print(_times(results, name))
    console.print()
    console.print(_ratios(results))
    cores = results.machine["cores"]
    for way in figures.ACKED_WAYS:
        title = f"Figure 10: throughput by that of the smallest mini-batch, {WORKERS} workers, {way.name}"
        _lines(console, title, "mini-batch", list(figures.mini_batches(results, way)))
    title = f"Figure 11: throughput by that of one engine, 1 worker, mini-batches of {SCALE_UP_BATCH}, {cores} cores"
    _lines(console, title, "engines", list(figures.engines(results)))
    title = f"Figure 12: throughput by that of one worker, mini-batches of {SCALE_OUT_BATCH}, {cores} cores"
    for way in MODEL:
        lines = list(figures.workers(results, way))
        if any(len(line.points) > 1 for line in lines):
            _lines(console, f"{title}; {way.name}", "workers", lines)
    for table in _curves(results):
        console.print()
        console.print(table)
    console.print()
    console.print(_fits(results))
    console.print(
        Text(
            "Times are the slowest worker's, medians of the rounds, in brackets 5 to 95 %. Ratios say how many times "
            "as fast, by the medians; in brackets 5 to 95 % of the ratios of single rounds."
        )
    )


def _times(results: Results, name: str) -> Table:
    rows = next(row.rows for row in results.rows if row.samples == name)
    table = Table(
        title=f"Figure 9: an epoch of {name}, {rows:,} samples, {WORKERS} workers; ms",
        title_justify="left",
    )
    table.add_column("mini-batch")
    batches = figures.batches_of(results, name)
    for batch in batches:
        table.add_column(str(batch), justify="right")
    for way in MODEL + DATA:
        found = [results.row(name, WORKERS, batch, way.name) for batch in batches]
        if any(found):
            last = way in (MODEL[-1], DATA[-1])
            table.add_row(
                way.name,
                *(_ms(row.seconds_spread) if row else "-" for row in found),
                end_section=last,
            )
    return table


def _ratios(results: Results) -> Table:
    table = Table(
        title=f"Figure 9: {ACKED.name}, how many times as fast, {WORKERS} workers",
        title_justify="left",
    )
    table.add_column("data set")
    names = [f"as {way.name}" for way in (DATA_ACKED, DATA_MPI, SHADOW)]
    for heading in ("mini-batch", *names, "netfold, the faster, as Open MPI, the faster"):
        table.add_column(heading, justify="right")
    for name in figures.compared(results):
        label = name
        for batch in figures.batches_of(results, name):
            own = results.row(name, WORKERS, batch, ACKED.name)
            others = [
                results.row(name, WORKERS, batch, way.name)
                for way in (DATA_ACKED, DATA_MPI, SHADOW)
            ]
            ratios = [results.faster(own, other) for other in others]
            faster = [
                figures.faster_of(results, name, WORKERS, batch, ways)
                for ways in (figures.NETFOLD_WAYS, figures.MPI_WAYS)
            ]
            ratios.append(results.faster(*faster))
            table.add_row(label, str(batch), *map(_ratio, ratios))
            label = ""
        table.add_section()
    return table


def _lines(console: Console, title: str, over: str, lines: list[Line]) -> None:
    table = Table(title=title, title_justify="left")
    table.add_column(over)
    at = sorted({at for line in lines for at, _ in line.points})
    for number in at:
        table.add_column(str(number), justify="right")
    for line in lines:
        points = dict(line.points)
        table.add_row(line.name, *(_ratio(points.get(number)) for number in at))
    console.print()
    console.print(table)


def _curves(results: Results) -> list[Table]:
    tables = []
    for name in dict.fromkeys(curve.samples for curve in results.curves):
        curves = [curve for curve in results.curves if curve.samples == name]
        epochs = len(curves[0].losses)
        title = f"Figures 14 and 15: {name}, mini-batches of {SCALE_UP_BATCH}, {WORKERS} workers, {epochs} epochs"
        table = Table(title=title, title_justify="left")
        for heading in (
            "",
            "loss of the first epoch",
            "of the last",
            "time until then, ms",
            f"by {ACKED.name}'s",
        ):
            table.add_column(heading, justify="right" if heading else "left")
        own = next(curve.ends[-1] for curve in curves if curve.way == ACKED.name)
        for curve in curves:
            first, last, end = curve.losses[0], curve.losses[-1], curve.ends[-1]
            table.add_row(
                curve.way, f"{first:.6f}", f"{last:.6f}", f"{1e3 * end:.0f}", f"{end / own:.2f}"
            )
        tables.append(table)
    return tables


def _fits(results: Results) -> Table:
    title = f"Equations, fitted to the dense data sets and all mini-batches with {WORKERS} workers, or one alone"
    table = Table(title=title, title_justify="left")
    for heading in ("equation", "contender", "parameters"):
        table.add_column(heading)
    for heading in ("points", "residual", "worst"):
        table.add_column(heading, justify="right")
    for way, fit in figures.fits(results):
        parameters = ", ".join(
            f"{name} {time_text(value)}" for name, value in fit.parameters.items()
        )
        name = f"{fit.equation.name} {fit.equation.what}"
        missed = (f"{100 * fit.residual:.1f} %", f"{100 * fit.worst:.0f} %")
        table.add_row(name, way.name, parameters, str(fit.rows), *missed)
    return table


def _ms(seconds: Spread) -> str:
    return f"{1e3 * seconds.median:.1f} [{1e3 * seconds.p5:.1f}, {1e3 * seconds.p95:.1f}]"


def _ratio(ratio: Spread | None) -> str:
    return "-" if ratio is None else f"{ratio.median:.2f} [{ratio.p5:.2f}, {ratio.p95:.2f}]"
