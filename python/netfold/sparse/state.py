"""Tables as `state_dict` of nn.Embedding, in ranges of rows."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import Tensor

from ..errors import ConfigurationError
from .lookup import Lookup

logger = logging.getLogger("netfold")

BYTES_AT_ONCE = 16 << 20
"""Bytes of a range of rows."""
QUIET_S = 5.0
"""Seconds after which progress is logged, and between two reports of it."""
_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
_USED = ("/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory/memory.usage_in_bytes")


def ranges(rows: int, width: int) -> Iterator[tuple[int, int]]:
    """Ranges of keys, of a size to be read or written at once."""
    step = max(BYTES_AT_ONCE // (8 * width), 1)
    for start in range(0, rows, step):
        yield start, min(start + step, rows)


def read_all(lookup: Lookup, part: range) -> Tensor:
    """All rows of a part of the table, as the weight of nn.Embedding.

    Raises:
        ConfigurationError: they do not fit the memory that is left.
    """
    shape = lookup.shape
    size, free = shape.dtype.itemsize * len(part) * shape.width, available_bytes()
    if free is not None and size > free:
        raise ConfigurationError(
            f"the table {shape.name!r} has {size / 1e9:.1f} GB, and {free / 1e9:.1f} GB of memory are left; "
            "read ranges of its rows with read_rows, or leave it out of state_dict: its servers keep it"
        )
    lookup.flush()
    weight = torch.empty(len(part), shape.width, dtype=shape.dtype)
    progress = Progress(f"reading the table {shape.name!r}", len(part))
    for start, stop in ranges(len(part), shape.width):
        rows = lookup.read(part.start + start, part.start + stop)
        weight[start:stop] = shape.rounded(rows)
        progress.reached(stop)
    return weight


def write_part(lookup: Lookup, weight: Tensor, begin: int, rank: int, workers: int) -> None:
    """Replace this worker's share of the rows from `begin` on: contiguous ones, so that the shares
    of all are the whole weight.
    """
    shape = lookup.shape
    first, last = rank * len(weight) // workers, (rank + 1) * len(weight) // workers
    progress = Progress(f"writing the table {shape.name!r}", last - first)
    for start, stop in ranges(last - first, shape.width):
        rows = weight[first + start : first + stop].detach().to("cpu", shape.kept.torch)
        lookup.write(begin + first + start, rows.numpy())
        progress.reached(stop)
    lookup.flush()


def check_kept(rows: Tensor, dtype: torch.dtype) -> None:
    """Refuse rows that a table of integers would not give back. Those of floats are rounded.

    Raises:
        ConfigurationError: the type does not have a number of the rows.
    """
    if dtype.is_floating_point:
        return
    for start, stop in ranges(len(rows), rows.shape[1]):
        given = rows[start:stop].detach().cpu()
        lost = given[given.to(dtype).to(given.dtype) != given]
        if lost.numel() > 0:
            raise ConfigurationError(
                f"rows of {dtype} have integers of this type; got {lost[0].item()}"
            )


def available_bytes() -> int | None:
    """Bytes of memory that this process may still take, by the system and by its control group;
    None if neither tells.
    """
    found = []
    for line in _text("/proc/meminfo").splitlines():
        if line.startswith("MemAvailable:"):
            found.append(1024 * int(line.split()[1]))
    for limit, used in zip(_LIMITS, _USED, strict=True):
        if _text(limit).strip().isdigit() and _text(used).strip().isdigit():
            found.append(int(_text(limit)) - int(_text(used)))
    return max(min(found), 0) if found else None


class Progress:
    """Reports in the log of work that takes long."""

    def __init__(self, what: str, total: int) -> None:
        self._what = what
        self._total = total
        self._next = time.monotonic() + QUIET_S

    def reached(self, done: int) -> None:
        """Report if the last report was some time ago."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + QUIET_S
            share = 100 * done / self._total
            logger.warning("%s: %.0f %% of %d rows", self._what, share, self._total)


def _text(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:
        return ""


__all__ = ["available_bytes", "check_kept", "ranges", "read_all", "write_part"]
