"""The command `netfold`, reachable from the wheel: `python -m netfold switch ...`."""

from __future__ import annotations

import sys

from . import _native


def main() -> int:
    """Run the command line with this process's arguments and return its exit status."""
    if sys.argv[1:2] == ["lab"]:
        from .lab.__main__ import main as laboratory

        # Without the way through the native command, which would look for an interpreter that has this package.
        return laboratory(sys.argv[2:])
    return _native.main(["netfold", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
