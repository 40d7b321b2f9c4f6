"""Collectives on NumPy arrays.

Every worker of the job makes the same calls in the same order with the same shapes and types
(R-STREAM-1); the switch reports the first place where two of them differ
(:class:`~netfold.MismatchError`). A communicator is used by one thread at a time.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from types import TracebackType
from typing import Any, TypeVar

import numpy as np

from . import _native
from .arrays import operation
from .call import Call
from .config import Settings
from .errors import ConfigurationError, RegroupedError, UnsupportedError
from .fused import Fused
from .messages import Ends, Messages
from .operations.operation import Codec, Operation
from .priorities import checked
from .stage import Stage

logger = logging.getLogger("netfold")

MAX_CALL_TIMEOUT_S = 365 * 24 * 3600
"""Largest `call_timeout`, in seconds."""

MAX_TAG = 2**32 - 1
"""Largest tag of a message."""

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
    operations: Sequence[Operation] = (),
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
        operations: operations by which calls may fold (:func:`netfold.op`), the same at every
            worker.

    Raises:
        ConfigurationError: no switch is given, or a setting does not parse.
        JoinError: the switch cannot be reached or refuses the worker; the message says why.
        NetfoldError: the job has failed by a call of other workers, before this one was connected.
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
        operations=[operation.native for operation in operations],
        on_waiting=lambda waiting: logger.warning("rank %s of the job %r: %s", rank, job, waiting),
    )
    return Communicator(native, call_timeout, operations)


def _given(argument: T | None, otherwise: T) -> T:
    return otherwise if argument is None else argument


class Communicator(Messages):
    """A worker of a job, made by :func:`connect`; a context manager that leaves the job at its end.

    A call that raises anything but :class:`~netfold.UnsupportedError`,
    :class:`~netfold.RegroupedError` or a built-in error about its arguments ends the membership:
    the other workers are told, and later calls raise.

    The `priority` of a call, the same at every worker, is `urgent`, `bulk`, or None for what its
    length gives it: urgent up to 16 KiB, bulk above, as is a barrier. An urgent call goes before
    the bulk that is in progress.
    """

    def __init__(
        self,
        native: _native.Communicator,
        call_timeout_s: float | None = None,
        operations: Sequence[Operation] = (),
    ) -> None:
        self._native = native
        self._call_timeout_s = call_timeout_s
        self._operations = tuple(operations)
        self._codecs: dict[tuple[Operation, Ends | None], Codec] = {}
        self._numbers = {operation: f"#{at}" for at, operation in enumerate(operations)}

    @property
    def rank(self) -> int:
        """This worker's number, from 0. It changes when an elastic job goes on without others."""
        return self._native.rank

    @property
    def size(self) -> int:
        """Number of workers of the job; see :attr:`rank`."""
        return self._native.size

    def subgroup(self, ranks: Sequence[int]) -> Communicator:
        """Join a job of some of the workers, on the same terms, and wait until all of them have
        called this (MPI_Comm_create_group).

        Worker `ranks[i]` has rank i there. A subgroup is a communicator like any other: its calls
        have an order of their own, and it is closed by itself.

        Raises:
            ValueError: the list lacks this worker, names a rank twice, or names one that the job
                does not have.
            CallTimeoutError: not all of them came within the `call_timeout`; the job goes on.
            PeerLeftError: one of them has left the job.
            JoinError: as :func:`connect`.
        """
        native = self._native.subgroup(
            [*ranks], timeout=self._call_timeout_s, on_waiting=self._log_waiting
        )
        return Communicator(native, self._call_timeout_s, self._operations)

    def with_operations(self, operations: Sequence[Operation]) -> Communicator:
        """Join a job of the same workers that may fold by these operations and no others, and wait
        until all of them have called this.

        Raises:
            JoinError: the workers bring different operations along, or the switch refuses one.
            CallTimeoutError, PeerLeftError: as :meth:`subgroup`.
        """
        brought = [operation.native for operation in operations]
        native = self._native.with_operations(
            brought, timeout=self._call_timeout_s, on_waiting=self._log_waiting
        )
        return Communicator(native, self._call_timeout_s, operations)

    def fused(self, stages: Sequence[Stage | str]) -> Fused:
        """Plan a chain of collectives that is carried out in one pass over the network.

        Each stage takes what the one before gives, and the results have the bits of these calls one
        after the other. These stages can be fused, and groups of them, each with an array of its
        own, are under way at once:

        - `scan` and `all_gather`, also with an `all_gather` in front: every worker gets the
          prefixes of all ranks, one row for each;
        - `scan` and `broadcast`: each worker gets the prefix of the last rank, the total, and its
          own prefix if that is kept;
        - `reduce` and `broadcast`, with a `map` between or without;
        - `all_reduce` and `map`, with a `broadcast` behind or without: the switch maps the fold;
        - `gather` and `broadcast`;
        - `all_reduce`, `all_to_all` and `all_to_all_v` beside other groups.

        The chain is planned here, without the other workers, and carried out whenever all of them
        call the result.

        Args:
            stages: of :mod:`netfold.stage`; of a stage without arguments the name will do.

        Raises:
            UnsupportedError: a stage cannot be fused; the message names it, and says why and what
                to call instead.
        """
        return Fused(self, stages)

    def stats(self) -> dict[str, Any]:
        """Counters of this worker since it joined: bytes, packets, retransmissions, queries, round
        trip and time-out in microseconds, window and slots.

        `retransmissions` are blocks that were sent again, `queries` are headers that only asked the
        switch about one, `bytes_resent` are the bytes of both, and `fast_retransmissions` says how
        many did not wait for the time-out. `results_marked` are results that told of a long queue
        in the network, and `reductions` is how often the window was reduced for queues (R-ECN).
        `acknowledgements` are rounds of the `acked` protocol without lanes, and `replayed` those
        that another switch was told again. `window` is the number of blocks that may be under way,
        and follows the path; `slots` is its limit, or `long_slots` where the switch lends the slots
        of long calls (R-CTRL-25).
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

    def _channel(self, ends: Ends) -> _native.Communicator:
        other = ends.target if ends.source == self.rank else ends.source
        if not 0 <= other < self.size or other == self.rank:
            raise ValueError(
                f"a message goes to or comes from another rank, from 0 to {self.size - 1}; got {other}"
            )
        if not 0 <= ends.tag <= MAX_TAG:
            raise ValueError(f"a tag is a number from 0 to {MAX_TAG}; got {ends.tag}")
        return self._native.channel(
            ends, timeout=self._call_timeout_s, on_waiting=self._log_waiting
        )

    def _log_waiting(self, waiting: str) -> None:
        logger.warning("rank %s: %s", self.rank, waiting)

    def _number(self, op: Operation, dtype: np.dtype) -> str:
        if isinstance(op, str):
            raise TypeError(
                f"{op!r} transforms nothing; give a netfold.Operation with a map or a codec"
            )
        if not isinstance(op, Operation):
            raise TypeError(f"op is the name of an operation, or a netfold.Operation; got {op!r}")
        if op not in self._numbers:
            raise ValueError(
                f"the job does not have the operation {op.name!r}; pass it to connect(operations=[...]), "
                "or use comm.with_operations([...])"
            )
        op.check(dtype)
        return self._numbers[op]

    def _codec(
        self, op: str | Operation, array: np.ndarray, ends: Ends | None = None
    ) -> Codec | None:
        if isinstance(op, str) or op not in self._numbers or not op.encodes(array):
            return None
        if (op, ends) not in self._codecs:
            self._codecs[op, ends] = Codec(op)
        return self._codecs[op, ends]

    def _fold(self, op: str | Operation) -> str:
        """Return the name of the fold by an operation."""
        if isinstance(op, str):
            return operation(op)
        return self._number(op, op.wire_dtype)

    def _run_all(self, calls: Sequence[Call], priority: str | None) -> None:
        """Make several calls at once. The caller keeps their memory."""
        tickets: list[int] = []
        failed: UnsupportedError | RegroupedError | None = None
        try:
            for call in calls:
                try:
                    tickets.append(self._native.submit(*call, priority=checked(priority)))
                except UnsupportedError as error:
                    # All workers find out alike, and those that were begun go on.
                    failed = error
                    break
            for ticket in tickets:
                try:
                    self._native.wait(ticket, self._call_timeout_s)
                except RegroupedError as error:
                    failed = failed or error
        except BaseException:
            # The memory is the caller's again.
            self._native.close()
            raise
        finally:
            for ticket in tickets:
                self._native.forget(ticket)
        if failed is not None:
            raise failed

    def _run(self, call: Call, priority: str | None) -> None:
        """Make a call. The caller keeps its memory."""
        self._native.run(*call, timeout=self._call_timeout_s, priority=checked(priority))


__all__ = ["Communicator", "connect"]
