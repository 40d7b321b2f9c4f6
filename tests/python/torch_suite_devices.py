"""Main memory in the place of the accelerators that tests of PyTorch's suite ask for.

Its tests for GPUs are tests of what is built on process groups: hooks for DDP, joins of uneven
inputs, optimizers. With their tensors in main memory they run anywhere, on any backend that has the
collectives, which takes the place of NCCL, too. Those that need an accelerator nevertheless are
skipped where they ask for it: for SyncBatchNorm, or for memory of CUDA. Two that ask for the number
of their device fail with Gloo: `test_ddp_device` and `test_ddp_logging_data_gpu`.
"""

from __future__ import annotations

import contextlib
import unittest
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import torch
import torch.distributed as dist
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode
from torch.testing._internal import common_distributed

MARK = "_was_for_accelerators"


def lift_skips() -> None:
    """Have the suite skip no test for want of accelerators, and mark those that it would. Call it
    before the import.
    """

    def marked(test: Callable[..., None]) -> Callable[..., None]:
        setattr(test, MARK, True)
        return test

    common_distributed.skip_if_no_gpu = marked
    common_distributed.skip_if_lt_x_gpu = lambda _count, **_: marked
    common_distributed.with_nccl_blocking_wait = unittest.skip("tests a setting of NCCL")


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
        put(torch.cuda, set_device=lambda _device: None, current_device=lambda: 0, _lazy_init=_skip)
        put(torch, Stream=_Stream, Event=_Stream)
        put(torch.accelerator, current_stream=_Stream, set_device_index=lambda _device: None)
        put(nn.Module, cuda=lambda self, *_, **__: self, to=_in_main_memory(nn.Module.to))
        put(dist, new_group=_without_nccl(dist.new_group))
        put(ddp, __init__=_without_devices(ddp.__init__))
        stack.enter_context(_Replaced())
        yield


class NoAcceleratorError(unittest.SkipTest, RuntimeError):
    """Skips a test for which main memory does not serve.

    It is also the error that torch raises without accelerators, for code that can do without them.
    """


def _skip() -> None:
    raise NoAcceleratorError("needs an accelerator: main memory does not serve")


class _Stream:
    """A stream or an event of a device whose operations are done at once, as in main memory."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __enter__(self) -> _Stream:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def wait(self, *_: Any, **__: Any) -> None:
        """Return: all that was asked for before is done."""

    record = wait_stream = wait


class _Replaced(TorchFunctionMode):
    def __torch_function__(
        self,
        function: Callable[..., Any],
        _types: Any,
        args: tuple[Any, ...] = (),
        options: Any = None,
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
        return to(
            self,
            *map(_replaced, args),
            **{name: _replaced(value) for name, value in options.items()},
        )

    return moved


def _without_nccl(new_group: Callable[..., Any]) -> Callable[..., Any]:
    """`new_group`, for the default backend instead of NCCL."""

    def made(*args: Any, **options: Any) -> Any:
        if options.get("backend") == "nccl":
            del options["backend"]
        return new_group(*args, **options)

    return made


def _without_devices(init: Callable[..., None]) -> Callable[..., None]:
    """DDP's constructor, for a model in main memory."""

    def made(
        self: Any,
        module: nn.Module,
        _devices: Any = None,
        _output: Any = None,
        *args: Any,
        **options: Any,
    ) -> None:
        if any(isinstance(part, nn.SyncBatchNorm) for part in module.modules()):
            # It has no kernels for main memory, and DDP refuses it there.
            _skip()
        for name in ("device_ids", "output_device"):
            options.pop(name, None)
        init(self, module, None, None, *args, **options)

    return made
