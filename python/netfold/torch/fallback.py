"""Calls that Gloo carries out, since they take longer through the switch.

The choice depends only on the kind of call, the element type, the operation, the length and the
job, so it is the same on every rank. The inner Gloo group is made together with the netfold group,
but not with `NETFOLD_STRICT=1`. Collectives are announced to the other ranks before Gloo
begins them (`announcement.py`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor

from ..errors import NetfoldError
from .announcement import Turns, tensors_in
from .place import Place
from .work import NetfoldWork, after

logger = logging.getLogger("netfold")

Announce = Callable[[str, timedelta, bool], NetfoldWork]
"""Function that announces a call: its description, its time-out, and whether its caller waits for
it next.
"""


class Fallback:
    """The inner Gloo group; none when `strict`.

    Args:
        place: the group, and this worker's rank in it; Gloo gets a prefix of its own in the store.
        strict: have no Gloo (`NETFOLD_STRICT=1`).
        announce: announces a call to the other ranks.
    """

    def __init__(self, place: Place, strict: bool, announce: Announce) -> None:
        self._rank = place.rank
        self._announce = announce
        self._turns = Turns()
        self._named: set[str] = set()
        self._refusal: NetfoldError | None = None
        self._gloo = (
            None
            if strict
            else dist.ProcessGroupGloo(
                dist.PrefixStore("gloo/", place.store),
                place.rank,
                place.size,
                timeout=place.timeout,
            )
        )

    @property
    def is_there(self) -> bool:
        """False in strict mode, and once the group has ended."""
        return self._gloo is not None

    def run(
        self,
        collective: str,
        reason: str,
        description: str,
        *arguments: Any,
        opts: Any,
    ) -> dist._Work:
        """Have Gloo's method `collective` called with `arguments` and `opts` when all ranks have
        announced the call.

        Says so once per kind of call: rank 0 as a warning, the others only to who debugs.

        Args:
            collective: name of Gloo's method.
            reason: says why the switch does not do it.
            description: the call as errors show it, the same at every rank that makes it.
            arguments: those of the method.
            opts: its options.

        Raises:
            NetfoldError: the group has failed.
        """
        gloo = self._named_once(
            f"{collective}: {reason}", logging.WARNING if self._rank == 0 else logging.DEBUG
        )
        copies: list[tuple[Tensor, Tensor]] = []
        prepared = [_contiguous(argument, copies) for argument in arguments]
        devices = sorted(
            {tensor.device for tensor in tensors_in(prepared) if tensor.is_cuda}, key=str
        )
        for device in devices:
            # Gloo waits for earlier work of the thread's stream on which it begins.
            torch.cuda.current_stream(device).synchronize()
        modes = torch.is_inference_mode_enabled(), torch.is_grad_enabled()

        def begin() -> dist._Work:
            with torch.inference_mode(modes[0]), torch.set_grad_enabled(modes[1]):
                work: dist._Work = getattr(gloo, collective)(*prepared, opts)
                return work

        waits = not getattr(opts, "asyncOp", True)
        work = self._turns.add(
            lambda: self._announce(f"{description} over Gloo", opts.timeout, waits),
            begin,
            devices,
            not waits,
        )
        if not copies:
            return work
        return after(work, lambda: _copy_back(copies), [original for original, _ in copies])

    def exchange(
        self, reason: str, outputs: list[Tensor], inputs: list[Tensor], opts: dist.AllToAllOptions
    ) -> dist._Work:
        """Have Gloo carry out an all-to-all of lists, whose tensors may differ in length: as one
        of parts of one tensor. See :meth:`run`.
        """
        splits = [[tensor.numel() for tensor in tensors] for tensors in (outputs, inputs)]
        given = torch.cat([tensor.detach().reshape(-1) for tensor in inputs])
        taken = given.new_empty(sum(splits[0]))

        def finish() -> None:
            for output, part in zip(outputs, torch.split(taken, splits[0]), strict=True):
                output.detach().copy_(part.view(output.shape))

        arguments = taken, given, *splits
        work = self.run("all_to_all_single", reason, "all_to_all()", *arguments, opts=opts)
        return after(work, finish, outputs)

    def _named_once(self, kind: str, level: int) -> dist.ProcessGroupGloo:
        if self._refusal is not None:
            raise self._refusal
        if self._gloo is None:
            raise NetfoldError("the process group was destroyed before this call")
        if kind not in self._named:
            self._named.add(kind)
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
    """`argument` with every strided tensor in it replaced by a contiguous copy: Gloo does not look
    at strides.
    """
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
