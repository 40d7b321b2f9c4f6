"""Agreement of a table's workers before they join it: on their ranks, and on its name."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

import torch.distributed as dist

from ..errors import ConfigurationError, JoinError


@dataclass(frozen=True)
class Workers:
    """The workers of a table, and this one among them.

    Attributes:
        rank: this worker.
        count: number of workers.
        store: a store of `torch.distributed` that all of them reach, if there is one.
        part: of the store, what belongs to this table.
    """

    rank: int
    count: int
    store: dist.Store | None
    part: str

    @classmethod
    def of(cls, rank: int | None, count: int | None, store: dist.Store | None) -> Workers:
        """Those that are given, else those of the default group of `torch.distributed`, else one.

        Raises:
            ConfigurationError: one of rank and number is missing or out of range, or the program
                was started by torchrun and has made no process group.
        """
        if (rank is None) != (count is None):
            raise ConfigurationError("give both rank and workers, or neither")
        if rank is None or count is None:
            if dist.is_available() and dist.is_initialized():
                rank, count = dist.get_rank(), dist.get_world_size()
                store = store or dist.distributed_c10d._get_default_store()
            elif int(os.environ.get("WORLD_SIZE", "1")) > 1:
                raise ConfigurationError(
                    f"WORLD_SIZE is {os.environ['WORLD_SIZE']}, and there is no process group; call "
                    "torch.distributed.init_process_group before making a table, or give rank and workers"
                )
            else:
                rank, count = 0, 1
        if count < 1 or not 0 <= rank < count:
            raise ConfigurationError(f"rank {rank} is not one of {count} workers")
        # All ranks make their tables in the same order, so the n-th of each is the same.
        made = store.add(f"netfold/tables/{rank}", 1) if store is not None else 0
        return cls(rank, count, store, f"netfold/table/{made}/")

    def share(self, what: str, make: Callable[[], str], limit_s: float) -> str:
        """Return what rank 0 makes, at every rank.

        Raises:
            ConfigurationError: there is more than one worker, and no store.
            JoinError: rank 0 did not come in time.
        """
        if self.count == 1:
            return make()
        if self.store is None:
            raise ConfigurationError(
                f"without torch.distributed the workers cannot agree on a {what}; give it to each of them"
            )
        key = self.part + what
        if self.rank == 0:
            self.store.set(key, make())
        else:
            self._wait(key, f"rank 0 has not chosen the {what} of a table", limit_s)
        return self.store.get(key).decode()

    def meet(self, what: str, limit_s: float) -> None:
        """Wait until every rank has come to this place, if there is a store.

        Raises:
            JoinError: not all came in time; the message names one that is missing.
        """
        if self.store is None or self.count == 1:
            return
        # A place may be come to again: each time has a number of its own.
        time = self.store.add(f"{self.part}{what}/{self.rank}", 1)
        self.store.set(f"{self.part}{what}/{self.rank}/{time}", "")
        for rank in range(self.count):
            missing = (
                f"rank {rank} has not called {what}, which is for all ranks of a table to call"
            )
            self._wait(f"{self.part}{what}/{rank}/{time}", missing, limit_s)

    def _wait(self, key: str, missing: str, limit_s: float) -> None:
        assert self.store is not None
        try:
            self.store.wait([key], timedelta(seconds=limit_s))
        except RuntimeError as error:
            raise JoinError(f"{missing}, after {limit_s:g} s") from error


__all__ = ["Workers"]
