"""Collectives on NumPy arrays.

Every worker of the job makes the same calls in the same order with the same shapes and types
(R-STREAM-1); the switch reports the first place where two of them differ
(:class:`~netfold.MismatchError`). A communicator is used by one thread at a time.
"""

from __future__ import annotations

import logging
from types import TracebackType
from typing import Any, TypeVar

import numpy as np

from . import _native
from .call import Call
from .config import Settings
from .errors import ConfigurationError, UnsupportedError
from .priorities import checked

logger = logging.getLogger("netfold")

ELEMENT_TYPES = {
    "float32": "f32",
    "float16": "f16",
    "bfloat16": "bf16",  # the dtype of the ml_dtypes package; NumPy itself has none
    "float64": "f64",
    "int32": "i32",
    "int64": "i64",
    "uint8": "u8",
}
"""NumPy dtype names that a switch can fold, and their names on the wire."""

OPERATIONS = ("sum", "avg", "min", "max", "product")
"""Values of `op`. The job's arithmetic determines which of them a dtype allows; the others are
refused by name.
"""


MAX_CALL_TIMEOUT_S = 365 * 24 * 3600
"""Largest `call_timeout`, in seconds."""

T = TypeVar("T")


def connect(  # noqa: PLR0913 - keywords of a public call
    *,
    job: str,
    rank: int,
    size: int,
    switch: str | None = None,
    arithmetic: str | None = None,
    overflow: str | None = None,
    byte_order: str | None = None,
    protocol: str | None = None,
    token: str | None = None,
    timeout: float | None = None,
    call_timeout: float | None = None,
    packet_elements: int | None = None,
    slots: int | None = None,
    weight: int | None = None,
    integrity: str | None = None,
    transport: str | None = None,
    pin: str | None = None,
    resumable: bool | None = None,
    elastic: bool = False,
) -> Communicator:
    """Join a job at a switch and wait until all of its workers have joined.

    What is left out is read from the environment (`NETFOLD_SWITCH`, `NETFOLD_ARITHMETIC`, ...), or
    else from a file (see :mod:`netfold.config`).

    Args:
        job: name of the job; the first worker to join creates it.
        rank: this worker's number, from 0 to `size - 1`.
        size: number of workers of the job.
        switch: `host:port` of the switch. Further ones, with commas between, are its standbys, the
            same at every worker: if the switch is lost, the job goes on at the next one, and no
            call fails (R-RES).
        arithmetic: `block` (SwitchML's block fixed point), `native` (IEEE addition), `fpisa` or
            `fpisa-a` (FPISA's floating point on integers, R-FPI), `logtable` (Libra's tables,
            R-LOG).
        overflow: what becomes of a sum that overflows its register in `fpisa` or `fpisa-a`.
            `error`: the job fails. `native`: its block is folded again by `native`, and counted as
            `blocks_refolded` in :meth:`stats`.
        byte_order: `little`, or `network`: the order of a lane's bytes in packets (R-NUM-19).
            Results do not depend on it.
        protocol: when a slot of the switch is used again. `shadow`: it has two copies (SwitchML).
            `acked`: it has one, and a second round acknowledges its result (P4SGD, R-ACK), which
            takes half the memory and twice the packets.
        token: secret that all workers of the job share; it never travels.
        timeout: seconds of silence after which a worker or the switch counts as lost.
        call_timeout: seconds that one call may take, the other workers' lateness included; None
            waits as long as they live.
        packet_elements: lanes of a packet, a multiple of 8; None takes what the path's MTU allows.
        slots: slots at the switch; None leaves it to the switch.
        weight: the job's part of a queue that it shares with others, 1 to 100, where the network
            marks (R-ECN-4).
        integrity: `transport`, `checksum` or `token` (R-PKT-3).
        transport: `udp` or `shm`; None takes shared memory where all workers run on the switch's
            host, else UDP (R-CTRL-10). Unless it is `udp`, workers of another host fold in shared
            memory before one stream leaves it (R-CTRL-11).
        pin: cores for netfold's own threads, such as `0,2-5`; workers of one host take turns with
            them.
        resumable: whether the job waits for its only switch to start again when that is lost. With
            standbys it does so anyway.
        elastic: whether the job goes on without workers that are lost. Calls in progress raise
            :class:`~netfold.RegroupedError` then, and `rank` and `size` are those of the workers
            that are left.

    Raises:
        ConfigurationError: no switch is given, or a setting does not parse.
        JoinError: the switch cannot be reached or refuses the worker; the message says why.
    """
    env = Settings.from_environment()
    address = switch or env.switch
    if address is None:
        raise ConfigurationError(
            'no switch given; pass switch="host:port" or set NETFOLD_SWITCH (start one with `netfold switch`)'
        )
    if call_timeout is not None and not 0 <= call_timeout <= MAX_CALL_TIMEOUT_S:
        raise ConfigurationError(
            f"call_timeout={call_timeout!r} is out of range; give a number of seconds from 0 to {MAX_CALL_TIMEOUT_S}, "
            "or None to wait as long as the other workers live"
        )
    native = _native.Communicator(
        switch=address,
        job=job,
        rank=rank,
        size=size,
        arithmetic=_given(arithmetic, env.arithmetic),
        overflow=_given(overflow, env.overflow),
        byte_order=_given(byte_order, env.byte_order),
        protocol=_given(protocol, env.protocol),
        token=_given(token, env.token),
        timeout=_given(timeout, env.timeout_s),
        packet_elements=_given(packet_elements, env.packet_elements),
        slots=_given(slots, env.slots),
        weight=_given(weight, env.weight),
        integrity=_given(integrity, env.integrity),
        transport=_given(transport, env.transport),
        pin=_given(pin, env.pin),
        resumable=_given(resumable, env.resumable),
        elastic=elastic,
        on_waiting=lambda waiting: logger.warning("rank %s of the job %r: %s", rank, job, waiting),
    )
    return Communicator(native, call_timeout)


def _given(argument: T | None, otherwise: T) -> T:
    return otherwise if argument is None else argument


class Communicator:
    """A worker of a job, made by :func:`connect`; a context manager that leaves the job at its end.

    A call that raises anything but :class:`~netfold.UnsupportedError`,
    :class:`~netfold.RegroupedError` or a built-in error about its arguments ends the membership:
    the other workers are told, and later calls raise.

    The `priority` of a call, the same at every worker, is `urgent`, `bulk`, or None for what its
    length gives it: urgent up to 16 KiB, bulk above, as is a barrier. An urgent call goes before
    the bulk that is in progress.
    """

    def __init__(self, native: _native.Communicator, call_timeout_s: float | None = None) -> None:
        self._native = native
        self._call_timeout_s = call_timeout_s

    @property
    def rank(self) -> int:
        """This worker's number, from 0. It changes when an elastic job goes on without others."""
        return self._native.rank

    @property
    def size(self) -> int:
        """Number of workers of the job; see :attr:`rank`."""
        return self._native.size

    def all_reduce(
        self,
        array: np.ndarray,
        op: str = "sum",
        *,
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> np.ndarray:
        """Fold `array` over all workers, element by element; every worker gets the same bits.

        Args:
            array: any shape, the same on every worker.
            op: one of `sum`, `avg`, `min`, `max`, `product`.
            out: where the result goes, of the shape and dtype of `array`; may be `array` itself.
                None makes a new array.
            priority: see :class:`Communicator`.

        Raises:
            UnsupportedError: the arithmetic cannot fold this dtype with this operation.
        """
        source, element_type = _foldable(array)
        target = _Target(out, source.shape, source.dtype)
        source = target.apart_from(source)
        pointers = _pointer(source), _pointer(target.memory)
        self._run(
            Call("all_reduce", _operation(op), element_type, 0, source.size, *pointers), priority
        )
        return target.result()

    def reduce(
        self,
        array: np.ndarray,
        root: int = 0,
        op: str = "sum",
        *,
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> np.ndarray | None:
        """Fold `array` over all workers; only `root` gets the result (its shape is that of
        `array`), the others get None.

        `out` is used at `root` only; see :meth:`all_reduce`.
        """
        self._check_root(root)
        source, element_type = _foldable(array)
        call = Call("reduce", _operation(op), element_type, root, source.size)
        if self.rank != root:
            self._run(call._replace(input=_pointer(source)), priority)
            return None
        target = _Target(out, source.shape, source.dtype)
        source = target.apart_from(source)
        call = call._replace(input=_pointer(source), output=_pointer(target.memory))
        self._run(call, priority)
        return target.result()

    def broadcast(
        self,
        array: np.ndarray,
        root: int = 0,
        *,
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> np.ndarray:
        """Give every worker the bytes of `root`'s `array`.

        Elsewhere `array` states shape and dtype only; any dtype without objects will do.
        """
        self._check_root(root)
        source = _movable(array)
        target = _Target(out, source.shape, source.dtype)
        if self.rank == root:
            np.copyto(target.memory, source)
        memory = _pointer(target.memory)
        self._run(Call("broadcast", "copy", "u8", root, source.nbytes, memory, memory), priority)
        return target.result()

    def all_gather(
        self, array: np.ndarray, *, out: np.ndarray | None = None, priority: str | None = None
    ) -> np.ndarray:
        """Give every worker every worker's `array`: the result has the shape
        `(size, *array.shape)`.

        Any dtype without objects will do.
        """
        source = _movable(array)
        target = _Target(out, (self.size, *source.shape), source.dtype)
        source = target.apart_from(source, in_place=False)
        pointers = _pointer(source), _pointer(target.memory)
        self._run(Call("all_gather", "copy", "u8", 0, source.nbytes, *pointers), priority)
        return target.result()

    def reduce_scatter(
        self,
        array: np.ndarray,
        op: str = "sum",
        *,
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> np.ndarray:
        """Fold `array`, of shape `(size, ...)`, over all workers; worker r gets row r of the
        result, of shape `array.shape[1:]`.
        """
        source, element_type = _foldable(array)
        if source.ndim == 0 or source.shape[0] != self.size:
            raise ValueError(
                f"reduce_scatter needs an array with one row per worker ({self.size}) on its first axis; "
                f"got shape {source.shape}"
            )
        target = _Target(out, source.shape[1:], source.dtype)
        source = target.apart_from(source, in_place=False)
        elements = source.size // self.size
        pointers = _pointer(source), _pointer(target.memory)
        self._run(
            Call("reduce_scatter", _operation(op), element_type, 0, elements, *pointers), priority
        )
        return target.result()

    def barrier(self, *, priority: str | None = None) -> None:
        """Return when every worker has called it."""
        self._run(Call("barrier", "copy", "u8", 0, 0), priority)

    def stats(self) -> dict[str, Any]:
        """Counters of this worker since it joined: bytes, packets, retransmissions, queries, round
        trip and time-out in microseconds, window and slots.

        `retransmissions` are blocks that were sent again, `queries` are headers that only asked the
        switch about one, `bytes_resent` are the bytes of both, and `fast_retransmissions` says how
        many did not wait for the time-out. `results_marked` are results that told of a long queue
        in the network, and `reductions` is how often the window was reduced for queues (R-ECN).
        `acknowledgements` are rounds of the `acked` protocol without lanes, and `replayed` those
        that another switch was told again. `window` is the number of blocks that may be under way,
        and follows the path; `slots` is its limit.
        """
        return self._native.stats()

    def close(self) -> None:
        """Leave the job. The others can finish the calls that this worker has made. Closing twice
        is fine.
        """
        self._native.close()

    def __enter__(self) -> Communicator:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _check_root(self, root: int) -> None:
        if not 0 <= root < self.size:
            raise ValueError(f"root must be a rank from 0 to {self.size - 1}; got {root}")

    def _run(self, call: Call, priority: str | None) -> None:
        """Make a call. The caller keeps its memory."""
        self._native.run(*call, timeout=self._call_timeout_s, priority=checked(priority))


class _Target:
    """Contiguous memory for a result, which is the caller's `out` when that is contiguous."""

    def __init__(self, out: np.ndarray | None, shape: tuple[int, ...], dtype: np.dtype) -> None:
        if out is not None and (out.shape != shape or out.dtype != dtype):
            raise ValueError(
                f"out must have shape {shape} and dtype {dtype}; it has shape {out.shape} and dtype {out.dtype}"
            )
        if out is not None and not out.flags.writeable:
            raise ValueError("out is read-only; pass an array that can be written, or omit out")
        self._out = out
        self.memory = out if out is not None and out.flags.c_contiguous else np.empty(shape, dtype)

    def apart_from(self, source: np.ndarray, *, in_place: bool = True) -> np.ndarray:
        """Return `source`, or a copy where folding into this memory would overwrite elements that
        have not been read yet.
        """
        if in_place and _pointer(source) == _pointer(self.memory):
            return source
        return source.copy() if np.may_share_memory(source, self.memory) else source

    def result(self) -> np.ndarray:
        """The caller's array with the result in it."""
        if self._out is not None and self._out is not self.memory:
            np.copyto(self._out, self.memory)
            return self._out
        return self.memory


def _operation(op: str) -> str:
    if op not in OPERATIONS:
        raise ValueError(f"unknown operation {op!r}; choose one of {', '.join(OPERATIONS)}")
    return op


def _movable(array: np.ndarray) -> np.ndarray:
    """Return `array` in C order and native byte order; errors say what is wrong with it."""
    if not isinstance(array, np.ndarray):
        raise TypeError(
            f"expected a numpy.ndarray, got {type(array).__name__}; wrap it in numpy.asarray"
        )
    if array.dtype.hasobject:
        raise UnsupportedError(
            f"dtype {array.dtype} holds Python objects, which have no meaning in another process; "
            "pass an array of numbers"
        )
    if not array.dtype.isnative:
        raise UnsupportedError(
            f"dtype {array.dtype.str} is not in this machine's byte order; "
            "convert it with array.astype(array.dtype.newbyteorder('='))"
        )
    return array if array.flags.c_contiguous else np.array(array, order="C")


def _foldable(array: np.ndarray) -> tuple[np.ndarray, str]:
    source = _movable(array)
    element_type = ELEMENT_TYPES.get(source.dtype.name)
    if element_type is None:
        raise UnsupportedError(
            f"a switch cannot fold dtype {source.dtype}; convert it to one of {', '.join(ELEMENT_TYPES)}"
        )
    return source, element_type


def _pointer(array: np.ndarray) -> int:
    return array.ctypes.data


__all__ = ["Communicator", "connect"]
