#!/usr/bin/env bash
# Provides the MPI libraries that `make bench` compares with, as Debian packages. As root it
# installs what is missing; otherwise it says what to install. It never fails: a contender whose
# library is not there is shown as not available.
set -euo pipefail

# Command that a contender needs, and the package that has it.
declare -A needed=(
    [mpicc.openmpi]=libopenmpi-dev
    [mpirun.openmpi]=openmpi-bin
    [mpicc.mpich]=libmpich-dev
    [mpiexec.mpich]=mpich
)

missing_packages() {
    packages=()
    for command in "${!needed[@]}"; do
        command -v "$command" >/dev/null || packages+=("${needed[$command]}")
    done
}

missing_packages
if [ ${#packages[@]} -gt 0 ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
    echo "bench-peers: installing ${packages[*]}"
    # Another installation may be running; wait for it.
    apt=(apt-get -qq -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0)
    { "${apt[@]}" update && DEBIAN_FRONTEND=noninteractive "${apt[@]}" install -y --no-install-recommends "${packages[@]}" >/dev/null; } ||
        echo "bench-peers: the installation failed; see the messages above" >&2
    missing_packages
fi
if [ ${#packages[@]} -gt 0 ]; then
    echo "bench-peers: without ${packages[*]} the comparison has fewer peers; on Debian or Ubuntu: sudo apt-get install ${packages[*]}" >&2
fi
