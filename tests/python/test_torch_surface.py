"""Uses of a backend by torch beside DDP and FSDP: `torch_surface_checks.py`,
`torch_feature_checks.py` and `torch_dispatch_checks.py`.
"""

from __future__ import annotations

import pytest

import torch_dispatch_checks
import torch_feature_checks
import torch_surface_checks
from torch_world import worlds

MODULES = {
    module.__name__: module.CHECKS
    for module in (torch_surface_checks, torch_feature_checks, torch_dispatch_checks)
}


@pytest.fixture(scope="module", params=MODULES)
def module(request):
    """The name of a module of checks."""
    return request.param


@pytest.fixture(scope="module")
def world(module):
    """A world that has run the module's checks."""
    with worlds(module, {"two ranks": (2, {}, list(MODULES[module]))}) as run:
        yield run("two ranks")


@pytest.mark.timeout(200)
def test_checks(world, module):
    for name in MODULES[module]:
        world.assert_passed(name)


@pytest.mark.timeout(200)
def test_the_processes_ended_in_order(world):
    world.assert_ended()
