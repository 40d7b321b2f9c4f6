"""The data of bench/glm.py: what the synthetic rcv1 is like, and what is taken of a mail."""

import numpy as np
from bench.rcv1 import documents
from bench.spam import commonest, words
from scipy import sparse

MAIL = """\
From: someone@example.org
Received: from relay.example.org
Subject: Cheap words
Content-Type: text/html

<html><style>p {color: red}</style><!-- hidden --><p>Buy &eacute;clairs<br>now</p></html>
"""


def test_documents_are_like_rcv1():
    features, labels = documents(4000, 47_236, seed=2)
    assert features.shape == (4000, 47_236)
    assert features.dtype == np.float32
    np.testing.assert_allclose(
        np.sqrt(np.asarray(features.multiply(features).sum(axis=1))), 1, rtol=1e-5
    )
    assert 70 < features.nnz / 4000 < 78
    # By the law, 1 / (r + 30): means of 0.014, 0.0009 and 0.00004 for these ranks.
    found = np.bincount(features.indices, minlength=47_236)
    assert found[:100].mean() > 5 * found[1000:1100].mean() > 20 * found[20_000:30_000].mean()
    assert abs(labels.mean() - 0.5) < 0.03


def test_documents_are_their_seeds():
    first, again, other = (documents(50, 500, seed=seed) for seed in (1, 1, 2))
    assert (first[0] != again[0]).nnz == 0
    assert (first[0] != other[0]).nnz > 0


def test_words_are_those_that_a_reader_sees():
    assert words(MAIL).split() == ["Cheap", "words", "Buy", "éclairs", "now"]


def test_attachments_are_no_words():
    parts = [
        'Content-Type: multipart/mixed; boundary="x"',
        "Subject: Both",
        "",
        "--x",
        "Content-Type: text/plain",
        "Content-Transfer-Encoding: base64",
        "",
        "aGVsbG8=",
        "--x",
        "Content-Type: image/png",
        "",
        "picture",
        "--x--",
    ]
    assert words("\n".join(parts)).split() == ["Both", "hello"]


def test_the_commonest_words_are_features_and_the_first_of_equals():
    counts = sparse.csr_matrix([[0, 2, 1, 0, 1], [1, 1, 0, 1, 0]], dtype=np.float32)
    # Sums are 1, 3, 1, 1 and 1.
    assert commonest(counts, 1).tolist() == [1]
    assert commonest(counts, 3).tolist() == [0, 1, 2]
    assert commonest(counts, 9).tolist() == [0, 1, 2, 3, 4]
    alternating = sparse.csr_matrix(np.arange(1, 5001, dtype=np.float32)[np.newaxis] % 2 + 1)
    # All that have 2, which are the even ones, and the first 500 of those that have 1.
    assert commonest(alternating, 3000).tolist() == sorted([*range(0, 5000, 2), *range(1, 1000, 2)])
