"""Description of the machine for a reader of results. Nothing in it identifies the owner."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from .launch import ROOT

PACKAGES = ("torch", "numpy")


def describe() -> dict[str, Any]:
    """Processor, cores, memory, kernel, versions, date and commit."""
    return {
        "processor": _processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": f"{platform.system()} {platform.release().partition('-')[0]} {platform.machine()}",
        "python": platform.python_version(),
        **{name: _version(name) for name in PACKAGES},
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": _commit(),
    }


def summary(machine: dict[str, Any]) -> str:
    """The description in one line."""
    cores = f"{machine['cores']} core" + ("" if machine["cores"] == 1 else "s")
    parts = [machine["processor"], cores, f"{machine['memory_gib']} GiB", machine["system"]]
    return ", ".join([*parts, machine["date"], f"commit {machine['commit']}"])


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            return value.strip()
    return platform.machine()


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _commit() -> str:
    """The short name of the checkout's commit, with `+` if files differ from it."""

    def git(*words: str) -> str:
        argv = ["git", "-C", str(ROOT), *words]
        return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()

    try:
        return git("rev-parse", "--short=10", "HEAD") + (
            "+" if git("status", "--porcelain", "-uno") else ""
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
