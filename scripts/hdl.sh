#!/usr/bin/env bash
# Runs netfold-hdl with the tools that it needs, Verilator and Yosys: scripts/hdl.sh COMMAND
# [OPTION...]
#
# As root on Debian or Ubuntu it installs what is missing. Exit status 77 means that they are not
# there and cannot be installed; the last line says why.
set -euo pipefail
cd "$(dirname "$0")/.."
cannot=77

say_why() {
    echo "hdl: $1" >&2
    exit "$cannot"
}

missing_packages() {
    missing=()
    command -v verilator >/dev/null || missing+=(verilator)
    command -v yosys >/dev/null && command -v yosys-abc >/dev/null || missing+=(yosys)
}

missing_packages
if [ ${#missing[@]} -gt 0 ]; then
    advice="missing: ${missing[*]}; on Debian or Ubuntu: sudo apt-get install ${missing[*]}"
    [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null || say_why "$advice"
    echo "hdl: installing ${missing[*]}"
    { apt-get update -qq &&
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o=Dpkg::Use-Pty=0 --no-install-recommends "${missing[@]}" >/dev/null; } ||
        say_why "apt-get did not install ${missing[*]}"
    missing_packages
    [ ${#missing[@]} -eq 0 ] || say_why "$advice"
fi
exec cargo run --locked --quiet --package netfold-hdl -- "$@"
