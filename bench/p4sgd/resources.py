"""Resources of a worker in software, where P4SGD's table III has those of its accelerators:
`python -m bench.p4sgd.resources` counts cores and memory. It takes a minute.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from .. import machine
from .crew import Crew, CrewError, build
from .plan import AMAZON, AVAZU, BITS, GISETTE, NETFOLD, RCV1, REAL_SIM, Contender, DataSet, Stage

RECORDED = Path(__file__).parent.parent / "results" / "p4sgd" / "resources.json"
OUT = Path("out/bench/p4sgd/resources.json")
DATA_SETS = (GISETTE, REAL_SIM, RCV1, AMAZON, AVAZU)
WORKERS = 2
"""One for each core of a small machine: workers that share one have a half of it each."""
BATCH = 16
"""Samples of a mini-batch, as in figure 12."""
SECONDS = 3.0
"""Time of training for which cores are counted."""
MIB = 1 << 20


@dataclass(frozen=True)
class Usage:
    """Resources of one of the workers, the one that takes most."""

    samples: str
    """The data set's name."""
    features: int
    rows: int
    workers: int
    cores: float
    """Processor time by time, while it trains."""
    memory_mib: float
    """Peak of its resident memory."""
    samples_mib: float
    """Its part of the samples, with as many bits for a feature as the paper has."""


def usage(program: Path, samples: DataSet, folder: Path) -> Usage:
    """Measure the workers that train on a data set.

    Raises:
        CrewError: they fail.
    """
    contender = Contender(NETFOLD, BATCH, WORKERS)
    stage = Stage(samples, (contender,))
    crew = Crew(program, WORKERS, folder)
    try:
        crew.hold(stage, folder)
        crew.fit(stage, contender)
        before, began = [_cpu_s(pid) for pid in crew.pids], time.monotonic()
        while time.monotonic() - began < SECONDS:
            crew.fit(stage, contender)
        took = time.monotonic() - began
        busy = [_cpu_s(pid) - at for pid, at in zip(crew.pids, before, strict=True)]
        memory = [_peak_bytes(pid) for pid in crew.pids]
    finally:
        crew.close()
    part = samples.rows * samples.features / WORKERS
    return Usage(
        samples=samples.name,
        features=samples.features,
        rows=samples.rows,
        workers=WORKERS,
        cores=max(busy) / took,
        memory_mib=max(memory) / MIB,
        samples_mib=part * BITS / 8 / MIB,
    )


def _cpu_s(pid: int) -> float:
    """Processor time of a process so far."""
    stat = Path(f"/proc/{pid}/stat").read_text()
    # After the command, in parentheses: fields 14 and 15 of the line are its ticks.
    fields = stat.rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _peak_bytes(pid: int) -> int:
    """The most resident memory that a process has had."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) << 10
    raise CrewError("the system does not tell the peak of a process's memory")


def show(rows: Sequence[Usage], console: Console) -> None:
    """Print a table."""
    table = Table("data set")
    for column in ("features", "cores", "memory MiB", "samples MiB"):
        table.add_column(column, justify="right")
    for row in rows:
        memory = (f"{row.memory_mib:.1f}", f"{row.samples_mib:.1f}")
        table.add_row(row.samples, str(row.features), f"{row.cores:.2f}", *memory)
    console.print(table)


def main() -> int:
    """Command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.p4sgd.resources", description=__doc__)
    parser.add_argument("--record", action="store_true", help="save to bench/results, for a commit")
    arguments = parser.parse_args()
    console = Console(highlight=False)
    rows = []
    try:
        program = build()
        for samples in DATA_SETS:
            with tempfile.TemporaryDirectory() as folder:
                rows.append(usage(program, samples, Path(folder)))
            console.print(f"{samples.name}: done")
    except CrewError as error:
        print(f"bench.p4sgd.resources: {error}", file=sys.stderr)
        return 1
    show(rows, console)
    file = RECORDED if arguments.record else OUT
    file.parent.mkdir(parents=True, exist_ok=True)
    recorded = {"machine": machine.describe(), "rows": [asdict(row) for row in rows]}
    file.write_text(json.dumps(recorded, indent=1) + "\n")
    console.print(f"Saved in {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
