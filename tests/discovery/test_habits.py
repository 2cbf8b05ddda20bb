"""Sites with unusual habits of their software: a catalogue, a court, an archive, a listing."""

import pytest
from tests.discovery.grade import FIELDS, grade
from tests.discovery.habits import HABITS, KINDS
from tests.discovery.servers import Make

from longline.source import read_spec

QUICK = ("court", "pages")


def sites() -> list[object]:
    return [
        pytest.param(make, id=make.name, marks=[] if make.name in QUICK else [pytest.mark.slow])
        for make in HABITS
    ]


@pytest.mark.parametrize("make", sites())
def test_site_of_another_make_is_learnt(make: Make) -> None:
    """Every field is right, within 40 requests, without touching a login or newsletter form."""
    grades, said, discoverer = grade(make, KINDS[make.name])
    assert not [name for name in FIELDS if grades[name] is False], said
    assert discoverer.requests <= 40
    assert read_spec(discoverer.toml()) == discoverer.spec
