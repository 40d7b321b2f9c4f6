"""The absolute error of FPISA-A against an exact sum, by phase and by cause (FPISA, section 5.2.1,
figure 8).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from rich.table import Table

from .. import num
from ..num import Movement
from .arithmetic import exact, register_value
from .laboratory import Laboratory
from .report import Figures, by_phase, phase_table
from .training import PHASES, Gradients

PANELS = None
"""Number of the plot's panels; None for one for each model."""

CAUSES = ("rounding", "overwrite", "left shift")
DECADES = range(-20, 1)
"""The histogram's bins are powers of ten."""


@dataclass(frozen=True)
class Parts:
    """Parts of the error of each element's sum. Errors are result minus exact sum, in doubles;
    shape (elements).
    """

    error: npt.NDArray[np.float64]
    overwritten: npt.NDArray[np.float64]
    """The part of the error that is values dropped by overwriting (R-FPI-15)."""
    rounding: npt.NDArray[np.float64]
    """The rest: what right shifts and the read lose. Left shifts lose nothing."""
    cause: npt.NDArray[np.int8]
    """The index in CAUSES: overwrite where a value was dropped, else left shift where one happened,
    else rounding.
    """
    overflow: npt.NDArray[np.bool_]
    """True where the register has overflowed; the errors mean nothing there."""
    movement: npt.NDArray[np.uint8]
    """Shape (operands, elements)."""


def parts(operands: npt.NDArray[np.float32]) -> Parts:
    """Fold by `fpisa-a` and take the error apart; shape (workers, elements)."""
    bits = operands.view(np.uint32)
    folded = num.fold(bits, "fpisa-a", trace=True)
    movement = folded.movement
    assert movement is not None
    dropped = np.zeros(operands.shape[1])
    for step in range(1, len(operands)):
        replaced = movement[step] == Movement.OVERWRITTEN
        before = register_value(num.fold(bits[:step, replaced], "fpisa-a"))
        dropped[replaced] += before
    values = np.where(folded.overflow, np.float32(0), folded.bits.view(np.float32))
    error = exact(operands).error_of(values)
    moved_left = (movement == Movement.INCOMING_LEFT).any(0)
    cause = np.where((movement == Movement.OVERWRITTEN).any(0), 1, np.where(moved_left, 2, 0))
    return Parts(error, -dropped, error + dropped, cause.astype(np.int8), folded.overflow, movement)


def run(lab: Laboratory) -> Figures:
    """Errors and rates of each cause, for each model and phase."""
    return by_phase(lab, summary)


def summary(gradients: Gradients) -> Figures:
    """Elements that are zero at all workers have no error to speak of, and are left out."""
    found = parts(gradients[:, (gradients != 0).any(0)])
    settled = ~found.overflow
    error = np.abs(found.error)
    steps = found.movement.size
    return {
        "elements": int(found.error.size),
        "overflows": int(found.overflow.sum()),
        "steps": int(steps),
        "rate_overwrite": float((found.movement == Movement.OVERWRITTEN).sum() / steps),
        "rate_left_shift": float((found.movement == Movement.INCOMING_LEFT).sum() / steps),
        "share_exact": float((error[settled] == 0).mean()),
        "share_of_error": {
            "overwrite": float(
                np.abs(found.overwritten[settled]).sum() / max(error[settled].sum(), 1e-300)
            ),
            "rounding": float(
                np.abs(found.rounding[settled]).sum() / max(error[settled].sum(), 1e-300)
            ),
        },
        "causes": {
            cause: _of_cause(error, settled & (found.cause == i)) for i, cause in enumerate(CAUSES)
        },
        "median": float(np.median(error[settled])),
        "percentile_95": float(np.quantile(error[settled], 0.95)),
        "largest": float(error[settled].max(initial=0)),
        "share_within_paper_range": float(
            ((error >= 1e-10) & (error <= 1e-8))[settled & (error > 0)].mean()
        ),
        "share_below_paper_range": float((error < 1e-10)[settled & (error > 0)].mean()),
    }


def _of_cause(error: npt.NDArray[np.float64], chosen: npt.NDArray[np.bool_]) -> Figures:
    """Elements of one cause: their share, and their errors by powers of ten as shares of all
    elements.
    """
    inexact = error[chosen & (error > 0)]
    decades = np.clip(np.floor(np.log10(inexact)).astype(int), DECADES[0], DECADES[-1]) - DECADES[0]
    return {
        "share_of_elements": float(chosen.mean()),
        "median": float(np.median(error[chosen])) if chosen.any() else None,
        "by_decade": (np.bincount(decades, minlength=len(DECADES)) / len(error)).tolist(),
    }


def tables(result: Figures, lab: Laboratory) -> list[Table]:
    """Tabulate the frequency of each cause and the size of errors. An element overflows once, in
    the step that fails.
    """
    headings = (
        "overwrites / steps",
        "left shifts / steps",
        "overflows / steps",
        "exact",
        "median error",
        "95 % below",
        "largest",
        "median: rounding",
        "overwrite",
        "left shift",
    )
    title = "fpisa-a against the exact sum of 8 workers' gradients, without elements that are zero at all"
    return [phase_table(title, headings, result, lab, _cells)]


def _cells(found: Figures) -> tuple[str, ...]:
    medians = [found["causes"][cause]["median"] for cause in CAUSES]
    return (
        f"{found['rate_overwrite']:.2%}",
        f"{found['rate_left_shift']:.2%}",
        f"{found['overflows'] / found['steps']:.2%}",
        f"{found['share_exact']:.1%}",
        *(f"{found[key]:.1e}" for key in ("median", "percentile_95", "largest")),
        *("-" if median is None else f"{median:.1e}" for median in medians),
    )


def plot(result: Figures, lab: Laboratory, axes: list[Axes]) -> None:
    """Errors by powers of ten, a line for each phase and cause."""
    for axis, (name, phases) in zip(axes, result.items(), strict=True):
        for phase, style in zip(PHASES, ("-", "--", ":"), strict=True):
            for cause, colour in zip(CAUSES, ("tab:blue", "tab:red", "tab:green"), strict=True):
                shares = phases[phase]["causes"][cause]["by_decade"]
                axis.plot(
                    DECADES, shares, style, color=colour, label=f"{cause}, {phase}", linewidth=1
                )
        axis.set(
            title=lab.tasks[name].title, xlabel="log10(absolute error)", ylabel="share of elements"
        )
        axis.set(yscale="log", xlim=(-16, 0))
    axes[-1].legend(fontsize=6)
