#!/usr/bin/env bash
# Runs a command where the network loses packets: scripts/lossy.sh PERCENT COMMAND [ARGUMENT...]
#
# The command gets a network of its own (a namespace with nothing but a loopback interface), in
# which PERCENT of all UDP datagrams are dropped at random. Nothing outside is touched, and root is
# not needed where users may make namespaces. Exit status 77 means that this machine cannot do it;
# the last line says why.
set -euo pipefail
percent=${1:?usage: scripts/lossy.sh PERCENT COMMAND...}
shift
cannot=77

say_why() {
    echo "lossy: $1" >&2
    exit "$cannot"
}

if [[ ! $percent =~ ^[0-9]+$ ]]; then
    echo "lossy: PERCENT is a whole number, not $percent" >&2
    exit 2
fi

if [ -z "${NETFOLD_LOSSY_INSIDE:-}" ]; then
    missing=()
    command -v unshare >/dev/null || missing+=(util-linux)
    command -v ip >/dev/null || missing+=(iproute2)
    command -v nft >/dev/null || [ -x /usr/sbin/nft ] || missing+=(nftables)
    command -v ethtool >/dev/null || [ -x /usr/sbin/ethtool ] || missing+=(ethtool)
    if [ ${#missing[@]} -gt 0 ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o=Dpkg::Use-Pty=0 --no-install-recommends "${missing[@]}" >/dev/null
    elif [ ${#missing[@]} -gt 0 ]; then
        say_why "missing: ${missing[*]}; on Debian or Ubuntu: sudo apt-get install ${missing[*]}"
    fi
    namespace=(unshare --net)
    [ "$(id -u)" -eq 0 ] || namespace=(unshare --map-root-user --net)
    "${namespace[@]}" true 2>/dev/null || say_why "this machine does not let $(id -un) make a network namespace"
    NETFOLD_LOSSY_INSIDE=1 exec "${namespace[@]}" "$0" "$percent" "$@"
fi

unset NETFOLD_LOSSY_INSIDE
PATH=$PATH:/usr/sbin:/sbin
ip link set lo up
# Otherwise a batch of datagrams crosses the loopback as one and is lost as one.
ethtool -K lo tx-udp-segmentation off 2>/dev/null || say_why "this kernel does not let the loopback's segmentation be switched off"
nft -f - 2>/dev/null <<RULES || say_why "this kernel has no nftables with random numbers (nft_numgen)"
table inet lossy {
    chain input {
        type filter hook input priority filter; policy accept;
        meta l4proto udp numgen random mod 100 < $percent counter drop
    }
}
RULES
status=0
"$@" || status=$?
echo "lossy: $(nft list table inet lossy | sed -n 's/.*counter packets \([0-9]*\) .*/\1/p') datagrams dropped ($percent %)"
exit "$status"
