"""A search of titles that knows none of the first words is learnt from its lists."""

from dataclasses import replace
from pathlib import Path

import pytest
from bench.discovery.drawn_habits import Habits, Site

import longline
from longline.simulate import running_site

pytestmark = pytest.mark.slow

TITLES = Habits(
    corpus="docstrings",
    documents=150,
    words="titles",
    total="exact",
    limit=0,
    size=10,
    nothing="none",
    is_json=False,
    empty="form",
    star="word",
)


@pytest.mark.parametrize(
    ("listed", "is_json", "seed"),
    [
        ({"empty": "all"}, False, 316),
        ({"nothing": "all"}, False, 316),
        ({"star": "all"}, False, 316),
        ({"nothing": "all"}, True, 319),
        ({"nothing": "all"}, True, 320),
        *(({"star": "all"}, True, seed) for seed in (316, 318, 319, 320)),
    ],
    ids=str,
)
def test_what_is_listed_for_nothing_has_words_to_search_for(
    listed: dict[str, str], is_json: bool, seed: int, tmp_path: Path
) -> None:
    """Everything is listed by an empty form, by an unused word, or by `*`."""
    site = Site(replace(TITLES, **listed, is_json=is_json), seed)
    with running_site(site.app) as url:
        address = f"{url}/search?q=time" if is_json else f"{url}/"
        harvest = longline.harvest(
            address, tmp_path / "got", allow_private=True, rate=1000, max_requests=2500
        )
    assert harvest.certificate.documents == len(site.documents)
