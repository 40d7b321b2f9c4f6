"""Models of netfold.glm that are kept, as files or pickled, and trained on from where they were."""

import json
import os
import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest

pytest.importorskip("sklearn", reason="netfold.glm needs scikit-learn")

from scipy import sparse
from sklearn.datasets import dump_svmlight_file

import netfold
from glm_models import classifier, three_classes
from netfold import _native
from netfold.glm import GLMClassifier, GLMRegressor


@pytest.fixture
def problem():
    return three_classes()


# ---- files


@pytest.mark.parametrize(
    "names", [np.array(["ham", "odd", "spam"]), np.array([-1, 5, 7]), np.array([0.0, 1.0, 2.0])]
)
def test_files_keep_everything(problem, tmp_path, names):
    features, labels = problem
    model = classifier(bits=4, loss="multinomial").fit(features, names[labels])
    model.save(tmp_path / "model.safetensors")
    loaded = GLMClassifier.load(tmp_path / "model.safetensors")
    np.testing.assert_array_equal(loaded.predict_proba(features), model.predict_proba(features))
    np.testing.assert_array_equal(loaded.classes_, names)
    assert loaded.classes_.dtype == names.dtype
    assert loaded.get_params() == model.get_params()
    np.testing.assert_array_equal(loaded.feature_scaling_, model.feature_scaling_)
    loaded.partial_fit(features, names[labels])
    assert [path.name for path in tmp_path.iterdir()] == ["model.safetensors"]


def test_files_keep_numbers_of_numpy(problem, tmp_path):
    """Parameters as a search over np.arange and the like leaves them behind."""
    chosen = {
        "batch_size": np.int64(16),
        "alpha": np.float32(0.25),
        "average": np.True_,
        "loss": np.str_("hinge"),
    }
    model = classifier(**chosen).fit(*problem)
    model.save(tmp_path / "model")
    loaded = GLMClassifier.load(tmp_path / "model").get_params()
    assert loaded == model.get_params()
    assert [type(loaded[name]) for name in chosen] == [int, float, bool, str]


def test_files_keep_the_names_of_features(problem, tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(
        problem[0].toarray(), columns=[f"word {number}" for number in range(60)]
    )
    model = classifier().fit(frame, problem[1])
    model.save(tmp_path / "model")
    loaded = GLMClassifier.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.feature_names_in_, frame.columns)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded.predict(frame)
    with pytest.raises(ValueError, match="order"):
        loaded.predict(frame[frame.columns[::-1]])


def test_a_file_takes_the_place_of_what_is_there(problem, tmp_path, monkeypatch):
    """Links and pipes stay what they are, a file its own until there is a new one, and nothing is
    left beside it.
    """
    model = classifier().fit(*problem)
    (tmp_path / "models").mkdir()
    path, link, pipe = tmp_path / "models" / "model", tmp_path / "link", tmp_path / "pipe"
    link.symlink_to(path)
    model.save(link)
    assert link.is_symlink()
    path.chmod(0o600)
    model.save(link)
    assert path.stat().st_mode & 0o777 == 0o600
    os.mkfifo(pipe)
    # What is written is less than a pipe holds.
    with open(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK), "rb") as reader:
        model.save(pipe)
        (tmp_path / "read").write_bytes(reader.read())
    np.testing.assert_array_equal(GLMClassifier.load(tmp_path / "read").coef_, model.coef_)
    assert pipe.is_fifo()

    def full(*_arguments):
        raise OSError("no space")

    whole = path.read_bytes()
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="no space"):
        classifier(loss="hinge").fit(*problem).save(link)
    assert path.read_bytes() == whole
    assert sorted(found.name for found in tmp_path.rglob("*")) == [
        "link",
        "model",
        "models",
        "pipe",
        "read",
    ]


@pytest.mark.parametrize("quantised", [False, True])
def test_two_outputs_of_two_classes_are_one(problem, tmp_path, quantised):
    """Models as `netfold glm train` writes them with the multinomial loss; the probabilities are
    those of its definition.
    """
    features, labels = problem
    rng = np.random.default_rng(8)
    coefficients, intercepts = (
        rng.standard_normal((2, 60)).astype(np.float32),
        rng.standard_normal(2),
    )
    scaling = np.tile(np.float32([0, 1]), (60, 1)) if quantised else None
    kind = "unit" if quantised else None
    model = _native.GlmModel(
        coefficients, intercepts, loss="multinomial", classes=2, scaling=scaling, scaling_kind=kind
    )
    (tmp_path / "model").write_bytes(model.file())
    loaded = GLMClassifier.load(tmp_path / "model")
    powers = np.exp(features.astype(np.float64) @ coefficients.T.astype(np.float64) + intercepts)
    expected = powers / powers.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(loaded.predict_proba(features), expected, rtol=0, atol=1e-5)
    np.testing.assert_array_equal(loaded.predict(features), expected.argmax(axis=1))
    loaded.save(tmp_path / "again")
    again = GLMClassifier.load(tmp_path / "again")
    np.testing.assert_array_equal(again.predict_proba(features), loaded.predict_proba(features))
    again.partial_fit(features, (labels > 0).astype(int))
    assert again.coef_.shape == (1, 60)


def test_what_the_command_saves_is_an_estimator(problem, tmp_path):
    """The estimator has the labels of the samples' file, and classifies as many correctly as the
    command.
    """
    features, classes = problem
    labels = 2 * classes - 3
    dump_svmlight_file(features, labels, str(tmp_path / "samples.svm"), zero_based=False)
    command = [
        sys.executable,
        "-m",
        "netfold",
        "glm",
        "train",
        "samples.svm",
        "--bits",
        "4",
        "--test",
        "samples.svm",
    ]
    trained = subprocess.run(
        [*command, "--save", "model"], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    model = GLMClassifier.load(tmp_path / "model")
    np.testing.assert_array_equal(model.classes_, [-3, -1, 1])
    assert f"accuracy on the test's samples: {model.score(features, labels):.4f}" in trained.stdout


@pytest.mark.parametrize("kind", ["unit", "symmetric"])
def test_what_the_command_saves_says_what_its_bits_cover(problem, tmp_path, kind):
    """An estimator goes on with it, on the same grid, as it would with one of its own."""
    features, classes = np.abs(problem[0]), problem[1]
    dump_svmlight_file(features, classes, str(tmp_path / "samples.svm"))
    command = [
        sys.executable,
        "-m",
        "netfold",
        "glm",
        "train",
        "samples.svm",
        "--bits",
        "2",
        "--scaling",
        kind,
    ]
    subprocess.run([*command, "--save", "model"], cwd=tmp_path, capture_output=True, check=True)
    models = [
        GLMClassifier.load(tmp_path / "model").set_params(bits=2, shuffle=False) for _ in range(2)
    ]
    models[1].set_params(scaling=kind)
    other = GLMClassifier.load(tmp_path / "model").set_params(
        bits=2, shuffle=False, scaling={"unit": "symmetric", "symmetric": "unit"}[kind]
    )
    grid = models[0].feature_scaling_
    for model in (*models, other):
        model.partial_fit(sparse.csr_matrix(features / 2), classes)
    np.testing.assert_array_equal(models[0].feature_scaling_, grid)
    np.testing.assert_array_equal(models[0].coef_, models[1].coef_)
    assert (other.coef_ != models[0].coef_).any()
    assert (other.feature_scaling_ != grid).any()


def test_files_of_others_are_refused(problem, tmp_path):
    path = tmp_path / "model"
    classifier().fit(*problem).save(path)
    with pytest.raises(netfold.ModelFileError, match=r"GLMClassifier\.load"):
        GLMRegressor.load(path)
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(netfold.ModelFileError):
        GLMClassifier.load(path)
    path.write_bytes(b"no model")
    with pytest.raises(netfold.ModelFileError):
        GLMClassifier.load(path)
    with pytest.raises(netfold.ConfigurationError, match="classes of type"):
        classifier().fit(problem[0], problem[1].astype("datetime64[D]")).save(path)


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("progress", "no JSON"),
        ("progress", "[]"),
        ("progress", '{"steps": 1, "epochs": 1, "orders": 1, "adaptive": 5}'),
        ("progress", '{"steps": -1, "epochs": 1, "orders": 1, "adaptive": null}'),
        ("progress", '{"steps": 1e300, "epochs": 1, "orders": 1, "adaptive": null}'),
        ("progress", '{"steps": Infinity, "epochs": 1, "orders": 1, "adaptive": null}'),
        ("epochs", "some"),
        ("features", "no JSON"),
        ("features", '["one"]'),
        ("features", "60"),
        ("labels", '{"type": "<i8", "values": [1, 2]}'),
    ],
)
def test_metadata_that_cannot_be_are_refused(problem, tmp_path, entry, text):
    path = tmp_path / "model"
    classifier().fit(*problem).save(path)
    content = path.read_bytes()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    header["__metadata__"][entry] = text
    changed = json.dumps(header).encode()
    path.write_bytes(len(changed).to_bytes(8, "little") + changed + content[8 + length :])
    with pytest.raises(netfold.ModelFileError, match=str(path)):
        GLMClassifier.load(path)


# ---- going on


@pytest.mark.parametrize("way", ["pickle", "file"])
@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"learning_rate": "invscaling", "eta0": 0.5, "batch_size": 7},
        {"bits": 4},
        {"bits": 4, "scaling": "unit", "workers": 3},
        {"bits": 4, "parallel": "data", "workers": 2, "batch_size": 8},
    ],
)
def test_a_copy_goes_on_where_the_model_has_ended(problem, tmp_path, way, chosen):
    """Against a model that was never interrupted: chunks of one range, so that another grid would
    show.
    """
    features, labels = problem
    models = [
        classifier(alpha=0.01, **chosen).partial_fit(features, labels, classes=[0, 1, 2])
        for _ in range(2)
    ]
    steps = -(-240 // chosen.get("batch_size", 1))
    for passes, scale in [(1, 0.5), (2, 0.25)]:
        assert models[1].t_ == passes * steps + 1
        if way == "file":
            models[1].save(tmp_path / "model")
            models[1] = GLMClassifier.load(tmp_path / "model")
        else:
            models[1] = pickle.loads(pickle.dumps(models[1]))
        for model in models:
            model.partial_fit(scale * features, labels)
        np.testing.assert_allclose(
            models[1].coef_, models[0].coef_, rtol=0, atol=2 * 240 * 8 * 2.0**-24
        )
        np.testing.assert_array_equal(models[1].feature_scaling_, models[0].feature_scaling_)
    assert [epoch.number for epoch in models[1].epochs_][-1] == 3


@pytest.mark.parametrize("chosen", [{}, {"fit_intercept": False}])
def test_what_auto_has_come_to_stays(problem, tmp_path, chosen):
    """The first chunk says what few bits cover, also if the next one alone would say something
    else.
    """
    features, labels = problem
    features = features if not chosen else features.toarray()

    def both(first):
        whole = classifier(bits=4, alpha=0.01, **chosen).partial_fit(
            first, labels, classes=[0, 1, 2]
        )
        whole.save(tmp_path / "model")
        return whole, GLMClassifier.load(tmp_path / "model")

    whole, loaded = both(-features)
    np.testing.assert_allclose(
        loaded.partial_fit(features, labels).coef_,
        whole.partial_fit(features, labels).coef_,
        rtol=0,
        atol=240 * 8 * 2.0**-24,
    )
    models = both(features)
    for model in models:
        before = model.coef_
        with pytest.raises(netfold.ConfigurationError, match="begin with `symmetric`"):
            model.partial_fit(-features, labels)
        np.testing.assert_array_equal(model.coef_, before)
        model.partial_fit(0.5 * features, labels)
    np.testing.assert_allclose(models[1].coef_, models[0].coef_, rtol=0, atol=240 * 8 * 2.0**-24)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_an_adaptive_step_stays_divided(problem, tmp_path):
    features, labels = problem
    # No epoch but the first makes progress, so each of the others divides the step by 5.
    chosen = {
        "learning_rate": "adaptive",
        "eta0": 0.5,
        "tol": 10.0,
        "n_iter_no_change": 1,
        "penalty": None,
    }
    model = classifier(**chosen, max_iter=4, shuffle=False).fit(features, labels > 0)
    model.save(tmp_path / "model")
    loaded = GLMClassifier.load(tmp_path / "model")
    expected = classifier(
        **chosen | {"learning_rate": "constant", "eta0": 0.5 / 5**3}, shuffle=False
    )
    expected.fit(features, labels > 0)
    expected.coef_, expected.intercept_, expected._trainer = model.coef_, model.intercept_, None
    for copy in (expected, loaded):
        copy.partial_fit(features, labels > 0)
    np.testing.assert_allclose(loaded.coef_, expected.coef_, rtol=0, atol=240 * 8 * 2.0**-24)
    # Another first step is meant as it is said.
    model.set_params(eta0=0.25).partial_fit(features, labels > 0)
    loaded = GLMClassifier.load(tmp_path / "model").set_params(learning_rate="constant", eta0=0.25)
    loaded.partial_fit(features, labels > 0)
    np.testing.assert_allclose(model.coef_, loaded.coef_, rtol=0, atol=240 * 8 * 2.0**-24)


@pytest.mark.parametrize("workers", [1, 3])
@pytest.mark.parametrize("average", [False, True])
def test_a_chunk_that_is_refused_changes_nothing(problem, workers, average):
    features, labels = problem
    models = [classifier(workers=workers, average=average) for _ in range(2)]
    for model in models:
        model.partial_fit(features, labels, classes=[0, 1, 2])
    broken = features.copy()
    broken.data[7] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        models[1].partial_fit(broken, labels)
    with pytest.raises(ValueError, match="weight"):
        models[1].partial_fit(features, labels, sample_weight=np.full(240, -1.0))
    with pytest.raises(ValueError, match="NaN"):
        models[1].fit(broken, labels)
    for model in models:
        model.partial_fit(features, labels)
    np.testing.assert_array_equal(models[1].coef_, models[0].coef_)
    assert models[1].t_ == models[0].t_ == 2 * 240 + 1


@pytest.mark.parametrize("workers", [1, 3])
def test_partial_fit_goes_on_after_what_a_callback_raised(problem, workers):
    features, labels = problem
    models = [classifier(workers=workers, bits=8, alpha=0.01) for _ in range(2)]
    for model in models:
        model.partial_fit(features, labels, classes=[0, 1, 2])
    before = models[1].coef_

    def raise_it(_epoch):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        models[1].set_params(callback=raise_it).partial_fit(features, labels)
    np.testing.assert_array_equal(models[1].coef_, before)
    models[1].set_params(callback=None)
    for model in models:
        model.partial_fit(features, labels)
    np.testing.assert_allclose(models[1].coef_, models[0].coef_, rtol=0, atol=240 * 8 * 2.0**-24)
    assert models[1].t_ == 2 * 240 + 1
