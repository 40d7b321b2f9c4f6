"""Events of the switch's calls for torch's profilers: `netfold:all_reduce`, as `gloo:all_reduce`."""

from __future__ import annotations

import threading
from typing import Any

import torch
import torch.distributed as dist

from .work import after

_OPS = torch.ops.profiler


class Event:
    """An event of the profiler that is at work, begun here and now."""

    def __init__(self, collective: str) -> None:
        self._record = _OPS._record_function_enter_new(f"netfold:{collective}", None)

    def until(self, work: dist._Work, result: list[Any], *, begun_by_callback: bool) -> dist._Work:
        """Return `work` as one that ends the event before anybody sees its own end.

        A call of a callback, which runs on the group's thread, ends the event when it is waited
        for.
        """
        profiled = after(work, self._end, result)
        if not begun_by_callback:
            # Without a future the event would last until somebody waits.
            profiled.get_future()
        return profiled

    def _end(self) -> None:
        """End the event on another thread than it began on, for which torch takes it as
        asynchronous.
        """
        thread = threading.Thread(
            target=_OPS._record_function_exit._RecordFunction, args=[self._record]
        )
        thread.start()
        thread.join()
