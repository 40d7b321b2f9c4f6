"""Workers of `bench.state`: what they compute, without a network."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from bench.state import gcn, train
from bench.state.__main__ import rows


def test_graphs_are_symmetric_and_of_their_size():
    matrix = gcn.graph(500, 2_000, 1)
    assert matrix.shape == (500, 500)
    assert (matrix != matrix.T).nnz == 0
    assert set(matrix.data) == {1.0}
    # Edges that were drawn twice are one, which is the more likely the denser the graph.
    assert 3_000 < matrix.nnz <= 4_000
    assert (matrix != gcn.graph(500, 2_000, 1)).nnz == 0
    assert (matrix != gcn.graph(500, 2_000, 2)).nnz > 0


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
