"""The arithmetic alone, beside memcpy: runs the example `throughput` of `crates/kernels`, and shows
what it says.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from . import machine
from .launch import ROOT
from .plan import Kernels

COMMAND = (
    "cargo",
    "run",
    "--quiet",
    "--release",
    "--package",
    "netfold-kernels",
    "--example",
    "throughput",
)


class KernelsError(RuntimeError):
    """The kernels cannot be measured here; the message says why."""


@dataclass(frozen=True)
class KernelResults:
    """Measurements of the example."""

    plan: Kernels
    machine: dict[str, Any]
    clock_ghz: float
    """Clock of the core while it computes."""
    vector_bytes: int
    """Width of the widest vectors that the processor has."""
    rows: list[dict[str, Any]]
    """Each kernel at each level of the processor."""

    def write(self, path: Path) -> None:
        """Write everything as JSON."""
        content = {
            "plan": self.plan.name,
            "title": self.plan.title,
            "machine": self.machine,
            "clock_ghz": self.clock_ghz,
            "vector_bytes": self.vector_bytes,
            "rows": self.rows,
        }
        path.write_text(json.dumps(content, indent=1) + "\n")


def measure(plan: Kernels) -> KernelResults:
    """Measure all kernels.

    Raises:
        KernelsError: as in :func:`throughput`.
    """
    report = throughput()
    return KernelResults(
        plan, machine.describe(), report["clock_ghz"], report["vector_bytes"], report["rows"]
    )


def throughput(*names: str) -> dict[str, Any]:
    """Build and run the example for the kernels whose names contain one of `names`, or for all
    kernels. Returns the rates that it measures.

    Raises:
        KernelsError: that did not work.
    """
    try:
        argv = [*COMMAND, "--", "--json", *names]
        done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError as error:
        raise KernelsError(f"cargo cannot be run: {error}") from error
    if done.returncode != 0:
        raise KernelsError(f"`{' '.join(COMMAND)}` failed: {done.stderr.strip()}")
    rates: dict[str, Any] = json.loads(done.stdout)
    return rates


def show(results: KernelResults, console: Console) -> None:
    """Print a table."""
    console.print(Text(results.plan.title, style="bold"))
    console.print(Text(machine.summary(results.machine)))
    console.print(Text(f"clock {results.clock_ghz:.2f} GHz, vectors of {results.vector_bytes} B"))
    table = Table()
    table.add_column("kernel")
    table.add_column("level")
    for name in ("memory GB/s", "memcpy GB/s", "of memcpy", "cache GB/s", "of peak"):
        table.add_column(name, justify="right")
    for row in results.rows:
        rates = [f"{row['memory']:.1f}", f"{row['memcpy']:.1f}", f"{row['of_memcpy']:.2f}"]
        table.add_row(
            row["kernel"], row["level"], *rates, f"{row['cache']:.1f}", f"{row['of_peak']:.2f}"
        )
    console.print(table)
    console.print(
        Text(
            "GB/s: bytes read and written. Memory: buffers larger than the cache, each call beside a memcpy. "
            "Cache: blocks in the first level; its peak is two loads and a store of the widest vectors in a cycle. "
            "fpisa, fpisa-a: adding to registers of 6 bytes, which are read and written; first: to empty ones, which "
            "are only written; read: the floats they stand for. network: lanes with their bytes in the other order."
        )
    )
