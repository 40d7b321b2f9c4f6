"""Embeddings of several features of one width, whose rows are in one table."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from typing import Literal, Unpack

import torch
from torch import Tensor

from ..errors import ConfigurationError, KeyRangeError
from ..torch.untraced import untraced
from .embedding import WEIGHT, Bags
from .opening import TableOptions

Bag = Tensor | tuple[Tensor, ...]
"""The bags of a feature: its keys, shape (bags, n), or a tuple of what nn.EmbeddingBag takes: keys,
offsets, and factors of the rows.
"""


def ranges_of(num_embeddings: Mapping[str, int]) -> dict[str, range]:
    """The rows of each feature in the table of all: one feature's after the other's.

    Raises:
        ConfigurationError: there is no feature, one has no rows, or a name cannot be part of the
            keys of a `state_dict`.
    """
    if not num_embeddings:
        raise ConfigurationError("a collection has at least one feature: its name, and its rows")
    for name, rows in num_embeddings.items():
        if not name or "." in name:
            raise ConfigurationError(f"a feature's name is not empty and has no dot; got {name!r}")
        if rows < 1:
            raise ConfigurationError(f"a feature has at least 1 row; {name!r} has {rows}")
    ends = accumulate(num_embeddings.values())
    return {
        name: range(end - rows, end)
        for (name, rows), end in zip(num_embeddings.items(), ends, strict=True)
    }


def combined_keys(num_embeddings: Mapping[str, int], inputs: Mapping[str, Bag]) -> Tensor:
    """The keys of a batch of several features, as those of one table.

    Args:
        num_embeddings: the rows of each feature, as :class:`HotColdEmbeddingBagCollection` has
            them.
        inputs: the features of a batch, or some of them.

    Returns:
        The keys, shape (n,): those of each feature in the order of `inputs`.

    Raises:
        ConfigurationError: there is no such feature, or keys are not integers.
        KeyRangeError: a key is no row of its feature.
    """
    return _combined(ranges_of(num_embeddings), inputs)


def _combined(ranges: Mapping[str, range], inputs: Mapping[str, Bag]) -> Tensor:
    parts = []
    for name, bags in inputs.items():
        if name not in ranges:
            raise ConfigurationError(
                f"the collection has no feature {name!r}; it has {', '.join(ranges)}"
            )
        keys = bags if isinstance(bags, Tensor) else bags[0]
        if keys.dtype not in (torch.int32, torch.int64):
            raise ConfigurationError(f"keys are int32 or int64; those of {name!r} are {keys.dtype}")
        parts.append((name, keys.reshape(-1).long()))
    filled = [(name, keys) for name, keys in parts if keys.numel() > 0]
    if filled:
        # One transfer for all, if they are on another device.
        ends = torch.stack([end for _, keys in filled for end in torch.aminmax(keys)]).tolist()
        for (name, _), least, most in zip(filled, ends[::2], ends[1::2], strict=True):
            rows = len(ranges[name])
            for key in (least, most):
                if not 0 <= key < rows:
                    raise KeyRangeError(
                        f"key {key} is not one of the {rows} rows of the feature {name!r}, 0 to {rows - 1}"
                    )
    moved = [keys + ranges[name].start for name, keys in parts]
    return torch.cat(moved) if moved else torch.empty(0, dtype=torch.int64)


class HotColdEmbeddingBagCollection(Bags):
    """In place of a dict of nn.EmbeddingBag of one width: the bags of several features.

    The rows of all features are in one table. So a batch is pulled at once and pushed at once,
    however many features it has, and they have one optimizer and one set of hot keys. See
    :class:`HotColdEmbedding`.

    Args:
        num_embeddings: the number of rows of each feature, by its name.
        embedding_dim: numbers in a row.
        mode: `"sum"`, `"mean"` or `"max"`.
        include_last_offset: whether `offsets` ends with the number of keys.
        options: of the table, see :class:`TableOptions`. Hot keys are those of the table, as
            :func:`combined_keys` numbers them.

    Attributes:
        ranges: the rows of each feature in the table.

    Raises:
        ConfigurationError: an option is unknown or out of range, or a feature cannot be.
        NetfoldError: the table cannot be joined.
    """

    def __init__(
        self,
        num_embeddings: Mapping[str, int],
        embedding_dim: int,
        *,
        mode: Literal["sum", "mean", "max"] = "mean",
        include_last_offset: bool = False,
        **options: Unpack[TableOptions],
    ) -> None:
        ranges = ranges_of(num_embeddings)
        rows = sum(num_embeddings.values())
        super().__init__(rows, embedding_dim, mode, include_last_offset, None, options)
        self.ranges = ranges

    @untraced
    def forward(self, inputs: Mapping[str, Bag]) -> dict[str, Tensor]:
        """Combine the rows of each bag of each feature, as nn.EmbeddingBag does.

        Args:
            inputs: the bags of the features, or of some of them.

        Returns:
            By feature, shape (bags, embedding_dim).
        """
        rows, places, _ = self._lookup.rows_of(self._keys_of(inputs), training=self._trains())
        found, first = {}, 0
        for name, bags in inputs.items():
            keys, *rest = (bags,) if isinstance(bags, Tensor) else bags
            own = places[first : first + keys.numel()].reshape(keys.shape)
            found[name] = self._pooled(rows, own, *rest)
            first += keys.numel()
        return found

    def extra_repr(self) -> str:
        """Return the text that nn.Module prints of the module."""
        sizes = {name: len(rows) for name, rows in self.ranges.items()}
        return f"{super().extra_repr()}, features={sizes}"

    def _keys_of(self, input: Mapping[str, Bag]) -> Tensor:
        return _combined(self.ranges, input)

    def _parts(self) -> dict[str, range]:
        return {f"{name}.{WEIGHT}": rows for name, rows in self.ranges.items()}


__all__ = ["HotColdEmbeddingBagCollection", "combined_keys", "ranges_of"]
