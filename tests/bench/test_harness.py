"""The harness from end to end, on small vectors, and its check of results."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench.rank import Rank
from bench.vectors import COLLECTIVES, PERIOD, Vectors

ROOT = Path(__file__).resolve().parents[2]

PLAN = """
title = "small"
workers = [2]
round_ms = 1
[sizes]
"8 B" = 3
"40 KiB" = 3
[network]
kind = "loopback"
[cores]
rate = "1gbit"
published = { "a paper" = 2 }
[[contender]]
name = "peer"
peer = "gloo"
[[contender]]
name = "ours"
peer = "netfold"
front = "torch"
[[contender]]
name = "lean"
peer = "netfold"
front = "native"
arithmetic = "fpisa-a"
element_type = "f16"
transport = "udp"
[[contender]]
name = "mistaken"
peer = "netfold"
front = "numpy"
environment = { NETFOLD_SLOTS = "some" }
"""

APART_PLAN = """
title = "apart"
workers = [2]
calls_apart = 4
sizes = { "8 B" = 3 }
[[contender]]
name = "peer"
peer = "gloo"
[[contender]]
name = "native"
peer = "netfold"
front = "native"
"""

MPI_PLAN = APART_PLAN.replace("gloo", "openmpi-shm")


def run(folder: Path, plan: str) -> tuple[subprocess.CompletedProcess[str], dict[str, Any]]:
    """Run a plan; what it printed, and the results that it saved."""
    file = folder / "small.toml"
    file.write_text(plan)
    argv = [sys.executable, "-m", "bench", str(file), "--out", str(folder)]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, timeout=100, check=False)
    saved = folder / "small" / "results.json"
    return done, json.loads(saved.read_text()) if saved.exists() else {}


@pytest.fixture(scope="module")
def small(
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, subprocess.CompletedProcess[str], dict[str, Any]]:
    folder = tmp_path_factory.mktemp("bench")
    return folder, *run(folder, PLAN)


def test_contenders_are_measured_in_turns_and_compared(
    small: tuple[Path, subprocess.CompletedProcess[str], dict[str, Any]],
) -> None:
    _, done, results = small
    assert done.returncode == 0, done.stdout + done.stderr
    rows = {(row["bytes"], row["contender"]): row for row in results["rows"]}
    assert set(rows) == {(size, name) for size in (8, 40_960) for name in ("peer", "ours", "lean")}
    for (size, _), row in rows.items():
        seconds = [float(value) for value in row["seconds"].split()]
        assert len(seconds) == 3
        assert 0 < min(seconds) <= row["p95_s"]
        assert row["cpu_s_per_gb"] > 0
        # Times are written with five digits.
        expected = rows[size, "peer"]["median_s"] / row["median_s"]
        assert row["times_as_fast_as"]["peer"]["ratio"] == pytest.approx(expected, rel=1e-3)
    assert results["machine"]["cores"] >= 1


def test_calls_are_timed_one_by_one(tmp_path: Path) -> None:
    done, results = run(tmp_path, APART_PLAN)
    assert done.returncode == 0, done.stdout + done.stderr
    for row in results["rows"]:
        seconds = [float(value) for value in row["seconds"].split()]
        assert len(seconds) == 12
        assert min(seconds) > 0
    assert [row["contender"] for row in results["rows"]] == ["peer", "native"]


def test_processor_time_is_told_apart(
    small: tuple[Path, subprocess.CompletedProcess[str], dict[str, Any]],
) -> None:
    _, done, results = small
    for row in results["rows"]:
        rounds = [
            [float(value) for value in row[key].split()]
            for key in ("cpu_seconds", "switch_cpu_seconds")
        ]
        for whole, switch in zip(*rounds, strict=True):
            # Gloo has no switch; over UDP the switch folds in a process of its own.
            assert (0 < switch < whole) if row["contender"] == "lean" else (0 <= switch < whole)
            assert switch == 0 or row["contender"] != "peer"
        busy = [float(value) for value in row["machine_cpu_seconds"].split()]
        wall = [float(value) for value in row["seconds"].split()]
        assert len(busy) == len(wall)
        # A gigabit in a second is an eighth of 10^9 bytes. Figures are written with five digits.
        assert row["worker_cores"] == pytest.approx(row["worker_cpu_s_per_gb"] / 8, rel=1e-4)
    assert "worker s/GB" in done.stdout


def test_a_worker_without_python_tells_its_arithmetic_and_type(
    small: tuple[Path, subprocess.CompletedProcess[str], dict[str, Any]],
) -> None:
    _, _, results = small
    [told] = [
        contender["told"] for contender in results["contenders"] if contender["name"] == "lean"
    ]
    assert (told["arithmetic"], told["element_type"], told["transport"]) == (
        "fpisa-a",
        "f16",
        "udp",
    )


def test_who_cannot_take_part_is_named_with_the_reason(
    small: tuple[Path, subprocess.CompletedProcess[str], dict[str, Any]],
) -> None:
    _, done, results = small
    [absence] = results["absences"]
    assert (absence["contender"], absence["failed"]) == ("mistaken", False)
    assert "NETFOLD_SLOTS" in absence["reason"]
    assert "mistaken, 2 workers: not available" in done.stdout


def test_tables_and_plots_are_saved(
    small: tuple[Path, subprocess.CompletedProcess[str], dict[str, Any]],
) -> None:
    folder, _, _ = small
    table = (folder / "small" / "table.txt").read_text()
    assert "40 KiB" in table
    for stem in ("time", "ratio-peer", "cores"):
        assert (folder / "small" / f"{stem}.svg").stat().st_size > 0


@pytest.mark.skipif(
    shutil.which("mpicc.openmpi") is None, reason="there is no Open MPI to compare with"
)
def test_an_mpi_library_and_netfold_without_python_take_part(tmp_path: Path) -> None:
    done, results = run(tmp_path, MPI_PLAN)
    assert done.returncode == 0, done.stdout + done.stderr
    assert [row["contender"] for row in results["rows"]] == ["peer", "native"], results["absences"]
    # Between its turns an MPI rank must not spin in a call: this is why it waits in a read.
    idle = {contender["name"]: contender["idle_cores"] for contender in results["contenders"]}
    assert idle["peer"] < 0.5


def test_a_bad_plan_is_refused_before_anything_starts(tmp_path: Path) -> None:
    done, results = run(tmp_path, PLAN.replace('peer = "gloo"', 'peer = "glue"'))
    assert done.returncode == 2
    assert "small.toml: contender 1.peer: 'glue'" in done.stderr
    assert results == {}


class Played:
    """A front of rank 0 of two, whose call gives a right result but for a fault."""

    def __init__(self, fault: str) -> None:
        self.vectors: Vectors | None = None
        self._fault = fault

    def resize(self, vectors: Vectors) -> None:
        self.vectors = vectors

    def call(self) -> None:
        assert self.vectors is not None
        # This is rank 0, with 1, 2, ... 7, 1, ...: the other rank has twice that.
        given, output = self.vectors.input, self.vectors.output
        whole = 1 + np.arange(len(output)) % PERIOD
        half = len(output) // 2
        match self.vectors.collective:
            case "all_reduce":
                other = 2 * given
            case "all_gather" | "gather":
                output[:half], other = given, np.concatenate([np.zeros(half), 2 * whole[half:]])
                output[half:] = 0
            case "scan":
                # That of rank 0 is its own vector.
                output[:], other = 0, given.copy()
            case "prefixes":
                output[:half], output[half:] = given, given
                other = np.concatenate([np.zeros(half), 2 * given])
            case "scatter":
                # The root is rank 0.
                output[:], other = 0, given[: len(output)].copy()
            case "all_to_all":
                output[:half], other = (
                    given[:half],
                    np.concatenate([np.zeros(half), 2 * whole[:half]]),
                )
                output[half:] = 0
        match self._fault:
            case "missing":
                other[:] = 0
            case "twice":
                other *= 2
            case "misplaced":
                other = np.roll(other, 256)
        output += other

    def barrier(self) -> None:
        pass

    def hello(self) -> dict[str, Any]:
        return {}

    def close(self) -> None:
        pass


@pytest.mark.parametrize(
    ("fault", "size"),
    [
        ("none", 8),
        ("none", 64 << 10),
        ("missing", 8),
        ("missing", 64 << 10),
        ("twice", 8),
        ("twice", 64 << 10),
        ("misplaced", 64 << 10),
    ],
)
@pytest.mark.parametrize("collective", COLLECTIVES)
def test_a_wrong_result_is_noticed(collective: str, fault: str, size: int) -> None:
    answer = Rank(Played(fault), collective, 0, 2)._answer("check", [size])
    assert (answer == "ok") == (fault == "none"), answer
