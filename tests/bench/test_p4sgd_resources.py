"""Cores and memory of a worker, as the system tells them (P4SGD, table III)."""

from __future__ import annotations

import os
import resource

from bench.p4sgd import resources


def test_processor_time_is_what_the_process_counts() -> None:
    def counted() -> float:
        used = resource.getrusage(resource.RUSAGE_SELF)
        return used.ru_utime + used.ru_stime

    begin = counted()
    while counted() - begin < 0.2:
        pass
    before = counted()
    told = resources._cpu_s(os.getpid())
    tick = 1 / os.sysconf("SC_CLK_TCK")
    # User and system time are each cut to a tick.
    assert before - 2 * tick <= told <= counted() + 2 * tick


def test_the_peak_of_memory_stays_after_it_is_free() -> None:
    least = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    block = bytearray(b"\1") * (64 * resources.MIB)
    peak = resources._peak_bytes(os.getpid())
    assert peak >= len(block)
    # What the kernel counts page by page and by threads comes together late.
    assert peak >= least - resources.MIB
    del block
    assert resources._peak_bytes(os.getpid()) >= peak - resources.MIB
