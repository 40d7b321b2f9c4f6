"""Results as tables in the terminal, and as JSON, text and plots in a folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from types import ModuleType
from typing import Any

import matplotlib
import numpy as np
import torch
from rich.console import Console
from rich.table import Table

from . import svg
from .laboratory import Laboratory
from .training import PHASES, Gradients

Figures = dict[str, Any]
"""Results of an experiment, ready for JSON."""

TEXT_WIDTH = 200
"""Columns of a table in a file."""


def write(
    experiment: ModuleType, result: Figures, lab: Laboratory, console: Console, out: Path | None
) -> None:
    """Show the tables of a result; with `out`, store NAME.json, NAME.txt and NAME.svg there, too,
    where NAME is that of the experiment's module.
    """
    name = experiment.__name__.rpartition(".")[2]
    tables = experiment.tables(result, lab)
    console.print(*tables, sep="\n")
    if out is None:
        return
    out.mkdir(parents=True, exist_ok=True)
    versions = {"numpy": np.__version__, "torch": torch.__version__}
    told = {
        "experiment": name,
        "seed": lab.seed,
        "versions": versions,
        "extent": asdict(lab.extent),
        "result": result,
    }
    (out / f"{name}.json").write_text(json.dumps(told, indent=1) + "\n")
    with (out / f"{name}.txt").open("w") as file:
        Console(file=file, width=TEXT_WIDTH).print(*tables, sep="\n")
    _draw(experiment, result, lab, out / f"{name}.svg")


def by_phase(lab: Laboratory, figures: Callable[[Gradients], Figures]) -> Figures:
    """Return the result of `figures` on the gradients of each model and phase."""
    return {
        name: {phase: figures(lab.recording(name).phases[phase]) for phase in PHASES}
        for name in lab.tasks
    }


def phase_table(
    title: str,
    headings: Sequence[str],
    result: Figures,
    lab: Laboratory,
    cells: Callable[[Figures], Iterable[str]],
) -> Table:
    """A table of what :func:`by_phase` gives: a row for each model and phase, with a cell for each
    of `headings`.
    """
    table = Table(title=title)
    for heading in ("model", "phase"):
        table.add_column(heading)
    for heading in headings:
        table.add_column(heading, justify="right")
    for name, phases in result.items():
        for phase, found in phases.items():
            table.add_row(lab.tasks[name].title, phase, *cells(found))
    return table


def _draw(experiment: ModuleType, result: Figures, lab: Laboratory, path: Path) -> None:
    """The experiment's panels side by side."""
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt  # after its backend is chosen

    panels = experiment.PANELS or len(lab.tasks)
    figure, axes = plt.subplots(
        1, panels, figsize=(max(6.0, 4.2 * panels), 3.4), squeeze=False, layout="constrained"
    )
    experiment.plot(result, lab, list(axes[0]))
    svg.write(figure, path)
    plt.close(figure)
