"""Test latent semantic analysis against scipy's singular vectors."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.linalg import svds

from longline.simulate import read_corpus
from longline.simulate.documents import words
from longline.text.latent import LatentSpace

TEXTS = [words(each.text) for each in read_corpus("docstrings")[::15]]


def test_the_directions_are_the_greatest_singular_vectors() -> None:
    """The plane holds over 90 % of the variance that the optimal one holds."""
    space = LatentSpace(TEXTS, 20, np.random.default_rng(0))
    matrix = np.zeros((len(TEXTS), len(space.number)))
    for row, text in enumerate(TEXTS):
        for word in text:
            matrix[row, space.number[word]] += 1
    rarity = 1 + np.log(len(TEXTS) / (matrix > 0).sum(axis=0))
    weighted = np.where(matrix > 0, 1 + np.log(np.maximum(matrix, 1)), 0) * rarity
    weighted /= np.linalg.norm(weighted, axis=1, keepdims=True)
    best = svds(csr_array(weighted), k=20, random_state=0, return_singular_vectors=False)
    found = space.directions / rarity[:, None]
    assert found.T @ found == pytest.approx(np.eye(20), abs=1e-9)
    held = np.linalg.norm(weighted @ found) ** 2
    assert 0.9 * (best**2).sum() < held <= (best**2).sum() * (1 + 1e-9)


def test_points_have_length_one_or_none() -> None:
    """A text's point has length 1; a text of unknown words has the zero vector."""
    space = LatentSpace(TEXTS, 20, np.random.default_rng(0))
    known, unknown = space.points([TEXTS[0], ["zuvobiqepaxq"]])
    assert np.linalg.norm(known) == pytest.approx(1)
    assert not unknown.any()


def test_few_texts_have_few_dimensions() -> None:
    """A space has no more dimensions than texts."""
    assert LatentSpace([["deep"], ["sea"]], 20, np.random.default_rng(0)).directions.shape == (2, 2)
