"""Learning rates of a table that change within a run (R-SERVE-16)."""

from __future__ import annotations

from typing import Any

import torch

from ..errors import ConfigurationError
from .optimizers import checked_rate
from .table import Table


class TableOptimizer(torch.optim.Optimizer):
    """A table's optimizer, as learning rate schedulers of torch want it.

    The servers carry it out: a step of this one ends the step of the tables, as those of other
    optimizers do, and changes nothing else.
    """

    def __init__(self, options: dict[str, Any]) -> None:
        defaults = {option: value for option, value in options.items() if option != "name"}
        super().__init__([torch.zeros(0, requires_grad=True)], defaults)

    def step(self, closure: Any = None) -> Any:
        """End the step, by the hook that follows the steps of all optimizers."""
        return None if closure is None else closure()


class Rates:
    """Hands the learning rate of an optimizer to a table whenever it has changed.

    Attributes:
        optimizer: whose rate counts: that of its first group of parameters.
    """

    def __init__(self, table: Table, options: dict[str, Any], given: Any) -> None:
        self._table = table
        self._name = options["name"]
        own = isinstance(given, torch.optim.Optimizer)
        self.optimizer: torch.optim.Optimizer = given if own else TableOptimizer(options)
        self._others = self._fixed()
        self._told: float | None = options.get("lr")

    @property
    def rate(self) -> float:
        """The rate that counts for what is pushed next.

        Raises:
            ConfigurationError: the optimizer has none.
        """
        group = self.optimizer.param_groups[0]
        return float(group["lr"]) if "lr" in group else checked_rate(self._name, 0.0)

    @rate.setter
    def rate(self, value: float) -> None:
        self.optimizer.param_groups[0]["lr"] = checked_rate(self._name, value)

    def tell(self) -> None:
        """Tell the servers of a change since the last call.

        Raises:
            ConfigurationError: the rate is out of range, or another option was changed.
        """
        others = self._fixed()
        if others != self._others:
            option = next(key for key in others if others[key] != self._others.get(key))
            raise ConfigurationError(
                f"{option} of the table's optimizer was changed to {others[option]!r}; "
                "within a run only its learning rate changes"
            )
        if self._told is None:
            return
        rate = self.rate
        if rate != self._told:
            checked_rate(self._name, rate)
            self._table.set_lr(rate)
            self._told = rate

    def stepped(self) -> None:
        """Take note that a step has ended: schedulers of torch ask whether their optimizer has
        stepped before them.
        """
        self.optimizer._opt_called = True  # type: ignore[attr-defined]

    def _fixed(self) -> dict[str, Any]:
        """The options that a scheduler may not change."""
        group = self.optimizer.param_groups[0]
        scheduled = {"params", "lr", "initial_lr", "max_lr", "min_lr"}
        return {option: value for option, value in group.items() if option not in scheduled}


__all__ = ["Rates", "TableOptimizer"]
