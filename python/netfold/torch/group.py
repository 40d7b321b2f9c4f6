"""The process group, as torch's Python functions see it.

torch wraps every work that a backend in Python returns, and the wrapper answers neither `is_completed` nor
`_source_rank`; it crashes where `split` makes no group for a rank; and it tells the logger of DDP that the backend's
name is `custom`. A group that is a class of Python may answer for itself, so netfold makes the group, too.
"""

from __future__ import annotations

import sys
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist
from torch import Tensor

if TYPE_CHECKING:
    from .backend import NetfoldBackend

DEVICES = ["cpu", "cuda"]
"""Device types whose tensors the backend takes."""


class NetfoldGroup(dist.ProcessGroup):
    """A group all of whose devices have the backend netfold.

    Args:
        store: the group's store; groups that are split off get a prefix in it.
        backend: the group's only backend.
    """

    def __init__(self, store: dist.Store, backend: NetfoldBackend) -> None:
        super().__init__(store, backend.rank(), backend.size())
        self._set_default_backend(dist.ProcessGroup.BackendType.CUSTOM)
        for device in DEVICES:
            self._register_backend(torch.device(device), dist.ProcessGroup.BackendType.CUSTOM, backend)
        self._netfold = backend

    def getBackendName(self) -> str:  # noqa: N802 - torch's name
        """Name of the backend."""
        return self._netfold.name()

    def send(self, tensors: list[Tensor], rank: int, tag: int) -> dist._Work:
        """Send to a rank; the work is Gloo's own."""
        return self._netfold.unwrapped(super().send(tensors, rank, tag))

    def recv(self, tensors: list[Tensor], rank: int, tag: int) -> dist._Work:
        """Receive from a rank; the work is Gloo's own."""
        return self._netfold.unwrapped(super().recv(tensors, rank, tag))

    def recv_anysource(self, tensors: list[Tensor], tag: int) -> dist._Work:
        """Receive from any rank; the work is Gloo's own, and knows the rank."""
        return self._netfold.unwrapped(super().recv_anysource(tensors, tag))

    def split_group(
        self,
        ranks: list[int],
        timeout: timedelta | None = None,
        opts: Any = None,
        group_name: str | None = None,
        group_desc: str | None = None,
        device_types: list[torch.device] | None = None,
    ) -> NetfoldGroup | None:
        """Make a group of some of the ranks, in the order given; None at the others."""
        del device_types
        if self.rank() not in ranks:
            return None
        options = opts or self._netfold.options_of(group_name or f"{self.group_name}:split", timeout)
        store = dist.PrefixStore(f"{options.group_name}/", self.get_group_store())
        group = NetfoldGroup(store, self._netfold.split(store, ranks, options))
        group._set_group_name(options.group_name)
        group._set_group_desc(group_desc or f"{self.group_desc}:split")
        return group


def is_alone() -> bool:
    """Whether the group that torch is making, in the caller's caller, has no backend but this one.

    torch takes a group from a backend's creator instead of its own, with all of the group's backends. It does not pass
    their configuration on, so it is looked up where torch has it. Where it is not found, or torch's debug mode wraps
    each backend, torch's own group will do.
    """
    config = sys._getframe(2).f_locals.get("backend_config")
    detail = dist.get_debug_level() == dist.DebugLevel.DETAIL
    return not detail and config is not None and len(set(config.get_device_backend_map().values())) == 1
