"""Rendezvous of the ranks of a process group: they find the switch and agree on a job.

Rank 0 of the group picks a random job name and the switch's address and puts both into the group's
store. With no `NETFOLD_SWITCH`, it uses the switch that its process has already, or starts one.
That embedded switch stays until every rank of its group has left, because a rank may still need the
result of the last call again.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import socket
import threading
from datetime import timedelta

import torch.distributed as dist

from .. import _native
from ..config import DEFAULT_LISTEN, Settings
from ..errors import ConfigurationError, JoinError, NetfoldError

logger = logging.getLogger("netfold")

_PLAN = "plan"
_ARRIVED = "netfold/arrived"
_CAME = "came/"
_COMPLETE = "complete"
_LEFT = "left"
_ALL_LEFT = "all-left"

_QUIET = timedelta(seconds=2)
"""Time that the other ranks may take before their names are logged."""

_SHORTEST = timedelta(milliseconds=1)

_MOST_NAMED = 16

_known: dict[str, str] = {}
"""Embedded switch that this process already uses: its address, the address that it was told to
listen at, and its host's name.
"""
_known_lock = threading.Lock()


def _forget_the_parents() -> None:
    """Forget the switch in a fork: that of the parent ends with the parent's groups."""
    global _known_lock
    _known_lock = threading.Lock()
    _known.clear()


os.register_at_fork(after_in_child=_forget_the_parents)


def _named(missing: list[int]) -> str:
    """Text for the ranks that are waited for, the lowest of them by number."""
    more = f" and {len(missing) - _MOST_NAMED} more" if len(missing) > _MOST_NAMED else ""
    return f"waiting for {', '.join(f'rank {rank}' for rank in missing[:_MOST_NAMED])}{more}"


class Rendezvous:
    """One group's agreement on switch and job.

    Args:
        store: the group's store.
        rank: this worker's rank in the group.
        size: number of ranks in the group.
        timeout: how long to wait for the other ranks.
        settings: this process's settings.
    """

    def __init__(
        self, store: dist.Store, rank: int, size: int, timeout: timedelta, settings: Settings
    ) -> None:
        self._rank = rank
        self._size = size
        self._switch: _native.Switch | None = None
        self._made_known = False
        self.store: dist.Store = self._everyone_is_here(store, timeout)
        """This group's part of the store, until it ends."""
        plan = self._propose(settings) if rank == 0 else self._read(timeout)
        if "error" in plan:
            raise JoinError(f"rank 0 could not start or choose a switch: {plan['error']}")
        self.job: str = plan["job"]
        self._embedded = "embedded" in plan
        self.switch: str = self._reachable(plan, settings)

    def leave(self, limit_s: float) -> None:
        """Tell the others that this rank has left.

        The host of an embedded switch waits for all, at most `limit_s` seconds, and stops it.
        """
        try:
            if self._embedded and self.store.add(_LEFT, 1) == self._size:
                self.store.set(_ALL_LEFT, "")
            if self._switch is not None and limit_s > 0:
                self.store.wait([_ALL_LEFT], timedelta(seconds=limit_s))
        except RuntimeError as error:
            # The store's host may have gone first, or a rank was lost; nothing depends on the
            # answer any more.
            logger.debug("not every rank said that it has left: %s", error)
        finally:
            self.stop()

    def stop(self) -> None:
        """Stop the embedded switch of this group at once, if there is one, and let go of the store."""
        # The store of an ended group must not outlive it: the file or the port is another group's
        # then.
        self.store = dist.HashStore()
        if self._made_known:
            with _known_lock:
                _known.clear()
            self._made_known = False
        if self._switch is not None:
            self._switch.close()
            self._switch = None

    def _everyone_is_here(self, store: dist.Store, timeout: timedelta) -> dist.Store:
        """Wait for all ranks; return the part of the store that this group has for itself.

        A store may have served a group of the same name before: each `size` arrivals are another
        group.
        """
        before, present = divmod(store.add(_ARRIVED, 1) - 1, self._size)
        part = dist.PrefixStore(f"netfold/{before}/", store)
        part.add(f"{_CAME}{self._rank}", 1)
        if present + 1 == self._size:
            part.set(_COMPLETE, "")
        try:
            first = min(timeout, _QUIET)
            if not self._is_complete(part, first):
                missing = self._missing(part)
                if missing and self._rank == min(set(range(self._size)).difference(missing)):
                    logger.warning("%s to come to the group; see whether they run", _named(missing))
                part.wait([_COMPLETE], max(timeout - first, _SHORTEST))
        except RuntimeError as error:
            missing = self._missing(part)
            part.add(f"{_CAME}{self._rank}", -1)
            present = store.add(_ARRIVED, -1) + 1 - before * self._size
            raise JoinError(
                f"{present} of {self._size} ranks came within {timeout.total_seconds():g} s, {_named(missing)}; "
                "start them, or raise the group's timeout"
            ) from error
        return part

    def _is_complete(self, part: dist.Store, limit: timedelta) -> bool:
        try:
            part.wait([_COMPLETE], limit)
        except RuntimeError:
            return part.check([_COMPLETE])
        return True

    def _missing(self, part: dist.Store) -> list[int]:
        """The ranks that have not come."""
        return [rank for rank in range(self._size) if part.add(f"{_CAME}{rank}", 0) == 0]

    def _propose(self, settings: Settings) -> dict[str, str]:
        plan = {"job": f"torch-{secrets.token_hex(8)}"}
        try:
            if settings.switch is not None:
                plan["switch"] = settings.switch
            else:
                plan["embedded"] = "yes"
                plan.update(_known or self._embed(settings))
        except NetfoldError as error:
            self.store.set(_PLAN, json.dumps({"error": str(error)}))
            raise
        self.store.set(_PLAN, json.dumps(plan))
        return plan

    def _embed(self, settings: Settings) -> dict[str, str]:
        self._switch = _native.Switch(
            listen=settings.listen,
            cores=settings.cores,
            memory=str(settings.memory_bytes),
            token=settings.token,
            transport=settings.transport,
            pin=settings.pin,
        )
        logger.warning(
            "NETFOLD_SWITCH is not set: rank 0 runs a switch inside its process, at %s",
            self._switch.address,
        )
        host, _, port = self._switch.address.rpartition(":")
        own = socket.gethostname()
        everywhere = host in ("0.0.0.0", "[::]")
        return {
            "switch": f"{own}:{port}" if everywhere else self._switch.address,
            "host": own,
            "listen": settings.listen,
        }

    def _read(self, timeout: timedelta) -> dict[str, str]:
        self.store.wait([_PLAN], timeout)
        plan: dict[str, str] = json.loads(self.store.get(_PLAN))
        return plan

    def _reachable(self, plan: dict[str, str], settings: Settings) -> str:
        if not self._embedded:
            return settings.switch or plan["switch"]
        if settings.switch is not None:
            raise ConfigurationError(
                f"this rank has NETFOLD_SWITCH={settings.switch}, but rank 0 has none; "
                "set it for every rank or for none"
            )
        own = socket.gethostname()
        if plan["host"] != own and plan["listen"] == DEFAULT_LISTEN:
            raise ConfigurationError(
                f"rank 0 runs its switch on the loopback interface of {plan['host']}, which {own} cannot reach; "
                "start `netfold switch` on a host that all reach and set NETFOLD_SWITCH=host:port for every rank, "
                "or set NETFOLD_LISTEN=address:0 for rank 0"
            )
        with _known_lock:
            if not _known:
                _known.update({key: plan[key] for key in ("switch", "host", "listen")})
                self._made_known = True
        return plan["switch"]
