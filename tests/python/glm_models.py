"""Models that the tests of netfold.glm train, and their data."""

import numpy as np
from scipy import sparse

from netfold.glm import GLMClassifier


def three_classes():
    """Sparse samples of three classes, few enough to be trained on at once."""
    rng = np.random.default_rng(5)
    features = sparse.random(240, 60, 0.2, "csr", rng=rng, dtype=np.float32)
    return features, np.asarray(features @ rng.standard_normal((60, 3))).argmax(axis=1)


def classifier(**parameters):
    """One that takes the same few epochs each time."""
    return GLMClassifier(**{"random_state": 3, "max_iter": 5, "tol": None} | parameters)
