"""LLVM's linker for WebAssembly: where it is, and what it makes of an object."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from ..errors import OperationError

_STACK_BYTES = 16 * 1024
_NAMES = ["wasm-ld", *(f"wasm-ld-{version}" for version in range(22, 13, -1))]
_MISSING = (
    "wasm-ld is neither on the path nor part of a Rust that is installed; on Debian or Ubuntu: "
    "sudo apt-get install lld, or install Rust with rustup (https://rustup.rs)"
)
_SECTION = b"netfold.operation"


def linked(objects: Mapping[str, bytes], library: Callable[[str], bytes | None]) -> bytes:
    """Link objects, each of which defines a function of its name, and return the module, which
    exports these. What they lack is taken from a library, which gives objects in the same way.
    """
    linker = _linker()
    exports = [f"--export={name}" for name in objects]
    options = ["--no-entry", *exports, "--strip-all", "-z", f"stack-size={_STACK_BYTES}"]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "operation.wasm")
        sources: dict[str, Path] = {}
        added = dict(objects)
        while True:
            for name, code in added.items():
                sources[name] = Path(folder, f"{len(sources)}.o")
                sources[name].write_bytes(code)
            command = [linker, *options, "-o", str(out), *map(str, sources.values())]
            ended = subprocess.run(command, capture_output=True, text=True, check=False)
            if ended.returncode == 0:
                return out.read_bytes()
            missing = _missing(ended.stderr)
            found = {name: library(name) for name in missing}
            added = {name: code for name, code in found.items() if code is not None}
            if len(added) < len(missing) or not missing:
                raise OperationError(_refusal(ended.stderr, [*(found.keys() - added.keys())]))


def with_declaration(module: bytes, declaration: str) -> bytes:
    """Return the module with a declaration (R-OP-11): a custom section at its end."""
    content = _length(len(_SECTION)) + _SECTION + declaration.encode()
    return module + b"\0" + _length(len(content)) + content


def _length(value: int) -> bytes:
    """Write a number in LEB128."""
    digits = []
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, value])


def _linker() -> str:
    for name in _NAMES:
        if found := shutil.which(name):
            return found
    rustc = shutil.which("rustc")
    if rustc is not None:
        question = [rustc, "--print", "target-libdir"]
        answer = subprocess.run(question, capture_output=True, text=True, check=False)
        own = Path(answer.stdout.strip()).with_name("bin") / "gcc-ld/wasm-ld"
        if answer.returncode == 0 and own.is_file():
            return str(own)
    raise OperationError(_MISSING)


def _missing(said: str) -> list[str]:
    """Return the names that the linker has not found."""
    lines = [line.partition("undefined symbol: ")[2] for line in said.splitlines()]
    return sorted({line for line in lines if line})


def _refusal(said: str, missing: list[str]) -> str:
    """Say what is missing, if something is."""
    if not missing:
        return f"wasm-ld failed:\n{said.strip()}"
    memory = any(name.startswith("NRT_") for name in missing)
    why = (
        "it makes arrays or other objects, and an operation has no memory to make them in: write "
        "into the left one, `np.add(left, right, left)` for `left[:] = left + right`, or loop over "
        "its elements"
        if memory
        else "these are functions of a library, of which an operation has exp, exp2, expm1, log, "
        "log1p, log2, log10, fmod, hypot, ldexp and nextafter: write them out, by these or as a "
        "series or a table"
    )
    return f"the function needs {', '.join(sorted(missing))}: {why}"
