"""A table of servers in this process, in place of the native one: its workers are threads, and its
optimizers those of torch.

It follows R-SERVE-3 to R-SERVE-7: a push is applied when it comes, and in synchronous steps the
gradients of a step are added up and applied once, when all workers have ended it.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

import netfold

LIMIT_S = 30.0


class Rows:
    """One table: its weights, and who has ended which step."""

    def __init__(self, rows: int, width: int, workers: int, given: dict[str, Any]) -> None:
        self.changed = threading.Condition()
        self.given = given
        self.workers = workers
        self.staleness = given["staleness"]
        random = torch.Generator().manual_seed(given["seed"])
        self.dtype = {
            "f32": torch.float32,
            "f64": torch.float64,
            "i32": torch.int32,
            "i64": torch.int64,
        }[given["element_type"]]
        weight = torch.randn(rows, width, generator=random).to(self.dtype)
        if given["initialiser"]["name"] == "constant":
            weight.fill_(given["initialiser"]["value"])
        trained = weight.is_floating_point()
        self.weight = torch.nn.Parameter(weight, requires_grad=trained)
        self.optimizer = made(given["optimizer"], self.weight)
        self.ended = [0] * workers
        self.left = [False] * workers
        self.rates: dict[int, float] = {}
        self.pending: dict[int, list[tuple[int, np.ndarray, np.ndarray]]] = defaultdict(list)
        self.given_bytes: dict[tuple[int, int], bytes] = {}
        """Values that workers have exchanged, by time and rank."""
        self.log: list[tuple[Any, ...]] = []
        """Requests of workers: tests look at their order."""

    def apply(self, keys: np.ndarray, rows: np.ndarray) -> None:
        """Apply a gradient; keys may repeat."""
        if self.given["optimizer"]["name"] == "sum":
            with torch.no_grad():
                self.weight.index_add_(
                    0, torch.from_numpy(keys.copy()), torch.from_numpy(rows.copy())
                )
            return
        places = torch.from_numpy(keys.copy())[None]
        gradient = torch.sparse_coo_tensor(
            places, torch.from_numpy(rows.copy()), self.weight.shape, check_invariants=True
        )
        self.weight.grad = gradient.coalesce()
        # Without the hooks of steps: this one is the server's.
        type(self.optimizer).step.__wrapped__(self.optimizer)
        self.weight.grad = None

    def step_ended(self, rank: int, step: int) -> None:
        """A worker has ended a step; all of it is applied when the last one has (R-SERVE-5)."""
        assert step == self.ended[rank], (rank, step, self.ended)
        before = self.oldest()
        self.ended[rank] += 1
        for done in range(before, self.oldest()):
            self.set_rate(self.rates.pop(done, None))
            pushes = sorted(self.pending.pop(done, []), key=lambda push: push[0])
            if pushes:
                self.apply(
                    np.concatenate([keys for _, keys, _ in pushes]),
                    np.concatenate([rows for _, _, rows in pushes]),
                )
        self.changed.notify_all()

    def set_rate(self, rate: float | None) -> None:
        """Apply what comes next with another rate (R-SERVE-16)."""
        if rate is not None:
            self.optimizer.param_groups[0]["lr"] = rate

    def oldest(self) -> int:
        """Steps that all workers have ended; those that have left count as if they had."""
        present = [self.ended[rank] for rank in range(self.workers) if not self.left[rank]]
        return min(present, default=max(self.ended))


def made(described: dict[str, Any], weight: torch.nn.Parameter) -> torch.optim.Optimizer | None:
    """The optimizer of torch for sparse gradients; None for sums."""
    options = dict(described)
    name = options.pop("name")
    if name == "sum":
        return None
    if name == "adam":
        kept = {key: options[key] for key in ("lr", "betas", "eps")}
        return torch.optim.SparseAdam([weight], **kept)
    return {"sgd": torch.optim.SGD, "adagrad": torch.optim.Adagrad}[name]([weight], **options)


@dataclass
class Cluster:
    """The servers of one test. `cluster.table` is given to modules as `table_class`."""

    tables: dict[str, Rows] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    made: list[DoubleTable] = field(default_factory=list)

    def table(
        self, name: str, rows: int, width: int, rank: int, workers: int, **given: Any
    ) -> DoubleTable:
        """Join a table; all workers agree on what they give."""
        with self.lock:
            shared = self.tables.setdefault(name, Rows(rows, width, workers, given))
            table = DoubleTable(shared, rank)
            self.made.append(table)
        assert shared.weight.shape == (rows, width)
        assert repr(shared.given) == repr(given)
        return table


class DoubleTable:
    """A worker's client."""

    def __init__(self, shared: Rows, rank: int) -> None:
        self.shared = shared
        self.rank = rank
        hot = shared.given["hot_keys"]
        self.hot = set() if hot is None else set(hot.tolist())
        self.closed = 0
        self.exchanged = 0
        names = ("updates", "hot_updates", "pulled", "switch_bytes", "server_bytes")
        self.counters = dict.fromkeys((*names, "saved_bytes", "retransmissions"), 0)

    def push(self, keys: np.ndarray, rows: np.ndarray) -> None:
        checked(keys, rows, self.shared)
        hot = sum(key in self.hot for key in keys.tolist())
        self.counters["hot_updates"] += hot
        self.counters["updates"] += len(keys)
        with self.shared.changed:
            self.shared.log.append(("push", self.rank, keys.tolist()))
            if self.shared.staleness == 0:
                step = self.shared.ended[self.rank]
                self.shared.pending[step].append((self.rank, keys.copy(), rows.copy()))
            else:
                self.shared.apply(keys, rows)

    def pull(self, keys: np.ndarray, out: np.ndarray, step: int | None = None) -> None:
        self.shared.log.append(("pull", self.rank, keys.tolist(), step))
        self.answer(keys, out, step)

    def answer(self, keys: np.ndarray, out: np.ndarray, step: int | None) -> None:
        checked(keys, out, self.shared)
        bound = self.shared.staleness
        assert (step is None) == (bound is None)
        self.counters["pulled"] += len(keys)
        with self.shared.changed:
            if step is not None and not self.shared.changed.wait_for(
                lambda: self.shared.oldest() >= step - bound, LIMIT_S
            ):
                raise netfold.CallTimeoutError(
                    f"step {step}: workers have ended {self.shared.ended}"
                )
            out[:] = self.shared.weight.detach()[torch.from_numpy(keys.copy())].numpy()

    def pull_async(self, keys: np.ndarray, step: int | None = None) -> Pulling:
        self.shared.log.append(("pull", self.rank, keys.tolist(), step))
        return Pulling(self, keys, step)

    def end_step(self, step: int) -> None:
        with self.shared.changed:
            self.shared.log.append(("end", self.rank, step))
            self.shared.step_ended(self.rank, step)

    def exchange(self, own: bytes) -> list[bytes]:
        shared, time = self.shared, self.exchanged
        self.exchanged += 1
        with shared.changed:
            shared.given_bytes[time, self.rank] = own
            shared.changed.notify_all()
            places = [(time, rank) for rank in range(shared.workers)]
            assert shared.changed.wait_for(
                lambda: all(place in shared.given_bytes for place in places), LIMIT_S
            )
            return [shared.given_bytes[place] for place in places]

    def set_hot(self, keys: np.ndarray) -> None:
        assert keys.dtype == np.int64
        self.hot = set(keys.tolist())
        self.shared.log.append(("hot", self.rank, keys.tolist()))

    def set_servers(self, servers: list[str]) -> None:
        self.shared.log.append(("servers", self.rank, servers))

    def set_lr(self, lr: float) -> None:
        with self.shared.changed:
            self.shared.log.append(("lr", self.rank, lr))
            if self.shared.staleness == 0:
                self.shared.rates[self.shared.ended[self.rank]] = lr
            else:
                self.shared.set_rate(lr)

    def flush(self) -> None:
        self.shared.log.append(("flush", self.rank))

    def set(self, keys: np.ndarray, rows: np.ndarray) -> None:
        checked(keys, rows, self.shared)
        with self.shared.changed, torch.no_grad():
            places = torch.from_numpy(keys.copy())
            self.shared.weight[places] = torch.from_numpy(rows.copy())
            optimizer = self.shared.optimizer
            states = {} if optimizer is None else optimizer.state[self.shared.weight]
            for values in states.values():
                if values.shape == self.shared.weight.shape:
                    values[places] = 0

    def stats(self) -> dict[str, Any]:
        return {**self.counters, "servers": self.shared.given["servers"]}

    def close(self) -> None:
        self.closed += 1
        with self.shared.changed:
            self.shared.left[self.rank] = True
            self.shared.changed.notify_all()


class Pulling:
    """A pull in a thread of its own, as that of the native table is on its way at once."""

    def __init__(self, table: DoubleTable, keys: np.ndarray, step: int | None) -> None:
        shape = (len(keys), table.shared.weight.shape[1])
        self.rows = torch.empty(shape, dtype=table.shared.dtype).numpy()
        self.error: Exception | None = None
        self.thread = threading.Thread(target=self._run, args=(table, keys, step), daemon=True)
        self.thread.start()

    def _run(self, table: DoubleTable, keys: np.ndarray, step: int | None) -> None:
        try:
            table.answer(keys, self.rows, step)
        except Exception as error:
            self.error = error

    def wait(self, out: np.ndarray) -> None:
        self.thread.join()
        if self.error is not None:
            raise self.error
        out[:] = self.rows


def checked(keys: np.ndarray, rows: np.ndarray, shared: Rows) -> None:
    """Check the properties that the native table may rely on."""
    assert keys.dtype == np.int64
    assert torch.from_numpy(rows[:0]).dtype == shared.dtype
    assert rows.flags.c_contiguous
    assert rows.shape == (len(keys), shared.weight.shape[1])
    assert len(keys) > 0
    assert len(np.unique(keys)) == len(keys)
    assert keys.min() >= 0
    assert keys.max() < len(shared.weight)
