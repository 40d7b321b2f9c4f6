"""Processes of netfold's command on this machine, for the examples."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from rich.progress import Progress, TaskID
from train import PROGRESS

START_LIMIT_S = 20.0


def command() -> str:
    """Path of the command `netfold`: beside this interpreter, or on the PATH."""
    beside = Path(sys.executable).parent / "netfold"
    found = str(beside) if beside.exists() else shutil.which("netfold")
    if found is None:
        stop("the command netfold is not installed; run `make build`, or put it on the PATH")
    return found


@contextmanager
def serving(kind: str, logs: Path) -> Iterator[str]:
    """Run `netfold switch` or `netfold server` on a free port of the loopback interface; yields
    its address.
    """
    with socket.create_server(("127.0.0.1", 0)) as probe:
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    log = logs / f"{kind}.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [command(), kind, "--listen", address], stdout=output, stderr=output
        )
    try:
        _wait_until_up(process, kind, address, log)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def run_workers(
    workers: int, program: Sequence[str], log: Path, environment: Mapping[str, str] | None = None
) -> Iterator[tuple[int, int]]:
    """Run a program under torchrun; yields how far it is, and of how much.

    The program ends this one if it fails.
    """
    torchrun = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--standalone",
        f"--nproc-per-node={workers}",
    ]
    environment = {"OMP_NUM_THREADS": "1", **os.environ, **(environment or {})}
    with log.open("w") as errors:
        process = subprocess.Popen(
            [*torchrun, *program], env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
        )
        assert process.stdout is not None
        for line in process.stdout:
            words = line.split()
            if words[:1] == [PROGRESS]:
                yield int(words[1]), int(words[2])
            else:
                errors.write(line)
    if process.wait() != 0:
        stop(f"{program[0]} failed; the end of {log}:\n" + last_lines(log))


def show(reached: Iterator[tuple[int, int]], progress: Progress, task: TaskID) -> None:
    """Show on a bar how far workers are, until they have ended."""
    try:
        for done, total in reached:
            progress.update(task, completed=done, total=total)
    except SystemExit:
        progress.stop()
        raise


def last_lines(log: Path) -> str:
    """The last lines of a log."""
    return "\n".join(log.read_text().splitlines()[-40:])


def stop(why: str) -> NoReturn:
    """End the program with a message."""
    sys.exit(f"{Path(sys.argv[0]).name}: {why}")


def _wait_until_up(process: subprocess.Popen[bytes], kind: str, address: str, log: Path) -> None:
    host, port = address.split(":")
    deadline = time.monotonic() + START_LIMIT_S
    while time.monotonic() < deadline:
        if process.poll() is not None:
            stop(f"`netfold {kind}` ended with status {process.returncode}:\n{last_lines(log)}")
        try:
            socket.create_connection((host, int(port)), timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    stop(
        f"`netfold {kind}` did not listen at {address} within {START_LIMIT_S:g} s:\n{last_lines(log)}"
    )
