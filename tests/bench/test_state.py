"""Workers of `bench.state`: what they compute, without a network."""

from __future__ import annotations

from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
import scipy.sparse
import torch
import torch.distributed as dist
from bench.state import arithmetic, gcn, train
from bench.state.__main__ import rows
from bench.state.worker import Task


def whole(vertices: int, edges: int, size: int):
    """The rows that so many workers have of a graph, in the order of vertices, and their owners."""
    owner = np.random.default_rng(2).integers(0, size, vertices, np.int32)
    parts = [gcn.graph(vertices, edges, owner, rank) for rank in range(size)]
    order = np.concatenate([np.flatnonzero(owner == rank) for rank in range(size)])
    return scipy.sparse.vstack(parts, "csr")[np.argsort(order)], owner


@pytest.mark.parametrize("chunk", [gcn.CHUNK, 700])
def test_workers_have_rows_of_one_symmetric_graph(chunk, monkeypatch):
    monkeypatch.setattr(gcn, "CHUNK", chunk)
    matrix, _ = whole(500, 2_000, 3)
    assert matrix.shape == (500, 500)
    assert (matrix != matrix.T).nnz == 0
    assert set(matrix.data) == {1.0}
    # Edges that were drawn twice are one, which is the more likely the denser the graph.
    assert 3_000 < matrix.nnz <= 4_000
    assert (matrix != whole(500, 2_000, 1)[0]).nnz == 0


def test_degrees_follow_a_power_law():
    """The vertex of place k has a share of 1 / sqrt(k) in the ends of edges: of n places the first
    m have sqrt(m / n) of all.
    """
    vertices, edges = 4_000, 40_000
    matrix, _ = whole(vertices, edges, 1)
    degrees = np.sort(np.diff(matrix.indptr))[::-1]
    # Neighbours that were drawn twice count once, which takes from the vertices of many.
    assert degrees[: vertices // 4].sum() / degrees.sum() == pytest.approx(0.5, abs=0.03)


def test_rows_are_fetched_from_those_who_have_them(monkeypatch):
    """Three workers in turns, each of which sends what the others take."""
    vertices, size = 300, 3
    matrix, owner = whole(vertices, 1_000, size)
    features = np.random.default_rng(4).integers(-8, 9, (vertices, 5)).astype(np.float32)
    layers = []
    for rank in range(size):
        task = Task(rank, size, "", "", "", 1, 1.0, [])
        own = gcn.graph(vertices, 1_000, owner, rank)
        layers.append(gcn.Fetched(task, own, owner, None))
    sent = [features[owner == rank][layer._sent] for rank, layer in enumerate(layers)]
    for rank, layer in enumerate(layers):

        def exchange(fetched, given, from_, to, group, rank=rank):
            parts = [
                np.split(sent[other], np.cumsum(layers[other]._to)[:-1])[rank]
                for other in range(size)
            ]
            assert [len(part) for part in parts] == from_
            fetched.copy_(torch.from_numpy(np.concatenate(parts)))

        monkeypatch.setattr(gcn.dist, "all_to_all_single", exchange)
        found = layer.sums(features[owner == rank])
        np.testing.assert_array_equal(found, (matrix @ features)[owner == rank])


@pytest.mark.parametrize("parameters", [1, 255, 256, 257, 1000])
def test_parameters_come_back_from_chunks(parameters):
    dtype = np.dtype([("f0", np.uint32), ("f1", np.float32, 256)])
    chunks = train.Chunks(dtype, parameters)
    numbers = torch.arange(parameters, dtype=torch.float32)
    elements = chunks.put(numbers)
    assert elements["f0"].tolist() == list(range(-(-parameters // 256)))
    assert elements["f1"].reshape(-1)[parameters:].tolist() == [0] * (-parameters % 256)
    assert torch.equal(chunks.take(elements), numbers)


def test_a_row_has_the_speedup_over_the_first_way():
    seconds = {"plain": [2.0, 4.0], "new": [1.0, 1.0]}
    reports = [{"case": "c", "seconds": seconds, "figures": {"bytes": {"plain": 8, "new": 0}}}]
    plain, new = rows(3, reports)
    assert (plain["speedup"]["median"], new["speedup"]["median"]) == (1, 3)
    assert (new["way"], new["workers"], new["case"], new["bytes"]) == ("new", 3, "c", 0)
    assert new["samples"] == [1.0, 1.0]


def test_blocks_that_were_folded_again_are_a_share_of_all_blocks():
    """Of 10 blocks 4 took a round more, 2 began with a round for an exponent, and 1 had classes."""
    training = object.__new__(arithmetic.Training)
    counters = {"rounds": 17, "blocks_refolded": 4, "exponent_rounds": 2, "class_rounds": 1}
    training._counters = SimpleNamespace(stats=lambda: counters)
    assert training.again() == 0.4
    counters.update(rounds=0, blocks_refolded=0, exponent_rounds=0, class_rounds=0)
    assert training.again() == 0


class Alone(Task):
    """A worker whose groups are a process group of Gloo's."""

    settings: ClassVar[list[dict[str, str]]] = []

    def group(self, **settings):
        self.settings.append(settings)
        return dist.group.WORLD


@pytest.fixture
def alone(tmp_path, monkeypatch):
    monkeypatch.setattr(arithmetic, "backend_of", lambda group: None)
    dist.init_process_group(
        "gloo", store=dist.FileStore(str(tmp_path / "store"), 1), rank=0, world_size=1
    )
    yield Alone(0, 1, "", "", "", 1, 0.01, [])
    dist.destroy_process_group()


def test_types_and_arithmetics_make_the_same_steps(alone):
    """A worker that is alone has its own gradients back, whatever the arithmetic: FP16 rounds them
    to 11 bits.
    """
    _, model = next(arithmetic.models(alone.share))
    losses = []
    for type_name, name in (("FP32", "block"), ("FP32", "fpisa-a"), ("FP16", "fpisa-a")):
        training = arithmetic.Training(alone, model, type_name, name)
        training.steps()
        training.steps()
        losses.append(training.losses)
    assert alone.settings == [
        {"arithmetic": "block"},
        *[{"arithmetic": "fpisa-a", "overflow": "native"}] * 2,
    ]
    assert losses[0] == losses[1]
    assert losses[0][-1] < losses[0][0]
    np.testing.assert_allclose(losses[2], losses[0], rtol=0.02)
    assert losses[2] != losses[0]
