"""The Rust half of the package (`crates/py`), built by maturin. Use it through :mod:`netfold`.

It takes data pointers and trusts them: its callers check device, type, layout and lifetime.
"""

from collections.abc import Callable
from typing import Any, TypedDict

import numpy as np
import numpy.typing as npt

version: str

NO_STATS: dict[str, Any]
"""Statistics of a worker that has done nothing."""

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
        overflow: str = "error",
        protocol: str = "shadow",
        token: str | None = None,
        timeout: float = 10.0,
        packet_elements: int | None = None,
        slots: int | None = None,
        weight: int | None = None,
        integrity: str | None = None,
        transport: str | None = None,
        pin: str | None = None,
        resumable: bool = False,
        elastic: bool = False,
        on_waiting: Callable[[str], None] | None = None,
        given_up: Callable[[], bool] | None = None,
    ) -> None:
        """Join the job and return when all of its workers have joined.

        `on_waiting` is told who is missing, after a few seconds and then when that changes. With
        `given_up`, the wait lasts until that says so, several times a second; without it as long as
        the switch lets a job form. `timeout` is the job's liveness time-out in seconds.
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

        The memory stays in use until the ticket completes or `close` returns. With `waits`, the
        caller waits for the ticket next: no other thread is woken for the call, and
        `next_completion` does not report it unless `watch` is called. `priority` is `urgent`,
        `bulk`, or None for what the call's length gives it.
        """

    def attempt(
        self,
        begun: list[int | None],
        collective: str,
        op: str,
        dtype: str,
        root: int,
        elements: int,
        input: int,
        output: int,
        *,
        priority: str | None = None,
    ) -> None:
        """Begin a call whose caller waits for it, and carry it out if that takes but a moment.

        The rest is as for `submit` with `waits`. Puts None into `begun` if the call is done then,
        with a result, else its ticket; nothing if it has not begun. So that is known when a
        signal's handler raises.
        """

    def run(
        self,
        collective: str,
        op: str,
        dtype: str,
        root: int,
        elements: int,
        input: int,
        output: int,
        *,
        timeout: float | None = None,
        priority: str | None = None,
    ) -> None:
        """Make a call and block until it is complete.

        An error or an interrupt leaves the job before it is raised, so that the memory is free
        again; errors of `submit` and RegroupedError do not. See `submit` and `wait`.
        """

    def watch(self, ticket: int) -> None:
        """Have a call that was submitted with `waits` go on without its caller, and report its end."""

    def wait(self, ticket: int, timeout: float | None = None) -> None:
        """Block until the call is complete; raise its error, or CallTimeoutError after `timeout`
        seconds, which ends the membership.
        """

    def test(self, ticket: int) -> bool:
        """Return whether the call is complete, with or without an error."""

    def next_completion(self, timeout: float) -> tuple[int, BaseException | None] | None:
        """The next call that has completed since the last time, each once, or None after `timeout`
        seconds.
        """

    def forget(self, ticket: int) -> None:
        """Free the ticket's entry: nobody will ask for it again."""

    def stats(self) -> dict[str, Any]:
        """Counters of this worker since it joined."""

    def lost(self) -> tuple[int, Exception] | None:
        """The rank whose loss has ended the job, and the error that tells of it."""

    def close(self) -> None:
        """Leave the job.

        Outstanding calls fail; no memory that was lent is touched afterwards. Closing twice is
        fine.
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

        With a token it serves only workers that know it; with the transport `udp` it shares no
        memory. With a parent (`HOST:PORT`) it is below that switch.
        """
    def close(self) -> None:
        """Stop the switch; its jobs fail."""

def refusal(arithmetic: str, op: str, dtype: str) -> str | None:
    """The reason why jobs of this arithmetic cannot fold this type with this operation, or None."""

def fpisa_fold(
    patterns: bytes,
    elements: int,
    arithmetic: str,
    format: str,
    register_bits: int,
    guard_bits: int,
    rounding: str,
    trace: bool,
) -> tuple[bytes, bytes, bytes, bytes, bytes]:
    """Fold vectors of patterns, 32 bits each; use :func:`netfold.num.fold`."""

def fpisa_multiply(left: bytes, right: bytes, format: str, rounding: str) -> bytes:
    """Multiply patterns, 32 bits each; use :func:`netfold.num.multiply`."""

def fpisa_log2(values: bytes, format: str) -> bytes:
    """Look up logarithms in units of 2^-16; use :func:`netfold.num.log2`."""

def fpisa_square_root(values: bytes, format: str) -> bytes:
    """Look up square roots; use :func:`netfold.num.square_root`."""

def logtable_fold(patterns: bytes, elements: int) -> bytes:
    """Fold vectors of FP32 patterns by table; use :func:`netfold.num.fold_by_tables`."""

def block_fold(patterns: bytes, elements: int, block: int, halves: bool) -> tuple[bytes, bytes]:
    """Sum vectors of FP32 patterns in fixed point, with lanes of i32 or of f16; use
    :func:`netfold.num.sum_blocks`.
    """

class GlmSettings(TypedDict):
    """Settings of a run of :class:`GlmTrainer`. All of them are needed. The estimators document
    their meaning.
    """

    loss: str
    l1: float
    l2: float
    rate: str
    alpha: float
    eta0: float
    power: float
    batch: int
    micro_batch: int
    intercept: bool
    intercept_step: float
    average_after: int | None
    shuffle: bool
    seed: int
    epochs: int
    tolerance: float | None
    patience: int
    validation: float
    arithmetic: str
    fraction_bits: int
    parallel: str
    workers: int
    engines: int
    bits: int
    scaling: str
    rounding: str

class GlmSamples:
    """Samples with their targets. The arrays are lent: nobody may write to them while a trainer is
    at work.
    """

    def __init__(
        self,
        features: int,
        values: npt.NDArray[np.float32],
        targets: npt.NDArray[np.uint32] | npt.NDArray[np.float32],
        *,
        classes: int | None = None,
        indptr: npt.NDArray[np.uint64] | None = None,
        indices: npt.NDArray[np.uint32] | None = None,
        weights: npt.NDArray[np.float32] | None = None,
        class_weights: npt.NDArray[np.float32] | None = None,
    ) -> None:
        """Dense samples in rows, or CSR with `indptr` and `indices`; labels if there are `classes`,
        or numbers.
        """

class GlmModel:
    """Coefficients, intercepts, and what belongs to them. Arrays are given as bytes in the
    machine's order.
    """

    features: int
    loss: str
    classes: int | None
    coefficients: bytes
    intercepts: bytes
    scaling: bytearray | None
    scaling_kind: str | None

    def __init__(
        self,
        coefficients: npt.NDArray[np.float32],
        intercepts: npt.NDArray[np.float64],
        *,
        loss: str,
        classes: int | None = None,
        scaling: npt.NDArray[np.float32] | None = None,
        scaling_kind: str | None = None,
    ) -> None: ...
    @staticmethod
    def read(file: bytes) -> GlmModel:
        """Read a file's bytes."""
    def file(self) -> bytes:
        """The bytes of a file (R-GLM-29)."""

class GlmProgress(TypedDict):
    """Counters of a trainer, from which another trainer goes on."""

    steps: int
    epochs: int
    orders: int
    adaptive: tuple[float, float] | None

class GlmRun:
    """Outcome of a run."""

    epochs: int
    why: str
    model: GlmModel
    data_bytes: tuple[int, int, int]
    progress: GlmProgress

class GlmTrainer:
    """A model while it is trained; its workers are threads of this process."""

    usable: bool
    """True if it can go on. It is unchanged after samples that it has refused; it cannot go on
    after any other error.
    """

    def __init__(
        self,
        settings: GlmSettings,
        *,
        coefficients: npt.NDArray[np.float32] | None = None,
        intercepts: npt.NDArray[np.float64] | None = None,
        scaling: npt.NDArray[np.float32] | None = None,
        progress: GlmProgress | None = None,
    ) -> None: ...
    def fit(
        self,
        samples: GlmSamples,
        after_epoch: Callable[[int, float, float | None, float, int], object] | None = None,
    ) -> GlmRun:
        """Train until the loss stands still, there have been enough epochs, or `after_epoch`
        returns something true.

        It is given number, loss, loss of the samples held back, seconds, and the bytes that each
        worker has submitted.
        """
    def epoch(
        self,
        samples: GlmSamples,
        after_epoch: Callable[[int, float, float | None, float, int], object] | None = None,
    ) -> GlmRun:
        """Go over the samples once."""
