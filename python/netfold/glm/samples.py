"""Arrays as the native module takes them: f32 in rows, or CSR, never densified."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from .. import _native
from ..errors import ConfigurationError

COMPRESSED = ("csr", "csc", "bsr")
"""SciPy's formats of places and their bounds."""


def lend(
    features: Any,
    targets: npt.NDArray[Any],
    *,
    classes: int | None,
    weights: npt.NDArray[np.float32] | None,
    class_weights: npt.NDArray[np.float32] | None = None,
    held: npt.NDArray[np.uint8] | None = None,
) -> _native.GlmSamples:
    """Samples for the native module.

    Args:
        features: float32, shape (samples, features), in rows without gaps, or CSR.
        targets: labels from 0 to below `classes`, or numbers if that is None; shape (samples,).
        classes: how many there are.
        weights: how much each sample counts, 0 or more; shape (samples,).
        class_weights: how much the samples of each class count besides; shape (classes,).
        held: 1 for each sample that is to be held back, otherwise 0; shape (samples,).
    """
    kind = np.float32 if classes is None else np.uint32
    targets = np.ascontiguousarray(targets, dtype=kind)
    how = {"classes": classes, "weights": weights, "class_weights": class_weights, "held": held}
    if not sparse.issparse(features):
        return _native.GlmSamples(features.shape[1], features, targets, **how)
    # As far as bounds say SciPy reads columns to see whether they ascend; wide ones would be cut.
    if (
        features.indptr.max() > features.indices.size
        or features.indices.itemsize > np.dtype(np.uint32).itemsize
    ):
        check_places(features)
    rows = features if features.has_canonical_format else _canonical(features)
    return _native.GlmSamples(
        rows.shape[1],
        np.ascontiguousarray(rows.data),
        targets,
        indptr=_unsigned(rows.indptr, np.uint64),
        indices=_unsigned(rows.indices, np.uint32),
        **how,
    )


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
        raise ConfigurationError(f"X is no whole matrix, make it anew: {error}") from error


def _unsigned(
    numbers: npt.NDArray[np.integer], kind: type[np.unsignedinteger]
) -> npt.NDArray[np.unsignedinteger]:
    """The same numbers, not copied where they have the width already: a negative one is then beyond
    all that can be.
    """
    numbers = np.ascontiguousarray(numbers)
    return (
        numbers.view(kind) if numbers.itemsize == np.dtype(kind).itemsize else numbers.astype(kind)
    )


def _canonical(features: Any) -> Any:
    """A copy with ascending columns, each once."""
    check_places(features)
    # There and back is a counting sort, and takes half the time of sorting row by row.
    rows = features.tocsc().tocsr()
    rows.sum_duplicates()
    return rows
