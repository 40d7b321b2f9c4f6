"""Hot keys: counts of updates, principle 1, trade-off points, files (`spec/sparse.md`)."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.utils.data import DataLoader, IterableDataset, TensorDataset

import netfold
from netfold.sparse import HotSet, UpdateCounts, count_updates


def test_a_batch_updates_a_key_once():
    """R-HOT-1"""
    counts = count_updates([[5, 5, 5, 2], [5, 9], [2, 5]], fraction=1.0)
    assert counts.keys.tolist() == [5, 2, 9], "ties go to the smaller key (R-HOT-5)"
    assert counts.counts.tolist() == [3, 2, 1]
    assert counts.total == 6
    assert [counts.coverage(k) for k in range(5)] == [0, 3 / 6, 5 / 6, 1, 1]


@pytest.mark.parametrize(
    "batch",
    [
        np.array([[3, 1], [1, 7]], np.int32),
        torch.tensor([3, 1, 7, 7]),
        (torch.tensor([3, 1]), torch.tensor([0.5, 9.0]), {"more": np.array([7], np.uint8)}),
        [3, 1, 7],
    ],
)
def test_keys_are_found_in_batches_of_any_form(batch):
    assert count_updates([batch], fraction=1.0).keys.tolist() == [1, 3, 7]


def test_a_function_may_say_which_are_keys():
    batches = [{"user": np.array([1, 2]), "clicked": np.array([8, 9])}]
    only = count_updates(batches, fraction=1.0, keys=lambda batch: batch["user"])
    assert only.keys.tolist() == [1, 2]
    with pytest.raises(netfold.ConfigurationError, match="float32"):
        count_updates([torch.ones(2)], fraction=1.0, keys=lambda batch: batch)


class Counted(TensorDataset):
    """Tells how many samples were loaded."""

    loaded = 0

    def __getitem__(self, index):
        self.loaded += 1
        return super().__getitem__(index)


def test_only_the_sample_of_a_dataset_is_loaded():
    """R-HOT-2"""
    data = Counted(torch.arange(1000))
    counts = count_updates(DataLoader(data, batch_size=10), fraction=0.08)
    assert data.loaded == 80
    assert counts.total == 80
    again = count_updates(DataLoader(data, batch_size=10), fraction=0.08)
    assert np.array_equal(counts.keys, again.keys), "the seed draws"
    other = count_updates(DataLoader(data, batch_size=10), fraction=0.08, seed=1)
    assert not np.array_equal(counts.keys, other.keys)


def test_a_sample_has_a_batch_at_least():
    small = count_updates(DataLoader(TensorDataset(torch.arange(7)), batch_size=3), fraction=0.01)
    assert small.total == 3
    assert count_updates(([key] for key in range(3)), fraction=1e-9).total == 1
    assert count_updates([], fraction=0.5).total == 0


def test_a_stream_is_sampled_at_the_rate_that_was_asked_for():
    class Stream(IterableDataset):
        def __iter__(self):
            return iter(range(4000))

    counts = count_updates(DataLoader(Stream(), batch_size=1), fraction=0.25, seed=3)
    # The number of batches is binomial: six standard deviations are 164.
    assert abs(counts.total - 1000) < 165


@pytest.mark.parametrize("fraction", [0, -1, 1.5, float("nan")])
def test_fractions_that_are_none(fraction):
    with pytest.raises(netfold.ConfigurationError, match="above 0 and at most 1"):
        count_updates([[1]], fraction=fraction)


def test_counts_are_checked():
    for keys, counts, reason in (
        ([1, 1], [1, 1], "differ"),
        ([1], [-1], "start at 0"),
        ([1, 2], [1], "one count"),
        ([[1]], [[1]], "one dimension"),
        ([0.5], [1], "whole numbers"),
    ):
        with pytest.raises(netfold.ConfigurationError, match=reason):
            UpdateCounts.of(keys, counts)


COUNTS = UpdateCounts.of([40, 30, 20, 10, 7], [50, 30, 10, 10, 0])


@pytest.mark.parametrize(
    ("share", "k"), [(0.01, 1), (0.5, 1), (0.51, 2), (0.8, 2), (0.9, 3), (0.95, 4)]
)
def test_the_fewest_keys_with_the_share_are_hot(share, k):
    """R-HOT-3"""
    hot = HotSet.choose(COUNTS, share=share, memory_bytes=1000, memory_share=0.5)
    assert hot.keys.tolist() == [40, 30, 10, 20][:k]
    assert hot.coverage == [0.5, 0.8, 0.9, 1.0][k - 1]


def test_a_row_takes_d_numbers_of_the_memory():
    """R-HOT-3: 2 rows of 8 numbers of 4 bytes take 64 bytes."""
    fits = {"memory_bytes": 640, "memory_share": 0.1, "dim": 8}
    assert len(HotSet.choose(COUNTS, share=0.8, **fits)) == 2
    with pytest.raises(netfold.ConfigurationError, match=r"holds 2 rows of 8, with 0\.800.*0\.150"):
        HotSet.choose(COUNTS, share=0.9, **fits)
    assert len(HotSet.choose(COUNTS, share=0.9, **(fits | {"memory_share": 0.15}))) == 3


def test_nothing_is_hot_without_updates():
    with pytest.raises(netfold.ConfigurationError, match="no update"):
        HotSet.choose(UpdateCounts.of([], []))
    assert len(HotSet.first(UpdateCounts.of([], []), 4)) == 0
    with pytest.raises(netfold.ConfigurationError, match="share is between"):
        HotSet.choose(COUNTS, share=1.0)
    with pytest.raises(netfold.ConfigurationError, match="at least 0"):
        HotSet.first(COUNTS, -1)


def test_the_trade_off_point_is_where_a_step_gains_too_little():
    """R-HOT-4: steps of 2 keys cover 80, 20 and 0 %."""
    assert COUNTS.trade_off(step=2, gain=0.3) == 2
    assert COUNTS.trade_off(step=2, gain=0.1) == 4
    assert COUNTS.trade_off(step=10, gain=0.1) == 5, "all keys gain enough"
    assert COUNTS.trade_off(step=1, gain=0.6) == 0
    for step, gain in ((0, 0.1), (1, 0), (1, 1)):
        with pytest.raises(netfold.ConfigurationError):
            COUNTS.trade_off(step, gain)


def test_ranks_are_places_in_the_set():
    hot = HotSet.first(COUNTS, 3)
    asked = np.array([[10, 40], [7, 30], [999, -5]])
    assert hot.ranks_of(asked).tolist() == [[2, 0], [-1, 1], [-1, -1]]
    assert HotSet.first(COUNTS, 0).ranks_of([40]).tolist() == [-1]


def test_a_set_is_saved_and_loaded(tmp_path):
    hot = HotSet.first(COUNTS, 3)
    path = tmp_path / "table.hot"
    hot.save(path)
    assert HotSet.load(path) == hot
    assert HotSet.load(path) != HotSet.first(COUNTS, 2)
    for bad in (b"", b"hot", path.read_bytes()[:-30]):
        (tmp_path / "bad").write_bytes(bad)
        with pytest.raises(netfold.ConfigurationError, match="not a hot set"):
            HotSet.load(tmp_path / "bad")
    np.savez(tmp_path / "later.npz", version=2)
    with pytest.raises(netfold.ConfigurationError, match="version 2"):
        HotSet.load(tmp_path / "later.npz")
    with pytest.raises(FileNotFoundError):
        HotSet.load(tmp_path / "none")


def test_a_set_has_a_key_once():
    with pytest.raises(netfold.ConfigurationError, match="differ"):
        HotSet(np.array([3, 3]), 0.5)


def test_precision_is_the_share_of_all_hot_keys_that_a_sample_finds():
    """R-HOT-9"""
    all_data, sample = HotSet(np.array([1, 2, 3, 4]), 0.9), HotSet(np.array([9, 4, 2, 1, 8]), 0.9)
    assert sample.precision(all_data) == 0.75
    assert all_data.precision(sample) == 0.6
