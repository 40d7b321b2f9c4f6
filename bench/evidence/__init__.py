"""Every table and figure of the five papers beside what is recorded here.

One TOML file for each paper has a row for each of its tables and figures, with pointers into the
recorded results. `python -m bench.evidence` writes `docs/evidence.md` from them, and
`python -m bench.evidence run` (`make evidence`) makes those results again that this machine can.

Open :mod:`.table` first.
"""
