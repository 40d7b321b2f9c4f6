"""Switches and servers that a measurement starts."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from .rack import Rack


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


SWITCH_PORT = 5555


@contextlib.contextmanager
def switch_of(rack: Rack, log: IO[str], *words: str) -> Iterator[str]:
    """A switch of an emulated rack, with further arguments: its address."""
    address = f"{rack.switch_address}:{SWITCH_PORT}"
    command = netfold("switch", "--listen", address, *words)
    with started(command, functools.partial(rack.popen, "switch"), log):
        yield address


ORDERLY_S = 10.0
"""Time for a launcher to end its ranks, in seconds."""


def ended(
    words: list[str], timeout: float, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run an MPI program to its end, in a folder of its own, where its launcher's temporary files
    are, too. What it has written to files of YAML there, as miniFE does with its times, follows its
    output. A launcher that is late is told to end its ranks, before `subprocess.TimeoutExpired` is
    raised.
    """
    # Some programs write files to the folder in which they run.
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            cwd=folder,
            env={**os.environ, "TMPDIR": folder, **(environment or {})},
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=timeout)
        except BaseException:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.communicate(timeout=ORDERLY_S)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise
        out += "".join(file.read_text() for file in sorted(Path(folder).glob("*.yaml")))
        return subprocess.CompletedProcess(words, process.returncode, out, err)
