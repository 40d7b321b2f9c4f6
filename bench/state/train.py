"""Steps of training by SGD with momentum, on links of an emulated rack.

The ways: DistributedDataParallel over netfold and PyTorch's optimizer; the optimizer in the switch
(`sgd_momentum.c`), so that the gradient goes up and the new weights come down; and gradients that
travel as one bit for each number (`one_bit.c`), or as the largest 16 of 256 (`top_k_feedback.c`),
before PyTorch's optimizer. All begin with the same weights, and see the same batches.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from ..models import dense
from .worker import Task, in_turns

OPERATIONS = dict.fromkeys(("sgd_momentum", "one_bit", "top_k_feedback"), "")
"""Examples, and what is defined before each."""

MEGABYTES = 4.0
RATE, MOMENTUM = 0.02, 0.9
STEPS, BATCH = 4, 16
SETTINGS = 0xFFFFFFFF
CHUNK = 256
SEED = 1


class Chunks:
    """The parameters of a model as chunks of an operation's elements."""

    def __init__(self, dtype: np.dtype, parameters: int) -> None:
        self.elements = np.zeros(-(-parameters // CHUNK), dtype)
        self.elements["f0"] = np.arange(len(self.elements))
        self._parameters = parameters
        self._flat = np.zeros(len(self.elements) * CHUNK, np.float32)

    def put(self, numbers: torch.Tensor) -> np.ndarray:
        """Return the elements, with these numbers in them."""
        self._flat[: self._parameters] = numbers.numpy()
        self.elements["f1"] = self._flat.reshape(-1, CHUNK)
        return self.elements

    def take(self, elements: np.ndarray) -> torch.Tensor:
        """Return the numbers of elements."""
        flat = np.ascontiguousarray(elements["f1"]).reshape(-1)
        return torch.from_numpy(flat[: self._parameters])


def work(task: Task) -> None:
    """Run one worker."""
    task.begin()
    model = dense(MEGABYTES * task.share, SEED)
    losses: dict[str, list[float]] = {}
    steps: dict[str, int] = {}
    momenta: dict[str, int] = {}

    def gradients(way: str, trained: torch.nn.Module) -> None:
        at = steps[way] = steps.get(way, 0) + 1
        seed = (SEED * 100_003 + at) * task.size + task.rank
        loss = model.loss(trained, model.draw(BATCH, torch.Generator().manual_seed(seed)))
        trained.zero_grad()
        torch.autograd.backward(loss)
        losses.setdefault(way, []).append(loss.item())

    def gradient_of(trained: torch.nn.Module) -> torch.Tensor:
        all_gradients = [each.grad for each in trained.parameters() if each.grad is not None]
        return torch.cat([each.reshape(-1) for each in all_gradients])

    def optimizer_of(way: str, trained: torch.nn.Module) -> torch.optim.Optimizer:
        momenta[way] = sum(4 * each.numel() for each in trained.parameters())
        return torch.optim.SGD(trained.parameters(), lr=RATE, momentum=MOMENTUM)

    def plain() -> Callable[[], None]:
        trained = DistributedDataParallel(
            model.make(), process_group=task.group(), init_sync=False, gradient_as_bucket_view=True
        )
        optimizer = optimizer_of("DDP, SGD at the workers", trained)

        def step() -> None:
            gradients("DDP, SGD at the workers", trained)
            optimizer.step()

        return step

    def in_the_switch() -> Callable[[], None]:
        trained = model.make()
        comm, operation = task.join("sgd_momentum")
        weights = parameters_to_vector(trained.parameters()).detach()
        chunks = Chunks(operation.dtype, len(weights))
        settings = np.zeros(1, operation.dtype)
        settings["f0"], settings["f1"][0, :3] = SETTINGS, (RATE, MOMENTUM, task.size)
        comm.look_aside(settings, operation)
        comm.look_aside(chunks.put(weights), operation)
        momenta["SGD in the switch"] = 0
        out = np.empty_like(chunks.elements)

        def step() -> None:
            gradients("SGD in the switch", trained)
            sent = chunks.put(gradient_of(trained))
            weights = chunks.take(comm.all_reduce(sent, operation, out=out))
            vector_to_parameters(weights, trained.parameters())

        return step

    def compressed(way: str, name: str) -> Callable[[], None]:
        trained = model.make()
        comm, operation = task.join(name)
        optimizer = optimizer_of(way, trained)
        chunks = Chunks(operation.dtype, sum(each.numel() for each in trained.parameters()))

        def step() -> None:
            gradients(way, trained)
            total = chunks.take(comm.all_reduce(chunks.put(gradient_of(trained)), operation))
            parts = torch.split(total / task.size, [each.numel() for each in trained.parameters()])
            for parameter, part in zip(trained.parameters(), parts, strict=True):
                parameter.grad = part.reshape(parameter.shape)
            optimizer.step()

        return step

    def block(step: Callable[[], None]) -> Callable[[], None]:
        def steps() -> None:
            for _ in range(STEPS):
                step()

        return steps

    ways = {
        "DDP, SGD at the workers": plain(),
        "SGD in the switch": in_the_switch(),
        "one bit": compressed("one bit", "one_bit"),
        "largest 16 of 256": compressed("largest 16 of 256", "top_k_feedback"),
    }

    def figures() -> dict[str, dict[str, Any]]:
        means = torch.tensor([losses[way] for way in ways])
        dist.all_reduce(means)
        means /= task.size
        last = means[:, -STEPS:].mean(dim=1).tolist()
        first, second = means[0], means[1]
        difference = float((first - second).abs().max() / first[0])
        # Sums and steps are the same but for roundings of 24 bits, which training amplifies.
        if difference > 1e-2:
            raise RuntimeError(f"the optimizer in the switch takes other steps: {difference}")
        return {
            "loss at first": dict.fromkeys(ways, round(float(first[0]), 4)),
            "loss at last": {way: round(loss, 4) for way, loss in zip(ways, last, strict=True)},
            "bytes of momenta at a worker": momenta,
        }

    in_turns(
        task,
        f"{STEPS} steps, {MEGABYTES * task.share:g} MB",
        {way: block(step) for way, step in ways.items()},
        figures,
    )
