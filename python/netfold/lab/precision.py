"""Precision of sums of pairs, by conversion to integers and by table lookup (Libra, section 5.5,
table 2).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from rich.table import Table

from .arithmetic import exact, total
from .laboratory import Laboratory
from .report import Figures

PANELS = 1
"""Number of the plot's panels; None for one for each model."""

SOLUTIONS = {"block": "float-to-integer", "logtable": "table lookup"}
UNIFORM = "R2: uniform numbers"


def run(lab: Laboratory) -> Figures:
    """Both solutions on gradients of each model (R1) and on uniform numbers in (-1, 1) (R2)."""
    generator = np.random.default_rng(lab.seed)
    sets = {
        f"R1: {task.title}": gradient_pairs(lab, name, generator)
        for name, task in lab.tasks.items()
    }
    sets[UNIFORM] = generator.uniform(-1, 1, (2, lab.extent.pairs)).astype(np.float32)
    return {
        title: {name: precision(pairs, name) for name in SOLUTIONS} for title, pairs in sets.items()
    }


def gradient_pairs(
    lab: Laboratory, name: str, generator: np.random.Generator
) -> npt.NDArray[np.float32]:
    """Gradients of two workers for the same element, neither zero, in the order of the elements;
    shape (2, pairs).
    """
    recorded = np.concatenate(
        [gradients[:2] for gradients in lab.recording(name).phases.values()], axis=1
    )
    candidates = np.flatnonzero((recorded != 0).all(0))
    chosen = np.sort(
        generator.choice(candidates, min(lab.extent.pairs, len(candidates)), replace=False)
    )
    return np.ascontiguousarray(recorded[:, chosen])


def precision(pairs: npt.NDArray[np.float32], arithmetic: str) -> Figures:
    """1 - |sum - exact| / |exact|, at least 0; a sum that is exactly right has 1. Shape (2, pairs)."""
    truth = exact(pairs)
    error = np.abs(truth.error_of(total(pairs, arithmetic).values))
    relative = np.divide(
        error, np.abs(truth.high), out=np.where(error == 0, 0.0, 1.0), where=truth.high != 0
    )
    each = np.maximum(1 - relative, 0)
    return {"pairs": pairs.shape[1], "median": float(np.median(each)), "mean": float(each.mean())}


def tables(result: Figures, lab: Laboratory) -> list[Table]:
    """Table 2 with three sets in place of R1."""
    table = Table(title=f"precision of sums of pairs, seed {lab.seed}")
    for heading in ("solution", "data", "pairs", "median", "mean"):
        table.add_column(heading, justify="left" if heading in ("solution", "data") else "right")
    for arithmetic, solution in SOLUTIONS.items():
        for title, found in result.items():
            row = found[arithmetic]
            table.add_row(
                solution, title, f"{row['pairs']}", f"{row['median']:.5%}", f"{row['mean']:.5%}"
            )
    return [table]


def plot(result: Figures, lab: Laboratory, axes: list[Axes]) -> None:  # noqa: ARG001
    """Plot the shortfall of the mean precision from 1, a group for each set."""
    axis = axes[0]
    for number, (arithmetic, solution) in enumerate(SOLUTIONS.items()):
        missing = [1 - found[arithmetic]["mean"] for found in result.values()]
        axis.bar(np.arange(len(missing)) + 0.4 * number, missing, width=0.4, label=solution)
    labels = [title.replace(": ", ":\n").replace(", ", ",\n") for title in result]
    axis.set_xticks(np.arange(len(labels)) + 0.2, labels, fontsize=6)
    axis.set(yscale="log", ylabel="1 - mean precision")
    axis.legend(fontsize=6)
