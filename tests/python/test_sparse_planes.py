"""Tables whose hot rows go from one switch to another, or to other keys, as training goes on
(R-KEY-13 to R-KEY-15): the rows stay those of a single process.
"""

from __future__ import annotations

import signal
import threading
import time

import numpy as np
import pytest
import torch
from torch import nn

import netfold
from netfold import _native
from netfold.sparse import HotColdEmbedding, HotColdEmbeddingBag
from sparse_tables import DIM, ROWS, Batches, Tables, doubles, hot_set, quantised
from team import in_threads, running, values

WORKERS = 2
LIMIT_S = 60.0
TOLERANCE = 40 * 8 * 2.0**-20
"""Each of at most 40 steps rounds numbers of at most 8, in an order of its own."""

needs_tables = pytest.mark.skipif(
    not hasattr(_native, "SparseTable"), reason="this build has no native tables"
)


def alone(batches: Batches, before: torch.Tensor) -> torch.Tensor:
    """The rows of a single process."""
    single = nn.EmbeddingBag(ROWS, DIM, mode="sum")
    single.load_state_dict({"weight": before})
    optimizer = torch.optim.SGD(single.parameters(), lr=0.25)
    for step in range(batches.steps):
        keys, targets = batches.of(step)
        optimizer.zero_grad()
        quantised(single(keys), targets).backward()
        optimizer.step()
    return single.weight.detach()


def trains(tables: Tables, batches: Batches, between) -> None:
    """Workers train in synchronous steps; `between` is called after each."""

    def work(rank: int) -> tuple[torch.Tensor, torch.Tensor]:
        module = HotColdEmbeddingBag(
            ROWS,
            DIM,
            mode="sum",
            hot=hot_set(0, 1, 2, 5),
            optimizer={"name": "sgd", "lr": 0.25},
            consistency="sync",
            **tables.of(rank, WORKERS),
        )
        before = module.read_rows(0, ROWS)
        for step in range(batches.steps):
            keys, targets = batches.of(step, rank, WORKERS)
            quantised(module(keys), targets).backward()
            module.step()
            between(module, step)
        after = module.read_rows(0, ROWS)
        module.close()
        return before, after

    for before, after in values(in_threads(WORKERS, work, limit_s=LIMIT_S)):
        expected = alone(batches, before)
        torch.testing.assert_close(after, expected, rtol=0, atol=tables.tolerance)
        assert (expected - before).abs().max() > 0.1, "the test trains"


@pytest.mark.parametrize("kind", ["double", pytest.param("native", marks=needs_tables)])
def test_other_keys_become_hot_between_steps(kind, switch):
    tables = doubles() if kind == "double" else Tables({"switch": switch}, TOLERANCE)
    sets = [hot_set(2, 0, 7), hot_set(), hot_set(9), hot_set(0, 1, 2, 3, 4)]

    def between(module: HotColdEmbeddingBag, step: int) -> None:
        if step % 2 == 1:
            hot = sets[step // 2 % len(sets)]
            before = module.stats()["hot_updates"]
            module.set_hot(hot)
            assert f"hot_rows={len(hot)}," in repr(module)
            keys = np.unique(np.append(hot.keys, 11))
            module._lookup.table.push(keys, np.zeros((len(keys), DIM), np.float32))
            assert module.stats()["hot_updates"] - before == len(hot)

    trains(tables, Batches(steps=12), between)


@needs_tables
def test_packets_for_a_pipeline_have_the_same_pairs(switch):
    """R-HOT-7, R-HOT-8: 5 rows fit a packet. Of 20 keys of one register each of 4 packets takes one,
    and the other 16 go into packets of 5, 5, 5 and 1.
    """
    found = []
    for registers in None, 1, 20:
        options = {"switch": switch, "registers": registers, "hot": hot_set(*range(20))}
        workers = {"rank": 0, "workers": 1, "name": f"pipeline-{registers}"}
        module = HotColdEmbedding(ROWS, DIM, optimizer="sum", resident=True, **options, **workers)
        rows = torch.arange(20.0)[:, None].expand(20, DIM)
        before = module.read_rows(0, 20)
        module.add_rows(torch.arange(20), rows)
        module.flush()
        found.append(module.stats()["recirculations"])
        torch.testing.assert_close(module(torch.arange(20)), before + rows, rtol=0, atol=1e-5)
        module.close()
    assert found == [0, 3 * 4, 0]


def test_a_hot_key_that_is_no_row_is_refused_by_name():
    module = HotColdEmbeddingBag(ROWS, DIM, hot=hot_set(0), **doubles().of())
    for key in (-1, ROWS, 2**40):
        with pytest.raises(netfold.ConfigurationError, match=f"hot key {key} is not one of"):
            module.set_hot(hot_set(1, key))
    with pytest.raises(netfold.ConfigurationError, match="HotSet or None, not of the type list"):
        module.set_hot([1, 2])


@needs_tables
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_training_goes_on_at_a_standby_when_a_switch_ends(caplog, how):
    """R-KEY-14 and R-KEY-16, with real processes."""
    batches = Batches(steps=40)
    reached = threading.Event()
    arrived = threading.Barrier(WORKERS)
    with running() as (first, at_first), running() as (_, at_second):
        tables = Tables({"switch": f"{at_first},{at_second}", "timeout": 10.0}, TOLERANCE)

        def between(module: HotColdEmbeddingBag, step: int) -> None:
            if step == 10:
                arrived.wait(LIMIT_S)
                reached.set()
            if step == 30:
                # By then it is there.
                end = time.monotonic() + LIMIT_S
                while not module.stats()["at_switch"]:
                    assert time.monotonic() < end

        def kill() -> None:
            assert reached.wait(LIMIT_S)
            first.send_signal(how)
            first.wait()

        killing = threading.Thread(target=kill)
        killing.start()
        trains(tables, batches, between)
        killing.join()
    told = [record.message for record in caplog.records]
    assert sum("its hot rows are at the switch" in message for message in told) == WORKERS, told
