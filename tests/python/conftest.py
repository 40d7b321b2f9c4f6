"""Fixtures that all Python tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator
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

from netfold import _native  # noqa: E402 - the environment comes first


@pytest.fixture(scope="session")
def switch() -> Iterator[str]:
    """Address of a switch that serves the whole session."""
    server = _native.Switch()
    yield server.address
    server.close()


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
