"""Findings of the translator: chains of collectives, and reasons for refusing others."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from clang.cindex import Cursor

from .calls import Collective


@dataclass
class Result:
    """The destination of a result of a chain."""

    collective: Collective
    """The call in whose place the result is written."""
    buffer: str
    """The destination's address, as C."""
    waits: bool = False
    """It is written in its own place, not in that of the fused call."""
    counts: tuple[str, str] | None = None
    """Of rows: counts and displacements, as C."""


@dataclass
class Input:
    """The operand of a chain: as C, each."""

    buffer: str
    count: str
    counts: str = "0"
    displacements: str = "0"


@dataclass
class Chain:
    """A chain that is found."""

    path: Path
    function: str
    kind: str
    """Description, for people."""
    stages: str
    """As `netfold_mpi.h` takes them."""
    communicator: str
    collectives: list[Collective]
    inputs: list[Input]
    results: list[Result]
    at: Collective
    """The call in whose place the fused call stands."""
    left_out: list[Cursor] = field(default_factory=list)
    """Statements that the fused call makes unnecessary, each replaced by :attr:`instead`."""
    instead: str = ";"
    operation: str | None = None
    """C of an operation, with a place for its name."""
    notes: list[str] = field(default_factory=list)
    expected: Cursor | None = None
    """The statement that calls the function which makes the first collective, if one does."""
    guarded: list[Collective] = field(default_factory=list)
    """Collectives of functions that are called, from elsewhere maybe for themselves."""
    between_lines: tuple[int, int] | None = None
    """The lines of the statements that call them."""

    @property
    def lines(self) -> tuple[int, int]:
        """The first and the last line."""
        if self.between_lines is not None:
            return self.between_lines
        ends = [it.line for it in self.collectives]
        ends += [it.extent.end.line for it in self.left_out]
        return min(ends), max(ends)


@dataclass(frozen=True)
class Refusal:
    """Collectives that are not fused."""

    path: Path
    function: str
    names: tuple[str, str]
    lines: tuple[int, int]
    rule: str
    why: str


@dataclass(frozen=True)
class Body:
    """A function of `MPI_Op_create` that a switch can run (R-TR-22)."""

    path: Path
    function: str
    lines: tuple[int, int]
    made: int
    """The line of `MPI_Op_create`."""
    commutes: bool
    element: str
    claims: str
    """Description, for people."""
    source: str
    """C."""
    module: bytes
    notes: list[str]
