#!/usr/bin/env bash
# Builds the jar for Spark: `spark.sh PYTHON release` into target/spark/netfold-spark.jar, or
# `spark.sh PYTHON debug` into target/spark/debug, as the Rust tests build the library. Leaves with
# 77 where there is no Java 17 or no pyspark.
set -euo pipefail
cd "$(dirname "$0")/.."

python=$1
profile=$2
target=${CARGO_TARGET_DIR:-target}

major=$(java -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' || true)
if [ "${major:-0}" -lt 17 ]; then
    echo "skipped: the jar for Spark is not built without Java 17 or later (java is ${major:-missing})"
    exit 77
fi
if ! "$python" -c 'import pyspark' 2>/dev/null; then
    echo "skipped: the jar for Spark is not built without pyspark, which \`make spark\` installs"
    exit 77
fi

release=()
jar=$target/spark/netfold-spark.jar
if [ "$profile" = release ]; then
    release=(--release)
else
    jar=$target/spark/$profile/netfold-spark.jar
fi
cargo build --locked "${release[@]}" --package netfold-spark
"$python" scripts/spark_jar.py "$target/$profile/libnetfold_spark.so" "$jar"
