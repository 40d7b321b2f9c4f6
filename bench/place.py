"""Places of the contenders' processes: this machine as it is, or an emulated rack."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from .plan import Network
from .rack import Host, Link, Rack, RackError


class PlaceError(RuntimeError):
    """The place cannot be made on this machine; the message says what is missing."""


class Place(Protocol):
    """Hosts of workers and of a switch."""

    @property
    def interface(self) -> str:
        """Network interface over which a host reaches the others."""

    @property
    def switch_address(self) -> str:
        """IPv4 address at which a switch listens."""

    def address(self, host: int) -> str:
        """IPv4 address of a worker's host."""

    def command(self, host: Host, argv: Sequence[str]) -> list[str]:
        """The command that runs `argv` at a host and keeps its process id."""

    def popen(
        self, host: Host, argv: Sequence[str], *, env: Mapping[str, str], **options: Any
    ) -> subprocess.Popen[Any]:
        """Start a process at a host."""


class Loopback:
    """This machine: every host is the same one, and the network is its loopback interface."""

    interface = "lo"
    switch_address = "127.0.0.1"

    def address(self, host: int) -> str:
        """The loopback address, for every host."""
        del host
        return self.switch_address

    def command(self, host: Host, argv: Sequence[str]) -> list[str]:
        """The command itself."""
        del host
        return list(argv)

    def popen(
        self, host: Host, argv: Sequence[str], *, env: Mapping[str, str], **options: Any
    ) -> subprocess.Popen[Any]:
        """Start a process."""
        environment = {"GLOO_SOCKET_IFNAME": self.interface, **env}
        return subprocess.Popen(self.command(host, argv), env=environment, **options)


class Crowded:
    """Another place with several workers on each of its hosts; a worker's host is asked for by the
    worker's rank.
    """

    def __init__(self, hosts: Place, workers_per_host: int) -> None:
        self._hosts = hosts
        self._workers_per_host = workers_per_host
        self.interface = hosts.interface
        self.switch_address = hosts.switch_address

    def _host(self, worker: Host) -> Host:
        return worker if worker == "switch" else worker // self._workers_per_host

    def address(self, host: int) -> str:
        """IPv4 address of the worker's host."""
        return self._hosts.address(host // self._workers_per_host)

    def command(self, host: Host, argv: Sequence[str]) -> list[str]:
        """The command at the worker's host."""
        return self._hosts.command(self._host(host), argv)

    def popen(
        self, host: Host, argv: Sequence[str], *, env: Mapping[str, str], **options: Any
    ) -> subprocess.Popen[Any]:
        """Start a process at the worker's host."""
        return self._hosts.popen(self._host(host), argv, env=env, **options)


@contextmanager
def place(network: Network, workers: int, loss: float) -> Iterator[Place]:
    """A place for so many workers; it is gone at the end.

    Raises:
        PlaceError: as it says.
    """
    if network.rate is None:
        yield Loopback()
        return
    rack = Rack(workers // network.workers_per_host, Link(network.rate, loss))
    try:
        rack.__enter__()
    except RackError as error:
        raise PlaceError(str(error)) from error
    try:
        yield rack if network.workers_per_host == 1 else Crowded(rack, network.workers_per_host)
    finally:
        rack.close()


def bare_environment() -> dict[str, str]:
    """This process's environment without settings of netfold, which would make runs differ from
    machine to machine.
    """
    # Workers share the machine's cores; a thread pool in each of them only gets in the way.
    single = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {
        name: value for name, value in os.environ.items() if not name.startswith("NETFOLD_")
    } | single


__all__ = ["Crowded", "Host", "Loopback", "Place", "PlaceError", "bare_environment", "place"]
