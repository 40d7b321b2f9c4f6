"""Pointers into recorded results: `FILE: step > step > ..`.

A step is a key of an object, or `name[key=value, ..]`: the one entry of the list `name` that has
these values. In a Markdown file the first step is the first cell of a table's row, and the second
one the name of a column.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..launch import ROOT


class PointerError(Exception):
    """A pointer that leads nowhere."""


def value(pointer: str | Mapping[str, Any], root: Path = ROOT) -> float:
    """Return the number that a pointer leads to; a table has it with what it is `over`, and the
    factor that it takes `times`.

    Raises:
        PointerError: there is no number.
    """
    if isinstance(pointer, str):
        return _number(pointer, root)
    found = _number(pointer["of"], root)
    if "over" in pointer:
        found /= _number(pointer["over"], root)
    return found * float(pointer.get("times", 1))


def _number(pointer: str, root: Path) -> float:
    name, _, steps = pointer.partition(": ")
    path = root / name
    try:
        if path.suffix == ".md":
            return float(_cell(path.read_text(), *steps.split(" > ")))
        at = _read(path)
        for step in steps.split(" > "):
            at = _follow(at, step)
        return float(at)
    except (KeyError, IndexError, OSError, TypeError, ValueError) as error:
        raise PointerError(f"{pointer}: {error}") from error


@functools.cache
def _read(path: Path) -> Any:
    return json.loads(path.read_text())


def _follow(at: Any, step: str) -> Any:
    chosen = re.fullmatch(r"(\w+)\[(.*)\]", step)
    if chosen is None:
        return at[step]
    wanted = _wanted(chosen[2])
    found = [
        entry for entry in at[chosen[1]] if all(_same(entry[key], text) for key, text in wanted)
    ]
    if len(found) != 1:
        raise KeyError(f"{step} fits {len(found)} entries, and has to fit one")
    return found[0]


def _wanted(text: str) -> list[tuple[str, str]]:
    """Keys and values; a value may have commas, but none with a key behind it."""
    parts = re.split(r", (?=\w+=)", text)
    return [(key, value) for key, _, value in (part.partition("=") for part in parts)]


def _same(found: Any, text: str) -> bool:
    return float(text) == found if isinstance(found, int | float) else str(found) == text


def _cell(text: str, row: str, column: str) -> str:
    lines = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in text.splitlines()
        if line.lstrip().startswith("|")
    ]
    header: list[str] = []
    for line, below in zip(lines, [*lines[1:], []], strict=True):
        if below and set("".join(below)) <= set("-: "):
            header = line
        if line[0] == row and column in header:
            return line[header.index(column)]
    raise KeyError(f"no table has a row {row} and a column {column}")
