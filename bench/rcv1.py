"""A synthetic rcv1.binary: documents with the shape, the word frequencies and the difficulty of the
real one.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.preprocessing import normalize

LABEL_NOISE = 0.02
"""Share of the labels that are turned round."""
SUBJECT_WORDS = 0.1
"""Share of the words that are more frequent in one class than in the other."""


def documents(
    samples: int, features: int, *, words: float = 74, seed: int = 0
) -> tuple[sparse.csr_matrix, npt.NDArray[np.int64]]:
    """Documents like those of rcv1.binary: 20,242 x 47,236 there, 74 non-zeros a row, rows of unit
    length.

    A document's words follow a Zipf law; some of them, more in one document than in another, come
    from its class, in which a tenth of all words are up to some times as frequent. Values are log
    term frequency by inverse document frequency. Some of the labels are wrong.

    Returns:
        CSR of float32, shape (samples, features), and labels 0 and 1, shape (samples,).
    """
    rng = np.random.default_rng(seed)
    share = 1 / (np.arange(features) + 30.0)
    tilt = np.where(rng.random(features) < SUBJECT_WORDS, rng.normal(0, 2, features), 0.0)
    labels = rng.integers(0, 2, samples)
    # Lengths of news: a log-normal law, with a mean that is a little above what is left without
    # repetitions.
    lengths = np.clip(
        rng.lognormal(np.log(1.04 * words) - 0.18, 0.6, samples), 5, 10 * words
    ).astype(int)
    rows = np.repeat(np.arange(samples), lengths)
    sided = rng.random(len(rows)) < rng.beta(2, 2, samples)[rows]
    columns = np.empty(len(rows), np.int64)
    for side in (None, 0, 1):
        chosen = ~sided if side is None else sided & (labels[rows] == side)
        weights = share if side is None else share * np.exp(tilt * (2 * side - 1))
        columns[chosen] = np.searchsorted(
            np.cumsum(weights / weights.sum()), rng.random(chosen.sum())
        )
    columns = columns.clip(max=features - 1)
    counts = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)), shape=(samples, features))
    found = np.bincount(counts.indices, minlength=features)
    counts.data = (1 + np.log(counts.data)) * np.log((1 + samples) / (1 + found[counts.indices]))
    wrong = rng.random(samples) < LABEL_NOISE
    return normalize(counts).astype(np.float32), np.where(wrong, 1 - labels, labels)
