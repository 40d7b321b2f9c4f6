"""Statistics against Python's own, and figures against ones worked out by hand."""

from __future__ import annotations

import json
import os
import random
import statistics
import time
from typing import Any

import pytest
from bench.__main__ import RECORD
from bench.conversion import conversions
from bench.plan import ELEMENT_BYTES, Comparison, Contender, Cores, Network
from bench.results import Results, Row
from bench.stats import speedup, spread
from bench.team import process_cpu_s


@pytest.mark.parametrize("seed", range(20))
def test_spreads_are_those_of_the_standard_library(seed: int) -> None:
    draw = random.Random(seed)
    samples = [draw.lognormvariate(0, 2) for _ in range(draw.randint(2, 60))]
    twentieths = statistics.quantiles(samples, n=20, method="inclusive")
    found = spread(samples)
    # Both interpolate in binary floating point, in a different order of operations.
    assert found.median == pytest.approx(statistics.median(samples), rel=1e-12)
    assert found.p5 == pytest.approx(twentieths[0], rel=1e-12)
    assert found.p95 == pytest.approx(twentieths[-1], rel=1e-12)


def test_one_sample_is_its_whole_spread() -> None:
    found = spread([3.0])
    assert (found.p5, found.median, found.p95) == (3.0, 3.0, 3.0)


def test_a_speedup_pairs_rounds_and_compares_medians() -> None:
    # By the medians 30 / 10; by rounds 1, 3 and 5 times as fast.
    found = speedup([10.0, 10.0, 10.0], [10.0, 30.0, 50.0])
    assert found.median == pytest.approx(3.0)
    assert found.p5 == pytest.approx(1.2)
    assert found.p95 == pytest.approx(4.8)
    with pytest.raises(ValueError, match="3 and 2"):
        speedup([1.0, 1.0, 1.0], [1.0, 1.0])


def test_figures_of_a_row() -> None:
    contenders = (
        Contender("peer", "gloo"),
        Contender("ours", "netfold"),
        Contender("halves", "netfold", "native", "block", element_type="bf16"),
    )
    plan = Comparison(
        "p",
        "t",
        (2,),
        ((1_000_000, 1),),
        0.01,
        0,
        Network("8mbit", (0.0, 0.1)),
        ("peer",),
        contenders,
    )
    ours = Row(2, 0.0, 1_000_000, "ours", 1, [2.0], [0.5], [0.1], [0.8])
    lossy = Row(2, 0.1, 1_000_000, "ours", 1, [3.0], [0.5], [0.1], [0.8])
    theirs = Row(2, 0.0, 1_000_000, "peer", 1, [6.0], [0.5], [0.0], [0.8])
    halves = Row(2, 0.0, 1_000_000, "halves", 1, [2.0], [0.5], [0.1], [0.8])
    told = {"payload_bytes": 820}
    results = Results(
        plan,
        {},
        rows=[ours, lossy, theirs, halves],
        hellos={"ours": told, "halves": told, "peer": {}},
    )
    # A megabyte in two seconds: half of 8 Mbit/s. With 82 bytes of headers for 820 of payload, a
    # tenth more.
    assert ours.of_link(8_000_000) == pytest.approx(0.5)
    assert results.of_limit(ours) == pytest.approx(0.55)
    # As many lanes of half the length have the same headers (R-NUM-21).
    assert results.of_limit(halves) == pytest.approx(0.6)
    assert results.of_limit(theirs) is None
    assert ours.gb_per_s == pytest.approx(0.0005)
    assert ours.cpu_s_per_gb == pytest.approx(500)
    # Two workers share what the switch has not taken. 8 Mbit/s are a megabyte in a second.
    assert ours.worker_cpu_s_per_gb == pytest.approx(200)
    assert ours.switch_cpu_s_per_gb == pytest.approx(100)
    assert ours.cores(8_000_000) == pytest.approx(0.2)
    assert results.inflation(lossy) == pytest.approx(1.5)
    faster = results.speedup(ours, "peer")
    assert faster is not None
    assert faster.median == pytest.approx(3.0)
    assert results.speedup(lossy, "peer") is None


def test_a_workers_processor_time_is_paired_by_round() -> None:
    # Workers alone: 2, 1 and 8 s. The difference of the medians is 5 - 2.
    row = Row(
        1,
        0.0,
        1_000_000_000,
        "ours",
        1,
        [9.0] * 3,
        [5.0, 3.0, 9.0],
        [3.0, 2.0, 1.0],
        [6.0, 8.0, 7.0],
    )
    assert row.worker_cpu_s_per_gb == pytest.approx(2)
    assert row.machine_cpu_s_per_gb == pytest.approx(7)


def test_cores_for_conversion_follow_from_the_rates_of_its_kernels() -> None:
    def row(kernel: str, cache: float, memory: float) -> dict[str, Any]:
        return {"kernel": kernel, "level": "baseline", "cache": cache, "memory": memory}

    rows = [
        row("exponent f16", 20, 10),
        row("quantise f16", 60, 30),
        row("dequantise f16", 30, 15),
        row("to_wire f32", 80, 40),
        row("from_wire f32", 40, 20),
        row("to_wire f16 network", 40, 20),
        row("from_wire f16 network", 40, 20),
    ]
    found = conversions(rows, Cores("80gbit", (), ("f16",)))
    # 10 GB of vector in a second. An element of 2 bytes is read for its exponent, read again and
    # written as a lane of 2, and the other way back: 10/20 + 20/60 + 20/30. A copy reads and writes
    # 2 bytes: 20/80 + 20/40, 20/40 + 20/40.
    assert [(each.element_type, each.way.partition(":")[0], each.level) for each in found] == [
        ("f16", way, "baseline") for way in ("block", "as it is", "network order")
    ]
    assert [each.cache_cores for each in found] == pytest.approx([1.5, 0.75, 1.0])
    assert [each.memory_cores for each in found] == pytest.approx([3.0, 1.5, 2.0])


@pytest.mark.parametrize("element_type", ELEMENT_BYTES)
def test_every_kernel_of_a_conversion_is_measured_under_its_name(element_type: str) -> None:
    rows = json.loads((RECORD / "kernels" / "results.json").read_text())["rows"]
    assert len(conversions(rows, Cores("1gbit", (), (element_type,)))) == 3 * len(
        {row["level"] for row in rows}
    )


def test_processor_time_is_that_of_the_process() -> None:
    before = time.process_time()
    found = process_cpu_s(os.getpid())
    after = time.process_time()
    assert before <= found <= after
    # No process has this number: the kernel's limit is 2^22.
    assert process_cpu_s(1 << 23) == 0.0
