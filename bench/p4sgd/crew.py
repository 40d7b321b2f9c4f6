"""The workers: processes of `glm/bench`, commanded through one socket, a line of JSON each way.

They hold all exchanges that are compared, on the same samples and pinned to the same cores, so that
contenders differ in nothing else. Where Open MPI is there, mpirun starts them; where it is not,
they are started without it, and the ways that need it are left out.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import socket
import struct
import subprocess
import time
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from ..launch import ROOT, UnavailableError, netfold_program
from ..place import bare_environment
from .plan import BITS, Contender, Stage

PROGRAM = "netfold-bench-sgd"
"""Package and program; its source is in glm/bench."""
MPI_TOOLS = ("mpicc.openmpi", "mpirun.openmpi")

BUILD_S = 3600.0
JOIN_S = 60.0
"""Time within which all workers must be ready."""
ANSWER_S = 300.0
"""Time limit of an answer: wide samples are generated in seconds, and a loaded machine is slow."""
LEAVE_S = 10.0
POLL_S = 0.1


class CrewError(RuntimeError):
    """The workers cannot be started, or have failed; the message says why."""


def missing_mpi() -> list[str]:
    """Commands of Open MPI's that are not there."""
    return [tool for tool in MPI_TOOLS if shutil.which(tool) is None]


def build() -> Path:
    """Compile the worker, with Open MPI where it is there.

    Raises:
        CrewError: it does not compile.
    """
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    argv = [
        "cargo",
        "build",
        "--locked",
        "--release",
        "--package",
        PROGRAM,
        "--target-dir",
        str(target),
    ]
    if not missing_mpi():
        argv += ["--features", "openmpi"]
    try:
        done = subprocess.run(
            argv, cwd=ROOT, capture_output=True, text=True, timeout=BUILD_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CrewError(f"{PROGRAM} cannot be built: {error}") from error
    if done.returncode:
        raise CrewError(f"{PROGRAM} does not compile:\n{done.stderr.strip()}")
    return target / "release" / PROGRAM


class Crew:
    """Workers, and a switch if there are several. :meth:`close` ends them."""

    def __init__(self, program: Path, workers: int, folder: Path) -> None:
        self.workers = workers
        self.pids: list[int] = []
        """Processes of the workers."""
        self.mpi: str | None = None
        """Name and version of the MPI library."""
        self._streams: list[TextIOWrapper] = []
        self._processes: list[subprocess.Popen[Any]] = []
        self._log = folder / f"log-{workers}"
        try:
            self._start(program, folder / f"socket-{workers}")
        except BaseException:
            self.close()
            raise

    def hold(self, stage: Stage, folder: Path) -> None:
        """Have a stage's samples, and no others; sparse ones are in the folder.

        Raises:
            CrewError: as it says; all methods may.
        """
        samples = stage.samples
        source: dict[str, Any] = {"dense": {"rows": samples.rows, "features": samples.features}}
        if samples.sparse:
            stem = folder / samples.stem
            source = {"file": {"features": f"{stem}.npz", "labels": f"{stem}.npy"}}
        engines, by_rows = stage.engines(self.workers), stage.by_rows(self.workers)
        self._order(
            {"hold": {"samples": source, "bits": BITS, "engines": engines, "rows_too": by_rows}}
        )

    def fit(self, stage: Stage, contender: Contender) -> list[dict[str, float]]:
        """Train from zeros. Of each epoch the loss, the seconds of the slowest worker, and the
        bytes that each of them has submitted.
        """
        answers = self._fit(stage, contender, traced=False)
        return [
            {
                "loss": told[0]["loss"],
                "seconds": max(each["seconds"] for each in told),
                "bytes": told[0]["bytes"],
            }
            for told in zip(*(answer["epochs"] for answer in answers), strict=True)
        ]

    def trace(self, stage: Stage, contender: Contender) -> list[dict[str, float]]:
        """Train from zeros with a trace (R-GLM-30). Of each worker the seconds of its epochs, of
        its folds, and of these the hidden ones. All later fits have their calls timed, too.
        """
        return [
            {
                "seconds": sum(epoch["seconds"] for epoch in answer["epochs"]),
                "folds": answer["folds"]["total"],
                "hidden": answer["folds"]["hidden"],
            }
            for answer in self._fit(stage, contender, traced=True)
        ]

    def close(self) -> None:
        """End the processes. Closing twice is fine."""
        for stream in self._streams:
            stream.close()
        self._streams.clear()
        for process in reversed(self._processes):
            # Workers end with their orders, and a switch when it is told to.
            if process.stdout is not None:
                process.terminate()
                process.stdout.close()
            try:
                process.wait(LEAVE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._processes.clear()

    def _start(self, program: Path, path: Path) -> None:
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(path))
            listener.listen(self.workers)
            listener.settimeout(POLL_S)
            switch = self._start_switch() if self.workers > 1 else None
            for argv in self._commands(program, path):
                self._popen(argv, stdout=None)
            deadline = time.monotonic() + JOIN_S
            while len(self._streams) < self.workers:
                try:
                    connection, _ = listener.accept()
                except TimeoutError:
                    if time.monotonic() > deadline or any(
                        process.poll() for process in self._processes
                    ):
                        raise CrewError(f"workers did not start: {self._last_words()}") from None
                    continue
                connection.settimeout(ANSWER_S)
                peer = connection.getsockopt(
                    socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")
                )
                self.pids.append(struct.unpack("3i", peer)[0])
                with connection:
                    self._streams.append(connection.makefile("rw"))
        self.mpi = self._hear()[0]["mpi"]
        if switch is not None:
            self._order(
                {
                    "join": {
                        "switch": switch,
                        "job": f"sgd-{secrets.token_hex(4)}",
                        "transport": "shm",
                    }
                }
            )

    def _commands(self, program: Path, path: Path) -> list[list[str]]:
        if missing_mpi():
            return [
                [str(program), str(path), str(rank), str(self.workers)]
                for rank in range(self.workers)
            ]
        # As bench/launch.py starts Open MPI in shared memory; workers pin themselves.
        components = {"pml": "ob1", "btl": "vader,self", "plm": "isolated"}
        options = [word for name, value in components.items() for word in ("--mca", name, value)]
        count = ["-n", str(self.workers), "--oversubscribe", "--bind-to", "none"]
        return [["mpirun.openmpi", *count, *options, str(program), str(path)]]

    def _start_switch(self) -> str:
        try:
            program = netfold_program()
        except UnavailableError as error:
            raise CrewError(str(error)) from error
        argv = [program, "switch", "--listen", "127.0.0.1:0", "--log", "warn"]
        switch = self._popen(argv, stdout=subprocess.PIPE)
        assert switch.stdout is not None
        for line in switch.stdout:
            _, found, address = line.partition("NETFOLD_SWITCH=")
            if found:
                return address.strip()
        raise CrewError(f"the switch has ended: {self._last_words()}")

    def _popen(self, argv: Sequence[str], stdout: int | None) -> subprocess.Popen[str]:
        root = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
        with self._log.open("ab") as log:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=log if stdout is None else stdout,
                stderr=log,
                env=bare_environment() | root,
                text=True,
                # As bench/launch.py says.
                process_group=0,
            )
        self._processes.append(process)
        return process

    def _fit(self, stage: Stage, contender: Contender, *, traced: bool) -> list[dict[str, Any]]:
        fit = {
            "through": contender.way.through,
            "spread": contender.way.spread,
            "batch": contender.batch,
            "micro_batch": contender.micro_batch,
            "engines": contender.engines,
            "epochs": stage.epochs,
            "eta": stage.samples.step,
            "traced": traced,
        }
        return [answer["fitted"] for answer in self._order({"fit": fit})]

    def _order(self, order: dict[str, Any]) -> list[dict[str, Any]]:
        for stream in self._streams:
            print(json.dumps(order), file=stream, flush=True)
        answers = self._hear()
        for answer in answers:
            if isinstance(answer, dict) and "failed" in answer:
                raise CrewError(f"a worker: {answer['failed']}")
        return answers

    def _hear(self) -> list[Any]:
        try:
            lines = [stream.readline() for stream in self._streams]
        except OSError as error:
            raise CrewError(f"a worker does not answer: {error}; {self._last_words()}") from error
        if not all(lines):
            raise CrewError(f"a worker has ended: {self._last_words()}")
        return [json.loads(line) for line in lines]

    def _last_words(self) -> str:
        text = self._log.read_text(errors="replace") if self._log.exists() else ""
        return "; ".join(text.splitlines()[-3:]) or "they said nothing"
