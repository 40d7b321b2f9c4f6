"""The laboratory as a program: `netfold lab`, `python -m netfold lab` and `python -m netfold.lab`
are the same.
"""

from __future__ import annotations

import sys


def main(arguments: list[str] | None = None) -> int:
    """Run experiments; returns the exit status, 2 if something they need is missing."""
    try:
        from . import command
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("netfold"):
            raise
        message = f"netfold lab: there is no {error.name}; `pip install 'netfold[lab]'` installs all that it needs"
        sys.stderr.write(message + "\n")
        return 2
    return command.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
