"""Uses of a backend by torch beside DDP and FSDP: `torch_surface_checks.py`,
`torch_feature_checks.py` and `torch_dispatch_checks.py`.
"""

from __future__ import annotations

import subprocess
import sys

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


def test_an_older_torch_is_refused_with_a_reason():
    older = "import torch.distributed as dist; del dist.ProcessGroup.all_gather_single"
    ended = subprocess.run(
        [sys.executable, "-c", f"{older}; import netfold.torch"],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert "ImportError: netfold.torch needs torch 2.14 or later" in ended.stderr
    assert "torch>=2.14" in ended.stderr
