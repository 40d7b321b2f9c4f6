"""Plots of results, one for each of the paper's figures."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import matplotlib

from netfold.lab import svg

from . import figures
from .figures import Line
from .plan import ACKED, DATA, MODEL, SCALE_OUT_BATCH, SCALE_UP_BATCH, WORKERS, Way
from .results import Results

matplotlib.use("Agg")  # files only: no display is needed
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, MaxNLocator, NullFormatter, StrMethodFormatter

COLOURS = {"netfold": "C3", "acked": "C0", "shadow": "C1", "mpi_beside": "C2", "mpi_waited": "C2"}


def draw(results: Results, folder: Path) -> None:
    """Write one for each figure."""
    cores = results.machine["cores"]
    _model_and_data(results, folder / "figure-9.svg")
    title = f"Figure 10: mini-batches, {WORKERS} workers on {cores} cores"
    _throughput(
        list(figures.mini_batches(results, ACKED)), "mini-batch", title, folder / "figure-10.svg"
    )
    title = f"Figure 11: engines, 1 worker on {cores} cores, mini-batches of {SCALE_UP_BATCH}"
    _throughput(list(figures.engines(results)), "engines", title, folder / "figure-11.svg", cores)
    title = f"Figure 12: workers on {cores} cores, mini-batches of {SCALE_OUT_BATCH}, {ACKED.name}"
    _throughput(
        list(figures.workers(results, ACKED)), "workers", title, folder / "figure-12.svg", cores
    )
    _losses(results, folder / "figures-14-15.svg")


def _model_and_data(results: Results, path: Path) -> None:
    names = figures.compared(results)
    figure, panels = plt.subplots(1, len(names), figsize=(4.6 * len(names), 5), squeeze=False)
    for axes, name in zip(panels.flat, names, strict=True):
        batches = figures.batches_of(results, name)
        for way in MODEL + DATA:
            rows = [results.row(name, WORKERS, batch, way.name) for batch in batches]
            points = [(row.batch, row.seconds_spread) for row in rows if row is not None]
            if points:
                middle = [1e3 * spread.median for _, spread in points]
                axes.plot([batch for batch, _ in points], middle, **_style(way), label=way.name)
                bounds = (
                    [1e3 * spread.p5 for _, spread in points],
                    [1e3 * spread.p95 for _, spread in points],
                )
                colour = COLOURS[way.through]
                axes.fill_between(
                    [batch for batch, _ in points], *bounds, color=colour, alpha=0.12, linewidth=0
                )
        axes.set(title=name, xlabel="mini-batch", yscale="log")
        _ticks(axes, batches)
        _numbers(axes.yaxis)
    panels[0][0].set_ylabel("epoch, ms")
    cores = results.machine["cores"]
    figure.suptitle(
        f"Figure 9: model and data parallel, {WORKERS} workers on {cores} cores, 4 bits"
    )
    _legend(figure, panels.flat, 3)
    _write(figure, path)


def _throughput(
    lines: list[Line], over: str, title: str, path: Path, cores: int | None = None
) -> None:
    figure, axes = plt.subplots(figsize=(6.4, 4.4))
    for number, line in enumerate(lines):
        at = [at for at, _ in line.points]
        colour = f"C{number}"
        middle = [ratio.median for _, ratio in line.points]
        axes.plot(at, middle, color=colour, marker="o", markersize=4, label=line.name)
        bounds = ([ratio.p5 for _, ratio in line.points], [ratio.p95 for _, ratio in line.points])
        axes.fill_between(at, *bounds, color=colour, alpha=0.15, linewidth=0)
    ticks = sorted({at for line in lines for at, _ in line.points})
    if cores is not None:
        axes.axvline(cores, color="grey", linestyle="--", label=f"{cores} cores")
    axes.set(title=title, xlabel=over, ylabel=f"throughput by that of {ticks[0]}", ylim=(0, None))
    _ticks(axes, ticks)
    axes.legend(frameon=False)
    _write(figure, path)


def _losses(results: Results, path: Path) -> None:
    names = list(dict.fromkeys(curve.samples for curve in results.curves))
    figure, panels = plt.subplots(len(names), 2, figsize=(10, 3.6 * len(names)), squeeze=False)
    ways = {way.name: way for way in MODEL + DATA}
    for (by_epoch, by_time), name in zip(panels, names, strict=True):
        for curve in (curve for curve in results.curves if curve.samples == name):
            style = _style(ways[curve.way]) | {"markersize": 3}
            by_epoch.plot(range(1, len(curve.losses) + 1), curve.losses, **style, label=curve.way)
            by_time.plot([1e3 * end for end in curve.ends], curve.losses, **style)
        by_epoch.set(xlabel="epoch", ylabel="training loss", title=f"Figure 14: {name}")
        by_epoch.xaxis.set_major_locator(MaxNLocator(integer=True))
        by_time.set(xlabel="ms", xscale="log", ylabel="training loss", title=f"Figure 15: {name}")
        _numbers(by_time.xaxis)
        for axes in (by_epoch, by_time):
            axes.grid(alpha=0.3)
    _legend(figure, panels.flat, 3)
    _write(figure, path)


def _style(way: Way) -> dict[str, Any]:
    """A colour for each exchange; data parallel is dotted, and what exchanges whole mini-batches is
    dashed.
    """
    data = way.spread == "data"
    line = ":" if data else "--" if way.whole else "-"
    return {
        "color": COLOURS[way.through],
        "linestyle": line,
        "marker": "s" if data else "o",
        "markersize": 4,
    }


def _ticks(axes: Axes, ticks: list[int]) -> None:
    axes.set_xscale("log", base=2)
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.minorticks_off()
    axes.grid(alpha=0.3)


def _numbers(axis: Axis) -> None:
    """Ticks of a logarithmic axis at 1, 2 and 5 times powers of ten, as plain numbers."""
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_formatter(NullFormatter())


def _legend(figure: Figure, panels: Iterable[Axes], columns: int) -> None:
    handles = {
        name: handle
        for axes in panels
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(
        handles.values(), handles.keys(), loc="outside lower center", ncols=columns, frameon=False
    )


def _write(figure: Figure, path: Path) -> None:
    figure.set_layout_engine("constrained")
    svg.write(figure, path)
    plt.close(figure)
