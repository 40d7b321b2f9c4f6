"""Arrays as the native module takes them: f32 in rows, or CSR, never densified."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from .. import _native
from ..errors import ConfigurationError

COMPRESSED = ("csr", "csc", "bsr")
"""SciPy's formats with arrays `indices` and `indptr`."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Samples with their targets, and how much they count."""

    features: Any
    """float32, shape (samples, features), in rows without gaps, or CSR."""
    targets: npt.NDArray[Any]
    """Labels from 0 to below `classes`, or numbers if that is None; shape (samples,)."""
    classes: int | None = None
    """Number of classes."""
    weights: Any = None
    """Weight of each sample, 0 or more, shape (samples,); None if all count the same. As the
    estimator's caller gives them, and float32 for :func:`lend`.
    """
    class_weights: npt.NDArray[np.float32] | None = None
    """Further weight of the samples of each class, shape (classes,)."""
    held: npt.NDArray[np.uint8] | None = None
    """1 for each sample that is held back, otherwise 0; shape (samples,)."""


def lend(samples: Samples) -> _native.GlmSamples:
    """Samples for the native module, which reads the arrays where they are."""
    features = samples.features
    kind = np.float32 if samples.classes is None else np.uint32
    targets: npt.NDArray[Any] = np.ascontiguousarray(samples.targets, dtype=kind)
    lent = functools.partial(
        _native.GlmSamples,
        classes=samples.classes,
        weights=samples.weights,
        class_weights=samples.class_weights,
        held=samples.held,
    )
    if not is_sparse(features):
        return lent(features.shape[1], features, targets)
    # As far as bounds say SciPy reads columns to see whether they ascend; wide ones would be cut.
    if (
        features.indptr.max() > features.indices.size
        or features.indices.itemsize > np.dtype(np.uint32).itemsize
    ):
        check_places(features)
    rows = features if features.has_canonical_format else _canonical(features)
    return lent(
        rows.shape[1],
        np.ascontiguousarray(rows.data),
        targets,
        indptr=_unsigned(rows.indptr, np.uint64),
        indices=_unsigned(rows.indices, np.uint32),
    )


def is_sparse(features: Any) -> bool:
    """Return whether samples are a matrix or an array of SciPy."""
    # Not `issparse` itself, whose type narrows to a base without the attributes of a format.
    return bool(sparse.issparse(features))


def check_places(matrix: Any) -> None:
    """Refuse a sparse matrix with entries outside of it: SciPy's conversions and products read and
    write there.
    """
    try:
        if matrix.format == "coo":
            sparse.coo_array((matrix.data, (matrix.row, matrix.col)), shape=matrix.shape)
        elif matrix.format in COMPRESSED:
            matrix.check_format(full_check=True)
    except ValueError as error:
        raise ConfigurationError(
            f"X is not a valid sparse matrix; build it again: {error}"
        ) from error


def _unsigned(
    numbers: npt.NDArray[np.integer], kind: type[np.unsignedinteger]
) -> npt.NDArray[np.unsignedinteger]:
    """The numbers as unsigned ones, copied only if the width differs. A negative number becomes
    larger than any valid one.
    """
    numbers = np.ascontiguousarray(numbers)
    return (
        numbers.view(kind) if numbers.itemsize == np.dtype(kind).itemsize else numbers.astype(kind)
    )


def _canonical(features: Any) -> Any:
    """A copy whose columns ascend within each row, without duplicates."""
    check_places(features)
    # There and back is a counting sort, and takes half the time of sorting row by row.
    rows = features.tocsc().tocsr()
    rows.sum_duplicates()
    return rows
