"""Process groups for tests: several processes in one group, and a list of checks that all of them
run in order.

Importing torch takes seconds, so one world runs many checks. A check is a function of rank and
size; when one fails, the ranks may be out of step, so the rest of that world is not run.
"""

from __future__ import annotations

import atexit
import contextlib
import datetime
import functools
import logging
import os
import shutil
import tempfile
import traceback
from collections.abc import Callable, Iterator
from typing import Any

from team import Processes

Check = Callable[[int, int], None]

TIMEOUT_S = 20.0


class Lines(logging.Handler):
    """Keeps the lines that netfold logs."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        logging.getLogger("netfold").addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one line."""
        self.lines.append(record.getMessage())


def init_group(
    rank: int, size: int, rendezvous: str, backend: str = "netfold", timeout_s: float = TIMEOUT_S
) -> None:
    """Make the default process group; the backend comes from the entry point or from an import of
    `netfold.torch`.
    """
    import torch
    import torch.distributed as dist

    import netfold.torch  # noqa: F401 - registers the backend also without the wheel's entry points

    torch.set_num_threads(1)
    dist.init_process_group(
        backend,
        init_method=f"file://{rendezvous}",
        rank=rank,
        world_size=size,
        timeout=datetime.timedelta(seconds=timeout_s),
    )


def rendezvous_file() -> str:
    """A path that does not exist yet, for the store of one world."""
    folder = tempfile.mkdtemp(prefix="netfold-test-")
    # Its world may use it until this process ends.
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return os.path.join(folder, "store")


def run_checks(
    rank: int,
    note: Callable[[Any], None],
    size: int,
    rendezvous: str,
    module: str,
    names: list[str],
) -> None:
    """A member of a world: runs the named checks of a module and notes each result."""
    import importlib

    import torch.distributed as dist

    init_group(rank, size, rendezvous)
    checks = importlib.import_module(module)
    try:
        for name in names:
            try:
                checks.CHECKS[name](rank, size)
            except Exception:
                note((name, traceback.format_exc()))
                return
            note((name, None))
    finally:
        dist.destroy_process_group()


@contextlib.contextmanager
def worlds(
    module: str, table: dict[str, tuple[int, dict[str, str], list[str]]]
) -> Iterator[Callable[[str], World]]:
    """Worlds at one switch, by title: size, environment, checks of `module`. Each runs when it is
    first asked for.
    """
    from netfold import _native

    server = _native.Switch()

    @functools.cache
    def run(title: str) -> World:
        size, environment, names = table[title]
        return World(size, module, names, {"NETFOLD_SWITCH": server.address, **environment})

    yield run
    server.close()


class World:
    """A world that has run its checks."""

    def __init__(
        self,
        size: int,
        module: str,
        names: list[str],
        environment: dict[str, str],
        limit_s: float = 150.0,
    ) -> None:
        team = Processes(
            size, run_checks, size, rendezvous_file(), module, names, environment=environment
        )
        self.outcomes = team.join(limit_s)

    def assert_passed(self, name: str) -> None:
        """Fail unless every rank has run this check without an error."""
        for rank, outcome in enumerate(self.outcomes):
            results = dict(outcome.notes)
            failed = [done for done, trace in outcome.notes if trace is not None]
            assert name in results, (
                f"rank {rank} did not come to it: {f'{failed[0]} failed' if failed else outcome.trace or 'killed'}"
            )
            assert results[name] is None, f"rank {rank}: {results[name]}"

    def assert_ended(self) -> None:
        """Fail unless every process ended by itself, in order."""
        for rank, outcome in enumerate(self.outcomes):
            assert outcome.error is None, f"rank {rank}: {outcome.trace}"
            assert outcome.exit_code == 0, f"rank {rank} ended with status {outcome.exit_code}"
