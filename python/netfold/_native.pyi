"""Native half of the package (`crates/py`), built by maturin. Use it through :mod:`netfold`.

It trusts the data pointers that it is given: its callers check device, type, layout and lifetime.
Tensors that PyTorch hands to :class:`BoundMethod` it checks itself.
"""

from collections.abc import Callable, Sequence
from typing import Any, Self, TypedDict, final, type_check_only

import numpy as np
import numpy.typing as npt

from .errors import NetfoldError

__all__ = [
    "NO_STATS",
    "PREFIX",
    "BoundMethod",
    "Communicator",
    "DirectCalls",
    "Dispatch",
    "GlmModel",
    "GlmRun",
    "GlmSamples",
    "GlmTrainer",
    "Method",
    "Operation",
    "SparsePull",
    "SparseTable",
    "Switch",
    "address",
    "block_fold",
    "choose_priority",
    "chosen_priority",
    "fpisa_fold",
    "fpisa_log2",
    "fpisa_multiply",
    "fpisa_square_root",
    "logtable_fold",
    "native_fold",
    "pack_keys",
    "refusal",
    "settings",
    "subgroup_job",
    "unknown_variables",
    "version",
]

version: str

PREFIX: str
"""Prefix of the names of netfold's variables."""

NO_STATS: dict[str, Any]
"""Statistics of a worker that has done nothing."""

@final
class Communicator:
    """A worker's membership of one job. Every method may be called from any thread."""

    @property
    def rank(self) -> int: ...
    @property
    def size(self) -> int: ...
    def __new__(
        cls,
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
        operations: Sequence[Operation] = ...,
        on_waiting: Callable[[str], None] | None = None,
        given_up: Callable[[], bool] | None = None,
    ) -> Self:
        """Join the job and return when all of its workers have joined.

        `on_waiting` is called with a text that names the missing workers, after a few seconds and
        then whenever they change. `given_up` is called several times a second, and its True ends
        the wait; without it the wait ends when the switch gives up forming the job. `timeout` is
        the job's liveness time-out in seconds.
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
        lengths: Sequence[int] | None = None,
        *,
        waits: bool = False,
        priority: str | None = None,
    ) -> int:
        """Queue a call and return its ticket at once.

        `input` and `output` are addresses. The memory stays in use until the ticket completes or
        `close` returns. With `waits`, the caller must next `wait` for the ticket or `watch` it: no
        other thread is woken for the call, and `next_completion` does not report it unless `watch`
        is called. `priority` is `urgent`, `bulk`, or None to choose by length.
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
        lengths: Sequence[int] | None = None,
        *,
        priority: str | None = None,
    ) -> None:
        """Begin a call as `submit` does with `waits`, and complete it if that takes only a moment.

        Append None to `begun` if the call is done and has succeeded, its ticket if it is not done,
        and nothing if it has not begun. The list tells so even if a signal handler raises.
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
        lengths: Sequence[int] | None = None,
        *,
        timeout: float | None = None,
        priority: str | None = None,
    ) -> None:
        """Make a call and block until it is complete.

        After an error or an interrupt the job is left before the exception is raised, so that the
        memory is free again; not after errors of `submit` and RegroupedError. See `submit` and
        `wait`.
        """

    def subgroup(
        self,
        ranks: Sequence[int],
        label: str = "",
        *,
        timeout: float | None = None,
        on_waiting: Callable[[str], None] | None = None,
        given_up: Callable[[], bool] | None = None,
    ) -> Communicator:
        """Join a job of the workers with these ranks; `label` tells apart jobs of the same ranks.
        `timeout`, in seconds, limits the wait for the others.
        """

    def with_operations(
        self,
        operations: Sequence[Operation],
        *,
        timeout: float | None = None,
        on_waiting: Callable[[str], None] | None = None,
        given_up: Callable[[], bool] | None = None,
    ) -> Communicator:
        """Join a job of the same workers that may fold by these operations of users."""

    def channel(
        self,
        ends: tuple[int, int, int],
        *,
        timeout: float | None = None,
        on_waiting: Callable[[str], None] | None = None,
        given_up: Callable[[], bool] | None = None,
    ) -> Communicator:
        """Return the communicator of messages between `ends`: the sender's rank, the receiver's,
        and a tag. The first call joins its job.
        """

    def fused(
        self, stages: Sequence[tuple[str, str, int | None, bool]]
    ) -> tuple[
        list[tuple[str, int | None, int]],
        list[tuple[int, int, str, int]],
        int,
    ]:
        """Plan a chain of stages: the name of each, its operation, its root and whether its result
        is kept. Return the calls (collective, number of the stage whose operation it folds by,
        number of the input), the results (stage, call, part of its output, root), and the number
        of inputs.

        Raises:
            UnsupportedError: a stage cannot be fused; the message names it.
        """

    def watch(self, ticket: int) -> None:
        """Continue a call that was submitted with `waits` without its caller; `next_completion`
        reports its end.
        """

    def wait(self, ticket: int, timeout: float | None = None) -> None:
        """Block until the call is complete; raise its error, or CallTimeoutError after `timeout`
        seconds, which ends the membership.
        """

    def test(self, ticket: int) -> bool:
        """Return whether the call is complete, with or without an error."""

    def next_completion(self, timeout: float) -> tuple[int, BaseException | None] | None:
        """Return the next completed call, each once, with its error or None; None after `timeout`
        seconds, or when the communicator is closed.
        """

    def forget(self, ticket: int) -> None:
        """Free a ticket, which must not be used again."""

    def stats(self) -> dict[str, Any]:
        """Return this worker's counters since it joined, and the parameters agreed with the
        switch.
        """

    def lost(self) -> tuple[int, NetfoldError] | None:
        """Return the rank whose loss has ended the job and the error that reports it, or None."""

    def close(self) -> None:
        """Leave the job.

        Outstanding calls fail, and their memory is not touched afterwards. A second call does
        nothing.
        """

@final
class Switch:
    """A switch inside this process."""

    @property
    def address(self) -> str: ...
    def __new__(
        cls,
        listen: str = "127.0.0.1:0",
        cores: int = 1,
        memory: str = "64MiB",
        metrics: str | None = None,
        token: str | None = None,
        transport: str | None = None,
        pin: str | None = None,
        parent: str | None = None,
        ops: str = "any",
        ops_key: str | None = None,
    ) -> Self:
        """Start a switch.

        `listen` and `metrics` are addresses (`HOST:PORT`), `cores` the number of threads, 1 to 256,
        `memory` the size of all slots, such as `64MiB`, and `pin` a list of cores such as `0,2-5`.
        With a `token` it serves only workers that know it; with the transport `udp` it shares no
        memory; with a `parent` (`HOST:PORT`) it joins that switch as a child. It takes operations
        of users as `ops` says: `none`, `signed` (by `ops_key`) or `any`.
        """
    def close(self) -> None:
        """Stop the switch; its jobs fail. A second call does nothing."""

@final
class Dispatch:
    """The test whether a call of PyTorch's may bypass its dispatcher."""

    def __new__(
        cls,
        *,
        watchers: Sequence[Callable[[], object]],
        keys_of: Callable[[Any], Any],
        plain_keys: Sequence[int],
        tensors: Sequence[type],
        options: Sequence[type],
        exchange: object,
    ) -> Self:
        """Make the test.

        A call bypasses the dispatcher if no function of `watchers` returns something true, its
        options are of one of the types `options`, and its tensors are of one of the types
        `tensors`, do not require gradients, and have dispatch keys (`keys_of`) of which `raw_repr`
        is one of `plain_keys`. `exchange` is the capsule of DLPack's C interface that describes
        such tensors.
        """

    def past(self, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any | None:
        """Return torch's options of a call that nothing but the backend has to see; None if
        something has, or may have.

        `arguments` are the positional arguments of the group's method, `options` those by keyword.
        """

@final
class DirectCalls:
    """The synchronous calls of a process group that reach its communicator without Python."""

    sequence: int
    """Calls that the group has made."""

    def open(self, communicator: Communicator) -> None:
        """Have calls go to this communicator from now on; only the first one counts."""

    def refuse(self) -> None:
        """Have no more calls go to the communicator."""

    def enter(self) -> None:
        """Note that a caller is in a call; `leave` follows."""

    def leave(self) -> None:
        """Note that a caller returns from its call."""

    def wait_until_idle(self, limit: float) -> bool:
        """Wait until no caller is in a call, at most for `limit` seconds; return whether none is."""

@final
class Method:
    """A method of a process group that is netfold's where Python reads it, and torch's elsewhere."""

    def __new__(
        cls,
        torchs: Any,
        call: Callable[..., Any],
        *,
        reads: bytes,
        dispatch: Dispatch | None = None,
    ) -> Self:
        """Make the method.

        `torchs` is torch's own, `call` makes calls, given a group, and `reads` are the instructions
        by which Python reads an attribute. With a `dispatch` the method is `allreduce`, and calls
        that pass the test go straight to the group's communicator.
        """

    def __get__(self, group: Any, owner: Any = None, /) -> Any: ...

@final
class BoundMethod:
    """A :class:`Method` of one group."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """Make a call."""

@final
class Operation:
    """An operation of a user, admitted under a switch's default limits. Not in a build without the
    feature `ops`.
    """

    def __new__(cls, module: bytes) -> Self: ...
    @property
    def hash(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def element(self) -> str: ...
    @property
    def element_bytes(self) -> int: ...
    @property
    def message_elements(self) -> int | None: ...
    @property
    def associative(self) -> float | None: ...
    @property
    def commutative(self) -> bool: ...
    @property
    def identity(self) -> bytes | None: ...
    @property
    def ranges(self) -> list[tuple[float, float] | None]: ...
    def test(self, rounds: int, seed: int) -> list[tuple[str, str]]: ...
    @property
    def wire(self) -> str | None: ...
    @property
    def lossless(self) -> bool: ...
    @property
    def state(self) -> int | None: ...
    def fold(self, left: bytes, right: bytes) -> bytes: ...
    def encode(self, elements: bytes) -> bytes: ...
    def decode(self, wire: bytes) -> bytes: ...
    def answer(self, requests: bytes, rank: int) -> bytes: ...
    def fresh(self) -> Operation: ...
    def signed(self, key: str) -> Operation: ...

def choose_priority(name: str | None) -> str | None:
    """Set the priority of the calls that this thread makes; return the one before."""

def chosen_priority() -> str | None:
    """Return the priority that this thread has chosen."""

def settings(variables: dict[str, str]) -> dict[str, Any]:
    """The values of :class:`netfold.config.Settings`, by their names."""

def unknown_variables(names: list[str]) -> list[str]:
    """Return a warning for each name that begins like one of netfold's variables and is not one."""

def subgroup_job(job: str, ranks: list[int], label: str) -> str:
    """Return the name of the first job of `ranks` of a job with this label (R-CTRL-22)."""

def refusal(arithmetic: str, op: str, dtype: str) -> str | None:
    """Return why jobs of this arithmetic cannot fold this type with this operation, or None if they
    can.
    """

def fpisa_fold(
    patterns: bytes,
    elements: int,
    block: int,
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

def native_fold(vectors: bytes, elements: int, dtype: str) -> bytes:
    """Add vectors of `dtype`; use :func:`netfold.num.sum_native`."""

def logtable_fold(patterns: bytes, elements: int) -> bytes:
    """Fold vectors of FP32 patterns by table; use :func:`netfold.num.fold_by_tables`."""

def address(array: np.ndarray) -> int:
    """Return the address of the first element of an array in C order."""

def block_fold(patterns: bytes, elements: int, block: int, halves: bool) -> tuple[bytes, bytes]:
    """Sum vectors of FP32 patterns in fixed point, with lanes of i32 or of f16; use
    :func:`netfold.num.sum_blocks`.
    """

@type_check_only
class GlmSettings(TypedDict):
    """Settings of a run of :class:`GlmTrainer`, all required. The estimators document their
    meaning.
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

@final
class GlmSamples:
    """Samples with their targets. The arrays are borrowed: do not write to them while a trainer
    runs.
    """

    def __new__(
        cls,
        features: int,
        values: npt.NDArray[np.float32],
        targets: npt.NDArray[np.uint32] | npt.NDArray[np.float32],
        *,
        classes: int | None = None,
        indptr: npt.NDArray[np.uint64] | None = None,
        indices: npt.NDArray[np.uint32] | None = None,
        weights: npt.NDArray[np.float32] | None = None,
        class_weights: npt.NDArray[np.float32] | None = None,
        held: npt.NDArray[np.uint8] | None = None,
    ) -> Self:
        """Borrow dense samples in rows, or CSR with `indptr` and `indices`. Targets are labels if
        `classes` is given, otherwise numbers. `held` is not 0 for each sample to hold back.
        """

@final
class GlmModel:
    """Coefficients and intercepts of a linear model, with its loss, classes and scaling. Attributes
    hold arrays as bytes in the machine's order.
    """

    @property
    def features(self) -> int: ...
    @property
    def loss(self) -> str: ...
    @property
    def classes(self) -> int | None: ...
    @property
    def coefficients(self) -> bytes: ...
    @property
    def intercepts(self) -> bytes: ...
    @property
    def scaling(self) -> bytearray | None: ...
    @property
    def scaling_kind(self) -> str | None: ...
    def __new__(
        cls,
        coefficients: npt.NDArray[np.float32],
        intercepts: npt.NDArray[np.float64],
        *,
        loss: str,
        classes: int | None = None,
        scaling: npt.NDArray[np.float32] | None = None,
        scaling_kind: str | None = None,
    ) -> Self: ...
    @staticmethod
    def read(file: bytes) -> GlmModel:
        """Read a model from the bytes of a file (R-GLM-29)."""
    def file(self) -> bytes:
        """Return the model as the bytes of a file (R-GLM-29)."""

@type_check_only
class GlmProgress(TypedDict):
    """Counters of a trainer, from which another trainer goes on."""

    steps: int
    epochs: int
    orders: int
    adaptive: tuple[float, float] | None

@final
class GlmRun:
    """Outcome of a run."""

    @property
    def epochs(self) -> int: ...
    @property
    def why(self) -> str: ...
    @property
    def model(self) -> GlmModel: ...
    @property
    def data_bytes(self) -> tuple[int, int, int]: ...
    @property
    def progress(self) -> GlmProgress: ...

@final
class GlmTrainer:
    """A model while it is trained; its workers are threads of this process."""

    @property
    def usable(self) -> bool:
        """True if training can continue. Refused samples leave the trainer unchanged; after any
        other error it cannot continue.
        """

    def __new__(
        cls,
        settings: GlmSettings,
        *,
        coefficients: npt.NDArray[np.float32] | None = None,
        intercepts: npt.NDArray[np.float64] | None = None,
        scaling: npt.NDArray[np.float32] | None = None,
        progress: GlmProgress | None = None,
    ) -> Self: ...
    def fit(
        self,
        samples: GlmSamples,
        after_epoch: Callable[[int, float, float | None, float | None, float, int], object]
        | None = None,
    ) -> GlmRun:
        """Train until the loss stops falling, the epochs are used up, or `after_epoch` returns a
        true value.

        `after_epoch` is called with the epoch's number, from 1, its loss, the loss and the score of
        the samples held back or None, the seconds it took, and the bytes that each worker has
        submitted.
        """
    def epoch(
        self,
        samples: GlmSamples,
        after_epoch: Callable[[int, float, float | None, float | None, float, int], object]
        | None = None,
    ) -> GlmRun:
        """Train for one epoch."""

@final
class SparsePull:
    """Rows of a table that are on their way."""

    def wait(self, out: npt.NDArray[np.float32]) -> None:
        """Wait for the rows and write them to `out`."""

@final
class SparseTable:
    """A worker's client of a table of rows; see :class:`netfold.sparse.table.Table`."""

    def __new__(
        cls,
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
        mode: str,
        staleness: int | None,
        max_age_ms: int,
        timeout: float,
        token: str | None,
        arithmetic: str = "native",
        scale: int = 0,
        element_type: str = "f32",
        transport: str | None = None,
        registers: int | None = None,
    ) -> Self: ...
    def push(self, keys: npt.NDArray[Any], rows: npt.NDArray[Any]) -> None:
        """Push gradients of different keys."""
    def pull(
        self,
        keys: npt.NDArray[Any],
        out: npt.NDArray[Any],
        step: int | None = None,
    ) -> None:
        """Pull rows into `out`."""
    def pull_async(self, keys: npt.NDArray[Any], step: int | None = None) -> SparsePull:
        """Begin to pull rows."""
    def end_step(self, step: int) -> None:
        """End a step (R-SERVE-5)."""
    def set_lr(self, lr: float) -> None:
        """Change the learning rate from the open step on (R-SERVE-16)."""
    def flush(self) -> None:
        """Wait until all that was pushed is stored."""
    def exchange(self, own: bytes) -> list[bytes]:
        """Return the bytes that each worker gives, by rank."""

    def set_hot(self, keys: npt.NDArray[Any]) -> None:
        """Make these keys the hot ones, the hottest first (R-KEY-15)."""
    def set_servers(self, servers: list[str]) -> None:
        """Have the table go on at other servers (R-SERVE-18)."""
    def set(self, keys: npt.NDArray[Any], rows: npt.NDArray[Any]) -> None:
        """Replace rows."""
    def stats(self) -> dict[str, Any]:
        """Counters of this worker."""
    def close(self) -> None:
        """Leave in good order."""

def pack_keys(ranks: list[int], registers: int, capacity: int) -> list[list[int]]:
    """Distribute a batch of hot keys over packets; return the positions of each one's keys in it."""
