"""Lookups of batches in a table: rows are pulled as a leaf of the graph, and its gradient is pushed.

Open :meth:`Lookup.rows_of` first.
"""

from __future__ import annotations

import itertools
import os
import threading
from collections import deque
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ..errors import ConfigurationError, ForkedError, KeyRangeError, NetfoldError
from .drift import Drift
from .rates import Rates
from .table import Keys, Pulling, Rows, Table
from .types import KEPT, Kept

PREFETCHED = 16
"""Largest number of prefetched batches; the oldest is dropped."""

_numbers = itertools.count()


@dataclass(frozen=True)
class Shape:
    """Properties of a table that its lookups need.

    Attributes:
        name: of the table, for messages.
        rows: number of rows.
        width: numbers in a row.
        padding: the key of the row that is zero and gets no gradient, if there is one.
        divisor: what gradients are divided by: the number of workers, for averages.
        ordered: whether pulls name their step (R-SERVE-5).
        dtype: the type of rows as modules give them.
    """

    name: str
    rows: int
    width: int
    padding: int | None
    divisor: int
    ordered: bool
    dtype: torch.dtype = torch.float32

    @property
    def kept(self) -> Kept:
        """The type in which servers keep the rows."""
        return KEPT[self.dtype]

    def rounded(self, rows: Rows) -> Tensor:
        """Rows of the servers in the table's type: the nearest float, or the integer modulo the
        size of its type.
        """
        return torch.from_numpy(rows).to(self.dtype)


@dataclass
class Batch:
    """The keys of an input.

    Attributes:
        keys: the different keys, ascending.
        inverse: for each place of the input that of its key in `keys`.
        wanted: the keys that are rows of the table: all but padding.
    """

    keys: Keys
    inverse: Tensor
    wanted: Keys


@dataclass
class Prefetched:
    """A pull ahead of its batch."""

    input: Tensor
    version: int
    """torch's count of the changes of `input`."""
    batch: Batch
    step: int
    pulling: Pulling | None
    """None if no row is wanted."""


class Lookup:
    """The lookups of one worker in one table.

    Attributes:
        made: place among the lookups of this process, in the order in which they were made.
        rates: the learning rate, which may change between steps.
        step: the open step, from 0.
        passes: forward passes of the open step that may push gradients.
        thread: the thread of the last of them.
    """

    def __init__(
        self, table: Table, shape: Shape, rates: Rates, drift: Drift | None = None
    ) -> None:
        self.made = next(_numbers)
        self.table = table
        self.shape = shape
        self.rates = rates
        self._drift = drift
        self.step = 0
        self.passes = 0
        self.thread = 0
        self._ahead: deque[Prefetched] = deque(maxlen=PREFETCHED)
        self._process = os.getpid()
        self._closed = False

    def rows_of(self, input: Tensor, *, training: bool) -> tuple[Tensor, Tensor, int | None]:
        """The rows of an input.

        Returns:
            The rows of its different keys, at least one; for each place of the input that of its
            key among them; the place of the row that is padding, if it is there. In training the
            rows are a leaf whose gradient is pushed by the backward pass.
        """
        self.check()
        batch, rows = self._pulled(input)
        padding = None
        if self.shape.padding is not None and len(batch.wanted) < len(batch.keys):
            padding = int(np.searchsorted(batch.keys, self.shape.padding))
            rows = np.insert(rows, padding, 0, axis=0)
        if len(rows) == 0:
            rows = np.zeros((1, self.shape.width), self.shape.kept.numpy)
        leaf = self.shape.rounded(rows).to(input.device)
        training = training and leaf.is_floating_point()
        # As of nn.Embedding, the output has a gradient even if the batch has no keys.
        leaf.requires_grad_(training)
        if training and len(batch.wanted) > 0:
            push = partial(self._push, batch.wanted, padding)
            leaf.register_post_accumulate_grad_hook(push)  # type: ignore[no-untyped-call]
        if training:
            self.passes += 1
            self.thread = threading.get_ident()
        return leaf, batch.inverse, padding

    def prefetch(self, input: Tensor, ahead: int = 1) -> None:
        """Begin to pull the rows of a later input."""
        self.check()
        if ahead < 0:
            raise ConfigurationError(f"a prefetch is for a step from the open one on; got {ahead}")
        batch = self._batch(input)
        step = self.step + ahead
        pulling = None
        if len(batch.wanted) > 0:
            pulling = self.table.pull_async(batch.wanted, step if self.shape.ordered else None)
        self._ahead.append(Prefetched(input, input._version, batch, step, pulling))

    def end_step(self) -> None:
        """End the open step."""
        self.check()
        # The rate of a synchronous step is that of its end, as in torch.
        self.rates.tell()
        ended, self.step, self.passes = self.step, self.step + 1, 0
        self.table.end_step(ended)
        self.rates.stepped()
        if self._drift is not None:
            self._drift.stepped(self.step)

    def read(self, start: int, stop: int) -> Rows:
        """The rows of a range of keys."""
        self.check()
        keys = np.arange(start, stop, dtype=np.int64)
        out = np.empty((len(keys), self.shape.width), self.shape.kept.numpy)
        if len(keys) > 0:
            self.table.pull(keys, out, self._now())
        if self.shape.padding is not None and start <= self.shape.padding < stop:
            out[self.shape.padding - start] = 0
        return out

    def write(self, start: int, rows: Rows) -> None:
        """Replace the rows of a range of keys."""
        self.check()
        self._ahead.clear()
        keys = np.arange(start, start + len(rows), dtype=np.int64)
        if len(keys) > 0:
            self.table.set(keys, np.ascontiguousarray(rows, self.shape.kept.numpy))

    def add(self, input: Tensor, rows: Tensor) -> None:
        """Add rows to those of keys, which may be equal; that of the padding key stays zero."""
        self.check()
        batch = self._batch(input.reshape(-1))
        kept = self.shape.kept.torch
        sums = torch.zeros(len(batch.keys), self.shape.width, dtype=kept)
        sums.index_add_(0, batch.inverse.cpu(), rows.detach().to("cpu", kept))
        if len(batch.wanted) > 0:
            self._send(batch.wanted, sums.numpy()[np.isin(batch.keys, batch.wanted)])

    def flush(self) -> None:
        """Wait until all that was pushed is stored."""
        self.check()
        self.table.flush()

    def set_hot(self, keys: Keys) -> None:
        """Make these keys the hot ones, the hottest first."""
        self.check()
        if self._drift is not None:
            raise ConfigurationError(
                "the hot set of this table follows its load; leave out follow to set it yourself"
            )
        self.table.set_hot(keys)

    def set_servers(self, servers: list[str]) -> None:
        """Have the table go on at other servers."""
        self.check()
        # What was prefetched is pulled again, from there.
        self._ahead.clear()
        self.table.set_servers(servers)

    def stats(self) -> dict[str, Any]:
        """Counters of the table's client."""
        self.check()
        return self.table.stats()

    def close(self) -> None:
        """End the open step if it has passes, and leave. In a fork nothing is ended."""
        if self._closed or self._process != os.getpid():
            return
        try:
            if self.passes > 0:
                self.end_step()
        finally:
            self._closed = True
            self._ahead.clear()
            self.table.close()

    def check(self) -> None:
        """Refuse a table that is closed, or belongs to another process."""
        if self._process != os.getpid():
            raise ForkedError(
                f"the table {self.shape.name!r} belongs to process {self._process}, of which process "
                f"{os.getpid()} is a fork; make another one in this process"
            )
        if self._closed:
            raise NetfoldError(f"the table {self.shape.name!r} is closed")

    def _now(self) -> int | None:
        return self.step if self.shape.ordered else None

    def _batch(self, input: Tensor) -> Batch:
        if input.dtype not in (torch.int32, torch.int64):
            raise ConfigurationError(f"keys are int32 or int64; got {input.dtype}")
        distinct, inverse = torch.unique(input, return_inverse=True)
        keys = distinct.cpu().numpy().astype(np.int64, copy=False)
        if len(keys) > 0:
            for key in (int(keys[0]), int(keys[-1])):
                if not 0 <= key < self.shape.rows:
                    raise KeyRangeError(
                        f"key {key} is not one of the {self.shape.rows} rows of the table {self.shape.name!r}, "
                        f"0 to {self.shape.rows - 1}"
                    )
        wanted = keys if self.shape.padding is None else keys[keys != self.shape.padding]
        return Batch(keys, inverse, wanted)

    def _pulled(self, input: Tensor) -> tuple[Batch, Rows]:
        """The keys and wanted rows of an input, prefetched or pulled now."""
        ahead = self._taken(input)
        batch = ahead.batch if ahead is not None else self._batch(input)
        ahead = ahead or self._taken_for(batch.keys)
        out = np.empty((len(batch.wanted), self.shape.width), self.shape.kept.numpy)
        # In an ordered table rows pulled for another step would be older than allowed, or would
        # wait for the end of a step that has not begun.
        current = ahead is not None and (not self.shape.ordered or ahead.step == self.step)
        if ahead is not None and ahead.pulling is not None and current:
            ahead.pulling.wait(out)
        elif len(batch.wanted) > 0:
            self.table.pull(batch.wanted, out, self._now())
        return batch, out

    def _taken(self, input: Tensor) -> Prefetched | None:
        """The oldest prefetch of this very tensor, which is unchanged since."""
        for ahead in self._ahead:
            if ahead.input is input and ahead.version == input._version:
                self._ahead.remove(ahead)
                return ahead
        return None

    def _taken_for(self, keys: Keys) -> Prefetched | None:
        """The oldest prefetch of the same keys, whatever tensor they were in."""
        for ahead in self._ahead:
            if np.array_equal(ahead.batch.keys, keys):
                self._ahead.remove(ahead)
                return ahead
        return None

    def _push(self, keys: Keys, padding: int | None, leaf: Tensor) -> None:
        """Push the gradient of a leaf; called by autograd while the backward pass goes on."""
        gradient, leaf.grad = leaf.grad, None
        assert gradient is not None
        self.check()
        # Two operations, because x / n differs from x * (1 / n) by a rounding.
        gradient = gradient.to(self.shape.kept.torch)
        rows = (gradient / self.shape.divisor).detach().cpu().numpy()
        if padding is not None:
            rows = np.delete(rows, padding, axis=0)
        if not np.isfinite(rows).all():
            key = keys[~np.isfinite(rows).all(axis=1)][0]
            raise NetfoldError(
                f"the gradient of row {key} of the table {self.shape.name!r} is not finite; "
                "use a smaller learning rate, or clip; a table has no part in the scaling of a loss"
            )
        self.rates.tell()
        self._send(keys, rows)

    def _send(self, keys: Keys, rows: Rows) -> None:
        self.table.push(keys, np.ascontiguousarray(rows, self.shape.kept.numpy))
        if self._drift is not None:
            self._drift.updated(keys)


__all__ = ["Lookup", "Shape"]
