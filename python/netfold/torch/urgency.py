"""The priority of the calls that a thread makes."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from .._native import choose_priority
from ..priorities import checked


@contextlib.contextmanager
def priority(name: str | None) -> Iterator[None]:
    """Give the collectives that this thread calls inside the `with` block a priority, on every
    group of netfold.

        with netfold.torch.priority("urgent"):
            dist.all_reduce(loss)

    Calls of different priorities proceed side by side, urgent ones first. Every rank must choose
    the same for the same call; ranks that differ get a :class:`~netfold.MismatchError`. A
    collective that some other thread calls is not concerned, such as those of DDP's
    back-propagation.

    Args:
        name: `urgent`, `bulk`, or None for what a call's length gives it: urgent up to 16 KiB, bulk
            above.

    Raises:
        ValueError: there is no such priority.
    """
    before = choose_priority(checked(name))
    try:
        yield
    finally:
        choose_priority(before)
