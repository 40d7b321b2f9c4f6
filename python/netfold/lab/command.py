"""The laboratory's command line: `netfold lab curves --out DIR`."""

from __future__ import annotations

import argparse
from pathlib import Path

import torch
from rich.console import Console
from rich.progress import Progress

from .. import ConfigurationError
from . import (
    bounds,
    compression,
    curves,
    depth,
    errors,
    hot_keys,
    precision,
    ratios,
    report,
    scaling,
)
from .data import default_cache
from .laboratory import FULL, QUICK, Laboratory
from .models import TASKS

EXPERIMENTS = {
    "ratios": ratios,
    "errors": errors,
    "bounds": bounds,
    "precision": precision,
    "curves": curves,
    "compression": compression,
    "scaling": scaling,
    "depth": depth,
    "hot_keys": hot_keys,
}


def main(arguments: list[str] | None = None) -> int:
    """Run experiments; returns the exit status, 2 if something they need is missing."""
    options = _parser().parse_args(arguments)
    names = list(EXPERIMENTS) if "all" in options.experiments else options.experiments
    # Threads would share out sums in another way on another machine, and change their last places.
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    console = Console()
    if not console.is_terminal:
        console = Console(width=report.TEXT_WIDTH)
    with Progress(console=Console(stderr=True)) as progress:
        tasks = {name: TASKS[name] for name in options.models}
        lab = Laboratory(
            tasks, options.cache, QUICK if options.quick else FULL, progress, options.seed
        )
        for name in names:
            try:
                result = EXPERIMENTS[name].run(lab)
            except ConfigurationError as error:
                console.print(f"error: {error}", markup=False)
                return 2
            report.write(EXPERIMENTS[name], result, lab, console, options.out)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="netfold lab",
        description="Arithmetics on the gradients of real training, and hot keys of sparse models.",
    )
    choices = [*EXPERIMENTS, "all"]
    parser.add_argument(
        "experiments", nargs="+", choices=choices, metavar="NAME", help="; ".join(_summaries())
    )
    parser.add_argument(
        "--out", type=Path, help="folder for JSON, text and plots; none are written without it"
    )
    parser.add_argument(
        "--quick", action="store_true", help="little of everything, in less than a minute"
    )
    parser.add_argument(
        "--models", nargs="+", choices=TASKS, default=list(TASKS), help="all, unless told otherwise"
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="of weights, batches and pairs (default: %(default)s)"
    )
    parser.add_argument(
        "--cache",
        type=Path,
        default=default_cache(),
        help="folder of the Brown corpus (default: %(default)s)",
    )
    return parser


def _summaries() -> list[str]:
    """The first line of each experiment's documentation."""
    return [
        f"{name}: {(module.__doc__ or '').splitlines()[0].rstrip('.')}"
        for name, module in EXPERIMENTS.items()
    ]
