"""Calls that need not go through torch's dispatcher.

The dispatcher lets profilers, modes and transforms of torch see a call on its way to the backend,
which takes longer than a short call itself. Where none of them is at work, the group calls its
backend at once.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor
from torch._C import _distributed_c10d as c10d

_OPTIONS = {
    c10d.AllgatherOptions,
    c10d.AllreduceCoalescedOptions,
    c10d.AllreduceOptions,
    c10d.BarrierOptions,
    c10d.BroadcastOptions,
    c10d.ReduceOptions,
    c10d.ReduceScatterOptions,
}
"""Types of the last argument in calls that a group hands to its backend unchanged."""

_TENSORS = {Tensor, torch.nn.Parameter}


def _keys_of_plain_tensors() -> set[int]:
    """Dispatch keys of tensors in main memory, made with and without inference mode."""
    keys = {torch._C._dispatch_keys(torch.empty(0)).raw_repr()}
    with torch.inference_mode():
        keys.add(torch._C._dispatch_keys(torch.empty(0)).raw_repr())
    return keys


_PLAIN = _keys_of_plain_tensors()


def past_dispatcher(arguments: tuple[Any, ...], options: dict[str, Any]) -> Any | None:
    """Return torch's options of a call that nothing but the backend has to see; None if something
    has, or may have.

    Args:
        arguments: positional arguments of the group's method.
        options: its keyword arguments.
    """
    if options:
        tensors, last = arguments, options["opts"] if [*options] == ["opts"] else None
    else:
        tensors, last = arguments[:-1], arguments[-1] if arguments else None
    return last if type(last) in _OPTIONS and not _is_watched() and _are_plain(tensors) else None


def _is_watched() -> bool:
    """Return whether a profiler, a mode, a trace or a graph of torch wants to see calls."""
    return (
        torch.autograd._profiler_enabled()
        or torch._C._len_torch_dispatch_stack() > 0
        or torch._C._get_tracing_state() is not None
        or c10d._allow_inflight_collective_as_graph_input()
    )


def _are_plain(arguments: Iterable[Any]) -> bool:
    """Return whether all are tensors in main memory, outside of autograd and transforms, or lists
    of such.
    """
    for argument in arguments:
        if type(argument) in _TENSORS:
            if argument.requires_grad or torch._C._dispatch_keys(argument).raw_repr() not in _PLAIN:
                return False
        elif type(argument) is not list or not _are_plain(argument):
            return False
    return True
