"""Priorities of calls (R-STREAM-9)."""

from __future__ import annotations

PRIORITIES = ("urgent", "bulk")
"""Priorities that a caller may choose. A call without one is urgent up to 16 KiB, and bulk above.
A barrier is bulk.
"""


def checked(priority: str | None) -> str | None:
    """`priority`, if there is such a one.

    Raises:
        ValueError: there is not.
    """
    if priority is not None and priority not in PRIORITIES:
        raise ValueError(
            f"unknown priority {priority!r}; choose one of {', '.join(PRIORITIES)}, or None"
        )
    return priority


__all__ = ["PRIORITIES", "checked"]
