"""What a switch does not do, done by Gloo or refused.

The choice depends only on the kind of call, the element type, the operation and the job's arithmetic, so it is the same
on every rank. The inner Gloo group is made together with the netfold group: made later, by a send between two ranks, it
would wait for the others.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

import torch.distributed as dist
from torch import Tensor

from ..errors import NetfoldError, UnsupportedError
from .work import after

logger = logging.getLogger("netfold")


class Fallback:
    """The inner Gloo group, or its refusal when `strict`.

    Args:
        store: the group's part of its store; Gloo gets a prefix of its own in it.
        rank: this worker's rank in the group.
        size: number of ranks in the group.
        timeout: the group's time-out.
        strict: refuse everything (`NETFOLD_STRICT=1`).
    """

    def __init__(self, store: dist.Store, rank: int, size: int, timeout: timedelta, strict: bool) -> None:
        self._rank = rank
        self._named: set[str] = set()
        self._refusal: NetfoldError | None = None
        self._gloo = (
            None if strict else dist.ProcessGroupGloo(dist.PrefixStore("gloo/", store), rank, size, timeout=timeout)
        )

    def run(
        self, collective: str, reason: str, *arguments: Any, point_to_point: bool = False, flat: bool = False
    ) -> dist._Work:
        """Call Gloo's method `collective` with `arguments`.

        Says so once per kind of call: rank 0 as a warning, the others only to who debugs; a send or receive is named by
        the rank that makes it. With `flat`, Gloo sees one-dimensional tensors: it compares first dimensions where only
        lengths matter.

        Raises:
            UnsupportedError: in strict mode; the message says what was asked for and why the switch does not do it.
        """
        gloo = self._named_once(f"{collective}: {reason}", point_to_point)
        copies: list[tuple[Tensor, Tensor]] = []
        prepared = [_contiguous(argument, copies) for argument in arguments]
        if flat:
            prepared = [item.detach().view(-1) if isinstance(item, Tensor) else item for item in prepared]
        work = getattr(gloo, collective)(*prepared)
        if not copies:
            return work
        return after(work, lambda: _copy_back(copies), [original for original, _ in copies])

    def monitored_barrier(self, timeout: timedelta, wait_all_ranks: bool) -> None:
        """Gloo's barrier at which rank 0 hears from each rank, and says which did not come.

        Raises:
            UnsupportedError: in strict mode.
            RuntimeError: not every rank came within `timeout`.
        """
        gloo = self._named_once("monitored_barrier: each rank is heard for itself", point_to_point=False)
        gloo.monitored_barrier(timeout, wait_all_ranks)

    def _named_once(self, kind: str, point_to_point: bool) -> dist.ProcessGroupGloo:
        if self._refusal is not None:
            raise self._refusal
        if self._gloo is None:
            raise UnsupportedError(
                f"{kind}; NETFOLD_STRICT=1 refuses what the switch does not do (unset it to let Gloo do it)"
            )
        if kind not in self._named:
            self._named.add(kind)
            level = logging.WARNING if self._rank == 0 or point_to_point else logging.DEBUG
            logger.log(level, "%s; it runs through Gloo, not through the switch", kind)
        return self._gloo

    def set_timeout(self, timeout: timedelta) -> None:
        """Change the time-out of later calls."""
        if self._gloo is not None:
            self._gloo._set_default_timeout(timeout)

    def refuse(self, error: NetfoldError) -> None:
        """Give `error` to every call from now on."""
        self._refusal = error

    def close(self) -> None:
        """End the inner group."""
        if self._gloo is not None:
            self._gloo.shutdown()
            self._gloo = None


def _contiguous(argument: Any, copies: list[tuple[Tensor, Tensor]]) -> Any:
    """`argument` with every strided tensor in it replaced by a contiguous copy: Gloo does not look at strides."""
    if isinstance(argument, list):
        return [_contiguous(item, copies) for item in argument]
    if isinstance(argument, Tensor) and not argument.is_sparse and not argument.is_contiguous():
        copy = argument.detach().contiguous()
        copies.append((argument.detach(), copy))
        return copy
    return argument


def _copy_back(copies: list[tuple[Tensor, Tensor]]) -> None:
    for original, copy in copies:
        original.copy_(copy)
