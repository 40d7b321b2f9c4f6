"""Accuracy by a scaling factor that is fixed (SwitchML, appendix E, figure 11).

SwitchML's workers multiply by a factor, round to integers of 32 bits, and the switch adds these up
modulo 2^32 (appendix E). netfold finds a factor for each block instead (R-NUM-8); here one factor
is used for everything, to show between which ones nothing is lost.
"""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from rich.table import Table

from .arithmetic import Floats
from .laboratory import Laboratory
from .report import Figures
from .training import Gradients, Replica, Summation

PANELS = None
"""Number of the plot's panels; None for one for each model."""

POWERS = (2, 5, 8, 11, 14, 17, 20, 24, 28, 30, 32, 34)
"""Factors, as powers of two."""


class Scaled:
    """Integers of 32 bits under one factor for all elements."""

    def __init__(self, power: int) -> None:
        self.factor = 2.0**power

    def __call__(self, gradients: Gradients) -> tuple[Floats, int]:
        """Return the mean, and the sums that do not fit."""
        exact = np.rint(gradients.astype(np.float64) * self.factor).sum(axis=0)
        # A whole number of this size is exact in a double, and so is what is left of it.
        wrapped = np.mod(exact + 2.0**31, 2.0**32) - 2.0**31
        overflows = int((wrapped != exact).sum())
        return (wrapped / self.factor / len(gradients)).astype(np.float32), overflows


def run(lab: Laboratory) -> Figures:
    """The accuracy of each model by factor, and by default addition."""
    found: Figures = {}
    for name in lab.tasks:
        ways = {"native": Summation("native")} | {str(power): Scaled(power) for power in POWERS}
        runs = {
            way: lab.trained(
                Replica(lab.tasks[name], lab.data(name), lab.seed), combine, f"{name}: factor {way}"
            )
            for way, combine in ways.items()
        }
        found[name] = {
            "accuracy": {way: run.accuracy for way, run in runs.items()},
            "overflows": {way: run.overflows for way, run in runs.items()},
            "final": {way: run.accuracy[-1] for way, run in runs.items()},
        }
    return found


def tables(result: Figures, lab: Laboratory) -> list[Table]:
    """Final accuracies, and sums that did not fit."""
    title = f"test accuracy after {lab.extent.epochs} epochs by factor, and sums that did not fit"
    table = Table("model", "native", *(f"2^{power}" for power in POWERS), title=title)
    for name, found in result.items():
        cells = [f"{found['final']['native']:.2%}"]
        for power in POWERS:
            count = found["overflows"][str(power)]
            cells.append(f"{found['final'][str(power)]:.2%}" + (f" ({count})" if count else ""))
        table.add_row(lab.tasks[name].title, *cells)
    return [table]


def plot(result: Figures, lab: Laboratory, axes: list[Axes]) -> None:
    """A panel for each model: accuracy by factor, and that of default addition as a line."""
    for axis, (name, found) in zip(axes, result.items(), strict=True):
        axis.plot(POWERS, [found["final"][str(power)] for power in POWERS], "o-", linewidth=1)
        axis.axhline(found["final"]["native"], color="lightgrey", zorder=0)
        axis.set(title=lab.tasks[name].title, xlabel="factor, power of two", ylabel="test accuracy")
