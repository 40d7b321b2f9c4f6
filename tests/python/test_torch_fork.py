"""Children of a rank's process: a process group belongs to the process that made it."""

from __future__ import annotations

import torch_fork
from team import Processes
from torch_world import rendezvous_file


def test_a_process_group_belongs_to_its_process():
    """Two ranks, of which the one with the switch inside it has children; the sums of both are
    right after each.
    """
    for outcome in Processes(
        2, torch_fork.has_children, rendezvous_file(), rendezvous_file(), parents=True
    ).join():
        assert outcome.error is None, outcome.trace
        assert outcome.notes == torch_fork.CHILDREN
