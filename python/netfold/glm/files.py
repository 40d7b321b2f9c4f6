"""Files that are written as a whole or not at all."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory


def write(path: Path, content: bytes) -> None:
    """Write a file. What is at `path` stays whole until the new file is; a link stays one to the
    file that is written.

    What is no file, such as a pipe, is written to as it is.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(content)
        return
    target = path.resolve()
    # Where it can be moved from at once.
    with TemporaryDirectory(prefix=".netfold-", dir=target.parent) as beside:
        new = Path(beside, "model")
        new.write_bytes(content)
        if target.exists():
            shutil.copymode(target, new)
        os.replace(new, target)
