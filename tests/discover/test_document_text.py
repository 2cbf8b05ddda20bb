"""Where a document's own text and title stand on its page."""

from __future__ import annotations

import pytest
from numpy.random import default_rng
from tests.discover.test_parts import page

from longline.discover.answer import Shown
from longline.discover.document.container import container
from longline.discover.document.inner_container import narrowed
from longline.discover.document.page import heading
from longline.discover.session import Desk
from longline.model import Hit
from longline.source.spec.spec import Results

DOCUMENTS = {
    "wind": "Sails turn where air moves over land, and mills grind what farmers bring.",
    "rain": "Clouds that rise over hills cool down, lose water, and fill brooks below.",
}
OTHERS = {"wind": ("mist", "Fog hides ships."), "rain": ("hail", "Ice ruins crops.")}
MONTHS = {"wind": "Mon Nov 23 04:02:13 2026", "rain": "Tue Mar 3 14:22:01 2025"}


def chosen(body: str, *, snippet: bool = True) -> str:
    """Return what is taken for the text of two documents whose pages are made by a template."""
    desk = Desk("http://site.example/", default_rng(0))
    desk.results = Results(hit="css:div.card", link="css:a", title="css:a")
    pages: list[tuple[Hit, Shown]] = []
    for key, text in DOCUMENTS.items():
        other, said = OTHERS[key]
        html = body.format(
            key=key, title=f"On {key}", text=text, other=other, said=said, when=MONTHS[key]
        )
        shown = page(html, "", url=f"http://site.example/doc/{key}")
        hit = Hit(key=key, title=f"On {key}", snippet=text[:30] if snippet else "")
        pages.append((hit, shown))
    around, _ = container(desk, [shown for _, shown in pages])
    return narrowed(desk, pages, around)


WIKI = (
    "<title>{title} | Wiki</title><article><header><a href=/>Wiki</a>/ {title}</header>"
    "<ul><li><a href='/edit?{key}'>Edit</a><li><a href='/say?{key}'>Discussion</a></ul>"
    "<div id=box><section id=content><p>{text}</p></section></div>"
    "<footer>Last edited {when} in {key}.txt</footer></article>"
)
NEWS = (
    "<title>{title}</title><main><h1>{title}</h1><p class=meta>Filed under "
    "<a href=/tag/{key}>{key}</a></p><div class=body><p>{text}</p></div><h3>More stories</h3>"
    f"<div class=card><h5><a href=/doc/{{other}}>On {{other}}</a></h5><p>{'{said} ' * 20}</p>"
    "</div></main>"
)
LINKS = (
    "<title>Finder</title><h1>{title}</h1><pre class=about>{text}</pre><h3>Others</h3><ul>"
    "<li><a href=/doc/{other}>On {other}, which has to do with all that ships and farmers fear"
    " by day and by night</a></ul><p>Finder is made by us"
)


@pytest.mark.parametrize(
    ("body", "selector"),
    [(WIKI, "css:#content"), (NEWS, "css:div.body"), (LINKS, "css:pre.about")],
    ids=["edited", "cards", "links"],
)
def test_the_text_alone_is_kept(body: str, selector: str) -> None:
    """A smaller element that holds all of the text is taken, without what is around it."""
    assert chosen(body) == selector


@pytest.mark.parametrize(
    "body",
    [
        "<main><h1>{title}</h1><a href='/edit?{key}'>Edit this page</a><div class=short>Of {key}s"
        "</div><div class=body>{text}</div><div class=notes>Seen in {other}.</div></main>",
        "<main><h1>{title}</h1><p>By <a href=/who/{other}>{other} of {key}</a></p>"
        "<div class=body>{text}</div><p>Print this page</p></main>",
        "<main><h1>{title}</h1><div class=body>{text}</div></main>",
    ],
    ids=["siblings", "authors", "no more"],
)
def test_no_part_of_a_text_is_lost(body: str) -> None:
    """A container is kept where parts of a text stand beside each other, or it holds no more."""
    assert chosen(body) == "css:main"
    assert chosen(body, snippet=False) == "css:main"


@pytest.mark.parametrize(
    ("body", "selector"),
    [
        ("<title>{title} [House Wiki]</title><h1>House Wiki</h1>", ""),
        ("<title>{title} [House Wiki]</title><h1>House Wiki</h1><h2>{title}</h2>", "css:h2"),
        ("<title>{title} | House</title><h1>{title} - House</h1>", ""),
        ("<title>{title} of {key}s</title><p>{title}", "css:title"),
    ],
    ids=["a constant", "whole elsewhere", "two constants", "more of it"],
)
def test_a_title_with_the_name_of_the_site(body: str, selector: str) -> None:
    """A heading is not taken for the title where it adds the same to the list's on every page."""
    pages = [
        (Hit(key=key, title=f"On {key}"), page(body.format(key=key, title=f"On {key}"), ""))
        for key in DOCUMENTS
    ]
    assert heading(pages) == selector


def test_a_title_with_the_name_of_the_site_where_one_page_is_named_otherwise() -> None:
    """That the front page has another title does not hide what all others add."""
    titles = {"House Wiki": "start [House Wiki]", "Sails": "Sails [House Wiki]"}
    pages = [
        (Hit(key=name, title=name), page(f"<title>{title}</title>", ""))
        for name, title in titles.items()
    ]
    assert heading(pages) == ""
