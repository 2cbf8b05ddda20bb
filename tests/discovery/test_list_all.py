"""Searches that list everything, and rows shown without hits, are not misunderstood."""

import html
import random
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from tests.discovery.grade import discover

import longline
from longline.discovery import Discoverer
from longline.simulate import read_corpus, running_site

pytestmark = pytest.mark.slow

SIZE = 240
DRAWN = random.Random(3).sample([each for each in read_corpus("docstrings") if each.text], SIZE)
TEXTS = [f"{each.text}".lower() for each in DRAWN]
TITLES = [" ".join(each.text.split()[:4]) for each in DRAWN]
STARRED = sum("*" in text for text in TEXTS)


def found_inside(typed: str) -> list[int]:
    """Return the documents whose texts contain the typed string, even inside a word."""
    return [number for number, text in enumerate(TEXTS) if typed.lower() in text]


def found_as_word(typed: str) -> list[int]:
    """Return the documents that contain each word between spaces."""
    words = set(typed.lower().split())
    return [number for number, text in enumerate(TEXTS) if words and words <= set(text.split())]


def filled(typed: str) -> list[int]:
    """Return the documents that contain the typed string, or always the same few if none does."""
    return found_inside(typed) or list(range(15))


def site(find: Callable[[str], list[int]], *, in_json: bool = False) -> Starlette:
    """Return a site with 20 hits per page, as many pages as needed, and no totals."""

    def search(request: Request) -> Response:
        typed, at = request.query_params.get("q", ""), int(request.query_params.get("page", 1))
        found = find(typed) if typed.strip() else []
        if in_json:
            onward = f"/?q={quote(typed)}&page={at + 1}" if found[20 * at :] else None
            shown = [
                {"id": number, "title": TITLES[number], "body": DRAWN[number].text}
                for number in found[20 * (at - 1) : 20 * at]
            ]
            return JSONResponse({"next": onward, "rows": shown})
        rows = "".join(
            f'<li><a href="/doc/{number}">{html.escape(TITLES[number])}</a>'
            f"<p>{html.escape(DRAWN[number].text[:150])}</p></li>"
            for number in found[20 * (at - 1) : 20 * at]
        )
        word = html.escape(typed.replace(" ", "+"))
        onward = (
            f'<a rel="next" href="/?q={word}&page={at + 1}">Next</a>' if found[20 * at :] else ""
        )
        form = '<form><input name="q"><button>Search</button></form>'
        return HTMLResponse(f"<html lang=en><title>Texts</title>{form}<ol>{rows}</ol>{onward}")

    def document(request: Request) -> Response:
        number = int(request.path_params["number"])
        title, text = html.escape(TITLES[number]), html.escape(DRAWN[number].text)
        return HTMLResponse(f"<html lang=en><title>{title}</title><h1>{title}</h1><p>{text}</p>")

    return Starlette(routes=[Route("/", search), Route("/doc/{number}", document)])


def learnt(url: str) -> Discoverer:
    """Learn a site in which words have hits."""
    discoverer = discover(f"{url}/")
    assert discoverer.spec is not None
    return discoverer


@pytest.mark.parametrize("find", [found_inside, found_as_word])
def test_a_mark_that_is_looked_for_is_not_everything(find: Callable[[str], list[int]]) -> None:
    """If `*` finds documents that contain it, it is not taken for everything."""
    assert 20 < STARRED < SIZE / 2
    with running_site(site(find)) as url:
        spec = learnt(url).spec
    assert spec is not None
    assert spec.ask.dialect.all is None


def harvested(
    find: Callable[[str], list[int]], folder: Path, *, all_: str = ""
) -> longline.Harvest:
    """Harvest a site with the learnt spec, optionally with a wrong search for everything."""
    with running_site(site(find)) as url:
        toml = learnt(url).toml()
        if all_:
            toml = toml.replace("[ask.dialect]\n", f'[ask.dialect]\nall = "{all_}"\n')
            assert all_ in toml
        (folder / "source.toml").write_text(toml)
        return longline.harvest(folder / "source.toml", folder / "harvest", allow_private=True)


def test_a_list_that_lacks_most_is_gone_beyond(tmp_path: Path) -> None:
    """Words of several documents in the list show that there are more, and find them."""
    certificate = harvested(found_as_word, tmp_path, all_="*").certificate
    assert certificate.documents > 0.9 * SIZE > STARRED


def test_a_letter_lists_what_is_found_inside_words(tmp_path: Path) -> None:
    """A letter that nearly all texts contain is read to its end, and each document is held once."""
    certificate = harvested(found_inside, tmp_path).certificate
    assert certificate.documents >= SIZE - 1
    assert certificate.outcome == "complete"


@pytest.mark.parametrize("in_json", [False, True], ids=["HTML", "JSON"])
def test_what_is_shown_for_nonsense_is_no_hit(tmp_path: Path, *, in_json: bool) -> None:
    """Rows that replace missing hits are not hits; the list of hits is still found."""
    with running_site(site(filled, in_json=in_json)) as url:
        address = f"{url}/?q=time" if in_json else f"{url}/"
        harvest = longline.harvest(address, tmp_path / "harvest", allow_private=True)
    assert harvest.certificate.documents >= 0.97 * SIZE


def test_known_documents_come_back_by_their_titles() -> None:
    """If only titles are searched, words of texts find nothing: this is not a fault."""

    def find(typed: str) -> list[int]:
        words = set(typed.lower().split())
        titles = (set(title.lower().split()) for title in TITLES)
        return [number for number, title in enumerate(titles) if words and words <= title]

    with running_site(site(find, in_json=True)) as url:
        found = discover(f"{url}/?q=return")
    assert found.spec is not None
    assert not any("known_items" in reason for reason in found.review)
