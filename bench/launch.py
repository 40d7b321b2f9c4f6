"""Start of each contender's processes at a place."""

from __future__ import annotations

import importlib.util
import json
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from . import openmpi
from .place import Host, Loopback, Place, bare_environment
from .plan import AUTO, Contender
from .rank import core_of

ROOT = Path(__file__).resolve().parent.parent
SOURCE = Path(__file__).with_name("peers") / "collective.c"

MPI_COMPILERS = {
    "openmpi-tcp": "mpicc.openmpi",
    "openmpi-shm": "mpicc.openmpi",
    "mpich": "mpicc.mpich",
}

MPI_LAUNCHERS = {
    "openmpi-tcp": "mpirun.openmpi",
    "openmpi-shm": "mpirun.openmpi",
    "mpi4py": "mpirun.openmpi",
    "mpich": "mpiexec.mpich",
}


class UnavailableError(RuntimeError):
    """A contender that cannot take part here; the message says why."""


@dataclass
class Launch:
    """A contender's processes, and what they need to find each other.

    Args:
        contender: what is started.
        size: its number of ranks.
        place: where.
        folder: for files of this launch, which other launches do not use.
        build: where compiled programs are kept.
    """

    contender: Contender
    size: int
    place: Place
    folder: Path
    build: Path
    processes: list[subprocess.Popen[Any]] = field(default_factory=list)
    """Processes that were started: launchers of ranks, ranks, and a switch."""
    switch: subprocess.Popen[str] | None = None
    """The switch among them, if there is one."""

    @property
    def socket(self) -> Path:
        """Path of the socket at which the ranks find the controller."""
        return self.folder / "socket"

    @property
    def _one_host(self) -> bool:
        """True if all ranks share a host, so that one process can start the others."""
        return isinstance(self.place, Loopback)

    @property
    def log(self) -> Path:
        """File with the output of all processes."""
        return self.folder / "log"

    def start(self) -> None:
        """Start everything. The ranks connect to the socket when they are ready.

        Raises:
            UnavailableError: as it says.
        """
        match self.contender.peer:
            case "gloo":
                self._start_python("gloo", {})
            case "netfold":
                self._start_netfold()
            case "mpich":
                self._start_mpich()
            case _:
                self._start_openmpi()

    def _popen(
        self, host: Host, argv: Sequence[str], settings: Mapping[str, str], **options: Any
    ) -> subprocess.Popen[Any]:
        environment = bare_environment() | dict(settings) | dict(self.contender.environment)
        with self.log.open("ab") as log:
            streams: dict[str, int | IO[bytes]] = {
                "stdin": subprocess.DEVNULL,
                "stdout": log,
                "stderr": log,
            }
            # In a group of its own, so that an interrupt at the terminal reaches this process only,
            # which then ends all others in order. Not in a session of its own: where Linux shares
            # cores among sessions, ranks that one launcher has started are in the same one, and a
            # rank that lends its core lends it to the others of that.
            process = self.place.popen(
                host, argv, env=environment, process_group=0, cwd=self.folder, **(streams | options)
            )
        self.processes.append(process)
        return process

    def _start_python(self, front: str, settings: Mapping[str, str]) -> None:
        argv = [
            sys.executable,
            "-m",
            "bench.rank",
            front,
            "--socket",
            str(self.socket),
            "--size",
            str(self.size),
            "--collective",
            self.contender.collective,
        ]
        argv += ["--store", str(self.folder / "store"), "--job", f"bench-{secrets.token_hex(4)}"]
        if self._bound:
            argv.append("--bound")
        settings = {"PYTHONPATH": _python_path(), **settings}
        if self._one_host:
            self._popen(0, argv, settings)
            return
        for rank in range(self.size):
            self._popen(rank, [*argv, "--rank", str(rank)], settings)

    @property
    def _bound(self) -> bool:
        """True if workers are bound to cores in turn, as `mpirun` does with its ranks. Over a
        network the switch is somewhere, too.
        """
        return self.contender.transport == "shm" and self._one_host

    def _start_netfold(self) -> None:
        contender = self.contender
        program = netfold_program()
        settings = {
            "NETFOLD_ARITHMETIC": contender.arithmetic,
            "NETFOLD_PROTOCOL": contender.protocol,
        }
        if contender.transport != AUTO:
            settings["NETFOLD_TRANSPORT"] = contender.transport
        listen = f"{self.place.switch_address}:0"
        argv = [program, "switch", "--listen", listen, "--log", "warn"]
        self.switch = self._popen("switch", argv, {}, stdout=subprocess.PIPE, text=True)
        settings["NETFOLD_SWITCH"] = self._switch_address()
        if contender.front == "native":
            self._start_native(program, settings)
        else:
            front = "netfold" if contender.front == "torch" else contender.front
            self._start_python(front, settings)

    def _switch_address(self) -> str:
        assert self.switch is not None
        assert self.switch.stdout is not None
        for line in self.switch.stdout:
            _, found, address = line.partition("NETFOLD_SWITCH=")
            if found:
                return address.strip()
        raise UnavailableError(f"the switch has ended: {self.last_words()}")

    def _start_native(self, program: str, settings: Mapping[str, str]) -> None:
        orders: dict[str, Any] = {
            "switch": settings["NETFOLD_SWITCH"],
            "job": f"bench-{secrets.token_hex(4)}",
            "workers": self.size,
            "arithmetic": self.contender.arithmetic,
            "byte_order": "little",
            "protocol": self.contender.protocol,
            "transport": settings.get("NETFOLD_TRANSPORT"),
            "element_type": self.contender.element_type,
            "priority": None if self.contender.priority == AUTO else self.contender.priority,
            "sizes": [],
            "iterations": 0,
            "controller": str(self.socket),
        }
        for rank in range(self.size):
            binding = ["taskset", "--cpu-list", str(core_of(rank))] if self._bound else []
            argv = [*binding, program, "bench-worker"]
            process = self._popen(rank, argv, settings, stdin=subprocess.PIPE, text=True)
            assert process.stdin is not None
            with process.stdin as orders_of_rank:
                print(json.dumps(orders | {"rank": rank}), file=orders_of_rank)

    def _start_openmpi(self) -> None:
        program = self._mpi_command()
        options = ["-n", str(self.size), "--oversubscribe"]
        if self.contender.peer == "openmpi-shm":
            options += openmpi.components({"pml": "ob1", "btl": "vader,self"})
        else:
            options += openmpi.tcp(self.place)
        if self._one_host:
            # Nothing is started elsewhere, so no ssh is needed. Ranks take turns with cores: left
            # to the scheduler, some share a core while another has one to itself.
            options += openmpi.components({"plm": "isolated"})
            options += ["--map-by", "core", "--bind-to", "core:overload-allowed"]
        else:
            options += openmpi.on_hosts(self.place, self.size, self.folder / "agent")
        options += ["-x", "PYTHONPATH"]
        argv = [MPI_LAUNCHERS[self.contender.peer], *options, *program]
        self._popen("switch", argv, {"PYTHONPATH": _python_path(), **openmpi.AS_ROOT})

    def _mpi_command(self) -> list[str]:
        """The command line that an MPI launcher starts."""
        if self.contender.peer != "mpi4py":
            return [str(self._mpi_program()), str(self.socket), self.contender.collective]
        if importlib.util.find_spec("mpi4py") is None:
            raise UnavailableError("there is no mpi4py; install requirements-bench.txt")
        if shutil.which(MPI_LAUNCHERS["mpi4py"]) is None:
            raise UnavailableError(
                "there is no Open MPI; scripts/bench-peers.sh installs it, or says what to install"
            )
        return [
            *(sys.executable, "-m", "bench.rank", "mpi4py", "--socket", str(self.socket)),
            *("--size", str(self.size), "--collective", self.contender.collective),
            *("--store", str(self.folder / "store"), "--job", "none"),
        ]

    def _start_mpich(self) -> None:
        cores = len(os.sched_getaffinity(0))
        if self.size > cores:
            raise UnavailableError(
                f"MPICH waits by spinning, and {self.size} ranks have only {cores} cores"
            )
        argv = [
            MPI_LAUNCHERS["mpich"],
            "-n",
            str(self.size),
            str(self._mpi_program()),
            str(self.socket),
            self.contender.collective,
        ]
        self._popen(0, argv, {})

    def _mpi_program(self) -> Path:
        """The compiled program for this contender's library; it is kept until its source changes."""
        peer = self.contender.peer
        compiler = MPI_COMPILERS[peer]
        for tool in (compiler, MPI_LAUNCHERS[peer]):
            if shutil.which(tool) is None:
                raise UnavailableError(
                    f"there is no {tool}; scripts/bench-peers.sh installs it, or says what to install"
                )
        program = self.build / f"collective-{compiler.partition('.')[2]}"
        if not program.exists() or program.stat().st_mtime < SOURCE.stat().st_mtime:
            self.build.mkdir(parents=True, exist_ok=True)
            # Several runs may compile at the same time: each into a file of its own.
            fresh = program.with_suffix(f".{os.getpid()}")
            argv = [compiler, "-O2", "-Wall", "-Wextra", "-o", str(fresh), str(SOURCE)]
            done = subprocess.run(argv, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise UnavailableError(
                    f"{SOURCE.name} does not compile with {compiler}: {done.stderr.strip()}"
                )
            fresh.replace(program)
        return program

    def last_words(self) -> str:
        """The last lines of the processes' output, joined into one."""
        text = self.log.read_text(errors="replace") if self.log.exists() else ""
        lines = [line.strip() for line in text.splitlines() if line.strip(" -")]
        return "; ".join(lines[-3:]) or "they said nothing"


def _python_path() -> str:
    return os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))


def netfold_program() -> str:
    """The `netfold` command: beside this interpreter, or on the PATH.

    Raises:
        UnavailableError: there is no such command.
    """
    beside = Path(sys.executable).parent / "netfold"
    found = str(beside) if beside.exists() else shutil.which("netfold")
    if found is None:
        raise UnavailableError("there is no netfold command; `make build` makes one")
    return found
