"""Messages from one worker to another, each a call in a job of the two (R-STREAM-15)."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .arrays import Target, movable, pointer
from .call import Call
from .parts import PartCollectives

if TYPE_CHECKING:
    from . import _native
    from .operations import Operation
    from .operations.operation import Codec


class Ends(NamedTuple):
    """Common properties of the messages of one channel."""

    source: int
    target: int
    tag: int


class Messages(PartCollectives):
    """Messages of a worker of a job; see :class:`~netfold.Communicator`."""

    _call_timeout_s: float | None

    def send(
        self, array: np.ndarray, to: int, tag: int = 0, *, op: Operation | None = None
    ) -> None:
        """Send `array` to worker `to`, and return when that takes it.

        Messages with one `tag`, a number from 0 on, arrive in the order in which they were sent.
        Any dtype without objects will do. The first message to a worker with a tag joins a job of
        the two.

        With an operation, whose elements `array` has then, the switch transforms them on their way,
        by its map or its codec (R-OP-24). The receiver names the same operation.
        """
        ends = Ends(self.rank, to, tag)
        fold, codec = self._transform(op, array, ends)
        channel = self._channel(ends)
        sent = movable(array) if codec is None else codec.encode(array)
        call = Call("message", fold, "u8", 0, sent.nbytes, pointer(sent))
        channel.run(*call, timeout=self._call_timeout_s)

    def recv(
        self,
        array: np.ndarray,
        source: int,
        tag: int = 0,
        *,
        op: Operation | None = None,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return the next message with this `tag` from worker `source`.

        `array` states its shape and dtype only; the number of bytes must be that of the array sent.
        `op` is the operation of :meth:`send`, if it has one. `out` is where the message goes; see
        :meth:`all_reduce`.

        Raises:
            MismatchError: the message has another number of bytes, or another operation. The two
                workers cannot exchange messages with this tag any more; all else goes on.
        """
        ends = Ends(source, self.rank, tag)
        fold, codec = self._transform(op, array, ends)
        channel = self._channel(ends)
        target = _target(codec, movable(array), out)
        memory = target.memory
        call = Call("message", fold, "u8", 0, memory.nbytes, 0, pointer(memory))
        channel.run(*call, timeout=self._call_timeout_s)
        return _taken(codec, target, array, out)

    def sendrecv(  # noqa: PLR0913 - keywords of a public call
        self,
        array: np.ndarray,
        to: int,
        source: int,
        tag: int = 0,
        *,
        op: Operation | None = None,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Send `array` to worker `to`, and return the next message from worker `source`, which has
        the same shape and dtype (MPI_Sendrecv). Neither waits for the other, so that workers may
        pass arrays around in a ring. `op` transforms both messages; see :meth:`send`.
        """
        ends = Ends(self.rank, to, tag), Ends(source, self.rank, tag)
        fold, codec = self._transform(op, array, ends[0])
        _, decoding = self._transform(op, array, ends[1])
        # The same order everywhere: no two workers wait for each other's.
        channels = {end: self._channel(end) for end in sorted(ends)}
        sent = movable(array) if codec is None else codec.encode(array)
        target = _target(decoding, movable(array), out)
        sent = target.apart_from(sent, in_place=False)
        call = Call("message", fold, "u8", 0, sent.nbytes)
        sending = channels[ends[0]]
        ticket = sending.submit(*call._replace(input=pointer(sent)))
        try:
            taking = call._replace(output=pointer(target.memory))
            channels[ends[1]].run(*taking, timeout=self._call_timeout_s)
            sending.wait(ticket, self._call_timeout_s)
        except BaseException:
            # The memory is the caller's again.
            sending.close()
            raise
        finally:
            sending.forget(ticket)
        return _taken(decoding, target, array, out)

    def _transform(
        self, op: Operation | None, array: np.ndarray, ends: Ends
    ) -> tuple[str, Codec | None]:
        """Return the name of what the switch does to a message, and its codec, if elements of
        `array` have one.
        """
        dtype = movable(array).dtype
        if op is None:
            return "copy", None
        codec = self._codec(op, array, ends)
        return self._number(op, dtype if codec is None else op.wire_dtype), codec

    @abstractmethod
    def _channel(self, ends: Ends) -> _native.Communicator:
        """Return the communicator of messages between these ends."""


def _target(codec: Codec | None, stated: np.ndarray, out: np.ndarray | None) -> Target:
    """Return where a message goes: wire elements, if it has a codec."""
    if codec is None:
        return Target(out, stated.shape, stated.dtype)
    room = codec.room(stated)
    return Target(None, room.shape, room.dtype)


def _taken(
    codec: Codec | None, target: Target, stated: np.ndarray, out: np.ndarray | None
) -> np.ndarray:
    """Return a message that has come, as the caller takes it."""
    if codec is None:
        return target.result()
    return codec.decode(target.result(), stated.shape, stated.dtype, out)


__all__ = ["Ends", "Messages"]
