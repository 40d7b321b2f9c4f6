"""Refusals of netfold.glm, and the rest of a model whose fit fails."""

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="netfold.glm needs scikit-learn")

from scipy import sparse

import netfold
from glm_models import classifier, three_classes
from netfold.glm import GLMClassifier, GLMRegressor


@pytest.fixture
def problem():
    return three_classes()


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"loss": "huber"}, "loss=.*not known.*log_loss"),
        ({"penalty": "l3"}, "penalty='l3'"),
        ({"learning_rate": "pa1"}, "learning_rate=.*optimal"),
        ({"rounding": "up"}, "rounding=.*nearest"),
        ({"scaling": "log"}, "scaling='log'"),
        ({"parallel": "both"}, "parallel=.*model or data"),
        ({"arithmetic": "exact"}, "arithmetic=.*float or fixed"),
        ({"bits": 33}, "bits=33"),
        ({"bits": 2.0}, "bits=2.0"),
        ({"workers": 0}, "workers=0"),
        ({"workers": 61}, "workers = 61 .*60 features"),
        ({"engines": 61}, "engines = 61 .*60 features"),
        ({"alpha": -1.0}, "alpha=-1"),
        ({"alpha": 0.0}, "alpha"),
        ({"alpha": "a"}, "alpha='a'"),
        ({"l1_ratio": 1.5}, "l1_ratio=1.5"),
        ({"eta0": -1.0, "learning_rate": "constant"}, "eta0"),
        ({"early_stopping": True, "validation_fraction": 1.0}, "validation_fraction=1.0"),
        ({"callback": 3}, "callback=3"),
        ({"arithmetic": "fixed"}, "fixed"),
        ({"arithmetic": "fixed", "bits": 4, "average": True}, "averages"),
        ({"arithmetic": "fixed", "bits": 4, "fraction_bits": 31}, "fraction_bits"),
        ({"parallel": "data", "engines": 2}, "engine"),
        ({"average": -1}, "average=-1 .*step"),
        ({"average": 2.5}, "average=2.5"),
        ({"average": 2**70}, "average="),
        ({"fraction_bits": 300}, "fraction_bits=300 .*1 to 30"),
        ({"batch_size": 10**30}, "batch_size="),
        ({"micro_batch": 2**64}, "micro_batch="),
        ({"max_iter": 2**70}, "max_iter="),
        ({"n_iter_no_change": 2**70}, "n_iter_no_change="),
        ({"bits": 10**30}, "bits=.*1 to 32"),
        ({"engines": 257}, "engines=257 .*1 to 256"),
        ({"alpha": 10**400}, "alpha="),
        ({"alpha": np.inf}, "alpha=inf"),
        ({"tol": 10**400}, "tol="),
        ({"tol": "a"}, "tol='a'"),
        ({"loss": 3}, "loss=.*not known"),
        ({"learning_rate": None}, "learning_rate=.*not known"),
    ],
)
def test_bad_parameters_are_named(problem, parameters, message):
    with pytest.raises(netfold.ConfigurationError, match=message):
        classifier(**parameters).fit(*problem)


def test_bad_samples_are_refused(problem):
    features, labels = problem
    with pytest.raises(netfold.ConfigurationError, match="below 0"):
        classifier(bits=4, scaling="unit").fit(-features, labels)
    with pytest.raises(netfold.ConfigurationError, match="weight"):
        classifier().fit(features, labels, sample_weight=np.full(240, -1.0))
    with pytest.raises(ValueError, match="not announced"):
        classifier().partial_fit(features, labels, classes=[0, 1])
    with pytest.raises(ValueError, match="first call"):
        classifier().partial_fit(features, labels)
    with pytest.raises(netfold.ConfigurationError, match="balanced"):
        classifier(class_weight="balanced").partial_fit(features, labels, classes=[0, 1, 2])
    with pytest.raises(ValueError, match="two classes"):
        classifier().fit(features, np.zeros(240))
    with pytest.raises(netfold.ConfigurationError, match="class weights are 0"):
        classifier(class_weight={0: 0.0, 1: 0.0, 2: 0.0}).fit(features, labels)
    # One sample of three classes, a class of one, and samples that all count for nothing.
    with pytest.raises(ValueError, match="number of classes = 3"):
        classifier(early_stopping=True, validation_fraction=0.002).fit(features, labels)
    with pytest.raises(ValueError, match="only 1 member"):
        classifier(early_stopping=True).fit(features, np.arange(240) == 7)
    with pytest.raises(ValueError, match="hold more back"):
        classifier(early_stopping=True).fit(features, labels, sample_weight=np.arange(240) == 7)


@pytest.mark.parametrize(
    ("form", "places", "wrong"),
    [
        ("csr", "indices", -1),
        ("csr", "indices", 60),
        ("csr", "indptr", 10**6),
        ("csr", "indptr", -1),
        ("csc", "indices", -1),
        ("csc", "indices", 240),
        ("csc", "indptr", 10**6),
        ("bsr", "indices", -1),
        ("coo", "row", -1),
        ("coo", "col", 60),
        # Cut to 32 bits it would be a column.
        ("csr", "indices", (1 << 32) + 3),
    ],
)
def test_entries_outside_of_a_matrix_are_refused(problem, form, places, wrong):
    """SciPy would write to where they point, or read from there."""
    features, labels = problem
    model = classifier().fit(features, labels)
    broken = features.asformat(form, copy=True)
    if wrong > 1 << 32:
        broken.indices, broken.indptr = (
            broken.indices.astype(np.int64),
            broken.indptr.astype(np.int64),
        )
    getattr(broken, places)[3] = wrong
    with pytest.raises(netfold.ConfigurationError, match="not a valid sparse matrix"):
        model.predict(broken)
    for train in (classifier().fit, model.partial_fit):
        # The engine names the row, where nothing has to be converted.
        with pytest.raises(
            netfold.ConfigurationError,
            match=r"not a valid sparse matrix|row \d+ of the sparse samples",
        ):
            train(broken, labels)
    # To be converted, whatever its form.
    broken.data = broken.data.astype(np.float64)
    with pytest.raises(netfold.ConfigurationError, match="not a valid sparse matrix"):
        classifier().fit(broken, labels)


@pytest.mark.parametrize("estimator", [GLMClassifier, GLMRegressor])
def test_a_fit_that_fails_leaves_the_model_as_it_was(problem, estimator):
    """Also what it says of its input: samples of that width are its own."""
    features, labels = problem[0].toarray(), problem[1]
    model = estimator(random_state=0, max_iter=3, tol=None).fit(features, labels)
    said = model.predict(features)
    wider, broken = np.hstack([features, features]), np.full((240, 7), np.nan, np.float32)

    def raise_it(_epoch):
        raise RuntimeError("no more")

    for samples, chosen in [
        (broken, {}),
        (wider, {"callback": raise_it}),
        (wider, {"alpha": -1.0}),
    ]:
        failing = {**model.get_params(), **chosen}
        usual = model.get_params()
        with pytest.raises((ValueError, RuntimeError)):
            model.set_params(**failing).fit(samples, labels)
        model.set_params(**usual)
        assert model.n_features_in_ == 60
        np.testing.assert_array_equal(model.predict(features), said)
        model.partial_fit(features, labels)
        said = model.predict(features)
    new = estimator()
    with pytest.raises(ValueError, match="NaN"):
        new.fit(broken, labels)
    assert not hasattr(new, "n_features_in_")


def test_what_goes_wrong_in_a_run_is_named_and_loses_nothing(problem):
    features, labels = problem
    model = GLMRegressor(random_state=0).fit(features, labels)
    before = model.coef_
    model.set_params(learning_rate="constant", eta0=1e30)
    with pytest.raises(netfold.DivergedError, match="smaller step"):
        model.partial_fit(features, labels)
    np.testing.assert_array_equal(model.coef_, before)
    model = classifier().fit(features, labels > 0)
    said = model.predict(features)
    for workers in (1, 3):
        large = classifier(arithmetic="fixed", bits=8, fraction_bits=24, workers=workers)
        with pytest.raises(netfold.RegisterOverflowError, match="fewer fraction bits"):
            large.fit(features, labels)
    model.set_params(arithmetic="fixed", bits=8, fraction_bits=24)
    with pytest.raises(netfold.RegisterOverflowError):
        model.fit(features, labels)
    np.testing.assert_array_equal(model.predict(features), said)


def test_unsorted_and_doubled_entries_are_what_they_stand_for(problem):
    features, labels = problem
    entries = features.tocoo()
    order = np.random.default_rng(0).permutation(entries.nnz)
    rows, columns, values = (part[order] for part in (entries.row, entries.col, entries.data))
    doubled = np.concatenate([rows, rows]), np.concatenate([columns, columns])
    halves = sparse.coo_array((np.concatenate([values, values]) / 2, doubled), features.shape)
    expected = classifier().fit(features, labels)
    np.testing.assert_array_equal(classifier().fit(halves, labels).coef_, expected.coef_)
    wide = features.copy()
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    np.testing.assert_array_equal(classifier().fit(wide, labels).coef_, expected.coef_)
