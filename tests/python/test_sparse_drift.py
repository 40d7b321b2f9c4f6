"""Hot sets that follow their load: the bound of the counts, the choice, and what it is worth."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
import torch

import netfold
from netfold.sparse import FollowDrift, HotColdEmbedding
from netfold.sparse.drift import Drift, ranked
from netfold.sparse.sketch import UpdateSketch
from sparse_tables import DIM, ROWS, doubles, hot_set
from team import in_threads, values


def drawn(random: np.random.Generator, size: int) -> np.ndarray:
    """Different keys of a batch, few of which are in most batches."""
    return np.unique(np.minimum(random.zipf(1.3, size), 500)).astype(np.int64)


def check(sketch: UpdateSketch, truth: dict[int, float]) -> None:
    """The bound of R-HOT-10."""
    total = sum(truth.values())
    assert sketch.total == pytest.approx(total)
    # A float's rounding, of a few thousand additions.
    slack = 1e-9 * (total + 1)
    assert sketch.error <= total / (sketch.capacity + 1) + slack
    assert len(sketch.keys) <= sketch.capacity
    assert (np.diff(sketch.keys) > 0).all()
    keys = np.array(sorted(truth), np.int64)
    counts = sketch.counts_of(keys)
    exact = np.array([truth[key] for key in keys.tolist()])
    assert (counts <= exact + slack).all()
    assert (counts >= exact - sketch.error - slack).all()
    assert set(sketch.keys.tolist()) <= set(truth)


@pytest.mark.parametrize("seed", range(20))
def test_a_count_is_less_than_the_truth_by_a_share_of_all_at_most(seed):
    """R-HOT-10, of batches, merged sketches and decayed ones."""
    random = np.random.default_rng(seed)
    capacity = int(random.integers(1, 80))
    whole, truth = UpdateSketch(capacity), Counter()
    for _ in range(3):
        own, exact = UpdateSketch(capacity), Counter()
        for _ in range(40):
            keys = drawn(random, int(random.integers(0, 60)))
            own.add(keys)
            exact.update(keys.tolist())
            check(own, exact)
        factor = float(random.choice([0.0, 0.25, 1.0]))
        own.decay(factor)
        exact = Counter({key: count * factor for key, count in exact.items()})
        check(own, exact)
        whole.merge(UpdateSketch.decoded(capacity, own.encoded()))
        truth.update(exact)
        check(whole, truth)


def test_few_keys_are_counted_exactly():
    sketch = UpdateSketch(3)
    for keys in ([1, 2], [2, 9], [2]):
        sketch.add(np.array(keys, np.int64))
    assert (sketch.error, sketch.counts_of(np.array([9, 2, 5])).tolist()) == (0, [1, 3, 0])
    sketch.add(np.array([4]))
    # Four keys with the counts 1, 3, 1, 1: the fourth takes 1 from each.
    assert (sketch.keys.tolist(), sketch.counts.tolist(), sketch.error) == ([2], [2], 1)


def heat(**counts: int) -> UpdateSketch:
    sketch = UpdateSketch(100)
    for key, count in counts.items():
        for _ in range(count):
            sketch.add(np.array([int(key[1:])]))
    return sketch


def test_a_key_takes_the_place_of_one_that_is_colder_by_the_margin():
    """R-HOT-11"""
    hot = np.array([1, 2, 3])
    assert ranked(hot, heat(k1=9, k2=8, k3=4, k4=5), 0.25) is None, "a quarter more is not more"
    found = ranked(hot, heat(k1=9, k2=8, k3=4, k4=6), 0.25)
    assert found.tolist() == [1, 2, 4]
    # The second pair is 7 against 6, which is too close.
    assert ranked(hot, heat(k1=9, k2=6, k4=12, k5=7), 0.25).tolist() == [4, 1, 2]
    # Of keys as hot the one with the smaller number comes first (R-HOT-5).
    assert ranked(hot, heat(k8=2, k7=2, k6=2), 0.25).tolist() == [6, 7, 8]
    assert ranked(hot, UpdateSketch(9), 0.25) is None


def test_what_cannot_be_followed_is_named():
    for wrong, hint in [
        ({"every": 0}, "every"),
        ({"margin": -1.0}, "margin"),
        ({"decay": 1.0}, "decay"),
    ]:
        with pytest.raises(netfold.ConfigurationError, match=hint):
            FollowDrift(**wrong)
    with pytest.raises(netfold.ConfigurationError, match="3200 bytes; got memory=3199"):
        FollowDrift(memory=3199).capacity(100)


def test_all_workers_choose_the_same_set_from_what_all_have_counted():
    """Two workers, of whom each has seen half of the heat of key 7 and none has seen it all."""
    hot, chosen = np.array([0, 1]), []
    handed: list[bytes] = []
    how = FollowDrift(every=2, memory=64)
    workers = [
        Drift(how, hot, "t", lambda _: handed, chosen.append),
        Drift(how, hot, "t", lambda _: handed, chosen.append),
    ]
    for worker, others in zip(workers, ([0, 5], [0, 6]), strict=True):
        for key in (7, 1, 7, 1, 7, *others):
            worker.updated(np.array([key]))
        worker.stepped(1)
        assert chosen == []
        handed.append(worker._sketch.encoded())
    for worker in workers:
        worker.stepped(2)
    assert [keys.tolist() for keys in chosen] == [[7, 1], [7, 1]]
    assert workers[0].hot.tolist() == [7, 1]


def moving(how: FollowDrift | None, seed: int = 1) -> list[float]:
    """The share of the updates that are hot, in each tenth of a load whose heat moves.

    Two workers, 20,000 keys after Zipf's law with the exponent 1.024, of which 200 are hot. Every
    500 of the 5,000 steps a tenth of the places in the ranking are given to other keys.
    """
    random = np.random.default_rng(seed)
    rows, steps, hot_rows = 20_000, 5_000, 200
    weights = np.arange(1, rows + 1) ** -1.024
    order = random.permutation(rows)
    cumulative = np.cumsum(weights / weights.sum())
    hot = order[:hot_rows].astype(np.int64)
    drifts = []
    handed: list[bytes] = []
    if how is not None:
        drifts = [Drift(how, hot, "t", lambda _: handed, lambda _: None) for _ in range(2)]
    shares = []
    for step in range(1, steps + 1):
        for rank in range(2):
            ranks = np.minimum(np.searchsorted(cumulative, random.random(64)), rows - 1)
            keys = np.unique(order[ranks]).astype(np.int64)
            shares.append(np.isin(keys, drifts[0].hot if drifts else hot).mean())
            if drifts:
                drifts[rank].updated(keys)
        handed[:] = [drift._sketch.encoded() for drift in drifts]
        for drift in drifts:
            drift.stepped(step)
        if step % 500 == 0:
            moved = random.choice(rows, rows // 10, replace=False)
            moved = np.union1d(moved, random.choice(hot_rows, hot_rows // 5, replace=False))
            order[moved] = order[random.permutation(moved)]
    return [float(np.mean(part)) for part in np.array_split(shares, 10)]


def test_following_keeps_the_share_that_standing_still_loses():
    still = moving(None)
    follows = moving(FollowDrift(every=100, memory=64 << 10))
    # Both begin alike; a set that stands still has lost what moved away.
    assert abs(still[0] - follows[0]) < 0.02
    assert still[-1] < 0.6 * still[0]
    assert min(follows) > 0.8 * follows[0]


def test_a_table_changes_its_hot_set_at_the_same_step_of_all_workers():
    """Evaluation does not count; what is pushed does."""
    tables = doubles()

    def work(rank: int) -> int:
        module = HotColdEmbedding(
            ROWS,
            DIM,
            hot=hot_set(0, 1),
            follow=FollowDrift(every=3, memory=256),
            **tables.of(rank, 2),
        )
        for _ in range(6):
            module(torch.tensor([7, 1])).sum().backward()
            with torch.no_grad():
                module(torch.tensor([8 + rank]))
            module.step()
        hot = module.stats()["hot_updates"]
        module.close()
        return hot

    # In the first three steps key 1 alone is hot, in the others both are.
    assert values(in_threads(2, work)) == [3 + 6] * 2
    log = tables.cluster.tables[tables.name].log
    assert sorted(entry for entry in log if entry[0] == "hot") == [
        ("hot", 0, [1, 7]),
        ("hot", 1, [1, 7]),
    ]


def test_what_a_table_cannot_follow_is_refused():
    tables = doubles()
    follow = FollowDrift()
    with pytest.raises(netfold.ConfigurationError, match="from a hot set on"):
        HotColdEmbedding(ROWS, DIM, follow=follow, **tables.of())
    assert tables.cluster.made == []


def test_a_lost_switch_ends_the_following_and_not_the_training(caplog):
    """R-KEY-14: the servers go on alone."""

    def lost(_: bytes) -> list[bytes]:
        raise netfold.SwitchLostError("the switch at x is lost")

    drift = Drift(FollowDrift(every=1, memory=64), np.array([0, 1]), "t", lost, pytest.fail)
    drift.stepped(1)
    drift.stepped(2)
    assert [record.getMessage() for record in caplog.records] == [
        "the hot set of the table 't' follows its load no more: the switch at x is lost"
    ]
