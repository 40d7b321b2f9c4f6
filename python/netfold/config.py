"""Settings from the environment. Only this module of the package reads `NETFOLD_*` variables.

| variable | meaning | default |
| --- | --- | --- |
| `NETFOLD_SWITCH` | `host:port` of the switch, and of its standbys (`a:1,b:1`) | none: torch's rank 0 starts one |
| `NETFOLD_RESUMABLE` | `1`: wait for the only switch to start again when it is lost | `0` |
| `NETFOLD_LISTEN` | address at which that embedded switch listens | `127.0.0.1:0` |
| `NETFOLD_ARITHMETIC` | `block`, `native`, `fpisa`, `fpisa-a` or `logtable` | `block` |
| `NETFOLD_OVERFLOW` | what becomes of sums that overflow in `fpisa` and `fpisa-a`: `error`, or `native` | `error` |
| `NETFOLD_BYTE_ORDER` | order of a lane's bytes in packets, `little` or `network` | `little` |
| `NETFOLD_PROTOCOL` | when a slot is used again, `shadow` or `acked` | `shadow` |
| `NETFOLD_TOKEN` | secret that guards the job | none |
| `NETFOLD_INTEGRITY` | `transport`, `checksum` or `token` | the switch decides |
| `NETFOLD_TIMEOUT` | seconds of silence after which a worker counts as lost | 10 |
| `NETFOLD_TRANSPORT` | `udp` or `shm` | shared memory where all workers run on the switch's host, else UDP |
| `NETFOLD_PIN` | cores for netfold's own threads, such as `0,2-5` | wherever the system puts them |
| `NETFOLD_PACKET_ELEMENTS` | lanes of a packet, a multiple of 8 | what the path's MTU allows |
| `NETFOLD_SLOTS` | slots of each flow for bulk | the switch decides |
| `NETFOLD_WEIGHT` | the job's part of a queue that it shares with others, 1 to 100 (R-ECN-4) | 1 |
| `NETFOLD_STRICT` | `1`: refuse what the switch cannot do instead of handing it to Gloo | `0` |
"""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from . import _native
from .errors import ConfigurationError

T = TypeVar("T")

DEFAULT_LISTEN = "127.0.0.1:0"
DEFAULT_TIMEOUT_S = 10.0

logger = logging.getLogger("netfold")

_warned: set[str] = set()
"""Warnings about the environment that this process has given."""


@dataclass(frozen=True)
class Settings:
    """Settings of one communicator, read from the environment by :meth:`from_environment`."""

    switch: str | None = None
    listen: str = DEFAULT_LISTEN
    arithmetic: str = "block"
    overflow: str = "error"
    byte_order: str = "little"
    protocol: str = "shadow"
    token: str | None = None
    integrity: str | None = None
    transport: str | None = None
    pin: str | None = None
    timeout_s: float = DEFAULT_TIMEOUT_S
    packet_elements: int | None = None
    slots: int | None = None
    weight: int = 1
    strict: bool = False
    resumable: bool = False

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Read the variables of the table above; an empty variable counts as unset.

        A variable that netfold does not read is warned of, once.

        Raises:
            ConfigurationError: a variable does not parse. The message names it and what it may
                hold.
        """
        env = os.environ if environment is None else environment
        _warn_of_unknown(env)

        def get(name: str, default: T, parse: Callable[[str], T], expected: str) -> T:
            text = env.get(f"NETFOLD_{name}", "").strip()
            if not text:
                return default
            try:
                return parse(text)
            except ValueError:
                raise ConfigurationError(
                    f"NETFOLD_{name}={text!r} is not {expected}; correct it or unset it"
                ) from None

        return cls(
            switch=get(
                "SWITCH",
                None,
                _addresses,
                "an address of the form host:port, or several with commas between",
            ),
            resumable=get("RESUMABLE", False, _switch, "0 or 1"),
            listen=get(
                "LISTEN",
                DEFAULT_LISTEN,
                _address,
                "an address of the form host:port (port 0 picks a free one)",
            ),
            arithmetic=get("ARITHMETIC", "block", str, "a name"),
            overflow=get("OVERFLOW", "error", str, "a name"),
            byte_order=get("BYTE_ORDER", "little", str, "a name"),
            protocol=get("PROTOCOL", "shadow", str, "a name"),
            token=get("TOKEN", None, str, "a string"),
            integrity=get("INTEGRITY", None, str, "a name"),
            transport=get("TRANSPORT", None, str, "a name"),
            pin=get("PIN", None, str, "a list of cores"),
            timeout_s=get("TIMEOUT", DEFAULT_TIMEOUT_S, _seconds, "a positive number of seconds"),
            packet_elements=get("PACKET_ELEMENTS", None, _positive, "a positive integer"),
            slots=get("SLOTS", None, _positive, "a positive integer"),
            weight=get("WEIGHT", 1, _positive, "a positive integer"),
            strict=get("STRICT", False, _switch, "0 or 1"),
        )


def _warn_of_unknown(environment: Mapping[str, str]) -> None:
    for warning in _native.unknown_variables([name for name in environment if name.isascii()]):
        if warning not in _warned:
            _warned.add(warning)
            logger.warning("%s", warning)


def _address(text: str) -> str:
    host, separator, port = text.rpartition(":")
    if not (separator and host and 0 <= int(port) <= 65535):
        raise ValueError(text)
    return text


def _addresses(text: str) -> str:
    return ",".join(_address(address.strip()) for address in text.split(","))


def _seconds(text: str) -> float:
    value = float(text)
    if not (math.isfinite(value) and value > 0):
        raise ValueError(text)
    return value


def _positive(text: str) -> int:
    value = int(text)
    if value <= 0:
        raise ValueError(text)
    return value


def _switch(text: str) -> bool:
    values = {
        "0": False,
        "false": False,
        "no": False,
        "off": False,
        "1": True,
        "true": True,
        "yes": True,
        "on": True,
    }
    if text.lower() not in values:
        raise ValueError(text)
    return values[text.lower()]
