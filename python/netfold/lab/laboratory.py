"""Common inputs of the experiments: models, their data, recorded gradients, and the extent."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from rich.progress import Progress

from . import training
from .data import Data
from .models import Task
from .training import Combine, Recording, Replica, Run, Summation


@dataclass(frozen=True)
class Extent:
    """Extent of the experiments."""

    epochs: int
    examples: int
    """Largest number of examples in the training set, and in the test set."""
    recorded_steps: int
    """Recorded steps of each phase."""
    workers: tuple[int, ...]
    """Numbers of workers in the table of errors."""
    pairs: int
    """Pairs in the table of precision."""
    seeds: int = 3
    """Runs of each kind where spreads are shown."""


FULL = Extent(
    epochs=40, examples=2400, recorded_steps=8, workers=(2, 4, 8, 16, 32, 64), pairs=100_000
)
QUICK = Extent(epochs=3, examples=256, recorded_steps=1, workers=(2, 8, 64), pairs=2000, seeds=1)


@dataclass
class Laboratory:
    """Everything comes from `seed`; what several experiments need is made once."""

    tasks: dict[str, Task]
    cache: Path
    extent: Extent
    progress: Progress
    seed: int = 1
    _data: dict[str, Data] = field(default_factory=dict)
    _recordings: dict[str, Recording] = field(default_factory=dict)

    def data(self, name: str) -> Data:
        """The data of this task."""
        if name not in self._data:
            self._data[name] = self.tasks[name].load(self.cache).shortened(self.extent.examples)
        return self._data[name]

    def recording(self, name: str) -> Recording:
        """Gradients of this task's training by default addition."""
        if name not in self._recordings:
            bar = self.progress.add_task(f"{name}: gradients", total=self.extent.epochs)
            self._recordings[name] = training.record(
                Replica(self.tasks[name], self.data(name), self.seed),
                epochs=self.extent.epochs,
                steps=self.extent.recorded_steps,
                workers=max(self.extent.workers),
                on_epoch=lambda _: self.progress.advance(bar),
            )
        return self._recordings[name]

    def train(self, name: str, arithmetic: str, type_name: str, first: int = 0) -> Run:
        """Train this task from the seed's weights on the seed's batches; only the way of adding
        makes a difference.
        """
        order = f", from worker {first}" if first else ""
        replica = Replica(self.tasks[name], self.data(name), self.seed)
        combine = Summation(arithmetic, type_name, first)
        return self.trained(replica, combine, f"{name}: {type_name} {arithmetic}{order}")

    def trained(self, replica: Replica, combine: Combine, what: str) -> Run:
        """Train a replica with gradients that are combined in this way."""
        bar = self.progress.add_task(what, total=self.extent.epochs)
        return training.train(
            replica, self.extent.epochs, combine, on_epoch=lambda _: self.progress.advance(bar)
        )

    @property
    def seeds(self) -> range:
        """Seeds of runs that show spreads."""
        return range(self.seed, self.seed + self.extent.seeds)
