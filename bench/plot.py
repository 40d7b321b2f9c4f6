"""Plots of results: times and ratios against the size of the vector."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib

from .plan import size_text
from .results import Results, Row
from .stats import Spread

matplotlib.use("Agg")  # files only: no display is needed
import matplotlib.pyplot as plt
from matplotlib.axes import Axes

MARKERS = "osD^vP*Xph<>"
FORMATS = ("svg", "png")


def draw(results: Results, folder: Path) -> list[Path]:
    """Write `time` and, for each baseline, `ratio-NAME` in every format. Returns the files."""
    if not results.rows:
        return []
    plan = results.plan
    files = _save(results, folder / "time", "time of an all-reduce, seconds", lambda row: row.time, baseline=None)
    for baseline in plan.baselines:
        label = f"times as fast as {baseline}"
        files += _save(
            results,
            folder / f"ratio-{baseline}",
            label,
            lambda row, name=baseline: results.speedup(row, name),
            baseline,
        )
    return files


def _save(
    results: Results, stem: Path, label: str, of: Callable[[Row], Spread | None], baseline: str | None
) -> list[Path]:
    """One panel for each number of workers and loss, with medians as lines and 5 to 95 % as bands."""
    plan = results.plan
    conditions = [(workers, loss) for workers in plan.workers for loss in plan.network.losses]
    columns = min(3, len(conditions))
    lines = -(-len(conditions) // columns)
    figure, grid = plt.subplots(lines, columns, figsize=(4 * columns + 2, 4 * lines + 1), sharey=True, squeeze=False)
    panels = list(grid.flat)
    for axes, (workers, loss) in zip(panels, conditions, strict=False):
        axes.set_title(f"{workers} workers" + (f", {100 * loss:g} % lost" if loss else ""))
        for name, marker, points in _lines(results, workers, loss, of):
            _line(axes, name, marker, points, flat=name == baseline)
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xticks([size for size, _ in plan.sizes], [size_text(size) for size, _ in plan.sizes], rotation=45)
        axes.minorticks_off()
        axes.grid(alpha=0.3)
    for axes in panels[len(conditions) :]:
        axes.set_visible(False)
    for row in grid:
        row[0].set_ylabel(label)
    handles = {name: handle for axes in panels for handle, name in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.suptitle(plan.title)
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=columns + 1, frameon=False)
    figure.set_layout_engine("constrained")
    files = [stem.with_name(f"{stem.name}.{kind}") for kind in FORMATS]
    for file in files:
        # Without the date, the same results give the same file.
        figure.savefig(file, dpi=110, metadata={"Date": None} if file.suffix == ".svg" else None)
    plt.close(figure)
    return files


def _lines(
    results: Results, workers: int, loss: float, of: Callable[[Row], Spread | None]
) -> Iterator[tuple[str, str, list[tuple[int, Spread]]]]:
    """Name, marker and points of each contender that has any; a contender has the same marker and colour everywhere."""
    for number, contender in enumerate(results.plan.contenders):
        rows = [results.row(workers, loss, size, contender.name) for size, _ in results.plan.sizes]
        points = [(row.size, value) for row in rows if row is not None and (value := of(row)) is not None]
        if points:
            yield contender.name, f"{MARKERS[number % len(MARKERS)]}C{number % 10}", points


def _line(axes: Axes, name: str, style: str, points: list[tuple[int, Spread]], *, flat: bool) -> None:
    marker, colour = style[0], style[1:]
    sizes = [size for size, _ in points]
    values: dict[str, Any] = {"label": name, "color": colour, "marker": marker, "markersize": 4}
    axes.plot(sizes, [value.median for _, value in points], **values, linestyle="--" if flat else "-")
    axes.fill_between(
        sizes,
        [value.p5 for _, value in points],
        [value.p95 for _, value in points],
        color=colour,
        alpha=0.15,
        linewidth=0,
    )
