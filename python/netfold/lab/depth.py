"""Accuracy of a deep residual net, fixed point beside default addition (SwitchML, figure 2)."""

from __future__ import annotations

from matplotlib.axes import Axes
from rich.table import Table

from . import compression
from .laboratory import Laboratory
from .models import DEEP
from .report import Figures
from .training import Replica, Summation

PANELS = 1
"""Number of the plot's panels."""

WAYS = ("native", "block")
"""Arithmetics; `native` is default addition."""


def run(lab: Laboratory) -> Figures:
    """The curves of each arithmetic, for several seeds."""
    examples = DEEP.load(lab.cache).shortened(lab.extent.examples)
    found: Figures = {}
    for way in WAYS:
        runs = [
            lab.trained(Replica(DEEP, examples, seed), Summation(way), f"{way}, seed {seed}")
            for seed in lab.seeds
        ]
        found[way] = compression.summary([run.accuracy for run in runs])
    return {DEEP.title: found}


def tables(result: Figures, lab: Laboratory) -> list[Table]:
    """Final accuracies."""
    title = f"test accuracy after {lab.extent.epochs} epochs: mean, least and largest of {len(lab.seeds)} seeds"
    return [compression.by_way(title, WAYS, result, lab)]


def plot(result: Figures, _lab: Laboratory, axes: list[Axes]) -> None:
    """The mean of the seeds, and their ends as a band."""
    compression.draw(axes[0], result[DEEP.title])
    axes[0].set(title=DEEP.title, xlabel="epoch", ylabel="test accuracy")
    axes[0].legend(fontsize=6)
