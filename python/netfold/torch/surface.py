"""Methods beside collectives that torch may call on any backend, as netfold answers them.

The properties that are not defined by a backend in Python call themselves without end, so each is
defined here. What a backend may leave away, torch refuses by the method's name.
`tests/python/torch_surface_checks.py` calls all of them.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any, ClassVar, TypeVar

import torch.distributed as dist
from torch._C._distributed_c10d import Backend
from torch.distributed.distributed_c10d import GroupName

from .untraced import untraced

CALLS = (
    "_allgather_base",
    "_reduce_scatter_base",
    "all_gather_single",
    "all_gather_single_coalesced",
    "all_to_all_single",
    "allgather",
    "allgather_coalesced",
    "allgather_into_tensor_coalesced",
    "allreduce",
    "allreduce_coalesced",
    "alltoall",
    "alltoall_base",
    "barrier",
    "broadcast",
    "gather",
    "recv",
    "recv_anysource",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_single",
    "reduce_scatter_single_coalesced",
    "reduce_scatter_tensor_coalesced",
    "scatter",
    "send",
)
"""Methods of torch's process group that return a work of the backend."""

S = TypeVar("S", bound="Surface")

Collective = Callable[..., dist._Work | None]
"""A method that makes a call; None for a call that is done, if its caller has no use for a work."""


class Handover(threading.local):
    """The work of a thread's call on its way from the backend to the group, past torch's wrapper."""

    awaited = False
    work: dist._Work | None = None
    discards = False
    """True if the group's caller takes None for the work of a call that is done."""
    together = False
    """True while the thread's calls are parts of one, none of which is waited for before the last
    has begun.
    """


class Surface(Backend):
    """Capabilities, and works on their way to the caller."""

    calls: ClassVar[dict[str, Collective]] = {}
    """The collectives of the class by name, for a group that gets their works without torch's
    wrapper.
    """

    def __init__(self, rank: int, size: int) -> None:
        super().__init__(rank, size)
        self.handover = Handover()

    def getBackendName(self) -> str:  # noqa: N802 - torch's name
        """Name of the backend."""
        return "netfold"

    def name(self) -> str:
        """Name of the backend."""
        return "netfold"

    @property
    def supports_splitting(self) -> bool:
        """True: `split_group` works."""
        return True

    @property
    def supports_coalescing(self) -> bool:
        """False: no call is held back until a block of calls ends; coalesced ones are several calls
        at once.
        """
        return False

    @property
    def supports_shrinking(self) -> bool:
        """False: a group that has lost ranks is made anew."""
        return False

    @property
    def supports_reconfigure(self) -> bool:
        """False: the ranks of a group are fixed."""
        return False

    @property
    def supports_window(self) -> bool:
        """False: there is no one-sided access to other ranks' memory."""
        return False

    @property
    def supports_abort_hooks(self) -> bool:
        """False: errors are raised by the calls themselves."""
        return False

    @property
    def supports_completion_hooks(self) -> bool:
        """False: futures report the completion of calls."""
        return False

    @property
    def _supports_time_estimate(self) -> bool:
        return False

    def perform_nocolor_split(self, device: object) -> None:
        """Do nothing: ranks outside of a new group have no part in making it."""
        del device

    def options_of(self, group_name: str, timeout: timedelta | None) -> Backend.Options:
        """Options of a group that is split off this one; the time-out is this one's if None."""
        options = Backend.Options("netfold", timeout or self.options._timeout)
        options.group_name = GroupName(group_name)
        return options


def hands_over(backend: type[S]) -> type[S]:
    """Have the calls of a backend's class leave their works for the group that awaits them."""
    backend.calls = {
        name: vars(backend)[name] for name in ("allreduce_sparse", *CALLS) if name in vars(backend)
    }
    for name, call in backend.calls.items():
        setattr(backend, name, _handing_over(call))
    return backend


def _handing_over(call: Collective) -> Collective:
    @untraced
    @functools.wraps(call)
    def made(self: Surface, *arguments: Any, **options: Any) -> dist._Work | None:
        work = call(self, *arguments, **options)
        if self.handover.awaited:
            self.handover.work = work
        return work

    return made
