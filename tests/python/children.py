"""Forks of a test's process, with a limit on the time that they may take."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable

from team import LIMIT_S


def ended(child: int) -> int:
    """Wait until a child has ended, and return its exit status; kill it if it does not end."""
    deadline = time.monotonic() + LIMIT_S
    while time.monotonic() < deadline:
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid == child:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)  # waitpid has no time-out
    os.kill(child, 9)
    os.waitpid(child, 0)
    raise AssertionError("the child hangs")


def forked(body: Callable[[], None]) -> int:
    """Run `body` in a fork of this process, and return its exit status: 0 if it returns."""
    child = os.fork()
    if child != 0:
        return ended(child)
    status = 1
    try:
        body()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)
