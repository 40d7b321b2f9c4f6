#!/usr/bin/env bash
# Names the steps of a long command, and tells at the end how long each took.
#
#   scripts/step.sh --begin     forgets the steps before
#   scripts/step.sh TITLE       prints the title; the step lasts until the next one
#   scripts/step.sh --table     prints the seconds of each step since --begin
set -euo pipefail
steps=${CARGO_TARGET_DIR:-target}/steps.tsv
mkdir -p "$(dirname "$steps")"
case ${1:?usage: scripts/step.sh --begin, TITLE or --table} in
--begin)
    : >"$steps"
    ;;
--table)
    awk -F '\t' -v end="$(date +%s)" '
        NR > 1 { printf "%6d s  %s\n", $1 - start, title }
        NR == 1 { first = $1 }
        { start = $1; title = $2 }
        END { if (NR) printf "%6d s  %s\n%6d s  in all\n", end - start, title, end - first }
    ' "$steps"
    ;;
*)
    printf '%s\t%s\n' "$(date +%s)" "$1" >>"$steps"
    if [ -t 1 ]; then bold=$'\033[1m' plain=$'\033[0m'; else bold='' plain=''; fi
    printf '\n%s== %s%s  %(%T)T\n' "$bold" "$1" "$plain" -1
    ;;
esac
