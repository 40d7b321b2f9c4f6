"""`python -m bench.evidence`: writes docs/evidence.md, checks it, or makes the results again."""

from __future__ import annotations

import argparse
import signal
import sys

from . import page, run
from .pointers import PointerError


def main() -> int:
    """Command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.evidence", description=__doc__)
    parser.add_argument(
        "what",
        nargs="?",
        choices=("write", "check", "run"),
        default="write",
        help="write the page (default), check that it is what the records say, or run everything again",
    )
    parser.add_argument(
        "--minutes",
        type=float,
        default=run.MINUTES,
        metavar="N",
        help=f"of what is run, by the estimates (default {run.MINUTES:g})",
    )
    parser.add_argument("--again", action="store_true", help="run what has run before, too")
    parser.add_argument("--only", metavar="TEXT", help="run steps whose names contain it")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        if arguments.what == "run":
            return run.main(arguments.minutes, again=arguments.again, only=arguments.only)
        text = page.written()
    except (PointerError, ValueError) as error:
        print(f"bench.evidence: {error}", file=sys.stderr)
        return 1
    if arguments.what == "check":
        if text == page.PAGE.read_text():
            return 0
        print(
            "bench.evidence: docs/evidence.md is not what the records say; run python -m bench.evidence",
            file=sys.stderr,
        )
        return 1
    page.PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
