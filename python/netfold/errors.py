"""Exceptions of netfold.

The native module raises these classes too, so `except netfold.WorkerLostError` catches both.
"""

from __future__ import annotations


class NetfoldError(Exception):
    """Base of everything that can go wrong in netfold."""


class ConfigurationError(NetfoldError, ValueError):
    """A setting is missing or does not parse. The message names the environment variable or
    argument to change.
    """


class JoinError(NetfoldError):
    """The job could not be created or joined: no switch at the address, a rank that is taken,
    settings that differ between workers.
    """


class WorkerLostError(NetfoldError):
    """Another worker of the job died or fell silent; or this one was silent for so long that it was
    expelled.

    The message names the rank; the job has failed for every worker (R-CTRL-4).
    """


class PeerLeftError(NetfoldError):
    """A call was made that a worker which has left in good order did not make.

    The message names its rank (R-CTRL-5).
    """


class MismatchError(NetfoldError):
    """Two workers made different calls at the same place in the stream.

    The message names both ranks and both calls (R-CTRL-6).
    """


class RegisterOverflowError(NetfoldError, ArithmeticError):
    """A sum did not fit its register at the switch, in the arithmetic `fpisa` or `fpisa-a`.

    The message names the element, the call, and the rank whose value was added (R-FPI-9). Scaling
    does not help, since mantissas overflow whatever their exponents. `fpisa` holds any 128 values
    of float32 at a switch, where two may overflow `fpisa-a`; `native` and `block` never overflow
    this way. With `overflow="native"` such blocks are folded again instead.
    """


class SwitchLostError(NetfoldError):
    """The connection to the switch broke.

    The message names its address; every outstanding and later call fails (R-CTRL-7).
    """


class ServerLostError(NetfoldError):
    """A server of a table went away and did not come back within the time-out, or came back without
    rows that it had acknowledged.

    The message says what to do: after a time-out, start the server again with the same folder
    (`--data`), and make the call again (R-SERVE-2).
    """

    address: str
    """The server's address."""


class RegroupedError(NetfoldError):
    """Other workers of an elastic job are lost, and the job goes on without them (R-RES-9).

    Each worker has at least one call that raises this. Calls that are complete at some may have
    failed at others: agree on where to go on, as by an all-gather of how far each has come, and
    make the calls again. `rank` and `size` of the communicator have changed.
    """

    lost: list[int]
    """Ranks of the lost workers, as they were when a call last reported a loss, or at the
    beginning.
    """
    rank: int
    """This worker's rank from now on."""
    size: int
    """Number of workers from now on."""


class CallTimeoutError(NetfoldError, TimeoutError):
    """A call did not complete within the time that its caller allowed."""


class DivergedError(NetfoldError, ArithmeticError):
    """A model of :mod:`netfold.glm` is not finite any more.

    Use a smaller step (`eta0`, or a larger `alpha` with the optimal rate), or scale the features.
    """


class ModelFileError(NetfoldError, ValueError):
    """A file is not a model of :mod:`netfold.glm`, or not one of the class that was asked to load
    it.
    """


class ForkedError(NetfoldError):
    """The communicator was made in another process, of which this one is a fork.

    The message names both. It goes on in its own process; to make calls in this one, connect anew.
    """


class KeyRangeError(NetfoldError, IndexError):
    """A key is not a row of its table. The message names both."""


class OperationError(NetfoldError, ValueError):
    """An operation of a user cannot be compiled, is refused (R-OP-16), or traps (R-OP-19).

    The message says why, and what to do.
    """


class UnsupportedError(NetfoldError, ValueError):
    """The operation, element type or memory layout is not one that the job's arithmetic or this
    front end can fold.
    """


__all__ = [
    "CallTimeoutError",
    "ConfigurationError",
    "DivergedError",
    "ForkedError",
    "JoinError",
    "KeyRangeError",
    "MismatchError",
    "ModelFileError",
    "NetfoldError",
    "OperationError",
    "PeerLeftError",
    "RegisterOverflowError",
    "RegroupedError",
    "ServerLostError",
    "SwitchLostError",
    "UnsupportedError",
    "WorkerLostError",
]
