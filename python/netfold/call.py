"""Calls as the native module takes them."""

from __future__ import annotations

from typing import NamedTuple


class Call(NamedTuple):
    """The positional arguments of the native `submit`, `attempt` and `run`.

    A named tuple is made in half the time of a data class, and a short call takes microseconds.
    """

    collective: str
    """`all_reduce`, `reduce`, `broadcast`, `all_gather`, `reduce_scatter`, `gather`, `scatter`,
    `all_to_all`, `scan`, `exscan`, `look_aside`, `message`, `barrier`, or `elsewhere` for a call
    that the switch does not carry out (R-STREAM-11).
    """
    operation: str
    """The fold, or `copy`; of a call that is carried out elsewhere its description."""
    element_type: str
    """Type of the elements on the wire; `u8` where nothing is folded."""
    root: int
    """Rank that gives or gets the data; 0 where a collective has none."""
    elements: int
    """Elements of the vector; where ranks have parts, those of one part."""
    input: int = 0
    """Address of the elements; 0 if there are none."""
    output: int = 0
    """Address of the result; 0 if this rank gets none."""
    lengths: tuple[int, ...] | None = None
    """Elements of each part, where these differ (R-STREAM-13): one for each rank, or one for each
    pair of ranks in an all-to-all. `elements` is not used then.
    """


__all__ = ["Call"]
