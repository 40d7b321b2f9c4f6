"""netfold.glm beside scikit-learn, and beside itself with other workers and other bits."""

import pickle
import signal
import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="netfold.glm needs scikit-learn")

from bench.rcv1 import documents
from scipy import sparse
from sklearn.datasets import make_blobs, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, SGDClassifier, SGDRegressor
from sklearn.model_selection import train_test_split

from glm_models import classifier, three_classes
from netfold.glm import Epoch, GLMClassifier, GLMRegressor

POINTS = 0.003
"""Largest difference allowed between accuracies: 0.3 points."""


@pytest.fixture(scope="module")
def rcv1():
    """Training and test samples; enough of the latter for 0.3 points to be more than chance."""
    features, labels = documents(26_000, 20_000, seed=1)
    return features[:6000], labels[:6000], features[6000:], labels[6000:]


@pytest.fixture
def problem():
    return three_classes()


# ---- beside scikit-learn


@pytest.mark.parametrize("loss", ["log_loss", "hinge", "squared_hinge", "squared_error"])
@pytest.mark.parametrize(
    # With L1 scikit-learn's average is not that of its weights: it leaves out what the penalty
    # takes.
    ("penalty", "average"),
    [("l2", False), ("l1", False), (None, False), ("l2", True), ("l2", 300), (None, 300)],
)
def test_steps_are_those_of_scikit_learn(problem, loss, penalty, average):
    """Both take the same steps without shuffling; scikit-learn in f64, netfold with weights in f32.

    Each of the 4 * 240 steps rounds a weight, which is below 8 here, by at most 2^-24 of its size,
    and twice where there is a penalty. The samples are dense for L1: of sparse ones scikit-learn
    leaves some of it uncharged.
    """
    features, labels = problem
    features = features.toarray() if penalty == "l1" else features
    same = {
        "penalty": penalty,
        "average": average,
        "alpha": 0.01,
        "max_iter": 4,
        "tol": None,
        "shuffle": False,
    }
    same |= {"learning_rate": "constant", "eta0": 0.01} if loss.startswith("squared") else {}
    expected = SGDClassifier(loss, **same).fit(features.astype(np.float64), labels)
    found = GLMClassifier(loss, **same).fit(features, labels)
    tolerance = 2 * 4 * 240 * 8 * 2.0**-24
    np.testing.assert_allclose(found.coef_, expected.coef_, rtol=0, atol=tolerance)
    np.testing.assert_allclose(found.intercept_, expected.intercept_, rtol=0, atol=tolerance)
    scores = expected.decision_function(features)
    np.testing.assert_allclose(
        found.decision_function(features), scores, rtol=0, atol=60 * tolerance
    )


@pytest.mark.parametrize("loss", ["log_loss", "hinge", "squared_hinge"])
@pytest.mark.parametrize("penalty", ["l2", "l1", "elasticnet", None])
@pytest.mark.parametrize("class_weight", [None, {0: 3.0, 1: 0.25}])
@pytest.mark.parametrize(("tol", "patience"), [(2e-3, 5), (1e-2, 1), (5e-3, 3)])
def test_runs_end_where_scikit_learns_do(problem, loss, penalty, class_weight, tol, patience):
    """R-GLM-27: by losses without their weights, and the penalty. The same order, and so the same
    objectives.

    Steps and tolerances are such that no epoch is within rounding of being judged otherwise. Of CSR
    scikit-learn's penalty is that of the last sample's features alone, so that its array is the
    oracle there, too, without an intercept, whose steps differ.
    """
    features, labels = problem
    dense = features.toarray()[labels < 2]
    same = {
        "penalty": penalty,
        "alpha": 0.05,
        "l1_ratio": 0.5,
        "class_weight": class_weight,
        "shuffle": False,
    }
    same |= {
        "learning_rate": "constant",
        "eta0": 0.003,
        "tol": tol,
        "n_iter_no_change": patience,
        "max_iter": 150,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for intercept in (True, False):
            same["fit_intercept"] = intercept
            expected = SGDClassifier(loss, **same).fit(dense, labels[labels < 2])
            form = dense if intercept else sparse.csr_matrix(dense)
            for engines in (1, 2):
                found = GLMClassifier(loss, **same, engines=engines).fit(form, labels[labels < 2])
                assert found.n_iter_ == expected.n_iter_, (intercept, engines)


@pytest.mark.parametrize(
    "rate", [{"learning_rate": "constant", "eta0": 1e-3}, {"learning_rate": "invscaling"}]
)
@pytest.mark.parametrize("loss", ["log_loss", "hinge"])
def test_short_steps_keep_a_last_place_small(rate, loss):
    """Convex losses with short steps draw models together; what is left are the roundings of both,
    one for each step.

    With the long first steps of `optimal` the same change of one value moves a coefficient by a
    quarter, as it does in scikit-learn.
    """
    features, labels = make_classification(500, 30, random_state=0)
    features = features.astype(np.float32)
    other = features.copy()
    other[250, 0] = np.nextafter(other[250, 0], np.float32(np.inf))
    same = {"max_iter": 30, "tol": None, "random_state": 0, **rate}
    one, two = (
        GLMClassifier(loss, **same).fit(samples, labels).coef_ for samples in (features, other)
    )
    np.testing.assert_allclose(one, two, rtol=0, atol=2 * 30 * 500 * 2.0**-24 * np.abs(one).max())


@pytest.mark.parametrize("workers", [2, 3])
@pytest.mark.parametrize("how", [{}, {"parallel": "data"}, {"bits": 8, "arithmetic": "fixed"}])
def test_workers_end_a_run_together_where_one_does(problem, workers, how):
    """R-GLM-27: penalties of all workers' weights count, in whatever arithmetic, and wherever the
    weights are.
    """
    # Mini-batches of everything, so that it does not matter which worker has which samples.
    same = {
        "alpha": 0.05,
        "learning_rate": "constant",
        "eta0": 0.3,
        "batch_size": 240,
        "tol": 1e-3,
        **how,
    }
    one = GLMClassifier("hinge", **same).fit(*problem)
    several = GLMClassifier("hinge", workers=workers, **same).fit(*problem)
    assert several.n_iter_ == one.n_iter_ < 1000


def test_warnings_are_those_of_scikit_learn(problem):
    features, labels = problem
    for parameters, told in [({}, 1), ({"tol": None}, 0)]:
        for estimator in (SGDClassifier, GLMClassifier):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                estimator("hinge", max_iter=2, random_state=0, **parameters).fit(features, labels)
            found = sum(issubclass(warning.category, ConvergenceWarning) for warning in caught)
            # scikit-learn has a problem for each class, and warns of each.
            assert min(found, 1) == told, (estimator, parameters)


@pytest.mark.parametrize("centers", [2, 3])
@pytest.mark.parametrize("loss", ["log_loss", "hinge"])
@pytest.mark.parametrize("parameters", [{"penalty": "l1"}, {"average": True}])
def test_weights_of_classes_decide_as_often_as_in_scikit_learn(parameters, loss, centers):
    """The requirement of check_class_weight_classifiers depends on the order of samples, so that
    both miss it by chance.

    Over 40 orders each: the difference of two shares below 10 % has a standard deviation below
    0.07.
    """
    features, labels = make_blobs(centers=centers, random_state=0, cluster_std=20)
    train, test, train_labels, _ = train_test_split(features, labels, test_size=0.5, random_state=0)
    missed = {}
    for estimator in (SGDClassifier, GLMClassifier):
        models = [
            estimator(
                loss,
                class_weight=dict(enumerate([1000, 1e-4, 1e-4][:centers])),
                n_iter_no_change=20,
                max_iter=100,
                random_state=seed,
                **parameters,
            )
            for seed in range(40)
        ]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            shares = [
                np.mean(model.fit(train, train_labels).predict(test) == 0) for model in models
            ]
        missed[estimator] = np.mean(np.array(shares) <= 0.87)
    assert missed[GLMClassifier] <= missed[SGDClassifier] + 3 * 0.07


@pytest.mark.parametrize("centers", [2, 3])
@pytest.mark.parametrize("loss", ["log_loss", "hinge"])
def test_weights_of_classes_decide_as_in_scikit_learn_in_the_same_order(loss, centers):
    """L1 with weights seven orders of magnitude apart: nothing but the order of samples is
    different.
    """
    features, labels = make_blobs(centers=centers, random_state=0, cluster_std=20)
    train, test, train_labels, _ = train_test_split(
        features.astype(np.float32), labels, test_size=0.5, random_state=0
    )
    same = {"class_weight": dict(enumerate([1000, 1e-4, 1e-4][:centers])), "penalty": "l1"}
    same |= {"n_iter_no_change": 20, "max_iter": 100, "shuffle": False}
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(len(train))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            expected = SGDClassifier(loss, **same).fit(
                train[order].astype(np.float64), train_labels[order]
            )
            found = GLMClassifier(loss, **same).fit(train[order], train_labels[order])
        shares = [np.mean(model.predict(test) == 0) for model in (expected, found)]
        assert (shares[0] > 0.87) == (shares[1] > 0.87), (seed, shares)


def test_regression_steps_are_those_of_scikit_learn(problem):
    features, _ = problem
    targets = np.asarray(features @ np.linspace(-2, 2, 60)).ravel()
    same = {"max_iter": 6, "tol": None, "shuffle": False, "eta0": 0.1}
    expected = SGDRegressor(**same).fit(features, targets)
    found = GLMRegressor(**same).fit(features, targets)
    assert found.coef_.shape == expected.coef_.shape
    np.testing.assert_allclose(found.coef_, expected.coef_, rtol=0, atol=6 * 240 * 4 * 2.0**-24)
    assert found.score(features, targets) == pytest.approx(
        expected.score(features, targets), abs=1e-3
    )


@pytest.mark.parametrize("bits", [32, 4])
@pytest.mark.parametrize("loss", ["log_loss", "hinge"])
def test_accuracy_is_that_of_scikit_learn_and_liblinear(rcv1, loss, bits):
    features, labels, test_features, test_labels = rcv1
    peers = [SGDClassifier(loss, random_state=seed) for seed in range(3)]
    best = np.mean([peer.fit(features, labels).score(test_features, test_labels) for peer in peers])
    if loss == "log_loss":
        liblinear = LogisticRegression(solver="liblinear", C=1 / (1e-4 * len(labels)))
        best = max(best, liblinear.fit(features, labels).score(test_features, test_labels))
    models = [
        GLMClassifier(loss, bits=bits, random_state=seed).fit(features, labels) for seed in range(3)
    ]
    found = np.mean([model.score(test_features, test_labels) for model in models])
    assert found > best - POINTS
    assert models[0].data_bytes_["values"] == -(-features.nnz * bits // 8)


def test_probabilities_are_those_of_the_loss(problem):
    features, labels = problem
    for loss in ("log_loss", "multinomial"):
        for chosen in (labels > 0, labels):
            model = classifier(loss=loss).fit(features, chosen)
            probabilities = model.predict_proba(features)
            np.testing.assert_allclose(probabilities.sum(axis=1), 1)
            np.testing.assert_array_equal(
                model.classes_[probabilities.argmax(axis=1)], model.predict(features)
            )
            np.testing.assert_allclose(model.predict_log_proba(features), np.log(probabilities))
    # Cross entropy by its definition, against what training says of its last epoch, with steps too
    # small to matter.
    model = classifier(loss="multinomial", learning_rate="constant", eta0=1e-9).fit(
        features, labels
    )
    own = model.predict_proba(features)[np.arange(len(labels)), labels]
    assert model.loss_curve_[-1] == pytest.approx(-np.log(own).mean(), abs=1e-5)


def test_only_log_odds_have_probabilities(problem):
    model = classifier(loss="hinge").fit(*problem)
    assert not hasattr(model, "predict_proba")
    with pytest.raises(AttributeError, match="predict_proba"):
        model.predict_proba(problem[0])


# ---- several workers


@pytest.mark.parametrize("dense", [False, True])
@pytest.mark.parametrize("rounding", ["nearest", "truncate", "stochastic"])
def test_fixed_point_is_the_same_for_any_workers(problem, dense, rounding):
    features, labels = problem
    features = features.toarray() if dense else features
    chosen = {"arithmetic": "fixed", "bits": 4, "rounding": rounding, "batch_size": 16}
    one = classifier(**chosen).fit(features, labels)
    assert np.any(one.coef_)
    for workers, engines in [(2, 1), (4, 1), (1, 3), (4, 2)]:
        several = classifier(**chosen, workers=workers, engines=engines).fit(features, labels)
        np.testing.assert_array_equal(several.coef_, one.coef_)
        np.testing.assert_array_equal(several.intercept_, one.intercept_)


@pytest.mark.parametrize("rounding", ["nearest", "stochastic"])
def test_fixed_point_is_the_same_in_later_passes(problem, rounding):
    features, labels = problem
    models = []
    for workers in (1, 4):
        model = classifier(
            arithmetic="fixed", bits=4, rounding=rounding, batch_size=16, workers=workers
        )
        for first in (0, 120):
            chunk = slice(first, first + 120)
            model.partial_fit(features[chunk], labels[chunk], classes=[0, 1, 2])
        models.append(model)
    np.testing.assert_array_equal(models[0].coef_, models[1].coef_)


@pytest.mark.parametrize("workers", [2, 4])
def test_workers_agree_to_rounding_and_exchange_a_number_a_sample(problem, workers):
    features, labels = problem
    one = classifier(batch_size=16, alpha=0.01).fit(features, labels > 0)
    several = classifier(batch_size=16, alpha=0.01, workers=workers).fit(features, labels > 0)
    # 5 * 15 steps of 16 contributions each, to weights below 8.
    np.testing.assert_allclose(several.coef_, one.coef_, rtol=0, atol=2 * 5 * 240 * 8 * 2.0**-24)
    assert [epoch.bytes for epoch in one.epochs_] == [0] * 5
    assert [epoch.bytes for epoch in several.epochs_] == [4 * len(labels)] * 5


def test_data_parallel_exchanges_gradients(problem):
    features, labels = problem
    # In mini-batches of everything, every order of the samples is the same step.
    chosen = {"batch_size": 240, "learning_rate": "constant", "eta0": 1.0}
    one = classifier(**chosen).fit(features, labels > 0)
    several = classifier(**chosen, workers=3, parallel="data").fit(features, labels > 0)
    np.testing.assert_allclose(several.coef_, one.coef_, rtol=0, atol=5 * 240 * 2.0**-24)
    assert all(epoch.bytes >= 4 * 60 for epoch in several.epochs_)


def test_data_parallel_workers_may_be_more_than_the_features(problem):
    features, labels = problem[0][:, :3], problem[1]
    chosen = {"batch_size": 240, "learning_rate": "constant", "eta0": 1.0}
    one = classifier(**chosen).fit(features, labels > 0)
    several = classifier(**chosen, workers=5, parallel="data").fit(features, labels > 0)
    np.testing.assert_allclose(several.coef_, one.coef_, rtol=0, atol=5 * 240 * 2.0**-24)
    few = classifier(workers=5, parallel="data", bits=4).partial_fit(
        features, labels > 0, classes=[False, True]
    )
    pickle.loads(pickle.dumps(few)).partial_fit(features, labels > 0)


# ---- runs


def test_partial_fit_goes_on(problem):
    """Passes one by one are a run, also in chunks where the order is that of the rows."""
    features, labels = problem
    whole = classifier(bits=8).fit(features, labels)
    passes = classifier(bits=8)
    for _ in range(5):
        passes.partial_fit(features, labels, classes=[0, 1, 2])
    np.testing.assert_array_equal(passes.coef_, whole.coef_)
    assert passes.n_iter_ == 1
    np.testing.assert_array_equal(passes.loss_curve_, whole.loss_curve_)
    chunks = classifier(shuffle=False)
    for first in range(0, 240, 80):
        chunks.partial_fit(
            features[first : first + 80], labels[first : first + 80], classes=[0, 1, 2]
        )
    np.testing.assert_array_equal(
        chunks.coef_, classifier(shuffle=False, max_iter=1).fit(features, labels).coef_
    )


def test_rounding_at_random_does_not_depend_on_how_samples_come(problem):
    features, labels = problem
    chosen = {
        "bits": 2,
        "rounding": "stochastic",
        "batch_size": 16,
        "shuffle": False,
        "max_iter": 1,
    }
    whole = classifier(**chosen).fit(
        sparse.vstack([features[:80]] * 3).tocsr(), np.tile(labels[:80], 3)
    )
    chunks = classifier(**chosen)
    for _ in range(3):
        chunks.partial_fit(features[:80], labels[:80], classes=[0, 1, 2])
        chunks = pickle.loads(pickle.dumps(chunks))
    # A contribution of each sample to weights below 4.
    np.testing.assert_allclose(chunks.coef_, whole.coef_, rtol=0, atol=240 * 4 * 2.0**-24)
    # In mini-batches of everything shares are the whole, in another order: a step of 240 sums
    # below 1.
    chosen = {**chosen, "batch_size": 240, "learning_rate": "constant", "eta0": 1.0}
    one = classifier(**chosen).fit(features, labels)
    several = classifier(**chosen, workers=3, parallel="data").fit(features, labels)
    np.testing.assert_allclose(several.coef_, one.coef_, rtol=0, atol=240 * 2.0**-24)


def test_partial_fit_heeds_changed_parameters(problem):
    features, labels = problem
    model = classifier(learning_rate="constant", eta0=0.1).fit(features, labels)
    before = model.coef_
    model.set_params(eta0=1e-12).partial_fit(features, labels)
    np.testing.assert_allclose(model.coef_, before, atol=1e-9, rtol=1e-5)


def test_warm_start_begins_with_what_is_there(problem):
    features, labels = problem
    fixed = {"learning_rate": "constant", "eta0": 0.05, "shuffle": False, "penalty": None}
    for bits in (32, 8):
        twice = (
            classifier(**fixed, bits=bits, warm_start=True)
            .fit(features, labels)
            .fit(features, labels)
        )
        once = classifier(**fixed, bits=bits, max_iter=10).fit(features, labels)
        # What is lost on the way through coefficients is one rounding each.
        np.testing.assert_allclose(twice.coef_, once.coef_, rtol=0, atol=10 * 240 * 2.0**-24)
    with pytest.raises(ValueError, match="warm_start"):
        twice.fit(features, labels > 0)


def test_a_callback_is_told_and_stops(problem):
    told = []

    def third(epoch):
        told.append(epoch)
        return epoch.number == 3

    for workers in (1, 2):
        told.clear()
        model = classifier(callback=third, max_iter=50, workers=workers, early_stopping=True).fit(
            *problem
        )
        assert [epoch.number for epoch in told] == [1, 2, 3]
        assert model.n_iter_ == 3
        assert model.epochs_ == told
        assert model.loss_curve_ == [epoch.loss for epoch in told]
        assert all(
            isinstance(epoch, Epoch) and epoch.validation_loss > 0 and epoch.seconds > 0
            for epoch in told
        )


@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError("no more")])
@pytest.mark.parametrize("workers", [1, 3])
def test_what_a_callback_raises_comes_through(problem, error, workers):
    def raise_it(_epoch):
        raise error

    model = classifier(callback=raise_it, workers=workers)
    with pytest.raises(error if isinstance(error, type) else RuntimeError):
        model.fit(*problem)
    assert not hasattr(model, "coef_")
    model.set_params(callback=None).fit(*problem)


@pytest.mark.parametrize("workers", [1, 3])
def test_signals_are_heeded_between_epochs(problem, workers):
    def interrupt(_signal, _frame):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            classifier(max_iter=10**9, workers=workers).fit(*problem)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_early_stopping_ends_a_run(problem):
    model = classifier(max_iter=1000, tol=1e-3, early_stopping=True).fit(*problem)
    assert model.n_iter_ < 1000
    scores = [epoch.validation_score for epoch in model.epochs_]
    # Five epochs in a row that were not better than the best before them by the tolerance.
    assert all(score < max(scores[:-5]) + 1e-3 for score in scores[-5:])
    with pytest.warns(ConvergenceWarning, match="max_iter=2"):
        classifier(max_iter=2, tol=1e-9).fit(*problem)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        classifier(max_iter=2, tol=None).fit(*problem)


def test_weights_count(problem):
    features, labels = problem
    counted = labels < 2
    weights = np.where(counted, 1.0, 0.0)
    # A sample of weight 0 has no loss; it is still a step, so that a constant one without penalty
    # is the same.
    chosen = {"learning_rate": "constant", "eta0": 0.1, "penalty": None, "shuffle": False}
    weighted = classifier(**chosen).fit(features, labels > 0, sample_weight=weights)
    without = classifier(**chosen).fit(features[counted], labels[counted] > 0)
    np.testing.assert_array_equal(weighted.coef_, without.coef_)
    # Classes that exclude each other have one loss for a sample, which the weight of its class is
    # for.
    chosen["loss"] = "multinomial"
    by_class = classifier(**chosen, class_weight={0: 3.0, 1: 0.5, 2: 1.0}).fit(features, labels)
    by_sample = classifier(**chosen).fit(features, labels, np.array([3.0, 0.5, 1.0])[labels])
    np.testing.assert_array_equal(by_class.coef_, by_sample.coef_)


@pytest.mark.parametrize("class_weight", [{0: 3.0, 1: 0.5}, {0: 3.0, 1: 0.5, 2: 0.0}, "balanced"])
@pytest.mark.parametrize("loss", ["log_loss", "hinge"])
def test_weights_of_classes_are_those_of_scikit_learn(problem, loss, class_weight):
    """R-GLM-6: of more than two classes the weight of one is for its own samples, and for its own
    activation.
    """
    features, labels = problem
    labels = np.minimum(labels, 1) if len(class_weight) == 2 else labels
    same = {"learning_rate": "constant", "eta0": 0.05, "shuffle": False, "max_iter": 5, "tol": None}
    same |= {"class_weight": class_weight}
    expected = SGDClassifier(loss, **same).fit(features.astype(np.float64), labels)
    found = GLMClassifier(loss, **same).fit(features, labels)
    # A rounding each step, and one for the penalty, of weights below 8.
    atol = 2 * 5 * 240 * 8 * 2.0**-24
    np.testing.assert_allclose(found.coef_, expected.coef_, rtol=0, atol=atol)
    np.testing.assert_allclose(found.intercept_, expected.intercept_, rtol=0, atol=atol)
