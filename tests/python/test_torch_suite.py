"""What passes with Gloo in PyTorch's own suite passes with netfold: see `torch_suite.py`.

With TORCH_SUITE=all, which `make soak` sets, the whole suite runs; else a part of it, the most telling of each kind.
"""

from __future__ import annotations

import os

import pytest

import torch_suite

PART = [
    "all_gather_coalesced_complex",
    "all_gather_coalesced_with_empty",
    "all_reduce_coalesced_full_group_product",
    "all_reduce_coalesced_sum",
    "barrier_timeout_full_group",
    "barrier_timeout_global",
    "batch_isend_irecv_gloo_tags",
    "ddp_logging_data_cpu",
    "gather_object",
    "irecv",
    "isend_torch_profiler",
    "monitored_barrier_gloo",
    "monitored_barrier_gloo_rank_0_timeout",
    "reduce_full_group_product",
    "scatter_object_list",
    "send_recv_any_source",
    "send_recv_with_tag_autograd_profiler",
]


@pytest.mark.timeout(3600)
def test_what_gloo_passes_passes_with_netfold(switch):
    whole = os.environ.get("TORCH_SUITE") == "all"
    tests = torch_suite.names() if whole else [f"test_{name}" for name in PART]
    with_gloo = torch_suite.results("gloo", tests)
    passing = [name for name in tests if with_gloo[name] == torch_suite.PASSED]
    assert whole or passing == tests, with_gloo
    # Fewer would mean that the suite has not run.
    assert len(passing) >= len(PART)
    with_netfold = torch_suite.results("netfold", passing, NETFOLD_SWITCH=switch)
    failing = {name: result for name, result in with_netfold.items() if result != torch_suite.PASSED}
    assert not failing, "\n\n".join(f"{name}:\n{result}" for name, result in failing.items())
