"""Open MPI on the hosts of an emulated rack."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from .place import Place

AS_ROOT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
"""Environment that Open MPI asks of root, who alone can make a rack."""


def components(values: Mapping[str, str]) -> list[str]:
    """Return the options of `mpirun` that set its components."""
    return [word for name, value in values.items() for word in ("--mca", name, value)]


def tcp(place: Place) -> list[str]:
    """Return the options that have ranks talk over TCP, at the place's interface."""
    return components({"pml": "ob1", "btl": "tcp,self", "btl_tcp_if_include": place.interface})


def on_hosts(place: Place, ranks: int, agent: Path) -> list[str]:
    """Return the options that put each rank on a host of its own.

    Args:
        place: the rack.
        ranks: their number.
        agent: path of the script that starts daemons on the hosts; it is written here.
    """
    hosts = [place.address(rank) for rank in range(ranks)]
    _write_agent(place, hosts, agent)
    # Each host believes that the cores are its own: every first rank would be bound to the first
    # core, and spin there. So the settings are those that Open MPI chooses where it knows that
    # ranks share cores.
    return [
        *("--host", ",".join(hosts), "--bind-to", "none"),
        *components(
            {
                "plm": "rsh",
                "plm_rsh_agent": str(agent),
                "plm_rsh_no_tree_spawn": "1",
                "mpi_yield_when_idle": "1",
            }
        ),
    ]


def _write_agent(place: Place, hosts: Sequence[str], agent: Path) -> None:
    """Write the script that Open MPI calls in place of `ssh HOST COMMAND`. Each host has temporary
    files of its own: two daemons that find each other's do not start.
    """
    lines = ["#!/bin/sh", "host=$1", "shift"]
    lines += [f'export TMPDIR="${{TMPDIR:-{agent.parent}}}/$host"', 'mkdir -p "$TMPDIR"']
    lines += ["case $host in"]
    for rank, host in enumerate(hosts):
        lines.append(f'{host}) exec {shlex.join(place.command(rank, ["sh", "-c"]))} "$*" ;;')
    lines += ["esac", 'echo "no such host: $host" >&2', "exit 1"]
    agent.write_text("\n".join(lines) + "\n")
    agent.chmod(0o755)
