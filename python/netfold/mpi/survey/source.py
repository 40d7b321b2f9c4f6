"""The parts of a source file that a survey looks at, whatever its language."""

from __future__ import annotations

import re
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Function:
    """A function or a subroutine with a body."""

    name: str
    line: int
    end: int
    """The line of its end."""
    parameters: tuple[str, ...]


@dataclass(frozen=True)
class Macro:
    """A macro of C's preprocessor."""

    name: str
    parameters: tuple[str, ...] | None
    """None if it is not like a function."""
    body: str
    line: int


@dataclass(frozen=True)
class Call:
    """A call, as it is written."""

    name: str
    line: int
    arguments: tuple[str, ...]
    """With white space made one blank; an argument by keyword as `name=value`."""
    function: int | None
    """The number of the function that it is in."""
    block: int
    """A number for the innermost block that it is in."""


@dataclass(frozen=True)
class Assignment:
    """An assignment of one name to another."""

    left: str
    right: str


@dataclass
class Source:
    """A parsed file."""

    path: str
    language: str
    lines: int
    has_error: bool
    """There is something that the parser did not understand."""
    functions: list[Function] = field(default_factory=list)
    macros: list[Macro] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    assignments: list[Assignment] = field(default_factory=list)


_CAST = re.compile(r"^\(\s*(?:const\s+)?[A-Za-z_][\w:\s]*(?:<[^()]*>)?[\s*&]*\)\s*(?=[\w(&*])")
_NAME = re.compile(r"[A-Za-z_]\w*")


def bare(text: str) -> str:
    """Return an expression without casts, parentheses and `&` around it."""
    while True:
        shorter = _CAST.sub("", text.strip()).lstrip("&").strip()
        if shorter.startswith("(") and shorter.endswith(")") and _closes(shorter):
            shorter = shorter[1:-1].strip()
        if shorter == text:
            return text
        text = shorter


def _closes(text: str) -> bool:
    """Return whether the first parenthesis is closed by the last."""
    depth = 0
    for at, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return at == len(text) - 1
    return False


def base(text: str) -> str:
    """Return the name that an expression begins with, without casts: of `&x[1]` it is `x`."""
    found = _NAME.search(bare(text))
    return found.group() if found else text.strip()


def names(text: str) -> list[str]:
    """Return all names in an expression."""
    return _NAME.findall(text)
