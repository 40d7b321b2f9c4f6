"""Outcome of an epoch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Epoch:
    """A pass over the samples, as a callback is told of it."""

    number: int
    """Number of the epoch, from 1 since the last `fit`; `partial_fit` goes on counting."""
    loss: float
    """Mean loss over the samples, weighted, each before its step; without the penalty."""
    validation_loss: float | None
    """Mean loss of the samples held back, after the epoch; None without early stopping."""
    validation_score: float | None
    """Accuracy of the samples held back, or their coefficient of determination (R^2), by which a
    run ends. None without early stopping.
    """
    seconds: float
    """Duration of the passes, without the callback."""
    bytes: int
    """Bytes that each worker has submitted to be folded; 0 for a single worker."""
