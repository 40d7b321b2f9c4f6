"""Build the jar for Spark: compile its Scala with the compiler that pyspark ships, add the library.

`python scripts/spark_jar.py LIBRARY JAR`. Needs Java 17 or later and pyspark, and no network.
"""

import argparse
import subprocess
import sys
import tempfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "query" / "spark" / "scala"

# The same bytes for the same sources: archives have no times.
TIME = (1980, 1, 1, 0, 0, 0)


def jars() -> Path:
    """Return the folder of Spark's jars."""
    spec = find_spec("pyspark")
    if spec is None or spec.origin is None:
        sys.exit("spark_jar: no pyspark; install it: pip install -r requirements-spark.txt")
    return Path(spec.origin).parent / "jars"


def compile_scala(classes: Path) -> None:
    """Compile all sources into a folder."""
    sources = sorted(str(path) for path in SOURCES.glob("*.scala"))
    options = ["-usejavacp", "-release", "17", "-deprecation", "-Xlint", "-Werror"]
    # -Xlint would have the names of natives' arguments used.
    options += ["-Xlint:-unused"]
    compiler = ["java", "-Xss8m", "-cp", f"{jars()}/*", "scala.tools.nsc.Main"]
    subprocess.run([*compiler, *options, "-d", str(classes), *sources], check=True)


def pack(classes: Path, library: Path, jar: Path) -> None:
    """Write the classes and the library into a jar."""
    files = {str(path.relative_to(classes)): path for path in classes.rglob("*.class")}
    files[f"netfold/{library.name}"] = library
    jar.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(jar, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("META-INF/MANIFEST.MF", TIME), "Manifest-Version: 1.0\n")
        for name, path in sorted(files.items()):
            info = zipfile.ZipInfo(name, TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())


def main() -> None:
    """Build the jar."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library", type=Path, help="libnetfold_spark.so")
    parser.add_argument("jar", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        compile_scala(Path(name))
        pack(Path(name), args.library, args.jar)
    print(args.jar)


if __name__ == "__main__":
    main()
