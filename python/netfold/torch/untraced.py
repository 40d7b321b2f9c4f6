"""Functions that `torch.compile` leaves alone.

DDP's reducer calls a backend and waits for works from C++, also in a compiled program. Dynamo would
compile their Python then, though there is nothing in it to compile.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

from torch._C._dynamo import eval_frame

F = TypeVar("F", bound=Callable[..., Any])

_SKIP = eval_frame._FrameExecStrategy(
    eval_frame._FrameAction.SKIP,  # the function itself
    eval_frame._FrameAction.SKIP,  # and all that it calls
)


def untraced(function: F) -> F:
    """Have Dynamo run a function, and all that it calls, as it is. It costs nothing at a call."""
    if isinstance(function, FunctionType):
        eval_frame.set_code_exec_strategy(function.__code__, _SKIP)
    return function


__all__ = ["untraced"]
