"""The command line of the translator: `netfold translate src.c ... -- -I...`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ..trace import Trace, TraceError
from ..trace import read as read_trace
from . import check, find, fortran, missed, operation, rewrite, users
from .calls import Refused
from .found import Body, Chain, Refusal
from .program import Program, ProgramError, load

_TROUBLE = (
    ProgramError, TraceError, operation.BuildError, check.CheckError, Refused, OSError,
)  # fmt: skip

_FUSED, _PRELOADED = "libnetfold_fused.so", "libnetfold_mpi.so"


def main(arguments: list[str] | None = None) -> int:
    """Translate a program. Returns the exit status: 0; 1 if the programs differ; 2 if something is
    wrong with what was given.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    at = given.index("--") if "--" in given else len(given)
    options = _parser().parse_args(given[:at])
    if options.check and not (options.build and options.run):
        return _refuse("--check needs --build and --run, which say how the program is made and run")
    try:
        return _translate(options, given[at + 1 :])
    except _TROUBLE as error:
        return _refuse(str(error))


def _translate(options: argparse.Namespace, flags: Sequence[str]) -> int:
    of_fortran = [path for path in options.sources if path.suffix.lower() in fortran.SUFFIXES]
    program = load([path for path in options.sources if path not in of_fortran], flags)
    said = find.find(program)
    chains = list(find.chains(said))
    out = [_line(it) for path in of_fortran for it in fortran.find(path)]
    out += [_line(it) for it in said]
    of_user = users.find(program)
    bodies = [it for it in of_user if isinstance(it, Body)]
    out += [_line(it) for it in of_user]
    if options.trace:
        trace = read_trace(options.trace)
        out += _traced(program, trace, said)
    if not chains and not bodies:
        nothing = [] if any(line.startswith("found") for line in out) else ["no chain is found"]
        sys.stdout.write("\n".join([*out, *nothing, ""]))
        return 0
    written = rewrite.rewrite(program, chains)
    sys.stdout.write("\n".join([*out, ""]))
    sys.stdout.write("".join(source.diff() for source in written))
    if options.out is None and not options.check:
        return 0
    folder = options.out or Path("translated")
    saved = rewrite.save(written, folder) if written else []
    saved += users.save(bodies, folder) if bodies else []
    sys.stdout.write(f"written: {' '.join(str(path) for path in saved)}\n")
    if not options.check:
        return 0
    libraries = [
        _library(options.library, name) if is_used else None
        for name, is_used in ((_FUSED, bool(written)), (_PRELOADED, bool(bodies)))
    ]
    plan = check.Plan(
        options.build, options.run, folder, libraries[0], libraries[1], options.seconds
    )
    changed = {source.path.name for source in written}
    translated = [folder / path.name if path.name in changed else path for path in program.paths]
    return _told(check.check(plan, program.paths, translated), bool(bodies))


def _told(found: check.Compared, is_preloaded: bool) -> int:
    if found.are_equal:
        sys.stdout.write(
            f"check: {found.words} words of output are the same in both programs; {found.varying} "
            "that vary from run to run of the original are not compared\n"
        )
        if is_preloaded:
            sys.stdout.write(
                f"check: the preloaded library carried out {found.taken} collectives\n"
            )
        return 0
    sys.stdout.write(f"check: {len(found.different)} words differ\n")
    sys.stdout.write("".join(f"  {word}\n" for word in found.different[:20]))
    return 1


def _library(folder: Path | None, name: str = _FUSED) -> Path:
    """Return the folder of a library: the one given, or beside the command or in the `lib` beside
    its folder.
    """
    if folder is None:
        beside = Path(operation.command()).resolve().parent
        places = [beside, beside.parent / "lib"]
    else:
        places = [folder]
    for place in places:
        if (place / name).exists():
            return place.resolve()
    package = {_FUSED: "netfold-mpi-fused", _PRELOADED: "netfold-mpi-preload"}[name]
    raise check.CheckError(
        f"there is no {name} in {' or '.join(map(str, places))}; build it with "
        f"`cargo build --package {package}`, and name its folder by --library"
    )


def _line(said: Chain | Refusal | Body | fortran.Pair) -> str:
    first, last = said.lines
    where = f"{said.path}:{first}" + (f"-{last}" if last != first else "")
    if isinstance(said, Chain):
        names = ", ".join(one.name for one in said.collectives)
        notes = "".join(f"\n  {note}" for note in said.notes)
        return f"found    {where} {said.function}: {names}: {said.kind} [{said.stages}]{notes}"
    if isinstance(said, Body):
        notes = "".join(f"\n  {note}" for note in said.notes)
        what = f"the operation of line {said.made}: a body [{said.element}; {said.claims}]"
        return f"found    {where} {said.function}: {what}{notes}"
    if isinstance(said, fortran.Pair):
        found = f"{', '.join(said.names)}: at once [{said.stages}]"
        return f"found    {where} {said.function}: {found}; Fortran is not rewritten"
    return f"refused  {where} {said.function}: {', '.join(said.names)}: {said.why} ({said.rule})"


def _traced(program: Program, trace: Trace, said: Sequence[find.Said]) -> list[str]:
    found = missed.missed(program, trace, said)
    return [
        f"missed   {pair.where}: {pair.first}, {pair.second}: {pair.count} pairs in the trace, "
        f"{pair.microseconds:.1f} us between them on average; {pair.why}"
        for pair in found
    ]


def _refuse(message: str) -> int:
    sys.stderr.write(f"netfold translate: {message}\n")
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="netfold translate",
        usage="%(prog)s [options] SOURCE ... [-- FLAG ...]",
        description="Find chains of collectives in an MPI program in C that one fused call can "
        "carry out, and write the program that makes it. Behind `--` come the compiler's flags.",
    )
    parser.add_argument(
        "sources",
        nargs="+",
        type=Path,
        metavar="SOURCE",
        help="all sources of the program; those of Fortran are looked at, and not rewritten",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="write new sources and bodies of operations there",
    )
    parser.add_argument(
        "--trace", type=Path, nargs="+", default=[], metavar="FILE",
        help="files of a trace of one run (spec/mpi-trace.md): tells which pairs were missed",
    )  # fmt: skip
    parser.add_argument(
        "--check", action="store_true", help="run both programs, and compare what they print"
    )
    parser.add_argument(
        "--build", metavar="COMMAND",
        help="how the program is made, such as 'mpicc -O2 {sources} -lm -o {program}'",
    )  # fmt: skip
    parser.add_argument(
        "--run", metavar="COMMAND", help="how it is run, such as 'mpirun -n 4 {program} input'"
    )
    parser.add_argument(
        "--library",
        type=Path,
        metavar="FOLDER",
        help="folder of netfold's libraries for MPI programs",
    )
    parser.add_argument(
        "--seconds", type=float, default=300, metavar="S", help="the longest that a run may take"
    )
    return parser
