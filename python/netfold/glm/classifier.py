"""Classification by linear models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from scipy.special import expit, softmax
from sklearn.base import ClassifierMixin
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets

from ..errors import ConfigurationError
from .epoch import Epoch
from .estimator import INTEGERS, LinearModel, unless_it_fails
from .samples import Samples

PROBABILISTIC = ("log_loss", "multinomial")
"""Losses whose activations are log odds."""

ALWAYS_CLASSES = INTEGERS + "U"
"""Kinds of dtype that always are classes: truth values, integers and strings. Anything else is left
to scikit-learn.
"""


def _has_probabilities(estimator: GLMClassifier) -> bool:
    if estimator.loss not in PROBABILISTIC:
        raise AttributeError(
            f"loss={estimator.loss!r} has no probabilities; use loss='log_loss' or 'multinomial'"
        )
    return True


class GLMClassifier(ClassifierMixin, LinearModel):  # type: ignore[misc] # sklearn is untyped
    """A linear classifier, trained by stochastic gradient descent by one or more workers.

    Parameters that scikit-learn's `SGDClassifier` has, too, mean the same. More than two classes
    are each set against the rest, unless the loss is multinomial.

    Args:
        loss: `log_loss`, `hinge`, `squared_hinge`, `squared_error`, or `multinomial`, for two
            classes `log_loss`.
        penalty: `l2`, `l1`, `elasticnet` or None.
        alpha: strength of the penalty, 0 or more; with the rate `optimal` above 0, since it sets
            the steps, too.
        l1_ratio: share of the strength that goes to L1, with `elasticnet`.
        fit_intercept: whether there is one. It is not penalised.
        max_iter: epochs at most.
        tol: stop when the objective, the mean of losses and penalty, has not fallen by this much
            for `n_iter_no_change` epochs, or with `early_stopping` the accuracy has not risen by
            it; None never.
        shuffle: whether each epoch has an order of its own.
        random_state: of the order, of what is held back, and of stochastic rounding.
        learning_rate: `optimal` (1 / (alpha (t0 + t - 1))), `constant` (eta0), `invscaling` (eta0 /
            t^power_t) or `adaptive` (eta0, divided by 5 when the loss stands still).
        eta0: first step; not for `optimal`.
        power_t: with `invscaling`.
        early_stopping: judge by the accuracy for samples that are held back, not by the objective
            of training. They are those that `SGDClassifier` holds back for that `random_state`: of
            each class its share. Refused where a class has one sample alone, or fewer are held back
            than there are classes. The model is that of the last epoch, not of the best.
        validation_fraction: the share that is held back, above 0 and below 1; rounded up to whole
            samples.
        n_iter_no_change: epochs without progress before a run ends.
        class_weight: how much samples of each class count: a dict, or `balanced`, as if classes
            were equally frequent. Of more than two classes it counts that much for its own alone,
            unless the loss is multinomial.
        warm_start: whether `fit` begins with the coefficients of the call before.
        average: take the mean of the weights over all steps, or over those from that one on (ASGD).
        batch_size: samples of a step. More than 1 pays with several workers: their activations
            travel together.
        micro_batch: samples whose activations are exchanged at once.
        workers: threads that exchange what they have as workers on a network would.
        engines: threads of each worker, which share memory.
        parallel: what is split over workers: `model` (features; a number is exchanged for each
            sample) or `data` (samples; a gradient is exchanged for each step).
        bits: of a feature while training: 1 to 32, which is float32.
        scaling: what fewer bits are put on: `unit` (from the least to the largest value of a
            feature), `symmetric` (around their middle), or `auto`: `unit` where 0 has to stay 0, in
            CSR and without an intercept, and no value is negative, else `symmetric`. Say
            `symmetric` if `partial_fit` may meet negative values only later: they are refused
            there. What else lies beyond the first chunk's values is clamped.
        rounding: `nearest`, `truncate` or `stochastic`, with fewer bits.
        arithmetic: `float`, or `fixed`: the same model to the bit for any number of workers,
            without L1 and averages.
        fraction_bits: of weights in `fixed`, 1 to 30.
        callback: called with an :class:`Epoch` after each; a run ends when it returns something
            true.

    Attributes:
        coef_: shape (1, features) for two classes, else (classes, features).
        intercept_: shape (1,) or (classes,).
        classes_: shape (classes,), ascending.
        n_iter_: epochs of the last call.
        t_: number of the next step, from 1. `partial_fit` goes on counting, also in a copy and in a
            model of a file.
        loss_curve_: loss of each epoch.
        epochs_: an :class:`Epoch` each.
        data_bytes_: bytes of the samples as workers have held them: `values`, `indices`, `bounds`.
        feature_scaling_: with fewer bits, low and span of each feature (R-GLM-19), shape (features,
            2); else None.
        n_features_in_: features of a sample.
    """

    def __init__(  # noqa: PLR0913 - parameters as scikit-learn's estimators have them
        self,
        loss: Literal[
            "log_loss", "hinge", "squared_hinge", "squared_error", "multinomial"
        ] = "log_loss",
        *,
        penalty: Literal["l2", "l1", "elasticnet"] | None = "l2",
        alpha: float = 1e-4,
        l1_ratio: float = 0.15,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        tol: float | None = 1e-3,
        shuffle: bool = True,
        random_state: int | np.random.RandomState | None = None,
        learning_rate: Literal["optimal", "constant", "invscaling", "adaptive"] = "optimal",
        eta0: float = 0.01,
        power_t: float = 0.5,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
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
        self.loss = loss
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
        self.class_weight = class_weight
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
            y: their classes, shape (samples,).
            sample_weight: how much each counts, 0 or more, shape (samples,).

        Raises:
            DivergedError: the model is not finite any more.
            RegisterOverflowError: an activation does not fit the integers of the arithmetic
                `fixed`.
        """
        features, y = self._checked(X, y, reset=True)
        classes = self._classes_of(y)
        begin = bool(self.warm_start and hasattr(self, "coef_"))
        if begin and not (
            np.array_equal(classes, self.classes_) and self.coef_.shape[1] == features.shape[1]
        ):
            raise ValueError(
                "warm_start needs the classes and features of the call before; give warm_start=False"
            )
        weights = None
        if self.class_weight is not None:
            weights = compute_class_weight(self.class_weight, classes=classes, y=y).astype(
                np.float32
            )
        samples = Samples(features, _labels(y, classes), len(classes), sample_weight, weights)
        self._learn(samples, classes, begin=begin, once=False)
        return self

    @unless_it_fails
    def partial_fit(
        self,
        X: Any,  # noqa: N803
        y: Any,
        classes: Any = None,
        sample_weight: Any = None,
    ) -> Self:
        """Go over samples once, from where the call before has ended.

        Args:
            X: samples, shape (samples, features).
            y: their classes, shape (samples,).
            classes: all that there are; needed at the first call.
            sample_weight: how much each counts, shape (samples,).
        """
        first = not hasattr(self, "classes_")
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit")
        if (
            not first
            and classes is not None
            and not np.array_equal(np.unique(classes), self.classes_)
        ):
            raise ValueError(
                f"classes={classes!r} are not those of the calls before, {self.classes_!r}"
            )
        features, y = self._checked(X, y, reset=first)
        found = self._classes_of(y)
        known = np.unique(classes) if first else self.classes_
        unknown = found[~np.isin(found, known)]
        if unknown.size:
            raise ValueError(f"y has classes that were not announced: {unknown!r}")
        weights = None
        if isinstance(self.class_weight, str):
            raise ConfigurationError(
                "class_weight='balanced' needs all samples at once; give partial_fit the weights as a dict, such as "
                "sklearn.utils.class_weight.compute_class_weight finds them"
            )
        if self.class_weight is not None:
            weights = compute_class_weight(self.class_weight, classes=known, y=y).astype(np.float32)
        samples = Samples(features, _labels(y, known), len(known), sample_weight, weights)
        self._learn(samples, known, begin=hasattr(self, "coef_"), once=True)
        return self

    def decision_function(self, X: Any) -> npt.NDArray[np.float64]:  # noqa: N803
        """Signed distances from the boundary, unscaled: shape (samples,) for two classes, else
        (samples, classes).
        """
        distances: npt.NDArray[np.float64] = self._activations(X)
        return distances

    def predict(self, X: Any) -> npt.NDArray[Any]:  # noqa: N803
        """The class of each sample, shape (samples,)."""
        scores = self._activations(X)
        numbers = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        predicted: npt.NDArray[Any] = self.classes_[numbers]
        return predicted

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator] # sklearn is untyped
    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:  # noqa: N803
        """Probability of each class, shape (samples, classes); for `log_loss` and `multinomial`.

        Under `log_loss` more than two classes are each set against the rest, and made to sum to 1.
        """
        scores = self._activations(X)
        if scores.ndim == 1:
            return np.column_stack([expit(-scores), expit(scores)])
        if self.loss == "multinomial":
            return softmax(scores, axis=1)
        each = expit(scores)
        sums = each.sum(axis=1, keepdims=True)
        # All may be 0 to rounding: then nothing is known.
        return np.where(sums > 0, each / np.where(sums > 0, sums, 1), 1 / len(self.classes_))

    @available_if(_has_probabilities)  # type: ignore[untyped-decorator] # sklearn is untyped
    def predict_log_proba(self, X: Any) -> npt.NDArray[np.float64]:  # noqa: N803
        """Logarithms of :meth:`predict_proba`."""
        with np.errstate(divide="ignore"):
            logarithms: npt.NDArray[np.float64] = np.log(self.predict_proba(X))
        return logarithms

    def _classes_of(self, y: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The classes that there are, ascending."""
        if y.dtype.kind not in ALWAYS_CLASSES:
            check_classification_targets(y)
        elif y.dtype.kind in INTEGERS:
            # Two are found by looking, in less time than by hashing or by sorting.
            ends = np.array([y.min(), y.max()], dtype=y.dtype)
            if ends[0] != ends[1] and ((y == ends[0]) | (y == ends[1])).all():
                return ends
        return np.unique(y)

    def _learn(
        self, samples: Samples, classes: npt.NDArray[Any], *, begin: bool, once: bool
    ) -> None:
        count = len(classes)
        if count < 2:
            raise ValueError(
                f"{type(self).__name__} needs samples of two classes at least; there is {count} class"
            )
        loss = "log_loss" if self.loss == "multinomial" and count == 2 else self.loss
        self._train(samples, loss, begin=begin, once=once)
        # Only now: what a failed run leaves behind still belongs together.
        self.classes_ = classes


def _labels(y: npt.NDArray[Any], classes: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The index of each label among `classes`, all of which are known."""
    # Of two classes one comparison says which it is.
    return y == classes[1] if len(classes) == 2 else np.searchsorted(classes, y)
