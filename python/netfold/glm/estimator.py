"""Common base of the estimators: their parameters and their training."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, is_classifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import ShuffleSplit, StratifiedShuffleSplit
from sklearn.utils import assert_all_finite, check_consistent_length
from sklearn.utils.extmath import safe_sparse_dot
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from .. import _native
from ..errors import ConfigurationError
from . import parameters, storage
from .epoch import Epoch
from .parameters import FULL_BITS
from .samples import Samples, check_places, is_sparse, lend
from .seed import seed_of

SPARSE_INTERCEPT_STEP = 0.01
"""Factor on the intercept's step where samples are sparse, as in scikit-learn: every sample
contributes to it.
"""

INTEGERS = "biu"
"""Truth values and integers, as NumPy calls them."""

OF_INPUT = ("n_features_in_", "feature_names_in_")
"""Attributes of the input that an estimator has before it is trained."""

Arguments = ParamSpec("Arguments")
Model = TypeVar("Model", bound="LinearModel")


def unless_it_fails(
    train: Callable[Concatenate[Model, Arguments], Model],
) -> Callable[Concatenate[Model, Arguments], Model]:
    """Keep the attributes of the input as the existing model has them when training fails."""

    @functools.wraps(train)
    def trained(self: Model, /, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Model:
        before = {name: value for name, value in self.__dict__.items() if name in OF_INPUT}
        try:
            return train(self, *args, **kwargs)
        except BaseException:
            for name in OF_INPUT:
                self.__dict__.pop(name, None)
            self.__dict__.update(before)
            raise

    return trained


class LinearModel(BaseEstimator):  # type: ignore[misc] # sklearn is untyped
    """Base of the estimators. They differ in what a target is."""

    coef_: npt.NDArray[np.float64]
    intercept_: npt.NDArray[np.float64]
    n_features_in_: int
    n_iter_: int
    t_: int
    epochs_: list[Epoch]

    _trainer: _native.GlmTrainer | None = None
    """Trainer that the last run has left behind. Its coefficients are more exact than those
    shown, and it has averages.
    """
    _chosen: _native.GlmSettings | None = None
    """Settings of that trainer."""
    _progress: _native.GlmProgress | None = None
    """Counters of training; None if the model is from a file without them."""
    _scaling: str | None = None
    """Range that the integers of `feature_scaling_` cover, which `auto` leaves open."""

    def save(self, path: str | Path) -> None:
        """Write the model as a safetensors file (R-GLM-29).

        Parameters that are neither numbers, strings nor None, like `callback`, are left out.
        """
        check_is_fitted(self)
        storage.save(self, Path(path))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read what :meth:`save` has written, or `netfold glm train --save`.

        Raises:
            ModelFileError: the file is no model, or that of another kind of estimator.
        """
        return storage.load(cls, Path(path))

    def __getstate__(self) -> dict[str, Any]:
        """State for pickle, without the native trainer: `partial_fit` goes on from coefficients,
        grid and steps; averages begin anew.
        """
        state: dict[str, Any] = super().__getstate__().copy()
        state.pop("_trainer", None)
        return state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _activations(self, X: Any) -> npt.NDArray[np.float64]:  # noqa: N803
        """X w + b, shape (samples,) for one output, or (samples, outputs)."""
        check_is_fitted(self)
        if is_sparse(X):
            check_places(X)
        features = validate_data(
            self, X, accept_sparse="csr", reset=False, dtype=(np.float64, np.float32)
        )
        activations: npt.NDArray[np.float64] = safe_sparse_dot(
            features, np.atleast_2d(self.coef_).T, dense_output=True
        )
        activations = activations + self.intercept_
        return activations.ravel() if activations.shape[1] == 1 else activations

    def _checked(self, X: Any, y: Any, *, reset: bool) -> tuple[Any, Any]:  # noqa: N803
        """Samples as float32 in rows, or as CSR; targets as they are."""
        if y is None:
            # In scikit-learn's words, which its estimators' checks look for.
            raise ValueError(
                f"{type(self).__name__} requires y to be passed, but the target y is None"
            )
        if is_sparse(X) and (X.format, X.dtype) != ("csr", np.float32):
            # It will be converted.
            check_places(X)
        how = {
            "reset": reset,
            "accept_sparse": "csr",
            "dtype": np.float32,
            "order": "C",
            # The engine looks at every value.
            "ensure_all_finite": False,
        }
        if isinstance(y, np.ndarray) and y.ndim == 1 and y.dtype.kind in INTEGERS:
            # Targets as they should be.
            features = validate_data(self, X, **how)
            check_consistent_length(features, y)
            return features, y
        features, y = validate_data(self, X, y, **how)
        return features, y

    def _train(self, samples: Samples, loss: str, *, begin: bool, once: bool) -> None:
        """Train, and take over what came out.

        Args:
            samples: their features as :meth:`_checked` has made them.
            loss: its name.
            begin: from the coefficients that are there, instead of zeros.
            once: one pass, which goes on where the one before has ended.
        """
        features, weights = samples.features, samples.weights
        if weights is not None:
            weights = np.ascontiguousarray(
                _check_sample_weight(weights, features, dtype=np.float32)
            )
        parameters.check(self)
        held = self._held_back(samples.targets) if self.early_stopping and not once else None
        lent = lend(replace(samples, weights=weights, held=held))
        trainer, chosen = self._trainer_for(features, loss, begin=begin, resume=once)
        epochs: list[Epoch] = []

        def after_epoch(*figures: Any) -> bool:
            epochs.append(Epoch(*figures))
            return bool(self.callback is not None and self.callback(epochs[-1]))

        try:
            run = trainer.epoch(lent, after_epoch) if once else trainer.fit(lent, after_epoch)
        except ConfigurationError:
            # If values are not finite, in scikit-learn's words, as above.
            assert_all_finite(features, estimator_name=type(self).__name__, input_name="X")
            raise
        finally:
            if trainer is self._trainer and not trainer.usable:
                # The next one goes on from what the estimator has.
                self._trainer = None
        self._trainer, self._chosen = trainer, chosen
        self._take(run.model)
        self._progress = run.progress
        self.t_ = run.progress["steps"] + 1
        self.n_iter_ = run.epochs
        self.data_bytes_ = dict(zip(("values", "indices", "bounds"), run.data_bytes, strict=True))
        self.epochs_ = [*self.epochs_, *epochs] if once and hasattr(self, "epochs_") else epochs
        self.loss_curve_ = [epoch.loss for epoch in self.epochs_]
        judges = not once and self.tol is not None and self.tol > -np.inf
        if judges and run.why != "callback" and run.epochs == self.max_iter:
            # Where scikit-learn warns, too: steps that never settle have a model that hangs on
            # every bit.
            warnings.warn(
                f"the objective had not settled after max_iter={self.max_iter} epochs; give more, a larger tol, "
                "smaller steps (learning_rate, eta0), or scaled features",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _held_back(self, targets: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
        """Mark the samples that scikit-learn's SGD estimators would hold back, with 1."""
        splitter = StratifiedShuffleSplit if is_classifier(self) else ShuffleSplit
        split = splitter(test_size=float(self.validation_fraction), random_state=self.random_state)
        _, rows = next(split.split(np.zeros((len(targets), 1)), targets))
        held = np.zeros(len(targets), np.uint8)
        held[rows] = 1
        return held

    def _take(self, model: _native.GlmModel) -> None:
        """Take over what a model has learnt."""
        self.intercept_ = np.frombuffer(model.intercepts, np.float64).copy()
        coefficients = np.frombuffer(model.coefficients, np.float32).astype(np.float64)
        self.coef_ = self._shaped(coefficients.reshape(len(self.intercept_), model.features))
        scaling = model.scaling
        self.feature_scaling_ = (
            None if scaling is None else np.frombuffer(scaling, np.float32).reshape(-1, 2)
        )
        self._scaling = model.scaling_kind

    def _shaped(self, coefficients: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Coefficients, shape (outputs, features), as the estimator shows them."""
        return coefficients

    def _trainer_for(
        self, features: Any, loss: str, *, begin: bool, resume: bool
    ) -> tuple[_native.GlmTrainer, _native.GlmSettings]:
        """A trainer and its settings; with `resume` the one that is there, if it has the same, or
        one that goes on.
        """
        chosen = self._settings(is_sparse(features), loss)
        if resume and self._trainer is not None and self._chosen == chosen:
            return self._trainer, chosen
        settings: _native.GlmSettings = {**chosen, "seed": seed_of(self.random_state)}
        if not begin:
            return _native.GlmTrainer(settings), chosen
        grid = self._grid_for(features) if resume else None
        if grid is not None and self._scaling is not None:
            settings["scaling"] = self._scaling
        trainer = _native.GlmTrainer(
            settings,
            coefficients=np.ascontiguousarray(self.coef_, dtype=np.float32),
            intercepts=np.ascontiguousarray(self.intercept_, dtype=np.float64),
            scaling=grid,
            progress=self._progress if resume else None,
        )
        return trainer, chosen

    def _grid_for(self, features: Any) -> npt.NDArray[np.float32] | None:
        """Low and span of each feature, if they are those that the parameters ask for."""
        grid = self.feature_scaling_
        if grid is None or self.bits == FULL_BITS or self.scaling not in ("auto", self._scaling):
            return None
        keeps_zero = is_sparse(features) or not self.fit_intercept
        return None if keeps_zero and grid[:, 0].any() else np.ascontiguousarray(grid)

    def _settings(self, sparse: bool, loss: str) -> _native.GlmSettings:
        """Settings from parameters that have been checked, but for what is drawn or found out
        later.
        """
        l1_ratio = {"l2": 0.0, "l1": 1.0, "elasticnet": self.l1_ratio, None: 0.0}[self.penalty]
        strength = 0.0 if self.penalty is None else self.alpha
        return {
            # Whatever else it is has no such name, either.
            "loss": str(loss),
            "l1": strength * l1_ratio,
            "l2": strength * (1 - l1_ratio),
            "rate": str(self.learning_rate),
            "alpha": float(self.alpha),
            "eta0": float(self.eta0),
            "power": float(self.power_t),
            "batch": self.batch_size,
            "micro_batch": self.micro_batch,
            "intercept": bool(self.fit_intercept),
            "intercept_step": SPARSE_INTERCEPT_STEP if sparse else 1.0,
            # From that step on, counted from 1; True is 1.
            "average_after": int(self.average) - 1 if self.average else None,
            "shuffle": bool(self.shuffle),
            # Drawn for each trainer.
            "seed": 0,
            "epochs": self.max_iter,
            "tolerance": None if self.tol is None else float(self.tol),
            "patience": self.n_iter_no_change,
            "validation": float(self.validation_fraction) if self.early_stopping else 0.0,
            "arithmetic": str(self.arithmetic),
            "fraction_bits": self.fraction_bits,
            "parallel": str(self.parallel),
            "workers": self.workers,
            "engines": self.engines,
            "bits": self.bits,
            "scaling": self.scaling,
            "rounding": str(self.rounding),
        }
