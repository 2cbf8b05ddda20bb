"""Complete discoveries, on real servers that know the truth about themselves."""

import pytest
from tests.discovery.aside import ASIDE
from tests.discovery.grade import FIELDS, discover, grade, is_warned
from tests.discovery.mixed import mixed
from tests.discovery.servers import MAKES, Make

from longline.model import Query
from longline.simulate import Searcher, read_corpus, running_site
from longline.source import Source, read_spec

QUICK = ("gazette", "katalog", "papers", "records", "archiv", "omega", "woordenboek")


def sites() -> list[object]:
    return [
        pytest.param(make, id=make.name, marks=[] if make.name in QUICK else [pytest.mark.slow])
        for make in (*MAKES, *ASIDE)
    ]


@pytest.mark.parametrize("make", sites())
def test_site_is_learnt(make: Make) -> None:
    """Every field is right, without touching a login or newsletter form, within 40 requests."""
    grades, said, discoverer = grade(make)
    assert not [name for name in FIELDS if grades[name] is False], said
    assert discoverer.requests <= 40
    assert read_spec(discoverer.toml()) == discoverer.spec


@pytest.mark.slow
def test_sites_put_together_at_random() -> None:
    """On random sites 9 fields in 10 are right, and 3 in 100 wrong without a warning."""
    right = asked = silent = 0
    for make in mixed(12, seed=7):
        grades, _, discoverer = grade(make)
        known = [name for name in FIELDS if grades[name] is not None]
        wrong = [name for name in known if not grades[name]]
        asked += len(known)
        right += len(known) - len(wrong)
        silent += sum(not is_warned(name, discoverer) for name in wrong)
        assert discoverer.requests <= 40
    assert right >= 0.9 * asked
    assert silent <= 0.03 * asked


def test_simulated_site_is_learnt() -> None:
    """The site of `longline serve` is learnt as its own spec describes it."""
    searcher = Searcher(read_corpus("docstrings"), limit=100, page_size=10)
    with running_site(searcher) as url:
        discoverer = discover(f"{url}/")
    spec = discoverer.spec
    assert spec is not None
    assert not discoverer.review
    assert (spec.ask.page_size, spec.ask.limit) == (10, 100)
    assert spec.ask.dialect.not_ in ("-{term}", "NOT {term}")
    assert spec.results.total_relation == "exact"
    assert spec.document is not None
    assert "{query}" in spec.ask.url
    assert Source(spec).search_request(Query(("deep",))).url.endswith("q=deep")


@pytest.mark.slow
def test_same_site_is_learnt_the_same_twice() -> None:
    """A discovery is deterministic: the same site and seed give the same spec."""
    searcher = Searcher(read_corpus("docstrings")[:400], limit=50, page_size=10)
    with running_site(searcher) as url:
        first, second = discover(f"{url}/"), discover(f"{url}/")
    assert first.toml() == second.toml()


def test_every_finding_says_why() -> None:
    """Each finding has evidence, and those that are not sure have a warning."""
    searcher = Searcher(read_corpus("docstrings")[:400], limit=50, page_size=10)
    with running_site(searcher) as url:
        findings = discover(f"{url}/", max_requests=14).findings
    assert findings
    assert all(finding.evidence for finding in findings)
    assert all(finding.warning for finding in findings if finding.sure in ("guess", "unknown"))
