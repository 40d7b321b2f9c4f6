"""scikit-learn's checks of estimators."""

import pytest

estimator_checks = pytest.importorskip(
    "sklearn.utils.estimator_checks", reason="netfold.glm needs scikit-learn"
)

from netfold.glm import GLMClassifier, GLMRegressor  # noqa: E402

# scikit-learn expects the same of its own SGDClassifier and SGDRegressor.
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data": "a sample of weight 2 is one step, and twice the sample two",
    "check_sample_weight_equivalence_on_sparse_data": "a sample of weight 2 is one step, and twice the sample two",
}

CHECKED = [
    GLMClassifier(random_state=0),
    GLMClassifier("hinge", penalty="elasticnet", random_state=0),
    GLMClassifier(average=True, random_state=0),
    GLMClassifier("hinge", penalty="l1", random_state=0),
    GLMClassifier("multinomial", early_stopping=True, validation_fraction=0.3, random_state=0),
    GLMClassifier(bits=8, scaling="symmetric", random_state=0),
    GLMRegressor(random_state=0),
    GLMRegressor(learning_rate="adaptive", bits=8, scaling="symmetric", random_state=0),
]


@estimator_checks.parametrize_with_checks(CHECKED, expected_failed_checks=lambda _: EXPECTED)
def test_estimators_are_scikit_learns(estimator, check):
    check(estimator)
