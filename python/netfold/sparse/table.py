"""What a table of rows offers to a worker: the interface of the native client."""

from __future__ import annotations

from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from .. import _native
from ..errors import UnsupportedError

Keys = npt.NDArray[np.int64]
"""Different keys, shape (n,)."""
Rows = npt.NDArray[np.float32]
"""Rows of keys, shape (n, width), contiguous."""


class Pulling(Protocol):
    """A pull on its way. One that is not waited for is dropped."""

    def wait(self, out: Rows) -> None:
        """Wait for the rows and write them to `out`."""


class Table(Protocol):
    """A worker's client of one table. Its methods may be called from any thread."""

    def push(self, keys: Keys, rows: Rows) -> None:
        """Send gradients; returns at once, and has copied both arrays."""

    def pull(self, keys: Keys, out: Rows, step: int | None = None) -> None:
        """Read rows into `out`; with a step under the rule of R-SERVE-5."""

    def pull_async(self, keys: Keys, step: int | None = None) -> Pulling:
        """Begin to read rows."""

    def end_step(self, step: int) -> None:
        """Tell the servers that this worker has pushed all of a step (R-SERVE-5)."""

    def flush(self) -> None:
        """Wait until all that this worker has pushed is stored (R-SERVE-6)."""

    def set(self, keys: Keys, rows: Rows) -> None:
        """Replace rows; the optimizer's state of each begins anew."""

    def stats(self) -> dict[str, Any]:
        """Counters of this worker."""

    def close(self) -> None:
        """Leave in good order; a second call does nothing."""


class TableClass(Protocol):
    """What makes a table: the native class."""

    def __call__(  # noqa: PLR0913 - as the native class has them
        self,
        name: str,
        rows: int,
        width: int,
        rank: int,
        workers: int,
        *,
        switch: str | None,
        servers: list[str],
        hot_keys: npt.NDArray[np.uint32] | None,
        optimizer: dict[str, Any],
        initialiser: dict[str, Any],
        seed: int,
        mode: Literal["resident", "drained"],
        staleness: int | None,
        max_age_ms: int,
        timeout: float,
        token: str | None,
    ) -> Table:
        """Join the table."""


class Server(Protocol):
    """A server of tables inside this process."""

    @property
    def address(self) -> str:
        """Where workers reach it."""

    def close(self) -> None:
        """Stop it; a second call does nothing."""


class ServerClass(Protocol):
    """What starts a server: the native class."""

    def __call__(self, listen: str, *, token: str | None) -> Server:
        """Start a server at an address; port 0 takes a free one."""


def native_table() -> TableClass:
    """The native class of tables.

    Raises:
        UnsupportedError: the native module was built without it.
    """
    return _native_class("SparseTable")  # type: ignore[no-any-return]


def native_server() -> ServerClass:
    """The native class of servers.

    Raises:
        UnsupportedError: the native module was built without it.
    """
    return _native_class("SparseServer")  # type: ignore[no-any-return]


def _native_class(name: str) -> Any:
    found = getattr(_native, name, None)
    if found is None:
        raise UnsupportedError(f"this build of netfold has no {name}; build it anew (`make build`)")
    return found


__all__ = [
    "Keys",
    "Pulling",
    "Rows",
    "Server",
    "ServerClass",
    "Table",
    "TableClass",
    "native_server",
    "native_table",
]
