"""A worker's interface to a table of rows: that of the native client."""

from __future__ import annotations

from typing import Any, Literal, Protocol

import numpy as np
import numpy.typing as npt

from .. import _native
from ..errors import UnsupportedError

Keys = npt.NDArray[np.int64]
"""Different keys, shape (n,)."""
Rows = npt.NDArray[np.generic]
"""Rows of keys, shape (n, width), contiguous, of the table's type."""


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

    def set_lr(self, lr: float) -> None:
        """Change the learning rate from the open step on (R-SERVE-16)."""

    def flush(self) -> None:
        """Wait until all that this worker has pushed is stored (R-SERVE-6)."""

    def exchange(self, own: bytes) -> list[bytes]:
        """Return what every worker gives, by rank. All make the same calls in the same order; the
        loss of one ends it within the time-out, with its rank.
        """

    def set_hot(self, keys: Keys) -> None:
        """Make these keys the hot ones, the hottest first; all workers do so between the same two
        steps (R-KEY-15).
        """

    def set_servers(self, servers: list[str]) -> None:
        """Have the table go on at other servers, to which the workers bring its rows; all workers
        do so between the same two steps (R-SERVE-18).
        """

    def set(self, keys: Keys, rows: Rows) -> None:
        """Replace rows; the optimizer's state of each begins anew."""

    def stats(self) -> dict[str, Any]:
        """Counters of this worker, among them `updates` and `hot_updates`, the pairs that it has
        pushed and those that went to the switch; `pulled`, the rows that it has read; and
        `switch_bytes` and `server_bytes`, the bytes that it has sent. `servers` are the addresses
        of the table's servers.
        """

    def close(self) -> None:
        """Leave in good order; a second call does nothing."""


class TableClass(Protocol):
    """The constructor of a table: the native class."""

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
        arithmetic: str = ...,
        scale: int = ...,
        element_type: str = ...,
        transport: str | None = ...,
        registers: int | None = ...,
    ) -> Table:
        """Join the table. Without servers, rank 0 runs one inside its process until all have left;
        several workers tell each other its address through the switch.
        """


def native_table() -> TableClass:
    """The native class of tables.

    Raises:
        UnsupportedError: the native module was built without it.
    """
    found: TableClass | None = getattr(_native, "SparseTable", None)
    if found is None:
        raise UnsupportedError("this build of netfold has no tables; build it anew (`make build`)")
    return found


__all__ = [
    "Keys",
    "Pulling",
    "Rows",
    "Table",
    "TableClass",
    "native_table",
]
