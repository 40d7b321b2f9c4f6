"""Compressors and fixed factors, beside what their papers say of them."""

from __future__ import annotations

import itertools
from types import SimpleNamespace

import numpy as np
import pytest

from netfold.lab.compression import Largest, Quantised
from netfold.lab.scaling import Scaled


def replica(*sizes: int) -> SimpleNamespace:
    ends = np.cumsum([0, *sizes])
    return SimpleNamespace(
        seed=5, tensors=[slice(start, end) for start, end in itertools.pairwise(ends)]
    )


def test_quantised_gradients_are_multiples_whose_mean_is_the_gradient():
    gradient = np.float32([3.0, -4.0, 0.0, 0.1])
    levels, draws = 4, 20_000
    quantised = Quantised(replica(2, 2), levels)
    sent = np.array([quantised.sent(gradient) for _ in range(draws)])
    # The norms of the two tensors are 5 and 0.1.
    steps = sent / np.array([5.0, 5.0, 0.1, 0.1]) * levels
    np.testing.assert_allclose(steps, np.rint(steps), atol=1e-5)
    # An element's variance is at most a quarter of its step's square: five deviations.
    bound = 5 * np.array([5.0, 5.0, 0.1, 0.1]) / levels / 2 / np.sqrt(draws)
    assert (np.abs(sent.mean(axis=0) - gradient) <= bound + 1e-6).all()
    assert (quantised.sent(np.zeros(4, np.float32)) == 0).all()


def test_the_largest_are_sent_and_the_others_later():
    largest = Largest(replica(3, 2), share=1 / 3)
    gradients = np.float32([[1.0, -5.0, 2.0, 0.5, 0.1], [4.0, 1.0, 1.0, 0.0, 0.2]])
    sent_before = np.zeros((2, 5))
    for number in range(1, 4):
        mean, _ = largest(gradients)
        sent = number * gradients - largest.left - sent_before
        # One element of each tensor of each worker.
        assert [
            np.count_nonzero(sent[:, tensor], axis=1).tolist()
            for tensor in (slice(0, 3), slice(3, 5))
        ] == [[1, 1], [1, 1]]
        np.testing.assert_allclose(mean, sent.mean(axis=0), rtol=1e-6)
        sent_before += sent
    first = Largest(replica(3, 2), share=1 / 3)(gradients)[0]
    np.testing.assert_array_equal(first, np.float32([2.0, -2.5, 0.0, 0.25, 0.1]))


@pytest.mark.parametrize(("power", "error"), [(2, 0.125), (10, 2**-11)])
def test_a_small_factor_rounds_each_workers_element(power: int, error: float):
    rng = np.random.default_rng(1)
    gradients = rng.uniform(-1, 1, (8, 1000)).astype(np.float32)
    mean, overflows = Scaled(power)(gradients)
    off = np.abs(mean - gradients.astype(np.float64).mean(axis=0))
    assert overflows == 0
    # Theorem 1 of appendix E has n / f for a sum rounded either way; to the nearest it is half of
    # that, and what rounding the mean to a float costs.
    assert off.max() <= error * (1 + 1e-6)
    assert off.max() > error / 4


def test_a_large_factor_wraps():
    gradients = np.float32([[0.5, 0.25], [0.5, 0.25]])
    mean, overflows = Scaled(31)(gradients)
    # 2 * 2^30 is one more than the largest integer.
    assert overflows == 1
    assert mean.tolist() == [-0.5, 0.25]
