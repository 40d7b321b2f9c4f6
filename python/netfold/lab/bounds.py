"""Errors by arithmetic and number of workers, against the bound that `spec/numerics.md` states for
each.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from rich.table import Table

from .. import num
from .arithmetic import FOR_TYPE, Floats, exact, total
from .laboratory import Laboratory
from .report import Figures

PANELS = None
"""Number of the plot's panels; None for one for each model."""

ARITHMETICS = FOR_TYPE["fp32"]
SAME_SIGN = 7e-5
OPPOSITE_SIGNS = 1.2e-4
"""Errors of one addition by table, relative to the sum and to the larger operand (R-LOG-6)."""
SMALLEST_NORMAL = 2.0**-126

Doubles = npt.NDArray[np.float64]


def bound(operands: npt.NDArray[np.float32], arithmetic: str) -> Doubles:
    """Return a bound on the error of each element's FP32 sum, overflows apart.

    The operands have the shape (workers, elements), the bounds (elements).
    """
    match arithmetic:
        case "native":
            return _of_default_addition(operands)
        case "fpisa":
            return _of_shifts(operands) + _last_place(total(operands, arithmetic).values)
        case "fpisa-a":
            # R-FPI-15 bounds what is lost by the operands that overwrite: 2^(x - B) for each of
            # them.
            movement = num.fold(operands.view(np.uint32), arithmetic, trace=True).movement
            overwriting = np.where(movement == num.Movement.OVERWRITTEN, _power(operands), 0.0)
            overwritten: Doubles = overwriting.sum(0)
            read = _last_place(total(operands, arithmetic).values)
            return _of_shifts(operands) + overwritten + read
        case "logtable":
            return _of_tables(operands)
        case _:
            summed = num.sum_blocks(operands)
            return len(operands) * summed.unit + _last_place(summed.values) / 2  # R-NUM-12


def _of_default_addition(operands: npt.NDArray[np.float32]) -> Doubles:
    """Half a unit in the last place of every partial sum (R-NUM-4)."""
    partial = operands[0]
    lost = np.zeros(operands.shape[1])
    for operand in operands[1:]:
        partial = partial + operand
        lost += _last_place(partial) / 2
    return lost


def _of_shifts(operands: npt.NDArray[np.float32]) -> Doubles:
    """(n - 1) u(X), where u(X) is the last place of the largest operand (R-FPI-14)."""
    return (len(operands) - 1) * _last_place(np.abs(operands).max(0))


def _of_tables(operands: npt.NDArray[np.float32]) -> Doubles:
    """The bound of each addition on what the switch then holds, added up (R-LOG-6)."""
    partial = np.zeros(operands.shape[1], np.float32)
    lost = np.zeros(operands.shape[1])
    for operand in operands:
        a, b = partial.astype(np.float64), operand.astype(np.float64)
        same = np.signbit(a) == np.signbit(b)
        step = np.where(
            same, SAME_SIGN * np.abs(a + b), OPPOSITE_SIGNS * np.maximum(np.abs(a), np.abs(b))
        )
        # A zero returns the other operand. Subnormals count as zeros, operands and sum (R-LOG-5).
        tiny = np.minimum(np.minimum(np.abs(a), np.abs(b)), np.abs(a + b)) < SMALLEST_NORMAL
        lost += np.where((a == 0) | (b == 0), 0.0, step) + np.where(tiny, 3 * SMALLEST_NORMAL, 0.0)
        partial = num.fold_by_tables(np.stack([partial, operand]))
    return lost


def _last_place(values: Floats) -> Doubles:
    """ulp: 2^-23 of the power of two at or below the magnitude, 2^-149 below the normal range."""
    place: Doubles = np.ldexp(_power(values), -23)
    return place


def _power(values: Floats) -> Doubles:
    """2^(x - B) with x the exponent field, at least 1 (R-FPI-3)."""
    exponents = (values.view(np.uint32) >> 23 & 0xFF).astype(np.int32)
    power: Doubles = np.ldexp(1.0, np.maximum(exponents, 1) - 127)
    return power


def run(lab: Laboratory) -> Figures:
    """Errors on recorded gradients of each model, by arithmetic and number of workers."""
    return {
        name: {
            arithmetic: {
                str(workers): compare(lab.recording(name).many[:workers], arithmetic)
                for workers in lab.extent.workers
            }
            for arithmetic in ARITHMETICS
        }
        for name in lab.tasks
    }


def compare(operands: npt.NDArray[np.float32], arithmetic: str) -> Figures:
    """Errors relative to the exact sum, and to the bound, of elements whose sum is not zero."""
    summed = total(operands, arithmetic)
    truth = exact(operands)
    kept = (truth.high != 0) & ~summed.overflow
    error = np.abs(truth.error_of(np.where(summed.overflow, np.float32(0), summed.values)))
    allowed = bound(operands, arithmetic)
    relative = (error / np.abs(np.where(truth.high == 0, 1.0, truth.high)))[kept]
    largest = np.abs(operands).max(0).astype(np.float64)[kept]
    used = np.divide(error[kept], allowed[kept], out=np.zeros(kept.sum()), where=allowed[kept] > 0)
    return {
        "elements": int(kept.sum()),
        "overflows": int(summed.overflow.sum()),
        "largest_relative": float(relative.max()),
        "mean_relative": float(relative.mean()),
        "median_relative": float(np.median(relative)),
        "largest_of_operand": float((error[kept] / largest).max()),
        "mean_of_operand": float((error[kept] / largest).mean()),
        "mean_bound_of_operand": float((allowed[kept] / largest).mean()),
        "largest_of_bound": float(used.max()),
        "beyond_bound": int((error > allowed)[~summed.overflow].sum()),
    }


def tables(result: Figures, lab: Laboratory) -> list[Table]:
    """A table for each model."""
    made = []
    for name, arithmetics in result.items():
        table = Table(title=f"{lab.tasks[name].title}: errors of sums of gradients")
        table.add_column("arithmetic")
        for heading in (
            "workers",
            "largest / sum",
            "mean / sum",
            "median / sum",
            "largest / operand",
            "mean / operand",
            "mean bound / operand",
            "largest / bound",
            "beyond bound",
            "overflows",
        ):
            table.add_column(heading, justify="right")
        for arithmetic, by_workers in arithmetics.items():
            for workers, found in by_workers.items():
                table.add_row(
                    arithmetic,
                    workers,
                    *(
                        f"{found[key]:.1e}"
                        for key in ("largest_relative", "mean_relative", "median_relative")
                    ),
                    *(
                        f"{found[key]:.1e}"
                        for key in (
                            "largest_of_operand",
                            "mean_of_operand",
                            "mean_bound_of_operand",
                        )
                    ),
                    f"{found['largest_of_bound']:.3f}",
                    f"{found['beyond_bound']}",
                    f"{found['overflows']} of {found['elements'] + found['overflows']}",
                )
        made.append(table)
    return made


def plot(result: Figures, lab: Laboratory, axes: list[Axes]) -> None:
    """The mean error relative to the largest operand, a line for each arithmetic."""
    for axis, (name, arithmetics) in zip(axes, result.items(), strict=True):
        for arithmetic, by_workers in arithmetics.items():
            means = [found["mean_of_operand"] for found in by_workers.values()]
            axis.loglog(
                [int(workers) for workers in by_workers],
                means,
                marker=".",
                label=arithmetic,
                base=2,
            )
        axis.set_yscale("log", base=10)
        axis.set(
            title=lab.tasks[name].title, xlabel="workers", ylabel="mean error / largest operand"
        )
    axes[-1].legend(fontsize=6)
