"""Three small models, with what it takes to train them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from . import data


class Residual(nn.Module):
    """x plus two convolutions of x."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.inner = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1),
            nn.GroupNorm(4, channels),
            nn.ReLU(),
            nn.Conv2d(channels, channels, 3, padding=1),
            nn.GroupNorm(4, channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        """Images of shape (examples, channels, height, width) to the same."""
        return torch.relu(x + self.inner(x))


class Tagger(nn.Module):
    """Words to parts of speech: an embedding, an LSTM and a linear layer."""

    def __init__(self, tags: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(data.VOCABULARY, 16)
        self.memory = nn.LSTM(16, 32, batch_first=True)
        self.output = nn.Linear(32, tags)

    def forward(self, words: Tensor) -> Tensor:
        """Numbers of shape (examples, words) to scores of shape (examples, tags, words)."""
        scores: Tensor = self.output(self.memory(self.embedding(words))[0])
        return scores.transpose(1, 2)


def _convolutional(_data: data.Data) -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(32 * 4 * 4, 10),
    )


def _residual(_data: data.Data) -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(1, 16, 5, stride=4, padding=2),
        nn.ReLU(),
        Residual(16),
        Residual(16),
        nn.AdaptiveAvgPool2d(2),
        nn.Flatten(),
        nn.Linear(64, 10),
    )


def _deep(_data: data.Data) -> nn.Module:
    """A net of 110 layers, as CIFAR's ResNet-110 has: one convolution, 54 blocks of two, and a
    linear layer.
    """
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, stride=2, padding=1),
        nn.ReLU(),
        *(Residual(8) for _ in range(54)),
        nn.AdaptiveAvgPool2d(2),
        nn.Flatten(),
        nn.Linear(32, 10),
    )


def _tagger(examples: data.Data) -> nn.Module:
    return Tagger(int(max(examples.train_targets.max(), examples.test_targets.max())) + 1)


@dataclass(frozen=True)
class Task:
    """A model, its data, and how it is trained: by stochastic gradient descent with a momentum of
    0.9.
    """

    name: str
    title: str
    load: Callable[[Path], data.Data]
    build: Callable[[data.Data], nn.Module]
    learning_rate: float


DEEP = Task("deep", "residual net of 110 layers, digits", data.digits, _deep, 0.01)

TASKS = {
    task.name: task
    for task in (
        Task("conv", "convolutional net, digits", data.digits, _convolutional, 0.05),
        Task("residual", "residual net, MNIST subset", data.mnist, _residual, 0.05),
        Task("tagger", "embedding and LSTM, Brown corpus", data.brown, _tagger, 1.0),
    )
}
