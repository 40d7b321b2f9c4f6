"""The translator as a program: `netfold translate`, `netfold-translate` and
`python -m netfold.mpi.translate` are the same.
"""

from __future__ import annotations

import sys


def main(arguments: list[str] | None = None) -> int:
    """Run the translator; returns the exit status, 2 if something it needs is missing."""
    try:
        from . import command
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("netfold"):
            raise
        message = f"netfold translate: there is no {error.name}; `pip install 'netfold[mpi]'` installs all that it needs"
        sys.stderr.write(message + "\n")
        return 2
    return command.main(arguments)


if __name__ == "__main__":
    sys.exit(main())
