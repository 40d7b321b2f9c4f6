"""`python -m netfold`: the laboratory of this package, and else the command `netfold` where it is
installed.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

MISSING = """\
the command netfold is not installed beside this interpreter, nor on the path; the Python package
does not contain it; install it with `cargo install --locked --path crates/cli`, or `make build`,
in netfold's checkout
"""


def main() -> int:
    """Run the command with this process's arguments. Returns an exit status, or replaces the
    process by the command.
    """
    if sys.argv[1:2] == ["lab"]:
        from .lab.__main__ import main as laboratory

        # Without the way through the command, which would look for an interpreter that has this
        # package.
        return laboratory(sys.argv[2:])
    program = command()
    if program is not None:
        os.execv(program, ["netfold", *sys.argv[1:]])
    sys.stderr.write(MISSING)
    return 2


def command() -> str | None:
    """Return the path of the command: beside the interpreter, or else the first on the path."""
    beside = Path(sys.executable).with_name("netfold")
    return str(beside) if beside.exists() else shutil.which("netfold")


if __name__ == "__main__":
    sys.exit(main())
