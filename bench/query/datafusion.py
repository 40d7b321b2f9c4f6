"""`netfold query` between hosts of a rack."""

from __future__ import annotations

import csv
import io
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..rack import Rack
from .engine import Answer, Exchange

PORT = 5577


def query_program() -> str:
    """Return the path of the command; exit with a message if it is not found."""
    program = shutil.which("netfold-query")
    if program is None:
        sys.exit("bench.query: netfold-query is not on the path; build it: make query")
    return program


class DataFusion:
    """A worker on each host with its part of the tables, and a process at the master for each
    query.

    Args:
        rack: the rack; its last host is the master.
        places: folder of each worker.
    """

    def __init__(self, rack: Rack, places: Sequence[Path]) -> None:
        self._rack, self._master, self._program = rack, len(places), query_program()
        addresses = [f"{rack.address(worker)}:{PORT}" for worker in range(self._master)]
        self._workers = ",".join(addresses)
        for worker, (address, place) in enumerate(zip(addresses, places, strict=True)):
            argv = [self._program, "worker", "--listen", address, "--data", str(place)]
            process = rack.popen(worker, argv, stderr=subprocess.PIPE, text=True)
            assert process.stderr is not None
            if "listening" not in process.stderr.readline():
                sys.exit("bench.query: a worker does not listen")

    def ask(self, query: Path, options: Sequence[str]) -> Answer:
        """Run a query once."""
        argv = [self._program, str(query), "--connect", self._workers, "--format", "csv", "--stats"]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = self._rack.popen(self._master, [*argv, *options], text=True, **pipes)
        rows, told = process.communicate()
        return answer_of(query, process.returncode, rows, told)


def answer_of(query: Path, status: int, rows: str, told: str) -> Answer:
    """The answer in what the command has written to its two streams, as CSV and with statistics."""
    if status != 0:
        sys.exit(f"bench.query: {query.stem}: {told}")
    exchanges = [
        Exchange(name, int(offered), int(forwarded))
        for name, offered, forwarded in re.findall(
            r"(.+): (\d+) rows offered, (\d+) forwarded", told
        )
    ]
    _, *cells = csv.reader(io.StringIO(rows))  # the first line has the names of columns
    repeated = sum(map(int, re.findall(r"(\d+) packets sent again", told)))
    without = told.count("done without the switch")
    return Answer(float(told.split()[-2]), exchanges, cells, repeated, without)
