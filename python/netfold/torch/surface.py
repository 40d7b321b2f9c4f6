"""What torch may ask of any backend, and what netfold answers where it is not a collective.

The properties that are not defined by a backend in Python call themselves without end, so each is defined here. What a
backend may leave away, torch refuses by the method's name. `tests/python/torch_surface_checks.py` calls all of them.
"""

from __future__ import annotations

import threading
from datetime import timedelta

import torch.distributed as dist
from torch._C._distributed_c10d import Backend


class Surface(Backend):
    """Capabilities, and works on their way to the caller."""

    def __init__(self, rank: int, size: int) -> None:
        super().__init__(rank, size)
        self._made = threading.local()

    def getBackendName(self) -> str:  # noqa: N802 - torch's name
        """Name of the backend."""
        return "netfold"

    def name(self) -> str:
        """Name of the backend."""
        return "netfold"

    @property
    def supports_splitting(self) -> bool:
        """`split_group` works."""
        return True

    @property
    def supports_coalescing(self) -> bool:
        """Calls are not held back until a block of them ends; coalesced ones are several calls at once."""
        return False

    @property
    def supports_shrinking(self) -> bool:
        """A group that has lost ranks is made anew."""
        return False

    @property
    def supports_reconfigure(self) -> bool:
        """The ranks of a group are fixed."""
        return False

    @property
    def supports_window(self) -> bool:
        """There is no one-sided access to other ranks' memory."""
        return False

    @property
    def supports_abort_hooks(self) -> bool:
        """Errors arrive at the calls themselves."""
        return False

    @property
    def supports_completion_hooks(self) -> bool:
        """Futures tell of the end of calls."""
        return False

    @property
    def _supports_time_estimate(self) -> bool:
        return False

    def perform_nocolor_split(self, device: object) -> None:
        """Nothing: ranks outside of a new group have no part in making it."""
        del device

    def options_of(self, group_name: str, timeout: timedelta | None) -> Backend.Options:
        """Options of a group that is split off this one; the time-out is this one's if None."""
        options = Backend.Options("netfold", timeout or self.options._timeout)
        options.group_name = group_name
        return options

    def own(self, work: dist._Work) -> dist._Work:
        """Keep a work that torch is going to wrap, for :meth:`unwrapped` on the same thread."""
        self._made.work = work
        return work

    def unwrapped(self, wrapped: dist._Work) -> dist._Work:
        """The work that was kept last; `wrapped` itself if the call did not come to the backend (in a fake mode)."""
        work, self._made.work = getattr(self._made, "work", None), None
        return wrapped if work is None else work
