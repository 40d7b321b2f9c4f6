"""netfold: collectives that are folded by a switch while they pass through it.

Open :func:`connect` first for NumPy arrays, :mod:`netfold.torch` for `torch.distributed`,
:mod:`netfold.glm` for linear models, and :func:`op` for operations of your own. This module imports
neither torch nor a network library of its own; the protocol runs in the native module
`netfold._native`.
"""

from __future__ import annotations

from . import _native, stage
from .communicator import Communicator, connect
from .errors import (
    CallTimeoutError,
    ConfigurationError,
    DivergedError,
    ForkedError,
    JoinError,
    KeyRangeError,
    MismatchError,
    ModelFileError,
    NetfoldError,
    OperationError,
    PeerLeftError,
    RegisterOverflowError,
    RegroupedError,
    ServerLostError,
    SwitchLostError,
    UnsupportedError,
    WorkerLostError,
)
from .fused import Fused
from .operations import Operation, load_op, op

__version__: str = _native.version

__all__ = [
    "CallTimeoutError",
    "Communicator",
    "ConfigurationError",
    "DivergedError",
    "ForkedError",
    "Fused",
    "JoinError",
    "KeyRangeError",
    "MismatchError",
    "ModelFileError",
    "NetfoldError",
    "Operation",
    "OperationError",
    "PeerLeftError",
    "RegisterOverflowError",
    "RegroupedError",
    "ServerLostError",
    "SwitchLostError",
    "UnsupportedError",
    "WorkerLostError",
    "__version__",
    "connect",
    "load_op",
    "op",
    "stage",
]
