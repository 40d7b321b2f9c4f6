"""Ends of steps: a step of the tables ends with a step of an optimizer of torch."""

from __future__ import annotations

import os
import threading
import weakref
from typing import Any

import torch
from torch.autograd import Variable
from torch.optim.optimizer import register_optimizer_step_post_hook

from .lookup import Lookup

_followers: weakref.WeakSet[Lookup] = weakref.WeakSet()
"""Tables whose steps end with those of optimizers."""

_registered = False
_lock = threading.Lock()


def follow_optimizers(lookup: Lookup) -> None:
    """Have a table's steps end with those of the optimizers of torch in the same thread."""
    global _registered
    with _lock:
        _followers.add(lookup)
        if not _registered:
            register_optimizer_step_post_hook(_stepped)
            _registered = True


def _stepped(*_: Any) -> None:
    """Called by torch after the step of any optimizer."""
    if torch._C._current_graph_task_id() == -1:
        _end_steps(threading.get_ident())
    elif _followers:
        # An optimizer within the backward pass: other gradients are yet to come.
        thread = threading.get_ident()
        Variable._execution_engine.queue_callback(lambda: _end_steps(thread))


def _end_steps(thread: int) -> None:
    with _lock:
        found = [lookup for lookup in _followers if lookup.thread == thread and lookup.passes > 0]
    # A table may wait for all workers (R-KEY-15), so all take their tables in the same order.
    for lookup in sorted(found, key=lambda lookup: lookup.made):
        lookup.end_step()


def _forget() -> None:
    """Forget the tables of the parent, in a fork."""
    global _lock
    _lock = threading.Lock()
    _followers.clear()


os.register_at_fork(after_in_child=_forget)


__all__ = ["follow_optimizers"]
