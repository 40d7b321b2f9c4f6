#!/usr/bin/env bash
# Installs requirements.txt into a virtual environment, with the PyTorch that it names or without.
#
#   scripts/requirements.sh pinned PYTHON       installs all
#   scripts/requirements.sh installed PYTHON    leaves out torch, which PYTHON must already have
set -euo pipefail
cd "$(dirname "$0")/.."
choice=$1 python=$2
oldest=$(sed -n 's/^torch = \["torch>=\(.*\)"\]$/\1/p' pyproject.toml)
requirements=$(cat requirements.txt)

case $choice in
pinned) ;;
installed)
    "$python" - "$oldest" <<'END' || {
import sys

try:
    import torch
except ImportError:
    sys.exit(f"torch cannot be imported by {sys.executable}")
found = tuple(int(part) for part in torch.__version__.split(".")[:2])
if found < tuple(int(part) for part in sys.argv[1].split(".")):
    sys.exit(f"torch {torch.__version__} is too old")
print(f"PyTorch {torch.__version__} of {torch.__path__[0]}")
END
        echo "TORCH=installed needs torch $oldest or later in the interpreter that PYTHON names:" \
            "rm -r .venv, then PYTHON=/path/to/python3 TORCH=installed make run" >&2
        exit 1
    }
    requirements=$(grep -v '^torch==' <<<"$requirements")
    ;;
*)
    echo "TORCH is $choice; it is pinned or installed" >&2
    exit 1
    ;;
esac
"$python" -m pip install --disable-pip-version-check -r /dev/stdin <<<"$requirements"
