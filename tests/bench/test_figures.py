"""Statistics against Python's own, and figures against ones worked out by hand."""

from __future__ import annotations

import os
import random
import statistics
import time

import pytest
from bench.plan import AllReduce, Contender, Network
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
    contenders = (Contender("peer", "gloo"), Contender("ours", "netfold"))
    plan = AllReduce("p", "t", (2,), ((1_000_000, 1),), 0.01, Network("8mbit", (0.0, 0.1)), ("peer",), contenders)
    ours = Row(2, 0.0, 1_000_000, "ours", 1, [2.0], [0.5])
    lossy = Row(2, 0.1, 1_000_000, "ours", 1, [3.0], [0.5])
    theirs = Row(2, 0.0, 1_000_000, "peer", 1, [6.0], [0.5])
    results = Results(plan, {}, rows=[ours, lossy, theirs], hellos={"ours": {"payload_bytes": 820}, "peer": {}})
    # A megabyte in two seconds: half of 8 Mbit/s. With 82 bytes of headers for 820 of payload, a tenth more.
    assert ours.of_link(8_000_000) == pytest.approx(0.5)
    assert results.of_limit(ours) == pytest.approx(0.55)
    assert results.of_limit(theirs) is None
    assert ours.gb_per_s == pytest.approx(0.0005)
    assert ours.cpu_s_per_gb == pytest.approx(500)
    assert results.inflation(lossy) == pytest.approx(1.5)
    faster = results.speedup(ours, "peer")
    assert faster is not None
    assert faster.median == pytest.approx(3.0)
    assert results.speedup(lossy, "peer") is None


def test_processor_time_is_that_of_the_process() -> None:
    before = time.process_time()
    found = process_cpu_s(os.getpid())
    after = time.process_time()
    assert before <= found <= after
    # No process has this number: the kernel's limit is 2^22.
    assert process_cpu_s(1 << 23) == 0.0
