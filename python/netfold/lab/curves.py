"""Accuracy while training with each arithmetic (FPISA, section 5.2.2, figure 9)."""

from __future__ import annotations

from matplotlib.axes import Axes
from rich.table import Table

from .arithmetic import FOR_TYPE
from .laboratory import Laboratory
from .report import Figures

PANELS = None
"""Number of the plot's panels; None for one for each model."""

OTHER_ORDERS = (1, 2, 3, 4, 5, 6, 7)
"""The workers that arrive first in the runs that only differ in their order."""


def run(lab: Laboratory) -> Figures:
    """The curve of each model, type and arithmetic."""
    return {
        name: {
            type_name: _of_type(lab, name, type_name) | _orders(lab, name, type_name)
            for type_name in FOR_TYPE
        }
        for name in lab.tasks
    }


def _of_type(lab: Laboratory, name: str, type_name: str) -> Figures:
    runs = {
        arithmetic: lab.train(name, arithmetic, type_name) for arithmetic in FOR_TYPE[type_name]
    }
    targets = lab.data(name).test_targets.numel()
    final = {arithmetic: run.accuracy[-1] for arithmetic, run in runs.items()}
    return {
        "targets": targets,
        "accuracy": {arithmetic: run.accuracy for arithmetic, run in runs.items()},
        "overflows": {arithmetic: run.overflows for arithmetic, run in runs.items()},
        "final_minus_default": {
            arithmetic: accuracy - final["native"] for arithmetic, accuracy in final.items()
        },
        "largest_difference": max(abs(accuracy - final["native"]) for accuracy in final.values()),
    }


def _orders(lab: Laboratory, name: str, type_name: str) -> Figures:
    """Default addition in other orders of arrival: what differences in the last places alone do to
    an accuracy.
    """
    runs = [lab.train(name, "native", type_name, first) for first in OTHER_ORDERS]
    return {"accuracy_in_other_orders": [run.accuracy for run in runs]}


def tables(result: Figures, lab: Laboratory) -> list[Table]:
    """Final accuracies, and how far they are from that of default addition."""
    table = Table(
        title=f"test accuracy after {lab.extent.epochs} epochs; in brackets, points above default addition"
    )
    headings = (
        "model",
        "type",
        *FOR_TYPE["fp32"],
        "native, other orders",
        "one target",
        "overflows of fpisa, fpisa-a",
    )
    for heading in headings:
        table.add_column(heading, justify="left" if heading in ("model", "type") else "right")
    for name, types in result.items():
        for type_name, found in types.items():
            cells = []
            for arithmetic in FOR_TYPE["fp32"]:
                if arithmetic not in found["accuracy"]:
                    cells.append("-")
                    continue
                cell = f"{found['accuracy'][arithmetic][-1]:.2%}"
                if arithmetic != "native":
                    cell += f" ({100 * found['final_minus_default'][arithmetic]:+.2f})"
                cells.append(cell)
            orders = [
                curve[-1] - found["accuracy"]["native"][-1]
                for curve in found["accuracy_in_other_orders"]
            ]
            cells.append(f"{100 * min(orders):+.2f} to {100 * max(orders):+.2f}")
            overflows = f"{found['overflows']['fpisa']}, {found['overflows']['fpisa-a']}"
            table.add_row(
                lab.tasks[name].title, type_name, *cells, f"{100 / found['targets']:.3f}", overflows
            )
    return [table]


def plot(result: Figures, lab: Laboratory, axes: list[Axes]) -> None:
    """A panel for each model: FP32 as full lines, FP16 as dashed ones."""
    for axis, (name, types) in zip(axes, result.items(), strict=True):
        for (type_name, found), style in zip(types.items(), ("-", "--"), strict=True):
            for number, arithmetic in enumerate(FOR_TYPE["fp32"]):
                if arithmetic in found["accuracy"]:
                    curve = found["accuracy"][arithmetic]
                    label = f"{type_name} {arithmetic}"
                    axis.plot(
                        range(1, len(curve) + 1),
                        curve,
                        style,
                        color=f"C{number}",
                        label=label,
                        linewidth=1,
                    )
            for curve in found["accuracy_in_other_orders"]:
                axis.plot(
                    range(1, len(curve) + 1),
                    curve,
                    style,
                    color="lightgrey",
                    linewidth=0.6,
                    zorder=0,
                )
        axis.set(title=lab.tasks[name].title, xlabel="epoch", ylabel="test accuracy")
    axes[-1].legend(fontsize=6)
