"""The ways to the laboratory's command line, each in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("way", [["-m", "netfold", "lab"], ["-m", "netfold.lab"]])
def test_the_laboratory_is_a_command_of_the_package(way: list[str]):
    shown = run(*way, "--help")
    assert shown.returncode == 0, shown.stderr
    assert "usage: netfold lab" in shown.stdout


def test_a_package_that_is_missing_is_named_with_how_to_install_it():
    without = "import sys; sys.modules['torch'] = None; sys.argv = ['netfold', 'lab', 'all']"
    refused = run("-c", f"{without}; from netfold.__main__ import main; sys.exit(main())")
    assert refused.returncode == 2
    assert "there is no torch" in refused.stderr
    assert "pip install 'netfold[lab]'" in refused.stderr
    assert "Traceback" not in refused.stderr
