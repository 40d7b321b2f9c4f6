"""Plots as files."""

from matplotlib.figure import Figure

from netfold.lab import svg


def drawn(path):
    figure = Figure()
    axes = figure.subplots()
    # A clipped line: its clip path has an identifier.
    axes.plot([0, 1], [1, 3], marker="o")
    axes.set_xlim(0.2, 0.8)
    svg.write(figure, path)
    return path.read_bytes()


def test_the_same_figure_gives_the_same_file(tmp_path):
    first = drawn(tmp_path / "first.svg")
    assert b"clip-path" in first
    assert first == drawn(tmp_path / "second.svg")


def test_a_file_tells_neither_date_nor_version(tmp_path):
    file = drawn(tmp_path / "plot.svg")
    assert file.startswith(b"<?xml")
    assert b"dc:date" not in file
    assert b"Matplotlib v" not in file
