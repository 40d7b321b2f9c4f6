"""Plots as files."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure


def write(figure: Figure, path: Path) -> None:
    """Write a figure as SVG, the format of all plots: the same figure gives the same file."""
    # Identifiers from the content instead of random ones, and neither date nor version.
    with mpl.rc_context({"svg.hashsalt": "netfold"}):
        figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})


__all__ = ["write"]
