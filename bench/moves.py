"""A table that goes on at other servers: `python -m bench.moves` measures how long its workers pause
(R-SERVE-18 to 23), and whether every gradient is in the rows once.

Servers store their rows in folders. Workers push a gradient to every row, and then small steps. In
the middle of these the table goes from its servers to others, and back, several times. With the
gradients that are pushed each row is a whole number, so sums are exact.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console

from .machine import describe
from .services import netfold
from .stats import spread

if TYPE_CHECKING:
    from collections.abc import Iterator

WIDTH = 16
STEP_KEYS = 1_000
STEPS = 20
"""Steps between two moves."""
AT_ONCE = 1 << 17
"""Keys of one push of all rows."""


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """Run a server; gives its address."""
    words = netfold("server", "--listen", "127.0.0.1:0", "--data", str(folder))
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=sys.stderr, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"(127\.0\.0\.1:\d+)", process.stdout.readline())
        if found is None:
            sys.exit("bench.moves: a server has not started; its output is above")
        yield found[1]
    finally:
        process.kill()
        process.wait()


def table(rank: int, arguments: argparse.Namespace, servers: list[str]) -> Any:
    """A worker's client. With SGD and a velocity that fades at once rows are sums, with a state."""
    from netfold.sparse.table import native_table

    return native_table()(
        "moves",
        arguments.rows,
        WIDTH,
        rank,
        arguments.workers,
        switch=None,
        servers=servers,
        hot_keys=None,
        optimizer={"name": "sgd", "lr": 1.0, "momentum": 2.0**-40},
        initialiser={"name": "constant", "value": 0.0},
        seed=1,
        mode="drained",
        staleness=None,
        max_age_ms=20,
        timeout=60.0,
        token=None,
    )


def work(
    rank: int, arguments: argparse.Namespace, lists: list[list[str]], ready: threading.Barrier
) -> tuple[list[float], list[float]]:
    """Run one worker. Returns the seconds of its moves, and those of its steps."""
    rows = table(rank, arguments, lists[0])
    for start in range(rank * AT_ONCE, arguments.rows, arguments.workers * AT_ONCE):
        keys = np.arange(start, min(start + AT_ONCE, arguments.rows), dtype=np.int64)
        rows.push(keys, np.full((len(keys), WIDTH), -1.0, np.float32))
    rows.flush()
    drawn = np.random.default_rng(rank)
    ones = np.full((STEP_KEYS, WIDTH), -1.0, np.float32)
    out = np.empty_like(ones)
    moves, steps = [], []
    for to in lists[1:]:
        for _ in range(STEPS):
            keys = np.sort(drawn.choice(arguments.rows, STEP_KEYS, replace=False))
            began = time.perf_counter()
            rows.push(keys, ones)
            rows.pull(keys, out)
            steps.append(time.perf_counter() - began)
        ready.wait()
        began = time.perf_counter()
        rows.set_servers(to)
        moves.append(time.perf_counter() - began)
    rows.flush()
    ready.wait()
    if rank == 0:
        check(rows, arguments, len(lists) - 1)
    ready.wait()
    rows.close()
    return moves, steps


def check(rows: Any, arguments: argparse.Namespace, moves: int) -> None:
    """Each row has the gradients that were pushed to it, up to those of its velocity."""
    total = 0
    for start in range(0, arguments.rows, AT_ONCE):
        keys = np.arange(start, min(start + AT_ONCE, arguments.rows), dtype=np.int64)
        out = np.empty((len(keys), WIDTH), np.float32)
        rows.pull(keys, out)
        total += int(out[:, 0].round().sum(dtype=np.float64))
    pushed = arguments.rows + moves * STEPS * STEP_KEYS * arguments.workers
    if total != pushed:
        sys.exit(f"bench.moves: the rows have {total} gradients, and {pushed} were pushed")


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.moves", description=__doc__.partition("\n\n")[0]
    )
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--moves", type=int, default=10)
    parser.add_argument("--out", type=Path, default=Path("out/bench/moves.json"))
    arguments = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        at = [stack.enter_context(server(folder / str(place))) for place in range(3)]
        # One is added, and then taken away.
        lists = [at[:2] if move % 2 == 0 else at for move in range(arguments.moves + 1)]
        ready = threading.Barrier(arguments.workers)
        with ThreadPoolExecutor(arguments.workers) as pool:
            given = (
                range(arguments.workers),
                *([one] * arguments.workers for one in (arguments, lists, ready)),
            )
            outcomes = list(pool.map(work, *given))
    # The last worker that goes on ends the pause.
    pauses = [max(one) for one in zip(*(moves for moves, _ in outcomes), strict=True)]
    steps = [step for _, own in outcomes for step in own]
    results = {
        "added_s": {**asdict(spread(pauses[::2])), "worst": max(pauses[::2])},
        "taken_away_s": {**asdict(spread(pauses[1::2])), "worst": max(pauses[1::2])},
        "step_ms": asdict(spread([1e3 * step for step in steps])),
        "row_bytes": 4 * 2 * WIDTH,
    }
    document = {
        "machine": describe(),
        "settings": {name: getattr(arguments, name) for name in ("rows", "workers", "moves")},
        "results": results,
        "pauses_s": pauses,
    }
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(document, indent=2) + "\n")
    Console().print_json(data=results)


if __name__ == "__main__":
    main()
