"""Seeds for the engine from `random_state`."""

from __future__ import annotations

from numbers import Integral
from threading import Lock

import numpy as np
from sklearn.utils import check_random_state

MOST = np.iinfo(np.int32).max
"""Bound that seeds are below."""

_generator = np.random.RandomState()
"""Generator that is seeded anew for each seed, in a tenth of the time that a new one takes."""
_lock = Lock()


def seed_of(random_state: int | np.random.RandomState | None) -> int:
    """A seed: for an integer always the same, otherwise the next one."""
    if isinstance(random_state, Integral):
        with _lock:
            _generator.seed(random_state)
            return int(_generator.randint(MOST))
    return int(check_random_state(random_state).randint(MOST))
