"""Sparse models (Libra): which keys are hot.

:func:`count_updates` counts how often a sample of the training data updates each key, and
:class:`HotSet` chooses the keys that the switch folds (`spec/sparse.md`).
"""

from __future__ import annotations

from .counting import UpdateCounts, count_updates
from .hot_set import HotSet

__all__ = ["HotSet", "UpdateCounts", "count_updates"]
