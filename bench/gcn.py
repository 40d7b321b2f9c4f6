"""Costs of a graph convolution's computation on one core:
`OPENBLAS_NUM_THREADS=1 python -m bench.gcn`.

The simulated figure 4 of ACiS (`crates/sim/plans/acis-figure-4.toml`) quotes what this measures: a
multiplication and addition of a dense product of matrices, and a feature of an edge whose row is
added to a vertex's. Rows are drawn at random from more of them than the caches hold.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse

from . import machine, stats

TRIES = 11
TABLE_BYTES = 256 << 20
EDGES = 200_000
TARGETS = 10_000
ROWS = 8_192
SEED = 1

SHAPES = ((50, 128), (100, 128), (500, 128), (128, 349), (3703, 128))
WIDTHS = (16, 50, 100, 128, 500)


def main() -> None:
    """Measure everything, and store it."""
    parser = argparse.ArgumentParser(description="costs of a graph convolution on one core")
    parser.add_argument("--out", type=Path, default=Path("bench/results/gcn"))
    out: Path = parser.parse_args().out
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        parser.error("it measures one core; set OPENBLAS_NUM_THREADS=1")
    rng = np.random.default_rng(SEED)
    rows = [dense(rng, inner, outer) for inner, outer in SHAPES]
    rows += [aggregation(rng, width) for width in WIDTHS]
    out.mkdir(parents=True, exist_ok=True)
    content = {"title": __doc__, "machine": machine.describe(), "tries": TRIES, "rows": rows}
    (out / "results.json").write_text(json.dumps(content, indent=1) + "\n")
    for row in rows:
        print(row)


def dense(rng: np.random.Generator, inner: int, outer: int) -> dict[str, Any]:
    """Measure a product of rows by a matrix of weights, in ns for a multiplication and addition."""
    features = rng.random((ROWS, inner), dtype=np.float32)
    weights = rng.random((inner, outer), dtype=np.float32)
    result = np.empty((ROWS, outer), dtype=np.float32)
    samples = timed(lambda: np.matmul(features, weights, out=result))
    return row("dense", f"{inner} x {outer}", samples / (ROWS * inner * outer))


def aggregation(rng: np.random.Generator, width: int) -> dict[str, Any]:
    """Measure sums of neighbours' rows, in ns for a feature of an edge."""
    vertices = TABLE_BYTES // (4 * width)
    features = rng.random((vertices, width), dtype=np.float32)
    columns = rng.integers(vertices, size=EDGES)
    starts = np.linspace(0, EDGES, TARGETS + 1).astype(np.int64)
    ones = np.ones(EDGES, dtype=np.float32)
    edges = scipy.sparse.csr_matrix((ones, columns, starts), shape=(TARGETS, vertices))
    samples = timed(lambda: edges @ features)
    return row("aggregation", f"width {width}", samples / (EDGES * width))


def timed(work: Callable[[], object]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the nanoseconds of each try; one before them does not count."""
    work()
    samples = []
    for _ in range(TRIES):
        start = time.perf_counter_ns()
        work()
        samples.append(float(time.perf_counter_ns() - start))
    return np.array(samples)


def row(what: str, shape: str, samples: np.ndarray[Any, np.dtype[np.float64]]) -> dict[str, Any]:
    """Return a result: the median, and the spread around it."""
    return {"what": what, "shape": shape, "ns": vars(stats.spread(samples))}


if __name__ == "__main__":
    main()
