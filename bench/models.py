"""Models that `bench.train` trains, with their batches."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from netfold.lab.loads import SE, Load
from netfold.sparse import HotColdEmbeddingBag, HotSet, count_updates

LAYERS = 3
RATE = 0.5
"""Learning rate of the sparse model."""
CLASSES = 16
FIELDS = 39
"""Features of a sample of Criteo's click logs."""
DIM = 16
"""Numbers in the row of a key."""
STD = 0.01
"""Standard deviation of a table's rows at first."""
SAMPLED_BATCHES = 50
SWITCH_BYTES = 64 << 20
"""Memory of the switch, as `netfold switch` has it by default."""
TEST_SAMPLES = 8192


Batch = tuple[Tensor, Tensor]
"""Inputs, and what the model is to say of them."""


@dataclass(frozen=True)
class Trained:
    """A model, made anew by each call of `make`, and its batches."""

    make: Callable[[], torch.nn.Module]
    draw: Callable[[int, torch.Generator], Batch]
    """A batch of so many samples, drawn from a generator."""
    loss: Callable[[torch.nn.Module, Batch], Tensor]
    learning_rate: float
    make_table: Callable[[bool, list[str]], torch.nn.Module] | None = None
    """The same model with its table at servers of these addresses, with hot rows in the switch or
    without; None if the model has no table."""
    area: Callable[[torch.nn.Module], float] | None = None
    """Area under the curve of the clicks of a test."""

    @property
    def sparse(self) -> bool:
        """True if gradients are sparse tensors."""
        return self.make_table is not None


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

    def draw(batch: int, generator: torch.Generator) -> Batch:
        labels = torch.randint(CLASSES, (batch,), generator=generator)
        return centres[labels] + torch.randn(batch, width, generator=generator), labels

    def loss(model: torch.nn.Module, batch: Batch) -> Tensor:
        return torch.nn.functional.cross_entropy(model(batch[0]), batch[1])

    return Trained(make, draw, loss, learning_rate=0.5)


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
        torch.nn.init.normal_(table.weight, std=STD)
        return torch.nn.Sequential(table, torch.nn.Linear(DIM, 1))

    def draw(batch: int, generator: torch.Generator) -> Batch:
        drawn = torch.rand(batch, FIELDS, generator=generator, dtype=torch.float64)
        keys = torch.from_numpy(load.ranks_of(drawn.numpy()))
        return keys, hidden[keys].sum(1) > 0

    def loss(model: torch.nn.Module, batch: Batch) -> Tensor:
        scores, clicked = model(batch[0]).squeeze(1), batch[1].float()
        return torch.nn.functional.binary_cross_entropy_with_logits(scores, clicked)

    def batches() -> Iterator[Tensor]:
        generator = torch.Generator().manual_seed(seed + 1)
        for _ in range(SAMPLED_BATCHES):
            yield draw(512, generator)[0]

    def make_table(hot: bool, servers: list[str]) -> torch.nn.Module:
        torch.manual_seed(seed)
        keys = None
        if hot:
            counts = count_updates(batches(), fraction=1.0)
            keys = HotSet.choose(counts, share=0.5, memory_bytes=SWITCH_BYTES, dim=DIM)
        table = HotColdEmbeddingBag(
            rows,
            DIM,
            mode="sum",
            hot=keys,
            optimizer={"name": "sgd", "lr": RATE},
            initialiser={"name": "normal", "std": STD},
            servers=servers,
            resident=hot,
        )
        return torch.nn.Sequential(table, torch.nn.Linear(DIM, 1))

    def area(model: torch.nn.Module) -> float:
        keys, clicked = draw(TEST_SAMPLES, torch.Generator().manual_seed(seed + 2))
        with torch.no_grad():
            order = model(keys).squeeze(1).argsort()
        ranks = torch.empty(len(order), dtype=torch.float64)
        ranks[order] = torch.arange(1, len(order) + 1, dtype=torch.float64)
        ones = int(clicked.sum())
        above = ranks[clicked].sum().item() - ones * (ones + 1) / 2
        return above / (ones * (len(order) - ones))

    return Trained(make, draw, loss, RATE, make_table, area)


MODELS: dict[str, Callable[[float, int], Trained]] = {"dense": dense, "sparse": sparse}


__all__ = ["MODELS", "Trained"]
