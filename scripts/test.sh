#!/usr/bin/env bash
# The order of `make test`. Everything that tests run is built first, while Python's packages are
# fetched. Then come the tests that wait for processes and time-outs, one part after the other. They
# leave the cores idle for half of the time, in which the kernel lets the checks run that only
# compute (SCHED_IDLE): compilers, clippy, fuzzing, gates.
set -euo pipefail
cd "$(dirname "$0")/.."

make=(make --no-print-directory --old-file doctor)
log=${CARGO_TARGET_DIR:-target}/checks.log
packages='' checks=''
stop() {
    for part in $packages $checks; do kill "$part" 2>/dev/null || true; done
}
trap stop EXIT

STEPS=packages "${make[@]}" packages &
packages=$!
"${make[@]}" build-rust-tests
wait "$packages"
packages=''
"${make[@]}" built-for-tests

idle=()
if command -v chrt >/dev/null; then idle=(chrt --idle 0); fi
STEPS=checks "${idle[@]}" "${make[@]}" checks >"$log" 2>&1 &
checks=$!
"${make[@]}" run-rust-tests test-python test-loss test-spark-short

scripts/step.sh "The rest of the checks that ran beside the tests"
status=0
wait "$checks" || status=$?
checks=''
cat "$log"
exit "$status"
