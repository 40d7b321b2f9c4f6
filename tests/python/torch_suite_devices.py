"""What PyTorch's suite does on accelerators, done in main memory.

Its tests for GPUs are tests of what is built on process groups: hooks for DDP, joins of uneven inputs, optimizers. With
their tensors in main memory they run anywhere, on any backend that has the collectives.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.testing._internal import common_distributed

MARK = "_was_for_accelerators"


def lift_skips() -> None:
    """Have the suite skip no test for want of accelerators, and mark those that it would. Call it before the import."""

    def marked(test: Callable[..., None]) -> Callable[..., None]:
        setattr(test, MARK, True)
        return test

    common_distributed.skip_if_no_gpu = marked
    common_distributed.skip_if_lt_x_gpu = lambda _count, **_: marked


@contextlib.contextmanager
def replaced(size: int) -> Iterator[None]:
    """Put main memory in the place of `size` accelerators."""
    ddp = nn.parallel.DistributedDataParallel
    with contextlib.ExitStack() as stack:

        def put(owner: Any, **values: Any) -> None:
            for name, value in values.items():
                stack.enter_context(mock.patch.object(owner, name, value))

        for module in (torch.cuda, torch.accelerator):
            put(module, device_count=lambda: size, synchronize=lambda *_, **__: None)
        put(torch.cuda, set_device=lambda _device: None)
        put(torch.accelerator, set_device_index=lambda _device: None)
        put(nn.Module, cuda=lambda self, *_, **__: self, to=_in_main_memory(nn.Module.to))
        put(ddp, __init__=_without_devices(ddp.__init__))
        stack.enter_context(_Replaced())
        yield


class _Replaced(TorchFunctionMode):
    def __torch_function__(
        self, function: Callable[..., Any], _types: Any, args: tuple[Any, ...] = (), options: Any = None
    ) -> Any:
        if function is Tensor.cuda:
            return args[0]
        if function is Tensor.to:
            function = _in_main_memory(function)
        options = dict(options or {})
        if "device" in options:
            options["device"] = _replaced(options["device"])
        return function(*args, **options)


def _replaced(device: Any) -> Any:
    """Main memory for what names an accelerator; anything else as it is."""
    if isinstance(device, int) and not isinstance(device, bool):
        return "cpu"
    if isinstance(device, (str, torch.device)) and str(device).startswith("cuda"):
        return "cpu"
    return device


def _in_main_memory(to: Callable[..., Any]) -> Callable[..., Any]:
    """`to` of a tensor or module, whose positional arguments may be devices."""

    def moved(self: Any, *args: Any, **options: Any) -> Any:
        return to(self, *map(_replaced, args), **{name: _replaced(value) for name, value in options.items()})

    return moved


def _without_devices(init: Callable[..., None]) -> Callable[..., None]:
    """DDP's constructor, for a model in main memory."""

    def made(
        self: Any, module: nn.Module, _devices: Any = None, _output: Any = None, *args: Any, **options: Any
    ) -> None:
        for name in ("device_ids", "output_device"):
            options.pop(name, None)
        init(self, module, None, None, *args, **options)

    return made
