"""The data, the training, and the command, in the small."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from netfold.lab import command, data, training
from netfold.lab.models import TASKS
from netfold.lab.training import BATCH, WORKERS, Replica


@pytest.fixture(scope="module")
def digits():
    return data.digits(Path()).shortened(2 * WORKERS * BATCH)


def test_words_and_tags_are_read_as_the_corpus_writes_them():
    text = "The/at\tJury/nn-tl said/vbd ,/, de/fw-in Dan's/np$ and\\/or/cc ./.\n"
    assert data.tagged_words(text) == [
        ("the", "at"),
        ("jury", "nn"),
        ("said", "vbd"),
        (",", "punctuation"),
        ("de", "in"),
        ("dan's", "np"),
        ("and\\/or", "cc"),
        (".", "punctuation"),
    ]


def test_an_archive_that_is_not_the_corpus_is_refused(tmp_path):
    (tmp_path / data.BROWN_ARCHIVE).write_bytes(b"something else")
    with pytest.raises(data.ConfigurationError, match="remove it"):
        data.brown(tmp_path)


@pytest.mark.skipif(
    not data.brown_is_cached(data.default_cache()), reason="the Brown corpus is not in the cache"
)
def test_the_corpus_is_words_of_the_vocabulary():
    brown = data.brown(data.default_cache())
    assert brown.train_inputs.shape[1] == data.WINDOW
    assert int(brown.train_inputs.max()) == data.VOCABULARY - 1
    # Number 1 is the most frequent word, "the" or a comma: about one word in twenty.
    assert 0.03 < float((brown.test_inputs == 1).float().mean()) < 0.1


def test_training_and_test_sets_share_no_example():
    whole = data.digits(Path())
    assert len(whole.train_inputs) + len(whole.test_inputs) == 1797
    rows = torch.cat([whole.train_inputs, whole.test_inputs]).flatten(1)
    # scikit-learn's digits are all different images.
    assert len(torch.unique(rows, dim=0)) == 1797


def test_the_mean_of_the_workers_gradients_is_that_of_all_their_examples(digits):
    replica = Replica(TASKS["conv"], digits, seed=3)
    batches = next(replica.epoch())
    assert sorted(len(batch) for batch in batches) == [BATCH] * WORKERS
    mean = replica.gradients(batches).astype(np.float64).mean(0)
    whole = replica.gradients([torch.cat(batches)])[0]
    # Both are means over 128 examples in FP32, summed in another order: each loses 128 half units
    # in the last place at most, of terms no larger than the largest gradient of one worker.
    np.testing.assert_allclose(
        mean, whole, rtol=0, atol=128 * 2.0**-24 * np.abs(replica.gradients(batches)).max()
    )


def test_a_step_descends_with_momentum(digits):
    replica = Replica(TASKS["conv"], digits, seed=3)
    before = replica.weights.clone()
    ones = np.ones(len(before), np.float32)
    replica.step(ones)
    replica.step(ones)
    # Velocities 1 and 1.9.
    expected = before - replica.learning_rate * 2.9
    torch.testing.assert_close(replica.weights, expected)
    # The model computes with the vector's memory.
    assert next(replica.model.parameters()).data_ptr() == replica.weights.data_ptr()


def test_the_same_seed_trains_the_same_model_and_the_loss_goes_down(digits):
    runs = []
    for _ in range(2):
        replica = Replica(TASKS["conv"], digits, seed=5)
        start = _loss(replica)
        training.train(replica, 3, training.Summation("fpisa-a"))
        runs.append(replica.weights.clone())
        assert _loss(replica) < start
    assert torch.equal(*runs)


def test_an_overflow_is_counted_and_summed_by_default_addition(digits):
    # Two operands of the largest mantissa, 2^7 above the first, overflow 32 bits after their left
    # shift (R-FPI-16).
    large = float(np.nextafter(np.float32(256), np.float32(0)))

    class Told(Replica):
        def gradients(self, batches):
            found = np.zeros((len(batches), self.weights.numel()), np.float32)
            found[:3, 0] = [1.0, large, large]
            return found

    replica = Told(TASKS["conv"], digits, seed=3)
    before = replica.weights.clone()
    run = training.train(replica, 1, training.Summation("fpisa-a"))
    steps = len(digits.train_inputs) // (WORKERS * BATCH)
    assert run.overflows == steps
    assert torch.isfinite(replica.weights).all()
    assert replica.weights[0] < before[0] - replica.learning_rate * large / WORKERS
    assert torch.equal(replica.weights[1:], before[1:])


def test_the_order_of_arrival_turns_around_the_workers(digits):
    # 2^24 + 1 is halfway and stays 2^24, seven times; 7 + 2^24 is rounded only once, to 2^24 + 8.
    class Told(Replica):
        def gradients(self, batches):
            found = np.zeros((len(batches), self.weights.numel()), np.float32)
            found[:, 0] = [2.0**24, *[1.0] * (WORKERS - 1)]
            return found

    moved = {}
    for first in (0, 1, WORKERS):
        replica = Told(TASKS["conv"], digits.shortened(WORKERS * BATCH), seed=3)
        training.train(replica, 1, training.Summation(first=first))
        moved[first] = float(replica.velocity[0])
    assert moved == {0: 2.0**21, 1: 2.0**21 + 1, WORKERS: 2.0**21}


def test_the_command_writes_every_experiment(tmp_path, capsys):
    arguments = [
        "all",
        "--quick",
        "--models",
        "conv",
        "--cache",
        str(tmp_path),
        "--out",
        str(tmp_path / "out"),
    ]
    assert command.main(arguments) == 0
    assert "max/min" in capsys.readouterr().out
    for name in command.EXPERIMENTS:
        stored = json.loads((tmp_path / "out" / f"{name}.json").read_text())
        assert stored["seed"] == 1
        assert (tmp_path / "out" / f"{name}.txt").stat().st_size > 0
        assert (tmp_path / "out" / f"{name}.svg").read_text().startswith("<?xml")
    found = json.loads((tmp_path / "out" / "bounds.json").read_text())["result"]["conv"]
    assert all(
        workers["beyond_bound"] == 0
        for by_workers in found.values()
        for workers in by_workers.values()
    )


def test_a_corpus_that_cannot_be_had_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", "")
    arguments = ["ratios", "--quick", "--models", "tagger", "--cache", str(tmp_path)]
    assert command.main(arguments) == 2
    assert data.BROWN_PACKAGE in capsys.readouterr().out


def _loss(replica: Replica) -> float:
    with torch.no_grad():
        return float(
            replica.loss(replica.model(replica.data.train_inputs), replica.data.train_targets)
        )
