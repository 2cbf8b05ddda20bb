"""What asks for everything: a mark that is looked for like any other text does not."""

import html
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from tests.discovery.grade import discover

import longline
from longline.discovery import Discoverer
from longline.simulate import read_corpus, running_site

SIZE = 240
DRAWN = random.Random(3).sample([each for each in read_corpus("docstrings") if each.text], SIZE)
TEXTS = [f"{each.title} {each.text}".lower() for each in DRAWN]
STARRED = sum("*" in text for text in TEXTS)


def found_inside(typed: str) -> list[int]:
    """Return the documents whose texts have what is typed, be it a part of a word."""
    return [number for number, text in enumerate(TEXTS) if typed.lower() in text]


def found_as_word(typed: str) -> list[int]:
    """Return the documents that have each word, as it stands between spaces."""
    words = set(typed.lower().split())
    return [number for number, text in enumerate(TEXTS) if words and words <= set(text.split())]


def site(find: Callable[[str], list[int]]) -> Starlette:
    """Make a site that shows 20 hits a page, as many pages as there are, and no totals."""

    def search(request: Request) -> Response:
        typed, at = request.query_params.get("q", ""), int(request.query_params.get("page", 1))
        found = find(typed) if typed.strip() else []
        rows = "".join(
            f'<li><a href="/doc/{number}">{html.escape(DRAWN[number].title)}</a>'
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
        each = DRAWN[int(request.path_params["number"])]
        body = f"<h1>{html.escape(each.title)}</h1><p>{html.escape(each.text)}</p>"
        return HTMLResponse(f"<html lang=en><title>{html.escape(each.title)}</title>{body}")

    return Starlette(routes=[Route("/", search), Route("/doc/{number}", document)])


def learnt(url: str) -> Discoverer:
    """Learn a site, of which words bring hits."""
    discoverer = discover(f"{url}/")
    assert discoverer.spec is not None
    return discoverer


@pytest.mark.parametrize("find", [found_inside, found_as_word])
def test_a_mark_that_is_looked_for_is_not_everything(find: Callable[[str], list[int]]) -> None:
    """`*` brings the documents that have it: that is not taken for all."""
    assert 20 < STARRED < SIZE / 2
    with running_site(site(find)) as url:
        spec = learnt(url).spec
    assert spec is not None
    assert spec.ask.dialect.all is None


def harvested(
    find: Callable[[str], list[int]], folder: Path, *, all_: str = ""
) -> longline.Harvest:
    """Harvest a site by what is learnt of it, and perhaps by a wrong search for everything."""
    with running_site(site(find)) as url:
        toml = learnt(url).toml()
        if all_:
            toml = toml.replace("[ask.dialect]\n", f'[ask.dialect]\nall = "{all_}"\n')
            assert all_ in toml
        (folder / "source.toml").write_text(toml)
        return longline.harvest(folder / "source.toml", folder / "harvest", allow_private=True)


def test_a_list_that_lacks_most_is_gone_beyond(tmp_path: Path) -> None:
    """Words of several documents of the list show that there is more, and bring it."""
    certificate = harvested(found_as_word, tmp_path, all_="*").certificate
    assert certificate.documents > 0.9 * SIZE > STARRED


def test_a_letter_lists_what_is_found_inside_words(tmp_path: Path) -> None:
    """A letter of nearly all texts is read to its end, and each document comes once."""
    certificate = harvested(found_inside, tmp_path).certificate
    assert certificate.documents >= SIZE - 1
    assert certificate.outcome == "complete"
