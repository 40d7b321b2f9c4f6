"""A layer of a graph convolution, on links of an emulated rack.

Vertices are divided over the workers at random. For each of its own a worker needs the sum of its
neighbours' features, which it multiplies by weights. The ways: every worker fetches the rows of the
neighbours that others have, over Gloo or over netfold (an all-to-all of unequal parts); or all
write their rows to the switch, and ask it for the sums (`features.c`). Graphs are random, with the
vertices, edges and features of the data sets, and degrees by a power law. Each worker draws all
edges, a chunk at a time, and keeps those of its own vertices.

An operation keeps at most 256 MiB (R-OP-31). If that has no room for all features of all vertices,
the layer is done in passes, some features of all vertices in each. Of ogbn-products no more than
44 % of the vertices, and of the edges, have room for as many features as a request has.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import scipy.sparse
import torch
import torch.distributed as dist

from .worker import Task, in_turns

PART = 62
"""Numbers in a row of the table: a vertex has as many rows as its features need."""
STATE = 1 << 28
ROWS = STATE // (4 * PART)
OPERATIONS = {"features": f'#define ROWS {ROWS}\n#define STATE "{STATE}"'}
"""The example, and what is defined before it: the largest table."""

DATA_SETS = {
    "PPI": (56_944, 818_716, 50, 1.0),
    "Citeseer": (3_327, 4_732, 3_703, 1.0),
    "Pubmed": (19_717, 44_338, 500, 1.0),
    "ogbn-mag": (736_389, 5_416_271, 128, 1.0),
    "ogbn-products": (2_449_029, 61_859_140, 100, 0.44),
}
"""Vertices, edges and features, and the share of vertices and edges that is taken."""
HIDDEN = 128
SEED = 1
WRITE, SUM = 1, 2
CHUNK = 1 << 20
"""Edges that are drawn at once."""
BLOCK = 16
"""Features that are multiplied at once where results are checked."""


def graph(vertices: int, edges: int, owner: np.ndarray, rank: int) -> scipy.sparse.csr_matrix:
    """The rows of a worker's own vertices in a random graph, each edge both ways, as a matrix of
    ones. The ends of edges are drawn with weights by a power law.
    """
    draw = np.random.default_rng(SEED)
    named = draw.permutation(vertices).astype(np.int32)
    sums = np.cumsum(np.arange(1, vertices + 1) ** -0.5)
    place = np.cumsum(owner == rank, dtype=np.int32) - 1
    rows, columns = [], []
    for start in range(0, edges, CHUNK):
        drawn = draw.random((2, min(CHUNK, edges - start))) * sums[-1]
        ends = named[np.minimum(np.searchsorted(sums, drawn, side="right"), vertices - 1)]
        for one, other in (ends, ends[::-1]):
            mine = owner[one] == rank
            rows.append(place[one[mine]])
            columns.append(other[mine])
    both = np.concatenate(rows), np.concatenate(columns)
    shape = int((owner == rank).sum()), vertices
    matrix = scipy.sparse.csr_matrix((np.ones(len(both[0]), np.float32), both), shape)
    matrix.sum_duplicates()
    matrix.data[:] = 1
    return matrix


class Fetched:
    """A layer whose workers fetch the rows that they need."""

    def __init__(
        self,
        task: Task,
        matrix: scipy.sparse.csr_matrix,
        owner: np.ndarray,
        group: dist.ProcessGroup | None,
    ) -> None:
        self._group = group
        needed = np.unique(matrix.indices)
        needed = needed[owner[needed] != task.rank]
        order = [needed[owner[needed] == rank] for rank in range(task.size)]
        self._elsewhere = matrix[:, np.concatenate(order)]
        self._here = matrix[:, np.flatnonzero(owner == task.rank)]
        self._from = [len(some) for some in order]
        # What the others need of this worker: its vertices that have neighbours there.
        own = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
        by = owner[matrix.indices]
        others = [rank for rank in range(task.size) if rank != task.rank]
        wanted = {rank: np.unique(own[by == rank]) for rank in others}
        self._to = [len(wanted.get(rank, ())) for rank in range(task.size)]
        self._sent = np.concatenate([wanted[rank] for rank in others])

    def sums(self, features: np.ndarray) -> np.ndarray:
        """The sums of the neighbours' features."""
        sent = torch.from_numpy(features[self._sent])
        fetched = torch.empty((sum(self._from), features.shape[1]), dtype=torch.float32)
        dist.all_to_all_single(fetched, sent, self._from, self._to, group=self._group)
        sums: np.ndarray = self._elsewhere @ fetched.numpy()
        sums += self._here @ features
        return sums


class Asked:
    """A layer whose workers ask the switch."""

    def __init__(self, task: Task, matrix: scipy.sparse.csr_matrix, owner: np.ndarray) -> None:
        self._comm, self._operation = task.join("features")
        self._own = np.flatnonzero(owner == task.rank)
        self._parts = ROWS // len(owner)
        pieces = -(-np.diff(matrix.indptr) // PART)
        # All workers make calls of the same length.
        most = torch.tensor([len(self._own), int(pieces.sum())])
        dist.all_reduce(most, dist.ReduceOp.MAX)
        self._most_own, self._most = most.tolist()
        self._vertex = np.repeat(np.arange(len(self._own)), pieces)
        self._asked = np.zeros((self._most, PART), np.uint32)
        self._count = np.zeros(self._most, np.uint32)
        at = 0
        for row in range(len(self._own)):
            neighbours = matrix.indices[matrix.indptr[row] : matrix.indptr[row + 1]]
            for piece in range(0, len(neighbours), PART):
                some = neighbours[piece : piece + PART]
                self._asked[at, : len(some)], self._count[at] = some, len(some)
                at += 1

    def close(self) -> None:
        """Leave the job, and its table with it."""
        self._comm.close()

    def sums(self, features: np.ndarray) -> np.ndarray:
        """The sums of the neighbours' features."""
        width = self._parts * PART
        passes = [
            self._pass(features[:, start : start + width])
            for start in range(0, features.shape[1], width)
        ]
        return passes[0] if len(passes) == 1 else np.concatenate(passes, axis=1)

    def _pass(self, features: np.ndarray) -> np.ndarray:
        """The sums of as many features as the table has room for. A worker's call to write comes
        after all requests of the pass before (R-OP-33).
        """
        parts = -(-features.shape[1] // PART)
        padded = np.zeros((len(features), parts * PART), np.float32)
        padded[:, : features.shape[1]] = features
        rows = np.zeros((self._most_own, parts), self._operation.dtype)
        here = rows[: len(features)]
        here["f0"] = WRITE
        here["f1"] = self._own[:, None] * parts + np.arange(parts)
        here["f2"] = padded.view(np.uint32).reshape(len(features), parts, PART)
        self._comm.look_aside(rows.reshape(-1), self._operation)
        asked = np.zeros((self._most, parts), self._operation.dtype)
        asked["f0"], asked["f1"] = SUM, self._count[:, None]
        asked["f2"] = self._asked[:, None, :] * np.uint32(parts)
        asked["f2"] += np.arange(parts, dtype=np.uint32)[:, None]
        flat = asked.reshape(-1)
        replies = self._comm.look_aside(flat, self._operation, out=flat)
        sums = replies["f2"].view(np.float32).reshape(self._most, parts * PART)
        result = np.zeros((len(self._own), parts * PART), np.float32)
        np.add.at(result, self._vertex, sums[: len(self._vertex)])
        return result[:, : features.shape[1]]


def work(task: Task) -> None:
    """Run one worker."""
    task.begin()
    group = task.group()
    for name in task.cases or DATA_SETS:
        all_vertices, all_edges, width, share = DATA_SETS[name]
        vertices, edges = (int(one * share * task.share) for one in (all_vertices, all_edges))
        draw = np.random.default_rng(SEED)
        owner = draw.integers(0, task.size, vertices, np.int32)
        matrix = graph(vertices, edges, owner, task.rank)
        # Small integers, whose sums are exact in any order.
        all_features = draw.integers(-8, 9, (vertices, width), np.int8)
        weights = draw.normal(size=(width, HIDDEN)).astype(np.float32)
        features = all_features[owner == task.rank].astype(np.float32)
        blocks = [all_features[:, at : at + BLOCK] for at in range(0, width, BLOCK)]
        wanted = np.concatenate([matrix @ one.astype(np.float32) for one in blocks], axis=1)
        del all_features, blocks
        asked = Asked(task, matrix, owner)
        layers = {
            "fetched, Gloo": Fetched(task, matrix, owner, None).sums,
            "fetched, netfold": Fetched(task, matrix, owner, group).sums,
            "asked": asked.sums,
        }

        def layer(sums: Callable[[np.ndarray], np.ndarray]) -> None:
            found = sums(features)  # noqa: B023 - run at once
            if not np.array_equal(found, wanted):  # noqa: B023
                raise RuntimeError("the sums are not those of the neighbours")
            np.matmul(found, weights)  # noqa: B023

        in_turns(task, name, {way: partial(layer, sums) for way, sums in layers.items()})
        asked.close()
