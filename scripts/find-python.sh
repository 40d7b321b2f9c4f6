#!/usr/bin/env bash
# Prints a Python interpreter of version 3.11 or later: $PYTHON if that is given, else the first one
# on the PATH. Prints nothing, and fails, when there is none.
set -euo pipefail
for name in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
    path=$(command -v "$name") || continue
    if "$path" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        echo "$path"
        exit 0
    fi
done
exit 1
