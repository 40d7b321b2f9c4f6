"""Traces of MPI programs (spec/mpi-trace.md)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

VERSION = 1


class TraceError(ValueError):
    """A file that is no trace of an MPI program, or one of another version."""


@dataclass(frozen=True)
class Call:
    """A call of a collective by one rank (R-MTR-4)."""

    rank: int
    n: int
    call: str
    comm: str
    size: int
    count: int
    bytes: int
    type: str
    op: str | None
    root: int | None
    start: int
    end: int
    path: str
    site: str | None

    @property
    def nanoseconds(self) -> int:
        """The time from the entry to the return."""
        return self.end - self.start


@dataclass(frozen=True)
class Trace:
    """The calls of all ranks of a run."""

    program: str | None
    """Path of the program, by the first header."""
    calls: tuple[Call, ...]
    """In the order of ranks, and of each rank in the order in which it made them."""

    def pairs(self) -> Iterator[tuple[Call, Call]]:
        """Yield the pairs of calls that follow each other on one communicator (R-MTR-7)."""
        last: dict[tuple[int, str], Call] = {}
        for call in self.calls:
            before = last.get((call.rank, call.comm))
            if before is not None:
                yield before, call
            last[call.rank, call.comm] = call


def read(paths: Iterable[Path]) -> Trace:
    """Read the files of one run (R-MTR-2).

    Raises:
        TraceError: a line that is not of a trace, with its file and number.
    """
    program: str | None = None
    calls: list[Call] = []
    for path in paths:
        # The last line has no line feed if the rank was killed while it wrote (R-MTR-1).
        lines = path.read_bytes().split(b"\n")[:-1]
        for number, line in enumerate(lines, 1):
            found = _line(path, number, line)
            if isinstance(found, Call):
                calls.append(found)
            else:
                program = program or found
    calls.sort(key=lambda call: (call.rank, call.n))
    return Trace(program, tuple(calls))


def _line(path: Path, number: int, line: bytes) -> Call | str | None:
    try:
        found = json.loads(line)
        if "trace" in found:
            if found["trace"] != VERSION:
                raise TraceError(
                    f"{path} is a trace of version {found['trace']}; this netfold reads version {VERSION}"
                )
            return str(found.get("program") or "") or None
        return Call(**{name: found[name] for name in Call.__dataclass_fields__})
    except (ValueError, TypeError, KeyError) as error:
        if isinstance(error, TraceError):
            raise
        raise TraceError(f"{path}, line {number}: not a line of a trace of MPI calls") from error
