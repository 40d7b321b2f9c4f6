"""Data-parallel training in one process: the gradients of all workers, summed in an arithmetic,
make a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from .arithmetic import TYPES, Floats, total
from .data import Data
from .models import Task

WORKERS = 8
BATCH = 16
"""Examples of a worker in a step, as in FPISA's section 5.2."""
MOMENTUM = 0.9
LOSS_SCALE = 128.0
"""FP16 gradients travel times this, as mixed-precision training has it, so that few of them are
subnormal.
"""

Gradients = npt.NDArray[np.float32]
"""FP32 of shape (workers, parameters)."""


@dataclass
class Run:
    """Observations of a training run."""

    accuracy: list[float] = field(default_factory=list)
    """Accuracy on the test set after each epoch."""
    overflows: int = 0
    """Sums of one element that did not fit a mantissa register, over all steps."""


class Replica:
    """A model whose parameters and gradients are one vector each; all workers' replicas hold the
    same parameters.
    """

    def __init__(self, task: Task, data: Data, seed: int) -> None:
        torch.manual_seed(seed)
        self.seed = seed
        self.data = data
        self.model = task.build(data)
        self.learning_rate = task.learning_rate
        self.loss = nn.CrossEntropyLoss()
        parameters = list(self.model.parameters())
        self.tensors: list[slice] = []
        """Elements of each parameter."""
        self.weights = nn.utils.parameters_to_vector(parameters).detach().clone()
        self.gradient = torch.zeros_like(self.weights)
        self.velocity = torch.zeros_like(self.weights)
        start = 0
        for parameter in parameters:
            end = start + parameter.numel()
            parameter.data = self.weights[start:end].view_as(parameter)
            parameter.grad = self.gradient[start:end].view_as(parameter)
            self.tensors.append(slice(start, end))
            start = end
        self._order = torch.Generator().manual_seed(seed)

    def epoch(self) -> Iterator[list[torch.Tensor]]:
        """The batches of all workers, for each step of an epoch in a new order; what is left over
        is not used.
        """
        order = torch.randperm(len(self.data.train_inputs), generator=self._order)
        for batches in torch.split(order, WORKERS * BATCH):
            if len(batches) == WORKERS * BATCH:
                yield list(torch.split(batches, BATCH))

    def gradients(self, batches: list[torch.Tensor]) -> Gradients:
        """The gradient of each worker for its batch, of shape (workers, parameters)."""
        self.model.train()
        found = np.empty((len(batches), self.weights.numel()), np.float32)
        for worker, batch in enumerate(batches):
            self.gradient.zero_()
            self.loss(
                self.model(self.data.train_inputs[batch]), self.data.train_targets[batch]
            ).backward()
            found[worker] = self.gradient.numpy()
        return found

    def step(self, mean: Floats) -> None:
        """Descend along the mean of the workers' gradients."""
        self.velocity.mul_(MOMENTUM).add_(torch.from_numpy(mean))
        self.weights.add_(self.velocity, alpha=-self.learning_rate)

    @torch.no_grad()
    def accuracy(self) -> float:
        """The share of the test set's targets that the model hits."""
        self.model.eval()
        return float(
            (self.model(self.data.test_inputs).argmax(1) == self.data.test_targets).float().mean()
        )


Combine = Callable[[Gradients], tuple[Floats, int]]
"""Makes the mean of the workers' gradients, and counts the sums that have overflowed."""


@dataclass(frozen=True, slots=True)
class Summation:
    """The way in which gradients of several workers are summed.

    A job in which a register overflows says where and fails (R-CTRL-13); here such elements are
    counted and summed by default addition, so that the rest of the arithmetic can be seen.
    """

    arithmetic: str = "native"
    """One of `FOR_TYPE[type_name]`."""
    type_name: str = "fp32"
    """Type in which gradients travel, `fp32` or `fp16`."""
    first: int = 0
    """Worker that arrives first; the others follow in their order, and around."""

    def __call__(self, gradients: Gradients) -> tuple[Floats, int]:
        """Return the mean, and the sums that have overflowed."""
        scale = LOSS_SCALE if self.type_name == "fp16" else 1.0
        scaled: Floats = (gradients * np.float32(scale)).astype(TYPES[self.type_name])
        operands = np.roll(scaled, -self.first, axis=0)
        summed = total(operands, self.arithmetic)
        values = summed.values
        overflows = int(summed.overflow.sum())
        if overflows:
            values = np.where(summed.overflow, total(operands, "native").values, values)
        return values.astype(np.float32) / np.float32(len(gradients) * scale), overflows


DEFAULT_ADDITION = Summation()


def train(
    replica: Replica,
    epochs: int,
    combine: Combine = DEFAULT_ADDITION,
    on_epoch: Callable[[int], None] = lambda _: None,
    on_step: Callable[[int, Gradients], None] = lambda _epoch, _gradients: None,
) -> Run:
    """Train with gradients that are combined in this way; weights and momentum stay FP32.

    Args:
        replica: the model; it holds the trained one afterwards.
        epochs: how often all training examples are used.
        combine: how gradients are combined.
        on_epoch: told the number of each epoch when it ends.
        on_step: told the number of the epoch and the gradients of all workers before each step.
    """
    run = Run()
    for epoch in range(epochs):
        for batches in replica.epoch():
            gradients = replica.gradients(batches)
            on_step(epoch, gradients)
            mean, overflows = combine(gradients)
            run.overflows += overflows
            replica.step(mean)
        run.accuracy.append(replica.accuracy())
        on_epoch(epoch)
    return run


PHASES = ("early", "middle", "final")


@dataclass(frozen=True)
class Recording:
    """Gradients of workers as training saw them."""

    phases: dict[str, Gradients]
    """Gradients of several steps of an epoch side by side, by phase; shape (workers, steps *
    parameters).
    """
    many: Gradients
    """Gradients of more workers, at the weights of the middle phase; shape (workers, parameters).
    """


def record(
    replica: Replica,
    epochs: int,
    steps: int,
    workers: int,
    on_epoch: Callable[[int], None] = lambda _: None,
) -> Recording:
    """Train by default addition and keep gradients of the first, middle and last epoch.

    The first step of all is left out: its weights are random.

    Args:
        replica: the model; it holds the trained one afterwards.
        epochs: how often all training examples are used.
        steps: steps of each of the three epochs that are kept.
        workers: workers whose gradients are kept at the weights of the middle.
        on_epoch: told the number of each epoch when it ends.
    """
    epoch_of = {0: "early", epochs // 2: "middle", epochs - 1: "final"}
    kept: dict[str, list[Gradients]] = {phase: [] for phase in PHASES}
    many: list[Gradients] = []
    seen = [0]

    def keep(epoch: int, gradients: Gradients) -> None:
        phase = epoch_of.get(epoch)
        seen[0] += 1
        if phase is not None and len(kept[phase]) < steps and seen[0] > 1:
            kept[phase].append(gradients)
        if phase == "middle" and not many:
            generator = torch.Generator().manual_seed(replica.seed)
            examples = len(replica.data.train_inputs)
            batches = torch.randint(examples, (workers * BATCH,), generator=generator)
            many.append(replica.gradients(list(torch.split(batches, BATCH))))

    train(replica, epochs, on_epoch=on_epoch, on_step=keep)
    return Recording(
        {phase: np.concatenate(found, axis=1) for phase, found in kept.items()}, many[0]
    )
