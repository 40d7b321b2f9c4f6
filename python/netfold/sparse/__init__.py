"""Sparse models (Libra): tables of rows, of which the switch folds those that are hot.

:func:`count_updates` counts how often a sample of the training data updates each key, and
:class:`HotSet` chooses the keys that the switch folds. :class:`HotColdEmbedding`,
:class:`HotColdEmbeddingBag` and, for several features, :class:`HotColdEmbeddingBagCollection` are
embeddings of PyTorch whose rows are in such a table (`docs/sparse.md`; rules in `spec/sparse.md`).
Only they need torch.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .counting import UpdateCounts, count_updates
from .drift import FollowDrift
from .hot_set import HotSet
from .prefetching import Prefetching

if TYPE_CHECKING:
    from .collection import HotColdEmbeddingBagCollection, combined_keys
    from .embedding import HotColdEmbedding, HotColdEmbeddingBag

_OF_TORCH = {
    "HotColdEmbedding": "embedding",
    "HotColdEmbeddingBag": "embedding",
    "HotColdEmbeddingBagCollection": "collection",
    "combined_keys": "collection",
}

__all__ = [
    "FollowDrift",
    "HotColdEmbedding",
    "HotColdEmbeddingBag",
    "HotColdEmbeddingBagCollection",
    "HotSet",
    "Prefetching",
    "UpdateCounts",
    "combined_keys",
    "count_updates",
]


def __getattr__(name: str) -> Any:
    if name in _OF_TORCH:
        return getattr(import_module(f".{_OF_TORCH[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
