"""Models that `bench.train` trains, with their batches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from netfold.lab.loads import SE, Load

LAYERS = 3
CLASSES = 16
FIELDS = 39
"""Features of a sample of Criteo's click logs."""
DIM = 16
"""Numbers in the row of a key."""


@dataclass(frozen=True)
class Trained:
    """A model, made anew by each call of `make`, and its batches."""

    make: Callable[[], torch.nn.Module]
    loss: Callable[[torch.nn.Module, int, torch.Generator], Tensor]
    """Loss of a batch of so many samples, drawn from a generator."""
    learning_rate: float
    sparse: bool
    """True if gradients are sparse tensors."""


def dense(megabytes: float, seed: int) -> Trained:
    """A multi-layer perceptron on clusters, of so many 10^6 bytes."""
    # A hidden layer of width w has w * w weights of 4 bytes.
    width = round((megabytes * 1e6 / 4 / LAYERS) ** 0.5)
    centres = torch.randn(CLASSES, width, generator=torch.Generator().manual_seed(seed))

    def make() -> torch.nn.Module:
        torch.manual_seed(seed)
        hidden = [
            layer
            for _ in range(LAYERS)
            for layer in (torch.nn.Linear(width, width), torch.nn.ReLU())
        ]
        return torch.nn.Sequential(*hidden, torch.nn.Linear(width, CLASSES))

    def loss(model: torch.nn.Module, batch: int, generator: torch.Generator) -> Tensor:
        labels = torch.randint(CLASSES, (batch,), generator=generator)
        inputs = centres[labels] + torch.randn(batch, width, generator=generator)
        return torch.nn.functional.cross_entropy(model(inputs), labels)

    return Trained(make, loss, learning_rate=0.5, sparse=False)


def sparse(megabytes: float, seed: int) -> Trained:
    """A click model whose table of keys has so many 10^6 bytes: the sum of a sample's rows, and a
    linear layer. Clicks follow hidden weights of the keys.
    """
    rows = round(megabytes * 1e6 / 4 / DIM)
    # Zipf's law as for Libra's search engine (docs/sparse.md).
    load = Load("clicks", rows, SE.exponent)
    hidden = torch.randn(rows, generator=torch.Generator().manual_seed(seed))

    def make() -> torch.nn.Module:
        torch.manual_seed(seed)
        table = torch.nn.EmbeddingBag(rows, DIM, mode="sum", sparse=True)
        torch.nn.init.normal_(table.weight, std=0.01)
        return torch.nn.Sequential(table, torch.nn.Linear(DIM, 1))

    def loss(model: torch.nn.Module, batch: int, generator: torch.Generator) -> Tensor:
        drawn = torch.rand(batch, FIELDS, generator=generator, dtype=torch.float64)
        keys = torch.from_numpy(load.ranks_of(drawn.numpy()))
        clicked = (hidden[keys].sum(1) > 0).float()
        return torch.nn.functional.binary_cross_entropy_with_logits(model(keys).squeeze(1), clicked)

    return Trained(make, loss, learning_rate=0.5, sparse=True)


MODELS: dict[str, Callable[[float, int], Trained]] = {"dense": dense, "sparse": sparse}


__all__ = ["MODELS", "Trained"]
