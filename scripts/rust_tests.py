#!/usr/bin/env python3
"""Build the Rust tests, or run their programs: `rust_tests.py build`, `rust_tests.py run`.

Two programs run for each core at a time, with as many tests of each at a time as there are cores:
more, and threads of one test wait too long for a core. Most programs wait for time-outs or for one
long test; one after the other, as `cargo test` runs them, they leave the cores idle. The output of
a program is printed if it fails.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

SLOWEST = 8
"""Programs in the table at the end."""

FOUND = Path(os.environ.get("CARGO_TARGET_DIR", "target")) / "rust-tests.tsv"
"""Title, path and folder of each program that was built last."""

LEFT_OUT = "conformance bmv2"
"""The program whose ignored tests are listed: each names the tool that is not on the path."""

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
    processor: float
    """Seconds of the processor."""
    passed: bool
    output: str

    def counts(self) -> str:
        """The numbers of tests that passed and that were ignored."""
        found = re.findall(r"(\d+) (passed|ignored)", self.output)
        totals = {kind: sum(int(n) for n, k in found if k == kind) for _, kind in found}
        return ", ".join(f"{total} {kind}" for kind, total in totals.items() if total)


def build() -> int:
    """Build all tests, and note their programs in the order in which cargo runs them."""
    command = ["cargo", "test", "--locked", "--no-run", "--message-format=json-render-diagnostics"]
    found = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as cargo:
        assert cargo.stdout is not None
        for line in cargo.stdout:
            message = json.loads(line)
            if message.get("executable") and message["profile"]["test"]:
                folder = Path(message["manifest_path"]).parent
                title = f"{folder.name} {message['target']['name']}"
                found.append(f"{title}\t{message['executable']}\t{folder}\n")
    if cargo.returncode == 0:
        FOUND.write_text("".join(found))
    return cargo.returncode


def built() -> Iterator[Program]:
    """Return the programs that were built last."""
    if not FOUND.exists():
        sys.exit("rust_tests.py: nothing is built yet; run `make build-rust-tests`")
    for line in FOUND.read_text().splitlines():
        title, path, folder = line.split("\t")
        yield Program(title, path, Path(folder))


def run(program: Program, threads: int) -> Run:
    """Run one program."""
    environment = os.environ | {
        "CARGO_MANIFEST_DIR": str(program.folder),
        "RUST_TEST_THREADS": os.environ.get("RUST_TEST_THREADS", str(threads)),
    }
    start = time.monotonic()
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        process = subprocess.Popen(
            [program.path],
            cwd=program.folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    processor = used.ru_utime + used.ru_stime
    seconds = time.monotonic() - start
    return Run(program, seconds, processor, process.returncode == 0, text)


def run_all() -> int:
    """Run all programs that were built; return the exit status."""
    found = list(built())
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
        print(f"{one.seconds:6.1f} s, {one.processor:6.1f} s of a core  {one.program.title}")
    if failed:
        print(f"failed: {', '.join(one.program.title for one in failed)}")
        return 1
    for program in found:
        if program.title == LEFT_OUT:
            print("\ntests of P4 that were left out:", flush=True)
            subprocess.run([program.path, "--list", "--ignored"], check=True)
    return 0


if __name__ == "__main__":
    if sys.argv[1:] not in (["build"], ["run"]):
        sys.exit("usage: rust_tests.py build|run")
    sys.exit(build() if sys.argv[1] == "build" else run_all())
