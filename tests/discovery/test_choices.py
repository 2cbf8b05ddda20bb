"""Forms whose lists must be chosen from, or leave documents out; and files of office programs."""

import html
import json
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
import starlette.requests
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.discovery.test_further_kinds import harvested
from tests.discovery.test_menus import plain
from tests.discovery.test_odd_answers import TEXTS, come_once
from tests.discovery.test_ways_on import DOCUMENTS, SIZE, number, words
from tests.webs import needs_browser

import longline
from longline.model import Document
from longline.model import Response as Answer
from longline.simulate import running_site
from longline.source import file_text

TOPICS = ("land", "water", "roads", "schools")
WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def topic_of(d: Document) -> str:
    """Return the topic of a document."""
    return TOPICS[int(d.key) % len(TOPICS)]


def rows_of(found: list[Document]) -> str:
    """Return hits with a value of their own."""
    return "".join(
        f'<div class=item data-id="{d.key}"><a href="/doc/{d.key}">{html.escape(d.title)}</a></div>'
        for d in found
    )


def by_topic(request: starlette.requests.Request) -> HTMLResponse:
    """A search that needs words and a topic, and shows nothing but itself without both."""
    asked = request.query_params
    typed, topic, at = asked.get("q", ""), asked.get("topic", ""), number(request, "page")
    options = "".join(f"<option value={each}>{each.title()}</option>" for each in TOPICS)
    form = f"<select name=topic><option value=''>-----</option>{options}</select>"
    said = "<p class=error>Type a word, and choose a topic.</p>"
    if typed.strip() and topic:
        found = [d for d in words(typed) if topic_of(d) == topic]
        said = rows_of(found[10 * at - 10 : 10 * at]) or "<p>Nothing was found.</p>"
        query = f"q={html.escape(typed)}&topic={topic}&page={at + 1}"
        said += f'<a rel=next href="?{query}">Next</a>' if found[10 * at :] else ""
    return HTMLResponse(f"<html lang=en><form action=/s><input name=q>{form}</form>{said}")


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "adaptive"])
def test_a_search_that_needs_a_choice_is_sent_with_each(strategy: str, tmp_path: Path) -> None:
    """Neither words nor a topic alone bring anything."""
    routes = [Route("/", by_topic), Route("/s", by_topic), Route("/doc/{key}", plain)]
    with running_site(Starlette(routes=routes)) as url:
        harvest = longline.harvest(
            f"{url}/", tmp_path / "s", allow_private=True, rate=1000, strategy=strategy, seed=1
        )
    documents = list(harvest.documents)
    come_once(documents)
    assert len(documents) >= 0.95 * SIZE
    assert {topic_of(DOCUMENTS[d.key.rpartition("/")[2]]) for d in documents} == {*TOPICS}


NEWEST = sorted(TEXTS, key=lambda d: -int(d.key))
"""The last forty of these are of this year."""

MORE = """<button id=more>Load more</button><script>
document.getElementById('more').onclick = function () {
  const shown = document.querySelectorAll('#hits .item');
  const last = shown[shown.length - 1].dataset.id;
  fetch('/more?q=' + encodeURIComponent(%s) + '&year=%s&last=' + last).then(r => r.text())
    .then(h => document.getElementById('hits').insertAdjacentHTML('beforeend', h));
};</script>"""


def found_by(request: starlette.requests.Request) -> list[Document]:
    """Return what a search finds, this year's unless all years are chosen, the newest first."""
    asked = request.query_params
    keys = {d.key for d in words(asked.get("q", ""))}
    held = NEWEST if asked.get("year") == "all" else NEWEST[:40]
    return [d for d in held if d.key in keys]


def of_this_year(request: starlette.requests.Request) -> HTMLResponse:
    """Ten hits, a total that ends at 25, and a button; the first hits are the same in all years."""
    typed, year = request.query_params.get("q", ""), request.query_params.get("year", "now")
    found = found_by(request)
    chosen = {"now": "", "all": "", year: " selected"}
    options = (
        f"<option value=now{chosen['now']}>this year<option value=all{chosen['all']}>all years"
    )
    total = "more than 25 texts" if len(found) > 25 else f"{len(found)} texts"
    said = f"<p>{total}</p><div id=hits>{rows_of(found[:10])}</div>" if found else ""
    said += MORE % (json.dumps(typed), year) if found[10:] else ""
    form = f"<form action=/s><input name=q><select name=year>{options}</select></form>"
    return HTMLResponse(f"<html lang=en>{form}{said or '<p>Nothing was found.</p>'}")


def more(request: starlette.requests.Request) -> HTMLResponse:
    """The ten hits after the last one that was shown, or nothing."""
    last = int(request.query_params["last"])
    after = [d for d in found_by(request) if int(d.key) < last]
    return HTMLResponse(rows_of(after[:10]))


@needs_browser
@pytest.mark.slow
def test_all_years_are_searched_and_read_on_by_the_last_hit(tmp_path: Path) -> None:
    """Only the total tells that another setting finds more; a script asks for more."""
    routes = [Route("/", of_this_year), Route("/s", of_this_year), Route("/more", more)]
    certificate, documents = harvested([*routes, Route("/doc/{key}", plain)], "/", tmp_path)
    come_once(documents)
    assert len(documents) >= 0.95 * SIZE
    assert not certificate.discrepancies  # a part of a page has no total


def in_titles(request: starlette.requests.Request) -> HTMLResponse:
    """A search of titles, unless a box for full texts is ticked; it shows 30 hits at most."""
    asked = request.query_params
    typed = asked.get("q", "").lower()
    found = words(typed)
    if "full" not in asked:
        found = [d for d in found if all(word in d.title.lower() for word in typed.split())]
    said = (rows_of(found[:30]) or "<p>Nothing was found.</p>") if typed else ""
    tick = "<label><input type=checkbox name=full value=1> Search full text</label>"
    return HTMLResponse(f"<html lang=en><form action=/s><input name=q>{tick}</form>{said}")


@pytest.mark.slow
def test_a_box_that_has_full_texts_searched_is_ticked(tmp_path: Path) -> None:
    """Titles alone bring a part."""
    routes = [Route("/", in_titles), Route("/s", in_titles), Route("/doc/{key}", plain)]
    _, documents = harvested(routes, "/", tmp_path)
    come_once(documents)
    assert len(documents) >= 0.95 * SIZE
    assert "full=1" in (tmp_path / "harvest/source.toml").read_text()


async def by_buttons(request: starlette.requests.Request) -> HTMLResponse:
    """A search by POST that answers GET, too; a button sends the form of the next page."""
    sent = await request.form() if request.method == "POST" else request.query_params
    typed, at = str(sent.get("words", "")), int(str(sent.get("page", 1)))
    found = words(typed)
    said = rows_of(found[10 * at - 10 : 10 * at]) or "<p>Nothing was found.</p>"
    hidden = f"<input type=hidden name=words value='{html.escape(typed)}'>"
    page = f"<input type=hidden name=page value={at + 1}><input type=submit value='Next page'>"
    said += f"<form method=post action=/s>{hidden}{page}</form>" if found[10 * at :] else ""
    box = "<input name=words><input type=submit value=Search>"
    form = f"<form method=post action=/s>Search the texts {box}</form>"
    return HTMLResponse(f"<html lang=en>{form}<p>{len(found)} texts</p>{said if typed else ''}")


@pytest.mark.slow
def test_buttons_of_a_search_that_answers_get_are_asked_by_get(tmp_path: Path) -> None:
    """No request is sent by POST."""
    posted: list[str] = []

    async def search(request: starlette.requests.Request) -> HTMLResponse:
        posted.extend([request.method] if request.method == "POST" else ())
        return await by_buttons(request)

    searches = Route("/s", search, methods=["GET", "POST"])
    routes = [Route("/", by_buttons), searches, Route("/doc/{key}", plain)]
    certificate, documents = harvested(routes, "/", tmp_path)
    come_once(documents)
    assert len(documents) >= 0.95 * SIZE
    assert (posted, certificate.limit) == ([], None)


def of_states(request: starlette.requests.Request) -> HTMLResponse:
    """A search that covers closed cases only if a box beside the results is ticked, too.

    The links of hits repeat all that was asked.
    """
    asked = request.query_params
    typed, at = asked.get("q", ""), number(request, "page")
    states = [each for each in ("open", "shut") if f"case_{each}" in asked] or ["open"]
    found = [d for d in words(typed) if ("shut" if int(d.key) % 4 == 0 else "open") in states]
    query = f"q={html.escape(typed)}&" + "&".join(f"case_{each}=on" for each in states)
    rows = "".join(
        f'<li><a href="/doc/{d.key}?{query}">{html.escape(d.title)}</a></li>'
        for d in found[10 * at - 10 : 10 * at]
    )
    box = f'<input name=q value="{html.escape(typed)}"><input type=hidden name=case_open value=on>'
    boxes = "".join(
        f"<input type=checkbox name=case_{each}{' checked' * (each in states)}>{each}"
        for each in ("open", "shut")
    )
    beside = f'<input type=hidden name=q value="{html.escape(typed)}">{boxes}<button>Apply</button>'
    onward = f'<a rel=next href="?{query}&page={at + 1}">Next</a>' if found[10 * at :] else ""
    shown = f"<form action=/s>{beside}</form><p>{len(found)} cases</p><ol>{rows}</ol>{onward}"
    form = f"<form action=/s role=search>{box}<button>Search</button></form>"
    return HTMLResponse(f"<html lang=en>{form}{shown if typed else ''}")


@pytest.mark.slow
def test_boxes_beside_the_results_may_show_what_is_left_out(tmp_path: Path) -> None:
    """The front page's form has only the preset of one of them."""
    routes = [Route("/", of_states), Route("/s", of_states), Route("/doc/{key}", plain)]
    certificate, documents = harvested(routes, "/", tmp_path)
    assert certificate.outcome == "complete"
    assert len(documents) >= 0.95 * SIZE


def word_file(title: str, *paragraphs: str) -> bytes:
    """Return a Word file with some paragraphs, and a table."""
    file = pytest.importorskip("docx").Document()
    file.core_properties.title = title
    for paragraph in paragraphs:
        file.add_paragraph(paragraph)
    file.add_table(1, 2).cell(0, 1).text = "in a cell"
    body = BytesIO()
    file.save(body)
    return body.getvalue()


def test_the_text_of_a_word_file_is_taken_out() -> None:
    """Paragraphs and cells, in order; a damaged file is named."""
    body = word_file("Of tides", "High water", "Low water")
    read = file_text(Answer(url="http://x/d", status=200, body=body, content_type=WORD))
    assert (read.text, read.title, read.unread) == (
        "High water\nLow water\nin a cell",
        "Of tides",
        "",
    )
    read = file_text(
        Answer(url="http://x/d.docx", status=200, body=body, content_type="application/zip")
    )
    assert read.text
    read = file_text(Answer(url="http://x/d", status=200, body=body[:900], content_type=WORD))
    assert (read.text, read.unread) == ("", "the file cannot be read: BadZipFile")


def test_a_word_file_that_unpacks_to_too_much_is_not_unpacked() -> None:
    """Two hundred kilobytes would become more than 200 MB."""
    pytest.importorskip("docx")
    body = BytesIO()
    with ZipFile(body, "w", ZIP_DEFLATED) as packed, packed.open("word/document.xml", "w") as part:
        for _ in range(201):
            part.write(bytes(1_000_000))
    read = file_text(Answer(url="http://x/d", status=200, body=body.getvalue(), content_type=WORD))
    assert (read.text, read.unread) == ("", "the file cannot be read: ValueError")


def beside_a_file(request: starlette.requests.Request) -> HTMLResponse:
    """A page with a summary and a link to its document."""
    d = DOCUMENTS[request.path_params["key"]]
    said = html.escape(" ".join(d.text.split()[:5]))
    link = f"<a href=/doc/{d.key}/download/>Letter in full</a>"
    return HTMLResponse(f"<main><h1>{html.escape(d.title)}</h1><p>{said}</p>{link}</main>")


def as_word(request: starlette.requests.Request) -> Response:
    """A document as a Word file."""
    d = DOCUMENTS[request.path_params["key"]]
    return Response(word_file(d.title, d.text), media_type=WORD)


@pytest.mark.slow
def test_documents_that_are_word_files_come_with_their_texts(tmp_path: Path) -> None:
    """Their pages hold a summary."""
    documents = [Route("/doc/{key}", beside_a_file), Route("/doc/{key}/download/", as_word)]
    routes = [Route("/", by_topic), Route("/s", by_topic), *documents]
    _, found = harvested(routes, "/", tmp_path)
    assert len(found) >= 0.95 * SIZE
    for each in found:
        text = DOCUMENTS[each.key.rstrip("/").rpartition("/")[2]].text
        assert each.text.split() == [*text.split(), "in", "a", "cell"]
