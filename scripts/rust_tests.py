#!/usr/bin/env python3
"""Build the Rust tests and run their programs, two for each core at a time, with as many tests of
each at a time as there are cores: more, and threads of one test wait too long for a core.

Most programs wait for time-outs or for one long test; one after the other, as `cargo test` runs
them, they leave the cores idle. The output of a program is printed if it fails.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

SLOWEST = 8
"""Programs in the table at the end."""

ALONE = {"preload programs", "net crowd", "net tables", "netfold suite"}
"""Programs that run by themselves, a test at a time. Ranks of MPI do not sleep
while they wait, and take the cores from others; thousands of workers, servers and trees of switches
have time-outs, and take seconds where nobody else wants the cores.
"""


class Program(NamedTuple):
    """A program of tests."""

    title: str
    path: str
    folder: Path
    """Folder of its package, in which cargo would run it."""


class Run(NamedTuple):
    """A program that has ended."""

    program: Program
    seconds: float
    passed: bool
    output: str

    def counts(self) -> str:
        """The numbers of tests that passed and that were ignored."""
        found = re.findall(r"(\d+) (passed|ignored)", self.output)
        totals = {kind: sum(int(n) for n, k in found if k == kind) for _, kind in found}
        return ", ".join(f"{total} {kind}" for kind, total in totals.items() if total)


def programs() -> Iterator[Program]:
    """Build all tests; give their programs, in the order in which cargo runs them."""
    command = ["cargo", "test", "--locked", "--no-run", "--message-format=json-render-diagnostics"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as build:
        assert build.stdout is not None
        for line in build.stdout:
            message = json.loads(line)
            if message.get("executable") and message["profile"]["test"]:
                folder = Path(message["manifest_path"]).parent
                title = f"{folder.name} {message['target']['name']}"
                yield Program(title, message["executable"], folder)
    if build.returncode:
        sys.exit(build.returncode)


def run(program: Program, threads: int) -> Run:
    """Run one program."""
    environment = os.environ | {
        "CARGO_MANIFEST_DIR": str(program.folder),
        "RUST_TEST_THREADS": os.environ.get("RUST_TEST_THREADS", str(threads)),
    }
    start = time.monotonic()
    ended = subprocess.run(
        [program.path],
        cwd=program.folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    return Run(program, time.monotonic() - start, ended.returncode == 0, ended.stdout)


def main() -> int:
    """Run all programs, then the documentation's tests; return the exit status."""
    found = list(programs())
    alone = [program for program in found if program.title in ALONE]
    together = [program for program in found if program.title not in ALONE]
    cores = len(os.sched_getaffinity(0))
    runs: list[Run] = []

    def tell(one: Run) -> None:
        runs.append(one)
        mark = "ok    " if one.passed else "FAILED"
        print(
            f"{mark} {len(runs):3}/{len(found)}  {one.program.title}: {one.counts()} "
            f"({one.seconds:.1f} s)",
            flush=True,
        )

    with ThreadPoolExecutor(2 * cores) as pool:
        for ended in as_completed([pool.submit(run, program, cores) for program in together]):
            tell(ended.result())
    for program in alone:
        tell(run(program, 1))
    failed = [one for one in runs if not one.passed]
    for one in failed:
        print(f"\n---- {one.program.title}\n{one.output}")
    print("\nslowest programs:")
    for one in sorted(runs, key=lambda one: -one.seconds)[:SLOWEST]:
        print(f"{one.seconds:6.1f} s  {one.program.title}")
    if failed:
        print(f"failed: {', '.join(one.program.title for one in failed)}")
        return 1
    return subprocess.run(["cargo", "test", "--locked", "--quiet", "--doc"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
