"""Pairs of collectives that netfold carries out as one (docs/fused.md).

The planner of chains is `worker::fused`; here is which calls of MPI its chains stand for. The
survey judges them by names, and the translator proves them.
"""

from __future__ import annotations

from dataclasses import dataclass

AT_ONCE = ("Allreduce", "Alltoall")
"""Collectives that a chain carries out beside others, if none needs what another gives."""


@dataclass(frozen=True)
class Chain:
    """Two collectives on one communicator, and what takes their place."""

    first: str
    second: str
    depends: bool
    """The second sends what the first gives; if not, neither needs the other."""
    stages: str
    """The stages of the chain, as docs/fused.md names them."""
    gives: str
    """The call that carries it out."""


CHAINS = (
    Chain("Scan", "Bcast", True, "scan, broadcast", "prefix and total in one call"),
    Chain("Scan", "Allgather", True, "scan, all_gather", "all prefixes in one call"),
    Chain("Reduce", "Bcast", True, "reduce, broadcast", "an all-reduce"),
    Chain("Gather", "Bcast", True, "gather, broadcast", "an all-gather"),
    Chain("Alltoall", "Alltoallv", True, "all_to_all_v", "an exchange of lengths and rows"),
    *(
        Chain(first, second, False, f"{_first}, {_second}", "both under way at once")
        for first, _first in zip(AT_ONCE, ("all_reduce", "all_to_all"), strict=True)
        for second, _second in zip(AT_ONCE, ("all_reduce", "all_to_all"), strict=True)
    ),
)


def between(first: str, second: str, depends: bool) -> Chain | None:
    """Return the chain of two collectives, named without `MPI_`; None if there is none."""
    for chain in CHAINS:
        if (chain.first, chain.second, chain.depends) == (first, second, depends):
            return chain
    return None
