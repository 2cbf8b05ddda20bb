"""Sites that keep the query in a session, or put temporary values into their links."""

from pathlib import Path

import msgspec
import pytest
from tests.discovery.grade import discover
from tests.discovery.sessions import ENGINE, LINKS, Sessions
from tests.harvests import Harvest

from longline import Spec, read_spec
from longline.harvester.settings import Limits, Settings
from longline.ledger import Certificate
from longline.simulate import running_site

pytestmark = pytest.mark.slow

LISTED = Settings(listing_only=True)
SLOW = pytest.mark.slow


def harvested(folder: Path, spec: Spec, **limits: int) -> Certificate:
    return Harvest(folder, spec, LISTED, Limits(allow_private=True, **limits)).run()


def learnt(site: Sessions, url: str) -> Spec:
    found = discover(f"{url}/", allow_post=site.forms)
    assert found.spec is not None, found.problem
    assert not found.review
    assert found.requests <= 40
    return found.spec


def by_hand(url: str, next_: str) -> Spec:
    return read_spec(
        f'[source]\nname = "x"\nurl = "{url}/"\n[ask]\nurl = "{url}/find?q={{query}}"\n'
        '[ask.dialect]\nnot = "-{term}"\n[results]\nhit = "li.hit"\nlink = "a"\ntitle = "a"\n'
        f'snippet = "p"\nnext = "{next_}"\ntotal = "p.count"\ntotal_pattern = "of (\\\\d+)"\n'
        '[document]\ntext = "article"\n'
    )


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    """Return the harvest of the twin without sessions."""
    site = Sessions()
    with running_site(site.app) as url:
        spec = learnt(site, url)
        assert (spec.ask.paging, spec.results.key_ignores) == ("", [])
        return harvested(tmp_path_factory.mktemp("honest") / "h", spec)


def test_the_twin_is_harvested(honest: Certificate) -> None:
    """A site without sessions gives nearly all of its documents."""
    assert honest.documents >= 0.98 * len(ENGINE.texts)


@pytest.mark.parametrize(
    "site",
    [
        pytest.param(Sessions("link"), id="link", marks=SLOW),
        pytest.param(Sessions("place"), id="place", marks=SLOW),
        pytest.param(Sessions("button"), id="button", marks=SLOW),
        pytest.param(Sessions("form", forms=True), id="form"),
        pytest.param(Sessions("form", "parameter of a session", forms=True), id="both", marks=SLOW),
    ],
)
def test_pages_of_a_session(site: Sessions, honest: Certificate, tmp_path: Path) -> None:
    """If "next" means the last query, this is learnt, and costs hardly any request."""
    with running_site(site.app) as url:
        spec = learnt(site, url)
        assert spec.ask.paging == "session"
        came = harvested(tmp_path / "h", spec)
    assert came.documents == honest.documents
    assert came.overlapping_rate == honest.overlapping_rate
    assert came.requests <= 1.05 * honest.requests


@pytest.mark.parametrize(
    "links",
    [
        pytest.param(name, marks=[] if name == "parameter of a path" else [SLOW])
        for name in LINKS
        if name != "plain"
    ],
)
def test_what_passes_is_no_part_of_a_key(links: str, honest: Certificate, tmp_path: Path) -> None:
    """A document has one key, whatever its link contains of session, answer and query."""
    site = Sessions(links=links)
    with running_site(site.app) as url:
        came = harvested(tmp_path / "h", learnt(site, url))
    assert came.documents == honest.documents
    assert came.duplicate_documents == honest.duplicate_documents
    assert came.overlapping_rate == honest.overlapping_rate


@pytest.mark.parametrize("forms", [False, True])
def test_pages_of_their_own_query(forms: bool) -> None:
    """A next link that works without the query's words is learnt as such."""
    site = Sessions("ticket", forms=forms)
    with running_site(site.app) as url:
        assert learnt(site, url).ask.paging == "query"


def test_a_spec_that_does_not_say(honest: Certificate, tmp_path: Path) -> None:
    """If the spec does not say, a harvest finds out, and uses no page of another query."""
    with running_site(Sessions("link").app) as url:
        came = harvested(tmp_path / "a", by_hand(url, "a.next"))
    with running_site(Sessions().app) as url:
        twin = harvested(tmp_path / "b", by_hand(url, "a.next"))
    assert (came.documents, came.overlapping_rate) == (twin.documents, twin.overlapping_rate)
    assert came.requests <= 1.05 * twin.requests
    assert came.documents >= honest.documents - 9


@SLOW
def test_going_on_in_a_new_session(tmp_path: Path) -> None:
    """A continued run has no session, and an old form; it still finds the same documents."""
    site = Sessions("form", forms=True)
    with running_site(site.app) as url:
        spec = learnt(site, url)
        whole = harvested(tmp_path / "whole", spec)
        for most in (20, 40, 60, 80):
            part = harvested(tmp_path / "parts", spec, max_requests=most)
            assert part.documents < whole.documents
            site.visits.clear()
        came = harvested(tmp_path / "parts", spec)
    assert (came.documents, came.truncated_queries) == (whole.documents, whole.truncated_queries)


@SLOW
def test_sessions_that_end(tmp_path: Path) -> None:
    """A session that expires after some requests costs more of them, and no document."""
    lasting, passing = Sessions("form", forms=True), Sessions("form", forms=True, lasts=150)
    with running_site(lasting.app) as url:
        spec = learnt(lasting, url)
        whole = harvested(tmp_path / "whole", spec)
    with running_site(passing.app) as url:
        text = msgspec.json.encode(spec).replace(spec.source.url.encode(), f"{url}/".encode())
        came = harvested(tmp_path / "h", msgspec.json.decode(text, type=Spec))
    assert came.documents == whole.documents
    assert came.truncated_queries == whole.truncated_queries
