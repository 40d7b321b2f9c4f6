"""The place of a process in a process group."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import torch.distributed as dist


@dataclass(frozen=True, slots=True)
class Place:
    """A process group, and this worker's rank in it."""

    store: dist.Store
    """The group's part of a store."""
    name: str
    """torch's name of the group."""
    rank: int
    """This worker's rank in the group."""
    ranks: Sequence[int]
    """The ranks that the group's have in the default group, in their order."""
    timeout: timedelta
    """Time-out of the rendezvous and of every call."""

    @property
    def size(self) -> int:
        """Number of ranks in the group."""
        return len(self.ranks)


__all__ = ["Place"]
