"""Loaders that pull the rows of the next batch while the present one is trained."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

Batch = TypeVar("Batch")


class Prefetching(Generic[Batch]):
    """A loader whose next batch is announced before each batch is handed out.

        for keys, clicked in Prefetching(loader, lambda batch: table.prefetch(batch[0])):
            ...

    Args:
        loader: the batches.
        pull: called with each batch but the first, before the one before it is handed out.
    """

    def __init__(self, loader: Iterable[Batch], pull: Callable[[Batch], object]) -> None:
        self._loader = loader
        self._pull = pull

    def __iter__(self) -> Iterator[Batch]:
        """The batches of the loader."""
        batches = iter(self._loader)
        for present in batches:
            for following in batches:
                self._pull(following)
                yield present
                present = following
            yield present

    def __len__(self) -> int:
        """Number of batches, if the loader tells it."""
        return len(self._loader)  # type: ignore[arg-type]


__all__ = ["Prefetching"]
