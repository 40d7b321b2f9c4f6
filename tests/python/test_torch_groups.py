"""Groups beside the default one: they join their job at their first call."""

from __future__ import annotations

import pytest

import torch_groups
from netfold import _native
from team import Processes, free_address, ranks_in
from torch_world import rendezvous_file


@pytest.fixture
def empty_switch():
    """Address of a switch with the default memory, for one test."""
    server = _native.Switch()
    yield server.address
    server.close()


def run(size, body, switch, *arguments):
    outcomes = Processes(
        size, body, rendezvous_file(), *arguments, environment={"NETFOLD_SWITCH": switch}
    ).join()
    for outcome in outcomes:
        assert outcome.error is None, outcome.trace
    return [outcome.value for outcome in outcomes]


def test_a_group_takes_nothing_before_it_is_used(empty_switch):
    assert run(2, torch_groups.many, empty_switch) == [(1, 1 + torch_groups.USED)] * 2


def test_groups_may_be_used_in_a_cycle(switch):
    assert run(3, torch_groups.in_a_cycle, switch) == ["done"] * 3


def test_what_is_wrong_with_a_groups_job_is_an_error_of_its_calls(switch):
    nowhere = free_address()
    for errors in run(2, torch_groups.without_a_switch, switch, nowhere):
        for kind, message, seconds in errors:
            assert kind == "JoinError"
            assert nowhere in message
            assert seconds < 10


def test_a_rank_that_is_lost_before_a_groups_first_call_is_named(switch):
    team = Processes(
        3, torch_groups.after_a_loss, rendezvous_file(), environment={"NETFOLD_SWITCH": switch}
    )
    for outcome in team.join()[:2]:
        assert outcome.error is None, outcome.trace
        kind, message, seconds = outcome.value
        assert kind == "WorkerLostError"
        assert ranks_in(message) == {"2"}, message
        assert seconds < 5


def test_a_rank_that_never_uses_a_group_costs_the_others_its_timeout(switch):
    errors, seconds = run(2, torch_groups.alone, switch)[0]
    future, later = errors
    assert (
        "all_reduce (sum) of 10 elements of float32 was not done within 2 s, the group's timeout"
        in future[1]
    )
    assert later[0] == "CallTimeoutError"
    assert future[2] < 10
    assert seconds < 5
