"""The process group, as torch's Python functions see it.

torch wraps every work that a backend in Python returns, and the wrapper passes on `wait` and
`get_future` only; it crashes where `split` makes no group for a rank; it tells the logger of DDP
that the backend's name is `custom`; and it costs more time than a short call over shared memory. A
group that is a class of Python may answer for itself, so netfold makes the group, too.
"""

from __future__ import annotations

import dis
import functools
import sys
from datetime import timedelta
from types import FrameType
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist
from torch.distributed.algorithms.join import Join

from .. import _native
from .dispatch import DISPATCH
from .surface import CALLS

if TYPE_CHECKING:
    from .backend import NetfoldBackend

DEVICES = ["cpu", "cuda"]
"""Device types whose tensors the backend takes."""

_missing = [name for name in CALLS if name not in vars(dist.ProcessGroup)]
if _missing:
    raise ImportError(
        f"netfold.torch needs torch 2.14 or later, and this is torch {torch.__version__}, which has "
        f"no {_missing[0]}; install a later one: pip install 'torch>=2.14'"
    )


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
            self._register_backend(
                torch.device(device), dist.ProcessGroup.BackendType.CUSTOM, backend
            )
        self._netfold = backend
        self._direct = backend.direct

    def getBackendName(self) -> str:  # noqa: N802 - torch's name
        """Name of the backend."""
        return self._netfold.name()

    def split_group(  # noqa: PLR0913 - torch's signature
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
        options = opts or self._netfold.options_of(
            group_name or f"{self.group_name}:split", timeout
        )
        store = dist.PrefixStore(f"{options.group_name}/", self.get_group_store())
        group = NetfoldGroup(store, self._netfold.split(store, ranks, options))
        group._set_group_name(options.group_name)
        group._set_group_desc(group_desc or f"{self.group_desc}:split")
        return group


def _call(
    name: str, torchs: Any, group: NetfoldGroup, *arguments: Any, **options: Any
) -> dist._Work | None:
    """Make a call of a group, and return the backend's own work.

    The backend is called past torch's dispatcher if nothing there has to see the call.

    Args:
        name: name of the method.
        torchs: torch's own method.
        group: the group.
        arguments: the method's.
        options: its keyword arguments.
    """
    backend, handover = group._netfold, group._netfold.handover
    direct = DISPATCH.past(arguments, options)
    if (direct is None or direct.asyncOp) and _joins(sys._getframe(1)):
        work: dist._Work = torchs(group, *arguments, **options)
        return work
    if direct is not None and name in backend.calls:
        handover.discards = not direct.asyncOp
        try:
            return backend.calls[name](backend, *arguments, **options)
        finally:
            handover.discards = False
    handover.awaited = True
    try:
        wrapped: dist._Work = torchs(group, *arguments, **options)
        # A fake mode answers before the backend.
        return handover.work or wrapped
    finally:
        handover.awaited, handover.work = False, None


_READS = bytes(
    code for name in ("LOAD_ATTR", "LOAD_METHOD") if (code := dis.opmap.get(name, 256)) < 256
)
"""Instructions by which Python reads an attribute.

From Python 3.12 on, `LOAD_METHOD` is known to the compiler alone: its number is no byte of code.
"""


_JOIN = Join.notify_join_context.__code__

_FUNCTION_MODES = 4
"""Most function modes at once under which joins work."""


def _joins(frame: FrameType | None) -> bool:
    """Return whether `Join.notify_join_context` makes this call of a group: itself, or through
    `all_reduce` and its wrapper.

    Each function mode of torch, such as a default device, stands between with four frames.
    """
    for _ in range(3 + 4 * _FUNCTION_MODES):
        if frame is None:
            return False
        if frame.f_code is _JOIN:
            return True
        frame = frame.f_back
    return False


for _name in CALLS:
    _torchs = vars(dist.ProcessGroup)[_name]
    # C++ gets torch's own methods, and so torch's wrapper of a work: it does not keep a work of
    # Python alive. It looks each method up in Python, and DDP gives it the work of
    # `Join.notify_join_context`.
    _method = _native.Method(
        _torchs,
        functools.partial(_call, _name, _torchs),
        reads=_READS,
        dispatch=DISPATCH if _name == "allreduce" else None,
    )
    setattr(NetfoldGroup, _name, _method)


def is_alone() -> bool:
    """Return whether the group that torch is making has no backend but this one.

    That group is made in the caller's caller.

    torch takes a group from a backend's creator instead of its own, with all of the group's
    backends. It does not pass their configuration on, so it is looked up where torch has it. Where
    it is not found, or torch's debug mode wraps each backend, torch's own group will do.
    """
    config = sys._getframe(2).f_locals.get("backend_config")
    detail = dist.get_debug_level() == dist.DebugLevel.DETAIL
    return (
        not detail
        and config is not None
        and len(set(config.get_device_backend_map().values())) == 1
    )
