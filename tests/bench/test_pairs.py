"""The measurements of tables: their loads, and what they count."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from bench import recovery
from bench.pairs import LOADS, Task, mini_batches


def task(load: str | None, rows: int, pairs: int) -> Task:
    return Task(rank=1, size=2, servers=[], switch=None, load=load, ways=[], rows=rows, pairs=pairs)


def test_a_worker_pushes_each_key_once_in_ascending_order_within_a_call() -> None:
    batches = mini_batches(task(None, 600_000, 600_000))
    assert len(batches) == 3
    assert all((np.diff(batch) > 0).all() for batch in batches)
    assert np.array_equal(np.sort(np.concatenate(batches)), np.arange(600_000))


@pytest.mark.parametrize("load", ["oa", "se"])
def test_mini_batches_have_the_share_of_hot_keys_that_the_law_gives(load: str) -> None:
    law, hot, size = LOADS[load]
    batches = mini_batches(task(load, law.parameters, 100 * size))
    assert [batch.size for batch in batches] == [size] * 100
    assert all((np.diff(batch) > 0).all() for batch in batches)
    found = np.concatenate(batches) < hot
    # Keys are in a batch once, which takes from the most frequent: the share is below that of the
    # updates, which is `share`, and above the hot part of keys that were drawn evenly.
    share = float(law.share(np.array([hot]))[0])
    assert hot / law.parameters < 0.2 < found.mean() < share


def test_what_is_lost_or_doubled_shows() -> None:
    logs = [
        recovery.Log(done=[0.0] * recovery.STEPS, stored=recovery.STEPS),
        recovery.Log(done=[0.0] * 7, stored=5),
    ]
    cluster = cast("recovery.Cluster", SimpleNamespace(logs=logs))
    least, most = recovery.expected(cluster, [0], seed=3)
    # The killed worker's step 7 may have begun; those from 5 on may be in or not.
    unsure = sum(
        np.bincount(recovery.keys_of(3, 1, step), minlength=recovery.ROWS) for step in (5, 6, 7)
    )
    assert np.array_equal(most - least, unsure)
    assert least.sum() == (recovery.STEPS + 5) * recovery.STEP_KEYS
    keys = recovery.keys_of(3, 0, 0)
    assert np.unique(keys).size == recovery.STEP_KEYS
    assert (keys < recovery.HOT_ROWS).sum() == recovery.STEP_KEYS // 2
