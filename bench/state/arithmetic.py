"""Steps of training by arithmetic, on links of an emulated rack.

The ways are the arithmetics of DistributedDataParallel's sums, first SwitchML's `block`. A block of
values that overflows a register of `fpisa-a` is folded again by `native`, and counted (R-SLOT-11).
Models are those of the laboratory, and one whose gradients take longer than its computation; FP16
gradients travel times 128, as in the laboratory. All ways begin with the same weights, and see the
same batches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import fp16_compress_hook
from torch.nn.parallel import DistributedDataParallel

from netfold.lab.data import default_cache
from netfold.lab.models import TASKS
from netfold.lab.training import BATCH, LOSS_SCALE
from netfold.torch import backend_of

from ..models import dense
from .worker import Task, in_turns

OPERATIONS: dict[str, str] = {}

ARITHMETICS = ("block", "native", "fpisa", "fpisa-a")
TYPES = ("FP32", "FP16")
MEGABYTES = 4.0
STEPS = 4
SEED = 1


@dataclass(frozen=True)
class Model:
    """A model, made anew by each call of `make`, and its batches."""

    make: Callable[[], torch.nn.Module]
    draw: Callable[[torch.Generator], tuple[Tensor, Tensor]]
    """Inputs and what is to be said of them, drawn from a generator."""
    learning_rate: float


def models(share: float) -> Iterator[tuple[str, Model]]:
    """All of them, the one whose size is given by a share of the full one first."""
    megabytes = MEGABYTES * share
    perceptron = dense(megabytes, SEED)
    yield (
        f"perceptron, {megabytes:g} MB",
        Model(
            perceptron.make,
            lambda generator: perceptron.draw(BATCH, generator),
            perceptron.learning_rate,
        ),
    )
    for name, task in TASKS.items():
        data = task.load(default_cache())

        def make(task: Any = task, data: Any = data) -> torch.nn.Module:
            torch.manual_seed(SEED)
            built: torch.nn.Module = task.build(data)
            return built

        def draw(generator: torch.Generator, data: Any = data) -> tuple[Tensor, Tensor]:
            chosen = torch.randint(len(data.train_inputs), (BATCH,), generator=generator)
            return data.train_inputs[chosen], data.train_targets[chosen]

        yield name, Model(make, draw, task.learning_rate)


class Training:
    """One way's training, step by step."""

    def __init__(self, task: Task, model: Model, type_name: str, arithmetic: str) -> None:
        self._task, self._model = task, model
        policy = {"overflow": "native"} if arithmetic.startswith("fpisa") else {}
        self._group = group = task.group(arithmetic=arithmetic, **policy)
        self._counters = backend_of(group)
        self._trained = DistributedDataParallel(
            model.make(), process_group=group, init_sync=False, gradient_as_bucket_view=True
        )
        self._scale = 1.0
        if type_name == "FP16":
            self._scale = LOSS_SCALE
            self._trained.register_comm_hook(group, fp16_compress_hook)
        # A gradient that is as many times as large makes the same step.
        self._optimizer = torch.optim.SGD(
            self._trained.parameters(), lr=model.learning_rate / self._scale
        )
        self.losses: list[float] = []

    def steps(self) -> None:
        """Make the next ones."""
        for _ in range(STEPS):
            seed = (SEED * 100_003 + len(self.losses)) * self._task.size + self._task.rank
            inputs, targets = self._model.draw(torch.Generator().manual_seed(seed))
            loss = torch.nn.functional.cross_entropy(self._trained(inputs), targets)
            self._optimizer.zero_grad()
            torch.autograd.backward(loss * self._scale)
            self._optimizer.step()
            self.losses.append(loss.item())

    def again(self) -> float:
        """The share of blocks that were folded again, of all so far."""
        stats = self._counters.stats()
        again: int = stats["blocks_refolded"]
        agreed = stats["exponent_rounds"] + stats["class_rounds"]
        return float(again / max(stats["rounds"] - again - agreed, 1))

    def close(self) -> None:
        """Leave the job."""
        dist.destroy_process_group(self._group)


def work(task: Task) -> None:
    """Run one worker."""
    task.begin()
    for name, model in models(task.share):
        for type_name in TYPES:
            ways = {each: Training(task, model, type_name, each) for each in ARITHMETICS}

            def figures(ways: dict[str, Training] = ways) -> dict[str, dict[str, Any]]:
                means = torch.tensor([way.losses for way in ways.values()])
                dist.all_reduce(means)
                means /= task.size
                return {
                    "loss at first": _rounded(ways, means[:, 0]),
                    "loss at last": _rounded(ways, means[:, -STEPS:].mean(dim=1)),
                    "folded again": {way: round(ways[way].again(), 4) for way in ways},
                }

            steps = {way: training.steps for way, training in ways.items()}
            in_turns(task, f"{name}, {type_name}", steps, figures)
            for training in ways.values():
                training.close()


def _rounded(ways: dict[str, Training], losses: Tensor) -> dict[str, float]:
    return {way: round(loss, 4) for way, loss in zip(ways, losses.tolist(), strict=True)}
