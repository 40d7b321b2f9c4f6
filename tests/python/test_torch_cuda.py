"""CUDA tensors, staged through pinned memory."""

from __future__ import annotations

import pytest
import torch

import torch_cuda_checks
from torch_world import World

pytestmark = pytest.mark.skipif(
    not torch.cuda.is_available(), reason="CUDA staging needs a GPU, and there is none"
)


@pytest.fixture(scope="module")
def world(switch):
    return World(2, "torch_cuda_checks", list(torch_cuda_checks.CHECKS), {"NETFOLD_SWITCH": switch})


@pytest.mark.parametrize("name", torch_cuda_checks.CHECKS)
def test_check(world, name):
    world.assert_passed(name)
