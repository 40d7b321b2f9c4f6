"""PyTorch's own tests of backends, `torch.testing._internal.distributed.distributed_test`, on a
backend by name.

The suite starts four processes for each test; importing torch in them takes longer than most tests.
Here four processes run many tests, each with a process group of its own. The decorators of the
suite skip what Gloo does not have, and are evaluated for Gloo whatever the backend is: a test is in
the list for both, or for neither.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import traceback
import unittest
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

import torch_suite_devices
from team import Processes

SIZE = 4
TEST_LIMIT_S = 300.0
FAILURE_LIMIT_S = 10.0
"""Time within which the other ranks must fail, too."""
PASSED, SKIPPED = "passed", "skipped"


def load(backend: str) -> ModuleType:
    """The suite for a backend; its tests for accelerators are there without any."""
    os.environ |= {
        "BACKEND": "gloo",
        "WORLD_SIZE": str(SIZE),
        "INIT_METHOD": f"file://{os.environ['TEMP_DIR']}/again",
        "MASTER_ADDR": "127.0.0.1",
    }
    torch_suite_devices.lift_skips()
    from torch.testing._internal.distributed import distributed_test

    distributed_test.BACKEND = backend
    return distributed_test


def names() -> list[str]:
    """The suite's tests that are not skipped for Gloo before they begin."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TEMP_DIR"] = folder
        base = load("gloo").DistributedTest._DistTestBase
    tests = [name for name in dir(base) if name.startswith("test_")]
    return [name for name in tests if not getattr(getattr(base, name), "__unittest_skip__", False)]


def results(backend: str, tests: Sequence[str], **environment: str) -> dict[str, str]:
    """Return the outcome of each test: `passed`, `skipped`, or the failure. A failure of some ranks
    costs a new team.
    """
    done: dict[str, str] = {}
    while len(done) < len(tests):
        with tempfile.TemporaryDirectory(prefix="netfold-suite-") as folder:
            done |= _run_team(
                backend, [name for name in tests if name not in done], folder, environment
            )
    return done


def _run_team(
    backend: str, tests: Sequence[str], folder: str, environment: dict[str, str]
) -> dict[str, str]:
    """The results of one team, up to the first test that fails at some ranks alone."""
    team = Processes(SIZE, _member, backend, list(tests), folder, environment=environment)
    done: dict[str, str] = {}
    try:
        for count, name in enumerate(tests):
            team.until(lambda count=count: _is_over(_told(team, count)), TEST_LIMIT_S)
            told = _told(team, count)
            if len(told) < SIZE:
                team.until(lambda count=count: len(_told(team, count)) == SIZE, FAILURE_LIMIT_S)
                told = _told(team, count)
            failed = [
                f"rank {rank}: {result}"
                for rank, result in told.items()
                if result not in (PASSED, SKIPPED)
            ]
            if failed and len(told) == SIZE:
                # None of them is in the test any more.
                done[name] = "\n".join(failed)
                continue
            if failed or len(told) < SIZE:
                done[name] = "\n".join(
                    [*failed, f"ranks {sorted(set(range(SIZE)) - set(told))} did not end it"]
                )
                break
            done[name] = PASSED if PASSED in told.values() else SKIPPED
    finally:
        for rank in range(SIZE):
            team.kill(rank)
        team.join()
    return done


def _told(team: Processes, count: int) -> dict[int, str]:
    """Return the ranks' reports on the test of this number."""
    return {
        rank: outcome.notes[count][1]
        for rank, outcome in enumerate(team.outcomes)
        if len(outcome.notes) > count
    }


def _is_over(told: dict[int, str]) -> bool:
    return len(told) == SIZE or any(result not in (PASSED, SKIPPED) for result in told.values())


def _member(
    rank: int, note: Callable[[Any], None], backend: str, tests: list[str], folder: str
) -> None:
    os.environ["TEMP_DIR"] = folder
    suite = load(backend)
    import netfold.torch  # noqa: F401 - registers the backend

    class Test(suite.TestDistBackend, suite.DistributedTest._DistTestBase):
        """The suite's tests with what they need around them."""

    for name in tests:
        result = PASSED
        try:
            _run_test(suite, Test(name), name, rank, backend, f"{folder}/{name}")
        except (unittest.SkipTest, SystemExit):
            result = SKIPPED
        except BaseException:
            result = traceback.format_exc()
        note((name, result))


def _run_test(
    suite: ModuleType, test: Any, name: str, rank: int, backend: str, folder: str
) -> None:
    import torch.distributed as dist
    from torch.testing._internal import common_utils

    os.environ["TEMP_DIR"] = folder
    for part in ("barrier", "test_dir", "init_dir"):
        Path(folder, part).mkdir(parents=True, exist_ok=True)
    suite.Barrier.barrier_id = 0
    # As in a process of its own: the suite relies on all ranks' drawing the same.
    common_utils.set_rng_seed(0)
    test.rank, test.file_name = rank, f"{folder}/store"
    dist.init_process_group(
        backend,
        init_method=test.init_method,
        world_size=SIZE,
        rank=rank,
        timeout=timedelta(seconds=suite.CUSTOM_PG_TIMEOUT.get(name, suite.default_pg_timeout)),
    )
    # These make a model for the CPU, or one for each GPU, by the backend's name alone.
    suite.BACKEND = "gloo" if name.startswith("test_accumulate_gradients_no_sync") else backend
    level = dist.get_debug_level()
    method = getattr(test, name)
    replaced = hasattr(method, torch_suite_devices.MARK)
    try:
        test._barrier(timeout=TEST_LIMIT_S)
        with torch_suite_devices.replaced(SIZE) if replaced else contextlib.nullcontext():
            method()
        test._barrier(timeout=TEST_LIMIT_S)
    finally:
        dist.set_debug_level(level)
        if dist.is_initialized():
            dist.destroy_process_group()
