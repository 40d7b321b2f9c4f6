"""The Rust half of the package (`crates/py`), built by maturin. Use it through :mod:`netfold`.

It takes data pointers and trusts them: its callers check device, type, layout and lifetime.
"""

from collections.abc import Callable
from typing import Any

version: str

class Communicator:
    """A worker's membership of one job. Every method may be called from any thread."""

    rank: int
    size: int

    def __init__(
        self,
        *,
        switch: str,
        job: str,
        rank: int,
        size: int,
        arithmetic: str = "block",
        byte_order: str = "little",
        token: str | None = None,
        timeout: float = 10.0,
        packet_elements: int | None = None,
        slots: int | None = None,
        weight: int = 1,
        integrity: str | None = None,
        transport: str | None = None,
        pin: str | None = None,
        resumable: bool = False,
        elastic: bool = False,
        on_waiting: Callable[[int, int], None] | None = None,
    ) -> None:
        """Join the job and return when all of its workers have joined.

        `timeout` is the job's liveness time-out in seconds.
        """

    def submit(
        self,
        collective: str,
        op: str,
        dtype: str,
        root: int,
        elements: int,
        input: int,
        output: int,
        *,
        waits: bool = False,
        priority: str | None = None,
    ) -> int:
        """Queue a call and return its ticket at once.

        The memory stays in use until the ticket completes or `close` returns. With `waits`, the caller waits for the
        ticket next: no other thread is woken for the call, and `next_completion` does not report it unless `watch` is
        called. `priority` is `urgent`, `bulk`, or None for what the call's length gives it.
        """

    def watch(self, ticket: int) -> None:
        """Have a call that was submitted with `waits` go on without its caller, and report its end."""

    def wait(self, ticket: int, timeout: float | None = None) -> None:
        """Block until the call is complete; raise its error, or CallTimeoutError after `timeout` seconds, which ends
        the membership.
        """

    def test(self, ticket: int) -> bool:
        """Whether the call is complete, with or without an error."""

    def next_completion(self, timeout: float) -> tuple[int, BaseException | None] | None:
        """The next call that has completed since the last time, each once, or None after `timeout` seconds."""

    def forget(self, ticket: int) -> None:
        """Free the ticket's entry: nobody will ask for it again."""

    def stats(self) -> dict[str, Any]:
        """Counters of this worker since it joined."""

    def close(self) -> None:
        """Leave the job.

        Outstanding calls fail; no memory that was lent is touched afterwards. Closing twice is fine.
        """

class Switch:
    """A switch inside this process."""

    address: str

    def __init__(
        self,
        listen: str = "127.0.0.1:0",
        cores: int = 1,
        memory: str = "64MiB",
        metrics: str | None = None,
        token: str | None = None,
        transport: str | None = None,
        pin: str | None = None,
        parent: str | None = None,
    ) -> None:
        """Start a switch.

        With a token it serves only workers that know it; with the transport `udp` it shares no memory.
        With a parent (`HOST:PORT`) it is below that switch.
        """
    def close(self) -> None:
        """Stop the switch; its jobs fail."""

def main(argv: list[str]) -> int:
    """Run the command line `netfold`; returns its exit status."""

def fpisa_fold(
    patterns: bytes, elements: int, arithmetic: str, format: str, register_bits: int, trace: bool
) -> tuple[bytes, bytes, bytes, bytes, bytes]:
    """Fold vectors of patterns, 32 bits each; use :func:`netfold.num.fold`."""

def logtable_fold(patterns: bytes, elements: int) -> bytes:
    """Fold vectors of FP32 patterns by table; use :func:`netfold.num.fold_by_tables`."""

def block_fold(patterns: bytes, elements: int, block: int) -> tuple[bytes, bytes]:
    """Sum vectors of FP32 patterns in fixed point; use :func:`netfold.num.sum_blocks`."""
