"""Switches and servers that a measurement starts."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import IO, Any


@contextlib.contextmanager
def started(argv: list[str], start: Callable[..., Any], log: IO[str]) -> Iterator[str]:
    """A switch or a server, and what it says when it listens."""
    process = start(argv, stdout=subprocess.PIPE, stderr=log, text=True)
    try:
        line = process.stdout.readline()
        if not line:
            log.seek(0)
            sys.exit(f"{log.read()[-2000:]}\nbench: {' '.join(argv[2:4])} has not started")
        yield line
    finally:
        process.terminate()
        process.wait()


def netfold(*words: str) -> list[str]:
    """The command, as Python's package finds it."""
    return [sys.executable, "-m", "netfold", *words, "--log", "warn"]
