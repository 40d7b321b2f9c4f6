"""Plots of results: times and ratios against the size of the vector, goodput and cores by
contender.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib

from netfold.lab import svg

from .plan import Cores, size_text
from .rack import bits_per_second
from .results import Results, Row
from .stats import Spread

matplotlib.use("Agg")  # files only: no display is needed
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

MARKERS = "osD^vP*Xph<>"


def draw(results: Results, folder: Path) -> list[Path]:
    """Write `time.svg`, for each baseline `ratio-NAME.svg` and, if the plan counts them,
    `cores.svg`. Returns the files.
    """
    if not results.rows:
        return []
    plan = results.plan
    label = "time of an all-reduce, seconds"
    files = [_save(results, folder / "time.svg", label, lambda row: row.time, baseline=None)]
    for baseline in plan.baselines:
        label = f"times as fast as {baseline}"
        speedup = functools.partial(_speedup, results, baseline)
        files.append(_save(results, folder / f"ratio-{baseline}.svg", label, speedup, baseline))
    if plan.cores is not None:
        files.append(_cores(results, plan.cores, folder / "cores.svg"))
    return files


def _speedup(results: Results, baseline: str, row: Row) -> Spread | None:
    return results.speedup(row, baseline)


def _save(
    results: Results,
    path: Path,
    label: str,
    of: Callable[[Row], Spread | None],
    baseline: str | None,
) -> Path:
    """One panel for each number of workers and loss, with medians as lines and 5 to 95 % as bands."""
    plan = results.plan
    conditions = [(workers, loss) for workers in plan.workers for loss in plan.network.losses]
    columns = min(3, len(conditions))
    lines = -(-len(conditions) // columns)
    figure, grid = plt.subplots(
        lines, columns, figsize=(4 * columns + 2, 4 * lines + 1), sharey=True, squeeze=False
    )
    panels = list(grid.flat)
    for axes, (workers, loss) in zip(panels, conditions, strict=False):
        axes.set_title(f"{workers} workers" + (f", {100 * loss:g} % lost" if loss else ""))
        for name, marker, points in _lines(results, workers, loss, of):
            _line(axes, name, marker, points, flat=name == baseline)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xticks(
            [size for size, _ in plan.sizes],
            [size_text(size) for size, _ in plan.sizes],
            rotation=45,
        )
        axes.minorticks_off()
        axes.grid(alpha=0.3)
    for axes in panels[len(conditions) :]:
        axes.set_visible(False)
    for row in grid:
        row[0].set_ylabel(label)
    handles = {
        name: handle
        for axes in panels
        for handle, name in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.suptitle(plan.title)
    figure.legend(
        handles.values(),
        handles.keys(),
        loc="outside lower center",
        ncols=columns + 1,
        frameon=False,
    )
    return _write(figure, path)


def _cores(results: Results, cores: Cores, path: Path) -> Path:
    """A column for each number of workers: goodput and cores of a worker with the largest vector,
    by contender, and where others have published.
    """
    plan = results.plan
    rate_bps, largest = bits_per_second(cores.rate), max(size for size, _ in plan.sizes)
    columns = len(plan.workers)
    size = (5 * columns + 2, 0.5 * len(plan.contenders) + 3)
    figure, grid = plt.subplots(2, columns, figsize=size, sharex="row", sharey=True, squeeze=False)
    handles: dict[str, Any] = {}
    for (goodput, busy), workers in zip(grid.T, plan.workers, strict=True):
        found = [
            results.row(workers, plan.network.losses[0], largest, contender.name)
            for contender in plan.contenders
        ]
        rows = [row for row in found if row is not None]
        names = [row.contender for row in rows]
        goodput.bar_label(
            goodput.barh(names, [row.gb_per_s for row in rows], color="C0"), fmt=" %.3g", fontsize=7
        )
        busy.bar_label(
            busy.barh(names, [row.cores(rate_bps) for row in rows], color="C0"),
            fmt=" %.3g",
            fontsize=7,
        )
        for axes in (goodput, busy):
            # Room for the numbers, and none above the first bar or below the last.
            axes.margins(x=0.12, y=0.01)
        goodput.set(title=f"{workers} workers", xlabel="GB/s of vector")
        busy.set(xlabel=f"cores of a worker at {cores.rate} of vector")
        for number, (name, published) in enumerate(cores.published, 1):
            handles[f"{name}: {published:g}"] = busy.axvline(
                published, color=f"C{number}", linestyle="--"
            )
    for row in grid:
        row[0].tick_params(axis="y", labelsize=7)
    grid[0][0].invert_yaxis()
    figure.suptitle(f"{plan.title}, {size_text(largest)}")
    figure.legend(
        handles.values(), handles.keys(), loc="outside lower center", ncols=3, frameon=False
    )
    return _write(figure, path)


def _write(figure: Figure, path: Path) -> Path:
    figure.set_layout_engine("constrained")
    svg.write(figure, path)
    plt.close(figure)
    return path


def _lines(
    results: Results, workers: int, loss: float, of: Callable[[Row], Spread | None]
) -> Iterator[tuple[str, str, list[tuple[int, Spread]]]]:
    """Name, marker and points of each contender that has any; a contender has the same marker and
    colour everywhere.
    """
    for number, contender in enumerate(results.plan.contenders):
        rows = [results.row(workers, loss, size, contender.name) for size, _ in results.plan.sizes]
        points = [
            (row.size, value) for row in rows if row is not None and (value := of(row)) is not None
        ]
        if points:
            yield contender.name, f"{MARKERS[number % len(MARKERS)]}C{number % 10}", points


def _line(
    axes: Axes, name: str, style: str, points: list[tuple[int, Spread]], *, flat: bool
) -> None:
    marker, colour = style[0], style[1:]
    sizes = [size for size, _ in points]
    values: dict[str, Any] = {"label": name, "color": colour, "marker": marker, "markersize": 4}
    axes.plot(
        sizes, [value.median for _, value in points], **values, linestyle="--" if flat else "-"
    )
    axes.fill_between(
        sizes,
        [value.p5 for _, value in points],
        [value.p95 for _, value in points],
        color=colour,
        alpha=0.15,
        linewidth=0,
    )
