#!/usr/bin/env bash
# Names the steps of a long command, and tells at the end how long each took.
#
#   scripts/step.sh --begin     forgets the steps before
#   scripts/step.sh TITLE       prints the title; the step lasts until the next one
#   scripts/step.sh --end       ends the last step
#   scripts/step.sh --table     prints the seconds of each step since --begin
#
# What runs beside a command has steps of its own: STEPS=checks scripts/step.sh TITLE.
set -euo pipefail
folder=${CARGO_TARGET_DIR:-target}/steps
mkdir -p "$folder"

# The seconds of each step of a file; what is not ended yet ends now.
seconds() {
    awk -F '\t' -v end="$(date +%s)" '
        title { printf "%6d s  %s\n", $1 - start, title }
        NR == 1 { first = $1 }
        { start = $1; title = $2 }
        END { if (title) { printf "%6d s  %s\n", end - start, title; start = end } }
        END { if (NR) printf "%6d s  in all\n", start - first }
    ' "$1"
}

case ${1:?usage: scripts/step.sh --begin, TITLE, --end or --table} in
--begin)
    rm -f "$folder"/*.tsv
    ;;
--end)
    printf '%s\t\n' "$(date +%s)" >>"$folder/${STEPS:-main}.tsv"
    ;;
--table)
    seconds "$folder/main.tsv"
    for beside in "$folder"/*.tsv; do
        name=$(basename "$beside" .tsv)
        [ "$name" != main ] || continue
        printf 'beside these, %s:\n' "$name"
        seconds "$beside"
    done
    ;;
*)
    printf '%s\t%s\n' "$(date +%s)" "$1" >>"$folder/${STEPS:-main}.tsv"
    if [ -t 1 ]; then bold=$'\033[1m' plain=$'\033[0m'; else bold='' plain=''; fi
    printf '\n%s== %s%s  %(%T)T\n' "$bold" "$1" "$plain" -1
    ;;
esac
