"""Opening of a table: what a module was given, and what it takes from elsewhere."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

import numpy as np
import torch
import torch.distributed as dist

from ..config import Settings
from ..errors import ConfigurationError
from .agreement import Workers
from .drift import Drift, FollowDrift
from .hot_set import HotSet
from .lookup import Lookup, Shape
from .optimizers import Optimizer, described
from .rates import Rates
from .steps import follow_optimizers
from .table import Table, TableClass, native_table
from .types import KEPT

logger = logging.getLogger("netfold")

MOST_ROWS = 1 << 32
"""Largest number of rows: a key has 32 bits (R-KEY-2)."""
MOST_WIDTH = (1 << 16) - 1

PIPELINE_ROW_BYTES = 192 - 14 - 20 - 8 - 40 - 4
"""Largest row in a packet of a pipeline, beside the headers of Ethernet, IPv4, UDP and the table,
and a rank (R-HOT-7).
"""

INITIALISERS: dict[str, dict[str, float]] = {
    "normal": {"mean": 0.0, "std": 1.0},
    "uniform": {"low": -0.05, "high": 0.05},
    "constant": {"value": 0.0},
}
"""Initialisers of rows with their options and defaults."""

ARITHMETICS = ("native", "block", "fpisa", "fpisa-a", "logtable")
"""Arithmetics of the sums of hot rows (R-KEY-1)."""
MOST_SCALE = 126
"""Largest exponent of a scale, in either direction: that of a float32."""

MEETING_S = 300.0
"""Seconds for which a rank waits for others to make, or to load, the same table."""

NOT_SUPPORTED = {
    "max_norm": "would change rows while they are read",
    "norm_type": "belongs to max_norm",
    "scale_grad_by_freq": "would count keys in one worker's part of a batch",
    "sparse": "is always so: only rows of the batch have gradients",
    "device": "is that of the input",
    "_weight": "is not local; use load_state_dict, or write_rows",
    "_freeze": "is not kept; call the module in evaluation mode",
}
"""Arguments of nn.Embedding and nn.EmbeddingBag that a table cannot have, and why."""


class TableOptions(TypedDict, total=False):
    """Options of a table, all by keyword and all optional.

    Attributes:
        hot: keys whose rows the switch folds, the same at every worker; None has servers alone.
        optimizer: `"sgd"`, `"adagrad"`, `"rowwise_adagrad"`, `"adam"`, `"ftrl"` or `"sum"`; a dict
            with such a `name` and options; a class of `torch.optim`; or an instance, for its
            options and the learning rate of its first group, also when a scheduler changes that.
            The default is `"sgd"`, and `"sum"` for integers, which have no other.
        consistency: `"async"`, the default: pushes are applied as they come. `"sync"`: those of a
            step are applied together when all workers have ended it.
        staleness: with `"async"`, the number of steps that a worker may be ahead of the slowest;
            None does not limit it.
        average: whether gradients are divided by the number of workers, as DDP does; the default.
        resident: whether workers read hot rows from the switch, for plain SGD alone.
        arithmetic: what the switch adds hot rows in: `"native"`, the default, `"block"`, `"fpisa"`,
            `"fpisa-a"` or `"logtable"` (`spec/numerics.md`).
        scale: with `"block"`, the s by which a number x travels as the integer nearest to x 2^s.
            Sums of all workers and pushes of a generation must stay below 2^31.
        registers: with a switch that is a pipeline, the number of registers over which hot rows
            are laid (R-HOT-6): packets then have at most 192 bytes, and are filled so that few keys
            of a packet share a register. None, the default, is for a switch in software.
        follow: how the hot set follows a load whose heat moves; None, the default, keeps it.
        step_with_optimizers: whether a step ends with the step of an optimizer of torch, the
            default, or only by `step()`.
        initialiser: `"normal"`, `"uniform"`, `"constant"`, or a dict with such a `name` and
            options. The default is the standard normal distribution, as in nn.Embedding.
        seed: of the initialiser.
        dtype: of the rows that the module gives, and of its `state_dict`: torch.float32, the
            default, torch.float64, torch.float16 or torch.bfloat16; or an integer type of
            HotColdEmbedding, for rows that are looked up and added to, and not trained. Servers
            keep halves as float32, and integers of up to 32 bits as int32.
        name: of the table at its servers. The same name finds the same rows again; without one,
            rank 0 draws one.
        servers: addresses of the servers, in the same order at every worker; NETFOLD_SERVERS
            without it. Without any, rank 0 runs one, whose address the workers learn through the
            switch.
        switch: address of the switch; NETFOLD_SWITCH without it, or the switch of the default group
            if that is netfold's.
        rank: this worker; that of the default group without it.
        workers: number of workers; likewise.
        store: a store of torch.distributed in which workers agree; likewise.
        max_age_ms: milliseconds after which hot sums go to their servers.
        timeout: seconds after which a switch, server or worker counts as lost; NETFOLD_TIMEOUT.
        token: secret of the job; NETFOLD_TOKEN.
        table_class: what makes the client; the native one without it.
    """

    hot: HotSet | None
    optimizer: Optimizer
    consistency: Literal["async", "sync"]
    staleness: int | None
    average: bool
    resident: bool
    arithmetic: Literal["native", "block", "fpisa", "fpisa-a", "logtable"]
    scale: int | None
    registers: int | None
    follow: FollowDrift | None
    step_with_optimizers: bool
    initialiser: str | Mapping[str, Any]
    seed: int
    dtype: torch.dtype | None
    name: str | None
    servers: Sequence[str]
    switch: str | None
    rank: int | None
    workers: int | None
    store: dist.Store | None
    max_age_ms: int
    timeout: float | None
    token: str | None
    table_class: TableClass


@dataclass(frozen=True)
class Opened:
    """A table that is open at this worker.

    Attributes:
        lookup: its lookups.
        workers: the workers that share it.
        optimizer: its optimizer with all options.
        hot_rows: number of hot rows.
    """

    lookup: Lookup
    workers: Workers
    optimizer: dict[str, Any]
    hot_rows: int


def opened(rows: int, width: int, padding: int | None, options: TableOptions) -> Opened:
    """Join a table.

    Raises:
        ConfigurationError: an option is unknown, out of range or contradicts another one.
        NetfoldError: a server or switch cannot be reached or refuses the table.
    """
    _check(rows, width, padding, options)
    settings = Settings.from_environment()
    resident = options.get("resident", False)
    dtype = row_type(options)
    optimizer = _optimizer(options, dtype, resident=resident)
    standard = "normal" if dtype.is_floating_point else "constant"
    initialiser = _initialiser(options.get("initialiser", standard))
    staleness = _staleness(options)
    arithmetic, scale = _arithmetic(options, dtype)
    hot = options.get("hot")
    hot_keys = ranked(hot, rows)
    if resident and hot_keys is None:
        raise ConfigurationError("resident rows are hot rows in the switch; give a hot set")
    follow = options.get("follow")
    if follow is not None:
        if hot_keys is None:
            raise ConfigurationError("a hot set follows its load from a hot set on; give one")
        follow.capacity(len(hot_keys))
    workers = Workers.of(options.get("rank"), options.get("workers"), options.get("store"))
    servers = _servers(options, settings)
    switch: str | None
    if hot_keys is not None:
        switch = _switch("hot rows need a switch", "leave out the hot set", options, settings)
    elif not servers and workers.count > 1:
        where = "workers without servers meet at a switch"
        switch = _switch(where, "give servers (`netfold server`)", options, settings)
    else:
        # For keys that become hot later.
        switch = options.get("switch") or settings.switch
    name = options.get("name") or workers.share(
        "name", lambda: f"table-{secrets.token_hex(8)}", MEETING_S
    )
    if not servers and workers.rank == 0:
        logger.warning(
            "no servers are given: rank 0 runs one for the table %r inside its process, whose end is "
            "that of its rows",
            name,
        )
    timeout = options.get("timeout")
    make = options.get("table_class") or native_table()
    table = make(
        name,
        rows,
        width,
        workers.rank,
        workers.count,
        switch=switch,
        servers=servers,
        hot_keys=hot_keys,
        optimizer=optimizer,
        initialiser=initialiser,
        seed=options.get("seed", 0),
        mode="resident" if resident else "drained",
        staleness=staleness,
        max_age_ms=options.get("max_age_ms", 20),
        timeout=settings.timeout_s if timeout is None else timeout,
        token=options.get("token") or settings.token,
        arithmetic=arithmetic,
        scale=scale,
        element_type=KEPT[dtype].name,
        transport=settings.transport,
        registers=_registers(options, width, dtype),
    )
    divisor = workers.count if options.get("average", True) else 1
    shape = Shape(name, rows, width, padding, divisor, staleness is not None, dtype)
    rates = Rates(table, optimizer, options.get("optimizer"))
    lookup = Lookup(table, shape, rates, _drift(follow, hot_keys, name, table))
    if options.get("step_with_optimizers", True):
        follow_optimizers(lookup)
    return Opened(lookup, workers, optimizer, 0 if hot_keys is None else len(hot_keys))


def _check(rows: int, width: int, padding: int | None, options: TableOptions) -> None:
    for option in options:
        if option in NOT_SUPPORTED:
            raise ConfigurationError(f"a table has no {option}: it {NOT_SUPPORTED[option]}")
        if option not in TableOptions.__annotations__:
            raise ConfigurationError(
                f"a table has no option {option!r}; it has {', '.join(TableOptions.__annotations__)}"
            )
    if not 1 <= rows <= MOST_ROWS:
        raise ConfigurationError(f"a table has 1 to {MOST_ROWS} rows; got {rows}")
    if not 1 <= width <= MOST_WIDTH:
        raise ConfigurationError(f"a row has 1 to {MOST_WIDTH} numbers; got {width}")
    if padding is not None and not 0 <= padding < rows:
        raise ConfigurationError(f"padding_idx is not one of the {rows} rows; got {padding}")


def _staleness(options: TableOptions) -> int | None:
    """The table's bound (R-SERVE-5): None if asynchronous, 0 if synchronous."""
    consistency, staleness = options.get("consistency", "async"), options.get("staleness")
    if consistency not in ("async", "sync"):
        raise ConfigurationError(f'consistency is "async" or "sync"; got {consistency!r}')
    if consistency == "sync":
        if staleness not in (None, 0):
            raise ConfigurationError(
                f'consistency="sync" is staleness 0; for staleness={staleness} use "async"'
            )
        if options.get("resident"):
            raise ConfigurationError(
                "resident rows change with each push of any worker, which synchronous steps exclude; "
                'use consistency="async", or resident=False'
            )
        return 0
    if staleness is not None and staleness < 1:
        raise ConfigurationError(
            f'staleness is at least 1 with consistency="async"; got {staleness}; 0 is consistency="sync"'
        )
    return staleness


def row_type(options: TableOptions) -> torch.dtype:
    """The type of rows.

    Raises:
        ConfigurationError: rows cannot have it.
    """
    dtype = options.get("dtype") or torch.float32
    if dtype not in KEPT:
        names = ", ".join(map(str, KEPT))
        raise ConfigurationError(f"rows have one of the types {names}; got {dtype!r}")
    return dtype


def _optimizer(options: TableOptions, dtype: torch.dtype, *, resident: bool) -> dict[str, Any]:
    """The optimizer, with all options."""
    standard = "sgd" if dtype.is_floating_point else "sum"
    optimizer = described(options.get("optimizer", standard), resident=resident)
    name = optimizer["name"]
    if not dtype.is_floating_point and name != "sum":
        raise ConfigurationError(
            f'{name} applies gradients, which rows of {dtype} have not; use optimizer="sum", or floats'
        )
    return optimizer


def _arithmetic(options: TableOptions, dtype: torch.dtype) -> tuple[str, int]:
    """The arithmetic of hot sums, and the exponent of its scale, 0 if it has none."""
    arithmetic, scale = options.get("arithmetic", "native"), options.get("scale")
    if arithmetic not in ARITHMETICS:
        raise ConfigurationError(
            f"a table has no arithmetic {arithmetic!r}; choose one of {', '.join(ARITHMETICS)}"
        )
    kept = KEPT[dtype].torch
    if kept != torch.float32 and arithmetic not in (
        "native",
        "block" if kept.is_floating_point else "",
    ):
        raise ConfigurationError(
            f'arithmetic={arithmetic!r} does not add rows of {dtype}; use "native"'
        )
    if arithmetic != "block":
        if scale is not None:
            raise ConfigurationError(f'scale is of arithmetic="block"; {arithmetic} has none')
        return arithmetic, 0
    if not isinstance(scale, int) or not -MOST_SCALE <= scale <= MOST_SCALE:
        raise ConfigurationError(
            f'arithmetic="block" adds integers: give scale=s from -{MOST_SCALE} to {MOST_SCALE}, so that '
            f"x travels as x 2^s, rounded; got {scale!r}"
        )
    return arithmetic, scale


def _registers(options: TableOptions, width: int, dtype: torch.dtype) -> int | None:
    """The registers of a pipeline, if the switch is one."""
    registers = options.get("registers")
    if registers is None:
        return None
    if not isinstance(registers, int) or not 1 <= registers < 1 << 32:
        raise ConfigurationError(f"registers of a pipeline are a number from 1; got {registers!r}")
    if width * KEPT[dtype].torch.itemsize > PIPELINE_ROW_BYTES:
        raise ConfigurationError(
            f"rows in a pipeline have at most {PIPELINE_ROW_BYTES} bytes; got {width} numbers of {dtype}"
        )
    return registers


def _initialiser(given: str | Mapping[str, Any]) -> dict[str, Any]:
    described = {"name": given} if isinstance(given, str) else dict(given)
    name = described.pop("name", None)
    if name not in INITIALISERS:
        raise ConfigurationError(
            f"a table has no initialiser {name!r}; choose one of {', '.join(INITIALISERS)}"
        )
    for option in described:
        if option not in INITIALISERS[name]:
            raise ConfigurationError(
                f"the initialiser {name} has no option {option!r}; it has {', '.join(INITIALISERS[name])}"
            )
    return {"name": name, **INITIALISERS[name], **described}


def ranked(hot: HotSet | None, rows: int) -> np.ndarray | None:
    """The hot keys of a table, the hottest first; None if there are none.

    Raises:
        ConfigurationError: a key is no row of the table, or `hot` is no hot set.
    """
    if not isinstance(hot, HotSet | None):
        raise ConfigurationError(
            f"hot is a HotSet or None, not of the type {type(hot).__name__}; "
            "HotSet(keys, coverage) makes one of keys"
        )
    if hot is None or len(hot) == 0:
        return None
    outside = hot.keys[(hot.keys < 0) | (hot.keys >= rows)]
    if outside.size > 0:
        raise ConfigurationError(
            f"hot key {outside[0]} is not one of the {rows} rows of the table; count the updates of its keys"
        )
    return hot.keys.astype(np.uint32)


def _drift(
    follow: FollowDrift | None, hot_keys: np.ndarray | None, name: str, table: Table
) -> Drift | None:
    if follow is None or hot_keys is None:
        return None
    return Drift(follow, hot_keys.astype(np.int64), name, table.exchange, table.set_hot)


def _servers(options: TableOptions, settings: Settings) -> list[str]:
    given = options.get("servers")
    if given is None:
        given = (settings.servers or "").split(",")
    return [address.strip() for address in given if address.strip()]


def _switch(why: str, otherwise: str, options: TableOptions, settings: Settings) -> str:
    address = options.get("switch") or settings.switch
    if address is None and dist.is_available() and dist.is_initialized():
        from ..torch import backend_of

        try:
            address = backend_of().switch
        except ValueError:
            logger.debug("the default group is not netfold's, so it knows no switch")
    if address is None:
        raise ConfigurationError(
            f'{why}; pass switch="host:port", set NETFOLD_SWITCH (start one with `netfold switch`), or {otherwise}'
        )
    return address


__all__ = ["MEETING_S", "Opened", "TableOptions", "opened", "ranked"]
