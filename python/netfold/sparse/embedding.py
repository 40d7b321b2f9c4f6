"""Embeddings whose rows are in a table of servers and switch, in place of those of torch.nn."""

from __future__ import annotations

import atexit
import os
import weakref
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal, NoReturn, Unpack

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from ..errors import ConfigurationError, NetfoldError, UnsupportedError
from ..torch.untraced import untraced
from .hot_set import HotSet
from .opening import MEETING_S, TableOptions, opened, ranked, row_type
from .state import check_kept, read_all, write_part

WEIGHT = "weight"
"""Key of the rows in a `state_dict`, that of nn.Embedding."""

_alive: weakref.WeakSet[HotCold] = weakref.WeakSet()
"""Modules of this process whose tables are open."""


class HotCold(nn.Module):
    """The common part of both embeddings. It has no parameters: its rows are in the table."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None,
        options: TableOptions,
    ) -> None:
        super().__init__()
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        if padding_idx is not None and padding_idx < 0:
            padding_idx += num_embeddings  # as in torch, from the end
        self.padding_idx = padding_idx
        self._opened = opened(num_embeddings, embedding_dim, padding_idx, options)
        self._lookup = self._opened.lookup
        _alive.add(self)

    @property
    def name(self) -> str:
        """Name of the table at its servers."""
        return self._lookup.shape.name

    @property
    def optimizer(self) -> torch.optim.Optimizer:
        """The table's optimizer, for a learning rate scheduler of torch: the instance that was
        given, or one that stands for the servers'.
        """
        return self._lookup.rates.optimizer

    @property
    def lr(self) -> float:
        """The learning rate. It may be changed between steps, at all workers alike; with
        `consistency="sync"` a step is applied with the rate that its end finds.
        """
        return self._lookup.rates.rate

    @lr.setter
    def lr(self, value: float) -> None:
        self._lookup.rates.rate = value

    def prefetch(self, input: Any, *, ahead: int = 1) -> None:
        """Begin to pull the rows of a later input, whose forward pass then does not wait.

        Args:
            input: as in the forward pass, the same tensor or one with the same keys.
            ahead: the number of steps that end before the forward pass. With a bound of staleness,
                rows that were pulled for another step are pulled again.
        """
        self._lookup.prefetch(self._keys_of(input), ahead)

    def step(self) -> None:
        """End the open step. Steps of optimizers of torch do so, too, unless
        `step_with_optimizers=False`.
        """
        self._lookup.end_step()

    def flush(self) -> None:
        """Wait until all that this worker has pushed is stored at the servers. With
        `consistency="sync"`, what was pushed in the open step is applied when all have ended it.
        """
        self._lookup.flush()

    def set_hot(self, hot: HotSet | None) -> None:
        """Have the switch fold other rows from now on; none, if `hot` is None or empty.

        All workers call it with the same set between the same two steps. It waits until all that
        this worker has pushed is stored, and until the others have come.

        Args:
            hot: keys whose rows the switch folds.

        Raises:
            ConfigurationError: a key is no row of the table.
            NetfoldError: no switch takes the rows; then the servers alone go on.
        """
        keys = ranked(hot, self.num_embeddings)
        found = np.empty(0, np.int64) if keys is None else keys.astype(np.int64)
        self._lookup.set_hot(found)
        self._opened = replace(self._opened, hot_rows=len(found))

    def set_servers(self, servers: Sequence[str]) -> None:
        """Have the table go on at other servers, to which the workers bring its rows.

        All workers call it with the same addresses, in the same order, between the same two steps.
        It waits until all that this worker has pushed is stored, until the others have come, and
        until all rows are there. The former servers drop theirs. What was prefetched is pulled
        again.

        Args:
            servers: addresses of the next servers, some of which may have the table already.

        Raises:
            ConfigurationError: the servers are not distinct, or the call is within a step.
            ServerLostError: a server is away for longer than the time-out. If it is one of the next
                servers, nothing has changed; otherwise call it again with the same servers.
        """
        if isinstance(servers, str):
            raise ConfigurationError(f"servers are a list of addresses; got {servers!r}")
        self._lookup.set_servers([str(server).strip() for server in servers])

    def stats(self) -> dict[str, Any]:
        """Counters of this worker: those of the native client, with these besides.

        `steps` that have ended; `hot_share`, the share of the updates that went to the switch;
        `pulled_bytes`, the bytes of the rows that were pulled.
        """
        counters = self._lookup.stats()
        pulled_bytes = self._lookup.shape.kept.torch.itemsize * self.embedding_dim
        return {
            **counters,
            "steps": self._lookup.step,
            "hot_share": counters["hot_updates"] / max(counters["updates"], 1),
            "pulled_bytes": pulled_bytes * counters["pulled"],
        }

    def read_rows(self, start: int, stop: int) -> Tensor:
        """The rows of the keys from `start` to `stop - 1`, shape (stop - start, embedding_dim)."""
        self._check_range(start, stop)
        return self._lookup.shape.rounded(self._lookup.read(start, stop))

    def write_rows(self, start: int, rows: Tensor) -> None:
        """Replace the rows of the keys from `start` on. The optimizer's state of each begins anew.

        One worker does so for a range, and the others do not use it before that.
        """
        if rows.dim() != 2 or rows.shape[1] != self.embedding_dim:
            raise ConfigurationError(
                f"rows have shape (n, {self.embedding_dim}); got {tuple(rows.shape)}"
            )
        self._check_range(start, start + len(rows))
        check_kept(rows, self._lookup.shape.dtype)
        kept = self._lookup.shape.kept.torch
        self._lookup.write(start, rows.detach().to("cpu", kept).numpy())

    def add_rows(self, keys: Tensor, rows: Tensor) -> None:
        """Add rows to those of keys, in a table with `optimizer="sum"`, such as one of counts.

        It returns at once. What several workers add is summed up, of hot keys by the switch;
        integers wrap around at the width of their type. The row of `padding_idx` stays zero.

        Args:
            keys: of any shape, of int32 or int64; equal ones count as often as they are there.
            rows: of the table's type, shape (*, embedding_dim), one for each key.

        Raises:
            ConfigurationError: the table has another optimizer, or the shapes or types do not fit.
            KeyRangeError: a key is no row of the table.
        """
        name, dtype = self._opened.optimizer["name"], self._lookup.shape.dtype
        if name != "sum":
            raise ConfigurationError(
                f'rows are added to in a table with optimizer="sum"; this one applies {name} to gradients'
            )
        wanted = (*keys.shape, self.embedding_dim)
        if tuple(rows.shape) != wanted or rows.dtype != dtype:
            raise ConfigurationError(
                f"rows of these keys have shape {wanted} and type {dtype}; got {tuple(rows.shape)}, {rows.dtype}"
            )
        self._lookup.add(keys, rows.reshape(-1, self.embedding_dim))

    def close(self) -> None:
        """Leave the table in good order; a second call does nothing.

        If this process runs the table's server, it waits until all workers have left, or are lost.
        """
        _alive.discard(self)
        self._lookup.close()

    def extra_repr(self) -> str:
        """Return the text that nn.Module prints of the module."""
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return (
            f"{self.num_embeddings}, {self.embedding_dim}{padding}, hot_rows={self._opened.hot_rows}, "
            f"optimizer={self._opened.optimizer}, name={self.name!r}"
        )

    def _check_range(self, start: int, stop: int) -> None:
        if not 0 <= start <= stop <= self.num_embeddings:
            raise ConfigurationError(
                f"{start} to {stop} is not a range of the {self.num_embeddings} rows"
            )

    def _trains(self) -> bool:
        return self.training and torch.is_grad_enabled()

    def _save_to_state_dict(
        self,
        destination: dict[str, Any],
        prefix: str,
        keep_vars: bool,  # noqa: ARG002 - as in nn.Module
    ) -> None:
        for key, part in self._parts().items():
            destination[prefix + key] = read_all(self._lookup, part)

    def _load_from_state_dict(  # noqa: PLR0913 - as in nn.Module
        self,
        state_dict: dict[str, Any],
        prefix: str,
        local_metadata: dict[str, Any],  # noqa: ARG002 - as in nn.Module
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        parts = {prefix + key: part for key, part in self._parts().items()}
        if strict:
            unexpected_keys += [k for k in state_dict if k.startswith(prefix) and k not in parts]
        missing_keys += [key for key in parts if state_dict.get(key) is None]
        found = {key: state_dict[key] for key in parts if state_dict.get(key) is not None}
        for key, weight in found.items():
            wanted = (len(parts[key]), self.embedding_dim)
            if tuple(weight.shape) != wanted:
                error_msgs.append(
                    f"size mismatch for {key}: {tuple(weight.shape)} in the checkpoint, {wanted} in the table"
                )
            elif self._pads_are_read() and weight[self.padding_idx].any():
                error_msgs.append(f"row padding_idx={self.padding_idx} of {key} is not zero")
        if error_msgs or not found:
            return
        for weight in found.values():
            check_kept(weight, self._lookup.shape.dtype)
        workers = self._opened.workers
        workers.meet("load_state_dict", MEETING_S)
        for key, weight in found.items():
            write_part(self._lookup, weight, parts[key].start, workers.rank, workers.count)
        workers.meet("load_state_dict", MEETING_S)

    def _parts(self) -> dict[str, range]:
        """The rows of each weight of a `state_dict`."""
        return {WEIGHT: range(self.num_embeddings)}

    def _keys_of(self, input: Any) -> Tensor:
        """All keys of an input."""
        keys: Tensor = input
        return keys

    def _pads_are_read(self) -> bool:
        """True if the row of the padding key is part of any output."""
        return self.padding_idx is not None

    def __deepcopy__(self, memo: Any) -> NoReturn:
        raise UnsupportedError(
            f"the table {self.name!r} cannot be copied: both copies would push to the same rows; "
            "make another module and load this one's state_dict"
        )

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise UnsupportedError(
            f"the table {self.name!r} is a connection, which cannot be copied or pickled; save its state_dict"
        )


class HotColdEmbedding(HotCold):
    """In place of nn.Embedding: row x of the table for each key x.

    The rows are at servers, and gradients of hot ones are folded by the switch. A forward pass
    pulls the rows of its keys, the backward pass pushes their gradients, and a step ends with the
    step of an optimizer of torch. In evaluation mode nothing is pushed. See `docs/sparse.md`.

    Args:
        num_embeddings: number of rows.
        embedding_dim: numbers in a row.
        padding_idx: key whose row is zero and gets no gradient.
        options: of the table, see :class:`TableOptions`.

    Raises:
        ConfigurationError: an option is unknown or out of range.
        NetfoldError: the table cannot be joined.
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        **options: Unpack[TableOptions],
    ) -> None:
        super().__init__(num_embeddings, embedding_dim, padding_idx, options)

    @untraced
    def forward(self, input: Tensor) -> Tensor:
        """The rows of keys of any shape, shape (*, embedding_dim)."""
        rows, places, padding = self._lookup.rows_of(input, training=self._trains())
        return functional.embedding(places, rows, padding)


class Bags(HotCold):
    """The common part of embeddings of bags."""

    def __init__(  # noqa: PLR0913 - as nn.EmbeddingBag
        self,
        num_embeddings: int,
        embedding_dim: int,
        mode: Literal["sum", "mean", "max"],
        include_last_offset: bool,
        padding_idx: int | None,
        options: TableOptions,
    ) -> None:
        if mode not in ("sum", "mean", "max"):
            raise ConfigurationError(f'mode is "sum", "mean" or "max"; got {mode!r}')
        dtype = row_type(options)
        if not dtype.is_floating_point:
            raise ConfigurationError(
                f"bags are of floats; rows of {dtype} are looked up one by one, by HotColdEmbedding"
            )
        super().__init__(num_embeddings, embedding_dim, padding_idx, options)
        self.mode = mode
        self.include_last_offset = include_last_offset

    def extra_repr(self) -> str:
        """Return the text that nn.Module prints of the module."""
        return f"{super().extra_repr()}, mode={self.mode!r}"

    def _pooled(
        self,
        rows: Tensor,
        places: Tensor,
        offsets: Tensor | None = None,
        per_sample_weights: Tensor | None = None,
        *,
        padding: int | None = None,
    ) -> Tensor:
        """The rows of each bag combined, shape (bags, embedding_dim)."""
        return functional.embedding_bag(
            places,
            rows,
            None if offsets is None else offsets.long(),
            mode=self.mode,
            per_sample_weights=per_sample_weights,
            include_last_offset=self.include_last_offset,
            padding_idx=padding,
        )

    def _pads_are_read(self) -> bool:
        return False


class HotColdEmbeddingBag(Bags):
    """In place of nn.EmbeddingBag: the sum, mean or maximum of the rows of each bag of keys.

    See :class:`HotColdEmbedding`.

    Args:
        num_embeddings: number of rows.
        embedding_dim: numbers in a row.
        mode: `"sum"`, `"mean"` or `"max"`.
        include_last_offset: whether `offsets` ends with the number of keys.
        padding_idx: key that does not count in bags.
        options: of the table, see :class:`TableOptions`.

    Raises:
        ConfigurationError: an option is unknown or out of range.
        NetfoldError: the table cannot be joined.
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        *,
        mode: Literal["sum", "mean", "max"] = "mean",
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        **options: Unpack[TableOptions],
    ) -> None:
        super().__init__(
            num_embeddings, embedding_dim, mode, include_last_offset, padding_idx, options
        )

    @untraced
    def forward(
        self,
        input: Tensor,
        offsets: Tensor | None = None,
        per_sample_weights: Tensor | None = None,
    ) -> Tensor:
        """Combine the rows of each bag, as nn.EmbeddingBag does; shape (bags, embedding_dim).

        Args:
            input: the keys, shape (bags, n), or those of all bags in one row.
            offsets: where each bag begins, if `input` has one dimension.
            per_sample_weights: factors of the rows, shaped as `input`, in mode `"sum"`.
        """
        rows, places, padding = self._lookup.rows_of(input, training=self._trains())
        return self._pooled(rows, places, offsets, per_sample_weights, padding=padding)


@atexit.register
def _close_all() -> None:
    """Leave every table at the interpreter's exit, so that nobody counts this worker as lost."""
    # Each waits for the other workers, so all take them in the same order.
    for module in sorted(_alive, key=lambda module: module._lookup.made):
        try:
            module.close()
        except NetfoldError:
            # The others know of it already; there is nobody left to tell here.
            continue


os.register_at_fork(after_in_child=_alive.clear)


__all__ = ["Bags", "HotCold", "HotColdEmbedding", "HotColdEmbeddingBag"]
