"""Stages of a chain of collectives that :meth:`Communicator.fused` carries out in one pass.

from netfold import stage

chain = comm.fused([stage.all_gather(), stage.scan("sum"), stage.all_gather()])
every_prefix = chain(mine)  # row r is the prefix of rank r
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .operations import Operation


@dataclass(frozen=True)
class Stage:
    """A stage, made by the functions of this module."""

    name: str
    """The name of a collective, or `map`."""
    op: str | Operation = "sum"
    """The operation by which elements combine, where they do."""
    root: int | None = None
    """The rank that gives or gets the data; None where a stage has none, or leaves it to the stage
    before.
    """
    keep: bool = False
    """The result of the stage is returned, too, though another one follows."""


def all_gather(*, keep: bool = False) -> Stage:
    """Give every worker every worker's array."""
    return Stage("all_gather", keep=keep)


def scan(op: str | Operation = "sum", *, keep: bool = False) -> Stage:
    """Give each worker the fold of the arrays of the ranks up to its own."""
    return Stage("scan", op, keep=keep)


def all_reduce(op: str | Operation = "sum") -> Stage:
    """Give every worker the fold of all arrays."""
    return Stage("all_reduce", op)


def reduce(op: str | Operation = "sum", root: int = 0, *, keep: bool = False) -> Stage:
    """Give `root` the fold of all arrays."""
    return Stage("reduce", op, root, keep)


def gather(root: int = 0, *, keep: bool = False) -> Stage:
    """Give `root` every worker's array."""
    return Stage("gather", root=root, keep=keep)


def all_to_all() -> Stage:
    """Give worker r row r of every worker's array."""
    return Stage("all_to_all")


def all_to_all_v() -> Stage:
    """Give worker r as many rows of every worker's array as that says. The input is a pair, of the
    array and its numbers of rows for each worker, and so is the result
    (:meth:`Communicator.all_to_all_v`).
    """
    return Stage("all_to_all_v")


def map(op: Operation) -> Stage:
    """Map what the stage before has folded by the same operation, in the switch
    (`netfold.op(map=...)`).
    """
    return Stage("map", op)


def broadcast(root: int | None = None) -> Stage:
    """Give every worker what the stage before leaves with one: behind a scan with the last rank,
    behind a reduce or a gather with their root. That is `root`, if it is given.
    """
    return Stage("broadcast", root=root)


__all__ = [
    "Stage",
    "all_gather",
    "all_reduce",
    "all_to_all",
    "all_to_all_v",
    "broadcast",
    "gather",
    "map",
    "reduce",
    "scan",
]
