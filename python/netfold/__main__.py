"""The command `netfold`, reachable from the wheel: `python -m netfold switch ...`."""

from __future__ import annotations

import sys

from . import _native


def main() -> int:
    """Run the command line with this process's arguments and return its exit status."""
    return _native.main(["netfold", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
