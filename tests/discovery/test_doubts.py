"""Doubts about a search may cost documents, but do not prevent a harvest."""

from pathlib import Path

import numpy as np
import pytest
from bench.suite.tasks import TASKS

import longline
from longline.simulate import read_corpus, running_site

pytestmark = pytest.mark.slow

SIZE = 240


@pytest.mark.parametrize(
    ("name", "doubt"), [("page-repeated", "results.next"), ("page-short", "known_items")]
)
def test_a_doubtful_search_is_harvested(name: str, doubt: str, tmp_path: Path) -> None:
    """The doubt is reported; nearly all is held, and the interval contains the truth."""
    corpus = [each for each in read_corpus("docstrings") if each.text]
    drawn = np.random.default_rng(3).permutation(len(corpus))[:SIZE]
    (task,) = (each for each in TASKS if each.name == name)
    app, truth, _ = task.build([corpus[n] for n in drawn.tolist()], 3)
    with running_site(app) as url:
        found = longline.discover(f"{url}/", allow_private=True, rate=1000)
        harvest = longline.harvest(
            f"{url}/", tmp_path / "got", allow_private=True, rate=1000, max_requests=1500
        )
    assert found.review == ()
    assert any(each.name == doubt and each.warning for each in found.findings)
    certificate = harvest.certificate
    assert certificate.documents >= 0.95 * len(truth)
    assert certificate.size_low is not None
    assert certificate.size_low <= len(truth) <= (certificate.size_high or len(truth))
