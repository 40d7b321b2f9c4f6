"""The communication hooks, and overlap: each check of `torch_hook_checks.py` in a world of either
arithmetic; then what `backward` says when the job fails.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from team import Processes, ranks_in
from torch_hook_checks import CHECKS
from torch_world import rendezvous_file, worlds

pytestmark = pytest.mark.loss

WORLDS = {
    "three ranks, block": (3, {"NETFOLD_ARITHMETIC": "block"}, list(CHECKS)),
    "two ranks, native": (2, {"NETFOLD_ARITHMETIC": "native"}, list(CHECKS)),
    # torch then wraps the backend in one that compares shapes between the ranks.
    "two ranks, torch's debug mode": (
        2,
        {"TORCH_DISTRIBUTED_DEBUG": "DETAIL"},
        ["average_float32", "average_bfloat16_in_bucket_views", "unused_parameters_count_as_zero"],
    ),
}


@pytest.fixture(scope="module")
def world_of():
    """Runs a world when its first test asks for it."""
    with worlds("torch_hook_checks", WORLDS) as run:
        yield run


@pytest.mark.timeout(200)
@pytest.mark.parametrize(
    ("title", "name"), [(title, name) for title in WORLDS for name in WORLDS[title][2]]
)
def test_check(world_of, title, name):
    world_of(title).assert_passed(name)


@pytest.mark.parametrize("title", WORLDS)
def test_the_processes_ended_in_order(world_of, title):
    world_of(title).assert_ended()


def train(rank: int, note: Any, rendezvous: str, steps: int) -> Any:
    """Makes `steps` steps and two more that fail, and returns what they said; rank 1 only makes the
    first ones.
    """
    import torch
    import torch.distributed as dist

    from netfold.torch import hooks
    from torch_hook_checks import Given, ddp
    from torch_world import init_group

    init_group(rank, 2, rendezvous, timeout_s=3)
    store = dist.distributed_c10d._get_default_store()
    model = ddp(Given(5000), hooks.bf16_hook)
    for _ in range(steps):
        model(torch.ones(5000)).backward()
    note("trained")
    if rank == 1:
        store.wait(["seen"], timedelta(seconds=60))
        return None
    said = []
    for _ in range(3):
        # Under DDP an exception of the future comes back as a RuntimeError with its text.
        with pytest.raises(RuntimeError) as caught:
            model(torch.ones(5000)).backward()
        said.append(str(caught.value))
    store.set("seen", "")
    return said


def test_a_rank_that_does_not_come_is_an_error_of_backward(switch):
    outcomes = Processes(
        2, train, rendezvous_file(), 2, environment={"NETFOLD_SWITCH": switch}
    ).join()
    for outcome in outcomes:
        assert outcome.error is None, outcome.trace
        assert outcome.exit_code == 0
    for message in outcomes[0].value:
        assert "all_reduce (avg) of 5000 elements of bfloat16 was not done within 3 s" in message


def test_a_rank_that_dies_is_an_error_of_backward(switch):
    team = Processes(2, train, rendezvous_file(), 2, environment={"NETFOLD_SWITCH": switch})
    team.until_noted(0, 1)
    team.until_noted(1, 1)
    team.kill(1)
    survivor = team.join()[0]
    assert survivor.error is None, survivor.trace
    assert survivor.exit_code == 0
    for message in survivor.value:
        assert ranks_in(message) == {"1"}, message
