"""Calls that need not go through torch's dispatcher.

The dispatcher lets profilers, modes and transforms of torch see a call on its way to the backend,
which takes longer than a short call itself. Where none of them is at work, the group calls its
backend at once, and an all-reduce goes straight to the native communicator.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch._C import _distributed_c10d as c10d

from .. import _native

_OPTIONS = [
    c10d.AllgatherOptions,
    c10d.AllreduceCoalescedOptions,
    c10d.AllreduceOptions,
    c10d.BarrierOptions,
    c10d.BroadcastOptions,
    c10d.ReduceOptions,
    c10d.ReduceScatterOptions,
]
"""Types of the last argument in calls that a group hands to its backend unchanged."""


def _keys_of_plain_tensors() -> list[int]:
    """Dispatch keys of tensors in main memory, made with and without inference mode."""
    keys = {torch._C._dispatch_keys(torch.empty(0)).raw_repr()}
    with torch.inference_mode():
        keys.add(torch._C._dispatch_keys(torch.empty(0)).raw_repr())
    return sorted(keys)


DISPATCH = _native.Dispatch(
    # A profiler, a mode, a trace or a graph of torch that wants to see calls.
    watchers=[
        torch.autograd._profiler_enabled,
        torch._C._len_torch_dispatch_stack,
        torch._C._get_tracing_state,
        c10d._allow_inflight_collective_as_graph_input,
    ],
    keys_of=torch._C._dispatch_keys,
    plain_keys=_keys_of_plain_tensors(),
    tensors=[Tensor, torch.nn.Parameter],
    options=_OPTIONS,
    exchange=Tensor.__dlpack_c_exchange_api__,
)
"""The test whether a call may bypass the dispatcher."""
