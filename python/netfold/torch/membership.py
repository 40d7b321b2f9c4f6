"""A rank's membership of a job, from the making of its process group to the end of it."""

from __future__ import annotations

import atexit
import dataclasses
import logging
import os
import sys
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist
from torch._C._distributed_c10d import Backend, ErrorType

from .. import _native
from ..call import Call
from ..config import Settings
from ..errors import CallTimeoutError, ForkedError, NetfoldError
from ..operations.operation import Codec
from .fallback import Fallback
from .folds import chosen_operations
from .joining import LateCommunicator
from .messages import Messages
from .monitored import MonitoredBarrier
from .outstanding import Outstanding
from .place import Place
from .rendezvous import Rendezvous
from .staging import Loan
from .surface import Surface
from .unequal import UnequalCalls
from .work import NetfoldWork, Submission

logger = logging.getLogger("netfold")

_NO_TIME = timedelta(0)

_alive: list[Membership] = []
"""Backends of this process. torch alone does not keep the Python half of a backend alive."""

_of_the_parent: list[Membership] = []
"""Backends of the parent, in a fork. They are kept, since freeing them would end what is the
parent's.
"""


class Membership(Surface):
    """The part of a backend that does not depend on what is folded: it joins, counts, and leaves.

    Args:
        place: the group, and this worker's rank in it.

    The default group joins its job when it is made, any other with its first call (`joining.py`).

    Raises:
        JoinError: the ranks did not come together, or the switch refused the job of the default
            group.
        ConfigurationError: a `NETFOLD_*` variable does not parse, or no switch is reachable from
            this host.
    """

    def __init__(self, place: Place) -> None:
        super().__init__(place.rank, place.size)
        self.ranks = place.ranks
        rank, size, timeout, group_name = place.rank, place.size, place.timeout, place.name
        self._settings = settings = Settings.from_environment()
        self.operations = chosen_operations()
        """Operations of users that the group's calls may fold by."""
        encoding = [one for one in self.operations if one.declaration.wire is not None]
        self.codecs = {one: Codec(one) for one in encoding}
        """Encoders and decoders of tensors for calls by these (R-OP-30)."""
        self.group_name = group_name
        self._options = Backend.Options("netfold", timeout)
        self._arithmetic = settings.arithmetic
        self._timeout = timeout
        self._drain_s = settings.timeout_s
        self.direct = _native.DirectCalls()
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._closed = False
        self._rendezvous = Rendezvous(place.store, rank, size, timeout, settings)

        self._is_default = not dist.is_initialized()
        self._exchanges = False
        """True if the default group has begun in shared memory, or with exchange slots: at all ranks
        alike.
        """
        try:
            # The default group joins at once, so that what is wrong with the switch is told before
            # training begins.
            if not self._is_default:
                self._native: _native.Communicator | LateCommunicator = LateCommunicator(
                    self._join, self._lost, self.direct.open, group_name
                )
            else:
                self._native = self._join()
                stats = self._native.stats()
                self._exchanges = stats["transport"] == "shm" or stats["exchange_slots"] > 0
                self.direct.open(self._native)
            # Of the store the part that the rendezvous has made this group's.
            shared = dataclasses.replace(place, store=self._rendezvous.store)
            self._fallback = Fallback(shared, settings.strict, self._announce)
        except BaseException:
            self._rendezvous.stop()
            raise
        self._outstanding = Outstanding(self._native, self.direct, f"group-{group_name}")
        for_unequal = LateCommunicator(
            lambda given_up: self._join(given_up, [*range(size)], " unequal"),
            self._lost,
            lambda _: None,
            f"{group_name} (unequal calls)",
        )
        self._unequal = UnequalCalls(for_unequal, rank, size, self._outstanding.fail)
        self._messages = Messages(self._join, self._lost, rank, size, group_name)
        self._monitored = MonitoredBarrier(
            self._messages,
            lambda: self._announce("monitored_barrier()", _NO_TIME, False),
            rank,
            size,
        )
        _alive.append(self)

    @staticmethod
    def alive() -> list[Membership]:
        """The backends of this process that have not been destroyed, oldest first."""
        return list(_alive)

    @property
    def arithmetic(self) -> str:
        """The job's arithmetic, `block` or `native`; all ranks have the same."""
        return self._arithmetic

    @property
    def switch(self) -> str:
        """Address of the switch, as this rank reaches it."""
        return self._rendezvous.switch

    def stats(self) -> dict[str, Any]:
        """Counters of this rank since the group has joined its job: bytes, packets,
        retransmissions, window, slots.

        A group that is not the default one joins at its first call; before that all are zero.
        """
        return self._native.stats()

    @property
    def options(self) -> Backend.Options:
        """Name and time-out, as torch wants them."""
        return self._options

    def set_timeout(self, timeout: timedelta) -> None:
        """Change the time-out of later calls."""
        self._timeout = timeout
        self._options._timeout = timeout
        self._fallback.set_timeout(timeout)

    _set_default_timeout = set_timeout

    def _set_sequence_number_for_group(self) -> None:
        self.direct.sequence = 0

    def _get_sequence_number_for_group(self) -> int:
        return self.direct.sequence

    def get_error(self) -> ErrorType:
        """Return whether the group has failed, and whether by time-out or otherwise."""
        failure = self._outstanding.failure
        if failure is None:
            return ErrorType.SUCCESS
        return ErrorType.TIMEOUT if isinstance(failure, CallTimeoutError) else ErrorType.COMM_ERROR

    def shutdown(self) -> None:
        """Wait for outstanding calls (at most the liveness time-out), leave the job, end the thread
        and an embedded switch.

        Nothing is waited for after Ctrl-C, or once a call has failed.
        """
        self._shut_down(0.0 if isinstance(sys.exc_info()[1], KeyboardInterrupt) else self._drain_s)

    def abort(self) -> None:
        """Leave the job at once; outstanding calls fail."""
        if self._begins_to_end():
            self._end()
            self._rendezvous.stop()

    def refuse_as_a_fork(self) -> None:
        """Refuse every call from now on, and end nothing: this process is a fork of the one that
        made the group.
        """
        error = ForkedError(
            f"the process group {self.group_name!r} belongs to process {self._process}, of which process "
            f"{os.getpid()} is a fork; make another group in this process"
        )
        # A thread of the parent may have held the old one.
        self._lock = threading.Lock()
        self._closed = True
        self._outstanding.refuse(error)
        self._unequal.refuse(error)
        self._messages.refuse(error)
        self._fallback.refuse(error)

    def _join(
        self,
        given_up: Callable[[], bool] | None = None,
        ranks: list[int] | None = None,
        label: str = "",
    ) -> _native.Communicator:
        """Join the group's job, or the subgroup of it that has these ranks and this label."""
        settings, job = self._settings, self._rendezvous.job
        rank, size = self.rank(), self.size()
        if ranks is not None:
            job = _native.subgroup_job(job, ranks, label)
            rank, size = ranks.index(rank), len(ranks)
        return _native.Communicator(
            switch=self._rendezvous.switch,
            job=job,
            rank=rank,
            size=size,
            arithmetic=settings.arithmetic,
            overflow=settings.overflow,
            byte_order=settings.byte_order,
            protocol=settings.protocol,
            token=settings.token,
            timeout=settings.timeout_s,
            packet_elements=settings.packet_elements,
            slots=settings.slots,
            weight=settings.weight,
            integrity=settings.integrity,
            transport=settings.transport,
            pin=settings.pin,
            resumable=settings.resumable,
            on_waiting=lambda waiting: logger.warning(
                "rank %d of group %s: %s", self.rank(), self.group_name, waiting
            ),
            given_up=given_up,
            operations=[operation.native for operation in self.operations] if ranks is None else [],
        )

    def _seconds(self, timeout: timedelta) -> float:
        """A call's time-out in seconds. c10d passes 0 or less for the group's."""
        return (timeout if timeout > _NO_TIME else self._timeout).total_seconds()

    def _announce(self, description: str, timeout: timedelta, waits: bool) -> NetfoldWork:
        """Announce a call that is carried out elsewhere; a time-out of 0 or less is the group's."""
        text = torch.frombuffer(bytearray(description, "utf-8"), dtype=torch.uint8)
        loan = Loan([text], read=True, written=False)
        call = Call("elsewhere", description, "u8", 0, loan.elements, loan.pointer)
        self.direct.sequence += 1
        return self._outstanding.add(
            Submission(call, [loan], [], self._seconds(timeout)), waits=waits
        )

    def _exchanges_elsewhere(self) -> str | None:
        """The reason why an all-to-all goes to Gloo, the same at every rank; None if it does not.

        Over a network and without exchange slots, each of its packets would be one of n at the
        switch, of which the others are empty: that takes three times as long as Gloo among 8 ranks
        (docs/pytorch.md).
        """
        default = next((other for other in _alive if other._is_default), None)
        if self._settings.strict or self.size() <= 2 or default is None:
            return None
        if default._exchanges:
            return None
        return "the job has no exchange slots, and its ranks exchange parts faster without a switch"

    def _lost(self) -> NetfoldError | None:
        """The error of a rank of this group that is lost, as the default group has heard of it."""
        for other in _alive:
            if isinstance(other._native, _native.Communicator):
                lost = other._native.lost()
                return lost[1] if lost is not None and lost[0] in self.ranks else None
        return None

    def _shut_down(self, patience_s: float) -> None:
        if not self._begins_to_end():
            return
        drained = False
        try:
            deadline = time.monotonic() + patience_s
            drained = all(
                calls.drain(max(deadline - time.monotonic(), 0.0))
                for calls in (self._outstanding, self._unequal, self._messages)
            )
        finally:
            self._end()
            self._rendezvous.leave(patience_s if drained else 0.0)

    def _begins_to_end(self) -> bool:
        """Return whether this is the first call that ends the group."""
        with self._lock:
            before, self._closed = self._closed, True
        return not before

    def _end(self) -> None:
        reason = "the process group was destroyed before this call was complete"
        self._outstanding.close(reason)
        self._unequal.close()
        self._messages.close(reason)
        self._fallback.close()
        _alive.remove(self)


def _leave_to_the_parent() -> None:
    _of_the_parent.extend(_alive)
    _alive.clear()
    for backend in _of_the_parent:
        backend.refuse_as_a_fork()


os.register_at_fork(after_in_child=_leave_to_the_parent)


@atexit.register
def _end_all() -> None:
    """Leave every job at the interpreter's exit, newest first, so that no other rank is told that
    this one was lost.
    """
    interrupted = getattr(sys, "last_type", None) is KeyboardInterrupt
    for backend in reversed(Membership.alive()):
        try:
            backend._shut_down(0.0 if interrupted else backend._drain_s)
        except NetfoldError as error:
            logger.debug("group %s did not end in order: %s", backend.group_name, error)
