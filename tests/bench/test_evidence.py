"""The page of evidence: whole, true to the records, and honest about what is circular."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from bench.evidence import page, pointers, run, table
from bench.launch import ROOT

ROMAN = ("I", "II", "III", "IV")

WHOLE = {
    "switchml": {f"Figure {n}" for n in range(1, 13)} | {f"Table {n}" for n in range(1, 5)},
    "fpisa": {f"Figure {n}" for n in range(1, 14)} | {f"Table {n}" for n in range(1, 4)},
    "p4sgd": {f"Figure {n}" for n in range(1, 16)} | {f"Table {n}" for n in ROMAN},
    "libra": {f"Figure {n}" for n in range(1, 19)} | {f"Table {n}" for n in range(1, 3)},
    "acis": {f"Figure {n}" for n in range(1, 7)} | {f"Table {n}" for n in ROMAN[:2]},
}
"""Tables and figures of the papers, counted in their texts."""


@pytest.fixture(scope="module")
def papers() -> list[table.Paper]:
    return table.papers()


def test_every_table_and_figure_has_a_row(papers: list[table.Paper]) -> None:
    found = {paper.id: [figure.name for figure in paper.figures] for paper in papers}
    for name, whole in WHOLE.items():
        assert sorted(found[name]) == sorted(whole)


def test_every_row_has_something_to_say(papers: list[table.Paper]) -> None:
    for paper in papers:
        for figure in paper.figures:
            assert figure.claims or figure.design or figure.also or figure.missing, figure.name
            assert figure.command or not figure.claims or figure.kinds == ["modelled"], figure.name
            for claim in figure.claims:
                assert claim.kind in table.KINDS
                assert claim.paper
                assert claim.why


def test_the_page_is_what_the_records_say() -> None:
    assert page.written() == page.PAGE.read_text(), "run python -m bench.evidence"


def test_a_record_that_changes_changes_the_page(tmp_path: Path) -> None:
    for name in run.RECORDS:
        source, target = ROOT / name, tmp_path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copyfile(source, target)
    assert page.written(root=tmp_path) == page.PAGE.read_text()
    plan = tmp_path / "crates" / "sim" / "results" / "switchml-figure-9.json"
    record = json.loads(plan.read_text())
    record["claims"][0]["ours"] *= 2
    plan.write_text(json.dumps(record))
    latency = tmp_path / "bench" / "results" / "latency" / "results.json"
    measured = json.loads(latency.read_text())
    for row in measured["rows"]:
        row["median_s"] *= 2
    latency.write_text(json.dumps(measured))
    pointers._read.cache_clear()
    differ = run.differences(table.papers(), table.papers(tmp_path))
    assert {(title, name) for title, name, _, _ in differ} == {
        ("SwitchML (NSDI 2021)", "Figure 9"),
        ("P4SGD (TPDS 2023)", "Figure 8"),
    }
    assert page.written(root=tmp_path) != page.PAGE.read_text()


def test_what_is_circular_has_a_companion(papers: list[table.Paper]) -> None:
    chosen = 0
    for paper in papers:
        varied = [each for figure in paper.figures for each in figure.companions]
        for figure in paper.figures:
            for claim in figure.claims:
                if claim.chosen:
                    chosen += 1
                    assert varied, f"{figure.name}: nothing varies {claim.chosen}"
        for companion in varied:
            # A value that makes no difference would show nothing.
            columns = list(zip(*(row[1:] for row in companion.rows), strict=True))
            assert any(len(set(column)) > 1 for column in columns), companion.title
    assert chosen > 5


def test_no_table_has_two_kinds(papers: list[table.Paper]) -> None:
    for paper in papers:
        claims = [claim for figure in paper.figures for claim in figure.claims]
        title_of = {title: kind for kind, title in page.TITLES.items()}
        parts = page.tables(papers)[paper.id].split("### ")[1:]
        sections = {title_of.get(part.partition("\n")[0]): part for part in parts}
        assert set(sections) - {None} == {claim.kind for claim in claims}
        for claim in claims:
            row = f"| {claim.paper} | {claim.ours} | "
            same = {other.kind for other in claims if row == f"| {other.paper} | {other.ours} | "}
            assert {kind for kind, text in sections.items() if kind and row in text} == same


def test_every_plan_is_shown() -> None:
    plans = {path.stem for path in (ROOT / "crates" / "sim" / "plans").glob("*.toml")}
    shown = table.plans()
    # Section 7 is neither a table nor a figure.
    assert plans - shown == {"switchml-section-7"}
    assert not shown - plans


@pytest.mark.parametrize(
    ("pointer", "expected"),
    [
        ("a.json: rows[name=x, loss=0.1] > value", 2.0),
        ("a.json: rows[name=y, with commas, loss=0.1] > value", 3.0),
        (
            {
                "of": "a.json: rows[name=x, loss=0.1] > value",
                "over": "a.json: deep > er",
                "times": 10,
            },
            5.0,
        ),
        ("b.md: `two` > area", 7.5),
    ],
)
def test_pointers_lead_to_numbers(tmp_path: Path, pointer: str, expected: float) -> None:
    rows = [
        {"name": "x", "loss": 0.1, "value": 2.0},
        {"name": "x", "loss": 0.2, "value": 9.0},
        {"name": "y, with commas", "loss": 0.1, "value": 3.0},
    ]
    (tmp_path / "a.json").write_text(json.dumps({"rows": rows, "deep": {"er": 4.0}}))
    (tmp_path / "b.md").write_text(
        "| unit | area |\n| --- | --- |\n| `one` | 1 |\n\n| unit | area |\n| --- | --- |\n| `two` | 7.5 |\n"
    )
    assert pointers.value(pointer, tmp_path) == expected


@pytest.mark.parametrize(
    "pointer",
    [
        "a.json: rows[name=x] > value",
        "a.json: rows[name=z] > value",
        "a.json: none",
        "none.json: a",
        "a.json: text",
    ],
)
def test_pointers_that_lead_nowhere_are_refused(tmp_path: Path, pointer: str) -> None:
    rows = [{"name": "x", "value": 2.0}, {"name": "x", "value": 3.0}]
    (tmp_path / "a.json").write_text(json.dumps({"rows": rows, "text": "some"}))
    with pytest.raises(pointers.PointerError, match="json"):
        pointers.value(pointer, tmp_path)


def step(name: str, minutes: float, **more: object) -> run.Step:
    return run.Step(name, "measured", minutes, **more)  # type: ignore[arg-type]


@pytest.fixture
def begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., run.Run]:
    """Returns a run in a folder of its own, which remembers what has run there."""
    monkeypatch.setattr(run, "OUT", tmp_path)
    monkeypatch.setattr(run, "_commit", lambda: "one")

    def begun(steps: list[run.Step], minutes: float = 100) -> run.Run:
        new = run.Run(minutes, run._done(), run.Console(quiet=True))
        new.all(steps)
        return new

    return begun


def test_steps_that_do_not_fit_are_left_out_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, begin: Callable[..., run.Run]
) -> None:
    monkeypatch.setattr(run, "_has", lambda need: need != "some-mpi")
    everything = [
        step("a", 50, command="true"),
        step("b", 10, needs=("some-mpi",)),
        step("c", 81),
        step("d", 20, command="true"),
    ]
    taken, left = run.chosen(everything, None)
    assert [each.name for each in taken] == ["a", "c", "d"]
    assert left == [("b", "needs some-mpi")]
    now = begin(taken, 80)
    assert set(now.done) == {"a", "d"}
    assert now.left == [("c", "would end after 81 minutes of 80")]
    taken, left = run.chosen(everything, "c")
    assert [each.name for each in taken] == ["c"]
    assert len(left) == 3


def test_the_clock_decides_what_fits(
    monkeypatch: pytest.MonkeyPatch, begin: Callable[..., run.Run]
) -> None:
    clock = iter([0.0, 0.0, 0.0, 3000.0] + [3000.0] * 9)
    monkeypatch.setattr(run.time, "monotonic", lambda: next(clock))
    now = begin([step("slow", 1, command="true"), step("late", 31, command="true")], 80)
    assert set(now.done) == {"slow"}
    assert now.left == [("late", "would end after 81 minutes of 80")]


def test_only_what_is_computed_runs_side_by_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begin: Callable[..., run.Run]
) -> None:
    monkeypatch.setattr(run.os, "cpu_count", lambda: 2)
    alone = [
        "! ls {out} | grep -q busy",
        "touch {out}/busy-$$",
        "sleep 0.05",
        "rm {out}/busy-$$",
    ]
    # Each of both waits until the other has begun.
    meets = "touch {out}/met-NAME && until [ -e {out}/met-OTHER ]; do sleep 0.01; done"

    def shell(name: str, kind: str, command: str) -> run.Step:
        return run.Step(name, kind, 1, command=f"bash -c {shlex.quote(command)}")

    def pair(name: str, other: str) -> run.Step:
        met = meets.replace("NAME", name).replace("OTHER", other)
        return shell(name, "computed", f"touch {{out}}/busy-{name}; {met}; rm {{out}}/busy-{name}")

    steps = [
        shell("before", "simulated", " && ".join(alone)),
        pair("one", "two"),
        pair("two", "one"),
        shell("after", "measured", " && ".join(alone)),
        shell("last", "measured", " && ".join(alone)),
    ]
    now = begin(steps)
    assert now.failed == []
    assert set(now.done) == {each.name for each in steps}


def test_every_plan_has_a_step() -> None:
    everything, left = run.steps()
    assert all(reason for _, reason in left)
    for each in everything:
        assert each.kind in table.KINDS
        assert each.command or (ROOT / "crates" / "sim" / "plans" / f"{each.name}.toml").exists()
    plans = {path.stem for path in (ROOT / "crates" / "sim" / "plans").glob("*.toml")}
    assert plans <= {each.name for each in everything}


def test_all_steps_fit_into_two_hours_on_two_cores() -> None:
    everything, _ = run.steps()
    computed = [each.minutes for each in everything if each.kind == "computed"]
    others = [each.minutes for each in everything if each.kind != "computed"]
    assert sum(computed) / 2 + sum(others) <= run.MINUTES
    assert computed == sorted(computed, reverse=True), (
        "the longest first, so that cores end together"
    )


def test_a_run_goes_on_where_it_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, begin: Callable[..., run.Run]
) -> None:
    first = step("first", 1, command='python -c \'open("{out}/ran", "a").write("1")\'')
    bad = step("bad", 1, command="python -c 'raise SystemExit(3)'")
    absent = step("absent", 1, command="a-program-that-is-not-there")
    copied = step(
        "copied", 1, command="true", copies={"{out}/ran": "bench/results/some/results.json"}
    )
    assert begin([first, bad, absent, copied]).failed == ["bad", "absent"]
    assert (tmp_path / "bench/results/some/results.json").read_text() == "1"
    assert begin([first, bad, copied]).failed == ["bad"]
    assert (tmp_path / "ran").read_text() == "1", "it has run before, from this commit"
    monkeypatch.setattr(run, "_commit", lambda: "other")
    assert begin([first]).failed == []
    assert (tmp_path / "ran").read_text() == "11"
