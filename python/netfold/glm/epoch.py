"""Outcome of an epoch."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Epoch:
    """A pass over the samples, as a callback is told of it."""

    number: int
    """From 1, counted from the last `fit` on; `partial_fit` goes on counting."""
    loss: float
    """Mean over the samples, weighted, each before the step that it was part of; without the
    penalty.
    """
    validation_loss: float | None
    """The same of the samples that are held back, after the epoch; None without early stopping."""
    validation_score: float | None
    """Their accuracy, or coefficient of determination (R^2): the run ends by it. None without early
    stopping."""
    seconds: float
    """Of the passes, without the callback."""
    bytes: int
    """That each worker has submitted to be folded; 0 for a single one."""
