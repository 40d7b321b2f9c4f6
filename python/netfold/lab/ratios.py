"""Ratios between the gradients of one element across workers (FPISA, section 5.1, figure 7)."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from rich.table import Table

from .laboratory import Laboratory
from .report import Figures, by_phase, phase_table
from .training import PHASES, Gradients

PANELS = None
"""Number of the plot's panels; None for one for each model."""

HEADROOM = 7
"""FPISA-A never overwrites where the ratio is below 2^7 (R-FPI-15)."""
LARGEST = 32
"""The last bin of the histogram holds all ratios from 2^31 on."""


def run(lab: Laboratory) -> Figures:
    """The distribution of max/min for each model and phase."""
    return by_phase(lab, distribution)


def distribution(gradients: Gradients) -> Figures:
    """Shares of elements by their ratio.

    A ratio needs a gradient at every worker, so it counts elements that are zero nowhere; the
    others are counted apart.
    """
    magnitudes = np.abs(gradients.astype(np.float64))
    somewhere, everywhere = (magnitudes > 0).any(0), (magnitudes > 0).all(0)
    counted = magnitudes[:, everywhere]
    logarithms = np.log2(counted.max(0) / counted.min(0))
    bins = np.bincount(np.minimum(logarithms.astype(int), LARGEST - 1), minlength=LARGEST)
    return {
        "elements": int(somewhere.size),
        "zero_everywhere": float(1 - somewhere.mean()),
        "zero_somewhere": float((somewhere & ~everywhere).mean()),
        "counted": int(everywhere.sum()),
        "share_below_headroom": float((logarithms < HEADROOM).mean()),
        "share_by_power": (bins / max(bins.sum(), 1)).tolist(),
    }


def tables(result: Figures, lab: Laboratory) -> list[Table]:
    """One row for each model and phase."""
    headings = ("ratio < 2^7", "elements counted", "zero at some", "zero at all")
    title = "max/min of an element's gradients across 8 workers"
    return [phase_table(title, headings, result, lab, _cells)]


def _cells(found: Figures) -> tuple[str, ...]:
    return (
        f"{found['share_below_headroom']:.1%}",
        f"{found['counted']}",
        f"{found['zero_somewhere']:.1%}",
        f"{found['zero_everywhere']:.1%}",
    )


def plot(result: Figures, lab: Laboratory, axes: list[Axes]) -> None:
    """The histogram of each phase, one panel for each model."""
    for axis, (name, phases) in zip(axes, result.items(), strict=True):
        for phase in PHASES:
            axis.stairs(phases[phase]["share_by_power"], range(LARGEST + 1), label=phase)
        axis.axvline(HEADROOM, color="black", linestyle="--", linewidth=1)
        axis.set(
            title=lab.tasks[name].title,
            xlabel="log2(max/min)",
            ylabel="share of elements",
            xlim=(0, LARGEST),
        )
    axes[-1].legend(fontsize=6)
