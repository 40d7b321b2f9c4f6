"""Communication hooks: the gradients of a `DistributedDataParallel` model through netfold, in 32 or
in 16 bits.

    from netfold.torch import hooks

    model = DistributedDataParallel(network)
    model.register_comm_hook(None, hooks.bf16_hook)

The first argument is the process group that carries the gradients, the default group if None. Its
backend must be netfold; that of the model's own group need not be, so a model on Gloo or NCCL can
send its gradients alone through a switch:
`model.register_comm_hook(dist.new_group(backend="netfold"), hooks.all_reduce_hook)`.

Every hook gives the average over the group's ranks in the parameters' own type, and starts its call
without waiting for it: the buckets that are complete travel while back-propagation goes on. What
fails arrives as an exception of `backward`.

| hook | elements | bytes of an `f32` gradient on the wire |
| --- | --- | --- |
| :func:`all_reduce_hook` | the parameters' own | 4 |
| :func:`bf16_hook` | bf16: the range of f32, 8 significant bits | 2 |
| :func:`fp16_hook` | f16: up to 65504, 11 significant bits | 2 |

That is so in every arithmetic that adds these types. In `block` they travel as lanes of f16, scaled
by the exponent of their block, and the switch adds integers of 32 bits (R-NUM-20 to R-NUM-25).
"""

# Annotations are evaluated here: DDP looks whether those of a hook are the very types that it
# passes and expects.
import torch
import torch.distributed as dist
from torch import Tensor
from torch.futures import Future

from ..errors import NetfoldError
from . import backend_of


def all_reduce_hook(state: dist.ProcessGroup | None, bucket: dist.GradBucket) -> Future[Tensor]:
    """Average a bucket in the parameters' own type.

    It differs from what DDP does without a hook in one rounding: the switch's sum is divided, not
    each rank's part.

    Args:
        state: the group, or None for the default one.
        bucket: what DDP passes.

    Raises:
        ValueError: the group's backend is not netfold.
    """
    return _average(state, bucket, bucket.buffer().dtype)


def bf16_hook(state: dist.ProcessGroup | None, bucket: dist.GradBucket) -> Future[Tensor]:
    """Average a bucket as bfloat16. Nothing overflows that did not in f32; 8 significant bits
    remain.

    See :func:`all_reduce_hook` for the arguments and errors.
    """
    return _average(state, bucket, torch.bfloat16)


def fp16_hook(state: dist.ProcessGroup | None, bucket: dist.GradBucket) -> Future[Tensor]:
    """Average a bucket as IEEE half precision: 11 significant bits, up to 65504.

    A sum never overflows where the elements themselves fit. With the arithmetic `native`, whose
    lanes are f16, each rank's part is divided by the number of ranks while it still has the
    parameters' type; a part below 2^-25 after that is lost. With `block` nothing is divided before
    the sum. An element that does not fit becomes infinite, at every rank, which a gradient scaler
    notices.

    See :func:`all_reduce_hook` for the arguments and errors.
    """
    return _average(state, bucket, torch.float16)


def _average(
    state: dist.ProcessGroup | None, bucket: dist.GradBucket, carried: torch.dtype
) -> Future[Tensor]:
    """Start the average of a bucket as elements of the type `carried`."""
    buffer = bucket.buffer()
    backend = backend_of(state, buffer.device.type)
    operation = dist.ReduceOp.AVG
    if _must_divide_first(carried, backend.arithmetic):
        buffer.div_(backend.size())
        operation = dist.ReduceOp.SUM
    # The buffer itself where the types are the same.
    compressed = buffer.to(carried)
    try:
        work = dist.all_reduce(compressed, operation, group=state, async_op=True)
    except NetfoldError as error:
        # Raised here it would leave DDP in the middle of a bucket, and the next `backward` would
        # not say why.
        return _failed(error)

    def restore(done: Future[list[Tensor]]) -> Tensor:
        (average,) = done.value()
        # In the memory that DDP gave, where the gradients themselves may lie
        # (`gradient_as_bucket_view`).
        return buffer if average is buffer else buffer.copy_(average)

    return work.get_future().then(restore)


def _must_divide_first(carried: torch.dtype, arithmetic: str) -> bool:
    # Elements of f16 would overflow at 65504 on the way to the sum (R-NUM-4); lanes of `block` are
    # scaled so that no sum of them does (R-NUM-24).
    return carried == torch.float16 and arithmetic == "native"


def _failed(error: NetfoldError) -> Future[Tensor]:
    # C++ sees an error that is raised in a callback, not one that Python sets.
    def fail(_: Future[None]) -> Tensor:
        raise error

    start: Future[None] = torch.futures.Future()
    failed = start.then(fail)
    start.set_result(None)
    return failed


__all__ = ["all_reduce_hook", "bf16_hook", "fp16_hook"]
