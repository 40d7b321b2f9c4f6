"""The torch backend on healthy groups: each check of `torch_checks.py` runs in a world of its arithmetic and size."""

from __future__ import annotations

import functools

import pytest
import torch_checks
from torch_world import World

from netfold import _native

WORLDS = {"three ranks, block": (3, "block"), "two ranks, native": (2, "native")}


@pytest.fixture(scope="module")
def world_of():
    """Runs a world when its first test asks for it."""
    server = _native.Switch()

    @functools.cache
    def run(title: str) -> World:
        size, arithmetic = WORLDS[title]
        environment = {"NETFOLD_SWITCH": server.address, "NETFOLD_ARITHMETIC": arithmetic}
        return World(size, "torch_checks", list(torch_checks.CHECKS), environment)

    yield run
    server.close()


@pytest.mark.timeout(200)
@pytest.mark.parametrize("title", WORLDS)
@pytest.mark.parametrize("name", torch_checks.CHECKS)
def test_check(world_of, title, name):
    world_of(title).assert_passed(name)


@pytest.mark.parametrize("title", WORLDS)
def test_the_processes_ended_in_order(world_of, title):
    world_of(title).assert_ended()
