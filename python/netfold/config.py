"""Settings from the environment, then a file, then their defaults.

`spec/settings.toml` has them all, and `docs/settings.md` a table. The native module reads them, as
the command does; only this module of the package passes `NETFOLD_*` variables to it.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping

from . import _native
from ._settings import Values

DEFAULT_LISTEN = Values.listen

logger = logging.getLogger("netfold")

_warned: set[str] = set()
"""Warnings that this process has already given."""


class Settings(Values):
    """Settings of one communicator, read by :meth:`from_environment`."""

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Read the variables, and the file that `NETFOLD_CONFIG` names or that is there.

        `token` is the text of the token, also where a file has it. A variable that netfold does not
        read is warned of, once.

        Raises:
            ConfigurationError: a value is out of range, or a file cannot be read. The message names
                the place, the value, and what it may be.
        """
        env = os.environ if environment is None else environment
        own = {name: value for name, value in env.items() if name.startswith(_native.PREFIX)}
        for warning in _native.unknown_variables([name for name in own if name.isascii()]):
            if warning not in _warned:
                _warned.add(warning)
                logger.warning("%s", warning)
        return cls(**_native.settings(own))
