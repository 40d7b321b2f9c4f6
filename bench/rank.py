"""Ranks of a contender that is called from Python, commanded over a Unix socket as `team.py`
describes.

`python -m bench.rank FRONT` is a process for one rank or, where all ranks share a host, the parent
of one process for each: the libraries are then loaded once.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from .vectors import COLLECTIVES, ROOT, Vectors


class Front(Protocol):
    """A way to make one collective call on vectors of float32."""

    vectors: Vectors | None
    """This rank's input and output; None before the first :meth:`resize`."""

    def resize(self, vectors: Vectors) -> None:
        """Have these vectors."""

    def call(self) -> None:
        """Make the collective call."""

    def barrier(self) -> None:
        """Return when all ranks have called it."""

    def hello(self) -> dict[str, Any]:
        """Facts about this side for a reader of the results, by name."""

    def close(self) -> None:
        """Leave the other ranks."""


class TorchFront:
    """A front over `torch.distributed`, with the backend `gloo` or `netfold`."""

    def __init__(self, backend: str, rank: int, size: int, store: str) -> None:
        import torch
        import torch.distributed as dist

        torch.set_num_threads(1)
        self._torch = torch
        self._dist = dist
        self._backend = backend
        self.vectors: Vectors | None = None
        self._make: Callable[[], object] = dist.barrier
        dist.init_process_group(backend, init_method=f"file://{store}", rank=rank, world_size=size)

    def resize(self, vectors: Vectors) -> None:
        """Take other vectors; see :meth:`Front.resize`."""
        self.vectors = vectors
        dist, size = self._dist, self._dist.get_world_size()
        given, taken = self._torch.from_numpy(vectors.input), self._torch.from_numpy(vectors.output)
        # A root has a list of parts, and the others have none.
        parts = list(given.chunk(size)), list(taken.chunk(size))
        at_root = dist.get_rank() == ROOT
        self._make = {
            "all_reduce": lambda: dist.all_reduce(taken),
            "all_gather": lambda: dist.all_gather_into_tensor(taken, given),
            "gather": lambda: dist.gather(given, parts[1] if at_root else None, ROOT),
            "scatter": lambda: dist.scatter(taken, parts[0] if at_root else None, ROOT),
            "all_to_all": lambda: dist.all_to_all_single(taken, given),
        }[vectors.collective]

    def call(self) -> None:
        """Make the call; see :meth:`Front.call`."""
        self._make()

    def barrier(self) -> None:
        """Wait for all ranks; see :meth:`Front.barrier`."""
        self._dist.barrier()

    def hello(self) -> dict[str, Any]:
        """Describe this side; see :meth:`Front.hello`."""
        if self._backend != "netfold":
            return {"version": f"torch {self._torch.__version__}"}
        from netfold.torch import backend_of

        # The job is complete only with its first call.
        self.barrier()
        return netfold_hello(backend_of().stats()) | {"torch": str(self._torch.__version__)}

    def close(self) -> None:
        """Leave the other ranks; see :meth:`Front.close`."""
        self._dist.destroy_process_group()


class NumpyFront:
    """A front over netfold's communicator for NumPy arrays. With `stages` a chain of collectives is
    not fused, but made call by call.
    """

    def __init__(self, rank: int, size: int, job: str, *, stages: bool = False) -> None:
        import netfold

        self._stages = stages
        self.vectors: Vectors | None = None
        self._comm = netfold.connect(job=job, rank=rank, size=size)
        self._make: Callable[[], object] = self._comm.barrier

    def resize(self, vectors: Vectors) -> None:
        """Take other vectors; see :meth:`Front.resize`."""
        self.vectors = vectors
        comm, given, taken = self._comm, vectors.input, vectors.output
        rows = comm.size, -1
        everyones = np.broadcast_to(taken, (comm.size, len(taken)))
        at_root = comm.rank == ROOT
        self._make = {
            "all_reduce": lambda: comm.all_reduce(taken, out=taken),
            "all_gather": lambda: comm.all_gather(given, out=taken.reshape(rows)),
            "gather": lambda: comm.gather(
                given, ROOT, out=taken.reshape(rows) if at_root else None
            ),
            "scatter": lambda: comm.scatter(
                given.reshape(rows) if at_root else everyones, ROOT, out=taken
            ),
            "all_to_all": lambda: comm.all_to_all(given.reshape(rows), out=taken.reshape(rows)),
            "scan": lambda: comm.scan(given, out=taken),
            "prefixes": self._prefixes(given, taken),
        }[vectors.collective]

    def _prefixes(self, given: np.ndarray, taken: np.ndarray) -> Callable[[], object]:
        from netfold import stage

        comm = self._comm
        out = taken.reshape(comm.size, -1) if len(taken) == comm.size * len(given) else None
        if not self._stages:
            chain = comm.fused([stage.all_gather(), stage.scan("sum"), stage.all_gather()])
            return lambda: chain(given, out=out)
        stages = GatheredPrefixes(given, comm.rank, comm.size)

        def call() -> None:
            comm.all_gather(given, out=stages.gathered)
            comm.all_gather(stages.fold(), out=out)

        return call

    def call(self) -> None:
        """Make the call; see :meth:`Front.call`."""
        self._make()

    def barrier(self) -> None:
        """Wait for all ranks; see :meth:`Front.barrier`."""
        self._comm.barrier()

    def hello(self) -> dict[str, Any]:
        """Describe this side; see :meth:`Front.hello`."""
        return netfold_hello(self._comm.stats())

    def close(self) -> None:
        """Leave the other ranks; see :meth:`Front.close`."""
        self._comm.close()


class GatheredPrefixes:
    """The memory between two all-gathers, and the prefix sum of a rank."""

    def __init__(self, given: np.ndarray, rank: int, size: int) -> None:
        self.gathered = np.empty((size, len(given)), given.dtype)
        self._prefix = np.empty_like(given)
        self._rank = rank

    def fold(self) -> np.ndarray:
        """Return the sum of what the ranks up to this one have given, in their order."""
        np.add.reduce(self.gathered[: self._rank + 1], axis=0, out=self._prefix)
        return self._prefix


class Mpi4pyFront:
    """A front over mpi4py, with NumPy for the prefix sum."""

    def __init__(self) -> None:
        from mpi4py import MPI

        self.vectors: Vectors | None = None
        self._mpi = MPI
        self._comm = MPI.COMM_WORLD
        self._make: Callable[[], object] = self._comm.Barrier

    def resize(self, vectors: Vectors) -> None:
        """Take other vectors; see :meth:`Front.resize`."""
        self.vectors = vectors
        comm, given, taken = self._comm, vectors.input, vectors.output
        if vectors.collective == "all_gather":
            self._make = lambda: comm.Allgather(given, taken)
            return
        stages = GatheredPrefixes(given, comm.Get_rank(), comm.Get_size())

        def call() -> None:
            comm.Allgather(given, stages.gathered)
            comm.Allgather(stages.fold(), taken)

        self._make = call

    def call(self) -> None:
        """Make the call; see :meth:`Front.call`."""
        self._make()

    def barrier(self) -> None:
        """Wait for all ranks; see :meth:`Front.barrier`."""
        self._comm.Barrier()

    def hello(self) -> dict[str, Any]:
        """Describe this side; see :meth:`Front.hello`."""
        import mpi4py

        library = self._mpi.Get_library_version().partition(",")[0]
        return {"version": f"mpi4py {mpi4py.__version__}, {library}"}

    def close(self) -> None:
        """Leave the other ranks; see :meth:`Front.close`."""
        self._mpi.Finalize()


def netfold_hello(stats: dict[str, Any]) -> dict[str, Any]:
    """Version, and the counters that describe the job."""
    import netfold

    told = ("transport", "payload_bytes", "slots", "long_slots", "flows", "segmentation")
    return {"version": netfold.__version__} | {key: stats[key] for key in told if key in stats}


class Rank:
    """Loop that carries out the controller's commands."""

    def __init__(self, front: Front, collective: str, rank: int, size: int) -> None:
        self._front = front
        self._collective = collective
        self._rank = rank
        self._size = size

    def obey(self, path: str) -> None:
        """Carry out the commands of this socket until it ends or the controller does."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(path)
            with connection.makefile("rw") as controller:
                hello = json.dumps(self._front.hello())
                print("hello", self._rank, hello, file=controller, flush=True)
                for line in controller:
                    command, *numbers = line.split()
                    if command == "end":
                        return
                    print(
                        self._answer(command, [int(number) for number in numbers]),
                        file=controller,
                        flush=True,
                    )

    def _answer(self, command: str, numbers: list[int]) -> str:
        match command, numbers:
            case "check", [size]:
                self._resize(size)
                return self._check()
            case "fill", [size]:
                self._resize(size).refill()
                return "ok"
            case "run", [calls, refill] if refill > 0:
                return f"done {self._run(calls, refill):.9f}"
            case "apart", [calls]:
                return " ".join(
                    ["times", *(f"{seconds:.9f}" for seconds in self._run_apart(calls))]
                )
        return "failed unknown command"

    def _resize(self, size: int) -> Vectors:
        vectors = self._front.vectors
        if vectors is None or vectors.bytes != size:
            # Freed before others are made.
            self._front.vectors = vectors = None
            vectors = Vectors(self._collective, size, self._rank, self._size)
            self._front.resize(vectors)
        return vectors

    def _check(self) -> str:
        assert self._front.vectors is not None
        self._front.vectors.fill()
        self._front.call()
        return self._front.vectors.check()

    def _run(self, calls: int, refill: int) -> float:
        front, vectors = self._front, self._front.vectors
        assert vectors is not None
        seconds = 0.0
        front.barrier()
        while calls > 0:
            burst = min(calls, refill)
            start = time.perf_counter()
            for _ in range(burst):
                front.call()
            seconds += time.perf_counter() - start
            calls -= burst
            if calls > 0:
                vectors.refill()
        return seconds

    def _run_apart(self, calls: int) -> list[float]:
        front, vectors = self._front, self._front.vectors
        assert vectors is not None
        times = []
        for _ in range(calls):
            vectors.refill()
            front.barrier()
            start = time.perf_counter()
            front.call()
            times.append(time.perf_counter() - start)
        return times


def core_of(rank: int) -> int:
    """The core of a rank that is bound: ranks take turns with those that this process may use."""
    cores = sorted(os.sched_getaffinity(0))
    return cores[rank % len(cores)]


def serve(arguments: argparse.Namespace, rank: int) -> None:
    """Run one rank."""
    if arguments.bound:
        os.sched_setaffinity(0, {core_of(rank)})
    if arguments.front == "mpi4py":
        front: Front = Mpi4pyFront()
    elif arguments.front in ("numpy", "numpy-stages"):
        stages = arguments.front == "numpy-stages"
        front = NumpyFront(rank, arguments.size, arguments.job, stages=stages)
    else:
        front = TorchFront(arguments.front, rank, arguments.size, arguments.store)
    Rank(front, arguments.collective, rank, arguments.size).obey(arguments.socket)
    front.close()


def fork(arguments: argparse.Namespace) -> int:
    """Run all ranks as child processes. Returns the exit status of the first that fails, after
    ending the others.
    """
    if arguments.front.startswith("numpy"):
        import netfold  # noqa: F401 - loaded once, before the ranks part
    else:
        import torch.distributed  # noqa: F401 - likewise
    children = []
    for rank in range(arguments.size):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                # Until here, a signal is the parent's affair.
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                serve(arguments, rank)
                status = 0
            except Exception as error:
                # The traceback would not be printed: this process ends without the interpreter's
                # usual end.
                sys.excepthook(type(error), error, error.__traceback__)
            finally:
                sys.stderr.flush()
                os._exit(status)
        children.append(child)

    def end_children(number: int, frame: object) -> None:
        del number, frame
        for child in children:
            os.kill(child, signal.SIGTERM)

    signal.signal(signal.SIGTERM, end_children)
    status = 0
    while children:
        child, code = os.wait()
        children.remove(child)
        if code != 0 and status == 0:
            status = 1
            end_children(signal.SIGTERM, None)
    return status


def main() -> None:
    """Command line, for `launch.py`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("front", choices=["gloo", "netfold", "numpy", "numpy-stages", "mpi4py"])
    parser.add_argument("--socket", required=True, help="of the controller")
    parser.add_argument("--collective", choices=COLLECTIVES, default="all_reduce")
    parser.add_argument("--size", type=int, required=True, help="number of ranks")
    parser.add_argument(
        "--rank", type=int, help="this process's; without it, the process starts all of them"
    )
    parser.add_argument(
        "--store", required=True, help="file in which PyTorch's ranks find each other"
    )
    parser.add_argument("--job", required=True, help="netfold's job")
    parser.add_argument("--bound", action="store_true", help="bind ranks to cores in turn")
    arguments = parser.parse_args()
    if arguments.front == "mpi4py":
        # Its launcher has started all of them.
        arguments.rank = int(os.environ["OMPI_COMM_WORLD_RANK"])
    if arguments.rank is None:
        sys.exit(fork(arguments))
    serve(arguments, arguments.rank)


if __name__ == "__main__":
    main()
