"""Forks and other children of a worker's process: a communicator belongs to the process that made
it, and what a child does with its copy changes nothing for the job.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

import netfold
from children import ended, forked
from netfold import _native
from team import LIMIT_S, Processes

_made: netfold.Communicator
_switch: str


ONES = np.ones(4, np.float32)
CALLS: dict[str, Callable[[netfold.Communicator], object]] = {
    "all_gather": lambda comm: comm.all_gather(ONES),
    "all_gather_v": lambda comm: comm.all_gather_v(ONES),
    "all_reduce": lambda comm: comm.all_reduce(ONES),
    "all_to_all": lambda comm: comm.all_to_all(ONES.reshape(2, 2)),
    "all_to_all_v": lambda comm: comm.all_to_all_v(ONES, [1, 3]),
    "barrier": lambda comm: comm.barrier(),
    "broadcast": lambda comm: comm.broadcast(ONES),
    "exscan": lambda comm: comm.exscan(ONES),
    "fused": lambda comm: comm.fused(["scan", "broadcast"])(ONES),
    "gather": lambda comm: comm.gather(ONES),
    "gather_v": lambda comm: comm.gather_v(ONES),
    "recv": lambda comm: comm.recv(ONES, 1),
    "reduce": lambda comm: comm.reduce(ONES),
    "reduce_scatter": lambda comm: comm.reduce_scatter(ONES.reshape(2, 2)),
    "reduce_scatter_v": lambda comm: comm.reduce_scatter_v(ONES, [1, 3]),
    "scan": lambda comm: comm.scan(ONES),
    "scatter": lambda comm: comm.scatter(ONES.reshape(2, 2)),
    "scatter_v": lambda comm: comm.scatter_v(ONES, [1, 3]),
    "send": lambda comm: comm.send(ONES, 1),
    "sendrecv": lambda comm: comm.sendrecv(ONES, 1, 1),
    "stats": lambda comm: comm.stats(),
    "subgroup": lambda comm: comm.subgroup([0, 1]),
    "with_operations": lambda comm: comm.with_operations([]),
}
"""Each public call, as worker 0 of two makes it."""

ALLOWED = {"close", "look_aside", "rank", "size"}
"""Members that a fork may use of its copy; `look_aside` needs an operation, and is otherwise made as all
calls are.
"""


def _calls_everything(parent: int) -> None:
    """Every call on the parent's communicator is refused by name; one that is made here works."""
    public = {name for name in dir(netfold.Communicator) if not name.startswith("_")}
    assert public == {*CALLS, *ALLOWED}
    for call in CALLS.values():
        with pytest.raises(
            netfold.ForkedError, match=f"process {parent}, of which process {os.getpid()} is a fork"
        ):
            call(_made)
    _made.close()
    _connects_anew(_switch)


def _connects_anew(switch: str) -> None:
    with netfold.connect(switch=switch, job=f"of {os.getpid()}", rank=0, size=1) as comm:
        np.testing.assert_array_equal(comm.all_reduce(np.arange(5, dtype=np.int32)), np.arange(5))


def _leaves_by_sys_exit() -> None:
    child = os.fork()
    if child == 0:
        # Through every `with` block of the parent, and the interpreter's end.
        sys.exit(7)
    assert ended(child) == 7


def _executes_programs() -> None:
    """A child that executes a program has nothing of netfold's open, and its parent goes on."""
    assert ended(os.posix_spawn("/bin/true", ["true"], os.environ)) == 0
    listing = "import os\nfor fd in os.listdir('/proc/self/fd'):\n  print(fd, os.path.realpath(f'/proc/self/fd/{fd}'))"
    shown = subprocess.run(
        [sys.executable, "-c", listing], check=True, capture_output=True, text=True, close_fds=False
    )
    descriptors = dict(line.split(" ", 1) for line in shown.stdout.splitlines())
    beyond = {fd: to for fd, to in descriptors.items() if int(fd) > 2}
    assert not [to for to in beyond.values() if "socket" in to or "memfd" in to], beyond


def _has_children(method: str, target: Callable[..., None], *arguments: object) -> None:
    child = multiprocessing.get_context(method).Process(target=target, args=arguments)
    child.start()
    child.join(LIMIT_S)
    assert child.exitcode == 0, f"{method}: {child.exitcode}"


CHILDREN: dict[str, Callable[[], object]] = {
    "os._exit": lambda: forked(lambda: None),
    "sys.exit": _leaves_by_sys_exit,
    "calls": lambda: _expect(forked(lambda: _calls_everything(os.getppid()))),
    "programs": _executes_programs,
    "fork": lambda: _has_children("fork", _calls_everything, os.getpid()),
    "spawn": lambda: _has_children("spawn", _connects_anew, _switch),
    "forkserver": lambda: _has_children("forkserver", _connects_anew, _switch),
}


def _expect(status: int) -> None:
    assert status == 0, f"the fork has ended with {status}"


def _has_each_child(rank: int, note: Callable[[object], None], switch: str, transport: str) -> None:
    global _made, _switch
    vector = np.full(1000, rank + 1, np.float32)
    with netfold.connect(
        switch=switch, job=transport, rank=rank, size=2, transport=transport
    ) as comm:
        _made, _switch = comm, switch
        for number, (what, have) in enumerate(CHILDREN.items()):
            if rank == 0:
                have()
            np.testing.assert_array_equal(
                comm.all_reduce(vector * number), np.full(1000, 3 * number)
            )
            note(what)


@pytest.mark.parametrize("transport", ["udp", "shm"])
def test_a_job_goes_on_whatever_the_children_of_a_worker_do(switch, transport):
    """Two workers, of which one has children; the sums of both are right after each."""
    for outcome in Processes(2, _has_each_child, switch, transport, parents=True).join():
        assert outcome.error is None, outcome.trace
        assert outcome.notes == list(CHILDREN)


def test_a_switch_stays_with_its_process():
    """A fork that closes, or drops, the switch of its parent leaves it to that."""
    server = _native.Switch()
    with contextlib.ExitStack() as stack:
        stack.callback(server.close)
        _expect(forked(server.close))
        _connects_anew(server.address)
