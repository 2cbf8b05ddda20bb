"""Answers that say that they are incomplete are asked for again, and count as cut."""

from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from tests.discovery.test_ways_on import TEXTS, words

from longline import harvest
from longline.simulate import running_site
from longline.source.trust import says_partial
from longline.text.refusals import withheld


@pytest.mark.parametrize(
    ("body", "is_partial"),
    [
        ('{"responseHeader": {"partialResults": true}, "response": {"docs": []}}', True),
        ('{"root": {"coverage": {"coverage": 60, "full": false}}}', True),
        ('{"total_count": 9, "incomplete_results": true, "items": []}', True),
        ('{"data": {"search": []}, "errors": [{"message": "one node is away"}]}', True),
        ('{"_shards": {"total": 5, "successful": 5, "skipped": 0, "failed": 0}}', False),
        ('{"timed_out": false, "terminated_early": false}', False),
        ('{"results": [{"partial": true, "title": "A partial eclipse"}]}', False),
        ('{"document": {"full": false}, "error": "failed"}', False),
        ('{"data": null, "errors": [{"message": "no such field"}]}', False),
        ('{"timed_out": true', False),
        ("<p>partial: true", False),
    ],
)
def test_only_what_the_answer_says_of_itself_counts(body: str, *, is_partial: bool) -> None:
    """What a row says of its document does not."""
    assert says_partial(body.encode()) is is_partial


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("3 further records are not shown because you are not signed in.", 3),
        ("Es werden 40 Treffer angezeigt. 1.204 weitere Treffer sind ausgeblendet.", 1204),
        ("8 résultats ne sont pas affichés", 8),
        ("9 risultati non sono visualizzati", 9),
        ("12 documentos ocultos", 12),
        ("12 results. Hidden treasures of 40 museums are not shown here.", 0),
        ("7 results", 0),
    ],
)
def test_results_that_a_page_says_it_hides_are_counted(text: str, count: int) -> None:
    """A number, a word for results, and a word for hidden stand together."""
    assert withheld(text) == count


class Shards:
    """An index in two parts, of which one does not answer at times."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.is_away = False
        self.comes_back = False

    def search(self, request: Request) -> Response:
        """Answer as Elasticsearch does; the first answers of all are whole."""
        url = str(request.url)
        self.asked[url] += 1
        is_away = self.is_away and self.asked.total() > 40
        is_away &= not (self.comes_back and self.asked[url] > 1)
        found = words(request.query_params.get("q", ""))
        found = [each for each in found if int(each.key) % 2 or not is_away]
        begin = int(request.query_params.get("from", "0"))
        rows = [
            {"_id": each.key, "_source": {"title": each.title, "text": each.text}}
            for each in found[begin : begin + 10]
        ]
        shards = {"total": 2, "successful": 2 - is_away, "failed": int(is_away)}
        hits = {"total": {"value": len(found), "relation": "eq"}, "hits": rows}
        return JSONResponse({"took": 3, "timed_out": False, "_shards": shards, "hits": hits})


@pytest.mark.slow
def test_a_part_of_the_index_that_is_away_is_named(tmp_path: Path) -> None:
    """What comes at the second time is whole; what never comes is asked for in the next run."""
    shards, folder = Shards(), tmp_path / "harvest"
    with running_site(Starlette(routes=[Route("/_search", shards.search)])) as url:
        ask = partial(harvest, f"{url}/_search?q=return&from=0", allow_private=True, rate=1000)
        shards.is_away = shards.comes_back = True
        passing = ask(tmp_path / "passing")
        shards.asked.clear()
        shards.comes_back = False
        cut = ask(folder).certificate
        shards.is_away = False
        again = ask(folder)
    assert len(passing.documents) > 0.95 * len(TEXTS)
    assert "partial" not in passing.certificate.cuts
    assert cut.documents < 0.9 * len(TEXTS)
    assert (cut.outcome, cut.cause) == ("partial", "cut")
    assert "a part of it did not answer" in cut.stopped
    assert again.certificate.outcome == "complete"
    assert len(again.documents) > 0.95 * len(TEXTS)
