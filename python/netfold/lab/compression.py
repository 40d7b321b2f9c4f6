"""Accuracy while training with compressed gradients (SwitchML, appendix D, figure 10, table 4).

Each worker compresses the gradient of each parameter by itself, and the workers get the mean of
what all have sent: so does the survey from which the paper takes its compressors.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from rich.table import Table

from .arithmetic import Floats
from .laboratory import Laboratory
from .report import Figures
from .training import Combine, Gradients, Replica, Summation

PANELS = None
"""Number of the plot's panels; None for one for each model."""


class Quantised:
    """QSGD: each element is one of `levels` + 1 multiples of the tensor's norm, at random one of
    the two that are next to it, so that its mean is the element (Alistarh et al., NIPS 2017,
    section 3).
    """

    def __init__(self, replica: Replica, levels: int) -> None:
        self.tensors = replica.tensors
        self.levels = levels
        self.random = np.random.default_rng(replica.seed)

    def __call__(self, gradients: Gradients) -> tuple[Floats, int]:
        """Return the mean of the workers' quantised gradients."""
        return np.mean([self.sent(gradient) for gradient in gradients], axis=0), 0

    def sent(self, gradient: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return a worker's gradient as the others get it."""
        found = np.zeros_like(gradient)
        for tensor in self.tensors:
            part = gradient[tensor]
            norm = np.linalg.norm(part)
            if norm > 0:
                steps = np.abs(part) / norm * self.levels
                up = self.random.random(part.shape) < steps - np.floor(steps)
                found[tensor] = np.sign(part) * norm * (np.floor(steps) + up) / self.levels
        return found


class Largest:
    """Top-k: the largest elements of each tensor are sent, and the others are added to those of the
    next step (error feedback; Stich, Cordonnier and Jaggi, NeurIPS 2018).
    """

    def __init__(self, replica: Replica, share: float) -> None:
        self.tensors = replica.tensors
        self.share = share
        self.left: npt.NDArray[np.float32] | None = None
        """Elements of each worker that it has not sent."""

    def __call__(self, gradients: Gradients) -> tuple[Floats, int]:
        """Return the mean of what the workers send."""
        wanted = gradients if self.left is None else gradients + self.left
        sent = np.zeros_like(wanted)
        for tensor in self.tensors:
            part = wanted[:, tensor]
            count = max(1, round(self.share * part.shape[1]))
            places = np.argpartition(np.abs(part), -count, axis=1)[:, -count:]
            np.put_along_axis(
                sent[:, tensor], places, np.take_along_axis(part, places, axis=1), axis=1
            )
        self.left = wanted - sent
        return sent.mean(axis=0), 0


WAYS: dict[str, Callable[[Replica], Combine]] = {
    "native": lambda _: Summation("native"),
    "block": lambda _: Summation("block"),
    "QSGD 256": lambda replica: Quantised(replica, 256),
    "QSGD 64": lambda replica: Quantised(replica, 64),
    "top 10 %": lambda replica: Largest(replica, 0.1),
    "top 1 %": lambda replica: Largest(replica, 0.01),
}
"""Ways to combine gradients, by name; `native` is default addition."""


def run(lab: Laboratory) -> Figures:
    """The curves of each model and way, for several seeds of weights, batches and compressors."""
    return {name: {way: _curves(lab, name, way) for way in WAYS} for name in lab.tasks}


def _curves(lab: Laboratory, name: str, way: str) -> Figures:
    runs = []
    for seed in lab.seeds:
        replica = Replica(lab.tasks[name], lab.data(name), seed)
        runs.append(lab.trained(replica, WAYS[way](replica), f"{name}: {way}, seed {seed}"))
    return summary([run.accuracy for run in runs])


def summary(curves: list[list[float]]) -> Figures:
    """Curves of several seeds, and the mean and the ends of their last values."""
    last = [curve[-1] for curve in curves]
    return {
        "accuracy": curves,
        "mean": float(np.mean(last)),
        "least": min(last),
        "largest": max(last),
    }


def tables(result: Figures, lab: Laboratory) -> list[Table]:
    """Final accuracies."""
    title = f"test accuracy after {lab.extent.epochs} epochs: mean, least and largest of {len(lab.seeds)} seeds"
    return [by_way(title, tuple(WAYS), result, lab)]


def by_way(title: str, ways: tuple[str, ...], result: Figures, lab: Laboratory) -> Table:
    """A row for each model, and a column for each way."""
    table = Table("model", *ways, title=title)
    for name, found in result.items():
        cells = [
            f"{found[way]['mean']:.2%} ({found[way]['least']:.2%} to {found[way]['largest']:.2%})"
            for way in ways
        ]
        table.add_row(lab.tasks[name].title if name in lab.tasks else name, *cells)
    return table


def plot(result: Figures, lab: Laboratory, axes: list[Axes]) -> None:
    """A panel for each model: the mean of the seeds, and their ends as a band."""
    for axis, (name, ways) in zip(axes, result.items(), strict=True):
        draw(axis, ways)
        axis.set(title=lab.tasks[name].title, xlabel="epoch", ylabel="test accuracy")
    axes[-1].legend(fontsize=6)


def draw(axis: Axes, ways: Figures) -> None:
    """Curves of ways with their bands."""
    for number, (way, found) in enumerate(ways.items()):
        curves = np.array(found["accuracy"])
        epochs = range(1, curves.shape[1] + 1)
        axis.plot(epochs, curves.mean(axis=0), color=f"C{number}", label=way, linewidth=1)
        axis.fill_between(
            epochs,
            curves.min(axis=0),
            curves.max(axis=0),
            color=f"C{number}",
            alpha=0.15,
            linewidth=0,
        )
