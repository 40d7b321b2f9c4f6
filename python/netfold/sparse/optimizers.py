"""Optimizers of a table (R-SERVE-3): names, classes and instances of `torch.optim` as one form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from ..errors import ConfigurationError

OPTIONS: dict[str, dict[str, Any]] = {
    "sgd": {"lr": 1e-3, "momentum": 0.0, "dampening": 0.0, "weight_decay": 0.0, "nesterov": False},
    "adagrad": {"lr": 1e-2, "lr_decay": 0.0, "initial_accumulator_value": 0.0, "eps": 1e-10},
    "rowwise_adagrad": {"lr": 1e-2, "initial_accumulator_value": 0.0, "eps": 1e-10},
    "adam": {"lr": 1e-3, "betas": (0.9, 0.999), "eps": 1e-8},
    "ftrl": {"lr": 0.1, "beta": 1.0, "l1": 0.0, "l2": 0.0},
    "sum": {},
}
"""Options of each optimizer with their defaults, those of `torch.optim` where it has them. A sum
adds what is pushed.
"""

CLASSES: dict[type[torch.optim.Optimizer], str] = {
    torch.optim.SGD: "sgd",
    torch.optim.Adagrad: "adagrad",
    torch.optim.Adam: "adam",
    torch.optim.SparseAdam: "adam",
}

WITHOUT_EFFECT = {"foreach", "fused", "capturable", "differentiable"}
"""Options of `torch.optim` that choose an implementation, and change no number."""

FIXED = {
    "weight_decay": 0.0,
    "amsgrad": False,
    "maximize": False,
    "decoupled_weight_decay": False,
}
"""Options of `torch.optim` that a table has at this value only, unless `OPTIONS` has them."""

Optimizer = str | Mapping[str, Any] | type[torch.optim.Optimizer] | torch.optim.Optimizer
"""An optimizer as users name it: `"sgd"`, `{"name": "sgd", "lr": 0.1}`, `torch.optim.SGD`, or an
instance of it, whose options count and whose parameters do not.
"""


def described(optimizer: Optimizer, *, resident: bool = False) -> dict[str, Any]:
    """The name of an optimizer, and all of its options.

    Args:
        optimizer: the optimizer.
        resident: whether hot rows are kept at the switch, which only adds (R-KEY-12).

    Raises:
        ConfigurationError: there is no such optimizer or option, a value is out of range, or
            resident rows cannot express the optimizer.
    """
    name, given = _named(optimizer)
    if name not in OPTIONS:
        raise ConfigurationError(
            f"a table has no optimizer {name!r}; choose one of {', '.join(OPTIONS)}"
        )
    options = OPTIONS[name]
    for option, value in given.items():
        if option in options or option in WITHOUT_EFFECT:
            continue
        if FIXED.get(option, object()) != value:
            raise ConfigurationError(
                f"{name} of a table has no {option}={value!r}; it has {', '.join(options)}"
            )
    chosen = {option: _plain(given.get(option, default)) for option, default in options.items()}
    _check(name, chosen)
    if resident:
        _check_linear(name, chosen)
    return {"name": name, **chosen}


def checked_rate(name: str, rate: float) -> float:
    """A learning rate that this optimizer can have.

    Raises:
        ConfigurationError: it is no number, or out of range.
    """
    if "lr" not in OPTIONS[name]:
        raise ConfigurationError(f"{name} has no learning rate; multiply what is added")
    try:
        rate = float(rate)
    except (TypeError, ValueError):
        raise ConfigurationError(f"lr of {name} is a number from 0; got {rate!r}") from None
    _check(name, {"lr": rate})
    if name == "ftrl" and rate == 0:
        raise ConfigurationError("lr of ftrl is a number above 0; got 0")
    return rate


def _named(optimizer: Optimizer) -> tuple[str, Mapping[str, Any]]:
    if isinstance(optimizer, str):
        return optimizer, {}
    if isinstance(optimizer, Mapping):
        if "name" not in optimizer:
            raise ConfigurationError(
                f"an optimizer's dict has its name, such as {{'name': 'sgd', 'lr': 0.1}}; got {dict(optimizer)}"
            )
        return str(optimizer["name"]), {k: v for k, v in optimizer.items() if k != "name"}
    kind = optimizer if isinstance(optimizer, type) else type(optimizer)
    name = CLASSES.get(kind)
    if name is None:
        raise ConfigurationError(
            f"a table has no optimizer {getattr(kind, '__name__', kind)!r}; choose one of {', '.join(OPTIONS)}, "
            f"or of torch.optim {', '.join(known.__name__ for known in CLASSES)}"
        )
    if isinstance(optimizer, type):
        return name, {}
    # A scheduler may have changed it already.
    return name, {**optimizer.defaults, "lr": optimizer.param_groups[0]["lr"]}


def _plain(value: Any) -> Any:
    """A value as the native module takes it: torch allows tensors."""
    if isinstance(value, (bool, str)):
        return value
    if isinstance(value, (tuple, list)):
        return tuple(float(item) for item in value)
    return float(value)


def _check(name: str, options: Mapping[str, Any]) -> None:
    for option, value in options.items():
        if option == "betas":
            if len(value) != 2 or not all(0 <= beta < 1 for beta in value):
                raise ConfigurationError(
                    f"betas of {name} are two numbers from 0 and below 1; got {value}"
                )
        elif not isinstance(value, bool) and not 0 <= value < float("inf"):
            raise ConfigurationError(f"{option} of {name} is a number from 0; got {value!r}")
    if options.get("nesterov") and (options["momentum"] == 0 or options["dampening"] != 0):
        raise ConfigurationError("nesterov needs a momentum above 0, and no dampening")


def _check_linear(name: str, options: Mapping[str, Any]) -> None:
    """Refuse what is not linear in the gradient (R-KEY-12)."""
    plain = "resident rows are running sums in the switch, which only plain SGD and sums can use"
    drained = "use drained rows (resident=False)"
    if name == "sum":
        return
    if name != "sgd":
        raise ConfigurationError(f"{plain}, not {name}; {drained}")
    for option in ("momentum", "weight_decay"):
        if options[option] != 0:
            raise ConfigurationError(f"{plain}, not {option}={options[option]:g}; {drained}")


__all__ = ["OPTIONS", "Optimizer", "checked_rate", "described"]
