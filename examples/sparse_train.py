"""Train one model of the demo of sparse models in one way. Run it under torchrun;
`sparse_demo.py` does.

The ways: `hot` has tables whose hot rows the switch folds, `servers` the same tables at servers
alone, `dense` has nn.Embedding whose gradients DistributedDataParallel all-reduces whole. The dense
layers are trained by DistributedDataParallel over netfold in each.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.distributed as dist
from sparse_data import EXPONENTS, Batch, Clicks, Movies, area_under_curve, hit_ratio, movies
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel
from train import PROGRESS

from netfold.sparse import HotColdEmbedding, HotColdEmbeddingBag, HotSet, Prefetching
from netfold.sparse.embedding import HotCold
from netfold.torch import backend_of

DIM = 16
TABLE_RATE = 0.1
DENSE_RATE = 1e-2
TEST_SAMPLES = 8192
WAYS = ("hot", "servers", "dense")
DATA = ("movies", *EXPONENTS)
Tables = Mapping[str, nn.Module]


@dataclass(frozen=True)
class Plan:
    """One training."""

    data: str
    way: str
    samples: int
    """Samples of a worker in a step."""
    steps: int
    """Steps of an epoch of the generated log; MovieLens has its own number."""
    epochs: int
    servers: tuple[str, ...]
    hot: Path
    """Folder of hot sets, `TABLE.hot`."""
    cache: Path


class Recommender(nn.Module):
    """Neural collaborative filtering in small: a product of two rows, and a perceptron on both."""

    def __init__(self, tables: Tables) -> None:
        super().__init__()
        self.users, self.items = tables["users"], tables["items"]
        self.top = nn.Sequential(nn.Linear(2 * DIM, DIM), nn.ReLU(), nn.Linear(DIM, 1))

    def forward(self, keys: Tensor) -> Tensor:
        """Scores of pairs of user and movie, shape (n, 2); shape (n,)."""
        user, item = self.users(keys[:, 0]), self.items(keys[:, 1])
        score: Tensor = self.top(torch.cat([user, item], 1)).squeeze(1) + (user * item).sum(1)
        return score

    def prefetch(self, keys: Tensor) -> None:
        """Begin to pull the rows of the next batch."""
        for table, part in (self.users, keys[:, 0]), (self.items, keys[:, 1]):
            if isinstance(table, HotCold):
                table.prefetch(part)


class Clicker(nn.Module):
    """A click model: the sum of a sample's rows, and a perceptron."""

    def __init__(self, tables: Tables) -> None:
        super().__init__()
        self.keys = tables["keys"]
        self.top = nn.Sequential(nn.Linear(DIM, DIM), nn.ReLU(), nn.Linear(DIM, 1))

    def forward(self, keys: Tensor) -> Tensor:
        """Scores of samples, shape (n, FIELDS); shape (n,)."""
        score: Tensor = self.top(self.keys(keys)).squeeze(1)
        return score

    def prefetch(self, keys: Tensor) -> None:
        """Begin to pull the rows of the next batch."""
        if isinstance(self.keys, HotCold):
            self.keys.prefetch(keys)


@dataclass
class Task:
    """Data, their model and how it is judged."""

    plan: Plan
    movies: Movies | None
    clicks: Clicks | None

    @classmethod
    def of(cls, plan: Plan) -> Task:
        """The task of a plan; fetches MovieLens if need be."""
        if plan.data == "movies":
            return cls(plan, movies(plan.cache), None)
        return cls(plan, None, Clicks(EXPONENTS[plan.data]))

    def rows(self) -> dict[str, int]:
        """Number of rows of each table."""
        if self.movies is not None:
            return {"users": self.movies.users, "items": self.movies.items}
        assert self.clicks is not None
        return {"keys": self.clicks.rows}

    def batches(self, epoch: int, rank: int, workers: int) -> Iterator[Batch]:
        """A worker's batches of an epoch."""
        samples = self.plan.samples
        if self.movies is not None:
            return self.movies.batches(samples, epoch, rank, workers)
        assert self.clicks is not None
        return self.clicks.batches(samples, self.plan.steps, epoch, rank, workers)

    def steps(self, workers: int) -> int:
        """Steps of an epoch."""
        if self.movies is not None:
            return self.movies.steps(self.plan.samples, workers)
        return self.plan.steps

    def model(self, tables: Tables) -> Recommender | Clicker:
        """The model."""
        return Recommender(tables) if self.movies is not None else Clicker(tables)

    def keys_of(self, table: str, keys: Tensor) -> Tensor:
        """The keys of a batch that are of this table."""
        return {"users": keys[:, :1], "items": keys[:, 1:], "keys": keys}[table]

    @torch.no_grad()
    def score(self, model: nn.Module) -> float:
        """Hit ratio at 10, or area under the curve, of the test's samples."""
        model.eval()
        if self.movies is not None:
            users = np.repeat(np.arange(self.movies.users), self.movies.candidates.shape[1])
            keys = np.stack([users, self.movies.candidates.reshape(-1)], 1)
            scores = model(torch.from_numpy(keys)).numpy()
            found = hit_ratio(scores.reshape(self.movies.candidates.shape))
        else:
            assert self.clicks is not None
            test, clicked = self.clicks.batch(TEST_SAMPLES, 0)
            found = area_under_curve(model(test).numpy(), clicked.numpy())
        model.train()
        return found


def tables(task: Task, **options: Any) -> dict[str, nn.Module]:
    """The tables of a task, by the way of its plan."""
    plan = task.plan
    found: dict[str, nn.Module] = {}
    kind = "bag" if task.clicks is not None else "rows"
    for name, rows in task.rows().items():
        if plan.way == "dense":
            table = nn.Embedding(rows, DIM) if kind == "rows" else nn.EmbeddingBag(rows, DIM)
            if isinstance(table, nn.EmbeddingBag):
                table.mode = "sum"
            nn.init.normal_(table.weight, std=0.05)
            found[name] = table
            continue
        hot = HotSet.load(plan.hot / f"{name}.hot") if plan.way == "hot" else None
        given: dict[str, Any] = {
            "hot": hot,
            "optimizer": {"name": "adagrad", "lr": TABLE_RATE},
            "initialiser": {"name": "normal", "std": 0.05},
            "servers": plan.servers,
            **options,
        }
        found[name] = (
            HotColdEmbedding(rows, DIM, **given)
            if kind == "rows"
            else HotColdEmbeddingBag(rows, DIM, mode="sum", **given)
        )
    return found


def optimizers(model: nn.Module) -> list[torch.optim.Optimizer]:
    """Adagrad for embeddings that are here, as the servers have it, and Adam for all else."""
    local = [
        parameter
        for module in model.modules()
        if isinstance(module, (nn.Embedding, nn.EmbeddingBag))
        for parameter in module.parameters()
    ]
    known = {id(parameter) for parameter in local}
    rest = [parameter for parameter in model.parameters() if id(parameter) not in known]
    found: list[torch.optim.Optimizer] = [torch.optim.Adam(rest, lr=DENSE_RATE)]
    if local:
        found.append(torch.optim.Adagrad(local, lr=TABLE_RATE))
    return found


def train(plan: Plan, **options: Any) -> dict[str, Any]:
    """Train, and return what rank 0 reports."""
    rank, workers = dist.get_rank(), dist.get_world_size()
    torch.manual_seed(1)
    task = Task.of(plan)
    local = tables(task, **options)
    model = task.model(local)
    stored = [table for table in local.values() if isinstance(table, HotCold)]
    ddp = DistributedDataParallel(model)
    updates = optimizers(model)
    steps, done, samples, seconds = task.steps(workers), 0, 0, 0.0
    points = [(0.0, _score(task, model, stored))]
    for epoch in range(plan.epochs):
        start = time.perf_counter()
        batches = Prefetching(
            task.batches(epoch, rank, workers), lambda batch: model.prefetch(batch[0])
        )
        for keys, labels in batches:
            loss = nn.functional.binary_cross_entropy_with_logits(ddp(keys), labels)
            for update in updates:
                update.zero_grad()
            torch.autograd.backward(loss)
            for update in updates:
                update.step()
            done, samples = done + 1, samples + len(labels) * workers
            if rank == 0 and (done % 10 == 0 or done == steps * plan.epochs):
                print(PROGRESS, done, steps * plan.epochs, flush=True)
        for table in stored:
            table.flush()
        dist.barrier()
        seconds += time.perf_counter() - start
        points.append((seconds, _score(task, model, stored)))
    result = {"samples": samples, "points": points, **report(plan, stored)}
    for table in stored:
        table.close()
    return result


def _score(task: Task, model: nn.Module, stored: list[HotCold]) -> float:
    """The score, at rank 0; no worker trains meanwhile."""
    for table in stored:
        table.flush()
    dist.barrier()
    found = task.score(model) if dist.get_rank() == 0 else 0.0
    dist.barrier()
    return found


def report(plan: Plan, stored: list[HotCold]) -> dict[str, Any]:
    """The trained tables, and the counters of all workers together."""
    mine = [table.stats() for table in stored]
    sent = ("switch_bytes", "server_bytes", "retransmissions")
    names = ("updates", "hot_updates", "pulled_bytes", *sent)
    tables = torch.tensor([sum(stats[name] for stats in mine) for name in names])
    folded = backend_of().stats() if dist.get_backend() == "netfold" else {}
    calls = ("bytes_sent", "bytes_received", "retransmissions")
    dense = torch.tensor([folded.get(name, 0) for name in calls])
    both = torch.cat([tables, dense])
    dist.all_reduce(both)
    totals = both.tolist()
    return {
        "data": plan.data,
        "way": plan.way,
        "workers": dist.get_world_size(),
        "tables": dict(zip(names, totals, strict=False)),
        "dense": dict(zip(calls, totals[len(names) :], strict=True)),
    }


def main() -> None:
    """Command line of one worker."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", choices=DATA, required=True)
    parser.add_argument("--way", choices=WAYS, required=True)
    parser.add_argument("--samples", type=int, default=256)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--server", action="append", default=[])
    parser.add_argument("--hot", type=Path, default=Path())
    parser.add_argument("--cache", type=Path, default=Path("out/cache"))
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    plan = Plan(
        given.data,
        given.way,
        given.samples,
        given.steps,
        given.epochs,
        tuple(given.server),
        given.hot,
        given.cache,
    )
    torch.set_num_threads(1)
    dist.init_process_group("netfold")
    result = train(plan)
    if dist.get_rank() == 0:
        given.out.write_text(json.dumps(result, indent=2))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
