"""The stub of the native module beside the module itself."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_stub_has_the_names_and_parameters_of_the_native_module():
    command = [sys.executable, "-m", "mypy.stubtest", "--concise", "netfold._native"]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout + checked.stderr
