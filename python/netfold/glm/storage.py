"""Estimators as files: the engine's safetensors file (R-GLM-29), with what only they need in its
metadata.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import numpy.typing as npt

from .. import _native
from ..errors import ConfigurationError, ModelFileError
from . import files

if TYPE_CHECKING:
    from .estimator import LinearModel

LENGTH = struct.Struct("<Q")
"""Length of a safetensors file's header, which stands before it."""
METADATA = "__metadata__"
COUNTED = ("steps", "epochs", "orders")
"""Counters of training."""
MOST_COUNTED = 1 << 53
PLAIN = (bool, int, float, str)
LABEL_KINDS = "biufU"
"""Classes that a file can keep: numbers, truth values and strings, as NumPy calls them."""

Estimator = TypeVar("Estimator", bound="LinearModel")


def save(estimator: Any, path: Path) -> None:
    """Write a fitted estimator."""
    classes = getattr(estimator, "classes_", None)
    model = _native.GlmModel(
        np.ascontiguousarray(estimator.coef_, dtype=np.float32),
        np.ascontiguousarray(estimator.intercept_, dtype=np.float64),
        loss=_loss(estimator),
        classes=None if classes is None else len(classes),
        scaling=getattr(estimator, "feature_scaling_", None),
        scaling_kind=estimator._scaling,
    )
    header, tensors = _split(model.file())
    header[METADATA] |= {
        "estimator": type(estimator).__name__,
        "parameters": json.dumps(_plain(estimator.get_params(deep=False))),
        "epochs": str(getattr(estimator, "n_iter_", 0)),
    }
    if hasattr(estimator, "feature_names_in_"):
        header[METADATA]["features"] = json.dumps(estimator.feature_names_in_.tolist())
    if estimator._progress is not None:
        header[METADATA]["progress"] = json.dumps(estimator._progress)
    if classes is not None:
        header[METADATA]["labels"] = _labels(classes)
    files.write(path, _joined(header, tensors))


def load(kind: type[Estimator], path: Path) -> Estimator:
    """Read an estimator of that class; also what `netfold glm` has saved.

    Where a file names no classes they are from 0 on, and where it counts no steps the next one is
    the first.

    Raises:
        ModelFileError: the file is no model, or not one of that class.
    """
    content = path.read_bytes()
    model = _native.GlmModel.read(content)
    metadata = _split(content)[0][METADATA]
    name = metadata.get("estimator", "GLMRegressor" if model.classes is None else "GLMClassifier")
    if name != kind.__name__:
        raise ModelFileError(f"{path} contains a {name}; load it with {name}.load")
    try:
        fitted: Any = kind(**json.loads(metadata.get("parameters", "{}")))
    except (TypeError, ValueError) as error:
        raise ModelFileError(
            f"{path} has parameters that are not those of {name}: {error}"
        ) from error
    if model.classes is not None:
        if "parameters" not in metadata:
            fitted.loss = model.loss
        fitted.classes_ = _classes(metadata, model.classes, path)
    fitted._take(_in_one(model) if model.classes == 2 and model.loss == "multinomial" else model)
    fitted.n_features_in_ = model.features
    if "features" in metadata:
        fitted.feature_names_in_ = _names(metadata["features"], model.features, path)
    fitted.n_iter_ = _epochs(metadata, path)
    fitted._progress = _progress(metadata, path)
    fitted.t_ = 1 if fitted._progress is None else fitted._progress["steps"] + 1
    estimator: Estimator = fitted
    return estimator


def _in_one(model: _native.GlmModel) -> _native.GlmModel:
    """The model of two classes with one output, as estimators have it: the second class minus the
    first.
    """
    return _native.GlmModel(
        np.diff(np.frombuffer(model.coefficients, np.float32).reshape(2, -1), axis=0),
        np.diff(np.frombuffer(model.intercepts, np.float64)),
        loss="log_loss",
        classes=2,
        scaling=None if model.scaling is None else np.frombuffer(model.scaling, np.float32),
        scaling_kind=model.scaling_kind,
    )


def _plain(parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters that a file can keep, with NumPy's numbers as Python's."""
    values = {
        name: value.item() if isinstance(value, np.generic) else value
        for name, value in parameters.items()
    }
    return {
        name: value for name, value in values.items() if value is None or isinstance(value, PLAIN)
    }


def _loss(estimator: Any) -> str:
    """Return the loss with which the engine has trained."""
    loss = getattr(estimator, "loss", "squared_error")
    two_classes = len(getattr(estimator, "classes_", ())) == 2
    return "log_loss" if loss == "multinomial" and two_classes else str(loss)


def _labels(classes: npt.NDArray[Any]) -> str:
    if classes.dtype.kind == "O" and all(isinstance(label, str) for label in classes):
        classes = classes.astype(str)
    if classes.dtype.kind not in LABEL_KINDS:
        raise ConfigurationError(
            f"classes of type {classes.dtype} cannot be saved; use numbers or strings"
        )
    return json.dumps({"type": classes.dtype.str, "values": classes.tolist()})


def _classes(metadata: dict[str, str], count: int, path: Path) -> npt.NDArray[Any]:
    if "labels" not in metadata:
        return np.arange(count)
    try:
        labels = json.loads(metadata["labels"])
        classes = np.array(labels["values"], dtype=np.dtype(labels["type"]))
    except (KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"{path} has no classes that can be read: {error}") from error
    if classes.shape != (count,):
        raise ModelFileError(f"{path} has {classes.size} names for {count} classes")
    return classes


def _names(text: str, count: int, path: Path) -> npt.NDArray[np.object_]:
    """The names of features."""
    try:
        names = json.loads(text)
    except ValueError as error:
        raise ModelFileError(
            f"{path} has no names of features that can be read: {error}"
        ) from error
    if (
        not isinstance(names, list)
        or len(names) != count
        or not all(isinstance(name, str) for name in names)
    ):
        raise ModelFileError(f"{path} does not have a name for each of {count} features")
    return np.array(names, dtype=object)


def _epochs(metadata: dict[str, str], path: Path) -> int:
    try:
        return int(metadata.get("epochs", 0))
    except ValueError as error:
        raise ModelFileError(f"{path} has no number of epochs that can be read: {error}") from error


def _progress(metadata: dict[str, str], path: Path) -> _native.GlmProgress | None:
    """Return the counters of training, if the file has them."""
    if "progress" not in metadata:
        return None
    try:
        found = json.loads(metadata["progress"])
        counted = {name: int(found[name]) for name in COUNTED}
        eta0, left = found["adaptive"] or (0, 0)
        adaptive = (float(eta0), float(left)) if eta0 else None
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise ModelFileError(
            f"{path} has no training counters that can be read: {error}"
        ) from error
    if not all(0 <= count <= MOST_COUNTED for count in counted.values()):
        raise ModelFileError(f"{path} has training counters out of range: {counted}")
    return {
        "steps": counted["steps"],
        "epochs": counted["epochs"],
        "orders": counted["orders"],
        "adaptive": adaptive,
    }


def _split(file: bytes) -> tuple[dict[str, Any], bytes]:
    """Header and tensors of a file that the engine has read or written."""
    (length,) = LENGTH.unpack_from(file)
    end = LENGTH.size + length
    return json.loads(file[LENGTH.size : end]), file[end:]


def _joined(header: dict[str, Any], tensors: bytes) -> bytes:
    text = json.dumps(header, separators=(",", ":")).encode()
    # Tensors begin at a multiple of 8 bytes.
    text += b" " * (-len(text) % LENGTH.size)
    return LENGTH.pack(len(text)) + text + tensors
