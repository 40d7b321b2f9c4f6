"""Reading of a repository: its sources, and those of them that call collectives."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .parser import SUFFIXES, parse
from .resolve import Resolver
from .source import Source

LARGEST = 4 << 20
"""Longer files are data, or generated; they are left out and counted."""

_MPI = re.compile(rb"mpi_|mpi::", re.IGNORECASE)
_HIDDEN = {".git", ".hg", ".svn", ".venv", "node_modules"}


@dataclass
class Repository:
    """A folder that is read as one program."""

    name: str
    path: Path
    files: int = 0
    """All sources, parsed or not."""
    left_out: int = 0
    """Of these, those that are too long or cannot be read."""
    sources: list[Source] = field(default_factory=list)
    """Files that name MPI, or a wrapper of one of its collectives."""
    resolver: Resolver = field(default_factory=Resolver)


def read(path: Path) -> Repository:
    """Read the sources below a folder."""
    repository = Repository(path.resolve().name, path)
    rest: dict[str, bytes] = {}
    for file in _files(path):
        repository.files += 1
        try:
            if file.stat().st_size > LARGEST:
                repository.left_out += 1
                continue
            rest[str(file.relative_to(path))] = file.read_bytes()
        except OSError:
            repository.left_out += 1
    is_c = all(_suffix(name) in ("c", "h") or SUFFIXES[_suffix(name)] == "Fortran" for name in rest)
    looked_for = _MPI
    while True:
        named = [name for name, text in rest.items() if looked_for.search(text)]
        for name in named:
            language = SUFFIXES[_suffix(name)]
            if language == "C++" and _suffix(name) == "h" and is_c:
                language = "C"
            repository.sources.append(parse(name, rest.pop(name), language))
        new = repository.resolver.learn(repository.sources)
        if not new:
            break
        looked_for = re.compile(
            rb"\b(" + b"|".join(re.escape(it.encode()) for it in sorted(new)) + rb")\b"
        )
    repository.sources.sort(key=lambda source: source.path)
    return repository


def _files(path: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(name for name in folders if name not in _HIDDEN)
        for name in sorted(files):
            file = Path(folder, name)
            if _suffix(name) in SUFFIXES and "." in name and not file.is_symlink():
                yield file


def _suffix(name: str) -> str:
    return name.rsplit(".", 1)[-1].lower()
