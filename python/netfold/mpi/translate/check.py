"""Original and translated program beside each other (R-TR-20)."""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .operation import command

TIME_LIMIT = 20.0
"""Seconds that a switch may take to start."""
MOST_RUNS = 5
"""Runs of the original."""


class CheckError(RuntimeError):
    """A program that cannot be built or run."""


@dataclass(frozen=True)
class Plan:
    """Commands that build and run the programs. The shell gets them with `{sources}` and `{program}`
    filled in, and `{netfold}`, the flags for netfold's header and library, which are empty for the
    original. They are put at the end of a command that does not say where.
    """

    build: str
    run: str
    library: Path
    """The folder of libnetfold_fused.so."""
    seconds: float
    """The longest that a run may take."""


@dataclass(frozen=True)
class Compared:
    """The result of a comparison."""

    words: int
    """Words that are compared."""
    varying: int
    """Words that differ between runs of the original, and are not."""
    different: tuple[str, ...]
    """The words that differ, as `original -> translated`."""

    @property
    def are_equal(self) -> bool:
        """True if nothing that is compared differs."""
        return not self.different


def check(plan: Plan, sources: Sequence[Path], translated: Sequence[Path]) -> Compared:
    """Build and run both programs: the original twice, and again as long as words differ from the
    translated one's, to learn whether they vary by themselves.

    Raises:
        CheckError: a program cannot be built, or a run fails or takes too long.
    """
    with tempfile.TemporaryDirectory(prefix="netfold-check-") as folder:
        original = _built(plan, sources, Path(folder, "original"), "")
        new = translated[0].parent
        flags = f"-I{new} -L{plan.library} -lnetfold_fused -Wl,-rpath,{plan.library}"
        program = _built(plan, translated, Path(folder, "translated"), flags)
        runs = [_run(plan, original, None) for _ in range(2)]
        with switch() as address:
            changed = _run(plan, program, address)
        while not (found := compare(runs, changed)).are_equal and len(runs) < MOST_RUNS:
            runs.append(_run(plan, original, None))
        return found


def compare(originals: Sequence[str], translated: str) -> Compared:
    """Compare what runs of both programs have printed, word by word."""
    words = [text.split() for text in (*originals, translated)]
    if len({len(it) for it in words}) > 1:
        counts = ", ".join(str(len(it)) for it in words)
        return Compared(0, 0, (f"the runs print other numbers of words: {counts}",))
    *before, after = words
    same = [at for at in range(len(after)) if len({run[at] for run in before}) == 1]
    different = [f"{words[0][at]} -> {after[at]}" for at in same if words[0][at] != after[at]]
    return Compared(len(same), len(words[0]) - len(same), tuple(different))


def _built(plan: Plan, sources: Sequence[Path], program: Path, flags: str) -> Path:
    listed = " ".join(shlex.quote(str(path)) for path in sources)
    line = plan.build if "{netfold}" in plan.build else f"{plan.build} {{netfold}}"
    filled = {"{sources}": listed, "{program}": str(program), "{netfold}": flags}
    for name, value in filled.items():
        line = line.replace(name, value)
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CheckError(f"`{line}` fails:\n{done.stderr.strip()}")
    return program


def _run(plan: Plan, program: Path, address: str | None) -> str:
    line = plan.run.replace("{program}", str(program))
    environment = dict(os.environ)
    if address is not None:
        environment["NETFOLD_SWITCH"] = address
    try:
        done = subprocess.run(
            line, shell=True, capture_output=True, text=True, check=False, env=environment,
            timeout=plan.seconds,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise CheckError(f"`{line}` takes longer than {plan.seconds:g} s") from error
    if done.returncode != 0:
        raise CheckError(f"`{line}` fails with status {done.returncode}:\n{done.stderr.strip()}")
    return done.stdout


@contextmanager
def switch() -> Iterator[str]:
    """Run a switch on loopback; gives its address."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
    process = subprocess.Popen(
        [command(), "switch", "--listen", address],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        _wait_for(process, address)
        yield address
    finally:
        process.terminate()
        process.wait()


def _wait_for(process: subprocess.Popen[str], address: str) -> None:
    host, port = address.rsplit(":", 1)
    end = time.monotonic() + TIME_LIMIT
    while time.monotonic() < end:
        if process.poll() is not None:
            said = process.stderr.read() if process.stderr is not None else ""
            raise CheckError(f"the switch does not start: {said.strip()}")
        try:
            socket.create_connection((host, int(port)), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    raise CheckError(f"the switch does not answer within {TIME_LIMIT:g} s")
