#!/usr/bin/env bash
# Fuzzes one target for a bounded time: scripts/fuzz.sh TARGET SECONDS [FEATURE]
#
# libFuzzer needs the compiler's coverage instrumentation. A stable compiler has the pass; only the
# short names for it are kept for nightly, so the pass and its options are named here. The corpus is
# kept in the target folder and grows from run to run.
set -euo pipefail
target=${1:?usage: scripts/fuzz.sh TARGET SECONDS [FEATURE]}
seconds=${2:?usage: scripts/fuzz.sh TARGET SECONDS [FEATURE]}
feature=${3:-}
root=$(cd "$(dirname "$0")/.." && pwd)
build=${CARGO_TARGET_DIR:-$root/target}/fuzz
host=$(rustc -vV | sed -n 's/^host: //p')

options=(inline-8bit-counters pc-table trace-compares)
flags="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4"
for option in "${options[@]}"; do flags+=" -Cllvm-args=-sanitizer-coverage-$option"; done

# With --target, build scripts and procedural macros are built without the instrumentation.
RUSTFLAGS="$flags" cargo build --quiet --release --locked --target "$host" --target-dir "$build" \
    --manifest-path "$root/fuzz/Cargo.toml" --bin "$target" ${feature:+--features "$feature"}

mkdir -p "$build/corpus/$target" "$build/artifacts/$target"
log=$build/$target.log
# -seed makes a failure repeatable; -timeout ends an input that hangs.
if "$build/$host/release/$target" -max_total_time="$seconds" -seed=1 -timeout=5 -max_len=512 -print_final_stats=1 \
    -artifact_prefix="$build/artifacts/$target/" "$build/corpus/$target" >"$log" 2>&1; then
    echo "fuzz: $target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") inputs in $seconds s, no fault"
else
    tail -n 40 "$log" >&2
    echo "fuzz: $target: a fault; the input that shows it is under $build/artifacts/$target" >&2
    exit 1
fi
