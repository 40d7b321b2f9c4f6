"""The `torch.distributed` backend `netfold`.

Importing this module registers the backend; the entry point in the wheel does the same, so
`init_process_group("netfold")` needs no import. The switch is the one named by `NETFOLD_SWITCH`;
with none, rank 0 starts one in its own process and says so.

The first file to open is `backend.py`; `membership.py` joins and leaves jobs, `joining.py` puts
that off until a group is used, `place.py` has a rank's place in a group, `rendezvous.py` finds the
switch, `group.py` is torch's process group and `surface.py` answers its questions about the
backend, `staging.py` prepares memory, `work.py` finishes calls, `urgency.py` knows the priority
that a thread has chosen, `worker_folds.py` folds what a switch does not, `fallback.py` hands to
Gloo what that does faster, and `announcement.py` tells the other ranks of both. `folds.py` has the
calls by operations of users, and `hooks.py` has the communication hooks for
`DistributedDataParallel`.
"""

from __future__ import annotations

import torch.distributed as dist

from .backend import NetfoldBackend, create
from .folds import (
    all_reduce,
    broadcast,
    exscan,
    look_aside,
    operations,
    reduce,
    reduce_scatter,
    scan,
)
from .group import DEVICES
from .membership import Membership
from .urgency import priority

NAME = "netfold"


def register() -> None:
    """Make `torch.distributed` know the backend. Calling it again changes nothing."""
    if NAME.upper() not in dist.Backend._plugins:
        dist.Backend.register_backend(NAME, create, extended_api=True, devices=DEVICES)


def backend_of(group: dist.ProcessGroup | None = None, device: str = "cpu") -> Membership:
    """The netfold backend behind a process group (the default group if None), for its counters
    (:meth:`Membership.stats`).

    Raises:
        ValueError: the group's backend for `device` is another one.
    """
    import torch

    group = group or dist.group.WORLD
    if group is None:
        raise ValueError(
            'no process group is initialised; call torch.distributed.init_process_group("netfold") first'
        )
    for backend in NetfoldBackend.alive():
        if backend.group_name == group.group_name and torch.device(device) in group._device_types:
            return backend
    raise ValueError(
        f"the group {group.group_name!r} does not use the backend netfold for {device} tensors"
    )


register()

__all__ = [
    "NAME",
    "NetfoldBackend",
    "all_reduce",
    "backend_of",
    "broadcast",
    "exscan",
    "look_aside",
    "operations",
    "priority",
    "reduce",
    "reduce_scatter",
    "register",
    "scan",
]
