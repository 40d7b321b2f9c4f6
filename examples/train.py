"""Train a small convolutional network on handwritten digits with DistributedDataParallel, over
netfold or Gloo.

Run it under torchrun; `run.py` does, once for each backend, and compares. The images are
scikit-learn's digits (1,797 of 8 x 8 pixels), so nothing is downloaded. At some steps the
all-reduced gradients are compared with the exact sum.
"""

import argparse
import json
import os
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
from sklearn.datasets import load_digits
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel

TRAINING_IMAGES = 1437
IMAGES_PER_WORKER = 32
PROGRESS = "progress"
"""First word of the lines that tell the driver how far the training is."""


def network() -> nn.Module:
    """The network: two convolutions and two linear layers; 71,754 parameters. Input (n, 1, 8, 8),
    output (n, 10).
    """
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),
        nn.ReLU(),
        nn.Conv2d(16, 32, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(32 * 16, 128),
        nn.ReLU(),
        nn.Linear(128, 10),
    )


def digits() -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Training images and labels, test images and labels, in an order that is the same everywhere."""
    data = load_digits()
    order = np.random.default_rng(0).permutation(len(data.target))
    images = torch.tensor(data.images[order], dtype=torch.float32)[:, None] / 16
    labels = torch.tensor(data.target[order])
    return (
        images[:TRAINING_IMAGES],
        labels[:TRAINING_IMAGES],
        images[TRAINING_IMAGES:],
        labels[TRAINING_IMAGES:],
    )


@dataclass
class GradientCheck:
    """A communication hook of DistributedDataParallel that averages as DDP does without one, and
    keeps what the check of the sums needs.

    Args:
        gloo: a Gloo group, over which the exact sum is made.
        block: elements of a packet, which share an exponent.
        arithmetic: `block`, or `native` (Gloo adds that way too).
    """

    gloo: dist.ProcessGroup
    block: int
    arithmetic: str
    active: bool = False
    errors: list[float] = field(default_factory=list)
    bounds: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    _buckets: list[tuple[Tensor, Tensor]] = field(default_factory=list)

    def hook(self, _: object, bucket: dist.GradBucket) -> torch.futures.Future[Tensor]:
        """All-reduce one bucket: divide, then add."""
        gradient = bucket.buffer().div_(dist.get_world_size())
        if self.active:
            self._buckets.append((gradient.clone(), gradient))
        return dist.all_reduce(gradient, async_op=True).get_future().then(lambda _: gradient)

    def compare(self) -> None:
        """Compare what came back at this step with the exact sum of the workers' gradients."""
        for mine, folded in self._buckets:
            parts = [torch.empty_like(mine) for _ in range(dist.get_world_size())]
            dist.all_gather(parts, mine, group=self.gloo)
            self._compare(
                np.stack([part.numpy() for part in parts]).astype(np.float64), folded.numpy()
            )
        self._buckets.clear()

    def _compare(self, parts: np.ndarray, folded: np.ndarray) -> None:
        """Record for each block the largest error and its bound, in units of the block's largest
        gradient M.

        In block fixed point, n workers add integers in units of 1/f, f = (2^31 - 1)/(n 2^m) with
        2^m the next power of two at or above M. Each rounds its element to an integer, so the sum
        is wrong by at most n/f (SwitchML, appendix E). The result is rounded to f32 once: by at
        most 2^-24 of it, or half of the smallest f32, 2^-150. An IEEE sum has n - 1 roundings, each
        by at most 2^-24 of a partial sum, which is at most the sum of magnitudes.
        """
        n = len(parts)
        exact = parts.sum(axis=0)
        for start in range(0, len(folded), self.block):
            here = slice(start, start + self.block)
            largest = float(np.abs(parts[:, here]).max())
            error = np.abs(folded[here] - exact[here])
            if self.arithmetic == "block":
                mantissa, exponent = np.frexp(largest)
                power = 2.0 ** float(exponent - (mantissa == 0.5)) if largest > 0 else 0.0
                quantisation = n * (n * power) / (2**31 - 1)
                bound = quantisation + (np.abs(exact[here]) + quantisation) * 2.0**-24 + 2.0**-150
            else:
                bound = np.abs(parts[:, here]).sum(axis=0) * (n * 2.0**-24) + 2.0**-150
            unit = largest or 1.0
            self.errors.append(float(error.max()) / unit)
            self.bounds.append(float(bound[error.argmax()]) / unit)
            self.shares.append(float((error / bound).max()))

    def summary(self) -> dict[str, Any]:
        """The largest relative error, the bound where it was found, and the largest share of its
        bound that any element used.
        """
        worst = int(np.argmax(self.errors))
        return {
            "blocks": len(self.errors),
            "largest_relative_error": self.errors[worst],
            "bound_of_largest": self.bounds[worst],
            "largest_share_of_bound": max(self.shares),
        }


def counters() -> dict[str, Any]:
    """netfold's counters of this worker, or nothing under another backend."""
    if dist.get_backend() != "netfold":
        return {}
    from netfold.torch import backend_of

    return backend_of().stats()


def across_workers(values: dict[str, float], gloo: dist.ProcessGroup) -> list[dict[str, float]]:
    """Every worker's values, on every worker."""
    everyone: list[Any] = [None] * dist.get_world_size()
    dist.all_gather_object(everyone, values, group=gloo)
    return everyone


def train(epochs: int, seed: int, check_every: int) -> dict[str, Any]:
    """Train, and return what `run.py` shows; the same on every worker."""
    rank, size = dist.get_rank(), dist.get_world_size()
    gloo = dist.new_group(backend="gloo")
    assert isinstance(gloo, dist.ProcessGroup)
    images, labels, test_images, test_labels = digits()
    torch.manual_seed(seed)
    model = DistributedDataParallel(network())
    arithmetic = os.environ.get("NETFOLD_ARITHMETIC") or "block"
    checked = GradientCheck(
        gloo, counters().get("packet_elements", 256), arithmetic if counters() else "native"
    )
    model.register_comm_hook(None, checked.hook)
    optimiser = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    order = torch.Generator().manual_seed(seed)

    per_step = size * IMAGES_PER_WORKER
    steps_per_epoch = len(images) // per_step
    steps = epochs * steps_per_epoch
    losses, seconds = [], []
    dist.barrier()
    before = counters()
    for step in range(steps):
        if step % steps_per_epoch == 0:
            shuffled = torch.randperm(len(images), generator=order)
        first = (step % steps_per_epoch) * per_step + rank * IMAGES_PER_WORKER
        mine = shuffled[first : first + IMAGES_PER_WORKER]
        checked.active = step % check_every == 0
        start = time.perf_counter()
        optimiser.zero_grad()
        loss = nn.functional.cross_entropy(model(images[mine]), labels[mine])
        torch.autograd.backward(loss)
        optimiser.step()
        if checked.active:
            checked.compare()
        else:
            seconds.append(time.perf_counter() - start)
        losses.append(loss.item())
        if rank == 0:
            print(PROGRESS, step + 1, steps, flush=True)
    after = counters()

    with torch.no_grad():
        answers = model.module(test_images)
    weights = torch.cat([parameter.detach().flatten() for parameter in model.parameters()])
    copies = [torch.empty_like(weights) for _ in range(size)]
    dist.all_gather(copies, weights, group=gloo)
    mean_losses = torch.tensor(losses, dtype=torch.float64)
    dist.all_reduce(mean_losses, group=gloo)
    traffic = {name: after[name] - before[name] for name in TRAFFIC if name in after}
    return {
        "backend": dist.get_backend(),
        "workers": size,
        "steps": steps,
        "parameters": len(weights),
        "losses": (mean_losses / size).tolist(),
        "accuracy": (answers.argmax(1) == test_labels).double().mean().item(),
        "test_loss": nn.functional.cross_entropy(answers, test_labels).item(),
        "step_ms": np.percentile(np.array(seconds) * 1e3, [5, 50, 95]).tolist(),
        "same_weights": all(torch.equal(copy, weights) for copy in copies),
        "gradients": checked.summary(),
        "slots": after.get("slots"),
        "traffic": across_workers(traffic, gloo),
    }


TRAFFIC = ("bytes_sent", "bytes_received", "packets_sent", "packets_received", "retransmissions")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--backend", default="netfold", help="backend of torch.distributed: netfold or gloo"
    )
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--check-every",
        type=int,
        default=10,
        help="steps between two comparisons with the exact sum",
    )
    parser.add_argument("--out", type=Path, help="file for the results, as JSON; written by rank 0")
    arguments = parser.parse_args()

    torch.set_num_threads(1)
    dist.init_process_group(arguments.backend)
    result = train(arguments.epochs, arguments.seed, arguments.check_every)
    if dist.get_rank() == 0:
        text = json.dumps(result, indent=2)
        arguments.out.write_text(text) if arguments.out else print(text)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
