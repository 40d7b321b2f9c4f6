"""Numbers from features."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import RegressorMixin

from .epoch import Epoch
from .estimator import LinearModel, unless_it_fails
from .samples import Samples

LOSS = "squared_error"


class GLMRegressor(RegressorMixin, LinearModel):  # type: ignore[misc] # sklearn is untyped
    """Linear least squares, by stochastic gradient descent by one or more workers.

    Parameters are those of :class:`~netfold.glm.GLMClassifier`, but for `loss` and `class_weight`.
    Steps are by default eta0 / t^0.25 with eta0 = 0.01, as in scikit-learn's `SGDRegressor`. Scale
    features and targets, as for any gradient descent on squares. `early_stopping` judges by the
    coefficient of determination, R^2, for the samples that `SGDRegressor` holds back for that
    `random_state`.

    Attributes:
        coef_: shape (features,).
        intercept_: shape (1,).
        n_iter_, t_, loss_curve_, epochs_, data_bytes_, feature_scaling_, n_features_in_: as those
            of the classifier.
    """

    def __init__(  # noqa: PLR0913 - parameters as scikit-learn's estimators have them
        self,
        *,
        penalty: Literal["l2", "l1", "elasticnet"] | None = "l2",
        alpha: float = 1e-4,
        l1_ratio: float = 0.15,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        shuffle: bool = True,
        random_state: int | np.random.RandomState | None = None,
        learning_rate: Literal["optimal", "constant", "invscaling", "adaptive"] = "invscaling",
        eta0: float = 0.01,
        power_t: float = 0.25,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        warm_start: bool = False,
        average: bool | int = False,
        batch_size: int = 1,
        micro_batch: int = 8,
        workers: int = 1,
        engines: int = 1,
        parallel: Literal["model", "data"] = "model",
        bits: int = 32,
        scaling: Literal["auto", "unit", "symmetric"] = "auto",
        rounding: Literal["nearest", "truncate", "stochastic"] = "nearest",
        arithmetic: Literal["float", "fixed"] = "float",
        fraction_bits: int = 16,
        callback: Callable[[Epoch], object] | None = None,
    ) -> None:
        self.penalty = penalty
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.tol = tol
        self.shuffle = shuffle
        self.random_state = random_state
        self.learning_rate = learning_rate
        self.eta0 = eta0
        self.power_t = power_t
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.warm_start = warm_start
        self.average = average
        self.batch_size = batch_size
        self.micro_batch = micro_batch
        self.workers = workers
        self.engines = engines
        self.parallel = parallel
        self.bits = bits
        self.scaling = scaling
        self.rounding = rounding
        self.arithmetic = arithmetic
        self.fraction_bits = fraction_bits
        self.callback = callback

    @unless_it_fails
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803
        """Train from the beginning, or with `warm_start` from the coefficients of the call before.

        Args:
            X: samples, an array or a sparse matrix of shape (samples, features).
            y: their targets, shape (samples,).
            sample_weight: how much each counts, 0 or more, shape (samples,).

        Raises:
            DivergedError: the model is not finite any more.
            RegisterOverflowError: an activation does not fit the integers of the arithmetic
                `fixed`.
        """
        features, y = self._checked(X, y, reset=True)
        begin = bool(self.warm_start and hasattr(self, "coef_"))
        if begin and self.coef_.shape != (features.shape[1],):
            raise ValueError(
                "warm_start needs the features of the call before; give warm_start=False"
            )
        self._train(Samples(features, y, weights=sample_weight), LOSS, begin=begin, once=False)
        return self

    @unless_it_fails
    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:  # noqa: N803
        """Go over samples once, from where the call before has ended; arguments as those of
        :meth:`fit`.
        """
        features, y = self._checked(X, y, reset=not hasattr(self, "coef_"))
        samples = Samples(features, y, weights=sample_weight)
        self._train(samples, LOSS, begin=hasattr(self, "coef_"), once=True)
        return self

    def predict(self, X: Any) -> npt.NDArray[np.float64]:  # noqa: N803
        """The number that each sample is expected to have, shape (samples,)."""
        predicted: npt.NDArray[np.float64] = self._activations(X)
        return predicted

    def _shaped(self, coefficients: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        only: npt.NDArray[np.float64] = coefficients[0]
        return only
