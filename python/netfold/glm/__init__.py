"""Linear models whose features may be split over workers: scikit-learn estimators over the engine
of P4SGD.

:class:`GLMClassifier` and :class:`GLMRegressor` are trained by stochastic gradient descent, on
features of 1 to 32 bits, by one or more workers that exchange one number for each sample instead of
a gradient ("P4SGD: Programmable Switch Enhanced Model-Parallel Training on Generalized Linear
Models on Distributed FPGAs", TPDS 2023). `docs/glm.md` is their guide, `spec/glm.md` has the rules.
Open `estimator.py` first.
"""

from __future__ import annotations

try:
    import sklearn  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "netfold.glm needs scikit-learn; install it with `pip install 'netfold[glm]'` or `pip install scikit-learn`",
        name=error.name,
    ) from error

from .classifier import GLMClassifier
from .epoch import Epoch
from .regressor import GLMRegressor

__all__ = ["Epoch", "GLMClassifier", "GLMRegressor"]
