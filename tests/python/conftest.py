"""Fixtures that all Python tests share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

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
