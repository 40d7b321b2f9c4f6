"""The torch backend on healthy groups: each check of `torch_checks.py`, `torch_gloo_checks.py`,
`torch_parts_checks.py`, `torch_sparse_checks.py`, `torch_training_checks.py` and
`torch_worker_checks.py` runs in a world of its arithmetic and size.
"""

from __future__ import annotations

import pytest

import torch_gloo_checks
import torch_message_checks
import torch_parts_checks
import torch_sparse_checks
import torch_training_checks
import torch_worker_checks
from torch_world import worlds

pytestmark = pytest.mark.loss

COMMON = (
    torch_gloo_checks.CHECKS
    | torch_message_checks.CHECKS
    | torch_parts_checks.CHECKS
    | torch_sparse_checks.CHECKS
    | torch_training_checks.CHECKS
)
CHECKS = COMMON | torch_worker_checks.CHECKS

OF_SOME = [
    "floats_at_the_workers",
    "floats_of_16_bits_are_rounded_once",
    "strict_groups_have_no_gloo",
]
"""Checks that are of some arithmetics or settings."""

AT_WORKERS = [name for name in torch_worker_checks.CHECKS if name not in OF_SOME]
"""Checks of folds at the workers that are of all."""

WITHOUT_GLOO = [
    "parts_of_one_size",
    "parts_of_many_sizes",
    "unequal_calls_take_their_turn",
    "splits_that_do_not_go_together",
    "objects_go_through_the_switch",
    "a_receive_from_anyone_tells_the_sender",
    "messages_in_a_batch",
    "messages_of_two_ranks",
    "short_messages_are_sent_before_they_are_taken",
    "tags_have_orders_of_their_own",
    "receives_from_anyone_and_from_one",
    "a_message_of_another_length_is_told_to_both",
    "a_negative_tag_is_refused",
    "a_message_that_nobody_sends",
    "a_monitored_barrier",
    "a_monitored_barrier_names_all_that_do_not_come",
]
"""Checks of calls that need no Gloo."""

WORLDS = {
    "three ranks, block": (3, {"NETFOLD_ARITHMETIC": "block"}, [*COMMON, *AT_WORKERS, OF_SOME[0]]),
    "two ranks, native": (2, {"NETFOLD_ARITHMETIC": "native"}, [*COMMON, *AT_WORKERS]),
    "three ranks, logtable": (
        3,
        {"NETFOLD_ARITHMETIC": "logtable", "NETFOLD_STRICT": "1"},
        [*AT_WORKERS, *OF_SOME],
    ),
    "two ranks, network order": (
        2,
        {"NETFOLD_BYTE_ORDER": "network"},
        [
            "sum_float32",
            "sum_bfloat16",
            "max_float16",
            "sum_int64",
            "bytes_move_whatever_their_type",
        ],
    ),
    "two ranks, acknowledged": (
        2,
        {"NETFOLD_PROTOCOL": "acked", "NETFOLD_TRANSPORT": "udp"},
        [
            "sum_float32",
            "max_float16",
            "bytes_move_whatever_their_type",
            "small_calls_overtake_large_ones",
            "many_calls_at_once",
            "sparse_sum_float32",
        ],
    ),
    "two ranks, UDP": (
        2,
        {"NETFOLD_TRANSPORT": "udp"},
        ["small_calls_overtake_large_ones", "many_calls_at_once", "sparse_sums_take_their_turn"],
    ),
    "four ranks, strict": (4, {"NETFOLD_STRICT": "1"}, [*WITHOUT_GLOO, *AT_WORKERS, *OF_SOME[::2]]),
    "three ranks, strict, UDP": (
        3,
        {"NETFOLD_STRICT": "1", "NETFOLD_TRANSPORT": "udp"},
        [
            "parts_of_many_sizes",
            "unequal_calls_take_their_turn",
            "splits_that_do_not_go_together",
            "messages_in_a_batch",
            "floats_at_the_workers",
            "memory_is_bounded",
            "sparse_folds_at_the_workers",
            "works_of_folds_at_the_workers",
        ],
    ),
    "three ranks, UDP": (
        3,
        {"NETFOLD_TRANSPORT": "udp"},
        [
            "parts_of_one_size",
            "parts_of_many_sizes",
            "unequal_calls_take_their_turn",
            "splits_that_do_not_go_together",
            "an_all_to_all_without_exchange_slots_goes_to_gloo",
        ],
    ),
    "three ranks, UDP, few slots": (
        3,
        {"NETFOLD_TRANSPORT": "udp", "NETFOLD_SLOTS": "8"},
        [
            "parts_of_one_size",
            "parts_of_many_sizes",
            "an_all_to_all_without_exchange_slots_goes_to_gloo",
        ],
    ),
    # torch then wraps the backend in one that compares shapes between the ranks.
    "two ranks, torch's debug mode": (
        2,
        {"TORCH_DISTRIBUTED_DEBUG": "DETAIL"},
        [
            "sum_float32",
            "barriers",
            "what_gloo_does",
            "bools_at_the_workers",
            "futures",
            "data_parallel_gradients_are_within_the_bound",
        ],
    ),
    "one rank": (
        1,
        {},
        [
            "sum_float32",
            "bytes_move_whatever_their_type",
            "barriers",
            "futures",
            "objects",
            "parts_of_one_size",
            "sparse_sum_float32",
            "integers_at_the_workers",
            "sparse_folds_at_the_workers",
        ],
    ),
}


@pytest.fixture(scope="module")
def world_of():
    """Runs a world when its first test asks for it."""
    with worlds("test_torch_collectives", WORLDS) as run:
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
