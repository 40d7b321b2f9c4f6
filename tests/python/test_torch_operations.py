"""Operations of users on torch tensors: each check of `torch_operation_checks.py` in groups of
several sizes and transports.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from team import Processes
from torch_world import rendezvous_file, run_checks

pytest.importorskip("numba", reason="operations in Python are compiled by numba")

pytestmark = pytest.mark.loss

CHECKS = [
    "every_collective",
    "works_are_waited_for",
    "strides_and_bytes",
    "elements_are_encoded",
    "broadcasts_are_transformed",
    "requests_are_answered",
    "groups_bring_them_along",
    "what_is_wrong_is_refused",
]


def _run(rank: int, note: Callable[[Any], None], size: int, rendezvous: str) -> None:
    """A member of a world whose groups have operations."""
    import netfold.torch
    import torch_operation_checks

    checks = torch_operation_checks
    netfold.torch.operations([checks.lines, checks.tripled, checks.sixteenths])
    run_checks(rank, note, size, rendezvous, "torch_operation_checks", CHECKS)


@pytest.mark.parametrize(("size", "transport"), [(3, "shm"), (2, "udp"), (1, "udp")])
def test_operations_fold_tensors(switch: str, size: int, transport: str) -> None:
    environment = {"NETFOLD_SWITCH": switch, "NETFOLD_TRANSPORT": transport}
    team = Processes(size, _run, size, rendezvous_file(), environment=environment)
    for rank, outcome in enumerate(team.join(150)):
        assert outcome.error is None, f"rank {rank}: {outcome.trace}"
        results = dict(outcome.notes)
        assert results == dict.fromkeys(CHECKS), f"rank {rank}: {results}"
