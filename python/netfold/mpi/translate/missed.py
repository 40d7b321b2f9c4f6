"""Pairs that a program has made as it ran, and that the analysis of its sources has not seen."""

from __future__ import annotations

import shutil
import subprocess
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..chains import between
from ..signatures import form
from ..trace import Call, Trace
from .find import Said
from .program import Program


@dataclass(frozen=True)
class Missed:
    """A pair of calls that might be fused, by its two places in the program."""

    where: str
    first: str
    second: str
    count: int
    """Pairs of rank 0."""
    microseconds: float
    """The mean time between them."""
    why: str


def missed(program: Program, trace: Trace, said: Sequence[Said]) -> list[Missed]:
    """Return the pairs of a trace that chains exist for, and of which nothing was said. Most
    frequent ones come first.
    """
    sites = _lines({call.site for call in trace.calls if call.site})
    groups: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for first, second in trace.pairs():
        if first.rank == 0 and _fusable(first, second):
            where = tuple(sites.get(call.site or "", "") for call in (first, second))
            if not _known(where, said):
                place = " and ".join(where) if all(where) else "somewhere"
                groups[place, first.call, second.call].append(second.start - first.end)
    found = [
        Missed(where, first, second, len(gaps), sum(gaps) / len(gaps) / 1e3, _why(program, where))
        for (where, first, second), gaps in groups.items()
    ]
    return sorted(found, key=lambda pair: -pair.count)


def _fusable(first: Call, second: Call) -> bool:
    one, two = form(first.call), form(second.call)
    if one is None or two is None:
        return False
    return any(between(one.base, two.base, depends) for depends in (True, False))


def _known(where: Sequence[str], said: Sequence[Said]) -> bool:
    places = [(Path(place.rpartition(":")[0]).name, place.rpartition(":")[2]) for place in where]
    if any(not line.isdigit() for _, line in places):
        return False
    return any(
        it.path.name == places[0][0] == places[1][0]
        and all(it.lines[0] <= int(line) <= it.lines[1] + 9 for _, line in places)
        for it in said
    )


def _why(program: Program, where: str) -> str:
    names = {path.name for path in program.paths}
    files = [Path(place.rpartition(":")[0]).name for place in where.split(" and ")]
    if where == "somewhere":
        return "build the program with -g to learn where"
    other = [name for name in files if name not in names]
    if other:
        return f"{other[0]} is not among the sources given"
    return "the two calls are in two functions, or two rounds of a loop"


def _lines(sites: set[str]) -> dict[str, str]:
    """Return files and lines of sites (R-MTR-4), as far as addr2line tells them."""
    by_module: dict[str, list[str]] = defaultdict(list)
    for site in sites:
        module, _, offset = site.rpartition("+")
        by_module[module].append(offset)
    found: dict[str, str] = {}
    if shutil.which("addr2line") is None:
        return found
    for module, offsets in by_module.items():
        # A return address is that of the instruction behind the call.
        calls = [hex(int(offset, 16) - 1) for offset in offsets]
        asked = subprocess.run(
            ["addr2line", "-e", module, *calls], capture_output=True, text=True, check=False
        )
        for offset, place in zip(offsets, asked.stdout.splitlines(), strict=False):
            if not place.startswith("??"):
                found[f"{module}+{offset}"] = place.split(" (")[0]
    return found
