"""Original and translated program beside each other (R-TR-20)."""

from __future__ import annotations

import os
import re
import shlex
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from .operation import command

TIME_LIMIT = 20.0
"""Seconds that a switch may take to start."""
MOST_RUNS = 5
"""Runs of the original."""
_TAKEN = re.compile(r"^ .*\s+netfold\s+(\d+)\s", re.MULTILINE)
"""Lines of the library's report, and the calls in them."""


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
    folder: Path
    """The folder of what was written."""
    fused: Path | None
    """The folder of libnetfold_fused.so, if the program makes fused calls."""
    preloaded: Path | None
    """The folder of libnetfold_mpi.so, if operations of the program have bodies."""
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
    taken: int = 0
    """Collectives of the translated program that the preloaded library carried out."""

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
        program = original
        if plan.fused is not None:
            library = f"-L{plan.fused} -lnetfold_fused -Wl,-rpath,{plan.fused}"
            flags = f"-I{plan.folder} {library}"
            program = _built(plan, translated, Path(folder, "translated"), flags)
        runs = [_run(plan, original, None)[0] for _ in range(2)]
        with switch() as address:
            changed, told = _run(plan, program, address)
        while not (found := compare(runs, changed)).are_equal and len(runs) < MOST_RUNS:
            runs.append(_run(plan, original, None)[0])
        return replace(found, taken=sum(map(int, _TAKEN.findall(told))))


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


def _run(plan: Plan, program: Path, address: str | None) -> tuple[str, str]:
    """Return what a run prints on its output, and what else it tells."""
    line = plan.run.replace("{program}", str(program))
    environment = dict(os.environ)
    if address is not None:
        environment["NETFOLD_SWITCH"] = address
        if plan.preloaded is not None:
            before = environment.get("LD_PRELOAD")
            library = str(plan.preloaded / "libnetfold_mpi.so")
            environment["LD_PRELOAD"] = f"{library}:{before}" if before else library
            environment["NETFOLD_MPI_OPERATIONS"] = str((plan.folder / "operations").resolve())
            environment |= {"NETFOLD_MPI_TABLE": "all", "NETFOLD_MPI_REPORT": "1"}
    try:
        done = subprocess.run(
            line, shell=True, capture_output=True, text=True, check=False, env=environment,
            timeout=plan.seconds,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise CheckError(f"`{line}` takes longer than {plan.seconds:g} s") from error
    if done.returncode != 0:
        raise CheckError(f"`{line}` fails with status {done.returncode}:\n{done.stderr.strip()}")
    return done.stdout, done.stderr


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
