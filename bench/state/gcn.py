"""A layer of a graph convolution, on links of an emulated rack.

Vertices are divided over the workers at random. For each of its own a worker needs the sum of its
neighbours' features, which it multiplies by weights. The ways: every worker fetches the rows of the
neighbours that others have, over Gloo or over netfold (an all-to-all of unequal parts); or all
write their rows to the switch, and ask it for the sums (`features.c`). Graphs are random, with the
vertices, edges and features of the data sets, and degrees by a power law.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import scipy.sparse
import torch
import torch.distributed as dist

from .worker import Task, in_turns

OPERATIONS = {"features": '#define ROWS 262144\n#define STATE "67108864"'}
"""The example, and what is defined before it: a table that holds the rows of all data sets here."""

DATA_SETS = {"PPI": (56_944, 818_716, 50), "Citeseer": (3_327, 4_732, 3_703)}
"""Vertices, edges and features."""
HIDDEN = 128
SEED = 1
WRITE, SUM = 1, 2
PART = 62
"""Numbers in a row of the table: a vertex has as many rows as its features need."""


def graph(vertices: int, edges: int, seed: int) -> scipy.sparse.csr_matrix:
    """A random graph, each edge both ways, as a matrix of ones. The ends of edges are drawn with
    weights by a power law.
    """
    draw = np.random.default_rng(seed)
    weights = np.arange(1, vertices + 1) ** -0.5
    ends = draw.choice(vertices, (2, edges), p=weights / weights.sum())
    ends = draw.permutation(vertices)[ends]
    both = np.concatenate([ends, ends[::-1]], axis=1)
    ones = np.ones(2 * edges, np.float32)
    matrix = scipy.sparse.csr_matrix((ones, (both[0], both[1])), (vertices, vertices))
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
        own = np.flatnonzero(owner == task.rank)
        needed = np.unique(matrix[own].indices)
        order = [needed[owner[needed] == rank] for rank in range(task.size)]
        order[task.rank] = own
        self._matrix = matrix[own][:, np.concatenate(order)]
        place = np.zeros(len(owner), np.int64)
        place[own] = np.arange(len(own))
        self._from = [len(some) if rank != task.rank else 0 for rank, some in enumerate(order)]
        self._own_at = sum(self._from[: task.rank])
        # What the others need of this worker.
        wanted = []
        for rank in range(task.size):
            theirs = np.unique(matrix[np.flatnonzero(owner == rank)].indices)
            asked = theirs[owner[theirs] == task.rank] if rank != task.rank else theirs[:0]
            wanted.append(place[asked])
        self._to = [len(some) for some in wanted]
        self._sent = np.concatenate(wanted)

    def sums(self, features: np.ndarray) -> np.ndarray:
        """The sums of the neighbours' features."""
        sent = torch.from_numpy(features[self._sent])
        fetched = torch.empty((sum(self._from), features.shape[1]), dtype=torch.float32)
        dist.all_to_all_single(fetched, sent, self._from, self._to, group=self._group)
        parts = fetched.numpy()[: self._own_at], features, fetched.numpy()[self._own_at :]
        sums: np.ndarray = self._matrix @ np.concatenate(parts)
        return sums


class Asked:
    """A layer whose workers ask the switch."""

    def __init__(self, task: Task, matrix: scipy.sparse.csr_matrix, owner: np.ndarray) -> None:
        self._comm, self._operation = task.join("features")
        own = np.flatnonzero(owner == task.rank)
        self._own = own
        counts = np.bincount(owner, minlength=task.size)
        # All workers make calls of the same length.
        self._most_own = int(counts.max())
        degrees = np.diff(matrix.indptr)
        pieces = -(-degrees // PART)
        self._most = int(max(pieces[owner == rank].sum() for rank in range(task.size)))
        mine = matrix[own]
        self._vertex = np.repeat(np.arange(len(own)), pieces[own])
        self._asked = np.zeros((self._most, PART), np.int64)
        self._count = np.zeros(self._most, np.uint32)
        at = 0
        for row in range(len(own)):
            neighbours = mine.indices[mine.indptr[row] : mine.indptr[row + 1]]
            for piece in range(0, len(neighbours), PART):
                some = neighbours[piece : piece + PART]
                self._asked[at, : len(some)], self._count[at] = some, len(some)
                at += 1

    def close(self) -> None:
        """Leave the job, and its table with it."""
        self._comm.close()

    def sums(self, features: np.ndarray) -> np.ndarray:
        """The sums of the neighbours' features."""
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
        asked["f2"] = self._asked[:, None, :] * parts + np.arange(parts)[:, None]
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
    for name, (vertices, edges, width) in DATA_SETS.items():
        vertices, edges = int(vertices * task.share), int(edges * task.share)
        matrix = graph(vertices, edges, SEED)
        draw = np.random.default_rng(SEED)
        owner = draw.integers(0, task.size, vertices)
        # Small integers, whose sums are exact in any order.
        features = draw.integers(-8, 9, (vertices, width)).astype(np.float32)
        weights = draw.normal(size=(width, HIDDEN)).astype(np.float32)
        own = owner == task.rank
        asked = Asked(task, matrix, owner)
        layers = {
            "fetched, Gloo": Fetched(task, matrix, owner, None).sums,
            "fetched, netfold": Fetched(task, matrix, owner, group).sums,
            "asked": asked.sums,
        }
        wanted = matrix[np.flatnonzero(own)] @ features

        def layer(sums: Callable[[np.ndarray], np.ndarray]) -> None:
            found = sums(features[own])  # noqa: B023 - run at once
            if not np.array_equal(found, wanted):  # noqa: B023
                raise RuntimeError("the sums are not those of the neighbours")
            np.matmul(found, weights)  # noqa: B023

        in_turns(task, name, {way: partial(layer, sums) for way, sums in layers.items()})
        asked.close()
