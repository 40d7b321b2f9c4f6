"""Fixtures that all Python tests share."""

from __future__ import annotations

import functools
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from sparse_tables import Tables

# Several workers share few cores; torch must not start a thread per core in each of them.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# `make test-loss` asks for UDP: nothing is lost in shared memory, which all these workers would
# have otherwise.
_kept = "NETFOLD_TRANSPORT"
for _name in [name for name in os.environ if name.startswith("NETFOLD_") and name != _kept]:
    del os.environ[_name]

import netfold  # noqa: E402 - the environment comes first
from netfold import _native  # noqa: E402


@pytest.fixture(scope="session")
def switch() -> Iterator[str]:
    """Address of a switch that serves the whole session."""
    server = _native.Switch()
    yield server.address
    server.close()


@pytest.fixture(scope="session")
def example(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], netfold.Operation]:
    """Function that builds an example of an operation by its name."""
    if shutil.which("clang") is None:
        pytest.skip("examples in C need clang")
    folder = tmp_path_factory.mktemp("operations")

    @functools.cache
    def built(name: str) -> netfold.Operation:
        out = folder / f"{name}.wasm"
        source = Path(__file__).parents[2] / "examples" / "ops" / f"{name}.c"
        command = ["netfold", "op", "build", str(source), "--out", str(out)]
        subprocess.run(command, check=True, capture_output=True)
        return netfold.load_op(out)

    return built


@pytest.fixture
def double() -> Tables:
    """Tables of the double, for what only it can show."""
    from sparse_tables import doubles

    return doubles()


@pytest.fixture(params=["double", "native"])
def tables(request: pytest.FixtureRequest, switch: str) -> Tables:
    """Tables of the double, and of servers and a switch."""
    from sparse_tables import Tables, doubles

    if request.param == "double":
        return doubles()
    # Each of at most six steps rounds a number of at most 8 in a few operations, whose order is the
    # server's, and sums in `block` are of integers in units below 2^-20.
    return Tables({"switch": switch}, 6 * 8 * 2.0**-20)
