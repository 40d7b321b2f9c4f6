"""Servers of tables in processes of their own, which tests end and start again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Self

from team import kept_address


class ServerProcess:
    """`netfold server` at an address that it keeps over a restart.

    Attributes:
        address: of the server.
    """

    def __init__(self, data: Path | None = None) -> None:
        self.address = kept_address()
        self._data = data
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, and wait until it listens."""
        command = [sys.executable, "-m", "netfold", "server", "--listen", self.address]
        if self._data is not None:
            command += ["--data", str(self._data)]
        self._process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert f"tables at {self.address}" in line, line

    def kill(self) -> None:
        """End it as `kill -9` does."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()


def ctl(what: str, **environment: str) -> tuple[int, str]:
    """Exit status and output of `netfold ctl`."""
    command = [sys.executable, "-m", "netfold", "ctl", what]
    ended = subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    return ended.returncode, ended.stdout + ended.stderr
