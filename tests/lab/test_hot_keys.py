"""Loads after Zipf's law, and figures about hot keys."""

from __future__ import annotations

import numpy as np
import pytest
from rich.progress import Progress

from netfold import ConfigurationError, _native
from netfold.lab import hot_keys
from netfold.lab.laboratory import QUICK, Laboratory
from netfold.lab.loads import OA, SE, Load


def test_loads_have_what_the_paper_says_of_them():
    """Libra, section 3.1: over half, and about 70 %."""
    assert 0.48 < OA.share(np.array(30_000)) < 0.52
    assert 0.67 < SE.share(np.array(30_000)) < 0.71


@pytest.mark.parametrize("load", [OA, SE, Load("small", 40, 0.5), Load("steep", 1000, 2.0)])
def test_draws_and_counts_follow_the_law(load):
    random = np.random.default_rng(2)
    assert load.share(np.array([0, load.parameters])) == pytest.approx([0, 1])
    size = 200_000
    drawn = load.draw(size, random)
    assert drawn.min() >= 0
    assert drawn.max() < load.parameters
    counts = load.counts(30, size, random)
    for below in (1, 5, 30):
        share = float(load.share(np.array(below)))
        # Six standard deviations of a binomial count, and of a Poisson count.
        assert abs((drawn < below).sum() - share * size) < 6 * (share * (1 - share) * size) ** 0.5
        assert abs(counts[:below].sum() - share * size) < 6 * (share * size) ** 0.5


def test_packing_is_offered_to_python():
    """R-HOT-7; the rest is tested with the packer."""
    # Two packets are reckoned with; 4 and 8 share a register with 0.
    assert _native.pack_keys([0, 4, 8, 1], 4, 2) == [[0, 3], [1], [2]]
    for registers, capacity in ((0, 1), (1, 0)):
        with pytest.raises(ConfigurationError, match="at least 1"):
            _native.pack_keys([1], registers, capacity)


def test_the_figures_of_a_small_run_are_in_the_order_of_the_papers(tmp_path):
    with Progress(disable=True) as progress:
        lab = Laboratory({}, tmp_path, QUICK, progress)
        result = hot_keys.run(lab)
    assert set(result) == {OA.title, SE.title}
    for found in result.values():
        rates = list(found["precision"].values())
        assert rates[-1] > rates[0], "a larger sample finds more"
        assert all(0 < rate <= 1 for rate in rates)
        for means in found["recirculations"].values():
            packed, in_order, at_random = (means[way] for way in hot_keys.WAYS)
            assert packed < min(in_order, at_random)
            assert means["packets"] >= 1
    assert len(hot_keys.tables(result, lab)) == 3
