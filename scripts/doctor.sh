#!/usr/bin/env bash
# Checks that the tools are there which the Makefile cannot install inside the checkout: Rust,
# Python, a C and a C++ compiler. As root on Debian or Ubuntu it installs what is missing; otherwise
# it says what to install, and fails.
set -euo pipefail
cd "$(dirname "$0")/.."

# Disk that the virtual environment and the build take, in GiB.
need_gib=12

wanted_rust=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
packages=()

fail() {
    echo "doctor: $1" >&2
    exit 1
}

missing_packages() {
    packages=()
    command -v cc >/dev/null && command -v c++ >/dev/null || packages+=(build-essential)
    command -v git >/dev/null || packages+=(git)
    if ! python=$(scripts/find-python.sh); then
        packages+=(python3 python3-venv)
    elif ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        # Debian keeps these two out of the interpreter's package; the package is named by the minor
        # version.
        packages+=("$("$python" -c 'import sys; print("python3.%d-venv" % sys.version_info[1])')")
    fi
}

missing_packages
if [ ${#packages[@]} -gt 0 ]; then
    if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
        echo "doctor: installing ${packages[*]}"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o=Dpkg::Use-Pty=0 --no-install-recommends "${packages[@]}" >/dev/null
        missing_packages
    fi
    scripts/find-python.sh >/dev/null || fail "no Python 3.11 or later; install one, or name it: make PYTHON=/path/to/python3"
    [ ${#packages[@]} -eq 0 ] || fail "missing: ${packages[*]}; on Debian or Ubuntu: sudo apt-get install ${packages[*]}"
fi

command -v cargo >/dev/null || fail "no Rust; install Rust $wanted_rust or later with rustup (https://rustup.rs), then open a new shell"
rust=$(rustc --version | cut -d' ' -f2)
[ "$(printf '%s\n' "$wanted_rust" "${rust%%-*}" | sort -V | head -n 1)" = "$wanted_rust" ] ||
    fail "Rust $rust is too old; netfold needs $wanted_rust or later: rustup update stable"
for component in rustfmt cargo-clippy; do
    command -v "$component" >/dev/null || fail "no $component; rustup component add rustfmt clippy"
done

if [ ! -d .venv ]; then
    free_gib=$(($(df -Pk . | awk 'NR == 2 { print $4 }') / 1048576))
    [ "$free_gib" -ge "$need_gib" ] || fail "$free_gib GiB free here; PyTorch and the build take about $need_gib GiB"
fi
