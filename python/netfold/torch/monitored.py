"""A barrier at which rank 0 hears from each rank, and names those that do not come."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import torch

from ..errors import NetfoldError
from .messages import Messages
from .work import NetfoldWork

TAG = -1
"""Tag of the barrier's messages; a program's tags are not negative."""


class MonitoredBarrier:
    """The monitored barriers of one group.

    Args:
        messages: the group's messages.
        announce: announces a call to the other ranks.
        rank: this worker's rank in the group.
        size: number of ranks in the group.
    """

    def __init__(
        self, messages: Messages, announce: Callable[[], NetfoldWork], rank: int, size: int
    ) -> None:
        self._messages = messages
        self._announce = announce
        self._rank = rank
        self._size = size

    def run(self, timeout: timedelta, wait_all_ranks: bool) -> None:
        """Return when every rank has come.

        It is announced while rank 0 hears from the others: whoever does not come would not announce
        it either.

        Args:
            timeout: time in which all ranks must come.
            wait_all_ranks: whether rank 0 names all ranks that do not come, or the first.

        Raises:
            RuntimeError: not every rank came within `timeout`.
            NetfoldError: the group has failed; another rank made another call, among other reasons.
        """
        announced = self._announce()
        ended = threading.Event()
        outcome: list[Exception | None] = []

        def meet() -> None:
            try:
                if self._rank == 0:
                    self._hear(timeout, wait_all_ranks)
                else:
                    self._report(timeout)
                outcome.append(None)
            except Exception as error:
                outcome.append(error)
            ended.set()

        threading.Thread(target=meet, name="netfold-monitored-barrier", daemon=True).start()

        def announcement_ended(_: torch.futures.Future[list[Any]]) -> None:
            if announced.exception() is not None:
                ended.set()

        announced.get_future().add_done_callback(announcement_ended)
        ended.wait()
        if not outcome:
            announced.wait()
        if outcome[0] is not None:
            announced.interrupt()
            raise outcome[0]

    def _hear(self, timeout: timedelta, wait_all_ranks: bool) -> None:
        """Hear from all ranks, and tell them that all have come."""
        limit_s = timeout.total_seconds()
        if limit_s <= 0:
            raise RuntimeError(
                "Rank 0 timed out in monitoredBarrier before it heard from any; give it more time"
            )
        deadline = time.monotonic() + limit_s
        others = range(1, self._size)
        works = [self._messages.receive(_token(), rank, TAG, limit_s) for rank in others]
        missing = []
        for rank, work in zip(others, works, strict=True):
            left_s = max(deadline - time.monotonic(), 1e-3)
            try:
                work.wait(timedelta(seconds=left_s))
            except NetfoldError:
                missing.append(str(rank))
                if not wait_all_ranks:
                    break
        if missing:
            ranks = f"Rank {missing[0]}" if len(missing) == 1 else f"Ranks {', '.join(missing)}"
            raise RuntimeError(
                f"{ranks} failed to pass monitoredBarrier in {1e3 * limit_s:g} ms; see what "
                f"{'it waits' if len(missing) == 1 else 'they wait'} for"
            )
        for rank in others:
            self._messages.send(_token(), rank, TAG, limit_s)

    def _report(self, timeout: timedelta) -> None:
        """Tell rank 0 that this one has come, and hear that all have."""
        limit_s = timeout.total_seconds()
        self._messages.send(_token(), 0, TAG, limit_s)
        try:
            self._messages.receive(_token(), 0, TAG, limit_s).wait(timeout)
        except NetfoldError as error:
            raise RuntimeError(
                f"Rank {self._rank} successfully reached monitoredBarrier, but received errors while waiting for "
                f"send/recv from rank 0. Please check rank 0 logs for faulty rank. It was told: {error}"
            ) from error


def _token() -> torch.Tensor:
    return torch.zeros(1, dtype=torch.uint8)


__all__ = ["MonitoredBarrier"]
