"""What the workers of a table agree on before they join it: ranks, a name, a server."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta

import torch.distributed as dist

from ..errors import ConfigurationError, JoinError, NetfoldError

logger = logging.getLogger("netfold")

_FAILED = "!"
_DONE = "="


@dataclass(frozen=True)
class Workers:
    """The workers of a table, and this one among them.

    Attributes:
        rank: this worker.
        count: number of workers.
        store: a store of `torch.distributed` that all of them reach, if there is one.
        part: of the store, what belongs to this table.
        process: the process that they were made in.
    """

    rank: int
    count: int
    store: dist.Store | None
    part: str
    process: int = field(default_factory=os.getpid)

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

    def is_this_process(self) -> bool:
        """Whether this process made them, rather than one of which it is a fork."""
        return self.process == os.getpid()

    def share(self, what: str, make: Callable[[], str], limit_s: float) -> str:
        """Return what rank 0 makes, at every rank.

        Raises:
            ConfigurationError: there is more than one worker, and no store.
            JoinError: rank 0 failed to make it, or did not come in time.
        """
        if self.count == 1:
            return make()
        if self.store is None:
            raise ConfigurationError(
                f"without torch.distributed the workers cannot agree on a {what}; give it to each of them"
            )
        key = self.part + what
        if self.rank == 0:
            try:
                made = make()
            except NetfoldError as error:
                self.store.set(key, _FAILED + str(error))
                raise
            self.store.set(key, _DONE + made)
            return made
        self._wait(key, f"rank 0 has not chosen the {what} of a table", limit_s)
        text = self.store.get(key).decode()
        if text.startswith(_FAILED):
            raise JoinError(f"rank 0 could not choose the {what} of a table: {text[1:]}")
        return text[1:]

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

    def leave(self, limit_s: float | None) -> None:
        """Tell the others that this worker has left the table; with a limit, wait for them to leave.

        Nothing is told where the store has ended: all have left then, or are lost.
        """
        if self.store is None or self.count == 1:
            return
        try:
            self.store.set(f"{self.part}left/{self.rank}", "")
            if limit_s is not None:
                left = [f"{self.part}left/{rank}" for rank in range(self.count)]
                self.store.wait(left, timedelta(seconds=limit_s))
        except RuntimeError as error:
            logger.debug("not every rank said that it has left the table: %s", error)

    def _wait(self, key: str, missing: str, limit_s: float) -> None:
        assert self.store is not None
        try:
            self.store.wait([key], timedelta(seconds=limit_s))
        except RuntimeError as error:
            raise JoinError(f"{missing}, after {limit_s:g} s") from error


__all__ = ["Workers"]
